"""What becomes of a campaign, over HTTP: tasks, workers, gold, runs and decisions."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from aggregation.actions import decisions
from aggregation.models import AggregationRun
from aggregation.queries.runs import latest_run
from annotation.actions import appeals, workers
from annotation.api.serializers import ErrorSerializer
from annotation.models import Campaign, Demand, Enrollment, GoldQuestion, Task
from annotation.queries.worker_names import worker_name
from dashboard.access import Permissions, managed_campaign, visible_campaign
from dashboard.api import shapes
from dashboard.api.bodies import refuse, sent, serializer_of
from dashboard.api.lists import REFUSALS, chosen, listing, page
from dashboard.api.projects import conflict
from dashboard.campaigns.forms import StateForm
from dashboard.review.deciding import decide_at
from dashboard.review.queries import Review, review
from dashboard.review.queue import queue
from dashboard.review.views import CHANGED, tasks_to_review
from dashboard.workers.answers import enrollment_of
from selection.actions.states import OUT

CONFLICT = {409: ErrorSerializer}


class TasksView(APIView):
    @listing(shapes.TaskSerializer, "Tasks", complete="Those that have all answers: true or false.")
    def get(self, request: Request, slug: str) -> Response:
        """The tasks of a campaign that are no gold questions, by their ids."""
        campaign, _ = visible_campaign(request.user, slug)
        kind = {"complete": serializers.BooleanField(required=False, default=None, allow_null=True)}
        wanted = chosen(request, kind)["complete"]
        rows = Task.objects.filter(campaign=campaign, demand__kind=Demand.Kind.PLAIN)
        if wanted is not None:
            rows = rows.filter(demand__open=0, demand__leased=0) if wanted else rows.exclude(
                demand__open=0, demand__leased=0
            )  # fmt: skip
        rows = rows.select_related("demand", "document").only(
            "external_id", "document__external_id", "demand__wanted", "demand__received"
        )
        return page(request, rows, shapes.TaskSerializer, name="external_id")


class WorkersView(APIView):
    @listing(shapes.WorkerSerializer, "Workers", state="Those in one state, such as paused.")
    def get(self, request: Request, slug: str) -> Response:
        """The workers of a campaign, the newest first."""
        campaign, permissions = visible_campaign(request.user, slug)
        kind = {"state": serializers.ChoiceField(Enrollment.State.choices, required=False)}
        rows = Enrollment.objects.filter(campaign=campaign, **chosen(request, kind))
        told = lambda found: [_worker(row, permissions) for row in found]  # noqa: E731
        return page(request, rows.select_related("worker"), told, name="key", newest_first=True)


def _worker(row: Enrollment, permissions: Permissions) -> dict[str, Any]:
    name = worker_name(row, with_ids=permissions.sees_earnings)
    return {
        "key": row.key, "name": name, "state": row.state, "submitted": row.submitted,
        "skipped": row.skipped, "joined_at": row.joined_at,
    }  # fmt: skip


class WorkerStateView(APIView):
    @extend_schema(
        operation_id="worker_change_state",
        request=serializer_of(StateForm),
        responses={200: shapes.WorkerSerializer} | CONFLICT | REFUSALS,
    )
    def post(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """Pause or block a worker, with a reason that they read, or let them back in (`admit`)."""
        campaign = managed_campaign(request.user, slug)
        enrollment = enrollment_of(campaign, key)
        if enrollment is None:
            raise Http404
        form = StateForm(sent(request, serializer_of(StateForm)))
        if not form.is_valid():
            raise refuse(form)
        verb, reason = form.cleaned_data["verb"], form.cleaned_data["reason"]
        try:
            if verb == "admit":
                appeals.let_in(enrollment, reason, user=request.user)
            else:
                workers.set_state(enrollment, OUT[verb], reason, user=request.user)
        except (appeals.CannotAppeal, appeals.AnsweredAlready) as error:
            return conflict(error)
        enrollment.refresh_from_db()
        return Response(_worker(enrollment, Permissions("manager")))


class GoldView(APIView):
    @listing(shapes.GoldSerializer, "Gold")
    def get(self, request: Request, slug: str) -> Response:
        """The gold questions of a campaign with their answers, by their tasks' ids. To managers and
        reviewers alone."""
        campaign = reviewed_campaign(request, slug)[0]
        rows = GoldQuestion.objects.filter(task__campaign=campaign).select_related("task__demand")
        return page(request, rows, shapes.GoldSerializer, name="task__external_id")


class RunsView(APIView):
    @listing(shapes.RunSerializer, "Runs")
    def get(self, request: Request, slug: str) -> Response:
        """The runs that made a consensus, the newest first."""
        campaign, _ = visible_campaign(request.user, slug)
        rows = AggregationRun.objects.filter(campaign=campaign)
        return page(request, rows, shapes.RunSerializer, name="key", newest_first=True)


class QueueSerializer(serializers.Serializer):
    results = shapes.WaitingSerializer(many=True)


class DecisionSerializer(serializers.Serializer):
    task = serializers.CharField(max_length=200)
    version = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    at = serializers.CharField(max_length=40, allow_blank=True, default="")
    choice = serializers.CharField(max_length=64)
    gold = serializers.BooleanField(default=False, help_text="Make a gold question of it.")


class DecidedSerializer(serializers.Serializer):
    version = serializers.IntegerField()
    is_complete = serializers.BooleanField()
    next = serializers.CharField(help_text="The next place that is open; empty: there is none.")
    gold = serializers.CharField(allow_null=True, help_text="The question that was made of it.")


class ReviewQueueView(APIView):
    @extend_schema(operation_id="review_queue", responses={200: QueueSerializer} | REFUSALS)
    def get(self, request: Request, slug: str) -> Response:
        """The tasks that a person should decide, those first of which a decision is worth most."""
        campaign, _ = reviewed_campaign(request, slug)
        return Response(QueueSerializer({"results": queue(campaign, latest_run(campaign))}).data)

    @extend_schema(
        operation_id="review_decide",
        request=DecisionSerializer,
        responses={200: DecidedSerializer} | CONFLICT | REFUSALS,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Decide for one of the candidates of a place. 409 where somebody else was faster, or
        answers have come in since it was read; nothing is stored then."""
        campaign, _ = reviewed_campaign(request, slug)
        given = sent(request, DecisionSerializer)
        task = get_object_or_404(tasks_to_review(campaign), external_id=given.pop("task"))
        try:
            decided = decide_at(campaign, task, user=request.user, **given)
        except decisions.CannotDecide as error:
            return conflict(error)
        if decided is None:
            return Response({"detail": CHANGED, "errors": []}, status=409)
        told = {
            "version": decided.row.version, "is_complete": decided.row.is_complete,
            "next": decided.following, "gold": decided.gold and decided.gold.external_id,
        }  # fmt: skip
        return Response(told)


