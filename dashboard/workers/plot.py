"""Gold accuracy against volume as marks of a drawing, a mark a worker."""

from __future__ import annotations

import math
import uuid
from collections.abc import Collection
from dataclasses import dataclass

from annotation.models import Enrollment
from annotation.queries.worker_names import worker_name
from annotation.querysets.workers import EnrollmentQuerySet
from dashboard.campaigns.queries import score_of

MOST = 400  # marks; more lie on each other, and make a page heavy
LEFT, RIGHT = 6.0, 97.0  # of the drawing, in hundredths: where the fewest and the most answers lie
TOP, BOTTOM = 6.0, 88.0  # where all is right, and nothing
APART = 9.0  # between two numbers on the axis
STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class PlotPoint:
    """In hundredths of the drawing; `y`, `low` and `high` count from the top."""

    key: uuid.UUID
    label: str
    state: str
    x: float
    y: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Plot:
    points: tuple[PlotPoint, ...]
    across: tuple[tuple[float, int], ...]  # where a number of answers stands on the axis
    up: tuple[tuple[float, str], ...]  # where a score stands
    states: tuple[str, ...]  # that occur, as a worker passes through them
    number: int  # of workers who could have a mark


def plot(enrollments: EnrollmentQuerySet, *, with_ids: bool) -> Plot | None:
    """Two queries. Those with the most answers, where there are too many; None for nobody."""
    tested = enrollments.with_answers().filter(gold_seen__gt=0)
    rows = list(
        tested.select_related("worker")
        .only(
            "key", "state", "submitted", "gold_seen", "gold_score_sum", "worker__display_name",
            "worker__external_id",
        )
        .order_by("-submitted", "pk")[: MOST + 1]
    )  # fmt: skip
    if not rows:
        return None
    number = len(rows) if len(rows) <= MOST else tested.count()
    drawn = rows[:MOST]
    least, most = drawn[-1].submitted, drawn[0].submitted
    points = tuple(_point(row, least, most, with_ids) for row in drawn)
    return Plot(
        points=points,
        across=_numbers(least, most),
        up=tuple((_up(value), text) for value, text in ((1, "1"), (0.5, ".5"), (0, "0"))),
        states=tuple(_in_order({point.state for point in points})),
        number=number,
    )


def _point(row: Enrollment, least: int, most: int, with_ids: bool) -> PlotPoint:
    score = score_of(row.gold_score_sum, row.gold_seen)
    assert score is not None  # of tested ones alone
    low, high = score.interval or (score.mean, score.mean)
    return PlotPoint(
        key=row.key,
        label=f"{worker_name(row, with_ids=with_ids)}: {score.mean:.2f} "
        f"({low:.2f}–{high:.2f}) on gold, {row.submitted:,} answers, {row.state}",
        state=row.state,
        x=_across(row.submitted, least, most),
        y=_up(score.mean),
        low=_up(low),
        high=_up(high),
    )


def _across(answers: int, least: int, most: int) -> float:
    """By the logarithm: volumes differ by hundreds."""
    if most == least:
        return RIGHT
    return round(LEFT + (RIGHT - LEFT) * math.log(answers / least) / math.log(most / least), 2)


def _up(score: float) -> float:
    return round(BOTTOM - (BOTTOM - TOP) * min(max(score, 0.0), 1.0), 2)


def _numbers(least: int, most: int) -> tuple[tuple[float, int], ...]:
    """The fewest, the most, and round ones between them, as many as there is room for."""
    end = (_across(most, least, most), most)
    if least == most:
        return (end,)
    rounds = (step * 10**power for power in range(10) for step in STEPS)
    shown = [(_across(least, least, most), least)]
    for number in rounds:
        at = _across(number, least, most) if least < number < most else LEFT
        if at - shown[-1][0] >= APART and end[0] - at >= 2 * APART:  # a word stands at the end
            shown.append((at, number))
    return (*shown, end)


def _in_order(states: Collection[str]) -> list[str]:
    return [state for state in Enrollment.State.values if state in states]
