"""Dawid and Skene, *Maximum likelihood estimation of observer error-rates using the EM algorithm*,
Applied Statistics 28 (1979), 20-28: each worker has a confusion matrix of his own.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.categorical.confusions import (
    FLOOR,
    Crowd,
    Shards,
    Start,
    Statistics,
    Tables,
    check_iterations,
    check_not_negative,
    check_start,
    check_warm,
    climb,
    conclude,
    gains_less_than,
    inferred,
    normalised,
    posteriors_of,
    products_layout,
    shown_on_gold,
)
from aggregation.algorithms.categorical.gold_start import Shown
from aggregation.algorithms.data import CrowdLabels
from aggregation.algorithms.reliability import Reliability
from aggregation.algorithms.results import Diagnostics
from aggregation.algorithms.shards import Pool, ShardedLabels
from aggregation.algorithms.states import State, most_probable, not_negative, numbers


class DawidSkene:
    """Estimate true classes and worker confusions from redundant labels, by EM.

    With T[u, k] = P(truth of u is k | labels), p[k] the prevalence of k, E[w, k, l] = P(w says l
    | truth is k) and n[u, w, l] the number of times that w said l of u, one iteration is

        E[w, k, l] = (a[k, l] + sum_u T[u, k] n[u, w, l]) / sum over l of the same       (2.3)
        p[k]       = (c / K + sum_u T[u, k]) / sum over k of the same                    (2.4)
        T[u, k]    = p[k] prod_{w,l} E[w, k, l]^n[u, w, l] / sum over k of the same       (2.5)

    (numbers of the paper, which has no a and no c). It maximises the log-likelihood (2.7) plus
    sum a log E + sum (c / K) log p. It ends with (2.5), so labels agree with parameters.

    Parameters
    ----------
    diagonal, off_diagonal : float
        The pseudo-counts a[k, l] for k = l and for k != l. Both 0: maximum likelihood, which is
        worse than a vote where units have two labels, and far too sure of itself.
    class_prior : float
        The pseudo-count c: so many units, spread evenly over the classes.
    start : "shares", "mode" or "gold"
        The first T: the shares of the votes (3.1); all on the class with most votes; or what
        follows from each worker's accuracy on gold, his errors spread evenly and classes equally
        common. Where no gold was answered, "gold" is "shares".
    max_iter : int
    tol : float
        Stop when an iteration adds less than this to the objective, per label.

    Attributes
    ----------
    posterior_ : array of shape (n_units, n_classes)
        T. Rows sum to 1; a unit without labels has the prevalence. Not there after a fit of
        `ShardedLabels`, see `posteriors`.
    prevalence_ : array of shape (n_classes,)
    confusion_ : array of shape (n_workers, n_classes, n_classes)
        E. The last axis sums to 1; a worker without labels has the pseudo-counts' matrix.
    log_likelihood_ : list of float
        The objective after each iteration, in nats; never decreases.
    reliability_ : Reliability
        Accuracy is over the labels given: the mean of T[u, l].
    diagnostics_ : Diagnostics
    """

    posterior_: NDArray[np.float64]
    prevalence_: NDArray[np.float64]
    confusion_: NDArray[np.float64]
    log_likelihood_: list[float]
    reliability_: Reliability
    diagnostics_: Diagnostics
    _shards: Shards | None

    def __init__(
        self,
        *,
        diagonal: float = 1.0,
        off_diagonal: float = 0.5,
        class_prior: float = 1.0,
        start: Start = "shares",
        max_iter: int = 100,
        tol: float = 1e-5,
    ):
        check_not_negative(
            diagonal=diagonal, off_diagonal=off_diagonal, class_prior=class_prior, tol=tol
        )
        check_start(start)
        check_iterations(max_iter)
        self.diagonal, self.off_diagonal, self.class_prior = diagonal, off_diagonal, class_prior
        self.start, self.max_iter, self.tol = start, max_iter, tol

    def fit(
        self,
        labels: CrowdLabels | ShardedLabels,
        *,
        gold: ArrayLike | None = None,
        warm: DawidSkene | None = None,
        pool: Pool | None = None,
        shown: Shown | None = None,
    ) -> Self:
        """Estimate everything from `labels`.

        `gold`, shape (n_units,), holds the class of each unit whose truth is known and -1 for the
        others: known units keep their class in every E-step and enter every M-step.

        `warm` is an earlier fit, whose estimates are where this one begins; workers keep their
        numbers, and those after the last of them begin with the pseudo-counts' matrix.

        `pool` is where the shards live; without one, all is done in this process.

        `shown` is what the start "gold" begins from; without it, the labels of units in `gold`.
        """
        began = time.perf_counter()
        crowd = Crowd.opened(labels, gold, pool)
        ascent = climb(
            crowd,
            self._first(crowd, warm, shown),
            self._m_step,
            enough=gains_less_than(self.tol, crowd),
            max_iter=self.max_iter,
        )
        self.prevalence_ = ascent.tables.prevalence
        self.confusion_ = np.exp(ascent.tables.log_table.transpose(0, 2, 1))
        self.log_likelihood_ = ascent.objective
        conclude(self, crowd, ascent, began)
        return self

    def predict(self) -> NDArray[np.int64]:
        """Most probable class of each unit, shape (n_units,); of equals the lowest."""
        return np.asarray(self.posterior_.argmax(axis=1), dtype=np.int64)

    def posteriors(self) -> Iterator[NDArray[np.float64]]:
        """The posterior of each shard in turn; of data in memory all of it at once.

        After a fit of `ShardedLabels` the pool must be open still.
        """
        return posteriors_of(self)

    def infer(self, labels: CrowdLabels, *, gold: ArrayLike | None = None) -> NDArray[np.float64]:
        """T of other units, shape (n_units, n_classes), by (2.5) with what was estimated.

        Workers keep their numbers; those after the last of the fit have the pseudo-counts'
        matrix. `gold` is as in `fit`.
        """
        return inferred(self, labels, gold)

    def judge(
        self, labels: CrowdLabels, *, gold: ArrayLike | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """What `infer` gives, and the most probable class of each unit; of equals the lowest."""
        posterior = self.infer(labels, gold=gold)
        return posterior, most_probable(posterior)

    def state(self) -> State:
        """What `restore` needs: p and E."""
        return {"prevalence": self.prevalence_, "confusion": self.confusion_}

    @classmethod
    def restore(cls, state: Mapping[str, NDArray[Any]], **settings: Any) -> Self:
        """A fit that can `infer`, and be `warm`; `settings` are those of the constructor."""
        fitted = cls(**settings)
        found = numbers(state, prevalence="k", confusion="wkk")
        not_negative(found)
        fitted.prevalence_, fitted.confusion_ = found["prevalence"], found["confusion"]
        return fitted

    def _first(self, crowd: Crowd, warm: DawidSkene | None, shown: Shown | None) -> Tables:
        if warm is not None:
            return self._resumed(warm, crowd)
        on_gold = shown_on_gold(crowd, self.start, shown)
        if on_gold is None:
            return self._m_step(crowd.first(self.start))
        k = crowd.n_classes
        accuracy = on_gold.accuracy(k)
        confusion = np.empty((crowd.n_workers, k, k))
        confusion[:] = ((1.0 - accuracy) / max(k - 1, 1))[:, None, None]
        confusion[:, np.arange(k), np.arange(k)] = accuracy[:, None]
        return self._tables(np.full(k, 1.0 / k), confusion)

    def _m_step(self, statistics: Statistics) -> Tables:
        """(2.4) and (2.3)."""
        k = len(statistics.units)
        prevalence = normalised(statistics.units + self.class_prior / k, axis=0)
        confusion = normalised(statistics.said + self._pseudo_counts(k), axis=1)
        return self._tables(prevalence, confusion)

    def _resumed(self, warm: DawidSkene, crowd: Crowd) -> Tables:
        check_warm(warm, DawidSkene, crowd)
        newcomer = normalised(self._pseudo_counts(crowd.n_classes), axis=0)
        confusion = products_layout(warm.confusion_, crowd, newcomer)
        return self._tables(warm.prevalence_, confusion)

    def _tables(self, prevalence: NDArray[np.float64], confusion: NDArray[np.float64]) -> Tables:
        """`confusion` has the shape (n_workers, said, true)."""
        k = len(prevalence)
        prevalence = np.maximum(prevalence, FLOOR)
        log_confusion = np.log(np.maximum(confusion, FLOOR))
        penalty = (self._pseudo_counts(k) * log_confusion).sum()
        penalty += self.class_prior / k * np.log(prevalence).sum()
        return Tables(prevalence, log_confusion, float(penalty))

    def _pseudo_counts(self, n_classes: int) -> NDArray[np.float64]:
        """a, shape (n_classes, n_classes); it is symmetric."""
        counts = np.full((n_classes, n_classes), float(self.off_diagonal))
        np.fill_diagonal(counts, self.diagonal)
        return counts
