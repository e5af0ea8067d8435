"""What a worker does, over HTTP: join, agree, next, draft, submit, give back, search, their rights.

Replies are compressed. They hold nothing that somebody else could have put there to guess at the
rest by its length (BREACH): a token is only in the reply to joining, whose body comes from a link
that was signed here.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils import translation
from django.utils.decorators import method_decorator
from django.utils.translation import get_language_from_request
from django.views.decorators.gzip import gzip_page
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.actions import appeals, assignments, consent, feedback, recovery, tokens, workers
from annotation.api import events, serializers
from annotation.api.authentication import IsWorker, WorkerTokenAuthentication
from annotation.api.submissions import usual_submission
from annotation.api.throttles import (
    EnrollRateThrottle,
    JoinRateThrottle,
    PhraseRateThrottle,
    TooManyNewWorkers,
    WorkerRateThrottle,
)
from annotation.queries import first_page, history, search, work
from annotation.sentences.workers import written
from annotation.text import markdown

REFUSALS = dict.fromkeys((400, 401, 403, 404, 409, 429), serializers.ErrorSerializer)


class InWorkersLanguage(APIView):
    """What it says is in the language of the page that asks."""

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        with translation.override(get_language_from_request(request)):
            return super().dispatch(request, *args, **kwargs)


@method_decorator(gzip_page, name="dispatch")
class JoinView(InWorkersLanguage):
    """Turn a campaign's link into a worker's token. No account is needed."""

    authentication_classes: list = []
    permission_classes: list = []
    throttle_classes = [JoinRateThrottle, PhraseRateThrottle]

    @extend_schema(
        request=serializers.JoinSerializer,
        responses={200: serializers.JoinedSerializer} | REFUSALS,
    )
    def post(self, request: Request) -> Response:
        body = _clean(serializers.JoinSerializer, request)
        link = tokens.read_link(body["link"])

        def count_new() -> None:
            throttle = EnrollRateThrottle()
            if not throttle.allow_request(request, self):
                raise TooManyNewWorkers(throttle.wait())

        enrollment = workers.join(
            link, body.get("device"), phrase=body.get("phrase", ""), before_new=count_new
        )
        reply = {
            "token": tokens.worker_token(enrollment),
            "campaign": work.campaign_for_worker(enrollment.campaign),
        }
        if body["next"]:
            following = assignments.claim_next(enrollment.key)
            enrollment = following.enrollment
            reply["next"] = work.next_page(following)
        if enrollment.submitted and (rejected_at := history.last_rejected_at(enrollment)):
            reply["rejected_at"] = rejected_at
        available = assignments.tasks_available(enrollment)
        return Response(reply | {"available": available.count, "available_more": available.more})


@method_decorator(gzip_page, name="dispatch")
class TryView(InWorkersLanguage):
    """A practice task to try the page with, before anything is agreed to. Nobody is enrolled, and
    nothing is kept."""

    authentication_classes: list = []
    permission_classes: list = []
    throttle_classes = [JoinRateThrottle]

    @extend_schema(
        request=serializers.TrySerializer, responses={200: serializers.TriedSerializer} | REFUSALS
    )
    def post(self, request: Request) -> Response:
        link = tokens.read_link(_clean(serializers.TrySerializer, request)["link"])
        return Response(first_page.practice_task(link.campaign))


@method_decorator(gzip_page, name="dispatch")
class WorkerView(InWorkersLanguage):
    """A subclass names its `throttle_scope`."""

    authentication_classes = [WorkerTokenAuthentication]
    permission_classes = [IsWorker]
    throttle_classes = [WorkerRateThrottle]


class NextView(WorkerView):
    throttle_scope = "next"

    @extend_schema(
        request=serializers.ClaimSerializer,
        responses={200: serializers.NextSerializer} | REFUSALS,
    )
    def post(self, request: Request) -> Response:
        """The task that you hold, or the next one; asked twice, the same."""
        body = _clean(serializers.ClaimSerializer, request)
        following = assignments.claim_next(request.user.enrollment_key, task=body.get("task"))
        return Response(work.next_page(following))


class DraftView(WorkerView):
    throttle_scope = "draft"

    @extend_schema(responses={200: serializers.KeptDraftSerializer} | REFUSALS)
    def get(self, request: Request, key: UUID) -> Response:
        """The unfinished answer as the server has it, maybe from another device; null: none."""
        return Response({"answer": assignments.kept_draft(request.user.enrollment_key, key)})

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
    throttle_scope = "submit"

    @extend_schema(
        request=serializers.SubmitSerializer,
        responses={200: serializers.SubmittedSerializer} | REFUSALS,
    )
    def post(self, request: Request, key: UUID) -> Response:
        """Hand in the answer, once; the reply holds the next task. Safe to send again."""
        body = usual_submission(request.data)
        if body is None:
            body = _clean(serializers.SubmitSerializer, request)
        events = body["events"] or []
        result = assignments.submit(
            request.user.enrollment_key, key, body["answer"], body["seconds"], events=events
        )
        return Response(
            {
                "duplicate": result.duplicate,
                "counted": result.counted,
                "paid": result.paid,
                "pay_mills": result.pay_mills,
                "training_score": result.training_score,
                "feedback": _in_words(result.feedback),
                "events_taken": len(events),
                "next": work.next_page(result.next),
            }
        )


class ReturnView(WorkerView):
    throttle_scope = "return"

    @extend_schema(request=serializers.ReturnSerializer, responses={204: None} | REFUSALS)
    def post(self, request: Request, key: UUID) -> Response:
        """Give the task back unanswered, with the reason; it is not offered to you again."""
        body = _clean(serializers.ReturnSerializer, request)
        assignments.return_task(
            request.user.enrollment_key, key, body["reason"], skip=not body["broken"]
        )
        return Response(status=204)


class EventsView(WorkerView):
    throttle_scope = "events"

    @extend_schema(
        request=events.EventsSerializer,
        responses={200: events.TakenSerializer} | REFUSALS,
    )
    def post(self, request: Request, key: UUID) -> Response:
        """Keep a batch of steps on the page; renews the lease. Safe to send again."""
        body = _clean(events.EventsSerializer, request)
        assignments.log_events(request.user.enrollment_key, key, body["events"])
        return Response({"taken": len(body["events"])})


class EntitiesView(WorkerView):
    throttle_scope = "search"

    @extend_schema(
        operation_id="work_entities_search",
        parameters=[serializers.EntityQuerySerializer],
        responses={200: serializers.FoundEntitiesSerializer} | REFUSALS,
    )
    def get(self, request: Request) -> Response:
        """Search the knowledge base of your campaign's project as you type, or look up keys."""
        project = work.project_of_worker(request.user.enrollment_key)
        query = _clean(serializers.EntityQuerySerializer, request, request.query_params)
        if "key" in query:
            return Response(
                {"results": search.entities_of_keys(project, query["key"]), "more": False}
            )
        results, more = search.search_entities(project, query["q"])
        return Response({"results": results, "more": more})


