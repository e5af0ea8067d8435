"""Metrics of a system's output. A metric *is* a distribution over the system's claims: precision is
the probability that a claim drawn from it is correct.

Each function gives p of shape (n_predictions,), which sums to 1 within each system that has any
claim.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from evaluation.algorithms.predictions import Floats, Predictions, Whole, as_floats, ratio


def instance_metric(predictions: Predictions) -> Floats:
    """Each claim counts alike: 1 / N."""
    sizes = predictions.sizes
    return np.repeat(1.0 / np.maximum(sizes, 1), sizes)


def macro_metric(predictions: Predictions, group: ArrayLike) -> Floats:
    """Each group of a system's claims counts alike, and so does each claim within it: 1 / (G N_g).

    Groups by relation make the relation metric, groups by the subject's entity the entity metric.
    `group`, shape (n_predictions,), are numbers from 0; groups are told apart within a system only.
    """
    cell, counts, owner = _cells(predictions.system, np.asarray(group, dtype=np.int64))
    groups = np.bincount(owner, minlength=predictions.n_systems)
    return np.asarray(1.0 / (groups[predictions.system] * counts[cell]))


def stratified_metric(predictions: Predictions, entity: ArrayLike, fill: ArrayLike) -> Floats:
    """Entity, then fill, then mention, each drawn uniformly: 1 / (E F_e M_ef).

    A fill is a relation and what fills it. `entity` and `fill`, shape (n_predictions,), are
    numbers from 0; a fill belongs to the entity that stands beside it.
    """
    system = predictions.system
    of_entity, _, owner = _cells(system, np.asarray(entity, dtype=np.int64))
    entities = np.bincount(owner, minlength=predictions.n_systems)
    of_fill, mentions, its_entity = _cells(of_entity, np.asarray(fill, dtype=np.int64))
    fills = np.bincount(its_entity, minlength=len(owner))
    return np.asarray(1.0 / (entities[system] * fills[of_entity] * mentions[of_fill]))


def mixture(metrics: Sequence[Floats], shares: Sequence[float] | None = None) -> Floats:
    """The distribution that draws from the k-th metric with probability shares[k] (else alike).

    Whoever wants several metrics samples from their mixture: each then keeps at least its share of
    the draws as its effective sample size.
    """
    part = np.full(len(metrics), 1.0) if shares is None else as_floats(shares)
    if (part < 0).any() or not part.sum() > 0:
        raise ValueError("shares must be 0 or more, and one of them must be more than 0")
    return np.asarray(np.tensordot(part / part.sum(), np.stack(metrics), axes=1))


def effective_share(predictions: Predictions, metric: Floats, proposal: Floats) -> Floats:
    """What part of the draws from `proposal` counts for `metric`, at most 1; shape (n_systems,).

    1 / E_proposal (p / q)^2: Kish's effective sample size, before anything is drawn.
    """
    return ratio(np.ones(predictions.n_systems), predictions.sums(metric**2 / proposal))


def _cells(outer: Whole, inner: Whole) -> tuple[Whole, Whole, Whole]:
    """Numbers of the pairs of both, how often each pair occurs, and its `outer`."""
    width = int(inner.max()) + 1 if len(inner) else 1
    if len(inner) and inner.min() < 0:
        raise ValueError("groups must be numbers from 0")
    key = outer * width + inner
    if len(key) and int(outer.max() + 1) * width <= 4 * len(key):  # dense: no need to sort
        counts = np.bincount(key)
        used = np.flatnonzero(counts)
        place = np.zeros(len(counts), dtype=np.int64)
        place[used] = np.arange(len(used))
        return place[key], counts[used], used // width
    used, cell, counts = np.unique(key, return_inverse=True, return_counts=True)
    return cell, counts, used // width
