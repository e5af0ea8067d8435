"""How good a campaign gets, over HTTP: its plan, the runs that serve it, single gold questions and
tasks."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from aggregation.actions.pruning import pin, unpin
from aggregation.actions.serving import CannotServe, serve
from aggregation.models import AggregationRun
from annotation.actions import gold as gold_actions
from annotation.actions import task_orders as orders
from annotation.interfaces import AnswerError
from annotation.models import GoldQuestion
from dashboard.access import managed_campaign
from dashboard.api import shapes
from dashboard.api.bodies import refuse, sent, serializer_of
from dashboard.api.lists import REFUSALS
from dashboard.api.projects import ASKED, CONFLICT, asked, conflict
from dashboard.api.results import reviewed_campaign
from dashboard.campaigns.task_orders import MOST_TICKED
from dashboard.gold.queries import gold_question
from dashboard.plan.forms import MixForm
from dashboard.plan.queries import KIND, plan
from dashboard.plan.views import forecast_form


class WaySerializer(serializers.Serializer):
    answers_each = serializers.IntegerField(source="number")
    is_adaptive = serializers.BooleanField(help_text="Then `answers_each` is the most of a task.")
    answers = serializers.FloatField(help_text="To each task, on average.")
    mean = serializers.FloatField(help_text="Of the `measure`.")
    low = serializers.FloatField(help_text="Of the 90 % interval, like all ends here.")
    high = serializers.FloatField()
    cost_mills = serializers.IntegerField(source="mills")
    least_mills = serializers.IntegerField()
    most_mills = serializers.IntegerField()
    soonest = serializers.DateTimeField(allow_null=True, help_text="Null: no pace is known.")
    likely = serializers.DateTimeField(allow_null=True)
    latest = serializers.DateTimeField(allow_null=True)
    is_chosen = serializers.BooleanField(help_text="What the campaign asks for.")


class CampaignPlanSerializer(serializers.Serializer):
    job = serializers.UUIDField(allow_null=True, help_text="That has computed it; null: none yet.")
    measure = serializers.CharField(allow_null=True)
    is_measured = serializers.BooleanField(
        allow_null=True, help_text="By answers; else by workers as stated."
    )
    ways = WaySerializer(many=True)


PlanBodySerializer: Any = serializer_of(MixForm, partial=True)


class PlanView(APIView):
    @extend_schema(operation_id="campaign_plan", responses={200: CampaignPlanSerializer} | REFUSALS)
    def get(self, request: Request, slug: str) -> Response:
        """What more answers bring, as the last forecast has it. To managers and reviewers alone."""
        found, _ = plan(reviewed_campaign(request, slug)[0])
        told = {
            "job": found and found.job.key, "measure": found and found.measure,
            "is_measured": found and found.is_measured, "ways": found.ways if found else [],
        }  # fmt: skip
        return Response(CampaignPlanSerializer(told).data)

    @extend_schema(operation_id="campaign_forecast", request=PlanBodySerializer, responses=ASKED)
    def post(self, request: Request, slug: str) -> Response:
        """Have it computed: with `mix`, `workers` and `tasks` by a crowd as you state it, else by
        the answers that there are. `wanted` is how sure a task has to be to stop."""
        campaign = managed_campaign(request.user, slug)
        given = sent(request, PlanBodySerializer)
        form = forecast_form(campaign, {k: v for k, v in given.items() if v is not None})
        if not form.is_valid():
            raise refuse(form)
        parameters = form.parameters() if form.fields else {}
        return asked(KIND, parameters, campaign=campaign, user=request.user)


class ServedMethodSerializer(serializers.Serializer):
    method = serializers.CharField(
        max_length=100, allow_blank=True, help_text="Empty: whichever has run last."
    )


class ServedMethodView(APIView):
    @extend_schema(
        operation_id="campaign_serve_method",
        request=ServedMethodSerializer,
        responses={200: ServedMethodSerializer} | REFUSALS,
    )
    def put(self, request: Request, slug: str) -> Response:
        """Whose labels pages, files, the queue and rules read from now on."""
        campaign = managed_campaign(request.user, slug)
        method = sent(request, ServedMethodSerializer)["method"]
        try:
            serve(campaign, method, user=request.user)
        except CannotServe as error:
            raise serializers.ValidationError({"method": [str(error)]}) from error
        return Response({"method": method})


class PinnedSerializer(serializers.Serializer):
    pinned = serializers.BooleanField()


class PinView(APIView):
    @extend_schema(
        operation_id="run_pin",
        request=PinnedSerializer,
        responses={200: shapes.RunSerializer} | CONFLICT | REFUSALS,
    )
    def put(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """Keep a run, or no longer than the others. 409: it is being deleted."""
        campaign = managed_campaign(request.user, slug)
        found = get_object_or_404(AggregationRun, campaign=campaign, key=key)
        keep = sent(request, PinnedSerializer)["pinned"]
        if not (pin if keep else unpin)(found, user=request.user):
            return conflict(ValueError("The run is being deleted, and can't be pinned any more."))
        return Response(shapes.RunSerializer(found).data)


class OrderSerializer(serializers.Serializer):
    verb = serializers.ChoiceField(sorted(orders.VERBS))
    tasks = serializers.ListField(
        child=serializers.CharField(max_length=200), min_length=1, max_length=MOST_TICKED
    )


class OrderedSerializer(serializers.Serializer):
    changed = serializers.IntegerField()


class OrderTasksView(APIView):
    @extend_schema(
        operation_id="tasks_order",
        request=OrderSerializer,
        responses={200: OrderedSerializer} | CONFLICT | REFUSALS,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Ask for one answer `more` in tasks, give them out `first` or as `usual`, or `stop`."""
        campaign = managed_campaign(request.user, slug)
        given = sent(request, OrderSerializer)
        try:
            order = orders.foresee(campaign, given["tasks"], given["verb"])
        except orders.CannotOrder as error:
            return conflict(error)
        if not order.tasks:
            raise serializers.ValidationError({"tasks": ["None of them is a task to order."]})
        return Response(
            {"changed": orders.order_tasks(campaign, order, given["verb"], user=request.user)}
        )


