"""Expectation maximisation with a confusion matrix for each worker: Dawid–Skene, one-coin, IBCC.

With T[u, k] = P(truth of u is k | labels), n[u, w, l] the number of times that w gave u the label
l, the prevalence p[k] and the confusion E[w, k, l] = P(w labels l | truth is k), the loop is

    E-step      T[u, k] = p[k] prod_{w,l} E[w, k, l]^n[u, w, l] / sum over k of the same
    objective   sum_u ln sum_k p[k] prod_{w,l} E[w, k, l]^n[u, w, l]  +  ln of the prior
    M-step      p and E from the expected counts sum_u T[u, k] and sum_u T[u, k] n[u, w, l]

(`e_step`, `expectation_maximisation`). The methods differ in their M-step alone, which stands with
each of them. Where the units live is behind `em_shards`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.blocks import Block
from aggregation.algorithms.data import UNKNOWN

Start = Literal["shares", "mode", "gold"]
STARTS = ("shares", "mode", "gold")
Estimate = TypeVar("Estimate", bound="Parameters")

# An impossible label is taken as this improbable: a logarithm stays finite, so that a unit that
# somebody gave the impossible still has a posterior. It moves no sum of floats.
FLOOR = 1e-300
UNDERFLOW = -600.0  # exp of it, times a prevalence, is a float still


@dataclass(frozen=True, slots=True)
class Parameters:
    """What an E-step works with.

    Attributes
    ----------
    prevalence : array of shape (n_classes,)
        p; need not sum to 1.
    log_confusion : array of shape (n_workers, n_classes, n_classes)
        ln E at (w, l, k): the layout of the products.
    log_prior : float
        What the objective has beside the log-likelihood, in nats.
    """

    prevalence: NDArray[np.float64]
    log_confusion: NDArray[np.float64]
    log_prior: float

    def for_shards(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return self.prevalence, self.log_confusion.reshape(-1, len(self.prevalence))


@dataclass(slots=True)
class ExpectedCounts:
    """The sufficient statistics of an M-step; those of several shards add up.

    Attributes
    ----------
    labels : array of shape (n_workers, n_classes, n_classes)
        sum_u T[u, k] n[u, w, l] at (w, l, k): the layout of the products.
    units : array of shape (n_classes,)
        sum_u T[u, k].
    log_likelihood : float
        sum_u ln sum_k p[k] prod E[w, k, l]^n[u, w, l], in nats.
    change : float
        The largest change of a T since the step before; only of shards that keep T.
    """

    labels: NDArray[np.float64]
    units: NDArray[np.float64]
    log_likelihood: float = 0.0
    change: float = 0.0

    @classmethod
    def zeros(cls, n_workers: int, n_classes: int) -> Self:
        return cls(np.zeros((n_workers, n_classes, n_classes)), np.zeros(n_classes))

    def __add__(self, other: ExpectedCounts) -> ExpectedCounts:
        return ExpectedCounts(
            self.labels + other.labels,
            self.units + other.units,
            self.log_likelihood + other.log_likelihood,
            max(self.change, other.change),
        )

    def add(
        self, block: Block, ratio: NDArray[np.float64], prevalence: NDArray[np.float64]
    ) -> None:
        """`ratio`, shape (units of the block, n_classes), times `prevalence` is T."""
        self.labels += (block.counts.T @ ratio * prevalence).reshape(self.labels.shape)
        self.units += np.ones(len(ratio)) @ ratio * prevalence  # faster than sum(axis=0)


class Units(Protocol):
    """The units and their labels, wherever they live."""

    def e_step(self, parameters: Parameters) -> ExpectedCounts: ...


@dataclass(frozen=True, slots=True)
class Maximum(Generic[Estimate]):
    """The parameters of the last E-step, and the objective after each iteration."""

    parameters: Estimate
    objective: list[float]
    converged: bool


def expectation_maximisation(
    units: Units,
    parameters: Estimate,
    m_step: Callable[[ExpectedCounts], Estimate],
    *,
    has_converged: Callable[[list[float], ExpectedCounts], bool],
    max_iter: int,
) -> Maximum[Estimate]:
    """E-steps and M-steps in turn, from `parameters`; it ends with an E-step, so that posteriors
    agree with parameters.

    `has_converged` gets the objectives so far and the last expected counts.
    """
    objective: list[float] = []
    while True:
        counts = units.e_step(parameters)
        objective.append(counts.log_likelihood + parameters.log_prior)
        converged = has_converged(objective, counts)
        if converged or len(objective) == max_iter:
            return Maximum(parameters, objective, converged)
        parameters = m_step(counts)


def e_step(
    counts: NDArray[np.float64],
    prevalence: NDArray[np.float64],
    log_confusion: NDArray[np.float64],
    known: NDArray[np.int64] | None = None,
) -> tuple[NDArray[np.float64], float]:
    """T without its factor p[k], shape (n_units, n_classes), and the log-likelihood in nats.

    `counts` is n as a (sparse) matrix of shape (n_units, n_workers * n_classes), `log_confusion`
    of shape (n_workers * n_classes, n_classes) has ln E[w, k, l] at (w * n_classes + l, k), and
    `known` has the class of each unit with gold, UNKNOWN for the others. Without p the products of
    an M-step are as good: it goes into their small results.
    """
    likelihood = counts @ log_confusion
    if known is not None:
        units = np.flatnonzero(known != UNKNOWN)
        kept = likelihood[units, known[units]]
        likelihood[units] = -np.inf
        likelihood[units, known[units]] = kept
    # Seldom does anything underflow, and the maxima of rows cost time.
    top = None
    if likelihood.min(initial=0.0) < UNDERFLOW:
        top = likelihood.max(axis=1)
        likelihood -= top[:, None]
    np.exp(likelihood, out=likelihood)
    evidence = likelihood @ prevalence
    likelihood /= evidence[:, None]
    log_likelihood = float(np.log(evidence).sum())
    return likelihood, log_likelihood if top is None else log_likelihood + float(top.sum())


def gains_less_than(tol: float, n_labels: int) -> Callable[[list[float], ExpectedCounts], bool]:
    """Whether an iteration added less than `tol` to the objective, per label."""

    def has_converged(objective: list[float], _: ExpectedCounts) -> bool:
        return len(objective) > 1 and (objective[-1] - objective[-2]) / max(n_labels, 1) < tol

    return has_converged


def normalised(counts: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """`counts`, divided in place by their sums along `axis`; even shares where the sum is 0."""
    sums = counts.sum(axis=axis, keepdims=True)
    if not sums.all():
        counts += sums == 0
        sums = counts.sum(axis=axis, keepdims=True)
    counts /= sums
    return counts
