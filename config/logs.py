"""What a log must not keep, wherever it comes from."""

from __future__ import annotations

import logging
import re

JOIN = re.compile(r"/join/[^/\s]+")


class HideLinks(logging.Filter):
    """A personal link works in its worker's name, and the errors of its page name the address."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        hidden = JOIN.sub("/join/…", message)
        if hidden != message:
            record.msg, record.args = hidden, ()
        return True
