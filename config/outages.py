"""When the database can't be reached: 503 in words, to come back in a moment, and no traceback.

Django asks `server_error` for the answer to every error that nobody caught, wherever in a request
it came up; also in the middlewares, before any view.
"""

from __future__ import annotations

import sqlite3
import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import loader
from django.urls import reverse
from django.views import defaults

RETRY_AFTER = 5  # seconds
DETAIL = (
    f"The database can't be reached at the moment. Send this again in {RETRY_AFTER} seconds: what "
    "was stored is not stored twice."
)
BROKEN = "Something broke on the server. It is not your doing; send this again in a minute."

# Of SQLite: somebody else writes for too long, or the file is not there, broken off, full.
OUT_OF_REACH = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY,
}  # fmt: skip
# Of PostgreSQL: no connection, no room, shut down or starting.
CLASSES = ("08", "53", "57P")


def is_outage(error: BaseException | None) -> bool:
    """Whether it is the database that is away; not a mistake in what it was asked."""
    if isinstance(error, InterfaceError):
        return True
    if not isinstance(error, OperationalError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in OUT_OF_REACH
    code = getattr(cause, "pgcode", None)
    return code is None or code.startswith(CLASSES)  # without a code there was no connection


def server_error(request: HttpRequest) -> HttpResponse:
    is_program = request.path.startswith(reverse("api:schema").removesuffix("schema/"))
    if not is_outage(sys.exc_info()[1]):
        if is_program:
            return JsonResponse({"detail": BROKEN, "errors": []}, status=500)
        return defaults.server_error(request)
    if is_program:
        reply: HttpResponse = JsonResponse({"detail": DETAIL, "errors": []}, status=503)
    else:
        reply = HttpResponse(loader.get_template("503.html").render(), status=503)
    reply["Retry-After"] = str(RETRY_AFTER)
    return reply
