"""The curve of a loop: its metric against what it has cost, and the forecast of the next round."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.charts import (
    Chart,
    Label,
    Limit,
    Point,
    Scale,
    Tick,
    band_path,
    count_scale,
    line_path,
    share_ticks,
)
from dashboard.templatetags.figures import share
from selection.models import LabellingLoop, LoopRound

HEIGHT = 250
STEP = 0.1


def curve(loop: LabellingLoop, done: Sequence[LoopRound]) -> Chart:
    """`done` are its rounds that are over; there is one at least."""
    last, currency = done[-1], loop.budget.currency
    ends = [_known(row.low) for row in done] + [_known(last.next_low or row_metric(last))]
    low = max(0.0, STEP * int(min(ends) / STEP))
    scale = Scale(low, 1.0)
    most = max((last.spent_mills or 0) + (last.next_mills or 0), 1) / 1000
    across, values = count_scale(most)
    places = [(across.right(_cost(row)), scale.down(row_metric(row))) for row in done]
    paths = []
    if len(done) > 1:
        upper = [(across.right(_cost(row)), scale.down(_known(row.high))) for row in done]
        lower = [(across.right(_cost(row)), scale.down(_known(row.low))) for row in done]
        paths += [band_path(upper, lower), line_path(places)]
    points = [Point(x, y, _title(row, loop)) for row, (x, y) in zip(done, places, strict=True)]
    x, y = places[-1]
    labels = [Label(x, y, share(last.metric), "end", tone="strong", dx=-6, dy="-.7em")]
    if last.next_metric is not None and last.next_low is not None and last.next_high is not None:
        cost = ((last.spent_mills or 0) + (last.next_mills or 0)) / 1000
        at, next_y = across.right(cost), scale.down(last.next_metric)
        ends_at = (scale.down(last.next_low), scale.down(last.next_high))
        paths.append(band_path([(x, y), (at, ends_at[1])], [(x, y), (at, ends_at[0])]))
        paths.append(line_path([(x, y), (at, next_y)], is_dashed=True))
        told = f"next: {share(last.next_metric)}, {share(last.next_low)}–{share(last.next_high)}"
        points.append(
            Point(at, next_y, told, low=ends_at[0], high=ends_at[1], is_hollow=True, radius=5)
        )
        labels.append(Label(at, 100, told, "end", tone="a", dx=0, dy="-.5em"))
    goal = () if loop.goal is None else (Limit(scale.down(loop.goal), f"goal {share(loop.goal)}"),)
    return Chart(
        title="What the money buys",
        label=f"{loop.metric} against cost, with its 95 % band and the forecast of the next round",
        note=f"{loop.metric} of the model, 95 % · dashed: forecast, 90 %",
        explanation="loop-forecast",
        columns=("Cost", loop.metric, "95 %", "Documents"),
        rows=tuple(
            (
                f"{_cost(row):,.2f} {currency}", share(row.metric),
                f"{share(row.low)}–{share(row.high)}", f"{row.labelled or 0:,}",
            )
            for row in done
        ),
        height=HEIGHT,
        across=tuple(
            Tick(across.right(value), f"{value:,.10g}{f' {currency}' if not value else ''}",
                 "start" if not value else "end" if value == values[-1] else "middle")
            for value in values
        ),
        up=share_ticks(scale, STEP),
        paths=tuple(paths),
        points=tuple(points),
        limits=goal,
        labels=tuple(labels),
    )  # fmt: skip


def row_metric(row: LoopRound) -> float:
    return _known(row.metric)


def _cost(row: LoopRound) -> float:
    return (row.spent_mills or 0) / 1000


def _known(value: float | None) -> float:
    return value if value is not None else 0.0


def _title(row: LoopRound, loop: LabellingLoop) -> str:
    return (
        f"round {row.number}: {row.labelled or 0:,} documents, {_cost(row):,.2f} "
        f"{loop.budget.currency}, {loop.metric} {share(row.metric)}"
    )
