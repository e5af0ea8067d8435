"""What a half-width takes: claims and money, for certain and as expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dashboard.charts import (
    Chart,
    Label,
    Point,
    Scale,
    Tick,
    band_path,
    count_scale,
    count_ticks,
    line_path,
)
from dashboard.systems.metrics import called
from dashboard.templatetags.figures import share

HEIGHT = 260
Places = list[tuple[float, float]]


def plan_chart(
    metrics: str, curve: Sequence[Mapping[str, Any]], currency: str, chosen: float | None
) -> Chart:
    """Money against the half-width. Above the lines, the most: all answers that a claim may get."""
    most = max(point["most"]["most_mills"] for point in curve) / 1000
    money, values = count_scale(most)
    widest, narrowest = curve[0]["width"], curve[-1]["width"]
    across = Scale(-widest, -narrowest)  # the narrower, the further to the right

    def places(case: str, what: str) -> Places:
        return [(across.right(-one["width"]), money.down(one[case][what] / 1000)) for one in curve]

    sure, top = places("most", "mills"), places("most", "most_mills")
    hoped = places("expected", "mills")
    points = [
        Point(x, y, _title(one, "most", currency), radius=6 if one["width"] == chosen else 4)
        for (x, y), one in zip(sure, curve, strict=True)
    ]
    points += [
        Point(x, y, _title(one, "expected", currency), is_hollow=True, tone="k-soft")
        for (x, y), one in zip(hoped, curve, strict=True)
    ]
    first, last = curve[0], curve[-1]
    return Chart(
        title=f"What a half-width of precision costs, {called(metrics).lower()}",
        label=f"Money in {currency} against the half-width of the precision of each system",
        note=f"{currency}, for new judgments alone · line: enough whatever the precisions are · "
        "dashed: enough if they are as expected · band: with as many answers as a claim may get",
        columns=("Half-width", "At most", currency, "Expected", currency),
        rows=tuple(_row(one) for one in curve),
        height=HEIGHT,
        margin="left-48" if most >= 1_000 else "",
        across=tuple(
            Tick(
                across.right(-one["width"]), f"±{share(one['width'])}",
                "start" if one is first else "end" if one is last else "middle",
                is_roomy=one not in (first, last) and place % 2 == 1,
            )
            for place, one in enumerate(curve)
        ),
        up=count_ticks(money, values),
        paths=(
            band_path(top, sure),
            line_path(sure),
            line_path(hoped, tone="k-soft", is_dashed=True),
        ),
        points=tuple(points),
        labels=(Label(*sure[-1], "at most", "end", tone="a", dx=-8, dy="-.7em"),
                Label(*hoped[-2], "expected", dx=8, dy="1.3em", is_roomy=True)),
    )  # fmt: skip


def _title(one: Mapping[str, Any], case: str, currency: str) -> str:
    told = one[case]
    return (
        f"± {one['width']:g}: {told['claims']:,} claims, {told['mills'] / 1000:,.2f} {currency}"
        f"{', at most' if case == 'most' else ', expected'}"
    )


def _row(one: Mapping[str, Any]) -> tuple[str, ...]:
    most, expected = one["most"], one["expected"]
    return (
        f"± {share(one['width'])}", f"{most['claims']:,}", f"{most['mills'] / 1000:,.2f}",
        f"{expected['claims']:,}", f"{expected['mills'] / 1000:,.2f}",
    )  # fmt: skip
