"""How fast answers come, and when so many more will be there, from counts by the hour: plain Python
without a query, and no numerics, since a web process imports it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

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


@dataclass(frozen=True, slots=True)
class Rate:
    """Answers a day, with the 95 % interval of what they are on average."""

    mean: float
    low: float
    high: float


class NoForecast(StrEnum):
    """Why there is no forecast."""

    EARLY = "early"  # too few blocks
    SILENT = "silent"  # no answer in any of them
    FAR = "far"  # longer than is foreseeable


def daily_rate(counts: Sequence[int], block: timedelta) -> Rate | None:
    """By the same model as `forecast`; None for too few blocks, or none with an answer."""
    blocks, seen = len(counts), sum(counts)
    if blocks < FEWEST_BLOCKS or not seen:
        return None
    spread = student(blocks - 1) * math.sqrt(dispersion(counts) / seen)
    mean = seen / blocks * (DAY / block)
    return Rate(mean, mean * math.exp(-spread), mean * math.exp(min(spread, 100.0)))


def dispersion(counts: Sequence[int]) -> float:
    """How many times the variance of a Poisson process theirs is; never taken below 1."""
    mean = sum(counts) / len(counts)
    variance = sum((count - mean) ** 2 for count in counts) / (len(counts) - 1)
    return max(1.0, variance / mean)


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
    spread = student(blocks - 1) * math.sqrt(dispersion(counts) * (1 / seen + 1 / remaining))
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


def start_of_hour(moment: datetime) -> datetime:
    return moment.replace(minute=0, second=0, microsecond=0)


def student(freedom: int) -> float:
    return STUDENT[freedom - 1] if freedom <= len(STUDENT) else NORMAL
