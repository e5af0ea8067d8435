"""What a fit says of each worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import NDArray

JEFFREYS = 0.5  # pseudo-judgments, right and wrong each, of the prior of an accuracy
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Reliability:
    """Per worker; a worker of whom nothing is known gets the prior: .5, and .00 to 1.00.

    Attributes
    ----------
    accuracy : array of shape (n_workers,)
        Expected share of right judgments.
    low, high : arrays of shape (n_workers,)
        The 95 % interval of the accuracy.
    judged : array of shape (n_workers,)
        How many labels he gave.
    confusion : array of shape (n_workers, n_classes, n_classes), or None
        `confusion[w, k, l]` = P(w says l | truth is k), where the method estimates it.
    parameters : mapping of names to arrays of shape (n_workers, ...)
        What else the method estimates of each worker; its docstring says what that means.
    """

    accuracy: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    judged: NDArray[np.int64]
    confusion: NDArray[np.float64] | None = None
    parameters: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hits:
    """Per worker, of the judgments that can be compared with something; those of parts add up.

    Each array has the shape (n_workers,): how many there are, the sum of the probabilities p of
    being right, and the sum of p (1 - p).
    """

    compared: NDArray[np.float64]
    right: NDArray[np.float64]
    spread: NDArray[np.float64]

    @classmethod
    def of(cls, worker: NDArray[np.int32], right: NDArray[np.float64], n_workers: int) -> Self:
        """`worker` and `right`, shape (n_compared,): who judged, and how probably he is right."""
        p = np.clip(right, 0.0, 1.0)  # a posterior can pass 1 by rounding

        def summed(weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
            return np.bincount(worker, weights, minlength=n_workers).astype(np.float64)

        return cls(compared=summed(None), right=summed(p), spread=summed(p * (1.0 - p)))

    @classmethod
    def none(cls, n_workers: int) -> Self:
        return cls(np.zeros(n_workers), np.zeros(n_workers), np.zeros(n_workers))

    def __add__(self, other: Hits) -> Hits:
        return Hits(
            self.compared + other.compared, self.right + other.right, self.spread + other.spread
        )


def reliability_of(
    hits: Hits,
    judged: NDArray[np.int64],
    confusion: NDArray[np.float64] | None = None,
    **parameters: NDArray[np.float64],
) -> Reliability:
    """Accuracies from how probably each judgment is right.

    Were the truth known, the accuracy a of a worker with s right of n judgments would be
    Beta(s + 1/2, n - s + 1/2) by Jeffreys' prior. It is not, so s is itself uncertain: with m the
    sum of the probabilities and v the sum of p (1 - p),

        E a   = (m + 1/2) / N,                                                 N = n + 1
        Var a = ((m + 1/2) (n - m + 1/2) - v) / (N^2 (N + 1)) + v / N^2

    by the laws of total expectation and variance. The interval is that of the beta distribution
    with this mean and variance. What the uncertainty of the method's own parameters would add is
    left out. `judged`, shape (n_workers,), counts all labels, compared or not.
    """
    from scipy.special import betaincinv

    n, m, v = hits.compared, hits.right, hits.spread
    above, below, total = m + JEFFREYS, n - m + JEFFREYS, n + 2 * JEFFREYS
    mean = above / total
    variance = (above * below - v) / (total**2 * (total + 1.0)) + v / total**2
    weight = mean * (1.0 - mean) / variance - 1.0  # the beta distribution's a + b
    a, b = mean * weight, (1.0 - mean) * weight
    tail = (1.0 - LEVEL) / 2.0
    return Reliability(
        accuracy=mean,
        low=betaincinv(a, b, tail),
        high=betaincinv(a, b, 1.0 - tail),
        judged=judged,
        confusion=confusion,
        parameters=parameters,
    )
