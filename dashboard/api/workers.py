"""What a manager decides about one worker's answers, flags and requests, over HTTP."""

from __future__ import annotations

import uuid
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.actions import appeals, rejections
from annotation.models import Appeal, Assignment, Campaign, Enrollment, Rejection
from annotation.queries.worker_names import worker_name
from dashboard.access import managed_campaign
from dashboard.api.bodies import filled, serializer_of
from dashboard.api.lists import REFUSALS, chosen, listing, page
from dashboard.api.projects import CONFLICT, conflict
from dashboard.campaigns.forms import AppealForm, RejectForm
from selection.actions.flags import dismiss_flag
from selection.models import WorkerFlag

TOO_LATE = (rejections.CannotReject, appeals.CannotAppeal, appeals.AnsweredAlready)


class GivenAnswerSerializer(serializers.Serializer):
    key = serializers.UUIDField(help_text="By which it is rejected.")
    task = serializers.CharField(source="task.external_id")
    submitted_at = serializers.DateTimeField(allow_null=True)
    rejected = serializers.SerializerMethodField(help_text="The reason; empty: it is not.")

    def get_rejected(self, row: Assignment) -> str:
        rejection = getattr(row, "rejection", None)
        return str(rejection.reason) if rejection and rejection.overturned_at is None else ""


class RejectionSerializer(serializers.Serializer):
    key = serializers.UUIDField(source="assignment.key")
    reason = serializers.CharField()
    overturned_at = serializers.DateTimeField(allow_null=True)


class RequestSerializer(serializers.Serializer):
    key = serializers.UUIDField()
    worker = serializers.UUIDField(source="enrollment.key")
    name = serializers.SerializerMethodField()
    about = serializers.CharField(source="reason", help_text="The reason that they were given.")
    task = serializers.CharField(
        source="rejection.assignment.task.external_id", allow_null=True, default=None,
        help_text="Whose answer was rejected; null: it is about a pause.",
    )  # fmt: skip
    text = serializers.CharField()
    created_at = serializers.DateTimeField()
    granted = serializers.BooleanField(allow_null=True, help_text="Null: it waits.")
    answer = serializers.CharField(source="reply")
    answered_at = serializers.DateTimeField(allow_null=True)

    def get_name(self, row: Appeal) -> str:
        return worker_name(row.enrollment, with_ids=True)


class WorkerAnswersView(APIView):
    @listing(GivenAnswerSerializer, "Answers")
    def get(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """What a worker has handed in, the newest first. To managers alone."""
        campaign = managed_campaign(request.user, slug)
        rows = _answers(campaign, key).select_related("task", "rejection")
        return page(request, rows, GivenAnswerSerializer, name="key", newest_first=True)


class RejectView(APIView):
    @extend_schema(
        operation_id="answer_reject",
        request=serializer_of(RejectForm),
        responses={200: RejectionSerializer} | CONFLICT | REFUSALS,
    )
    def post(self, request: Request, slug: str, key: uuid.UUID, answer: uuid.UUID) -> Response:
        """Pay nothing for an answer, with a reason that the worker reads: 409 where it was paid."""
        given = get_object_or_404(_answers(managed_campaign(request.user, slug), key), key=answer)
        reason = filled(request, RejectForm).cleaned_data["reason"]
        try:
            rejections.reject(given, reason, user=request.user)
        except TOO_LATE as error:
            return conflict(error)
        return Response(RejectionSerializer(Rejection.objects.get(assignment=given)).data)

    @extend_schema(
        operation_id="answer_take_back",
        responses={200: RejectionSerializer} | CONFLICT | REFUSALS,
    )
    def delete(self, request: Request, slug: str, key: uuid.UUID, answer: uuid.UUID) -> Response:
        """Take a rejection back: the answer is paid."""
        given = get_object_or_404(_answers(managed_campaign(request.user, slug), key), key=answer)
        rejection = Rejection.objects.filter(assignment=given).first()
        if rejection is None:
            return conflict(ValueError("The answer is not rejected."))
        rejection.assignment = given
        try:
            appeals.take_back(rejection, user=request.user)
        except TOO_LATE as error:
            return conflict(error)
        rejection.refresh_from_db()
        return Response(RejectionSerializer(rejection).data)


class FlagView(APIView):
    @extend_schema(operation_id="flag_dismiss", responses={204: None} | REFUSALS)
    def delete(self, request: Request, slug: str, key: uuid.UUID, kind: str) -> Response:
        """Dismiss a flag: it stays down."""
        campaign = managed_campaign(request.user, slug)
        rows = WorkerFlag.objects.filter(enrollment__campaign=campaign, enrollment__key=key)
        flag = get_object_or_404(rows.select_related("enrollment__campaign__project"), kind=kind)
        dismiss_flag(flag, user=request.user)
        return Response(status=204)


class RequestsView(APIView):
    @listing(RequestSerializer, "Requests", open="Those that wait: true, or answered: false.")
    def get(self, request: Request, slug: str) -> Response:
        """What workers ask to be looked at again, the newest first. To managers alone."""
        campaign = managed_campaign(request.user, slug)
        kind = {"open": serializers.BooleanField(required=False, default=None, allow_null=True)}
        wanted = chosen(request, kind)["open"]
        rows = Appeal.objects.filter(enrollment__campaign=campaign)
        if wanted is not None:
            rows = rows.filter(answered_at__isnull=wanted)
        rows = rows.select_related("enrollment__worker", "rejection__assignment__task")
        return page(request, rows, RequestSerializer, name="key", newest_first=True)


class RequestView(APIView):
    @extend_schema(
        operation_id="request_answer",
        request=serializer_of(AppealForm),
        responses={200: RequestSerializer} | CONFLICT | REFUSALS,
    )
    def post(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        """Grant a request, or let it `stay`, with an answer that the worker reads."""
        campaign = managed_campaign(request.user, slug)
        asked = get_object_or_404(Appeal, key=key, enrollment__campaign=campaign)
        given = filled(request, AppealForm).cleaned_data
        try:
            appeals.answer(asked, given["verb"] == "grant", given["answer"], user=request.user)
        except TOO_LATE as error:
            return conflict(error)
        rows = Appeal.objects.select_related("enrollment__worker", "rejection__assignment__task")
        return Response(RequestSerializer(rows.get(pk=asked.pk)).data)


def _answers(campaign: Campaign, worker: uuid.UUID) -> Any:
    """404 where the worker is none of the campaign's."""
    enrollment = get_object_or_404(Enrollment, campaign=campaign, key=worker)
    rows = Assignment.objects.filter(enrollment=enrollment, response__isnull=False)
    return rows.select_related("enrollment")
