"""Kim and Ghahramani, *Bayesian classifier combination*, AISTATS 2012, PMLR 22, 619-627: Dawid and
Skene's model with a prior over the workers' tables; here by variational Bayes, as Simpson, Roberts,
Psorakis and Smith do it in *Dynamic Bayesian combination of multiple imperfect classifiers* (2013).

The loop and the E-step are in `em`; the update of the Dirichlet distributions is here.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.categorical.confusion_model import (
    ConfusionModel,
    check_warm,
    with_new_workers,
)
from aggregation.algorithms.categorical.em import (
    FLOOR,
    ExpectedCounts,
    Parameters,
    expectation_maximisation,
    normalised,
)
from aggregation.algorithms.categorical.em_shards import KeepingShard, ShardedUnits
from aggregation.algorithms.categorical.evidence import CountTables
from aggregation.algorithms.data import CrowdLabels
from aggregation.algorithms.fitted_state import State, numbers
from aggregation.algorithms.settings import check_at_least
from aggregation.algorithms.shards import Pool, ShardedLabels

SMALLEST = 1e-12  # pseudo-count: below it digamma, near -1 / x, leaves the range of sums


class IBCC(ConfusionModel):
    """Independent Bayesian classifier combination, by variational Bayes.

    The truth of a unit is k with the probability p[k], and worker w then labels l with E[w, k, l];
    p ~ Dirichlet(b0) and each row E[w, k] ~ Dirichlet(a0[k]) are unknown too. The posterior of all
    is taken to factor into that of the truths, r[u, k], and Dirichlets with the counts b and a.
    With n[u, w, l] the number of times that w gave u the label l and psi the digamma function, one
    iteration is

        b[k]       = b0 + sum_u r[u, k]
        a[w, k, l] = a0[k, l] + sum_u r[u, k] n[u, w, l]
        ln r[u, k] = psi(b[k]) - psi(sum_k b) + sum_{w,l} n[u, w, l] (psi(a[w, k, l])
                     - psi(sum_l a[w, k])) + a constant, so that rows sum to 1

    The lower bound of the log evidence, taken after r is made, is

        sum_u ln (sum_k of exp of the above) - KL(Dir(b) | Dir(b0)) - sum_{w,k} KL(Dir(a[w, k])
                                                                              | Dir(a0[k]))

    It begins with r as the shares of the votes. psi(x) is about ln(x - 1/2): a rare label of a
    worker counts for less than their mean table says, so posteriors are surer of themselves than
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

    prevalence_: NDArray[np.float64]
    prevalence_counts_: NDArray[np.float64]
    confusion_counts_: NDArray[np.float64]
    lower_bound_: list[float]

    def __init__(
        self,
        *,
        diagonal: float = 0.1,
        factor: float = 1.0,
        beta: float = 0.1,
        max_iter: int = 20,
        tol: float = 1e-4,
    ):
        check_at_least(0, diagonal=diagonal, factor=factor, beta=beta, tol=tol)
        check_at_least(SMALLEST, factor=factor, beta=beta)
        check_at_least(1, max_iter=max_iter)
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
        units = ShardedUnits.open(self._read(labels), gold, pool, KeepingShard)
        maximum = expectation_maximisation(
            units,
            self._m_step(units.initial_counts()) if warm is None else self._resumed(warm, units),
            self._m_step,
            has_converged=lambda _, counts: counts.change < self.tol,
            max_iter=self.max_iter,
        )
        self.prevalence_counts_ = maximum.parameters.prevalence_counts
        self.confusion_counts_ = maximum.parameters.confusion_counts.transpose(0, 2, 1).copy()
        self.prevalence_ = normalised(self.prevalence_counts_.copy(), axis=0)
        self.confusion_ = normalised(self.confusion_counts_.copy(), axis=2)
        self.lower_bound_ = maximum.objective
        self._store(units, maximum, began)
        return self

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

    def _m_step(self, counts: ExpectedCounts) -> _Dirichlets:
        k = len(counts.units)
        return _Dirichlets.of(
            counts.units + self.beta,
            np.full(k, float(self.beta)),
            counts.labels + self._prior(k),
            self._prior(k),
        )

    def _tables(self, counts: ExpectedCounts) -> CountTables:
        """Posterior means."""
        return CountTables(self.prevalence_, counts.labels + self._prior(len(counts.units)))

    def _resumed(self, warm: IBCC, units: ShardedUnits) -> _Dirichlets:
        check_warm(warm, IBCC, units)
        k = units.n_classes
        counts = with_new_workers(warm.confusion_counts_, units, self._prior(k))
        beta = np.full(k, float(self.beta))
        return _Dirichlets.of(warm.prevalence_counts_, beta, counts, self._prior(k))

    def _prior(self, n_classes: int) -> NDArray[np.float64]:
        """a0, shape (n_classes, n_classes); it is symmetric."""
        prior = np.full((n_classes, n_classes), self.factor / max(n_classes - 1, 1))
        np.fill_diagonal(prior, self.factor + self.diagonal)
        return prior


@dataclass(frozen=True, slots=True)
class _Dirichlets(Parameters):
    """b, shape (n_classes,), and a in the layout of the products, (n_workers, label, true).

    p and E are exp of the expected logarithms; their rows sum to less than 1.
    """

    prevalence_counts: NDArray[np.float64]
    confusion_counts: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        prevalence_counts: NDArray[np.float64],
        prevalence_prior: NDArray[np.float64],
        confusion_counts: NDArray[np.float64],
        confusion_prior: NDArray[np.float64],
    ) -> Self:
        log_prevalence = _expected_log(prevalence_counts, axis=0)
        log_confusion = _expected_log(confusion_counts, axis=1)
        distance = _divergence(prevalence_counts, prevalence_prior, log_prevalence, axis=0)
        distance += _divergence(confusion_counts, confusion_prior[None], log_confusion, axis=1)
        prevalence = np.maximum(np.exp(log_prevalence), FLOOR)
        return cls(prevalence, log_confusion, -distance, prevalence_counts, confusion_counts)


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
