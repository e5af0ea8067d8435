"""What the worker's page asks for where a manager answers: the worker's API in small.

A page proves by its key, signed for one person, campaign and use, who is asking; whether that
person still manages the campaign is looked up each time. There is no lease, no draft on the
server, no event and no payment.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.core import signing
from django.core.cache import cache
from django.http import Http404
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.gzip import gzip_page
from drf_spectacular.utils import extend_schema
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.actions.gold import GoldRefused
from annotation.actions.gold_answers import answer_gold, offered_count, offered_task, read_answer
from annotation.actions.locks import Held
from annotation.interfaces import interface
from annotation.models import Campaign, GoldQuestion
from annotation.queries import search
from annotation.sentences import Problem
from annotation.text.aliases import alias
from dashboard.gold.answering import LEASE_MINUTES, MANY, SALT, TRY

KEPT = 60 * LEASE_MINUTES  # seconds in which a skipped task stays skipped


@dataclass(frozen=True, slots=True)
class Answering:
    """Who answers which campaign's tasks, and what for."""

    user: Any
    campaign: Campaign
    use: str
    key: str
    is_authenticated: bool = True

    @property
    def skips(self) -> str:
        return f"answering:{self.user.pk}:{self.campaign.pk}"


def answering_of(key: str) -> Answering:
    """Raises AuthenticationFailed where the key is not of now, or the person manages no more."""
    ended = str(Problem("gold.answering_ended"))
    try:
        told = signing.loads(key, salt=SALT, max_age=60 * LEASE_MINUTES)
    except signing.BadSignature as error:
        raise AuthenticationFailed(ended) from error
    user = get_user_model().objects.filter(pk=told["user"], is_active=True).first()
    related = Campaign.objects.select_related("project", "instructions")
    campaign = related.managed_by(user).filter(slug=told["campaign"]).first() if user else None
    if campaign is None:
        raise AuthenticationFailed(ended)
    return Answering(user, campaign, told["use"], key)


class AnsweringAuthentication(BaseAuthentication):
    """As workers' pages send it: `Authorization: Worker <key>`; joining brings it in its body."""

    def authenticate(self, request: Request) -> tuple[Answering, None] | None:
        words = get_authorization_header(request).split()
        if len(words) == 2 and words[0].lower() == b"worker":
            return answering_of(words[1].decode(errors="replace")), None
        link = _body(request).get("link")
        return (answering_of(link), None) if isinstance(link, str) else None

    def authenticate_header(self, request: Request) -> str:
        return "Worker"


class IsAnswering(BasePermission):
    def has_permission(self, request: Request, view: APIView) -> bool:
        return isinstance(request.user, Answering)


@extend_schema(exclude=True)  # of our own page alone
@method_decorator(gzip_page, name="dispatch")
class AnsweringView(APIView):
    authentication_classes = [AnsweringAuthentication]
    permission_classes = [IsAnswering]

    def get(self, request: Request, step: str) -> Response:
        if step == "history/":
            return Response({"rows": [], "more": False, "appeals": []})
        if step != "entities/":
            raise Http404
        project = _who(request).campaign.project_id
        if keys := request.query_params.getlist("key"):
            found = search.entities_of_keys(project, keys[:50])
            return Response({"results": found, "more": False})
        results, more = search.search_entities(
            project, request.query_params.get("q", "")[: search.LONGEST_QUERY].replace("\0", "")
        )
        return Response({"results": results, "more": more})

    def put(self, request: Request, step: str) -> Response:
        """A draft stays on the device."""
        _named(step, "draft")
        return Response({"expires_at": _ends()})

    def post(self, request: Request, step: str) -> Response:
        who, body = _who(request), _body(request)
        if step == "join/":
            count = offered_count(who.campaign, MANY)
            told = {"token": who.key, "available": count, "available_more": count == MANY}
            return Response(told | ({"next": _next(who)} if body.get("next") else {}))
        if step == "next/":
            return Response(_next(who))
        if step == "finish/":
            return Response({"progress": _progress(who), "completion_code": None})
        if step.endswith("/submit/"):
            return self._submit(who, body.get("answer"), _named(step, "submit"))
        if step.endswith("/return/"):
            _named(step, "return")
            cache.set(who.skips, cache.get(who.skips, 0) + 1, KEPT)
            return Response(status=204)
        _named(step, "events")
        return Response({"taken": 0})

    def _submit(self, who: Answering, answer: Any, name: str) -> Response:
        try:
            if who.use == TRY:
                read_answer(who.campaign, name, answer)
                cache.set(who.skips, cache.get(who.skips, 0) + 1, KEPT)
            else:
                answer_gold(who.campaign, name, answer, who.use, user=who.user)
        except (GoldRefused, Held) as error:
            return Response({"detail": str(error), "errors": []}, status=409)
        return Response(
            {
                "duplicate": False, "counted": True, "paid": True, "pay_mills": 0,
                "training_score": None, "feedback": None, "events_taken": 0, "next": _next(who),
            }
        )  # fmt: skip


def _who(request: Request) -> Answering:
    assert isinstance(request.user, Answering)  # as the permission asks
    return request.user


def _body(request: Request) -> dict[str, Any]:
    return request.data if isinstance(request.data, dict) else {}


def _named(step: str, act: str) -> str:
    """The task that an address is of: assignments/<its id, encoded>/<act>/."""
    before, _, rest = step.partition("assignments/")
    key = rest.removesuffix(f"/{act}/")
    if before or key == rest or "/" in key:
        raise Http404
    try:
        return base64.urlsafe_b64decode(key + "=" * (-len(key) % 4)).decode()
    except (binascii.Error, ValueError) as error:
        raise Http404 from error


def _next(who: Answering) -> dict[str, Any]:
    offered = offered_task(who.campaign, cache.get(who.skips, 0))
    reply = {
        "assignment": None, "consent": None, "milestone": None, "appeal": None,
        "can_appeal": False, "reason": "", "message": "", "retry_at": None,
        "progress": _progress(who), "completion_code": None,
    }  # fmt: skip
    if offered is None:
        return reply | {"message": str(Problem("gold.nothing_left"))}
    key = base64.urlsafe_b64encode(offered.name.encode()).decode().rstrip("=")
    kind, instructions = who.campaign.interface, who.campaign.instructions
    return reply | {
        "assignment": {
            "key": key, "task": alias(offered.name, offered.material.alias_key),
            "interface": kind, "leased_at": timezone.now(), "expires_at": _ends(),
            "instructions": instructions.number if instructions else 0, "draft": None,
            "page": interface(kind).page_data(offered.material),
        }
    }  # fmt: skip


def _progress(who: Answering) -> dict[str, Any]:
    known = GoldQuestion.objects.filter(task__campaign=who.campaign).count()
    return {
        "stage": None, "state": "qualified", "submitted": known, "skips_left": MANY,
        "earned_mills": 0, "currency": who.campaign.currency, "seconds": 0,
    }  # fmt: skip


def _ends() -> Any:
    return timezone.now() + timedelta(minutes=LEASE_MINUTES)
