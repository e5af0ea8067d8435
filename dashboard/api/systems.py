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
from dashboard.api.authentication import EVALUATE, READ
from dashboard.systems.access import visible_board
from evaluation.models import EvaluationPeriod, SystemScore
from evaluation.queries.board import Board, BoardLine, board_of


class EstimateSerializer(serializers.Serializer):
    """Null where it is not estimable; `why` says why."""

    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    why = serializers.CharField()


class LevelSerializer(serializers.Serializer):
    """A score of claims that are right with their types, or with their links too."""

    value = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class ScoredSystemSerializer(serializers.Serializer):
    system = serializers.CharField()
    team = serializers.CharField(allow_null=True)
    version = serializers.IntegerField()
    submission = serializers.UUIDField()
    places = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    chances = serializers.ListField(child=serializers.FloatField())
    precision = EstimateSerializer()
    precision_with_types = LevelSerializer(allow_null=True)
    precision_with_links = LevelSerializer(allow_null=True)
    judged_with_types = serializers.IntegerField()
    judged_with_links = serializers.IntegerField()
    recall = EstimateSerializer()
    recall_with_types = LevelSerializer(allow_null=True)
    recall_with_links = LevelSerializer(allow_null=True)
    f1 = EstimateSerializer()
    f1_with_types = LevelSerializer(allow_null=True)
    f1_with_links = LevelSerializer(allow_null=True)
    effective_labels = serializers.FloatField(allow_null=True)
    claims = serializers.IntegerField()
    judged = serializers.IntegerField()
    cost_mills = serializers.IntegerField()


class TieSerializer(serializers.Serializer):
    """Two neighbours that can't be told apart, and how many more labels would do it; null: no
    number of them."""

    first = serializers.CharField()
    second = serializers.CharField()
    labels = serializers.IntegerField(allow_null=True)
    cost_mills = serializers.IntegerField(allow_null=True, source="mills")


class MetricScoresSerializer(serializers.Serializer):
    metric = serializers.CharField()
    ordered_by = serializers.CharField()
    systems = ScoredSystemSerializer(many=True)
    ties = TieSerializer(many=True)


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
    scopes = dict.fromkeys(("GET", "HEAD", "OPTIONS"), frozenset({READ, EVALUATE}))

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
                "ties": board.ties,
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
        **{
            f"{name}_with_{level}": one.with_parts(level, name)
            for name in ("precision", "recall", "f1")
            for level in ("types", "links")
        },
        **{
            f"judged_with_{level}": one.stricter.get(level, {}).get("judged", 0)
            for level in ("types", "links")
        },
        **{name: _estimate(one, name) for name in ("precision", "recall", "f1")},
    }


def _estimate(one: SystemScore, name: str) -> dict[str, Any]:
    return {
        "value": getattr(one, name),
        "low": getattr(one, f"{name}_low"),
        "high": getattr(one, f"{name}_high"),
        "why": getattr(one, f"{name}_why"),
    }
