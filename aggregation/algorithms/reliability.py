"""What a fit says of each worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

FLAWLESS = 0.5  # expected errors, below which a worker may never have been wrong
JEFFREYS = 0.5  # pseudo-judgments, right and wrong each, of the prior of an accuracy
LEVEL = 0.95
LENT = 10.0  # clusters' worth of what all workers together say of how alike judgments are
TINY = 1e-9  # what is left of 0 by rounding


@dataclass(frozen=True, slots=True)
class Reliability:
    """Per worker; a worker of whom nothing is known gets the prior: .5, and .00 to 1.00.

    What a judgment is compared with is the consensus, never the truth (but for gold). Of a method
    that learns, it is an accuracy as far as the method is right about the truth. Of a vote, both
    figure and interval are of the *agreement with the others*, who err too: no interval of an
    accuracy, for which it is too low as a rule and too narrow.

    Attributes
    ----------
    accuracy : array of shape (n_workers,)
        Expected share of right judgments; of a vote, of those that agree with the others.
    low, high : arrays of shape (n_workers,)
        The 95 % interval of the same; see `reliability_of` for what it leaves out.
    judged : array of shape (n_workers,)
        How many labels they gave.
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

    With p the probability that a judgment is right, each of shape (n_workers,):

    Attributes
    ----------
    compared, right, spread : arrays
        How many judgments there are, the sum of p, and the sum of p (1 - p).
    pairs, right_compared, right_right, spread_spread : arrays
        Sums over ordered pairs of different judgments of one cluster (a sentence of which they
        judged several tokens): of 1, p, p p' and sqrt(p (1 - p) p' (1 - p')). Without clusters
        they are 0.
    """

    compared: NDArray[np.float64]
    right: NDArray[np.float64]
    spread: NDArray[np.float64]
    pairs: NDArray[np.float64]
    right_compared: NDArray[np.float64]
    right_right: NDArray[np.float64]
    spread_spread: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        worker: NDArray[np.int32],
        right: NDArray[np.float64],
        n_workers: int,
        *,
        cluster: NDArray[np.int64] | None = None,
    ) -> Self:
        """`worker` and `right`, shape (n_compared,): who judged, and how probably they are right.

        `cluster`, of the same shape, is the number of each judgment's cluster, from 0. All
        judgments of a cluster must come in one call.
        """
        p = np.clip(right, 0.0, 1.0)  # a posterior can pass 1 by rounding
        doubt = p * (1.0 - p)
        compared, m, v = (_sums(x, worker, n_workers) for x in (None, p, doubt))
        if cluster is None:
            return cls(compared, m, v, *np.zeros((4, n_workers)))
        key, place = np.unique(cluster.astype(np.int64) * n_workers + worker, return_inverse=True)
        who = key % max(n_workers, 1)
        n_s, m_s, u_s = (_sums(x, place, len(key)) for x in (None, p, np.sqrt(doubt)))

        def over_pairs(whole: NDArray[np.float64], same: NDArray[np.float64]) -> Any:
            # What is less than 0, is so by rounding.
            return np.maximum(_sums(whole, who, n_workers) - same, 0.0)

        return cls(
            compared,
            m,
            v,
            pairs=over_pairs(n_s * n_s, compared),
            right_compared=over_pairs(n_s * m_s, m),
            right_right=over_pairs(m_s * m_s, _sums(p * p, worker, n_workers)),
            spread_spread=over_pairs(u_s * u_s, v),
        )

    @classmethod
    def none(cls, n_workers: int) -> Self:
        return cls(*np.zeros((7, n_workers)))

    def __add__(self, other: Hits) -> Hits:
        return Hits(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


def _sums(
    values: NDArray[np.float64] | None, group: NDArray[Any], n_groups: int
) -> NDArray[np.float64]:
    """The sum of the values of each group, shape (n_groups,); None: how many there are."""
    return np.bincount(group, values, minlength=n_groups).astype(np.float64)


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
    with this mean and variance. It reaches 1 where less than half an error is expected: such a
    worker may never have been wrong. Where judgments come in clusters it is made of n, m and v
    divided by the design effect (`design_effects`): so many judgments that tell nothing of each
    other would say as much. `judged`, shape (n_workers,), counts all labels, compared or not.

    The methods for choices know of no clusters, so run on tokens their intervals are too narrow.

    Left out is what the uncertainty of the method's own parameters would add, and that the method
    may be sure and wrong. Where all workers miss the same (a consensus can only be what somebody
    said), the consensus errs with the worker whom it judges, and their accuracy comes out too high,
    by more than the interval is wide if they judged much.
    """
    from scipy.special import betaincinv

    mean, _ = _mean_and_variance(hits.compared, hits.right, hits.spread)
    effect = design_effects(hits)
    centre, variance = _mean_and_variance(
        hits.compared / effect, hits.right / effect, hits.spread / effect
    )
    weight = centre * (1.0 - centre) / variance - 1.0  # the beta distribution's a + b
    a, b = centre * weight, (1.0 - centre) * weight
    tail = (1.0 - LEVEL) / 2.0
    low, high = betaincinv(a, b, tail), betaincinv(a, b, 1.0 - tail)
    high = np.where((hits.compared > 0) & (hits.compared - hits.right < FLAWLESS), 1.0, high)
    return Reliability(
        accuracy=mean,
        low=np.minimum(low, mean),  # few judgments' worth leaves the prior much to say
        high=np.maximum(high, mean),
        judged=judged,
        confusion=confusion,
        parameters=parameters,
    )


def _mean_and_variance(
    n: NDArray[np.float64], m: NDArray[np.float64], v: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    above, below, total = m + JEFFREYS, n - m + JEFFREYS, n + 2 * JEFFREYS
    variance = (above * below - v) / (total**2 * (total + 1.0)) + v / total**2
    return above / total, variance


def design_effects(hits: Hits) -> NDArray[np.float64]:
    """How many judgments of each worker say as much as one would if they were independent.

    Shape (n_workers,), at least 1; 1 without clusters. With rho the correlation of being right
    within a cluster, P the number of ordered pairs within clusters and U the sum over them of
    sqrt(p (1 - p) p' (1 - p')), which is what the truth's uncertainty adds if it is one
    uncertainty in each cluster,

        effect = (n a (1 - a) (1 + rho P / n) + v + U) / (n a (1 - a) + v)

    rho is estimated from the sum over pairs of (p - a) (p' - a) plus U, with a = m / n, which is
    corrected for a being estimated from the same judgments (to first order). A worker with few
    clusters or few errors says little of their own, so it is drawn to that of all workers together
    as if they were `LENT` clusters of theirs. Where nobody judged two clusters, nothing is known of
    rho and it is taken as 0.
    """
    n, m, v = hits.compared, hits.right, hits.spread
    some = np.maximum(n, 1.0)
    a = m / some
    binomial = n * a * (1.0 - a)
    squares = (n + hits.pairs) / some**2  # 1 / the number of clusters, were they of one size
    kept = np.maximum(1.0 - squares, 0.0)
    joint = hits.right_right - 2 * a * hits.right_compared + a * a * hits.pairs
    joint += kept * hits.spread_spread + (binomial - v) * squares
    at_most = kept * a * (1.0 - a) * hits.pairs
    overall = _correlation(joint.sum(), at_most.sum())
    own = _correlation(joint, at_most)
    known = np.minimum(binomial, np.where(squares > 0, kept / np.where(squares > 0, squares, 1), 0))
    rho = (known * own + LENT * overall) / (known + LENT)

    a = (m + JEFFREYS) / (n + 2 * JEFFREYS)  # neither 0 nor 1
    independent = n * a * (1.0 - a)
    excess = independent * rho * hits.pairs / some + hits.spread_spread
    return np.where(n > 0, 1.0 + excess / np.where(n > 0, independent + v, 1.0), 1.0)


def _correlation(joint: Any, at_most: Any) -> NDArray[np.float64]:
    """`joint` / `at_most`, from 0 to 1; 0 where there is nothing."""
    some = at_most > TINY
    return np.clip(np.where(some, joint, 0.0) / np.where(some, at_most, 1.0), 0.0, 1.0)
