"""A demonstration that is broken off while it is loaded."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any


def breaking_at(number: int, real: Callable[..., int]) -> Callable[..., int]:
    """`real`, which fails when it is called for this time."""
    calls = itertools.count(1)

    def work(*arguments: Any, **options: Any) -> int:
        if next(calls) == number:
            raise RuntimeError("half way")
        return real(*arguments, **options)

    return work
