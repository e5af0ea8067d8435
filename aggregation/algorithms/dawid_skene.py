"""Dawid and Skene, *Maximum likelihood estimation of observer error-rates using the EM algorithm*,
Applied Statistics 28 (1979), 20-28: each worker has a confusion matrix of his own.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.data import BLOCK_LABELS, UNKNOWN, Block, CrowdLabels, checked_gold
from aggregation.algorithms.reliability import Hits, Reliability, reliability_of
from aggregation.algorithms.results import Diagnostics
from aggregation.algorithms.votes import shares_of

# An impossible label is taken as this improbable: a logarithm stays finite, so that a unit of
# which somebody said the impossible still has a posterior. It moves no sum of floats.
FLOOR = 1e-300
# Beside gold, a worker without gold votes with the weight of one right judgment in two.
UNTOLD_RIGHT, UNTOLD = 1.0, 2.0
UNDERFLOW = -600.0  # exp of it, times a prevalence, is a float still


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
    start : "shares" or "mode"
        The first T: the shares of the votes (3.1), or all on the class with most votes.
    max_iter : int
    tol : float
        Stop when an iteration adds less than this to the objective, per label.

    Attributes
    ----------
    posterior_ : array of shape (n_units, n_classes)
        T. Rows sum to 1; a unit without labels has the prevalence.
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

    def __init__(
        self,
        *,
        diagonal: float = 1.0,
        off_diagonal: float = 0.5,
        class_prior: float = 1.0,
        start: Literal["shares", "mode"] = "shares",
        max_iter: int = 100,
        tol: float = 1e-5,
    ):
        for name, value in (
            ("diagonal", diagonal),
            ("off_diagonal", off_diagonal),
            ("class_prior", class_prior),
            ("tol", tol),
        ):
            if not 0 <= value < np.inf:
                raise ValueError(f"{name} must be 0 or more, but is {value}")
        if start not in ("shares", "mode"):
            raise ValueError(f"start must be 'shares' or 'mode', but is '{start}'")
        if max_iter < 1:
            raise ValueError(f"max_iter must be at least 1, but is {max_iter}")
        self.diagonal, self.off_diagonal, self.class_prior = diagonal, off_diagonal, class_prior
        self.start, self.max_iter, self.tol = start, max_iter, tol

    def fit(self, labels: CrowdLabels, *, gold: ArrayLike | None = None) -> Self:
        """Estimate everything from `labels`.

        `gold`, shape (n_units,), holds the class of each unit whose truth is known and -1 for the
        others: known units keep their class in every E-step and enter every M-step.
        """
        began = time.perf_counter()
        known = checked_gold(gold, labels)
        blocks = labels.blocks()
        posterior = self._first_posterior(labels, blocks, known)
        prevalence, confusion, converged = self._climb(labels, blocks, known, posterior)
        self.posterior_, self.prevalence_ = posterior, prevalence
        self.confusion_ = np.ascontiguousarray(confusion.transpose(0, 2, 1))
        self.reliability_ = reliability_of(
            _hits(labels, posterior), labels.judged(), self.confusion_
        )
        self.diagnostics_ = Diagnostics(
            objective=tuple(self.log_likelihood_),
            converged=converged,
            iterations=len(self.log_likelihood_),
            seconds=time.perf_counter() - began,
        )
        return self

    def predict(self) -> NDArray[np.int64]:
        """Most probable class of each unit, shape (n_units,); of equals the lowest."""
        return np.asarray(self.posterior_.argmax(axis=1), dtype=np.int64)

    def _first_posterior(
        self, labels: CrowdLabels, blocks: list[Block], known: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """(3.1), shape (n_units, n_classes); where gold exists, votes count by the accuracy that
        each worker has on it.
        """
        weight = np.ones(labels.n_workers)
        if (known != UNKNOWN).any():
            truth = known[labels.unit]
            told = truth != UNKNOWN
            hit = told & (truth == labels.label)
            right = np.bincount(labels.worker[hit], minlength=labels.n_workers) + UNTOLD_RIGHT
            seen = np.bincount(labels.worker[told], minlength=labels.n_workers) + UNTOLD
            weight = right / seen
        ballots = np.kron(weight[:, None], np.eye(labels.n_classes))  # (workers * said, class)
        posterior = np.empty((labels.n_units, labels.n_classes))
        for block in blocks:
            posterior[block.units] = block.counts @ ballots
        judged = posterior @ np.ones(labels.n_classes) > 0
        shares_of(posterior)
        if self.start == "mode":  # the others keep the shares of all labels
            posterior[judged] = np.eye(labels.n_classes)[posterior[judged].argmax(axis=1)]
        _set_known(posterior, known)
        return posterior

    def _climb(
        self,
        labels: CrowdLabels,
        blocks: list[Block],
        known: NDArray[np.int64],
        posterior: NDArray[np.float64],
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], bool]:
        """From the first T in `posterior` to the last one, in its place.

        Returns p, E as `_m_step` gives them, and whether it converged.
        """
        # On the way `posterior` holds T[u, k] / p[k]: the products are as good without p, which
        # goes into their small results. The first T is taken as it is.
        prevalence = np.ones(labels.n_classes)
        statistics = _Statistics.none(labels)
        for block in blocks:
            statistics.add(block, posterior[block.units], prevalence)
        self.log_likelihood_ = []
        converged = False
        while not converged and len(self.log_likelihood_) < self.max_iter:
            prevalence, confusion = self._m_step(statistics)
            log_confusion = np.log(confusion)
            statistics = _Statistics.none(labels)
            for block in blocks:
                rows = posterior[block.units]
                statistics.evidence += _e_step(block, prevalence, log_confusion, known, out=rows)
                statistics.add(block, rows, prevalence)
            objective = statistics.evidence + self._penalty(prevalence, log_confusion)
            converged = self._gains_little(objective, labels.n_labels)
            self.log_likelihood_.append(objective)
        posterior *= prevalence
        _set_known(posterior, known)  # to the last bit
        return prevalence, confusion, converged

    def _m_step(self, statistics: _Statistics) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(2.4) of shape (n_classes,), and (2.3) of shape (n_workers, said, true): the layout of
        the products. The attribute `confusion_` has the paper's, (n_workers, true, said).
        """
        k = len(statistics.units)
        prevalence = _normalised(statistics.units + self.class_prior / k, axis=0)
        confusion = _normalised(statistics.said + self._pseudo_counts(k), axis=1)
        return np.maximum(prevalence, FLOOR), np.maximum(confusion, FLOOR)

    def _pseudo_counts(self, n_classes: int) -> NDArray[np.float64]:
        """a, shape (n_classes, n_classes); it is symmetric."""
        counts = np.full((n_classes, n_classes), float(self.off_diagonal))
        np.fill_diagonal(counts, self.diagonal)
        return counts

    def _penalty(
        self, prevalence: NDArray[np.float64], log_confusion: NDArray[np.float64]
    ) -> float:
        k = len(prevalence)
        confusions = (self._pseudo_counts(k) * log_confusion).sum()
        return float(confusions + self.class_prior / k * np.log(prevalence).sum())

    def _gains_little(self, objective: float, n_labels: int) -> bool:
        if not self.log_likelihood_:
            return False
        return (objective - self.log_likelihood_[-1]) / max(n_labels, 1) < self.tol


