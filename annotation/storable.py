"""Which JSON both databases can keep."""

from __future__ import annotations

import math
from typing import Any


def unstorable(value: Any) -> str:
    """What stands in the way of storing `value` as JSON, in one sentence; '' where nothing does.

    PostgreSQL's jsonb takes no NUL and no lone surrogate, JSON no NaN. Walks without recursion.
    """
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            waiting += [*item.keys(), *item.values()]
        elif isinstance(item, list):
            waiting += item
        elif isinstance(item, str):
            if "\0" in item:
                return "A text holds a NUL character. Remove it."
            if not item.isascii() and any("\ud800" <= char <= "\udfff" for char in item):
                return "A text holds half of a surrogate pair. Send whole characters."
        elif isinstance(item, float) and not math.isfinite(item):
            return "A number is not finite. Send null instead."
    return ""
