"""Confidence sequences: intervals that hold at all times together, for whoever looks early.

Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", Journal of the
Royal Statistical Society B 86 (2024): the predictable plug-in empirical-Bernstein sequence (their
Theorem 2) and hedged betting (Theorem 3; without replacement, section 5). Values lie in [0, 1].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from evaluation.algorithms.intervals import LEVEL, Interval
from evaluation.algorithms.predictions import Floats, as_floats

GRID = 500


def empirical_bernstein_sequence(values: ArrayLike, level: float = LEVEL) -> Interval:
    """Of the mean, after each of the values; shape (n,). Running intersections."""
    z = _checked(values)
    alpha, t = 1 - level, np.arange(1, len(z) + 1)
    mean, spread = _plug_in(z)
    bet = np.minimum(np.sqrt(2 * np.log(2 / alpha) / (spread * t * np.log(1 + t))), 0.5)
    before = np.concatenate(([0.5], mean[:-1]))
    psi = (-np.log1p(-bet) - bet) * (z - before) ** 2  # v_t psi_E, with v_t = 4 (z - mean)^2 / 4
    total = np.cumsum(bet)
    centre = np.cumsum(bet * z) / total
    half = (np.log(2 / alpha) + np.cumsum(psi)) / total
    return _running(centre - half, centre + half)


def betting_sequence(
    values: ArrayLike, level: float = LEVEL, *, size: int | None = None, grid: int = GRID
) -> Interval:
    """Of the mean, after each of the values; shape (n,). Running intersections.

    For each mean on a grid two gamblers bet, that the mean is higher and that it is lower; means
    at which their joint capital has passed 1 / alpha are out. With `size` the values are drawn
    without replacement from so many, and the sequence closes on their mean when all are seen.
    """
    z = _checked(values)
    n = len(z)
    if size is not None and size < n:
        raise ValueError(f"{n} values can't be drawn without replacement from {size}")
    alpha, t = 1 - level, np.arange(1, n + 1)
    _, spread = _plug_in(z)
    bet = np.sqrt(2 * np.log(2 / alpha) / (spread * t * np.log(1 + t)))
    means = np.linspace(0, 1, grid + 1)
    up, down = np.zeros(grid + 1), np.zeros(grid + 1)  # logarithms of capital
    low, high = np.zeros(n), np.ones(n)
    seen, alive = 0.0, np.ones(grid + 1, dtype=bool)
    limit = np.log(2 / alpha)
    for i in range(n):
        centre = means
        if size is not None:  # of those that are left, if the whole had this mean
            centre = (size * means - seen) / (size - i)
            alive &= (centre >= -1e-12) & (centre <= 1 + 1e-12)
            centre = np.clip(centre, 0, 1)
        with np.errstate(divide="ignore"):
            most_up = np.minimum(bet[i], 0.5 / np.maximum(centre, 1e-12))
            most_down = np.minimum(bet[i], 0.5 / np.maximum(1 - centre, 1e-12))
        up += np.log1p(most_up * (z[i] - centre))
        down += np.log1p(-most_down * (z[i] - centre))
        seen += z[i]
        alive &= np.maximum(up, down) < limit
        left = np.flatnonzero(alive)
        if len(left):  # a step wider on both sides: the truth may lie between two of the grid
            low[i] = max(means[left[0]] - 1 / grid, 0)
            high[i] = min(means[left[-1]] + 1 / grid, 1)
        else:
            low[i], high[i] = low[i - 1] if i else 0.0, high[i - 1] if i else 1.0
    return _running(low, high)


def scaled_sequence(values: ArrayLike, largest: float, level: float = LEVEL) -> Interval:
    """Of the mean of values in [0, largest], such as p_i f / c; it may well be useless.

    A system with a small share of the draws has a bound far above its values; then the sequence
    stays wider than [0, 1] for thousands of judgments.
    """
    if not largest > 0:
        raise ValueError(f"the largest value must be above 0, but is {largest}")
    low, high = betting_sequence(as_floats(values) / largest, level)
    return np.minimum(low * largest, 1), np.minimum(high * largest, 1)


def _checked(values: ArrayLike) -> Floats:
    z = as_floats(values)
    if z.ndim != 1 or not ((z >= 0) & (z <= 1)).all():
        raise ValueError("values must be one row of numbers from 0 to 1")
    return z


def _plug_in(z: Floats) -> tuple[Floats, Floats]:
    """Means up to each value; variances up to the value before it, as bets may know no more."""
    t = np.arange(1, len(z) + 1)
    mean = (0.5 + np.cumsum(z)) / (t + 1)
    spread = (0.25 + np.cumsum((z - mean) ** 2)) / (t + 1)
    return mean, np.concatenate(([0.25], spread[:-1]))[: len(z)]


def _running(low: Floats, high: Floats) -> Interval:
    low = np.maximum.accumulate(np.clip(low, 0, 1))
    high = np.minimum.accumulate(np.clip(high, 0, 1))
    return low, np.maximum(low, high)
