"""How often passwords are checked, and what is kept of attempts: django-axes, with our limits."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from math import ceil
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_cool_off
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import QuerySet, Sum
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import salted_hmac

from annotation.api.throttles import LogInRateThrottle

try:
    import fcntl
except ImportError:  # not a Unix: there passwords are checked side by side
    fcntl = None  # type: ignore[assignment]


class LockoutHandler(AxesDatabaseHandler):
    """Counts failures by name and address, and by address alone. Keeps nothing of the form."""

    def user_login_failed(
        self, sender: Any, credentials: Any, request: Any = None, **kwargs: Any
    ) -> None:
        # The library would store all fields but `password`: the form for a new password has others.
        sent = request.GET, request.POST
        request.GET = request.POST = QueryDict()
        try:
            super().user_login_failed(sender, credentials, request, **kwargs)
        finally:
            request.GET, request.POST = sent

    def get_failures(self, request: Any, credentials: Any = None) -> int:
        """Those of the name from the address; no fewer than its limit where the address alone has
        reached its own, so that other names lead nowhere."""
        failures = super().get_failures(request, credentials)
        of_address = _recent(request).aggregate(sum=Sum("failures_since_start"))["sum"] or 0
        if of_address >= settings.LOGIN_ADDRESS_ATTEMPTS:
            return max(failures, settings.AXES_FAILURE_LIMIT)
        return failures


def counted_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str | None:
    """An account's name as it is, any other as a digest: a password that was typed into the wrong
    field is not kept. Called by django-axes."""
    name = (credentials or {}).get("username")
    if name is None or get_user_model().objects.filter(username=name).exists():
        return name
    return salted_hmac("touchstone.unknown-account", name).hexdigest()[:32]


def locked_out(
    request: HttpRequest, answer: HttpResponse | None, credentials: dict[str, Any] | None
) -> HttpResponse:
    """429, with the minutes until the lock opens. Called by django-axes."""
    of_address = _recent(request)
    of_name = of_address.filter(username=counted_name(request, credentials))
    by_name = _reached(of_name, settings.AXES_FAILURE_LIMIT)
    by_address = _reached(of_address, settings.LOGIN_ADDRESS_ATTEMPTS)
    reached = max((at for at in (by_name, by_address) if at), default=timezone.now())
    opens = reached + get_cool_off(request)
    seconds = max(1, ceil((opens - timezone.now()).total_seconds()))
    username = (credentials or {}).get("username", "") if by_address is None else ""
    context = {"username": username, "minutes": ceil(seconds / 60), "opens": opens}
    return _refused(request, "dashboard/accounts/locked_out.html", context, seconds)


def _recent(request: Any) -> QuerySet[Any]:
    """What failed from the address within the last hour."""
    since = timezone.now() - get_cool_off(request)
    address = getattr(request, "axes_ip_address", None)
    return AccessAttempt.objects.filter(ip_address=address, attempt_time__gte=since)


def _reached(attempts: QuerySet[Any], limit: int) -> datetime | None:
    """When the failures were made without which there would be fewer than the limit."""
    total = 0
    rows = attempts.order_by("-attempt_time").values_list("attempt_time", "failures_since_start")
    for at, failures in rows:
        total += failures
        if total >= limit:
            return at
    return None


class PasswordCheckMixin:
    """A form with a password, which takes some tenths of a second of a processor to check: so many
    of one address in a while, and one at a time, so that the other web processes serve on."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        rate = LogInRateThrottle()
        if not rate.allow_request(request, self):  # type: ignore[arg-type]  # any view will do
            return _wait(request, max(1, ceil(rate.wait() or 0)), many=True)
        with _turn() as is_free:
            if not is_free:
                return _wait(request, 1)
            return super().post(request, *args, **kwargs)  # type: ignore[misc]


@contextmanager
def _turn() -> Iterator[bool]:
    """Whether no other process is checking a password. Nobody waits: that would keep a second web
    process from its work. The kernel lets go when a process dies."""
    if fcntl is None:
        yield True
        return
    path = settings.DATA_DIR / "password-check.lock"
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(file)


def _wait(request: HttpRequest, seconds: int, *, many: bool = False) -> HttpResponse:
    return _refused(
        request,
        "dashboard/accounts/password_wait.html",
        {"seconds": seconds, "many": many},
        seconds,
    )


def _refused(
    request: HttpRequest, template: str, context: dict[str, Any], seconds: int
) -> HttpResponse:
    page = render(request, template, context, status=429)
    page.headers["Retry-After"] = str(seconds)
    return page
