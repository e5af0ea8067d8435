"""Li and Yu, *Error rate bounds and iterative weighted majority voting for crowdsourcing*,
arXiv:1411.4086 (2014): a vote in which workers who agree with the outcome count more.
"""

from __future__ import annotations

import time
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.categorical.cells import sums_of
from aggregation.algorithms.categorical.evidence import UnitEvidence
from aggregation.algorithms.categorical.votes import shares_of
from aggregation.algorithms.data import BLOCK_LABELS, UNKNOWN, CrowdLabels, checked_gold
from aggregation.algorithms.estimators import CategoricalEstimator
from aggregation.algorithms.reliability import Hits, Reliability, reliability_of
from aggregation.algorithms.results import Diagnostics
from aggregation.algorithms.settings import check_above_to, check_at_least, check_choice

EQUAL = 1e-9  # sums of weights that differ by less, or by this part of the higher, are level


class WeightedMajority(CategoricalEstimator):
    """The class with most weight, where a worker's weight comes from how often they agree with it.

    One iteration, with K classes, c[w] labels of worker w that agree with the outcome, and n[w]
    labels of theirs in all:

        r[w] = c[w] / n[w]
        linear:    weight[w] = K r[w] - 1
        log-odds:  weight[w] = ln((K - 1) r[w] / (1 - r[w])),
                   r cut to e ... 1 - e first, with e = max(1 / (2 n[w]), truncation)
        outcome[u] = the class with the highest sum of the weights of those who said it

    The first outcome is the majority vote. It stops when the outcome stays the same. Linear
    weights are those of the paper's algorithm; log-odds are those of its oracle rule, best for
    workers whose errors are spread evenly if r is exact. As r nears 0 or 1 they grow without end,
    which is why they are truncated. Both weights are 0 at chance and *negative* below it, as in
    the paper: a worker who is mostly wrong speaks against what they say.

    Classes with equal sums: the lowest number. Where the weights of all who judged a unit are 0
    the plain vote counts. There is no warm start and there are no shards.

    Parameters
    ----------
    weights : "linear" or "log-odds"
    truncation : float
        Between 0 and .5; for log-odds.
    max_iter : int

    Attributes
    ----------
    posterior_ : array of shape (n_units, n_classes)
        Linear: shares of the weights, where a negative weight counts for all other classes; no
        probabilities. Units without labels get the shares of all. Log-odds: the shares of
        exp(sum of weights), which are the posterior if r is exact, errors are spread evenly and no
        class is commoner than another; even shares without labels.
    reliability_ : Reliability
        Agreement with the weighted vote of the others, or with gold. Parameter `weight`; 0 for
        a worker without labels.
    diagnostics_ : Diagnostics
        There is no objective.
    """

    posterior_: NDArray[np.float64]
    reliability_: Reliability
    diagnostics_: Diagnostics
    _choice: NDArray[np.int64]

    def __init__(
        self,
        *,
        weights: Literal["linear", "log-odds"] = "linear",
        truncation: float = 0.01,
        max_iter: int = 100,
    ):
        check_choice(("linear", "log-odds"), weights=weights)
        check_above_to(0, 0.5, truncation=truncation)
        check_at_least(1, max_iter=max_iter)
        self.weights, self.truncation, self.max_iter = weights, truncation, max_iter

    def fit(self, labels: CrowdLabels, *, gold: ArrayLike | None = None) -> Self:
        """Find outcome and weights.

        `gold`, shape (n_units,), holds the class of each unit whose truth is known and -1 for the
        others. It is the outcome of its units, so accuracies come from it too; and the first
        weights come from gold alone, with one right answer in K added to each worker's.
        """
        began = time.perf_counter()
        labels = self._read(labels)
        known = checked_gold(gold, labels)
        votes = labels.votes()
        weight = self._first_weights(labels, known)
        choice = winners(weighed(labels, votes, weight), known)
        converged, iterations = False, 0
        while not converged and iterations < self.max_iter:
            weight = self._weights_of(labels, choice)
            score = weighed(labels, votes, weight)
            before, choice = choice, winners(score, known)
            converged = bool((choice == before).all())
            iterations += 1
        self.posterior_ = self._posterior(labels, votes, weight, score, known)
        self._choice = np.where(votes.any(axis=1), choice, self.posterior_.argmax(axis=1))
        self.reliability_ = reliability_of(
            agreement(labels, weight, known), labels.judged(), weight=weight
        )
        self.diagnostics_ = Diagnostics(
            objective=(),
            converged=converged,
            iterations=iterations,
            seconds=time.perf_counter() - began,
        )
        return self

    def evidence(self, labels: CrowdLabels) -> UnitEvidence:
        """Weighted shares as if they were of so many votes: ln of (n share + 1) / (n + K)."""
        given = np.bincount(labels.unit, minlength=labels.n_units)
        return UnitEvidence(np.log(self.posterior_ * given[:, None] + 1.0), given, None)

    def predict(self) -> NDArray[np.int64]:
        """The class of each unit, shape (n_units,)."""
        return self._choice.copy()

    def _first_weights(self, labels: CrowdLabels, known: NDArray[np.int64]) -> NDArray[np.float64]:
        if not (known != UNKNOWN).any():
            return np.ones(labels.n_workers)
        truth = known[labels.unit]
        told = np.bincount(labels.worker[truth != UNKNOWN], minlength=labels.n_workers)
        right = np.bincount(labels.worker[truth == labels.label], minlength=labels.n_workers)
        accuracy = (right + 1.0) / (told + labels.n_classes)
        return self._weights(accuracy, told, labels.n_classes)

    def _weights_of(self, labels: CrowdLabels, choice: NDArray[np.int64]) -> NDArray[np.float64]:
        judged = labels.judged()
        agrees = choice[labels.unit] == labels.label
        right = np.bincount(labels.worker[agrees], minlength=labels.n_workers)
        return self._weights(right / np.maximum(judged, 1), judged, labels.n_classes)

    def _weights(
        self, accuracy: NDArray[np.float64], judged: NDArray[np.int64], n_classes: int
    ) -> NDArray[np.float64]:
        """The weight of each worker; 0 without judgments, and where there is one class."""
        if self.weights == "linear":
            weight = n_classes * accuracy - 1.0
        else:
            edge = np.maximum(0.5 / np.maximum(judged, 1), self.truncation)
            kept = np.clip(accuracy, edge, 1.0 - edge)
            weight = np.log(max(n_classes - 1, 1) * kept / (1.0 - kept))
        return np.where((judged > 0) & (n_classes > 1), weight, 0.0)

    def _posterior(
        self,
        labels: CrowdLabels,
        votes: NDArray[np.int64],
        weight: NDArray[np.float64],
        score: NDArray[np.float64],
        known: NDArray[np.int64],
    ) -> NDArray[np.float64]:
        if self.weights == "linear":
            shares = _shares(labels, votes, weight, score)
        else:
            weightless = _is_weightless(labels, weight) & votes.any(axis=1)
            shares = np.exp(score - score.max(axis=1, keepdims=True))
            shares[weightless] = votes[weightless]
            shares /= shares.sum(axis=1, keepdims=True)
        units = np.flatnonzero(known != UNKNOWN)
        shares[units] = np.eye(labels.n_classes)[known[units]]
        return shares


