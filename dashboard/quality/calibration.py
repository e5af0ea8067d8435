"""Whether confidence is honest, as a chart."""

from __future__ import annotations

import math
from collections.abc import Sequence

from aggregation.interfaces import Words
from aggregation.models import GoldFacts
from dashboard.campaigns.estimates import score_interval
from dashboard.charts import Chart, Label, Point, Scale, Tick, line_path, share_ticks
from dashboard.templatetags.figures import points, share

FEWEST = 5  # judgments of a bin through which the line goes
Bins = Sequence[tuple[int, float, float]]  # count, mean confidence, share that is right


def calibration_of(gold: GoldFacts, names: Words) -> Chart:
    """Of a run against gold, with what its dots are shares of."""
    judged = gold.judgment or names.judgment
    return calibration_chart(
        "Calibration", gold.bins, judged=judged,
        note=f"share right against confidence claimed, {gold.judgments:,} {judged}s, 95 %",
        error=gold.calibration_error, before=gold.before, before_error=gold.before_error,
    )  # fmt: skip


def calibration_chart(
    title: str,
    bins: Bins,
    *,
    judged: str,
    note: str = "",
    error: float | None = None,
    before: Bins = (),
    before_error: float | None = None,
) -> Chart:
    """Empty bins are left out. The area of a dot grows with the logarithm of its count: bins differ
    by thousands. `before`, what was claimed before gold taught it, is a line; the errors, shares
    from 0 to 1, are told beside dots and line."""
    scale = Scale(0, 1)
    known = [one for one in bins if one[0]]
    most = max((count for count, _, _ in known), default=0)
    earlier = sorted((one for one in before if one[0]), key=lambda one: one[1])
    paths = [line_path([(0, 100), (100, 0)], tone="k-soft", is_dashed=True)]
    labels = [Label(30, 70, "as claimed", "end", dx=-10, dy="-.6em")]
    if any(count >= FEWEST for count, _, _ in earlier) and None not in (before_error, error):
        course = [
            (scale.right(sure), scale.down(right))
            for count, sure, right in earlier
            if count >= FEWEST
        ]
        paths.append(line_path(course, tone="k-warn"))
        labels += [
            Label(98, 87, f"dots: calibrated on gold, {points(error)} points off", "end", tone="a",
                  dx=0),
            Label(98, 95, f"line: before, {points(before_error)} points off", "end", tone="warn",
                  dx=0),
        ]  # fmt: skip
    return Chart(
        title=title,
        label=f"{title}: share that is right against confidence, in {len(known)} bins",
        note=note,
        explanation="calibration",
        columns=("Confidence", "Right", "95 %", f"{judged.capitalize()}s"),
        rows=(
            *(_bin_row("", one) for one in known),
            *(_bin_row("before: ", one) for one in earlier),
        ),
        height=322,
        across=(
            Tick(0, "0", "start"),
            Tick(25, ".25"),
            Tick(50, ".50"),
            Tick(75, ".75", is_roomy=True),
            Tick(100, "confidence 1", "end"),
        ),
        up=share_ticks(scale, 0.25),
        paths=tuple(paths),
        points=tuple(
            Point(
                x=scale.right(sure),
                y=scale.down(right),
                title=f"confidence {share(sure)}, right {share(right)} ({_likely(right, count)}): "
                f"{count:,} {judged}{'' if count == 1 else 's'}",
                low=scale.down((score_interval(right, count) or (right, right))[0]),
                high=scale.down((score_interval(right, count) or (right, right))[1]),
                radius=round(2.5 + 4 * math.sqrt(math.log1p(count) / math.log1p(most)), 1),
            )
            for count, sure, right in known
        ),
        labels=tuple(labels),
    )


def _bin_row(before: str, one: tuple[int, float, float]) -> tuple[str, ...]:
    count, sure, right = one
    return f"{before}{share(sure)}", share(right), _likely(right, count), f"{count:,}"


def _likely(right: float, count: int) -> str:
    low, high = score_interval(right, count) or (right, right)
    return f"{share(low)}–{share(high)}"
