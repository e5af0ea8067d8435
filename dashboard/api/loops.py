"""Labelling loops over HTTP: set up, changed, moved on, and what their rounds came to."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.actions.campaigns import NotReady, WrongState, spent_together
from annotation.actions.jobs import enqueue
from dashboard.access import managed_project, visible_project
from dashboard.api.bodies import changed_form, filled, refuse, serializer_of
from dashboard.api.lists import REFUSALS, chosen, listing, page
from dashboard.api.projects import ASKED, CONFLICT, asked, conflict
from dashboard.api.shapes import ChangedSerializer
from dashboard.forms import in_units
from dashboard.loops.forms import ChangeForm, NewLoopForm
from dashboard.loops.views import MOVES, find_loop, refuse_loop
from selection.actions.loops.life import CannotLoop, change_loop, create_loop
from selection.models import LabellingLoop, LoopItem


class LoopSerializer(serializers.Serializer):
    key = serializers.UUIDField()
    name = serializers.CharField()
    state = serializers.CharField()
    ended_by = serializers.CharField(help_text="The condition that has ended it, or empty.")
    problem = serializers.CharField(help_text="Why it does not go on, or empty.")
    campaign = serializers.CharField(source="campaign.slug")
    picker = serializers.CharField()
    batch_size = serializers.IntegerField()
    learner = serializers.CharField()
    evaluation = serializers.CharField()
    metric = serializers.CharField()
    goal = serializers.FloatField(allow_null=True)
    least_gain = serializers.FloatField(allow_null=True)
    most_changed = serializers.FloatField(allow_null=True)
    deadline = serializers.DateTimeField(allow_null=True)
    suggests = serializers.BooleanField()
    budget_mills = serializers.IntegerField(source="budget.mills")


class WholeLoopSerializer(LoopSerializer):
    spent_mills = serializers.IntegerField(help_text="By all campaigns of the loop.")


class LoopRoundSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    step = serializers.CharField()
    picker = serializers.CharField()
    campaign = serializers.CharField(source="campaign.slug")
    picked = serializers.IntegerField()
    picked_at = serializers.DateTimeField()
    metric = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


class PickedSerializer(serializers.Serializer):
    rank = serializers.IntegerField(allow_null=True)
    document = serializers.CharField(source="external_id")
    uncertainty = serializers.FloatField(allow_null=True)


class LoopsView(APIView):
    @listing(LoopSerializer, "Loops", state="running, paused, finished or stopped.")
    def get(self, request: Request, slug: str) -> Response:
        """The labelling loops of a project, the newest first."""
        project, _ = visible_project(request.user, slug)
        kind = {"state": serializers.ChoiceField(LabellingLoop.State.choices, required=False)}
        rows = LabellingLoop.objects.filter(project=project, **chosen(request, kind))
        related = rows.select_related("campaign", "budget")
        return page(request, related, LoopSerializer, name="key", newest_first=True)

    @extend_schema(
        operation_id="loops_create",
        request=serializer_of(NewLoopForm),
        responses={201: LoopSerializer} | REFUSALS,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Set one up over a draft without tasks. It picks its first documents by a job."""
        project = managed_project(request.user, slug)
        form = filled(request, NewLoopForm, project)
        told = dict(form.cleaned_data)
        try:
            made = create_loop(project, name=told["campaign"].name, user=request.user, **told)
        except CannotLoop as error:
            refuse_loop(form, error)
            raise refuse(form) from error
        enqueue("advance_loops", {"loop": str(made.key)}, project=project, user=request.user)
        return Response(LoopSerializer(made).data, status=201)


class LoopView(APIView):
    @extend_schema(operation_id="loop_retrieve", responses={200: WholeLoopSerializer} | REFUSALS)
    def get(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """A loop, and what it has spent."""
        project, _ = visible_project(request.user, slug)
        found = find_loop(project, key)
        told: dict[str, Any] = LoopSerializer(found).data
        return Response(told | {"spent_mills": spent_together(found.budget)})

    @extend_schema(
        operation_id="loop_change",
        request=serializer_of(ChangeForm, partial=True),
        responses={200: ChangedSerializer} | REFUSALS,
    )
    def patch(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """Change what is sent, from the next round on; `budget_mills` is in units of the currency
        when it is sent, as on the page."""
        found = find_loop(managed_project(request.user, slug), key)
        now = {**ChangeForm(found).initial, "budget_mills": in_units(found.budget.mills)}
        form = changed_form(request, ChangeForm, now, found)
        try:
            changed = change_loop(found, user=request.user, **form.changes())
        except CannotLoop as error:
            refuse_loop(form, error)
            raise refuse(form) from error
        return Response({"changed": changed})


class LoopStateView(APIView):
    @extend_schema(
        operation_id="loop_change_state",
        request=None,
        responses={200: LoopSerializer} | CONFLICT | REFUSALS,
    )
    def post(self, request: Request, slug: str, key: uuid.UUID, verb: str) -> Response:
        """`pause`, `resume` or `stop`; what is stopped never goes on, and keeps what it has."""
        found = find_loop(managed_project(request.user, slug), key)
        try:
            MOVES[verb][0](found, user=request.user)
        except (CannotLoop, WrongState, NotReady) as error:
            return conflict(error)
        found.refresh_from_db()
        return Response(LoopSerializer(found).data)


class AdvanceLoopView(APIView):
    @extend_schema(operation_id="loop_advance", request=None, responses=ASKED)
    def post(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """Move it on now, by a job; the night does so in any case."""
        project = managed_project(request.user, slug)
        told = {"loop": str(find_loop(project, key).key)}
        return asked("advance_loops", told, project=project, user=request.user)


class LoopRoundsView(APIView):
    @listing(LoopRoundSerializer, "LoopRounds")
    def get(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """The rounds of a loop, by their numbers."""
        project, _ = visible_project(request.user, slug)
        rows = find_loop(project, key).rounds.defer("decisions").select_related("campaign")
        return page(request, rows, LoopRoundSerializer, name="number", kind=int)


class PickedView(APIView):
    @listing(PickedSerializer, "Picked")
    def get(self, request: Request, slug: str, key: uuid.UUID, number: int) -> Response:
        """What a round has picked, by the documents' ids, without the random sample."""
        project, _ = visible_project(request.user, slug)
        rows = LoopItem.objects.filter(
            loop=find_loop(project, key), round__number=number, use=LoopItem.Use.TRAINING
        )
        return page(request, rows, PickedSerializer, name="external_id")