@dataclass(slots=True)
class _Statistics:
    """All that an M-step needs of some units; those of parts of the data add up.

    Attributes
    ----------
    said : array of shape (n_workers, n_classes, n_classes)
        sum_u T[u, k] n[u, w, l] at (w, l, k).
    units : array of shape (n_classes,)
        sum_u T[u, k].
    evidence : float
        sum_u ln P(labels of u), in nats, under the parameters that T was made with.
    """

    said: NDArray[np.float64]
    units: NDArray[np.float64]
    evidence: float

    @classmethod
    def none(cls, labels: CrowdLabels) -> Self:
        k = labels.n_classes
        return cls(np.zeros((labels.n_workers, k, k)), np.zeros(k), 0.0)

    def add(
        self, block: Block, ratio: NDArray[np.float64], prevalence: NDArray[np.float64]
    ) -> None:
        """`ratio`, shape (units of the block, n_classes), times `prevalence` is T."""
        self.said += (block.counts.T @ ratio * prevalence).reshape(self.said.shape)
        self.units += np.ones(len(ratio)) @ ratio * prevalence  # faster than sum(axis=0)


def _e_step(
    block: Block,
    prevalence: NDArray[np.float64],
    log_confusion: NDArray[np.float64],
    known: NDArray[np.int64],
    *,
    out: NDArray[np.float64],
) -> float:
    """(2.5) without its p[k], into `out` of shape (units of the block, n_classes).

    Returns the evidence of the block's labels, in nats.
    """
    likelihood = block.counts @ log_confusion.reshape(-1, len(prevalence))
    known = known[block.units]
    units = np.flatnonzero(known != UNKNOWN)
    kept = likelihood[units, known[units]]
    likelihood[units] = -np.inf
    likelihood[units, known[units]] = kept
    # Seldom does anything underflow, and the maxima of rows cost time.
    top = np.zeros(len(likelihood))
    if likelihood.min(initial=0.0) < UNDERFLOW:
        top = likelihood.max(axis=1)
        likelihood -= top[:, None]
    np.exp(likelihood, out=likelihood)
    evidence = likelihood @ prevalence
    np.divide(likelihood, evidence[:, None], out=out)
    return float(top.sum() + np.log(evidence).sum())


def _set_known(posterior: NDArray[np.float64], known: NDArray[np.int64]) -> None:
    units = np.flatnonzero(known != UNKNOWN)
    posterior[units] = np.eye(posterior.shape[1])[known[units]]


def _hits(labels: CrowdLabels, posterior: NDArray[np.float64]) -> Hits:
    """A label is right with the posterior of the class that it says. In parts, for memory."""
    hits = Hits.none(labels.n_workers)
    for first in range(0, labels.n_labels, BLOCK_LABELS):
        part = slice(first, first + BLOCK_LABELS)
        right = posterior[labels.unit[part], labels.label[part]]
        hits += Hits.of(labels.worker[part], right, labels.n_workers)
    return hits


def _normalised(counts: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """`counts`, divided in place by their sums along `axis`; even shares where the sum is 0."""
    total = counts.sum(axis=axis, keepdims=True)
    if not total.all():
        counts += total == 0
        total = counts.sum(axis=axis, keepdims=True)
    counts /= total
    return counts
