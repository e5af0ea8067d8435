"""Which JSON both databases can keep."""

from __future__ import annotations

import math
from typing import Any

DEEPEST = 100


def unstorable(value: Any) -> str:
    """What stands in the way of storing `value` as JSON, in one sentence; '' where nothing does.

    PostgreSQL's jsonb takes no NUL and no lone surrogate, JSON no NaN; and what is nested deeply
    can be stored but not read again. Walks without recursion.
    """
    waiting = [(value, 0)]
    while waiting:
        item, depth = waiting.pop()
        if depth > DEEPEST:
            return f"It is nested more than {DEEPEST} levels deep. Send it flatter."
        if isinstance(item, dict):
            waiting += [(inner, depth + 1) for pair in item.items() for inner in pair]
        elif isinstance(item, list):
            waiting += [(inner, depth + 1) for inner in item]
        elif isinstance(item, str):
            if "\0" in item:
                return "A text holds a NUL character. Remove it."
            if not item.isascii() and any("\ud800" <= char <= "\udfff" for char in item):
                return "A text holds half of a surrogate pair. Send whole characters."
        elif isinstance(item, float) and not math.isfinite(item):
            return "A number is not finite. Send null instead."
    return ""
