"""F1, differences and ranks by a bootstrap on two levels: documents, and drawn claims.

Drawn claims get weights of mean 1 and variance 1 - tau, as Poisson sampling without replacement
has it (Beaumont and Patak, International Statistical Review 80, 2012): a claim that was sure to be
drawn keeps its weight of 1. Documents are drawn anew. All systems share each replicate, so that
differences and ranks are paired.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evaluation.algorithms.documents import DocumentRatio, Documents
from evaluation.algorithms.intervals import LEVEL, Interval
from evaluation.algorithms.precision import PoissonPrecision
from evaluation.algorithms.predictions import Floats, ratio
from evaluation.algorithms.recall import PoissonPooledRecall

REPLICATES = 1_000
BLOCK = 2**23  # weights at a time


@dataclass(frozen=True, slots=True, eq=False)
class Replicates:
    """Arrays of shape (n_replicates, n_systems); NaN where a replicate has no value. Without
    exhaustive documents `recall` and `f1` are NaN throughout."""

    precision: Floats
    pooled_recall: Floats
    recall: Floats
    f1: Floats


def f1_of(precision: Floats, recall: Floats) -> Floats:
    """NaN where both are 0."""
    return ratio(2 * precision * recall, precision + recall)


def bootstrap(
    precision: PoissonPrecision,
    pooled: PoissonPooledRecall,
    rng: np.random.Generator,
    *,
    theta: DocumentRatio | None = None,
    in_pool: Floats | None = None,
    documents: Documents | None = None,
    replicates: int = REPLICATES,
) -> Replicates:
    """`in_pool` marks the instances of `documents` that the pool has; they go with `theta`.

    Labels that are probabilities are drawn anew around their mean, what they share together.
    """
    sample, m = precision.sample, len(precision.estimates.value)
    tau, k = sample.inclusion, len(sample.claims)
    total = precision.total
    influence, nu = precision.influence, pooled.value
    p_star, nu_star = np.empty((replicates, m)), np.empty((replicates, m))
    step = max(1, BLOCK // max(k, 1))
    shape = np.maximum(1 - tau, 1e-12)
    for begin in range(0, replicates, step):
        rows = min(step, replicates - begin)
        part = slice(begin, begin + rows)
        weight = np.where(tau < 1, rng.gamma(1 / shape, shape, (rows, k)), 1.0)
        noise = precision.labels.drawn(rng, rows)
        # sum of w a (f - mean) / sum of w a, the mean added again
        shift = weight @ influence.T
        bottom = weight @ precision.scaled.T
        p_star[part] = ratio(shift, bottom) + precision.estimates.value
        rest = weight * pooled.rest
        if noise is not None:
            p_star[part] += noise @ precision.scaled.T
            rest = rest + noise * pooled.of_metric / tau
        fixed = pooled.size - pooled.rest.sum()  # of the proxy, where there is one
        top = (np.nan_to_num(nu) * pooled.size - pooled.held @ pooled.rest) + rest @ pooled.held.T
        nu_star[part] = ratio(top, (fixed + rest.sum(axis=1))[:, None])
    p_star = np.clip(np.where(total > 0, p_star, np.nan), 0, 1)
    nu_star = np.clip(np.where(np.isnan(nu), np.nan, nu_star), 0, 1)
    recall = np.full_like(nu_star, np.nan)
    if theta is not None and documents is not None and in_pool is not None:
        recall = _theta_replicates(theta, in_pool, documents, rng, replicates)[:, None] * nu_star
    return Replicates(p_star, nu_star, recall, f1_of(p_star, recall))


def _theta_replicates(
    theta: DocumentRatio, in_pool: Floats, documents: Documents, rng: np.random.Generator,
    replicates: int,
) -> Floats:  # fmt: skip
    """Shape (n_replicates,). Where the corpus is known, replicates spread less around the mean, and
    more where instances are probabilities."""
    n = documents.n_documents
    hits = documents.counts(in_pool) * documents.weight
    totals = documents.counts() * documents.weight
    # n - 1 draws of n: with n the variance would be (n - 1) / n of what it should be.
    times = rng.multinomial(max(n - 1, 1), np.full(n, 1 / n), size=replicates)
    drawn = ratio(times @ hits, times @ totals)
    whole = float(hits.sum() / totals.sum()) if totals.sum() else np.nan
    moved = np.sqrt(documents.open_share) * (drawn - whole)
    if documents.share is not None:
        moved = moved + np.sqrt(theta.noise) * rng.normal(size=replicates)
    return np.clip(whole + moved, 0, 1)


def percentile_interval(values: Floats, level: float = LEVEL) -> Interval:
    """Percentiles (alpha / 2, 1 - alpha / 2) of each column; replicates without a value are left
    out, and a column without any is NaN."""
    tails = [(1 - level) / 2, (1 + level) / 2]
    if len(values) and not np.isnan(values).any():
        low, high = np.quantile(values, tails, axis=0)
        return low, high
    low, high = np.full(values.shape[1], np.nan), np.full(values.shape[1], np.nan)
    for i in range(values.shape[1]):
        there = values[~np.isnan(values[:, i]), i]
        if len(there):
            low[i], high[i] = np.quantile(there, tails)
    return low, high


@dataclass(frozen=True, slots=True, eq=False)
class Differences:
    """Of each pair of systems, `first[k] < second[k]`: the first less the second.

    `above` is the share of replicates in which the first is the better one, ties halved.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    value: Floats
    low: Floats
    high: Floats
    above: Floats


