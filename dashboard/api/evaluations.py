"""Evaluation periods over HTTP: set up, changed, planned, scored and released."""

from __future__ import annotations

import uuid
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from dashboard.access import managed_project, visible_project
from dashboard.api.bodies import changed_form, filled, refuse, serializer_of
from dashboard.api.lists import REFUSALS, chosen, listing, page
from dashboard.api.projects import ASKED, asked
from dashboard.api.shapes import ChangedSerializer
from dashboard.api.submissions import SubmissionSerializer, submission_told
from dashboard.systems.forms import PeriodForm, PlanForm, WindowForm
from dashboard.systems.queries import plans_of, progress_of, state_of
from dashboard.systems.recall import sample_of
from dashboard.systems.recall_forms import LinksForm, RecallForm
from dashboard.systems.views import CHANGED
from dashboard.systems.views import period_of as find_period
from dashboard.systems.views import refuse as refuse_field
from evaluation.actions.periods import (
    CannotEvaluate,
    change_period,
    create_period,
    release_labels,
)
from evaluation.actions.plans import CannotPlan, start_plan
from evaluation.actions.recall_requests import CannotSample, start_links, start_recall
from evaluation.actions.submissions import EVALUATE, FORECAST
from evaluation.models import EvaluationPeriod, Submission


class PeriodSerializer(serializers.Serializer):
    key = serializers.UUIDField()
    name = serializers.CharField()
    state = serializers.SerializerMethodField(help_text="In words, as the page says it.")
    opens_at = serializers.DateTimeField()
    closes_at = serializers.DateTimeField(allow_null=True)
    campaign = serializers.CharField(
        source="campaign.slug", allow_null=True, default=None,
        help_text="In which claims are verified.",
    )  # fmt: skip
    metrics = serializers.ListField(child=serializers.CharField())
    match = serializers.CharField()
    is_public = serializers.BooleanField()
    labels_released_at = serializers.DateTimeField(allow_null=True)

    def get_state(self, row: EvaluationPeriod) -> str:
        return state_of(row, timezone.now())[0]


class JudgedSerializer(serializers.Serializer):
    tasks = serializers.IntegerField()
    complete = serializers.IntegerField()


class PlanSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    metrics = serializers.CharField()
    half_width = serializers.FloatField()


class WholePeriodSerializer(PeriodSerializer):
    """`forecast` is empty before it was computed: ask for it at `forecast/`."""

    progress = JudgedSerializer(help_text="Of the tasks in which claims are verified.")
    plans = PlanSerializer(many=True)
    forecast = serializers.JSONField()


