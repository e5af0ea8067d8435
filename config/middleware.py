"""What a request passes before anything else looks at it, and a reply at the end."""

import re
from collections.abc import Callable
from typing import Any

import brotli
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers
from whitenoise.middleware import WhiteNoiseMiddleware

REFUSED = re.compile(r"[^,;\s]+\s*;\s*q=0(?:\.0{0,3})?\s*(?=,|$)", re.IGNORECASE)
WORKERS_API = "/api/work/"
WORKERS_PAGES = "/join/"
BROTLI = re.compile(r"\bbr\b")
QUALITY = 7  # a tenth less than gzip in a third of a millisecond
INDENTATION = re.compile(rb">\n\s+<")  # of templates; in what somebody wrote both signs are escaped
# The list of all static files, and what ./run notes beside them.
NOT_SERVED = re.compile(r"/(staticfiles\.json|\.[^/]*)$")


def without_refused_encodings(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Takes `br;q=0` out of Accept-Encoding: WhiteNoise and Django look for the bare name alone."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        accepted = request.META.get("HTTP_ACCEPT_ENCODING", "")
        if "=0" in accepted:
            request.META["HTTP_ACCEPT_ENCODING"] = REFUSED.sub("", accepted)
        return get_response(request)

    return middleware


class StaticFiles(WhiteNoiseMiddleware):
    """Serves what pages ask for, and nothing else that lies in the folder."""

    def add_file_to_dictionary(self, url: str, path: str, stat_cache: Any = None) -> None:
        if not NOT_SERVED.search(url):
            super().add_file_to_dictionary(url, path, stat_cache)


class CompressedPages(GZipMiddleware):
    """Pages go out packed. The length of a packed page may tell of what it holds to whoever can put
    words into it time and again (BREACH): another site asks without the cookie of the log-in, form
    tokens are masked anew each time, and Django pads by a random number of bytes. Files that are
    downloaded, and replies of the API that don't ask for it themselves, stay as they are."""

    def process_response(self, request: HttpRequest, response: Any) -> Any:
        if response.streaming or not response.get("Content-Type", "").startswith("text/html"):
            return response
        # Those know nobody: no cookie is read, and there is no form with a token.
        if request.path_info.startswith(WORKERS_PAGES) and BROTLI.search(
            request.META.get("HTTP_ACCEPT_ENCODING", "")
        ):
            return _with_brotli(response)
        return super().process_response(request, response)


def _with_brotli(response: Any) -> Any:
    patch_vary_headers(response, ("Accept-Encoding",))
    bare = INDENTATION.sub(b">\n<", response.content)
    response.content = brotli.compress(bare, quality=QUALITY)
    response["Content-Length"] = str(len(response.content))
    response["Content-Encoding"] = "br"
    return response


def private_pages(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Pages and replies are for the person who asked: no cache keeps them, no search engine lists
    them. What anybody may keep, such as a picture, says so itself."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        reply = get_response(request)
        reply.setdefault("Cache-Control", "private, no-store")
        reply.setdefault("X-Robots-Tag", "noindex, nofollow")
        return reply

    return middleware


class _NotForWorkers:
    """Passed by the workers' API: who works is told by a token, and needs no session."""

    get_response: Any

    def __call__(self, request: HttpRequest) -> Any:
        if request.path_info.startswith(WORKERS_API):
            return self.get_response(request)
        return super().__call__(request)  # type: ignore[misc]


class Sessions(_NotForWorkers, SessionMiddleware):
    """Those of managers."""


class Accounts(_NotForWorkers, AuthenticationMiddleware):
    """Which manager is logged in."""


class Messages(_NotForWorkers, MessageMiddleware):
    """What the next page tells a manager."""