class ConsentView(WorkerView):
    throttle_scope = "rights"

    @extend_schema(
        request=serializers.AgreeSerializer,
        responses={200: serializers.NextSerializer} | REFUSALS,
    )
    def post(self, request: Request) -> Response:
        """Agree to the campaign's text, by its version; the reply is as that of next/."""
        body = _clean(serializers.AgreeSerializer, request)
        following = consent.give(request.user.enrollment_key, body["version"])
        return Response(work.next_page(following))


class AppealView(WorkerView):
    throttle_scope = "rights"

    @extend_schema(
        request=serializers.AskReviewSerializer,
        responses={201: serializers.AppealSerializer} | REFUSALS,
    )
    def post(self, request: Request) -> Response:
        """Ask a person to look again at your pause, or at an answer of yours that was rejected."""
        body = _clean(serializers.AskReviewSerializer, request)
        made = appeals.appeal(request.user.enrollment_key, body["text"], body.get("assignment"))
        return Response(history.appeal_page(made), status=201)


class HistoryView(WorkerView):
    throttle_scope = "rights"

    @extend_schema(
        parameters=[serializers.HistoryQuerySerializer],
        responses={200: serializers.HistorySerializer} | REFUSALS,
    )
    def get(self, request: Request) -> Response:
        """What you handed in, newest first, with its pay, and what was said to it."""
        query = _clean(serializers.HistoryQuerySerializer, request, request.query_params)
        return Response(history.history_page(request.user.enrollment_key, query.get("before")))


class HandedInView(WorkerView):
    throttle_scope = "rights"

    @extend_schema(responses={200: serializers.HandedInSerializer} | REFUSALS)
    def get(self, request: Request, key: UUID) -> Response:
        """An answer that you handed in, with its task; and the right one where it was practice."""
        found = feedback.handed_in(request.user.enrollment_key, key)
        if found is None:
            raise assignments.UnknownAssignment("answer.not_yours")
        return Response(found | {"feedback": _in_words(found["feedback"])})


class CorrectionView(WorkerView):
    throttle_scope = "submit"

    @extend_schema(
        request=serializers.DraftSerializer,
        responses={200: serializers.CorrectedSerializer} | REFUSALS,
    )
    def put(self, request: Request, key: UUID) -> Response:
        """Correct an answer, once: it counts in the place of the first. Safe to send again."""
        body = _clean(serializers.DraftSerializer, request)
        made = assignments.correct(request.user.enrollment_key, key, body["answer"])
        return Response({"corrected_at": made.at})


class PhraseView(WorkerView):
    throttle_scope = "rights"

    @extend_schema(request=None, responses={200: serializers.PhraseSerializer} | REFUSALS)
    def post(self, request: Request) -> Response:
        """The words by which you go on on another device: send them with join/ there."""
        return Response({"phrase": recovery.phrase_of(request.user.enrollment_key)})


class FinishView(WorkerView):
    throttle_scope = "finish"

    @extend_schema(request=None, responses={200: serializers.FinishedSerializer} | REFUSALS)
    def post(self, request: Request) -> Response:
        """Stop for now: what you did, and the completion code. A task that you hold stays yours."""
        return Response(work.finish_page(request.user.enrollment_key))


def _in_words(feedback: dict[str, Any] | None) -> dict[str, Any] | None:
    return feedback and feedback | {
        "findings": written(feedback["findings"]),
        "explanation": markdown.render(feedback["explanation"]),
    }


def _clean(serializer: type, request: Request, data: Any = None) -> dict[str, Any]:
    read = serializer(data=request.data if data is None else data)
    read.is_valid(raise_exception=True)
    return read.validated_data
