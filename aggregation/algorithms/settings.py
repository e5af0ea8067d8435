"""Checks of an algorithm's settings. Each raises ValueError that names the setting, what it must be
and what it is."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any


def check_at_least(least: float, **settings: float) -> None:
    """Finite, and `least` or more."""
    for name, value in settings.items():
        if not least <= value < math.inf:
            wanted = (
                f"{least} or more" if least == 0 or least != int(least) else f"at least {least}"
            )
            raise ValueError(f"{name} must be {wanted}, but is {value}")


def check_whole(least: int, **settings: float) -> None:
    """A whole number, `least` or more."""
    for name, value in settings.items():
        if not least <= value < math.inf or value != int(value):
            raise ValueError(f"{name} must be a whole number from {least} on, but is {value}")


def check_above(bound: float, **settings: float) -> None:
    """Finite, and more than `bound`."""
    for name, value in settings.items():
        if not bound < value < math.inf:
            raise ValueError(f"{name} must be more than {bound}, but is {value}")


def check_from_to(low: float, high: float, **settings: float) -> None:
    """`low`, `high`, or anything in between."""
    for name, value in settings.items():
        if not low <= value <= high:
            raise ValueError(f"{name} must be from {low:g} to {high:g}, but is {value}")


def check_between(low: float, high: float, **settings: float) -> None:
    """More than `low`, and less than `high`."""
    for name, value in settings.items():
        if not low < value < high:
            raise ValueError(f"{name} must be between {low:g} and {high:g}, but is {value}")


def check_above_to(low: float, high: float, **settings: float) -> None:
    """More than `low`, and at most `high`."""
    for name, value in settings.items():
        if not low < value <= high:
            raise ValueError(f"{name} must be above {low:g} and at most {high:g}, but is {value}")


def check_choice(choices: Collection[Any], **settings: Any) -> None:
    """One of `choices`."""
    for name, value in settings.items():
        if value not in choices:
            *most, last = (repr(choice) for choice in choices)
            raise ValueError(f"{name} must be {', '.join(most)} or {last}, but is {value!r}")
