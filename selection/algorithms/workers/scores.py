"""Li and Liu, *Cheaper and Better: Selecting Good Workers for Crowdsourcing*: what answers to
control questions say of a worker, and of a set of workers.

Of worker i, n_i control questions were asked and c_i answered rightly; there are L classes. Numbers
in brackets are the paper's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.settings import check_at_least, check_between

Floats = NDArray[np.float64]

FEWEST = 2  # control answers; of fewer there is no variance


def checked_counts(right: ArrayLike, answered: ArrayLike) -> tuple[Floats, Floats]:
    """Both as floats, shape (n_workers,); ValueError where they are no counts."""
    c, n = np.asarray(right, dtype=np.float64), np.asarray(answered, dtype=np.float64)
    if c.ndim != 1 or c.shape != n.shape:
        raise ValueError(f"right has the shape {c.shape}, but answered has {n.shape}")
    bad = np.flatnonzero(~((c >= 0) & (c <= n) & np.isfinite(n)))
    if bad.size:
        i = int(bad[0])
        raise ValueError(f"worker {i} has {c[i]:g} right of {n[i]:g} answers")
    return c, n


def check_classes(n_classes: int) -> None:
    check_at_least(2, n_classes=n_classes)


def accuracies(right: ArrayLike, answered: ArrayLike) -> Floats:
    """w = c / n (10), shape (n_workers,); NaN of a worker who was asked nothing."""
    c, n = checked_counts(right, answered)
    return np.divide(c, n, out=np.full(len(n), np.nan), where=n > 0)


def variances(right: ArrayLike, answered: ArrayLike) -> Floats:
    """w (1 - w) / (n - 1), unbiased for the variance of w (10); NaN for less than two answers."""
    c, n = checked_counts(right, answered)
    w = c / np.maximum(n, 1)
    return np.divide(w * (1.0 - w), n - 1, out=np.full(len(n), np.nan), where=n >= FEWEST)


def bias_corrected(accuracy: ArrayLike, variance: ArrayLike, n_classes: int) -> Floats:
    """q = (L w - 1)^2 - L^2 var(w) (8), shape (n_workers,).

    Unbiased for the square at the true accuracy, where w and its variance are unbiased.
    """
    check_classes(n_classes)
    w, v = np.asarray(accuracy, dtype=np.float64), np.asarray(variance, dtype=np.float64)
    return (n_classes * w - 1.0) ** 2 - n_classes**2 * v


def unbiased_scores(right: ArrayLike, answered: ArrayLike, n_classes: int) -> Floats:
    """q of answers that are right or wrong, shape (n_workers,); NaN for less than two answers.

    `bias_corrected` of `accuracies` and `variances`, written as a parabola in w (26), which takes
    fewer passes over a million workers:

        q = (L^2 n w^2 - (2 L (n - 1) + L^2) w) / (n - 1) + 1
    """
    check_classes(n_classes)
    c, n = checked_counts(right, answered)
    size = float(n_classes)
    several = n >= FEWEST
    n = np.where(several, n, FEWEST)
    q = size**2 * c  # n w is c
    q -= 2.0 * size * (n - 1.0) + size**2
    q *= c
    q /= n * (n - 1.0)
    q += 1.0
    q[~several] = np.nan
    return q


def plug_in_scores(right: ArrayLike, answered: ArrayLike, n_classes: int) -> Floats:
    """(L w - 1)^2 (9), shape (n_workers,); NaN for less than two answers.

    On average higher than the square at the true accuracy, by L^2 times the variance of w.
    """
    check_classes(n_classes)
    scores = (n_classes * accuracies(right, answered) - 1.0) ** 2
    scores[np.asarray(answered) < FEWEST] = np.nan
    return scores


def crowd_score(scores: ArrayLike) -> float:
    """F = sum of the scores / root of how many they are (5), (7), (9); 0 of nobody."""
    q = np.asarray(scores, dtype=np.float64)
    return float(q.sum() / np.sqrt(len(q))) if len(q) else 0.0


def error_bound(crowd: float, n_classes: int) -> float:
    """What the mean error of the linear vote of a set with the true F `crowd` can't pass (4).

    exp(-F^2 / (2 (L - 1)^4) + ln(L - 1)), at most 1. It is loose: fit to compare sets with, never
    to foretell an error. F must be that of the true accuracies, and not negative.
    """
    check_classes(n_classes)
    rest = n_classes - 1
    exponent = -(max(crowd, 0.0) ** 2) / (2.0 * rest**4) + np.log(rest)
    return float(np.exp(min(exponent, 0.0)))


def score_ranges(answered: ArrayLike, n_classes: int) -> Floats:
    """R = (L - 1)^2 + (L - 1) / n + L^2 / (4 n (n - 1)): from the lowest q that n answers can give
    to the highest; shape (n_workers,), NaN for less than two.
    """
    check_classes(n_classes)
    n = np.asarray(answered, dtype=np.float64)
    several = n >= FEWEST
    n = np.where(several, n, FEWEST)
    rest = n_classes - 1
    return np.where(several, rest**2 + rest / n + n_classes**2 / (4 * n * (n - 1)), np.nan)


def crowd_interval(
    scores: ArrayLike, ranges: ArrayLike, *, level: float = 0.95, pool: int = 0
) -> tuple[float, float]:
    """Where F of the true accuracies is: Theorem 3, by Hoeffding's inequality.

    With R^2 the mean of the squared ranges and d = 1 - level,

        F +- R sqrt((ln(2 / d) + pool ln 2) / 2)

    Parameters
    ----------
    scores, ranges : arrays of shape (n_members,)
        q and R of the members.
    level : float
        How often it holds, at least.
    pool : int
        0: for a set that was named before the answers were seen. For a set that was selected for
        its scores, the number of workers it was selected from: then it holds for all of their sets
        at once. Without that it does not hold: high scores are high by luck too.
    """
    check_between(0, 1, level=level)
    check_at_least(0, pool=pool)
    q, r = np.asarray(scores, dtype=np.float64), np.asarray(ranges, dtype=np.float64)
    if q.shape != r.shape:
        raise ValueError(f"there are {len(q)} scores, but {len(r)} ranges")
    if not len(q):
        return 0.0, 0.0
    middle = crowd_score(q)
    doubt = (np.log(2.0 / (1.0 - level)) + pool * np.log(2.0)) / 2.0
    half = float(np.sqrt((r**2).mean() * doubt))
    return middle - half, middle + half