class KnownSerializer(serializers.Serializer):
    task = serializers.CharField(max_length=200)
    verb = serializers.ChoiceField(("correct", "retire", "restore"))
    answer = serializers.JSONField(required=False, help_text="To correct it, as `gold/` shows it.")
    explanation = serializers.CharField(max_length=2_000, required=False, allow_blank=True)
    tolerance = serializers.IntegerField(min_value=0, max_value=100, required=False)
    reason = serializers.CharField(max_length=1_000, required=False, help_text="To retire it.")


class RescoredSerializer(serializers.Serializer):
    answers = serializers.IntegerField(help_text="That were scored anew.")
    changed = serializers.IntegerField(help_text="Of which the score is another one now.")
    workers = serializers.IntegerField()


class GoldQuestionView(APIView):
    @extend_schema(
        operation_id="gold_change",
        request=KnownSerializer,
        responses={200: RescoredSerializer} | CONFLICT | REFUSALS,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Correct a known answer, retire its question with a reason, or restore it; whoever has
        answered it is scored anew."""
        campaign = managed_campaign(request.user, slug)
        given = sent(request, KnownSerializer)
        name = given["task"]
        question = None if "\0" in name else gold_question(campaign, name)
        if question is None:
            raise Http404
        try:
            done = _GOLD[given["verb"]](question, given, request.user)
        except AnswerError as error:
            raise serializers.ValidationError(
                {f"answer.{one.path}".rstrip("."): [str(one)] for one in error.problems}
            ) from error
        except gold_actions.GoldRefused as error:
            return conflict(error)
        return Response(RescoredSerializer(done).data)


def _correct(question: GoldQuestion, given: dict[str, Any], user: Any) -> gold_actions.Rescored:
    return gold_actions.correct_gold(
        question, given.get("answer", question.answer), explanation=given.get("explanation"),
        tolerance=given.get("tolerance"), user=user,
    )  # fmt: skip


_GOLD: dict[str, Callable[[GoldQuestion, dict[str, Any], Any], gold_actions.Rescored]] = {
    "correct": _correct,
    "retire": lambda question, given, user: gold_actions.retire_gold(
        question, given.get("reason", ""), user=user
    ),
    "restore": lambda question, given, user: gold_actions.restore_gold(question, user=user),
}
