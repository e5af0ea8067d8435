"""The forecast of a campaign as its last job has computed it: what the command `forecast` prints.

Plain numbers of a stored result: no page waits for statistics.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import Campaign, Document, Job
from dashboard.charts import (
    Chart,
    Label,
    Limit,
    Path,
    Point,
    Scale,
    Tick,
    band_path,
    line_path,
)
from dashboard.charts import share_ticks as ticks_of
from dashboard.templatetags.figures import money, share
from selection.queries.ways import Way, ways_of

KIND = "forecast_campaign"
HEIGHT = 280
STEP = 0.05
TOP = 10  # per cent of the height: a label above a point there would lie on the heading


@dataclass(frozen=True, slots=True)
class Plan:
    job: Job
    forecast: Mapping[str, Any]
    ways: Sequence[Way]
    chart: Chart

    @property
    def chosen(self) -> Way | None:
        return next((way for way in self.ways if way.is_chosen), None)

    @property
    def costs(self) -> bool:
        """Whether anything is paid at all."""
        return is_paid(self.ways)

    @property
    def measure(self) -> str:
        return "F1 of names" if self.forecast["measure"] == "F1" else "share of labels right"

    @property
    def is_measured(self) -> bool:
        """By answers; else by a mix of workers that somebody has stated."""
        return bool(self.forecast["pilot"])


def is_paid(ways: Sequence[Way]) -> bool:
    return any(way.most_mills for way in ways)


def plan(campaign: Campaign) -> tuple[Plan | None, Job | None]:
    """The last forecast, and the job that is at work on the next or has failed since. One query;
    `campaign` comes with its tally and its forecast."""
    rows = list(
        Job.objects.filter(campaign=campaign, kind=KIND)
        .exclude(state=Job.State.STOPPED)
        .order_by("-pk")[:10]
    )
    done = next((job for job in rows if job.state == Job.State.DONE), None)
    newer = rows[0] if rows and rows[0] != done else None
    if done is None:
        return None, newer
    found = done.result["forecast"]
    ways = ways_of(found, campaign.pay_mills, campaign)
    return Plan(done, found, ways, _chart(campaign, found, ways)), newer


def tasks_to_plan(campaign: Campaign) -> int:
    """Its tasks, or before it opens the documents that will be tasks. One query at most."""
    tally = getattr(campaign, "tally", None)
    if tally is not None and tally.tasks:
        return int(tally.tasks)
    return Document.objects.visible().filter(project=campaign.project).count()


def _chart(campaign: Campaign, found: Mapping[str, Any], ways: Sequence[Way]) -> Chart:
    """Quality by how many answers a task has on average: fixed, and beside it adaptive."""
    lowest = min(way.low for way in ways)
    quality = Scale(max(0.0, math.floor(lowest / STEP) * STEP), 1.0)
    step = STEP if quality.high - quality.low <= 6 * STEP else 0.25 if quality.low == 0 else 0.1
    if step == 0.1:
        quality = Scale(math.floor(lowest / step) * step, 1.0)
    numbers = [way.number for way in ways if not way.is_adaptive]
    across = Scale(numbers[0], max(numbers[-1], numbers[0] + 1))
    measure = "F1 of names" if found["measure"] == "F1" else "Share of labels right"
    level = f"{found['level']:.0%}".replace("%", " %")

    def place(way: Way, value: float) -> tuple[float, float]:
        return across.right(way.answers), quality.down(value)

    paths: list[Path] = []
    labels: list[Label] = []
    for is_adaptive, name in ((False, "fixed"), (True, "adaptive")):
        curve = [way for way in ways if way.is_adaptive == is_adaptive]
        if len(curve) < 2:
            continue
        tone = "k-ok" if is_adaptive else ""
        line = line_path([place(way, way.mean) for way in curve], tone=tone)
        ends = ([place(way, way.high) for way in curve], [place(way, way.low) for way in curve])
        paths += [band_path(*ends, tone=tone), line]
        last = curve[-1]
        labels.append(
            Label(
                *place(last, last.mean), name, "end", dx=-8, dy="-.7em" if is_adaptive else "1.4em"
            )
        )
    chosen = [way for way in ways if way.is_chosen]
    return Chart(
        title="What more answers bring",
        label=f"{measure} against the mean number of answers to each task, fixed and adaptive",
        explanation="plan",
        note=f"{measure}, {level} bands · across: answers to each task, on average",
        columns=("Answers", "On average", measure, level, *(["Cost"] if is_paid(ways) else [])),
        rows=tuple(
            (
                way.name, f"{way.answers:.1f}", share(way.mean),
                f"{share(way.low)}–{share(way.high)}",
                *([f"{money(way.mills)} {campaign.currency}"] if is_paid(ways) else []),
            )
            for way in ways
        ),
        height=HEIGHT,
        margin="right",
        across=tuple(
            Tick(
                across.right(number), f"{number}",
                "start" if number == numbers[0] else "end" if number == numbers[-1] else "middle",
            )
            for number in numbers
        ),
        up=ticks_of(quality, step),
        paths=tuple(paths),
        points=tuple(
            Point(
                *place(way, way.mean),
                f"{way.name}, {way.answers:.1f} answers on average: {share(way.mean)}",
                tone="k-ok" if way.is_adaptive else "",
                is_hollow=not way.is_chosen,
                radius=6 if way.is_chosen else 4,
            )
            for way in ways
        ),
        limits=(Limit(quality.down(wanted), f"target {share(wanted)}"),)
        if (wanted := _target(campaign)) is not None and wanted >= quality.low
        else (),
        labels=(
            *labels,
            *(
                Label(
                    *place(way, way.mean), f"chosen {share(way.mean)}",
                    "start" if way.answers == numbers[0] else "middle",  # clear of the axis
                    tone="a", dx=0, dy="-1.2em" if quality.down(way.mean) > TOP else "2.6em",
                )
                for way in chosen
            ),
        ),
    )  # fmt: skip


def _target(campaign: Campaign) -> float | None:
    """The quality that was named, where one was."""
    return campaign.target_quality
