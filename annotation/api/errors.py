"""Every refusal in one shape: {"detail": a sentence, "errors": [{"field", "message"}]}.

A mistake in an answer has its "code" too, for programs that react to it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from rest_framework import status
from rest_framework.exceptions import Throttled, ValidationError
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import exception_handler

from annotation.actions.appeals import CannotAppeal
from annotation.actions.assignments import AssignmentClosed, CannotCorrect, UnknownAssignment
from annotation.actions.assignments.leases import LeaseGone, SkipLimitReached
from annotation.actions.assignments.turn import UnknownEnrollment
from annotation.actions.campaigns import NotReady, WrongState
from annotation.actions.consent import TextChanged
from annotation.actions.locks import Held
from annotation.actions.tokens import BadToken
from annotation.actions.workers import CannotJoin
from annotation.api.throttles import TooManyNewWorkers
from annotation.interfaces import AnswerError
from annotation.sentences import CodedError, Problem, workers

STATUS = {
    BadToken: status.HTTP_400_BAD_REQUEST,
    CannotJoin: status.HTTP_403_FORBIDDEN,
    UnknownEnrollment: status.HTTP_401_UNAUTHORIZED,
    UnknownAssignment: status.HTTP_404_NOT_FOUND,
    AssignmentClosed: status.HTTP_409_CONFLICT,
    CannotCorrect: status.HTTP_409_CONFLICT,
    SkipLimitReached: status.HTTP_409_CONFLICT,
    NotReady: status.HTTP_409_CONFLICT,
    WrongState: status.HTTP_409_CONFLICT,
    Held: status.HTTP_409_CONFLICT,
    CannotAppeal: status.HTTP_409_CONFLICT,
}


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler; None lets an unforeseen error become a 500."""
    if isinstance(error, AnswerError):
        return _reply(
            status.HTTP_400_BAD_REQUEST,
            workers.sentence(Problem("request.answer")),
            [
                {
                    "field": problem.path,
                    "message": workers.sentence(problem),
                    "code": problem.code,
                }
                for problem in error.problems
            ],
        )
    if isinstance(error, LeaseGone):
        code = status.HTTP_404_NOT_FOUND if error.state == "unknown" else status.HTTP_409_CONFLICT
        return _reply(code, workers.sentence(error.problem), state=error.state)
    if isinstance(error, TextChanged):
        sentence = workers.sentence(error.problem)
        return _reply(status.HTTP_409_CONFLICT, sentence, state="consent")
    if isinstance(error, ValidationError):
        errors = list(_flat("", error.detail))
        return _reply(error.status_code, workers.sentence(Problem("request.fields")), errors)
    if isinstance(error, RequestDataTooBig):
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 2**20
        return _reply(413, workers.sentence(Problem("request.large", most=most)))
    if isinstance(error, Throttled):
        return _pause(error)
    for kind, code in STATUS.items():
        if isinstance(error, kind):
            return _reply(code, _sentence(error))
    reply = exception_handler(error, context)
    if reply is not None:  # Django's own 404 and 403 among them
        detail = reply.data.get("detail", "") if isinstance(reply.data, dict) else ""
        reply.data = {"detail": str(detail), "errors": []}
    return reply


def _reply(code: int, detail: str, errors: list | None = None, **more: Any) -> Response:
    return Response({"detail": detail, "errors": errors or []} | more, status=code)


def _pause(error: Throttled) -> Response:
    seconds = max(1, math.ceil(getattr(error, "wait", None) or 0))
    if isinstance(error, TooManyNewWorkers):
        problem = Problem("request.many_workers", number=math.ceil(seconds / 60))
    else:
        problem = Problem("request.too_many", number=seconds)
    reply = _reply(429, workers.sentence(problem))
    reply["Retry-After"] = str(seconds)
    return reply


def _sentence(error: Exception) -> str:
    return workers.sentence(error.problem) if isinstance(error, CodedError) else str(error)


def _flat(path: str, detail: Any) -> Iterator[dict[str, str]]:
    """DRF's nested messages as (field, message) pairs: `events[2].kind`."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            yield from _flat(_below(path, name), inner)
    elif isinstance(detail, list):
        for number, inner in enumerate(detail):
            yield from _flat(_below(path, number) if isinstance(inner, dict) else path, inner)
    else:
        yield {"field": path, "message": str(detail)}


def _below(path: str, name: str | int) -> str:
    if name == api_settings.NON_FIELD_ERRORS_KEY:
        return path
    if isinstance(name, int):
        return f"{path}[{name}]"
    return f"{path}.{name}" if path else name
