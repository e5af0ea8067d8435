"""Whitehill, Ruvolo, Wu, Bergsma and Movellan, *Whose vote should count more: optimal integration
of labels from labelers of unknown expertise*, NIPS 22 (2009), 2035-2043: workers have an ability
and units a difficulty (GLAD).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.categorical.cells import check_warm
from aggregation.algorithms.categorical.em import FLOOR
from aggregation.algorithms.categorical.evidence import Evidence, UnitEvidence
from aggregation.algorithms.categorical.glad_shard import GLADShard, NewtonSums, logistic
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
from aggregation.algorithms.settings import check_above_to, check_at_least, check_from_to
from aggregation.algorithms.shards import (
    LocalPool,
    OpenShards,
    Pool,
    ShardedLabels,
    loaders_of,
    total,
)

LARGEST_MEAN, LARGEST_VARIANCE = 5.0, 100.0  # beyond them numbers overflow sooner or later
SETTLED, MOST_STEPS = (
    1e-6,
    100,
)  # of ln b of new units: how little it moves at the end, and how soon
HALVINGS = 8  # of a step in the abilities that would lower the objective, before it is given up


class GLAD(CategoricalEstimator):
    """Estimate true classes, workers' abilities and units' difficulties, by generalised EM.

    With a[w] the ability of w (below 0: they know and say something else), 1 / b[u] the difficulty
    of u (b > 0) and s the logistic function,

        P(w says k of u | truth is k) = s(a[w] b[u])                             (equation 1)
        P(w says l of u | truth is k) = (1 - s(a[w] b[u])) / (K - 1),  l != k

    The paper's second line is for K = 2; errors spread evenly is its generalisation. The truth of
    each unit is any class with probability 1 / K. Priors: a and ln b are Gaussian, with mean 1 and
    variance 1 by default. The objective is the log-likelihood plus the logarithms of the priors,
    without what does not depend on a or b. It is maximised in turns:

    - ln b of all units, each for itself given a: a Newton step with the expected curvature. A step
      that would lower the unit's part of the objective is not taken, and the next is shorter.
    - a of all workers, each alone given T and b: a Newton step; halved while the objective
      falls.

    So no iteration makes the objective lower. Labels agree with parameters.

    Parameters
    ----------
    ability_mean, ability_variance : float
        The prior of a.
    ease_mean, ease_variance : float
        The prior of ln b.
    max_iter : int
    tol : float
        Stop when an iteration adds less than this to the objective, per label.

    Attributes
    ----------
    posterior_ : array of shape (n_units, n_classes)
        T. Rows sum to 1; a unit without labels has even shares. Not kept of `ShardedLabels`; see
        `posteriors`.
    ability_ : array of shape (n_workers,)
        a; the prior's mean for a worker without labels.
    difficulty_ : array of shape (n_units,)
        1 / b, above 0; that of the prior's mean for a unit without labels. The nearer to 0, the
        surer is everybody with an ability above 0 to be right; the higher, the more everybody is
        right in one of two cases. Not kept of `ShardedLabels`; see `difficulties`.
    reliability_ : Reliability
        Accuracy is over the labels given: the mean of T[u, l]. `confusion` has the mean of
        s(a b) over their units on the diagonal. Parameter `ability`.
    diagnostics_ : Diagnostics
    """

    posterior_: NDArray[np.float64]
    ability_: NDArray[np.float64]
    difficulty_: NDArray[np.float64]
    reliability_: Reliability
    diagnostics_: Diagnostics
    _parts: OpenShards | None
    _n_classes: int

    def __init__(
        self,
        *,
        ability_mean: float = 1.0,
        ability_variance: float = 1.0,
        ease_mean: float = 1.0,
        ease_variance: float = 1.0,
        max_iter: int = 100,
        tol: float = 1e-5,
    ):
        check_from_to(-LARGEST_MEAN, LARGEST_MEAN, ability_mean=ability_mean, ease_mean=ease_mean)
        check_above_to(
            0, LARGEST_VARIANCE, ability_variance=ability_variance, ease_variance=ease_variance
        )
        check_at_least(0, tol=tol)
        check_at_least(1, max_iter=max_iter)
        self.ability_mean, self.ability_variance = ability_mean, ability_variance
        self.ease_mean, self.ease_variance = ease_mean, ease_variance
        self.max_iter, self.tol = max_iter, tol

    def fit(
        self,
        labels: CrowdLabels | ShardedLabels,
        *,
        gold: ArrayLike | None = None,
        warm: GLAD | None = None,
        pool: Pool | None = None,
    ) -> Self:
        """Estimate everything from `labels`.

        `gold`, shape (n_units,), holds the class of each unit whose truth is known and -1 for the
        others: known units keep their class in every E-step and enter every M-step. `warm` is an
        earlier fit with the same classes, whose workers have the same numbers: their abilities are
        the start, and others have the prior's mean. `pool` holds the shards.
        """
        began = time.perf_counter()
        labels = self._read(labels)
        pool = pool or LocalPool()
        loaders = loaders_of(labels, gold, pool.size)
        prior = (self.ease_mean, self.ease_variance)
        size = (labels.n_workers, labels.n_classes)
        ability = np.full(labels.n_workers, float(self.ability_mean))
        if warm is not None:
            check_kind(warm, GLAD, "ability_")
            check_warm((len(warm.ability_), warm._n_classes), *size)
            ability[: len(warm.ability_)] = warm.ability_
        parts = pool.open(GLADShard, ((load, *size, *prior) for load in loaders))
        judged = total(parts.each("judged"))
        ability, objectives, converged = self._climb(parts, ability, int(judged.sum()))

        self._parts, self._n_classes, self.ability_ = parts, labels.n_classes, ability
        skills = total(parts.each("skills", ability))
        if isinstance(labels, CrowdLabels):
            self.posterior_ = np.concatenate(list(self.posteriors()))
            self.difficulty_ = np.concatenate(list(self.difficulties()))
            self._parts = None
        self.reliability_ = reliability_of(
            skills.hits, judged, self._confusion(skills.right, judged), ability=ability
        )
        self.diagnostics_ = Diagnostics(
            objective=tuple(objectives),
            converged=converged,
            iterations=len(objectives),
            seconds=time.perf_counter() - began,
        )
        return self

    def posteriors(self) -> Iterator[NDArray[np.float64]]:
        """T of each shard in turn, shape (its units, n_classes); what is kept is one shard."""
        if self._parts is None:
            yield self.posterior_
        else:
            yield from self._parts.each("posterior", self.ability_)

    def difficulties(self) -> Iterator[NDArray[np.float64]]:
        """1 / b of each shard in turn, shape (its units,); what is kept is one shard."""
        if self._parts is None:
            yield self.difficulty_
        else:
            yield from self._parts.each("difficulty")

    def infer(self, labels: CrowdLabels, *, gold: ArrayLike | None = None) -> NDArray[np.float64]:
        """T of other units, shape (n_units, n_classes), with the abilities that were estimated.

        Each unit begins with the prior's mean difficulty and finds its own given the abilities. One
        that was in the fit comes near to what it had there, and the nearer the smaller `tol` was:
        a fit ends before each difficulty has settled, which would take several times as long as
        the fit. By default T differs by some .005 at most, in simulated crowds. Workers keep their
        numbers; those after the last of the fit have the prior's mean. `gold` is as in `fit`.
        """
        if not hasattr(self, "ability_"):
            raise ValueError("there is nothing to infer with before a fit")
        check_classes(self._n_classes, labels)
        check_workers(len(self.ability_), labels)
        ability = np.full(labels.n_workers, float(self.ability_mean))
        ability[: len(self.ability_)] = self.ability_
        [load] = loaders_of(labels, gold, 1)
        size = (labels.n_workers, labels.n_classes)
        part = GLADShard(load, *size, self.ease_mean, self.ease_variance)
        for _ in range(MOST_STEPS):
            if part.settle(ability) < SETTLED:
                break
        return part.posterior(ability)

    def evidence(self, labels: CrowdLabels) -> UnitEvidence:
        """T as it is: no unit is taken out of what was estimated, so it looks surer than it is,
        and its labels more alike (`categorical.evidence`)."""
        log_posterior = np.log(np.maximum(self.infer(labels), FLOOR))
        k = labels.n_classes
        right = logistic(self.ability_[labels.worker] / self.difficulty_[labels.unit])
        right = np.clip(right, FLOOR, 1.0)
        wrong = np.maximum((1.0 - right) / max(k - 1, 1), FLOOR)
        said = np.repeat(np.log(wrong)[:, None], k, axis=1)
        said[np.arange(labels.n_labels), labels.label] = np.log(right)
        found = Evidence.as_it_is(log_posterior, labels.unit.astype(np.int64), said)
        return UnitEvidence(log_posterior, found.given, found.foretold())

    def judge(
        self, labels: CrowdLabels, *, gold: ArrayLike | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """What `infer` gives, and the most probable class of each unit; of equals the lowest."""
        posterior = self.infer(labels, gold=gold)
        return posterior, most_probable(posterior)

    def state(self) -> State:
        """What `restore` needs: the abilities, and how many classes there are."""
        return {"ability": self.ability_, "classes": np.array([self._n_classes])}

    @classmethod
    def restore(cls, state: Mapping[str, NDArray[Any]], **settings: Any) -> Self:
        """A fit that can `infer`, and be `warm`; `settings` are those of the constructor."""
        fitted = cls(**settings)
        found = numbers(state, ability="w", classes="1")
        fitted.ability_, fitted._n_classes = found["ability"], int(found["classes"][0])
        if fitted._n_classes < 1:
            raise ValueError("the state has no classes")
        return fitted

    def _climb(
        self, parts: OpenShards, ability: NDArray[np.float64], n_labels: int
    ) -> tuple[NDArray[np.float64], list[float], bool]:
        """Returns the abilities, the objective after each iteration, and whether it converged.

        The parts are left with the ln b that belong to these abilities.
        """
        sums = total(parts.each("step", ability))
        objectives = [sums.objective + self._log_prior(ability)]
        converged = False
        while not converged and len(objectives) < self.max_iter:
            step = self._newton(sums, ability)
            for _ in range(HALVINGS):
                tried = total(parts.each("step", ability + step))
                objective = tried.objective + self._log_prior(ability + step)
                if objective >= objectives[-1]:
                    break
                for _ in parts.each("undo"):
                    pass
                step /= 2
            else:
                return ability, objectives, True  # no step is small enough: this is the top
            ability, sums = ability + step, tried
            converged = objective - objectives[-1] < self.tol * max(n_labels, 1)
            objectives.append(objective)
        return ability, objectives, converged

    def _log_prior(self, ability: NDArray[np.float64]) -> float:
        return float(-((ability - self.ability_mean) ** 2).sum() / (2 * self.ability_variance))

    def _newton(self, sums: NewtonSums, ability: NDArray[np.float64]) -> NDArray[np.float64]:
        slope = sums.slope - (ability - self.ability_mean) / self.ability_variance
        step = slope / (sums.curvature + 1 / self.ability_variance)
        return np.asarray(step)

    def _confusion(
        self, right: NDArray[np.float64], judged: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """P(w says l | truth is k), shape (n_workers, true, said); `right` sums s(a b).

        A worker without labels is taken to meet units of the prior's mean.
        """
        k = self._n_classes
        if k == 1:
            return np.ones((len(judged), 1, 1))
        typical = logistic(self.ability_ * np.exp(self.ease_mean))
        mean = np.where(judged > 0, right / np.maximum(judged, 1), typical)[:, None, None]
        return np.where(np.eye(k) > 0, mean, (1.0 - mean) / (k - 1))
