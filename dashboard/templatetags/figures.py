"""How numbers read on the manager's pages."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import timedelta

from django import template

register = template.Library()

UNITS = (
    (timedelta(days=1), "day"),
    (timedelta(hours=1), "hour"),
    (timedelta(minutes=1), "minute"),
)
ROUGH = 3  # so many of a unit are told in it


@register.filter
def money(mills: int | float | None, places: int | None = None) -> str:
    """Thousandths as an amount with two places; with three where half a cent would be lost, or
    with the `places` of its column."""
    if mills is None:
        return "–"
    whole = round(mills)
    return f"{whole / 1000:,.{money_places([whole]) if places is None else places}f}"


def money_places(column: Iterable[int | float | None]) -> int:
    """With how many places amounts stand under each other, so that their points do too."""
    return 3 if any(round(mills) % 10 for mills in column if mills is not None) else 2


@register.filter
def share(value: float | None) -> str:
    """A share from 0 to 1 without the 0 before its point: .82; 1.00 stays as it is."""
    if value is None:
        return "–"
    text = f"{value:.2f}"
    return text.removeprefix("0") if value < 1 else text


@register.filter
def signed(value: float | None) -> str:
    """A difference of shares: +.023, −.004."""
    if value is None:
        return "–"
    text = f"{abs(value):.3f}"
    return f"{'−' if value < 0 else '+'}{text.removeprefix('0')}"


@register.filter
def spelled(duration: timedelta | None) -> str:
    """A duration in the unit that tells it well: 5 days, 70 hours, 20 minutes."""
    if duration is None:
        return "no telling"
    for unit, name in UNITS:
        if duration >= ROUGH * unit or (name == "minute" and duration >= unit):
            number = round(duration / unit)
            return f"{number:,} {name}{'' if number == 1 else 's'}"
    return "a moment"


@register.filter
def minutes(seconds: float | None) -> str:
    """Seconds as people say them: 48 s, 3 min 20 s."""
    if seconds is None:
        return "–"
    whole = round(seconds)
    return f"{whole} s" if whole < 90 else f"{whole // 60} min {whole % 60:02} s"


@register.filter
def whole(value: float | None) -> str:
    """A number that was estimated, without places; a half goes up, wherever it is written."""
    return "–" if value is None else f"{math.floor(value + 0.5):,}"


@register.filter
def points(value: float | None) -> str:
    """A share from 0 to 1 in hundredths with one place: 1.3."""
    return "–" if value is None else f"{100 * value:.1f}"


@register.filter
def decimal(value: float) -> str:
    """For coordinates of drawings, whatever the language of the page."""
    return f"{value:.4g}"
