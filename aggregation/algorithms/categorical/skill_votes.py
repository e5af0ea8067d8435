"""Votes weighted by how often workers agree with the outcome, as crowd-kit has them: for tables
that stand beside published ones. `weighted_majority` is the better rule of this kind."""

from __future__ import annotations

import time
from abc import abstractmethod
from typing import Self

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.categorical.evidence import UnitEvidence
from aggregation.algorithms.categorical.votes import shares_of
from aggregation.algorithms.categorical.weighted_majority import agreement, weighed, winners
from aggregation.algorithms.data import UNKNOWN, CrowdLabels
from aggregation.algorithms.estimators import CategoricalEstimator
from aggregation.algorithms.reliability import Reliability, reliability_of
from aggregation.algorithms.results import Diagnostics
from aggregation.algorithms.settings import check_at_least

EXACT = 1e-12  # a skill that moves by less stands still
HALVED = 20  # before each so many-th step the rate is halved
ABOVE_CHANCE = 1e-5  # what a skill is above 1 / K at first


class SkillVote(CategoricalEstimator):
    """The class with the most skill: of unit u the largest sum of skill[w] over those who said it.

    Of equals the lowest number; where nobody who judged the unit has any skill the plain vote
    counts. No gold, no warm start, no shards.

    Attributes
    ----------
    posterior_ : array of shape (n_units, n_classes)
        Shares of the skills: no probabilities. Units without labels get the shares of all.
    reliability_ : Reliability
        Agreement with the weighted vote of the others; parameter `skill`, 0 without labels, which
        counts a worker's own vote.
    diagnostics_ : Diagnostics
        There is no objective.
    """

    posterior_: NDArray[np.float64]
    reliability_: Reliability
    diagnostics_: Diagnostics
    _choice: NDArray[np.int64]

    def fit(self, labels: CrowdLabels) -> Self:
        began = time.perf_counter()
        labels = self._read(labels)
        skill, converged, iterations = self._skills(labels)
        votes = labels.votes()
        score = weighed(labels, votes, skill)
        self.posterior_ = shares_of(score.copy())
        known = np.full(labels.n_units, UNKNOWN)
        choice = winners(score, known)
        self._choice = np.where(votes.any(axis=1), choice, self.posterior_.argmax(axis=1))
        self.reliability_ = reliability_of(
            agreement(labels, skill, known), labels.judged(), skill=skill
        )
        self.diagnostics_ = Diagnostics(
            objective=(),
            converged=converged,
            iterations=iterations,
            seconds=time.perf_counter() - began,
        )
        return self

    def evidence(self, labels: CrowdLabels) -> UnitEvidence:
        """Shares as if they were of so many votes: ln of (n share + 1) / (n + K)."""
        given = np.bincount(labels.unit, minlength=labels.n_units)
        return UnitEvidence(np.log(self.posterior_ * given[:, None] + 1.0), given, None)

    def predict(self) -> NDArray[np.int64]:
        """The class of each unit, shape (n_units,)."""
        return self._choice.copy()

    @abstractmethod
    def _skills(self, labels: CrowdLabels) -> tuple[NDArray[np.float64], bool, int]:
        """Of each worker, whether they stand still, and after how many votes."""


class Wawa(SkillVote):
    """Worker agreement with aggregate: a plain vote, then one in which a worker counts by the share
    of their labels that agree with the first (crowd-kit's `Wawa`)."""

    def _skills(self, labels: CrowdLabels) -> tuple[NDArray[np.float64], bool, int]:
        return _agreeing(labels, labels.votes().argmax(axis=1)), True, 1


class ZeroBasedSkill(SkillVote):
    """Skills that go towards agreement with the vote that they weigh (crowd-kit's method).

    With K classes that somebody gave, c[w] of the n[w] labels of worker w agreeing with the vote,
    rate 1 at first and halved before each 20th step,

        skill[w] = 1 / K + 1e-5,   then   skill[w] += rate (c[w] / n[w] - skill[w])

    until nothing moves or `max_iter` steps are done.

    Parameters
    ----------
    max_iter : int
    """

    def __init__(self, *, max_iter: int = 100):
        check_at_least(1, max_iter=max_iter)
        self.max_iter = max_iter

    def _skills(self, labels: CrowdLabels) -> tuple[NDArray[np.float64], bool, int]:
        votes, known = labels.votes(), np.full(labels.n_units, UNKNOWN)
        classes = max(int((votes.sum(axis=0) > 0).sum()), 1)
        skill = np.where(labels.judged() > 0, 1.0 / classes + ABOVE_CHANCE, 0.0)
        rate = 1.0
        for step in range(1, self.max_iter + 1):
            if step % HALVED == 0:
                rate /= 2
            gap = _agreeing(labels, winners(weighed(labels, votes, skill), known)) - skill
            if np.abs(gap).max(initial=0.0) < EXACT:
                return skill, True, step
            skill = skill + rate * gap
        return skill, False, self.max_iter


def _agreeing(labels: CrowdLabels, choice: NDArray[np.int64]) -> NDArray[np.float64]:
    """The share of each worker's labels that are what was chosen; 0 without labels."""
    agrees = choice[labels.unit] == labels.label
    right = np.bincount(labels.worker[agrees], minlength=labels.n_workers)
    return right / np.maximum(labels.judged(), 1)
