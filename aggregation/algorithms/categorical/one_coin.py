"""Dawid and Skene's model with one number for each worker: how often he is right.

Dawid and Skene, Applied Statistics 28 (1979), 20-28, with the tables of all workers reduced to an
accuracy; as "one-coin model" in Zhang, Chen, Zhou and Jordan, *Spectral methods meet EM: a provably
optimal algorithm for crowdsourcing*, JMLR 17 (2016), section 2.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from functools import partial
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
    shown_on_gold,
)
from aggregation.algorithms.categorical.gold_start import Shown
from aggregation.algorithms.data import CrowdLabels
from aggregation.algorithms.reliability import Reliability
from aggregation.algorithms.results import Diagnostics
from aggregation.algorithms.shards import Pool, ShardedLabels
from aggregation.algorithms.states import State, most_probable, not_negative, numbers


class OneCoin:
    """Estimate true classes and one accuracy for each worker, by EM.

    A worker is right with the probability a[w], whatever the truth, and his errors are spread
    evenly over the other K - 1 classes:

        P(w says l | truth is k) = a[w] where l = k, else (1 - a[w]) / (K - 1)

    With U units, T[u, k] = P(truth of u is k | labels), N[w] the labels that w gave and R[w] the
    sum of T[u, l] over them, an iteration is

        a[w] = (d + R[w]) / (d + (K - 1) o + N[w])
        p[k] = (c / K + sum_u T[u, k]) / sum over k of the same, with c = class_prior + even U
        T[u, k] = p[k] prod P(w says l | truth is k) over the labels of u, divided by its sum

    d and o are the pseudo-counts of *one row* of Dawid and Skene's table, d right labels and o of
    each wrong class, so a worker of whom nothing is known has here the accuracy that he has there.
    It maximises the log-likelihood plus sum_w (d ln a[w] + (K - 1) o ln((1 - a[w]) / (K - 1)))
    plus sum_k (c / K) ln p[k].

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

    posterior_: NDArray[np.float64]
    prevalence_: NDArray[np.float64]
    accuracy_: NDArray[np.float64]
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
        even: float = 0.0,
        start: Start = "shares",
        max_iter: int = 100,
        tol: float = 1e-5,
    ):
        check_not_negative(
            diagonal=diagonal,
            off_diagonal=off_diagonal,
            class_prior=class_prior,
            even=even,
            tol=tol,
        )
        check_start(start)
        check_iterations(max_iter)
        self.diagonal, self.off_diagonal, self.class_prior = diagonal, off_diagonal, class_prior
        self.even, self.start, self.max_iter, self.tol = even, start, max_iter, tol

    def fit(
        self,
        labels: CrowdLabels | ShardedLabels,
        *,
        gold: ArrayLike | None = None,
        warm: OneCoin | None = None,
        pool: Pool | None = None,
        shown: Shown | None = None,
    ) -> Self:
        """Estimate everything from `labels`.

        `gold`, shape (n_units,), holds the class of each unit whose truth is known and -1 for the
        others: known units keep their class in every E-step and enter every M-step.

        `warm` is an earlier fit, whose estimates are where this one begins; workers keep their
        numbers, and those after the last of them begin with the accuracy of the pseudo-counts.

        `pool` is where the shards live; without one, all is done in this process.

        `shown` is what the start "gold" begins from; without it, the labels of units in `gold`.
        """
        began = time.perf_counter()
        crowd = Crowd.opened(labels, gold, pool)
        ascent = climb(
            crowd,
            self._first(crowd, warm, shown),
            partial(self._m_step, c=self._class_units(crowd)),
            enough=gains_less_than(self.tol, crowd),
            max_iter=self.max_iter,
        )
        self.prevalence_ = ascent.tables.prevalence
        self.confusion_ = np.exp(ascent.tables.log_table.transpose(0, 2, 1))
        self.accuracy_ = np.ascontiguousarray(self.confusion_[:, 0, 0])
        self.log_likelihood_ = ascent.objective
        conclude(self, crowd, ascent, began, accuracy=self.accuracy_)
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
        """T of other units, shape (n_units, n_classes): one E-step with what was estimated.

        Workers keep their numbers; those after the last of the fit have the accuracy of the
        pseudo-counts. `gold` is as in `fit`.
        """
        return inferred(self, labels, gold)

    def judge(
        self, labels: CrowdLabels, *, gold: ArrayLike | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """What `infer` gives, and the most probable class of each unit; of equals the lowest."""
        posterior = self.infer(labels, gold=gold)
        return posterior, most_probable(posterior)

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
        tables = fitted._tables(fitted.prevalence_, fitted.accuracy_, 0.0)
        fitted.confusion_ = np.exp(tables.log_table.transpose(0, 2, 1))
        return fitted

    def _class_units(self, crowd: Crowd) -> float:
        """c."""
        return self.class_prior + self.even * crowd.census.n_units

    def _first(self, crowd: Crowd, warm: OneCoin | None, shown: Shown | None) -> Tables:
        k, c = crowd.n_classes, self._class_units(crowd)
        if warm is not None:
            return self._resumed(warm, crowd)
        on_gold = shown_on_gold(crowd, self.start, shown)
        if on_gold is None:
            return self._m_step(crowd.first(self.start), c)
        return self._tables(np.full(k, 1.0 / k), on_gold.accuracy(k), c)

    def _m_step(self, statistics: Statistics, c: float) -> Tables:
        k = len(statistics.units)
        prevalence = normalised(statistics.units + c / k, axis=0)
        right = np.einsum("wkk->w", statistics.said)
        accuracy = self._accuracy(right, statistics.said.sum(axis=(1, 2)), k)
        return self._tables(prevalence, accuracy, c)

    def _accuracy(
        self, right: NDArray[np.float64], given: NDArray[np.float64], n_classes: int
    ) -> NDArray[np.float64]:
        """a, of workers with so many right of those given; a guess where there is nothing."""
        above = right + self.diagonal
        total = given + self.diagonal + (n_classes - 1) * self.off_diagonal
        guess = np.full(len(total), 1.0 / n_classes)
        return np.divide(above, total, out=guess, where=total > 0)

    def _resumed(self, warm: OneCoin, crowd: Crowd) -> Tables:
        check_warm(warm, OneCoin, crowd)
        unknown = np.zeros(crowd.n_workers - len(warm.accuracy_))
        newcomers = self._accuracy(unknown, unknown, crowd.n_classes)
        accuracy = np.concatenate([warm.accuracy_, newcomers])
        return self._tables(warm.prevalence_, accuracy, self._class_units(crowd))

    def _tables(
        self, prevalence: NDArray[np.float64], accuracy: NDArray[np.float64], c: float
    ) -> Tables:
        k = len(prevalence)
        prevalence = np.maximum(prevalence, FLOOR)
        # Rounding can carry an accuracy past 1.
        right = np.log(np.maximum(accuracy, FLOOR))
        wrong = np.log(np.maximum((1.0 - accuracy) / max(k - 1, 1), FLOOR))
        log_table = np.where(np.eye(k, dtype=bool), right[:, None, None], wrong[:, None, None])
        penalty = self.diagonal * right.sum() + (k - 1) * self.off_diagonal * wrong.sum()
        penalty += c / k * np.log(prevalence).sum()
        return Tables(prevalence, log_table, float(penalty))
