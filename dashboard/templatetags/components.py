"""Marks of the managers' pages: an interval on its column's scale, a meter, "what is this?"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from dashboard.charts import Scale
from dashboard.explanations import EXPLANATIONS
from dashboard.templatetags.figures import share, signed

register = template.Library()
LIKELY = 0.005  # of a place; less is not told
MANY = 20  # systems, of whose places only the likelier are drawn
PLACE_HEIGHT = 23  # pixels
MOST_PIPS = 8
METER_TONES = {"": "a", "warn": "w", "ok": "o"}


@register.inclusion_tag("dashboard/components/interval.html")
def interval(
    value: float,
    low: float | str | None = None,
    high: float | str | None = None,
    *,
    needed: float | str | None = None,
    start: float = 0.0,
    end: float = 1.0,
    tone: str = "",
    size: str = "",
    differs: bool = False,
) -> dict[str, Any]:
    """A point on its interval. `start` and `end` are the scale of the whole column, which its head
    says; `needed` is drawn as a dashed line. `tone` is a class (k-warn, type-1), `size` s or l.
    `differs`: it is a difference, and is said with its sign. A template gives "" for what is not
    there, an end of no interval too."""
    scale, say = Scale(start, end), signed if differs else share
    words = say(value)
    ends: dict[str, float | None] = {"low": None, "high": None}
    if isinstance(low, float | int) and isinstance(high, float | int):
        words = f"{words}, {say(low)} to {say(high)}"
        ends = {"low": scale.right(low), "high": scale.right(high)}
    return ends | {
        "words": words,
        "at": scale.right(value),
        "needed": scale.right(needed) if isinstance(needed, float | int) else None,
        "tone": tone,
        "size": size,
    }


@register.inclusion_tag("dashboard/components/meter.html")
def meter(
    done: float,
    total: float,
    label: str,
    *,
    expected: float | None = None,
    tone: str = "",
    thin: bool = False,
) -> dict[str, Any]:
    """How much of `total` is `done`; `expected`, a forecast of it, is drawn paler behind."""
    scale = Scale(0, total or 1)
    return {
        "done": scale.right(done),
        "expected": None if expected is None else scale.right(expected),
        "label": label,
        "tone": METER_TONES[tone],
        "is_thin": thin,
    }


@register.inclusion_tag("dashboard/components/what.html")
def what(*names: str) -> dict[str, Any]:
    """The explanation of a figure, opened beside it; of several where a table has a column each."""
    parts = [EXPLANATIONS[name] for name in names]
    return {"title": ", ".join(part.title for part in parts), "parts": parts}


@register.inclusion_tag("dashboard/components/places.html")
def places(chances: Sequence[float]) -> dict[str, Any]:
    """A bar for each place that is likely at all, as high as it is likely."""
    width = 100 / max(len(chances), 1)
    likely = LIKELY if len(chances) <= MANY else 4 * LIKELY
    told = [(i + 1, chance) for i, chance in enumerate(chances) if chance >= likely]
    return {
        "words": ", ".join(f"place {place}: {100 * chance:.0f} %" for place, chance in told),
        "bars": [
            {"x": (place - 1) * width, "width": width * 0.94, "y": PLACE_HEIGHT * (1 - chance),
             "height": PLACE_HEIGHT * chance, "depth": 0.35 + 0.65 * chance}
            for place, chance in told
        ],
    }  # fmt: skip


@register.inclusion_tag("dashboard/components/spark.html")
def spark(counts: Sequence[int], label: str = "") -> dict[str, Any]:
    """A bar of three for each count, in a drawing 20 high: a count of nothing is a line on the
    ground. Without `label` it is not heard, for what it shows is said beside it."""
    most = max(counts, default=0)
    heights = [max(20 * count / most if most else 0, 0.7) for count in counts]
    return {
        "width": 4 * len(counts),
        "bars": [(4 * i, 20 - height, height) for i, height in enumerate(heights)],
        "label": label,
    }


@register.simple_tag
def pips(done: int, wanted: int) -> SafeString:
    """A small square for each that is wanted, those that are done filled; none where they are too
    many to be told apart. The words beside them say the same."""
    if not 0 < wanted <= MOST_PIPS:
        return SafeString("")
    squares = format_html_join(
        "", '<rect{} x="{}" y="1" width="5" height="8" rx="1.5"/>',
        ((SafeString(' class="a"' if i < done else ""), 8 * i + 1) for i in range(wanted)),
    )  # fmt: skip
    return format_html(
        '<svg class="pips" width="{}" height="10" aria-hidden="true">{}</svg>', 8 * wanted, squares
    )
