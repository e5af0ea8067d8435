"""How fast answers come, and when so many more will be there. Plain Python: no numerics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from annotation.models import Campaign, Rollup, Tally

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
RECENT = timedelta(days=7)  # what a forecast goes by
BY_DAY_FROM = 3 * DAY  # nights and days are one block as soon as there are three of them

Hours = Sequence[tuple[datetime, int]]  # when each began, and its counted answers

NORMAL = 1.959964  # the 97.5 % quantile
# The same of Student's t with 1, 2, … degrees of freedom.
STUDENT = (
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010,
    2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860, 2.0796, 2.0739,
    2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
)  # fmt: skip
FEWEST_BLOCKS = 3
FORESEEABLE = timedelta(days=730)


@dataclass(frozen=True, slots=True)
class Forecast:
    """How long it will take. The interval is the 95 % one; `latest` is None where it has no end
    that is worth telling."""

    soonest: timedelta
    likely: timedelta
    latest: timedelta | None


class NoForecast(StrEnum):
    """Why there is no forecast."""

    EARLY = "early"  # too few blocks
    SILENT = "silent"  # no answer in any of them
    FAR = "far"  # longer than is foreseeable


def forecast(counts: Sequence[int], block: timedelta, remaining: int) -> Forecast | NoForecast:
    """When `remaining` answers more will be there, if they come as they did in the blocks of
    `counts`, each `block` long; or why that can't be told.

    Answers come in bursts, so their variance is φ times that of a Poisson process, with φ
    estimated from the blocks and never taken below 1. The logarithm of the time for R answers,
    after N were seen, has the variance φ (1/N + 1/R): one part for the rate that is not known,
    one for the chance that is still to come. Few blocks tell little of φ, hence Student's t.
    """
    blocks, seen = len(counts), sum(counts)
    if remaining <= 0:
        return Forecast(timedelta(0), timedelta(0), timedelta(0))
    if blocks < FEWEST_BLOCKS:
        return NoForecast.EARLY
    if not seen:
        return NoForecast.SILENT
    mean = seen / blocks
    variance = sum((count - mean) ** 2 for count in counts) / (blocks - 1)
    dispersion = max(1.0, variance / mean)
    spread = student(blocks - 1) * math.sqrt(dispersion * (1 / seen + 1 / remaining))
    likely = remaining / mean * block.total_seconds()
    if likely > FORESEEABLE.total_seconds():
        return NoForecast.FAR
    latest = likely * math.exp(min(spread, 100.0))
    return Forecast(
        soonest=timedelta(seconds=likely * math.exp(-spread)),
        likely=timedelta(seconds=likely),
        latest=timedelta(seconds=latest) if latest <= FORESEEABLE.total_seconds() else None,
    )


def recent_blocks(hours: Hours, opened: datetime, counted: datetime) -> tuple[list[int], timedelta]:
    """Answers in equal blocks of the last week, or of the time since the campaign opened.

    The blocks end with the last hour that is over; days of 24 hours where there are three.
    """
    end = start_of_hour(counted)
    since = max(start_of_hour(opened), end - RECENT)
    block = DAY if end - since >= BY_DAY_FROM else HOUR
    counts = [0] * max(0, (end - since) // block)
    for hour, answers in hours:
        place = (end - hour - HOUR) // block  # counted back from the end
        if hour < end and place < len(counts):
            counts[place] += answers
    return counts, block


def expected_wait(campaign: Campaign, answers: int) -> Forecast | NoForecast:
    """When so many answers more will be there, at the pace of the last week. Two queries."""
    counted = Tally.objects.filter(campaign=campaign).first()
    if campaign.opened_at is None or counted is None:
        return NoForecast.EARLY
    since = start_of_hour(counted.counted_at) - RECENT
    hours = Rollup.objects.filter(campaign=campaign, hour__gte=since).order_by("hour")
    rows = list(hours.values_list("hour", "answers"))
    counts, block = recent_blocks(rows, campaign.opened_at, counted.counted_at)
    return forecast(counts, block, answers)


def start_of_hour(moment: datetime) -> datetime:
    return moment.replace(minute=0, second=0, microsecond=0)


def student(freedom: int) -> float:
    return STUDENT[freedom - 1] if freedom <= len(STUDENT) else NORMAL
