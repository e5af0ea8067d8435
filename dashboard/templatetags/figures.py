"""How numbers read on the manager's pages."""

from __future__ import annotations

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
def money(mills: int | float | None) -> str:
    """Thousandths as an amount with two places; with three where half a cent would be lost."""
    if mills is None:
        return "–"
    whole = round(mills)
    return f"{whole / 1000:,.3f}" if whole % 10 else f"{whole / 1000:,.2f}"


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
def percent(value: float | None) -> str:
    """A share from 0 to 1 in hundredths with two places: 80.25."""
    return "–" if value is None else f"{100 * value:.2f}"


@register.filter
def points(value: float | None) -> str:
    """A share from 0 to 1 in hundredths with one place: 1.3."""
    return "–" if value is None else f"{100 * value:.1f}"


@register.filter
def decimal(value: float) -> str:
    """For coordinates of drawings, whatever the language of the page."""
    return f"{value:.4g}"
