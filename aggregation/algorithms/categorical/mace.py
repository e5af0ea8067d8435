"""Hovy, Berg-Kirkpatrick, Vaswani and Hovy, *Learning whom to trust with MACE*, Proceedings of
NAACL-HLT 2013, 1120-1130: a worker either knows the truth or spams by a strategy of their own.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.categorical.cells import check_warm
from aggregation.algorithms.categorical.em import FLOOR
from aggregation.algorithms.categorical.evidence import Evidence, UnitEvidence
from aggregation.algorithms.categorical.mace_shard import MACEShard
from aggregation.algorithms.data import CrowdLabels
from aggregation.algorithms.estimators import CategoricalEstimator
from aggregation.algorithms.fitted_state import (
    State,
    check_classes,
    check_kind,
    check_workers,
    most_probable,
    numbers,
)
from aggregation.algorithms.reliability import Reliability, reliability_of
from aggregation.algorithms.results import Diagnostics
from aggregation.algorithms.settings import check_above, check_at_least
from aggregation.algorithms.shards import (
    LocalPool,
    OpenShards,
    Pool,
    ShardedLabels,
    loaders_of,
    total,
)

NOISE = 0.5  # a random start draws each probability's weight from 1 to this much more


class MACE(CategoricalEstimator):
    """Estimate true classes, and how often and in what way each worker spams, by variational Bayes.

    With t[w] the honesty of worker w and x[w, l] their strategy, a label of theirs is, given the
    truth,

        P(w says l | truth is k) = t[w] [k = l] + (1 - t[w]) x[w, l]

    (the paper's model; whether they spam, its S, is summed out). The truth of each unit is any
    class with probability 1 / K. Priors: t ~ Beta(know, spam), x ~ Dirichlet(strategy, ...). A
    label that was not given takes no part. As all classes are taken to be equally common, one that
    is not (O among tags) looks like everybody's strategy: then honesty and confidence come out far
    too low. One iteration is, with psi the digamma function,

        T[u, k] = prod over labels (w, l) of u of (t' [k = l] + s' x'[l]), over k of the same
        c[w, l] = sum_u n[u, w, l] T[u, l] t' / (t' + s' x'[l])        labels given knowingly
        t'[w]   = exp(psi(know + sum_l c[w, l]) - psi(know + spam + sum_l n[w, l]))
        s'[w]   = exp(psi(spam + sum_l (n - c)[w, l]) - psi(know + spam + sum_l n[w, l]))
        x'[w,l] = exp(psi(strategy + (n - c)[w, l]) - psi(sum over l of the same))

    which are an E-step and the paper's variational M-step. The objective is the lower bound of
    ln P(labels); no iteration makes it lower. The fit ends with T, so labels agree with parameters.

    Parameters
    ----------
    know, spam : float
        The prior of the honesty; both above 0.
    strategy : float
        The prior of the strategy, for each class; above 0.
    restarts : int
        So many starts; the one with the highest objective counts. The first believes everybody
        alike, so it begins with the vote; the others are random.
    seed : int
        Of the random starts.
    max_iter : int
        Of each start.
    tol : float
        A start stops when an iteration adds less than this to the objective, per label. 0: never.

    Attributes
    ----------
    posterior_ : array of shape (n_units, n_classes)
        T. Rows sum to 1; a unit without labels has even shares. Not kept of `ShardedLabels`; see
        `posteriors`.
    honesty_ : array of shape (n_workers,)
        The posterior mean of t; know / (know + spam) for a worker without labels.
    strategy_ : array of shape (n_workers, n_classes)
        The posterior mean of x. Rows sum to 1.
    objectives_ : list of float
        The last objective of each start, in nats.
    reliability_ : Reliability
        Accuracy is over the labels given: the mean of T[u, l]. Parameters `honesty`, `strategy`.
    diagnostics_ : Diagnostics
        Of the best start; its seconds are those of all.
    """

    posterior_: NDArray[np.float64]
    honesty_: NDArray[np.float64]
    strategy_: NDArray[np.float64]
    objectives_: list[float]
    reliability_: Reliability
    diagnostics_: Diagnostics
    _counts: _Counts
    _parts: OpenShards | None
    _gain: NDArray[np.float64]

    def __init__(
        self,
        *,
        know: float = 0.5,
        spam: float = 0.5,
        strategy: float = 10.0,
        restarts: int = 10,
        seed: int = 0,
        max_iter: int = 50,
        tol: float = 1e-5,
    ):
        check_above(0, know=know, spam=spam, strategy=strategy)
        check_at_least(0, tol=tol, seed=seed)
        check_at_least(1, restarts=restarts, max_iter=max_iter)
        self.know, self.spam, self.strategy = know, spam, strategy
        self.restarts, self.seed, self.max_iter, self.tol = restarts, seed, max_iter, tol

    def fit(
        self,
        labels: CrowdLabels | ShardedLabels,
        *,
        gold: ArrayLike | None = None,
        warm: MACE | None = None,
        pool: Pool | None = None,
    ) -> Self:
        """Estimate everything from `labels`.

        `gold`, shape (n_units,), holds the class of each unit whose truth is known and -1 for the
        others: known units keep their class in every E-step and enter every M-step. `warm` is an
        earlier fit with the same classes, whose workers have the same numbers; it is the only
        start then, and workers that it does not know have the prior. `pool` holds the shards.
        """
        began = time.perf_counter()
        labels = self._read(labels)
        pool = pool or LocalPool()
        size = (labels.n_workers, labels.n_classes)
        loaders = loaders_of(labels, gold, pool.size)
        parts = pool.open(MACEShard, ((load, *size) for load in loaders))
        label_counts = total(parts.each("label_counts"))

        starts = [_Start(self, counts, label_counts) for counts in self._starts(label_counts, warm)]
        _climb(parts, starts)
        best = max(starts, key=lambda start: start.objectives[-1])  # of equals the first

        self._counts = best.counts
        self._set_means()
        self.objectives_ = [start.objectives[-1] for start in starts]
        hits = total(parts.each("hits", best.gain))
        self._parts, self._gain = parts, best.gain
        if isinstance(labels, CrowdLabels):
            self.posterior_ = np.concatenate(list(self.posteriors()))
            self._parts = None
        self.reliability_ = reliability_of(
            hits,
            label_counts.sum(axis=1).astype(np.int64),
            self._confusion(),
            honesty=self.honesty_,
            strategy=self.strategy_,
        )
        self.diagnostics_ = Diagnostics(
            objective=tuple(best.objectives),
            converged=best.converged,
            iterations=len(best.objectives),
            seconds=time.perf_counter() - began,
        )
        return self

    def posteriors(self) -> Iterator[NDArray[np.float64]]:
        """T of each shard in turn, shape (its units, n_classes); what is kept is one shard."""
        if self._parts is None:
            yield self.posterior_
        else:
            yield from self._parts.each("posterior", self._gain)

    def infer(self, labels: CrowdLabels, *, gold: ArrayLike | None = None) -> NDArray[np.float64]:
        """T of other units, shape (n_units, n_classes): one E-step with what was estimated.

        Workers keep their numbers; those after the last of the fit have the prior. `gold` is as in
        `fit`.
        """
        if not hasattr(self, "_counts"):
            raise ValueError("there is nothing to infer with before a fit")
        check_classes(self._counts.strategy.shape[1], labels)
        check_workers(len(self._counts.know), labels)
        size = (labels.n_workers, labels.n_classes)
        counts = _Counts.prior(self, size).with_first(self._counts)
        [load] = loaders_of(labels, gold, 1)
        return MACEShard(load, *size).posterior(counts.gain())

    def evidence(self, labels: CrowdLabels) -> UnitEvidence:
        """T as it is: no unit is taken out of what was estimated, so it looks surer than it is,
        and its labels more alike (`categorical.evidence`)."""
        log_posterior = np.log(np.maximum(self.infer(labels), FLOOR))
        rows = np.arange(labels.n_labels)
        honest = self.honesty_[labels.worker]
        spam = (1.0 - honest) * self.strategy_[labels.worker, labels.label]
        said = np.repeat(spam[:, None], labels.n_classes, axis=1)
        said[rows, labels.label] += honest
        found = Evidence.as_it_is(log_posterior, labels.unit.astype(np.int64), np.log(said))
        return UnitEvidence(log_posterior, found.given, found.foretold())

    def judge(
        self, labels: CrowdLabels, *, gold: ArrayLike | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """What `infer` gives, and the most probable class of each unit; of equals the lowest."""
        posterior = self.infer(labels, gold=gold)
        return posterior, most_probable(posterior)

    def state(self) -> State:
        """What `restore` needs: the counts of the posteriors."""
        counts = self._counts
        return {"know": counts.know, "spam": counts.spam, "strategy": counts.strategy}

    @classmethod
    def restore(cls, state: Mapping[str, NDArray[Any]], **settings: Any) -> Self:
        """A fit that can `infer`, and be `warm`; `settings` are those of the constructor."""
        fitted = cls(**settings)
        found = numbers(state, know="w", spam="w", strategy="wk")
        if any((counts <= 0).any() for counts in found.values()):
            raise ValueError("the counts of the state must be above 0")
        fitted._counts = _Counts(**found)
        fitted._set_means()
        return fitted

    def _set_means(self) -> None:
        counts = self._counts
        self.honesty_ = counts.know / (counts.know + counts.spam)
        self.strategy_ = counts.strategy / counts.strategy.sum(axis=1, keepdims=True)

    def _starts(self, label_counts: NDArray[np.float64], warm: MACE | None) -> list[_Counts]:
        """The first counts of each start; `label_counts`, (n_workers, n_classes), as n[w, l]."""
        prior = _Counts.prior(self, label_counts.shape)
        if warm is not None:
            check_kind(warm, MACE, "strategy_")
            check_warm(warm.strategy_.shape, *label_counts.shape)
            return [prior.with_first(warm._counts)]
        # As if half of what each worker said had been known: all are believed alike.
        even = prior.plus(label_counts / 2, label_counts)
        even = _Counts(
            even.know,
            even.spam,
            np.repeat(even.strategy.mean(axis=1, keepdims=True), label_counts.shape[1], axis=1),
        )
        rng = np.random.default_rng(self.seed)
        return [even] + [even.shaken(rng) for _ in range(self.restarts - 1)]

    def _confusion(self) -> NDArray[np.float64]:
        """P(w says l | truth is k), shape (n_workers, true, said)."""
        k = self.strategy_.shape[1]
        spam = (1.0 - self.honesty_)[:, None] * self.strategy_
        return spam[:, None, :] + self.honesty_[:, None, None] * np.eye(k)


@dataclass(frozen=True, slots=True)
class _Counts:
    """The posterior distributions: Beta(know, spam) and Dirichlet(strategy) of each worker.

    Shapes (n_workers,), (n_workers,) and (n_workers, n_classes).
    """

    know: NDArray[np.float64]
    spam: NDArray[np.float64]
    strategy: NDArray[np.float64]

    @classmethod
    def prior(cls, method: MACE, shape: tuple[int, ...]) -> Self:
        n_workers = shape[0]
        return cls(
            np.full(n_workers, float(method.know)),
            np.full(n_workers, float(method.spam)),
            np.full(shape, float(method.strategy)),
        )

    def plus(self, known: NDArray[np.float64], label_counts: NDArray[np.float64]) -> _Counts:
        """With `known` of the `label_counts` given knowingly; both (n_workers, n_classes)."""
        spammed = label_counts - known
        return _Counts(
            self.know + known.sum(axis=1), self.spam + spammed.sum(axis=1), self.strategy + spammed
        )

    def with_first(self, earlier: _Counts) -> _Counts:
        """With the first workers' counts from `earlier`."""
        rest = slice(len(earlier.know), None)
        return _Counts(
            np.concatenate((earlier.know, self.know[rest])),
            np.concatenate((earlier.spam, self.spam[rest])),
            np.concatenate((earlier.strategy, self.strategy[rest])),
        )

    def shaken(self, rng: np.random.Generator) -> _Counts:
        """The same numbers of judgments, dealt out at random."""
        n_workers, n_classes = self.strategy.shape
        weight = rng.uniform(1.0, 1.0 + NOISE, size=(n_workers, 2))
        both = (self.know + self.spam)[:, None] * weight / weight.sum(axis=1, keepdims=True)
        strategy = rng.uniform(1.0, 1.0 + NOISE, size=(n_workers, n_classes))
        strategy *= (self.strategy.sum(axis=1) / strategy.sum(axis=1))[:, None]
        return _Counts(both[:, 0], both[:, 1], strategy)

    def logs(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """ln t' as (n_workers, 1) and ln s' x'[l] as (n_workers, n_classes)."""
        from scipy.special import digamma

        both = digamma(self.know + self.spam)
        know, spam = digamma(self.know) - both, digamma(self.spam) - both
        strategy = digamma(self.strategy) - digamma(self.strategy.sum(axis=1))[:, None]
        return know[:, None], spam[:, None] + strategy

    def gain(self) -> NDArray[np.float64]:
        """What a label says for its class, shape (n_workers, n_classes): a truth l makes a label of
        class l more probable than any other truth does, by this much in logarithms."""
        know, spam = self.logs()
        return np.asarray(np.logaddexp(0.0, know - spam))

    def divergence(self, prior: _Counts) -> float:
        """Kullback-Leibler divergence from the prior, summed over workers, in nats."""
        honesty = _divergence(
            np.column_stack((self.know, self.spam)), np.column_stack((prior.know, prior.spam))
        )
        return honesty + _divergence(self.strategy, prior.strategy)


def _divergence(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """KL(Dirichlet(a) || Dirichlet(b)), rows summed."""
    from scipy.special import digamma, gammaln

    total_a, total_b = a.sum(axis=1), b.sum(axis=1)
    norms = gammaln(total_a) - gammaln(a).sum(axis=1) - gammaln(total_b) + gammaln(b).sum(axis=1)
    moved = ((a - b) * (digamma(a) - digamma(total_a)[:, None])).sum(axis=1)
    return float((norms + moved).sum())


class _Start:
    """One start on its way up."""

    def __init__(self, method: MACE, counts: _Counts, label_counts: NDArray[np.float64]):
        self.method, self.counts, self.label_counts = method, counts, label_counts
        self.prior = _Counts.prior(method, label_counts.shape)
        self.objectives: list[float] = []
        self.converged = False
        self._prepare()

    @property
    def done(self) -> bool:
        return self.converged or len(self.objectives) >= self.method.max_iter

    def _prepare(self) -> None:
        know, spam = self.counts.logs()
        self.log_spam = spam
        # A label of class l gives the truth l the factor s' x'[l] + t', and all others s' x'[l].
        # `gain` is the logarithm of their ratio; `trust` the part that was known, if l is true.
        self.gain = self.counts.gain()
        self.trust = np.exp(know - np.logaddexp(know, spam))

    def take(self, right: NDArray[np.float64], evidence: float) -> None:
        """Note the objective; go on to the next counts unless that was the last E-step.

        `right`, shape (n_workers, n_classes), is sum_u n[u, w, l] T[u, l]; `evidence` the logarithm
        of the product of all units' sums, without the factors s' x'[l], which are here.
        """
        objective = evidence + float((self.label_counts * self.log_spam).sum())
        objective -= self.counts.divergence(self.prior)
        if self.objectives:
            gain = objective - self.objectives[-1]
            # Rounding can take a little from an objective that no longer rises.
            enough = self.method.tol * max(self.label_counts.sum(), 1.0)
            self.converged = enough > 0 and gain < enough
        self.objectives.append(objective)
        if not self.done:
            known = np.minimum(
                self.trust * right, self.label_counts
            )  # but for rounding, it is less
            self.counts = self.prior.plus(known, self.label_counts)
            self._prepare()


def _climb(parts: OpenShards, starts: list[_Start]) -> None:
    """All starts at once, so that each shard is visited once in an iteration."""
    climbing = starts
    while climbing:
        sums = total(parts.each("step", np.array([start.gain for start in climbing])))
        for start, right, evidence in zip(climbing, sums.right, sums.evidence, strict=True):
            start.take(right.reshape(start.label_counts.shape), float(evidence))
        climbing = [start for start in climbing if not start.done]