class ReviewView(APIView):
    @extend_schema(
        operation_id="review_retrieve",
        parameters=[OpenApiParameter("task", str, required=True)],
        responses={200: shapes.ReviewSerializer} | REFUSALS,
    )
    def get(self, request: Request, slug: str) -> Response:
        """What can be decided in a task: its places, and the candidates of each."""
        campaign, permissions = reviewed_campaign(request, slug)
        kind = {"task": serializers.CharField(max_length=200, trim_whitespace=False)}
        name, run = chosen(request, kind)["task"], latest_run(campaign)
        task = get_object_or_404(tasks_to_review(campaign), external_id=name)
        with_ids = permissions.can_manage
        found = review(campaign, run, task, with_ids=with_ids) if run else None
        if found is None:
            raise Http404
        return Response(shapes.ReviewSerializer(_told(found)).data)


def _told(found: Review) -> dict[str, Any]:
    return {
        "task": found.task.external_id, "version": found.version, "answers": found.answers,
        "places": found.disputes,
    }  # fmt: skip


def reviewed_campaign(request: Request, slug: str) -> tuple[Campaign, Permissions]:
    """Of who may see gold."""
    campaign, permissions = visible_campaign(request.user, slug)
    if not permissions.sees_gold:
        raise Http404
    return campaign, permissions
