"""What a log must not keep, wherever it comes from."""

from __future__ import annotations

import logging
import re
import time

from config.outages import is_outage

SECRET = re.compile(r"/(join|invitations)/[^/\s]+")


class OneLineAMinute(logging.Filter):
    """Requests that find no database say so in one line a minute, instead of a traceback each."""

    EVERY = 60.0  # seconds

    def __init__(self) -> None:
        super().__init__()
        self._told = float("-inf")
        self._untold = 0

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if record.name != "django.request" or not is_outage(error):
            return True
        self._untold += 1
        now = time.monotonic()
        if now - self._told < self.EVERY:
            return False
        reason = str(error).strip().partition("\n")[0]
        record.msg = "The database can't be reached (%s): requests answered with 503: %d."
        record.args = (reason, self._untold)
        record.exc_info = record.exc_text = None
        self._told, self._untold = now, 0
        return True


class HideLinks(logging.Filter):
    """Whoever has the address of a personal link or of an invitation comes in by it, and the errors
    of such pages name theirs."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        hidden = SECRET.sub(r"/\1/…", message)
        if hidden != message:
            record.msg, record.args = hidden, ()
        return True
