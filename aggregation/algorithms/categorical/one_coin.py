"""Dawid and Skene's model with one number for each worker: how often they are right.

Dawid and Skene, Applied Statistics 28 (1979), 20-28, with the tables of all workers reduced to an
accuracy; as "one-coin model" in Zhang, Chen, Zhou and Jordan, *Spectral methods meet EM: a provably
optimal algorithm for crowdsourcing*, JMLR 17 (2016), section 2.

The loop and the E-step are in `em`; the M-step and the prior are here.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.categorical.confusion_model import (
    ConfusionModel,
    check_warm,
    gold_to_start_from,
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
from aggregation.algorithms.categorical.evidence import CoinTables
from aggregation.algorithms.categorical.gold_start import GoldCounts
from aggregation.algorithms.data import CrowdLabels
from aggregation.algorithms.fitted_state import State, not_negative, numbers
from aggregation.algorithms.settings import check_at_least, check_choice
from aggregation.algorithms.shards import Pool, ShardedLabels


class OneCoin(ConfusionModel):
    """Estimate true classes and one accuracy for each worker, by EM.

    A worker is right with the probability a[w], whatever the truth, and their errors are spread
    evenly over the other K - 1 classes:

        P(w labels l | truth is k) = a[w] where l = k, else (1 - a[w]) / (K - 1)

    With U units, T[u, k] = P(truth of u is k | labels), N[w] the labels that w gave and R[w] the
    sum of T[u, l] over them, an iteration is

        a[w] = (d + R[w]) / (d + (K - 1) o + N[w])
        p[k] = (c / K + sum_u T[u, k]) / sum over k of the same, with c = class_prior + even U
        T[u, k] = p[k] prod P(w labels l | truth is k) over the labels of u, divided by its sum

    d and o are the pseudo-counts of *one row* of Dawid and Skene's table, d right labels and o of
    each wrong class, so a worker of whom nothing is known has here the accuracy that they have
    there. It maximises the log-likelihood plus sum_w (d ln a[w] + (K - 1) o ln((1 - a[w]) / (K -
    1))) plus sum_k (c / K) ln p[k].

    The method for few labels a worker: one number is learnt from a handful of them, a table is not.
    With one class every label is right.

    Parameters
    ----------
    diagonal, off_diagonal : float
        The pseudo-counts d and o. Both 0: maximum likelihood.
    class_prior : float
        Pseudo-counts of the prevalence: so many units, spread evenly over the classes.
    even : float
        So many more of them for each unit that there is. With 1 the prevalence is half-way between
        what the labels say and even. One accuracy a worker can't tell that many wrong labels are
        of one class; without this, such a class is taken for commoner than it is, then believed
        more for being common, and so on.
    start : "shares", "mode" or "gold"
        The first T: the shares of the votes; all on the class with most votes; or what
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
    accuracy_ : array of shape (n_workers,)
        a; also in `reliability_.parameters`.
    confusion_ : array of shape (n_workers, n_classes, n_classes)
        What a comes to, at (w, true, said).
    log_likelihood_ : list of float
        The objective after each iteration, in nats; never decreases.
    reliability_ : Reliability
        Accuracy is over the labels given: the mean of T[u, l].
    diagnostics_ : Diagnostics
    """

    prevalence_: NDArray[np.float64]
    accuracy_: NDArray[np.float64]
    log_likelihood_: list[float]

    def __init__(
        self,
        *,
        diagonal: float = 1.0,
        off_diagonal: float = 0.5,
        class_prior: float = 1.0,
        even: float = 0.0,
        start: Start = "shares",
        max_iter: int = 100,
        tol: float = 1e-5,
    ):
        check_at_least(
            0,
            diagonal=diagonal,
            off_diagonal=off_diagonal,
            class_prior=class_prior,
            even=even,
            tol=tol,
        )
        check_choice(STARTS, start=start)
        check_at_least(1, max_iter=max_iter)
        self.diagonal, self.off_diagonal, self.class_prior = diagonal, off_diagonal, class_prior
        self.even, self.start, self.max_iter, self.tol = even, start, max_iter, tol

    def fit(
        self,
        labels: CrowdLabels | ShardedLabels,
        *,
        gold: ArrayLike | None = None,
        warm: OneCoin | None = None,
        pool: Pool | None = None,
        gold_counts: GoldCounts | None = None,
    ) -> Self:
        """Estimate everything from `labels`.

        `gold`, shape (n_units,), holds the class of each unit whose truth is known and -1 for the
        others: known units keep their class in every E-step and enter every M-step.

        `warm` is an earlier fit, whose estimates are where this one begins; workers keep their
        numbers, and those after the last of them begin with the accuracy of the pseudo-counts.

        `pool` is where the shards live; without one, all is done in this process.

        `gold_counts` is what the start "gold" begins from; without it, the labels of units in
        `gold`.
        """
        began = time.perf_counter()
        units = ShardedUnits.open(self._read(labels), gold, pool)
        maximum = expectation_maximisation(
            units,
            self._initial(units, warm, gold_counts),
            partial(self._m_step, c=self._class_units(units)),
            has_converged=gains_less_than(self.tol, units.labels.n_labels),
            max_iter=self.max_iter,
        )
        self.prevalence_ = maximum.parameters.prevalence
        self.confusion_ = np.exp(maximum.parameters.log_confusion.transpose(0, 2, 1))
        self.accuracy_ = np.ascontiguousarray(self.confusion_[:, 0, 0])
        self.log_likelihood_ = maximum.objective
        self._store(units, maximum, began, accuracy=self.accuracy_)
        return self

    def state(self) -> State:
        """What `restore` needs: p and a."""
        return {"prevalence": self.prevalence_, "accuracy": self.accuracy_}

    @classmethod
    def restore(cls, state: Mapping[str, NDArray[Any]], **settings: Any) -> Self:
        """A fit that can `infer`, and be `warm`; `settings` are those of the constructor."""
        fitted = cls(**settings)
        found = numbers(state, prevalence="k", accuracy="w")
        not_negative(found)
        fitted.prevalence_, fitted.accuracy_ = found["prevalence"], found["accuracy"]
        parameters = fitted._parameters(fitted.prevalence_, fitted.accuracy_, 0.0)
        fitted.confusion_ = np.exp(parameters.log_confusion.transpose(0, 2, 1))
        return fitted

    def _tables(self, counts: ExpectedCounts) -> CoinTables:
        given = np.einsum("wlk->w", counts.labels)
        return CoinTables(
            self.prevalence_,
            np.einsum("wkk->w", counts.labels) + self.diagonal,
            given + self.diagonal + (len(counts.units) - 1) * self.off_diagonal,
        )

    def _class_units(self, units: ShardedUnits) -> float:
        """c."""
        return self.class_prior + self.even * units.labels.n_units

    def _initial(
        self, units: ShardedUnits, warm: OneCoin | None, gold_counts: GoldCounts | None
    ) -> Parameters:
        k, c = units.n_classes, self._class_units(units)
        if warm is not None:
            return self._resumed(warm, units)
        on_gold = gold_to_start_from(units, self.start, gold_counts)
        if on_gold is None:
            return self._m_step(units.initial_counts(self.start), c)
        return self._parameters(np.full(k, 1.0 / k), on_gold.accuracy(k), c)

    def _m_step(self, counts: ExpectedCounts, c: float) -> Parameters:
        k = len(counts.units)
        prevalence = normalised(counts.units + c / k, axis=0)
        right = np.einsum("wkk->w", counts.labels)
        accuracy = self._accuracy(right, counts.labels.sum(axis=(1, 2)), k)
        return self._parameters(prevalence, accuracy, c)

    def _accuracy(
        self, right: NDArray[np.float64], n_labels: NDArray[np.float64], n_classes: int
    ) -> NDArray[np.float64]:
        """a, of workers with so many right of those given; a guess where there is nothing."""
        above = right + self.diagonal
        total = n_labels + self.diagonal + (n_classes - 1) * self.off_diagonal
        guess = np.full(len(total), 1.0 / n_classes)
        return np.divide(above, total, out=guess, where=total > 0)

    def _resumed(self, warm: OneCoin, units: ShardedUnits) -> Parameters:
        check_warm(warm, OneCoin, units)
        unknown = np.zeros(units.n_workers - len(warm.accuracy_))
        newcomers = self._accuracy(unknown, unknown, units.n_classes)
        accuracy = np.concatenate([warm.accuracy_, newcomers])
        return self._parameters(warm.prevalence_, accuracy, self._class_units(units))

    def _parameters(
        self, prevalence: NDArray[np.float64], accuracy: NDArray[np.float64], c: float
    ) -> Parameters:
        k = len(prevalence)
        prevalence = np.maximum(prevalence, FLOOR)
        # Rounding can carry an accuracy past 1.
        right = np.log(np.maximum(accuracy, FLOOR))
        wrong = np.log(np.maximum((1.0 - accuracy) / max(k - 1, 1), FLOOR))
        log_confusion = np.where(np.eye(k, dtype=bool), right[:, None, None], wrong[:, None, None])
        log_prior = self.diagonal * right.sum() + (k - 1) * self.off_diagonal * wrong.sum()
        log_prior += c / k * np.log(prevalence).sum()
        return Parameters(prevalence, log_confusion, float(log_prior))
