from __future__ import annotations

import ipaddress
from typing import Any, cast

from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle, ScopedRateThrottle, SimpleRateThrottle
from rest_framework.views import APIView

from annotation.api.authentication import WorkerSession


def client_address(request: Any) -> str | None:
    """The address that a request is counted under, for all rates and for log-ins.

    Behind a proxy (BEHIND_PROXY) it is what the proxy says, the last entry of X-Forwarded-For: what
    stands before it, anybody can make up. IPv6 counts by /64, since whoever has one address of a
    /64 has them all. None: there is none, or something like "unknown".
    """
    try:
        address = ipaddress.ip_address(BaseThrottle().get_ident(request) or "")
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(address), 64), strict=False).network_address)


class AddressRateThrottle(SimpleRateThrottle):
    """So many requests of one address in a while. A subclass names its `scope`."""

    def get_ident(self, request: Any) -> str:
        return client_address(request) or "unknown"

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


class JoinRateThrottle(AddressRateThrottle):
    scope = "join"


class PhraseRateThrottle(AddressRateThrottle):
    """Phrases of one address: more slowly than they could be guessed."""

    scope = "phrase"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        if not isinstance(request.data, dict) or not request.data.get("phrase"):
            return None  # not counted
        return super().get_cache_key(request, view)


class EnrollRateThrottle(AddressRateThrottle):
    """New workers of one address, beside those who come back: a browser that forgets its secret
    is somebody else each time, and each may hold a task and its pay."""

    scope = "enroll"


class TooManyNewWorkers(Throttled):
    """`wait` tells the seconds until the address may bring somebody new."""


class LogInRateThrottle(AddressRateThrottle):
    """Passwords of one address, right or wrong: to check one takes long, and is meant to."""

    scope = "login"


class WorkerRateThrottle(ScopedRateThrottle):
    """So many requests of one worker in a while, counted in each web process by itself.

    A burst may take all of them at once; then they come back one by one. One time is kept for a
    worker, where REST framework's own throttle keeps a list of all their requests.
    """

    def allow_request(self, request: Request, view: APIView) -> bool:
        self.scope = getattr(view, self.scope_attr, None)
        if self.scope is None or not isinstance(request.user, WorkerSession):
            return True
        self.rate = self.get_rate()
        number, seconds = cast(tuple[int, int], self.parse_rate(self.rate))
        key = f"{self.scope}:{request.user.enrollment_key.hex}"
        now = self.timer()
        full = max(self.cache.get(key, now), now) + seconds / number  # when all are back again
        self.early = full - now - seconds
        if self.early > 0:
            return False
        self.cache.set(key, full, seconds)
        return True

    def wait(self) -> float:
        return self.early
