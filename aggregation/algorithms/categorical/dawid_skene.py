"""Dawid and Skene, *Maximum likelihood estimation of observer error-rates using the EM algorithm*,
Applied Statistics 28 (1979), 20-28: each worker has a confusion matrix of their own.

The loop and the E-step are in `em`; the M-step and the prior are here.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.categorical.confusion_model import (
    ConfusionModel,
    check_warm,
    gold_to_start_from,
    with_new_workers,
)
from aggregation.algorithms.categorical.em import (
    FLOOR,
    STARTS,
    ExpectedCounts,
    Parameters,
    Start,
    expectation_maximisation,
    gains_less_than,
    normalised,
)
from aggregation.algorithms.categorical.em_shards import ShardedUnits
from aggregation.algorithms.categorical.evidence import CountTables
from aggregation.algorithms.categorical.gold_start import GoldCounts
from aggregation.algorithms.data import CrowdLabels
from aggregation.algorithms.fitted_state import State, not_negative, numbers
from aggregation.algorithms.settings import check_at_least, check_choice
from aggregation.algorithms.shards import Pool, ShardedLabels


class DawidSkene(ConfusionModel):
    """Estimate true classes and worker confusions from redundant labels, by EM.

    With T[u, k] = P(truth of u is k | labels), p[k] the prevalence of k, E[w, k, l] =
    P(w labels l | truth is k) and n[u, w, l] the number of times that w gave u the label l, one
    iteration is

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
        follows from each worker's accuracy on gold, their errors spread evenly and classes equally
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

    prevalence_: NDArray[np.float64]
    log_likelihood_: list[float]

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
        check_at_least(
            0, diagonal=diagonal, off_diagonal=off_diagonal, class_prior=class_prior, tol=tol
        )
        check_choice(STARTS, start=start)
        check_at_least(1, max_iter=max_iter)
        self.diagonal, self.off_diagonal, self.class_prior = diagonal, off_diagonal, class_prior
        self.start, self.max_iter, self.tol = start, max_iter, tol

    def fit(
        self,
        labels: CrowdLabels | ShardedLabels,
        *,
        gold: ArrayLike | None = None,
        warm: DawidSkene | None = None,
        pool: Pool | None = None,
        gold_counts: GoldCounts | None = None,
    ) -> Self:
        """Estimate everything from `labels`.

        `gold`, shape (n_units,), holds the class of each unit whose truth is known and -1 for the
        others: known units keep their class in every E-step and enter every M-step.

        `warm` is an earlier fit, whose estimates are where this one begins; workers keep their
        numbers, and those after the last of them begin with the pseudo-counts' matrix.

        `pool` is where the shards live; without one, all is done in this process.

        `gold_counts` is what the start "gold" begins from; without it, the labels of units in
        `gold`.
        """
        began = time.perf_counter()
        units = ShardedUnits.open(self._read(labels), gold, pool)
        maximum = expectation_maximisation(
            units,
            self._initial(units, warm, gold_counts),
            self._m_step,
            has_converged=gains_less_than(self.tol, units.labels.n_labels),
            max_iter=self.max_iter,
        )
        self.prevalence_ = maximum.parameters.prevalence
        self.confusion_ = np.exp(maximum.parameters.log_confusion.transpose(0, 2, 1))
        self.log_likelihood_ = maximum.objective
        self._store(units, maximum, began)
        return self

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

    def _initial(
        self, units: ShardedUnits, warm: DawidSkene | None, gold_counts: GoldCounts | None
    ) -> Parameters:
        if warm is not None:
            return self._resumed(warm, units)
        on_gold = gold_to_start_from(units, self.start, gold_counts)
        if on_gold is None:
            return self._m_step(units.initial_counts(self.start))
        k = units.n_classes
        accuracy = on_gold.accuracy(k)
        confusion = np.empty((units.n_workers, k, k))
        confusion[:] = ((1.0 - accuracy) / max(k - 1, 1))[:, None, None]
        confusion[:, np.arange(k), np.arange(k)] = accuracy[:, None]
        return self._parameters(np.full(k, 1.0 / k), confusion)

    def _m_step(self, counts: ExpectedCounts) -> Parameters:
        """(2.4) and (2.3)."""
        k = len(counts.units)
        prevalence = normalised(counts.units + self.class_prior / k, axis=0)
        confusion = normalised(counts.labels + self._pseudo_counts(k), axis=1)
        return self._parameters(prevalence, confusion)

    def _tables(self, counts: ExpectedCounts) -> CountTables:
        return CountTables(self.prevalence_, counts.labels + self._pseudo_counts(len(counts.units)))

    def _resumed(self, warm: DawidSkene, units: ShardedUnits) -> Parameters:
        check_warm(warm, DawidSkene, units)
        newcomer = normalised(self._pseudo_counts(units.n_classes), axis=0)
        confusion = with_new_workers(warm.confusion_, units, newcomer)
        return self._parameters(warm.prevalence_, confusion)

    def _parameters(
        self, prevalence: NDArray[np.float64], confusion: NDArray[np.float64]
    ) -> Parameters:
        """`confusion` has the shape (n_workers, label, true)."""
        k = len(prevalence)
        prevalence = np.maximum(prevalence, FLOOR)
        log_confusion = np.log(np.maximum(confusion, FLOOR))
        log_prior = (self._pseudo_counts(k) * log_confusion).sum()
        log_prior += self.class_prior / k * np.log(prevalence).sum()
        return Parameters(prevalence, log_confusion, float(log_prior))

    def _pseudo_counts(self, n_classes: int) -> NDArray[np.float64]:
        """a, shape (n_classes, n_classes); it is symmetric."""
        counts = np.full((n_classes, n_classes), float(self.off_diagonal))
        np.fill_diagonal(counts, self.diagonal)
        return counts