class PeriodsView(APIView):
    @listing(PeriodSerializer, "Periods")
    def get(self, request: Request, slug: str) -> Response:
        """The evaluation periods of a project, the newest first."""
        project, _ = visible_project(request.user, slug)
        rows = EvaluationPeriod.objects.filter(project=project).select_related("campaign")
        return page(request, rows, PeriodSerializer, name="key", newest_first=True)

    @extend_schema(
        operation_id="periods_create",
        request=serializer_of(PeriodForm),
        responses={201: PeriodSerializer} | REFUSALS,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Set one up. `imports` are the keys of those whose documents make its corpus: all that
        the project has, if none is named."""
        project = managed_project(request.user, slug)
        form = filled(request, PeriodForm, project)
        try:
            made = create_period(project, user=request.user, **form.cleaned_data)
        except CannotEvaluate as error:
            raise _refused(form, error) from error
        return Response(PeriodSerializer(made).data, status=201)


class PeriodView(APIView):
    @extend_schema(
        operation_id="period_retrieve", responses={200: WholePeriodSerializer} | REFUSALS
    )
    def get(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """A period, how far its claims are judged, its plans and its forecast."""
        project, _ = visible_project(request.user, slug)
        return Response(_whole(find_period(project, key)))

    @extend_schema(
        operation_id="period_change",
        request=serializer_of(WindowForm, partial=True),
        responses={200: ChangedSerializer} | REFUSALS,
    )
    def patch(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """Change what is sent, and nothing else."""
        period = _managed(request, slug, key)
        before = {name: getattr(period, name) for name in CHANGED}
        now = before | {"campaign": period.campaign and period.campaign.slug}
        form = changed_form(request, WindowForm, now, period.project)
        try:
            change_period(period, user=request.user, **form.cleaned_data)
        except CannotEvaluate as error:
            raise _refused(form, error) from error
        changed = [name for name in CHANGED if getattr(period, name) != before[name]]
        return Response({"changed": changed})


class PeriodJobView(APIView):
    @extend_schema(operation_id="period_start_job", request=None, responses=ASKED)
    def post(self, request: Request, slug: str, key: uuid.UUID, act: str) -> Response:
        """`score` has all systems scored, `forecast` what more labels would tell and cost."""
        period = _managed(request, slug, key)
        kind = EVALUATE if act == "score" else FORECAST
        told = {"period": str(period.key)}
        return asked(kind, told, project=period.project, user=request.user)


class ReleaseView(APIView):
    @extend_schema(
        operation_id="period_release", request=None, responses={200: PeriodSerializer} | REFUSALS
    )
    def post(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """Teams may download what was judged, from now on for good."""
        period = _managed(request, slug, key)
        release_labels(period, user=request.user)
        return Response(PeriodSerializer(period).data)


class PlansView(APIView):
    @extend_schema(
        operation_id="period_plan",
        request=serializer_of(PlanForm),
        responses={201: WholePeriodSerializer} | REFUSALS,
    )
    def post(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """Draw claims until systems are told apart so closely, and make their tasks. `metrics` and
        `width` are among those of the forecast's curves."""
        period = _managed(request, slug, key)
        form = filled(request, PlanForm, period)
        told = form.cleaned_data
        try:
            start_plan(
                period, metrics=told["metrics"], width=told["width"],
                is_conservative=told["case"] == "most", user=request.user,
            )  # fmt: skip
        except CannotPlan as error:
            raise _refused(form, error) from error
        return Response(_whole(period), status=201)


class RecallView(APIView):
    @extend_schema(operation_id="period_recall", request=serializer_of(RecallForm), responses=ASKED)
    def post(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """Have documents annotated in full, by a job that makes the tasks. What is paid is asked
        the first time alone."""
        period = _managed(request, slug, key)
        sample = sample_of(period)
        offered = RecallForm.first(period, sample)
        form = changed_form(request, RecallForm, offered, period, sample)
        try:
            job = start_recall(period, user=request.user, **form.asked())
        except CannotSample as error:
            raise _refused(form, error) from error
        return Response({"job": job.key}, status=202)


class RecallLinksView(APIView):
    @extend_schema(
        operation_id="period_recall_links", request=serializer_of(LinksForm), responses=ASKED
    )
    def post(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """Ask who is who of the names without a link, by a job that makes the tasks."""
        period = _managed(request, slug, key)
        form = filled(request, LinksForm, period)
        try:
            job = start_links(period, user=request.user, **form.asked())
        except CannotSample as error:
            raise _refused(form, error) from error
        return Response({"job": job.key}, status=202)


class PeriodSubmissionsView(APIView):
    @listing(
        SubmissionSerializer, "PeriodSubmissions", state="received, valid or refused.",
        system="Those of one system.",
    )  # fmt: skip
    def get(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """What teams have submitted, the newest first. Scores stand at `evaluations/KEY/`."""
        project, _ = visible_project(request.user, slug)
        wanted = chosen(
            request,
            {
                "state": serializers.ChoiceField(Submission.State.choices, required=False),
                "system": serializers.CharField(
                    max_length=100, required=False, source="system__name"
                ),
            },
        )
        rows = Submission.objects.filter(period=find_period(project, key), **wanted)
        told = lambda found: [submission_told(row) for row in found]  # noqa: E731
        return page(request, rows.select_related("system"), told, name="key", newest_first=True)


def _managed(request: Request, slug: str, key: uuid.UUID) -> EvaluationPeriod:
    return find_period(managed_project(request.user, slug), key)


def _refused(form: Any, error: Any) -> serializers.ValidationError:
    refuse_field(form, error)
    return refuse(form)


def _whole(period: EvaluationPeriod) -> dict[str, Any]:
    told: dict[str, Any] = PeriodSerializer(period).data
    plans = PlanSerializer(plans_of(period), many=True).data
    progress = JudgedSerializer(progress_of(period)).data
    return told | {"progress": progress, "plans": plans, "forecast": period.forecast}
