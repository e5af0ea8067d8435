from __future__ import annotations

from typing import cast

from rest_framework.request import Request
from rest_framework.throttling import ScopedRateThrottle, SimpleRateThrottle
from rest_framework.views import APIView

from annotation.api.authentication import WorkerSession


class WorkerRateThrottle(ScopedRateThrottle):
    """So many requests of one worker in a while, counted in each web process by itself.

    A burst may take all of them at once; then they come back one by one. One time is kept for a
    worker, where REST framework's own throttle keeps a list of all his requests.
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


class PhraseRateThrottle(SimpleRateThrottle):
    """So many phrases of one address: more slowly than they could be guessed."""

    scope = "phrase"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        if not isinstance(request.data, dict) or not request.data.get("phrase"):
            return None  # not counted
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}
