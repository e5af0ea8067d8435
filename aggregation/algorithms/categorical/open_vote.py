"""A weighted vote where the classes are open: links into a knowledge base, dates.

The one-coin model (`one_coin`), but of each unit only what somebody said of it is looked at, so
that neither memory nor time grows with the number of classes there are.
"""

from __future__ import annotations

import time
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.estimators import Estimator
from aggregation.algorithms.results import Diagnostics
from aggregation.algorithms.settings import check_at_least

FLOOR = 1e-9
RIGHT, WRONG = 1.0, 0.5  # pseudo-counts of an accuracy, as in `OneCoin`


class OpenVote(Estimator):
    """What each unit is, by EM over what was said of it.

    With a[w] the accuracy of worker w and V the number of possible answers to a unit, a vote for c
    weighs e[w] = ln a[w] (V - 1) / (1 - a[w]), and

        P(c | votes on u) = exp(sum of e over votes for c) / (sum of the same over all candidates,
                            and 1 for each of the V answers that nobody gave)
        a[w] = (1 + sum of P(what w said)) / (1.5 + number of votes of w)

    V is the largest number of different answers to one unit, at least 2: wrong answers are few
    and alike (entries of similar names), however large the knowledge base is.

    A vote may count in part. Ties: the lowest label. Takes no gold and no earlier fit.

    Parameters
    ----------
    max_iter : int
    tol : float
        Stop when no probability moves by more.

    Attributes
    ----------
    label_ : array of shape (n_units,)
        -1 for a unit without votes.
    confidence_ : array of shape (n_units,)
        P; NaN without votes.
    accuracy_ : array of shape (n_workers,)
    diagnostics_ : Diagnostics
        There is no objective.
    """

    label_: NDArray[np.int64]
    confidence_: NDArray[np.float64]
    accuracy_: NDArray[np.float64]
    diagnostics_: Diagnostics

    def __init__(self, *, max_iter: int = 100, tol: float = 1e-3):
        check_at_least(1, max_iter=max_iter)
        self.max_iter, self.tol = max_iter, tol

    def fit(
        self,
        unit: ArrayLike,
        worker: ArrayLike,
        label: ArrayLike,
        count: ArrayLike | None = None,
        *,
        n_units: int,
        n_workers: int,
    ) -> Self:
        """`unit`, `worker`, `label` (0 or more) and `count` (1 if not given; what part of a vote
        it is) have the shape (n_votes,)."""
        began = time.perf_counter()
        units, workers, labels = (np.asarray(v, dtype=np.int64) for v in (unit, worker, label))
        part = np.ones(len(units)) if count is None else np.asarray(count, dtype=np.float64)
        width = int(labels.max(initial=0)) + 1
        keys, candidate = np.unique(units * width + labels, return_inverse=True)
        of, name = np.divmod(keys, width)
        n_said = np.bincount(of, minlength=n_units)
        possible = max(2, int(n_said.max(initial=0)))

        def summed(values: NDArray[np.float64]) -> NDArray[np.float64]:
            return np.bincount(candidate, values, minlength=len(keys)).astype(np.float64)

        votes = summed(part)
        total = np.bincount(of, votes, minlength=n_units)
        sure = votes / np.maximum(total[of], FLOOR)
        given = np.bincount(workers, part, minlength=n_workers)
        converged, iterations = False, 0
        while not converged and iterations < self.max_iter:
            right = np.bincount(workers, part * sure[candidate], minlength=n_workers)
            accuracy = (RIGHT + right) / (RIGHT + WRONG + given)
            # Who is worse than chance speaks for nothing, rather than against what they say.
            accuracy = np.maximum(accuracy, 1.0 / possible)
            odds = np.log(accuracy * (possible - 1) / np.maximum(1.0 - accuracy, FLOOR))
            score = summed(part * odds[workers])
            top = np.zeros(n_units)
            np.maximum.at(top, of, score)
            n_absent = np.maximum(possible - n_said, 0) * np.exp(-top)
            share = np.exp(score - top[of])
            bottom = n_absent + np.bincount(of, share, minlength=n_units)
            before, sure = sure, share / bottom[of]
            converged = bool(np.abs(sure - before).max(initial=0.0) < self.tol)
            iterations += 1
        self.accuracy_ = accuracy
        self.label_ = np.full(n_units, -1)
        self.confidence_ = np.full(n_units, np.nan)
        # Written in the order of rising confidence, of equals the lowest label last.
        order = np.lexsort((-name, np.round(sure, 9)))
        self.label_[of[order]] = name[order]
        self.confidence_[of[order]] = sure[order]
        self.diagnostics_ = Diagnostics(
            objective=(),
            converged=converged,
            iterations=iterations,
            seconds=time.perf_counter() - began,
        )
        return self
