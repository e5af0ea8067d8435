"""Gold score against volume as a chart, a point a worker."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from annotation.models import Campaign, Enrollment
from annotation.queries.worker_names import worker_name
from annotation.querysets.workers import OUT, EnrollmentQuerySet
from dashboard.campaigns.queries import GoldMean, score_of
from dashboard.charts import (
    STEPS,
    Chart,
    Label,
    Limit,
    Point,
    Scale,
    Tick,
    count_scale,
    share_ticks,
)
from dashboard.templatetags.figures import share
from dashboard.workers.tones import needed, tone_of

MOST = 400  # points; more lie on each other, and make a page heavy
LEFT = 3.0  # hundredths: where the fewest answers lie on a logarithmic axis
APART = 12.0  # between two numbers on it
SKEWED = 40  # times the fewest answers, from which on the axis is a logarithmic one
SHARES = Scale(0, 1)
LARGE = 250  # points, of which more are drawn smaller
# What a label takes of the drawing, in hundredths: on a laptop, and on a phone.
TALL, WIDE, WIDE_ON_PHONES = 7.0, 16.0, 34.0
MOST_LABELS = 12


@dataclass(frozen=True, slots=True)
class Tested:
    """A worker who has met hidden gold."""

    row: Enrollment
    name: str
    gold: GoldMean
    low: float
    high: float
    tone: str
    x: float

    @property
    def y(self) -> float:
        return SHARES.down(self.gold.mean)

    @property
    def words(self) -> str:
        return (
            f"{self.name}: {share(self.gold.mean)}, {share(self.low)} to {share(self.high)}, "
            f"{self.row.submitted:,} answers, {self.row.state}"
        )


def plot(enrollments: EnrollmentQuerySet, campaign: Campaign, *, with_ids: bool) -> Chart | None:
    """Two queries. Those with the most answers, where there are too many; None for nobody."""
    met_gold = enrollments.with_answers().filter(gold_seen__gt=0)
    rows = list(
        met_gold.select_related("worker")
        .only(
            "key", "state", "submitted", "gold_seen", "gold_score_sum", "worker__display_name",
            "worker__external_id",
        )
        .order_by("-submitted", "pk")[: MOST + 1]
    )  # fmt: skip
    if not rows:
        return None
    number = len(rows) if len(rows) <= MOST else met_gold.count()
    drawn = rows[:MOST]
    axis = _axis([row.submitted for row in drawn])
    tested = [_tested(row, campaign, axis, with_ids) for row in drawn]
    line = needed(campaign)
    aim = () if line is None else (Limit(SHARES.down(line), f"needed to qualify {share(line)}"),)
    few = (
        f" · the {len(drawn):,} with the most answers of {number:,}" if number > len(drawn) else ""
    )
    return Chart(
        title="Gold score and volume",
        label="Gold score with its 95 % interval against the number of answers, a point a worker",
        note=f"mean score on hidden gold, 95 % · hollow: paused or blocked{few}",
        explanation="gold-score",
        columns=("Worker", "Gold score", "95 %", "Gold answers", "Answers"),
        rows=tuple(
            (
                one.name, share(one.gold.mean), f"{share(one.low)}–{share(one.high)}",
                f"{one.gold.number:,}", f"{one.row.submitted:,}",
            )
            for one in tested
        ),
        height=266,
        across=axis.ticks,
        up=share_ticks(SHARES, 0.5),
        points=tuple(_point(one, campaign, small=len(tested) > LARGE) for one in tested),
        limits=aim,
        labels=_labels(tested),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Axis:
    """Of numbers of answers: from zero, or by the logarithm where they differ by dozens."""

    least: int
    most: int
    ticks: tuple[Tick, ...]
    scale: Scale | None  # None: logarithmic

    def right(self, answers: int) -> float:
        if self.scale is not None:
            return self.scale.right(answers)
        part = math.log(answers / self.least) / math.log(self.most / self.least)
        return round(LEFT + (100 - LEFT) * part, 2)


def _axis(answers: Sequence[int]) -> Axis:
    least, most = min(answers), max(answers)
    if most < SKEWED * least:
        scale, values = count_scale(most)
        whole = [int(value) for value in values if value == int(value)]
        ticks = [Tick(scale.right(value), f"{value:,}") for value in whole]
        return Axis(least, most, (*_first(ticks[:-1]), _last(ticks[-1])), scale)
    axis = Axis(least, most, (), None)
    shown = [Tick(axis.right(least), f"{least:,}")]
    for number in (step * 10**power for power in range(10) for step in STEPS):
        at = axis.right(number) if least < number < most else 0.0
        if at - shown[-1].at >= APART and 100 - at >= 2 * APART:  # a word stands at the end
            shown.append(Tick(at, f"{number:,}", is_roomy=len(shown) % 2 == 1))
    return Axis(least, most, (*shown, _last(Tick(100, f"{most:,}"))), None)


def _first(ticks: list[Tick]) -> list[Tick]:
    """Zero begins under the drawing; the number before the last is in its way on a phone."""
    before_last = len(ticks) - 1
    return [
        Tick(tick.at, tick.text, "start" if not i else "middle", is_roomy=0 < i == before_last)
        for i, tick in enumerate(ticks)
    ]


def _last(tick: Tick) -> Tick:
    return Tick(tick.at, f"{tick.text} answer{'' if tick.text == '1' else 's'}", "end")


def _tested(row: Enrollment, campaign: Campaign, axis: Axis, with_ids: bool) -> Tested:
    score = score_of(row.gold_score_sum, row.gold_seen)
    assert score is not None  # of tested ones alone
    low, high = score.interval or (score.mean, score.mean)
    return Tested(
        row, worker_name(row, with_ids=with_ids), score, low, high, tone_of(score, campaign),
        axis.right(row.submitted),
    )  # fmt: skip


def _point(one: Tested, campaign: Campaign, *, small: bool) -> Point:
    return Point(
        x=one.x,
        y=one.y,
        title=one.words,
        low=SHARES.down(one.low),
        high=SHARES.down(one.high),
        tone=one.tone,
        is_hollow=one.row.state in OUT,
        radius=3 if small else 4,
        href=reverse("manage:worker", args=[campaign.slug, one.row.key]),
    )


def _labels(tested: Sequence[Tested]) -> tuple[Label, ...]:
    """Names of those whom somebody looks for: the weak, then those with the most answers; as many
    as stand clear of each other, and of them fewer on a phone."""
    weak = sorted((one for one in tested if one.tone), key=lambda one: one.gold.mean)
    found: list[Label] = []
    for one in [*weak, *(one for one in tested if not one.tone)]:
        ends = one.x > 100 - WIDE
        if len(found) >= MOST_LABELS or not _is_clear(one, found, WIDE):
            continue
        found.append(
            Label(
                one.x,
                one.y,
                one.name,
                "end" if ends else "start",
                "ink",
                dx=-8 if ends else 8,
                is_roomy=not _is_clear(
                    one, [label for label in found if not label.is_roomy], WIDE_ON_PHONES
                ),
            )
        )
    return tuple(found)


def _is_clear(one: Tested, labels: Sequence[Label], width: float) -> bool:
    return all(abs(one.y - label.y) > TALL or abs(one.x - label.x) > width for label in labels)
