"""Kim and Ghahramani, *Bayesian classifier combination*, AISTATS 2012, PMLR 22, 619-627: Dawid and
Skene's model with a prior over the workers' tables; here by variational Bayes, as Simpson, Roberts,
Psorakis and Smith do it in *Dynamic Bayesian combination of multiple imperfect classifiers* (2013).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.categorical.confusions import (
    FLOOR,
    Crowd,
    RememberingPart,
    Shards,
    Statistics,
    Tables,
    check_iterations,
    check_not_negative,
    check_warm,
    climb,
    conclude,
    inferred,
    normalised,
    posteriors_of,
    products_layout,
)
from aggregation.algorithms.data import CrowdLabels
from aggregation.algorithms.reliability import Reliability
from aggregation.algorithms.results import Diagnostics
from aggregation.algorithms.shards import Pool, ShardedLabels
from aggregation.algorithms.states import State, most_probable, numbers

SMALLEST = 1e-12  # pseudo-count: below it digamma, near -1 / x, leaves the range of sums


class IBCC:
    """Independent Bayesian classifier combination, by variational Bayes.

    The truth of a unit is k with the probability p[k], and worker w then says l with E[w, k, l];
    p ~ Dirichlet(b0) and each row E[w, k] ~ Dirichlet(a0[k]) are unknown too. The posterior of all
    is taken to factor into that of the truths, r[u, k], and Dirichlets with the counts b and a.
    With n[u, w, l] the number of times that w said l of u and psi the digamma function, one
    iteration is

        b[k]       = b0 + sum_u r[u, k]
        a[w, k, l] = a0[k, l] + sum_u r[u, k] n[u, w, l]
        ln r[u, k] = psi(b[k]) - psi(sum_k b) + sum_{w,l} n[u, w, l] (psi(a[w, k, l])
                     - psi(sum_l a[w, k])) + a constant, so that rows sum to 1

    The lower bound of the log evidence, taken after r is made, is

        sum_u ln (sum_k of exp of the above) - KL(Dir(b) | Dir(b0)) - sum_{w,k} KL(Dir(a[w, k])
                                                                              | Dir(a0[k]))

    It begins with r as the shares of the votes. psi(x) is about ln(x - 1/2): what a worker said
    seldom counts for less than his mean table tells, so posteriors are surer of themselves than
    those of Dawid-Skene with the same pseudo-counts.

    Parameters
    ----------
    diagonal, factor : float
        The prior of the tables: a0[k, l] = factor / (n_classes - 1) for l != k, and factor +
        diagonal for l = k.
    beta : float
        The prior b0 of the prevalence, for each class.
    max_iter : int
    tol : float
        Stop when no r changes by more than this in an iteration.

    Attributes
    ----------
    posterior_ : array of shape (n_units, n_classes)
        r. Rows sum to 1. Not there after a fit of `ShardedLabels`, see `posteriors`.
    prevalence_ : array of shape (n_classes,)
        Mean of the posterior of p.
    confusion_ : array of shape (n_workers, n_classes, n_classes)
        Mean of the posterior of E, at (w, true, said); rows sum to 1.
    prevalence_counts_, confusion_counts_ : arrays of the same shapes
        b and a, the whole posteriors: a[w, k, l] / sum_l a[w, k] is known as well as after
        sum_l a[w, k] looks at it.
    lower_bound_ : list of float
        After each iteration, in nats; never decreases.
    reliability_ : Reliability
        Accuracy is over the labels given: the mean of r[u, l].
    diagnostics_ : Diagnostics
    """

    posterior_: NDArray[np.float64]
    prevalence_: NDArray[np.float64]
    confusion_: NDArray[np.float64]
    prevalence_counts_: NDArray[np.float64]
    confusion_counts_: NDArray[np.float64]
    lower_bound_: list[float]
    reliability_: Reliability
    diagnostics_: Diagnostics
    _shards: Shards | None

    def __init__(
        self,
        *,
        diagonal: float = 0.1,
        factor: float = 1.0,
        beta: float = 0.1,
        max_iter: int = 20,
        tol: float = 1e-4,
    ):
        check_not_negative(diagonal=diagonal, factor=factor, beta=beta, tol=tol)
        for name, value in (("factor", factor), ("beta", beta)):
            if value < SMALLEST:
                raise ValueError(f"{name} must be {SMALLEST} or more, but is {value}")
        check_iterations(max_iter)
        self.diagonal, self.factor, self.beta = diagonal, factor, beta
        self.max_iter, self.tol = max_iter, tol

    def fit(
        self,
        labels: CrowdLabels | ShardedLabels,
        *,
        gold: ArrayLike | None = None,
        warm: IBCC | None = None,
        pool: Pool | None = None,
    ) -> Self:
        """Estimate everything from `labels`.

        `gold`, shape (n_units,), holds the class of each unit whose truth is known and -1 for the
        others: known units keep their class in every step and count for the tables; in the first
        one the others' votes count by the accuracy that each worker has on gold.

        `warm` is an earlier fit, whose posteriors are where this one begins; workers keep their
        numbers, and those after the last of them begin with the prior.

        `pool` is where the shards live; without one, all is done in this process.
        """
        began = time.perf_counter()
        crowd = Crowd.opened(labels, gold, pool, RememberingPart)
        ascent = climb(
            crowd,
            self._m_step(crowd.first()) if warm is None else self._resumed(warm, crowd),
            self._m_step,
            enough=lambda _, statistics: statistics.moved < self.tol,
            max_iter=self.max_iter,
        )
        self.prevalence_counts_ = ascent.tables.prevalence_counts
        self.confusion_counts_ = ascent.tables.table_counts.transpose(0, 2, 1).copy()
        self.prevalence_ = normalised(self.prevalence_counts_.copy(), axis=0)
        self.confusion_ = normalised(self.confusion_counts_.copy(), axis=2)
        self.lower_bound_ = ascent.objective
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
        """T of other units, shape (n_units, n_classes): one E-step with what was estimated.

        Workers keep their numbers; those after the last of the fit have the prior. `gold`
        is as in `fit`.
        """
        return inferred(self, labels, gold)

    def judge(
        self, labels: CrowdLabels, *, gold: ArrayLike | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """What `infer` gives, and the most probable class of each unit; of equals the lowest."""
        posterior = self.infer(labels, gold=gold)
        return posterior, most_probable(posterior)

    def state(self) -> State:
        """What `restore` needs: b and a."""
        return {"prevalence": self.prevalence_counts_, "confusion": self.confusion_counts_}

    @classmethod
    def restore(cls, state: Mapping[str, NDArray[Any]], **settings: Any) -> Self:
        """A fit that can `infer`, and be `warm`; `settings` are those of the constructor."""
        fitted = cls(**settings)
        found = numbers(state, prevalence="k", confusion="wkk")
        if any((counts <= 0).any() for counts in found.values()):
            raise ValueError("the counts of the state must be above 0")
        fitted.prevalence_counts_, fitted.confusion_counts_ = (
            found["prevalence"],
            found["confusion"],
        )
        fitted.prevalence_ = normalised(fitted.prevalence_counts_.copy(), axis=0)
        fitted.confusion_ = normalised(fitted.confusion_counts_.copy(), axis=2)
        return fitted

    def _m_step(self, statistics: Statistics) -> _Dirichlets:
        k = len(statistics.units)
        return _Dirichlets.of(
            statistics.units + self.beta,
            np.full(k, float(self.beta)),
            statistics.said + self._prior(k),
            self._prior(k),
        )

    def _resumed(self, warm: IBCC, crowd: Crowd) -> _Dirichlets:
        check_warm(warm, IBCC, crowd)
        k = crowd.n_classes
        counts = products_layout(warm.confusion_counts_, crowd, self._prior(k))
        beta = np.full(k, float(self.beta))
        return _Dirichlets.of(warm.prevalence_counts_, beta, counts, self._prior(k))

    def _prior(self, n_classes: int) -> NDArray[np.float64]:
        """a0, shape (n_classes, n_classes); it is symmetric."""
        prior = np.full((n_classes, n_classes), self.factor / max(n_classes - 1, 1))
        np.fill_diagonal(prior, self.factor + self.diagonal)
        return prior


@dataclass(frozen=True, slots=True)
class _Dirichlets(Tables):
    """b, shape (n_classes,), and a in the layout of the products, (n_workers, said, true).

    The tables are exp of the expected logarithms; their rows sum to less than 1.
    """

    prevalence_counts: NDArray[np.float64]
    table_counts: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        prevalence_counts: NDArray[np.float64],
        prevalence_prior: NDArray[np.float64],
        table_counts: NDArray[np.float64],
        table_prior: NDArray[np.float64],
    ) -> Self:
        log_prevalence = _expected_log(prevalence_counts, axis=0)
        log_table = _expected_log(table_counts, axis=1)
        distance = _divergence(prevalence_counts, prevalence_prior, log_prevalence, axis=0)
        distance += _divergence(table_counts, table_prior[None], log_table, axis=1)
        prevalence = np.maximum(np.exp(log_prevalence), FLOOR)
        return cls(prevalence, log_table, -distance, prevalence_counts, table_counts)


def _expected_log(counts: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """E ln x for x ~ Dirichlet(counts) along `axis`."""
    from scipy.special import digamma

    found: NDArray[np.float64] = digamma(counts) - digamma(counts.sum(axis=axis, keepdims=True))
    return found


def _divergence(
    counts: NDArray[np.float64],
    prior: NDArray[np.float64],
    expected_log: NDArray[np.float64],
    axis: int,
) -> float:
    """Sum of the KL(Dirichlet(counts) | Dirichlet(prior)) along `axis`, in nats."""
    from scipy.special import gammaln

    distance = (gammaln(counts.sum(axis=axis)) - gammaln(prior.sum(axis=axis))).sum()
    distance += (gammaln(prior) - gammaln(counts)).sum()
    distance += ((counts - prior) * expected_log).sum()
    return float(distance)
