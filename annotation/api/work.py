"""What a worker does, over HTTP: join, next, draft, submit, give back, events."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView

from annotation import queries
from annotation.actions import assignments, tokens, workers
from annotation.api import serializers
from annotation.api.authentication import IsWorker, WorkerTokenAuthentication

REFUSALS = dict.fromkeys((400, 401, 403, 404, 409), serializers.ErrorSerializer)


class JoinView(APIView):
    """Turn a campaign's link into a worker's token. No account is needed."""

    authentication_classes: list = []
    permission_classes: list = []
    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "join"

    @extend_schema(
        request=serializers.JoinSerializer,
        responses={200: serializers.JoinedSerializer} | REFUSALS,
    )
    def post(self, request: Request) -> Response:
        body = _clean(serializers.JoinSerializer, request)
        link = tokens.read_link(body["link"])
        enrollment = workers.join(link, body.get("device"))
        return Response(
            {
                "token": tokens.worker_token(enrollment),
                "campaign": queries.campaign_for_worker(enrollment.campaign),
            }
        )


class WorkerView(APIView):
    authentication_classes = [WorkerTokenAuthentication]
    permission_classes = [IsWorker]


class NextView(WorkerView):
    @extend_schema(
        request=serializers.ClaimSerializer,
        responses={200: serializers.NextSerializer} | REFUSALS,
    )
    def post(self, request: Request) -> Response:
        """The task that you hold, or the next one; asked twice, the same."""
        body = _clean(serializers.ClaimSerializer, request)
        following = assignments.claim_next(request.user.enrollment_key, task=body.get("task"))
        return Response(queries.next_page(following))


class DraftView(WorkerView):
    @extend_schema(
        request=serializers.DraftSerializer,
        responses={200: serializers.SavedSerializer} | REFUSALS,
    )
    def put(self, request: Request, key: UUID) -> Response:
        """Keep the unfinished answer on the server; renews the lease."""
        body = _clean(serializers.DraftSerializer, request)
        expires_at = assignments.save_draft(request.user.enrollment_key, key, body["answer"])
        return Response({"expires_at": expires_at})


class SubmitView(WorkerView):
    @extend_schema(
        request=serializers.SubmitSerializer,
        responses={200: serializers.SubmittedSerializer} | REFUSALS,
    )
    def post(self, request: Request, key: UUID) -> Response:
        """Hand in the answer, once; the reply holds the next task. Safe to send again."""
        body = _clean(serializers.SubmitSerializer, request)
        result = assignments.submit(
            request.user.enrollment_key, key, body["answer"], body["seconds"]
        )
        return Response(
            {
                "duplicate": result.duplicate,
                "counted": result.counted,
                "paid": result.paid,
                "training_score": result.training_score,
                "next": queries.next_page(result.next),
            }
        )


class ReturnView(WorkerView):
    @extend_schema(request=serializers.ReturnSerializer, responses={204: None} | REFUSALS)
    def post(self, request: Request, key: UUID) -> Response:
        """Give the task back unanswered, with the reason; it is not offered to you again."""
        body = _clean(serializers.ReturnSerializer, request)
        assignments.return_task(
            request.user.enrollment_key, key, body["reason"], skip=not body["broken"]
        )
        return Response(status=204)


class EventsView(WorkerView):
    @extend_schema(
        request=serializers.EventsSerializer,
        responses={200: serializers.KeptSerializer} | REFUSALS,
    )
    def post(self, request: Request, key: UUID) -> Response:
        """Keep a batch of steps on the page; renews the lease. Safe to send again."""
        body = _clean(serializers.EventsSerializer, request)
        kept = assignments.log_events(request.user.enrollment_key, key, body["events"])
        return Response({"kept": kept})


def _clean(serializer: type, request: Request) -> dict[str, Any]:
    read = serializer(data=request.data)
    read.is_valid(raise_exception=True)
    return read.validated_data
