"""Confidence intervals. All come as (low, high), NaN where nothing can be estimated."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit, ndtri, stdtrit

from aggregation.algorithms.settings import check_between
from evaluation.algorithms.predictions import Estimates, Floats, as_floats

LEVEL = 0.90
FEW = 10.0  # right or wrong judgments, in effective ones, below which Wilson's interval is taken
CLOSE = 3.0  # standard deviations are so often as large as what is left to 0 or 1

Interval = tuple[Floats, Floats]


def quantile(level: float, df: ArrayLike | None = None) -> Floats:
    """z, or t with so many degrees of freedom, that leaves (1 - level) / 2 on each side."""
    check_between(0, 1, level=level)
    if df is None:
        return as_floats(ndtri((1 + level) / 2))
    return as_floats(stdtrit(np.maximum(as_floats(df), 1), (1 + level) / 2))


def normal_interval(
    value: ArrayLike, variance: ArrayLike, level: float = LEVEL, df: ArrayLike | None = None
) -> Interval:
    """value ± z s, cut at 0 and 1."""
    centre, half = as_floats(value), quantile(level, df) * np.sqrt(as_floats(variance))
    return np.clip(centre - half, 0, 1), np.clip(centre + half, 0, 1)


def wilson_interval(value: ArrayLike, effective: ArrayLike, level: float = LEVEL) -> Interval:
    """Wilson's score interval with so many effective judgments; of a census, the value itself."""
    p, n = np.clip(as_floats(value), 0, 1), as_floats(effective)
    z2 = quantile(level) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        each = np.where(np.isinf(n), 0.0, z2 / n)
        centre = (p + each / 2) / (1 + each)
        half = np.sqrt(each * p * (1 - p) + each**2 / 4) / (1 + each)
    return np.clip(centre - half, 0, 1), np.clip(centre + half, 0, 1)


def logit_interval(
    value: ArrayLike,
    variance: ArrayLike,
    level: float = LEVEL,
    df: ArrayLike | None = None,
    effective: ArrayLike | None = None,
) -> Interval:
    """By the delta method on the logit scale. At 0 and 1, where that has no meaning, Wilson's with
    `effective` judgments, or else NaN; and so close to them that it would hold nearly everything,
    ± z with what Wilson's holds."""
    p, v = as_floats(value), as_floats(variance)
    inside = (p > 0) & (p < 1)
    close = inside & (np.sqrt(v) > CLOSE * np.minimum(p, 1 - p))
    with np.errstate(divide="ignore", invalid="ignore"):
        safe = np.where(inside, p, 0.5)
        half = quantile(level, df) * np.sqrt(v) / (safe * (1 - safe))
        low, high = expit(logit(safe) - half), expit(logit(safe) + half)
    none = np.full(np.shape(p), np.nan)
    edge = (none, none) if effective is None else wilson_interval(p, effective, level)
    plain = quantile(level, df) * np.sqrt(v)
    around = np.fmin(edge[0], np.maximum(p - plain, 0)), np.fmax(edge[1], np.minimum(p + plain, 1))
    return (
        np.where(close, around[0], np.where(inside, low, edge[0])),
        np.where(close, around[1], np.where(inside, high, edge[1])),
    )


def precision_interval(
    estimates: Estimates, level: float = LEVEL, noise: ArrayLike = 0.0
) -> Interval:
    """Wilson's with as many judgments as the variance amounts to; with Kish's effective number
    where fewer than FEW of these are right, or wrong, and the variance itself is hardly known.

    `noise` is variance on top, of the labels themselves, that no more draws take away. It is
    weighed against the variance of the draws, which counts as if one judgment at least were wrong:
    where none is, the draws show no variance, and the least noise would be all there is. ± z
    covers less: .77 at a precision of .99 with 150 judgments, .84 at .97.
    """
    value, kish = np.clip(estimates.value, 0, 1), estimates.effective
    total = estimates.variance + as_floats(noise)
    with np.errstate(invalid="ignore", divide="ignore"):
        amounts = np.where(total > 0, value * (1 - value) / total, kish)
        rare = np.isfinite(kish) & (kish * np.minimum(value, 1 - value) < FEW)
        # Noise makes judgments worth less.
        of_draws = np.maximum(estimates.variance, (kish - 1) / kish**3)
        share = np.where(of_draws > 0, of_draws / (of_draws + as_floats(noise)), 1.0)
    return wilson_interval(value, np.where(rare, kish * share, amounts), level)


def product_interval(
    one: ArrayLike, ends: Interval, other: ArrayLike, other_ends: Interval
) -> Interval:
    """Of the product of two independent estimates, from the interval of each: on the log scale the
    distances to their ends add up as squares, on either side (Zou and Donner, Statistics in
    Medicine 27, 2008). Of 0 it is from 0 to the product of the upper ends."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = [
            [np.log(as_floats(each)) for each in (value, *its)]
            for value, its in ((one, ends), (other, other_ends))
        ]
        middle = logs[0][0] + logs[1][0]
        down, up = (np.hypot(*(np.abs(told[0] - told[end]) for told in logs)) for end in (1, 2))
        nothing = np.isneginf(middle)
        low = np.where(nothing, 0.0, np.exp(middle - down))
        high = np.where(nothing, as_floats(ends[1]) * other_ends[1], np.exp(middle + up))
        return low, np.minimum(high, 1)
