"""What decisions on a campaign's disputed tasks are worth, and how the doubt lies over the tasks:
charts of what a run expects to be wrong."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from aggregation.interfaces import words_of
from aggregation.queries.runs import RunSummary
from annotation.models import Campaign
from dashboard.campaigns.task_list import MOST_COUNTED, inferred
from dashboard.campaigns.task_rows import expected_wrong
from dashboard.charts import (
    Chart,
    Label,
    Point,
    Tick,
    band_path,
    bar_chart,
    count_scale,
    count_ticks,
    line_path,
)

FIRST = 10  # decisions that are told by themselves
STEPS = 40  # of the curve
BARS = 12  # the last holds whatever is beyond


@dataclass(frozen=True, slots=True)
class Worth:
    """`tasks` is MOST_COUNTED where there may be more."""

    tasks: int  # disputed
    mended: float  # parts expected to be wrong in them
    threshold: float  # of a task, from which on it is disputed
    curve: Chart | None  # None for fewer than two
    spread: Chart | None  # None before there is a run that knows it

    @property
    def is_more(self) -> bool:
        return self.tasks == MOST_COUNTED


def worth(campaign: Campaign, run: RunSummary | None, part: str) -> Worth | None:
    """Two queries, each along the index of what is expected to be wrong; None where no run tells.
    `part` is what a label, a name or a pile is called."""
    if run is None or run.facts.expected_errors is None:
        return None
    threshold = words_of(campaign.interface).disputed
    rows = inferred(campaign, run, with_gold=True)
    disputed = rows.disputed(campaign).most_errors_first()
    values = list(disputed.values_list("expected_errors", flat=True)[:MOST_COUNTED])
    every = list(rows.most_errors_first().values_list("expected_errors", flat=True)[:MOST_COUNTED])
    return Worth(
        tasks=len(values),
        mended=sum(values),
        threshold=threshold,
        curve=_curve(values, part) if len(values) > 1 else None,
        spread=_spread(every, threshold, part) if every else None,
    )


def _curve(values: Sequence[float], part: str) -> Chart:
    """What the first n decisions mend, the most first."""
    total, sums = 0.0, [0.0]
    for value in values:
        total += value
        sums.append(total)
    at = sorted({round(i * len(values) / STEPS) for i in range(STEPS + 1)} | {0, len(values)})
    # What is wrong is not known part by part here, so it varies as counts of rare things do.
    likely = {n: expected_wrong(sums[n], ()) for n in at}
    up, ticks = count_scale(likely[at[-1]].high)
    across = [100 * n / len(values) for n in at]

    def course(ends: Sequence[float]) -> list[tuple[float, float]]:
        return [(x, up.down(y)) for x, y in zip(across, ends, strict=True)]

    last = likely[at[-1]]
    points, labels = [], [
        Label(100, up.down(total), f"{total:.0f}", "end", tone="strong", dx=-2, dy="-.6em"),
    ]  # fmt: skip
    if len(values) > 1.5 * FIRST:
        x, y = 100 * FIRST / len(values), up.down(sums[FIRST])
        points.append(Point(x, y, f"the first {FIRST} decisions mend {sums[FIRST]:.1f} {part}s"))
        labels.append(
            Label(x, y, f"first {FIRST} mend {sums[FIRST]:.0f}", tone="strong", dx=8, dy="1.3em")
        )
    return Chart(
        title="What decisions mend",
        label=f"{len(values):,} decisions are expected to mend {total:.1f} {part}s",
        note=f"{part}s expected, 90 % {last.low:.0f}–{last.high:.0f}",
        explanation="expected-errors",
        columns=("Decisions", f"{part.capitalize()}s", "90 %"),
        rows=tuple(
            (f"{n:,}", f"{sums[n]:.1f}", f"{likely[n].low:.1f}–{likely[n].high:.1f}")
            for n in at[1:]
        ),
        across=(Tick(0, "0", "start"), Tick(100, f"{len(values):,} decisions", "end")),
        up=count_ticks(up, ticks),
        paths=(
            band_path(course([likely[n].high for n in at]), course([likely[n].low for n in at])),
            line_path(course([sums[n] for n in at])),
        ),
        points=tuple(points),
        labels=tuple(labels),
    )


def _spread(values: Sequence[float], threshold: float, part: str) -> Chart:
    """How many tasks have how much that is expected to be wrong, those above the threshold in the
    colour of doubt. `values` come largest first."""
    width = threshold / 2 if values[0] < BARS * threshold / 2 else threshold
    places = [min(math.floor(value / width), BARS - 1) for value in values]
    counts = Counter(places)
    ends = [f"{i * width:g}–{(i + 1) * width:g}" for i in range(places[0] + 1)]
    if values[0] >= BARS * width:
        ends[-1] = f"{(BARS - 1) * width:g} or more"
    named = [(end, counts[i]) for i, end in enumerate(ends)]
    chart = bar_chart(
        f"Wrong {part}s a task",
        f"Wrong {part}s",
        named,
        counted="tasks",
        explanation="expected-errors",
    )
    doubted = sum(value >= threshold for value in values)
    which = "tasks with labels" if len(values) < MOST_COUNTED else "tasks with most"
    edge = 100 * threshold / (width * len(named))
    return replace(
        chart,
        label=f"{chart.label}, in {doubted:,} of them {threshold:g} or more",
        note=f"expected, {len(values):,} {which}",
        across=(Tick(0, "0", "start"), Tick(100, f"{ends[-1]} {part}s", "end")),
        bars=tuple(
            replace(bar, tone="k-warn" if bar.x + bar.width / 2 > edge else "")
            for bar in chart.bars
        ),
        labels=(Label(100, 4, f"{threshold:g} or more expected", "end", tone="warn", dx=0),)
        if doubted
        else (),
    )