def weighed(
    labels: CrowdLabels, votes: NDArray[np.int64], weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The sum of weights for each class, shape (n_units, n_classes); where nobody who judged the
    unit has any, the numbers of votes.
    """
    score = _sums(labels, weight)
    weightless = _is_weightless(labels, weight)
    score[weightless] = votes[weightless]
    return score


def _sums(labels: CrowdLabels, weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of weights for each class, shape (n_units, n_classes)."""
    place = labels.unit.astype(np.int64) * labels.n_classes
    place += labels.label
    sums = sums_of(weight[labels.worker], place, labels.n_units * labels.n_classes)
    return sums.reshape(labels.n_units, labels.n_classes)


def _loud_labels(labels: CrowdLabels, weight: NDArray[np.float64]) -> NDArray[np.int64]:
    """How many labels of each unit are of somebody with a weight, shape (n_units,)."""
    loud = (np.abs(weight) > EQUAL)[labels.worker]
    counts = np.bincount(labels.unit[loud], minlength=labels.n_units)
    return counts.astype(np.int64, copy=False)


def _is_weightless(labels: CrowdLabels, weight: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Units of which nobody with a weight judged, shape (n_units,)."""
    return _loud_labels(labels, weight) == 0


def _shares(
    labels: CrowdLabels,
    votes: NDArray[np.int64],
    weight: NDArray[np.float64],
    score: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Shares of the weights. A negative one, given to all other classes with the opposite sign,
    leaves every difference between classes as it was.
    """
    against = sums_of(np.maximum(-weight, 0.0)[labels.worker], labels.unit, labels.n_units)
    against[_is_weightless(labels, weight)] = 0.0
    # Rounding can leave a little less than nothing.
    return shares_of(np.maximum(score + against[:, None], 0.0))


def _level(score: NDArray[np.float64], top: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether `score` reaches `top` but for rounding: the order of a sum must not settle a tie."""
    return np.asarray(score >= top - EQUAL * np.maximum(np.abs(top), 1.0))


def winners(score: NDArray[np.float64], known: NDArray[np.int64]) -> NDArray[np.int64]:
    """The known class, or the lowest of those with the highest score; shape (n_units,)."""
    best = _level(score, score.max(axis=1, keepdims=True)).argmax(axis=1)
    return np.where(known != UNKNOWN, known, best)


def agreement(labels: CrowdLabels, weight: NDArray[np.float64], known: NDArray[np.int64]) -> Hits:
    """How often each worker says what the weighted vote of the others says, or gold.

    As `votes.agreement_with_others`, with weights: their own is left out, and where the others are
    level between c classes and theirs is one of them, they are right with 1 / c. Labels of units
    that nobody else with a weight judged are not compared.
    """
    score = _sums(labels, weight)
    top = score.max(axis=1, keepdims=True)
    at_top = _level(score, top)
    n_top = at_top.sum(axis=1)
    below = np.where(at_top, -np.inf, score)
    second = below.max(axis=1, keepdims=True)  # -inf where all classes are level
    n_second = (~at_top & _level(score, second)).sum(axis=1)
    n_loud = _loud_labels(labels, weight)

    hits = Hits.none(labels.n_workers)
    for begin in range(0, labels.n_labels, BLOCK_LABELS):  # for memory
        part = slice(begin, begin + BLOCK_LABELS)
        unit, worker, label = labels.unit[part], labels.worker[part], labels.label[part]
        first = at_top[unit, label]
        alone = first & (n_top[unit] == 1)
        # The best of the other classes, and how many of them are that good.
        rival = np.where(alone, second[unit, 0], top[unit, 0])
        n_rivals = np.where(alone, n_second[unit], n_top[unit] - first)
        others = score[unit, label] - weight[worker]
        reaches = _level(others, rival)
        right = np.where(reaches & _level(rival, others), 1.0 / (1.0 + n_rivals), reaches)

        truth = known[unit]
        told = truth != UNKNOWN
        right = np.where(told, truth == label, right)
        compared = told | (n_loud[unit] > (np.abs(weight[worker]) > EQUAL))
        hits += Hits.of(worker[compared], right[compared], labels.n_workers)
    return hits
