"""Estimates for pages, each with its interval. Plain Python: a web process imports no numerics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

NORMAL = 1.959964  # the 97.5 % quantile
# The same of Student's t with 1, 2, … degrees of freedom.
STUDENT = (
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010,
    2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860, 2.0796, 2.0739,
    2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
)  # fmt: skip
FEWEST_BLOCKS = 3
FORESEEABLE = timedelta(days=730)
FEWEST_WORKERS = 3
NO_SPREAD = 1e-6  # of a mean of scores: what is below is the arithmetic's own


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
    spread = _student(blocks - 1) * math.sqrt(dispersion * (1 / seen + 1 / remaining))
    likely = remaining / mean * block.total_seconds()
    if likely > FORESEEABLE.total_seconds():
        return NoForecast.FAR
    latest = likely * math.exp(min(spread, 100.0))
    return Forecast(
        soonest=timedelta(seconds=likely * math.exp(-spread)),
        likely=timedelta(seconds=likely),
        latest=timedelta(seconds=latest) if latest <= FORESEEABLE.total_seconds() else None,
    )


def score_interval(mean: float, number: int) -> tuple[float, float] | None:
    """The 95 % interval of a mean of `number` scores from 0 to 1 of one worker; None for no score.

    Wilson's, as if each score were all or nothing: no independent scores between 0 and 1 with
    this mean vary more, so for them the interval is rather too wide. For the scores of several
    workers it is too narrow, since those of one worker are alike: see `clustered_interval`.
    """
    if not number:
        return None
    squared = NORMAL**2 / number
    centre = (mean + squared / 2) / (1 + squared)
    half = math.sqrt(squared * (mean * (1 - mean) + squared / 4)) / (1 + squared)
    return max(0.0, centre - half), min(1.0, centre + half)


def clustered_interval(
    mean: float, squared_error: float, number: int, workers: int
) -> tuple[float, float] | None:
    """The 95 % interval of the mean of `number` scores from 0 to 1 that several workers have;
    None for fewer than three workers, whose spread tells too little.

    `squared_error` is Σ (sᵢ − mean nᵢ)², where worker i has the sum sᵢ of nᵢ scores: the workers
    vary, not the scores, so the variance of the mean is k/(k−1) Σ (sᵢ − mean nᵢ)² / (Σ nᵢ)² for k
    workers (the cluster-robust one of a ratio), with Student's t for k − 1 degrees of freedom.
    Workers who all did alike show no spread; each then counts as one score.
    """
    if workers < FEWEST_WORKERS:
        return None
    error = math.sqrt(max(0.0, squared_error) * workers / (workers - 1)) / number
    if error < NO_SPREAD:
        return score_interval(mean, workers)
    half = _student(workers - 1) * error
    return max(0.0, mean - half), min(1.0, mean + half)


def _student(freedom: int) -> float:
    return STUDENT[freedom - 1] if freedom <= len(STUDENT) else NORMAL
