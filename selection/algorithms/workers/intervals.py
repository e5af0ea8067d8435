"""95 % intervals of what a worker scores on gold."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.settings import check_between
from selection.algorithms.workers.scores import checked_counts

Floats = NDArray[np.float64]
NO_SPREAD = 1e-12  # of a variance: what is below is the arithmetic's own


def wilson_interval(
    right: ArrayLike, answered: ArrayLike, *, level: float = 0.95
) -> tuple[Floats, Floats]:
    """Wilson's, of answers that are right or wrong; 0 to 1 where there are none.

    Each of shape (n_workers,). Counts may be fractions: sums of scores, as if each score were all
    or nothing, so that the interval is rather too wide.
    """
    from scipy.special import ndtri

    c, n = checked_counts(right, answered)
    z = float(ndtri((1.0 + _checked(level)) / 2.0))
    some = np.maximum(n, 1.0)
    squared = z**2 / some
    mean = c / some
    centre = (mean + squared / 2) / (1 + squared)
    half = np.sqrt(squared * (mean * (1 - mean) + squared / 4)) / (1 + squared)
    low, high = np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)
    return np.where(n > 0, low, 0.0), np.where(n > 0, high, 1.0)


def student_interval(
    mean: ArrayLike, variance: ArrayLike, number: ArrayLike, *, level: float = 0.95
) -> tuple[Floats, Floats]:
    """Student's, of the mean of graded scores from 0 to 1; 0 to 1 for fewer than two.

    `variance` is that of single scores (with n - 1). Scores that are all alike show no spread, as
    three full marks do; then it is Wilson's, for they don't prove that the next is alike too. Each
    of shape (n_workers,).
    """
    from scipy.special import stdtrit

    n = np.asarray(number, dtype=np.float64)
    m, v = np.asarray(mean, dtype=np.float64), np.asarray(variance, dtype=np.float64)
    several = n >= 2
    free = np.where(several, n - 1, 1)
    spread = np.where(several, v, 0.0)
    half = stdtrit(free, (1.0 + _checked(level)) / 2.0) * np.sqrt(spread / (free + 1))
    alike = several & (spread <= NO_SPREAD)
    full_low, full_high = wilson_interval(np.where(alike, m * n, 0.0), np.where(alike, n, 0.0))
    low, high = np.maximum(m - half, 0.0), np.minimum(m + half, 1.0)
    spread_out = several & ~alike
    return np.where(spread_out, low, full_low), np.where(spread_out, high, full_high)


def _checked(level: float) -> float:
    check_between(0, 1, level=level)
    return level