def paired_differences(value: Floats, replicates: Floats, level: float = LEVEL) -> Differences:
    """`value` (n_systems,) and its replicates (n_replicates, n_systems)."""
    first, second = np.triu_indices(len(value), k=1)
    low, high, above = np.empty(len(first)), np.empty(len(first)), np.empty(len(first))
    for i in range(len(value)):  # a system at a time: all pairs at once may be too many
        mine = first == i
        apart = replicates[:, i][:, None] - replicates[:, second[mine]]
        low[mine], high[mine] = percentile_interval(apart, level)
        there = ~np.isnan(apart)
        wins = (np.nan_to_num(apart) > 0) + 0.5 * (there & (apart == 0))
        above[mine] = ratio((wins * there).sum(axis=0), there.sum(axis=0).astype(float))
    return Differences(first, second, value[first] - value[second], low, high, above)


def rank_probabilities(replicates: Floats) -> Floats:
    """`ranks[i, r]`: how probable it is that system i is the (r + 1)-th best. Rows sum to 1 where
    the system can be estimated, else they are NaN; those that are level share their ranks."""
    m = replicates.shape[1]
    known = ~np.isnan(replicates).all(axis=0)
    ranks = np.full((m, m), np.nan)
    whole = replicates[~np.isnan(replicates[:, known]).any(axis=1)][:, known]
    if not len(whole):
        return ranks
    n = whole.shape[1]
    found = np.zeros((n, m))
    order = np.argsort(-whole, axis=1, kind="stable")
    ordered = np.take_along_axis(whole, order, axis=1)
    new = np.ones(ordered.shape, dtype=bool)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    if new.all():
        for r in range(n):
            found[:, r] = np.bincount(order[:, r], minlength=n)
    else:
        for row, begins in zip(order, new, strict=True):
            edges = np.append(np.flatnonzero(begins), n)
            for a, b in pairwise(edges):
                found[row[a:b], a:b] += 1 / (b - a)
    ranks[known] = found / len(whole)
    return ranks


# --- Without a bootstrap ------------------------------------------------------------------------


def f1_variance(
    precision: PoissonPrecision, pooled: PoissonPooledRecall, theta: DocumentRatio
) -> Floats:
    """By the delta method, with the covariance of precision and pooled recall: both come from the
    same draws. Shape (n_systems,)."""
    p, nu, t = precision.estimates.value, pooled.value, theta.value
    r = t * nu
    with np.errstate(divide="ignore", invalid="ignore"):
        by_p, by_r = 2 * r**2 / (p + r) ** 2, 2 * p**2 / (p + r) ** 2
    together = pooled.influence_products(precision.influence, 1 - precision.sample.inclusion)
    return np.asarray(
        by_p**2 * (precision.estimates.variance + precision.noise)
        + (by_r * t) ** 2 * (pooled.estimates.variance + pooled.noise)
        + 2 * by_p * by_r * t * together
        + (by_r * nu) ** 2 * theta.variance
    )
