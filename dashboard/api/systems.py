"""The scores of an evaluation period, over HTTP."""

from __future__ import annotations

import uuid
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.serializers import ErrorSerializer
from dashboard.systems.access import visible_board
from evaluation.models import EvaluationPeriod, SystemScore
from evaluation.queries.board import Board, BoardLine, board_of


class EstimateSerializer(serializers.Serializer):
    """Null where it is not estimable; `why` says why."""

    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    why = serializers.CharField()


class ScoredSystemSerializer(serializers.Serializer):
    system = serializers.CharField()
    team = serializers.CharField(allow_null=True)
    version = serializers.IntegerField()
    submission = serializers.UUIDField()
    places = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    chances = serializers.ListField(child=serializers.FloatField())
    precision = EstimateSerializer()
    recall = EstimateSerializer()
    f1 = EstimateSerializer()
    effective_labels = serializers.FloatField(allow_null=True)
    claims = serializers.IntegerField()
    judged = serializers.IntegerField()
    cost_mills = serializers.IntegerField()


class MetricScoresSerializer(serializers.Serializer):
    metric = serializers.CharField()
    ordered_by = serializers.CharField()
    systems = ScoredSystemSerializer(many=True)


class ScoresSerializer(serializers.Serializer):
    """`snapshot` is null before the first claim is judged; `changes` are sentences."""

    period = serializers.CharField()
    snapshot = serializers.IntegerField(allow_null=True)
    made_at = serializers.DateTimeField(allow_null=True)
    pool = serializers.CharField(allow_null=True)
    level = serializers.FloatField()
    changes = serializers.ListField(child=serializers.CharField())
    metrics = MetricScoresSerializer(many=True)


class ScoresView(APIView):
    @extend_schema(
        operation_id="evaluation_scores",
        responses={200: ScoresSerializer, 403: ErrorSerializer, 404: ErrorSerializer},
    )
    def get(self, request: Request, key: uuid.UUID) -> Response:
        """The leaderboard of an evaluation period, by each of its metrics."""
        period = get_object_or_404(EvaluationPeriod.objects.select_related("project"), key=key)
        found = visible_board(request.user, period.project.slug, key)
        boards = [board_of(found.period, name) for name in found.period.metrics or ["instance"]]
        return Response(ScoresSerializer(_scores(boards)).data)


def _scores(boards: list[Board]) -> dict[str, Any]:
    first = boards[0]
    snapshot = first.snapshot
    return {
        "period": first.period.name,
        "snapshot": snapshot.number if snapshot else None,
        "made_at": snapshot.made_at if snapshot else None,
        "pool": snapshot.pool_version if snapshot else None,
        "level": snapshot.level if snapshot else first.period.level,
        "changes": first.reasons,
        "metrics": [
            {
                "metric": board.metric,
                "ordered_by": board.measure,
                "systems": [_line(line) for line in board.lines],
            }
            for board in boards
        ],
    }


def _line(line: BoardLine) -> dict[str, Any]:
    one, row = line.score, line.score.submission
    return {
        "system": row.system.name,
        "team": row.system.team.name if row.system.team else None,
        "version": row.version,
        "submission": row.key,
        "places": None if line.first is None else [line.first, line.last],
        "chances": line.chances,
        "effective_labels": one.effective,
        "claims": one.claims,
        "judged": one.judged,
        "cost_mills": one.cost_mills,
        **{name: _estimate(one, name) for name in ("precision", "recall", "f1")},
    }


def _estimate(one: SystemScore, name: str) -> dict[str, Any]:
    return {
        "value": getattr(one, name),
        "low": getattr(one, f"{name}_low"),
        "high": getattr(one, f"{name}_high"),
        "why": getattr(one, f"{name}_why"),
    }
