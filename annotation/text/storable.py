"""Which JSON both databases can keep."""

from __future__ import annotations

import math
import re
from typing import Any

from annotation.sentences import Problem

DEEPEST = 100
UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def unstorable(value: Any) -> Problem | None:
    """What stands in the way of storing `value` as JSON.

    PostgreSQL's jsonb takes no NUL and no lone surrogate, JSON no NaN; and what is nested deeply
    can be stored but not read again. Walks without recursion.
    """
    waiting = [(value, 0)]
    while waiting:
        item, depth = waiting.pop()
        if depth > DEEPEST:
            return Problem("storable.deep", most=DEEPEST)
        if isinstance(item, dict):
            waiting += [(inner, depth + 1) for pair in item.items() for inner in pair]
        elif isinstance(item, list):
            waiting += [(inner, depth + 1) for inner in item]
        elif isinstance(item, str):
            if "\0" in item:
                return Problem("storable.nul")
            if not item.isascii() and any("\ud800" <= char <= "\udfff" for char in item):
                return Problem("storable.surrogate")
        elif isinstance(item, float) and not math.isfinite(item):
            return Problem("storable.not_finite")
    return None


def storable(value: Any) -> Any:
    """Texts of our own that may quote what somebody sent, with � for what no database can keep."""
    if isinstance(value, str):
        return UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {storable(key): storable(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [storable(inner) for inner in value]
    return value
