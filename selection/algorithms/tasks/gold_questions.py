"""Gold questions: which of them good workers fail, and in what order they are given out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
LEVEL = 0.01  # that any question without a fault is suspicious
WORSE = 0.25  # of a score, below what the same workers reach elsewhere
HALF = 0.5


@dataclass(frozen=True, slots=True)
class Questions:
    """What is known of each gold question; arrays of shape (n_questions,).

    Attributes
    ----------
    suspicious : workers who do well elsewhere fail it: it may be wrong, or hidden somewhere.
    mean : of its scores; NaN without.
    expected : the mean of what the same workers score elsewhere; NaN where nobody has other scores.
    number : of its scores.
    """

    suspicious: NDArray[np.bool_]
    mean: Floats
    expected: Floats
    number: NDArray[np.int64]


def check_questions(
    question: ArrayLike, worker: ArrayLike, score: ArrayLike, n_questions: int, n_workers: int
) -> Questions:
    """Gold questions on which workers score far below what they score on the others.

    Each score is compared with the mean of its worker's other scores; workers without others say
    nothing. A question is suspicious where the mean difference is below -1/4 with certainty (a
    normal test at LEVEL over all questions, the variance of the differences pooled over them) and
    at least three such workers answered it.
    """
    q, w = np.asarray(question, dtype=np.int64), np.asarray(worker, dtype=np.int64)
    x = np.asarray(score, dtype=np.float64)
    number = np.bincount(q, minlength=n_questions)
    total = np.bincount(q, weights=x, minlength=n_questions)
    mean = np.divide(total, number, out=np.full(n_questions, np.nan), where=number > 0)
    of_worker = np.bincount(w, minlength=n_workers)
    sums = np.bincount(w, weights=x, minlength=n_workers)
    others = of_worker[w] - 1
    told = others > 0
    elsewhere = (sums[w] - x)[told] / others[told]
    q, difference = q[told], x[told] - elsewhere
    heard = np.bincount(q, minlength=n_questions)
    expected = np.bincount(q, weights=elsewhere, minlength=n_questions)
    expected = np.divide(expected, heard, out=np.full(n_questions, np.nan), where=heard > 0)
    off = np.bincount(q, weights=difference, minlength=n_questions)
    off = np.divide(off, heard, out=np.zeros(n_questions), where=heard > 0)
    free = max(int((heard > 1).sum()), 1)
    spread = float(((difference - off[q]) ** 2).sum() / max(len(q) - free, 1))
    error = np.sqrt(max(spread, 1e-4) / np.maximum(heard, 1))
    high = off + _normal(LEVEL / max(n_questions, 1)) * error
    return Questions((heard >= 3) & (high < -WORSE), mean, expected, number)


def spread_by_difficulty(
    mean: ArrayLike, rng: np.random.Generator, *, strata: int = 3
) -> NDArray[np.int64]:
    """An order of the questions in which easy and hard ones take turns, shape (n_questions,).

    `mean` of their scores; one without (NaN) counts as of middling difficulty. Each run of `strata`
    questions holds one of each stratum, drawn by lot, in an order drawn by lot.
    """
    m = np.asarray(mean, dtype=np.float64)
    middling = np.nanmedian(m) if (~np.isnan(m)).any() else 0.0
    drawn = rng.permutation(len(m))
    ranked = drawn[np.argsort(np.where(np.isnan(m), middling, m)[drawn], kind="stable")]
    parts = [rng.permutation(part) for part in np.array_split(ranked, strata)]
    place = np.concatenate([np.arange(len(part)) + rng.random(len(part)) * HALF for part in parts])
    return np.concatenate(parts)[np.argsort(place, kind="stable")].astype(np.int64)


def _normal(level: float) -> float:
    """The quantile that is passed with this probability, on one side."""
    from scipy.special import ndtri

    return float(-ndtri(level))
