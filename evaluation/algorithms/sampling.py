"""Which claims to judge: draws with replacement, or coordinated Poisson draws without.

Permanent random numbers: Brewer, Early and Joyce, Australian Journal of Statistics 14 (1972).
Every claim has one number u for ever; system j takes it if u < n_j p_j. Systems that claim the
same draw the same, and what is drawn is judged once. Who comes later changes nothing of what was
drawn before.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from evaluation.algorithms.predictions import Floats, Predictions, Whole, as_floats

Keys = NDArray[np.uint64]
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """Draws with replacement, from each system's own metric.

    Attributes
    ----------
    counts : sparse array of shape (n_systems, n_claims)
        How often system j has drawn each claim.
    """

    counts: csr_array

    @property
    def sizes(self) -> Floats:
        """How many draws each system has made, shape (n_systems,)."""
        return as_floats(self.counts.sum(axis=1)).ravel()

    @property
    def claims(self) -> Whole:
        """What has to be judged: the distinct claims, in order."""
        return np.unique(self.counts.indices).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class PoissonSample:
    """Claims that were drawn independently of one another.

    Attributes
    ----------
    claims : array of shape (n_drawn,)
        Rises.
    inclusion : array of shape (n_drawn,)
        With which probability each of them was to be drawn, above 0.
    """

    claims: Whole
    inclusion: Floats

    def __post_init__(self) -> None:
        if len(self.claims) != len(self.inclusion):
            raise ValueError("each claim needs its inclusion probability")
        if (np.diff(self.claims) <= 0).any():
            raise ValueError("the claims must rise")
        if not ((self.inclusion > 0) & (self.inclusion <= 1)).all():
            raise ValueError("inclusion probabilities must lie above 0 and not above 1")

    def kept(self, mask: NDArray[np.bool_], rate: float = 1.0) -> PoissonSample:
        """Those of `mask`; of each, a share of `rate` was kept by chance."""
        return PoissonSample(self.claims[mask], self.inclusion[mask] * rate)


def draw_with_replacement(
    predictions: Predictions, metric: Floats, sizes: ArrayLike, rng: np.random.Generator
) -> Draws:
    """`sizes[j]` draws of system j from its metric; a system without claims draws none."""
    wanted = np.broadcast_to(np.asarray(sizes, dtype=np.int64), (predictions.n_systems,))
    parts = [np.zeros(0, dtype=np.int64)]
    starts = [0]
    for j, n in enumerate(wanted):
        span = slice(predictions.starts[j], predictions.starts[j + 1])
        if span.stop > span.start and n:
            edges = np.cumsum(metric[span])
            drawn = np.searchsorted(edges, rng.random(n) * edges[-1], side="right")
            parts.append(predictions.claim[span][np.minimum(drawn, len(edges) - 1)])
        starts.append(starts[-1] + (len(parts[-1]) if span.stop > span.start and n else 0))
    claim = np.concatenate(parts)
    counts = csr_array(
        (np.ones(len(claim)), claim, np.array(starts)),
        shape=(predictions.n_systems, predictions.n_claims),
    )
    counts.sum_duplicates()
    return Draws(counts)


def permanent_numbers(keys: Keys, seed: int = 0) -> Floats:
    """A number in (0, 1) for each key, the same whenever and wherever it is asked for."""
    state = mixed(keys ^ mixed(np.array([seed], dtype=np.uint64) + GOLDEN))
    return ((state >> np.uint64(11)).astype(np.float64) + 0.5) / 2.0**53


def mixed(keys: Keys) -> Keys:
    """SplitMix64 (Steele, Lea and Flood, 2014): neighbours become strangers."""
    with np.errstate(over="ignore"):
        z = keys + GOLDEN
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(z ^ (z >> np.uint64(31)))


def inclusion_probabilities(predictions: Predictions, metric: Floats, sizes: ArrayLike) -> Floats:
    """min(1, max_j n_j p_j(x)) of each claim of the pool, shape (n_claims,)."""
    n = np.broadcast_to(as_floats(sizes), (predictions.n_systems,))
    most = np.zeros(predictions.n_claims)
    np.maximum.at(most, predictions.claim, np.repeat(n, predictions.sizes) * metric)
    return np.minimum(most, 1.0)


def coordinated_sample(inclusion: Floats, numbers: Floats) -> PoissonSample:
    """The claims whose permanent number lies below their inclusion probability.

    `inclusion` and `numbers` have the shape (n_claims,).
    """
    claims = np.flatnonzero(numbers < inclusion)
    return PoissonSample(claims, inclusion[claims])


def size_for_labels(predictions: Predictions, metric: Floats, labels: float) -> float:
    """The n, the same for each system, at which coordinated draws ask for so many judgments.

    All of the pool's claims are judged where `labels` is as many or more: n is then infinite.
    """
    low, high = 0.0, 1.0
    if labels >= len(np.unique(predictions.claim)):
        return float("inf")
    while inclusion_probabilities(predictions, metric, high).sum() < labels:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        if inclusion_probabilities(predictions, metric, middle).sum() < labels:
            low = middle
        else:
            high = middle
    return high
