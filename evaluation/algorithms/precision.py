"""Precision of systems from judged samples, each estimate with its variance.

Chaganty, Paranjape, Liang and Manning, "Importance sampling for unbiased on-demand evaluation of
knowledge base population", EMNLP 2017. p_i is the metric of system i (their p_i), n_j the draws of
system j, c(x) = sum_j n_j p_j(x); the balance heuristic is Veach and Guibas (SIGGRAPH 1995).

`correct`, shape (n_claims,), holds 0 to 1 for what was judged; what stands at other claims is not
looked at.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from evaluation.algorithms.label_noise import LabelNoise
from evaluation.algorithms.predictions import (
    Estimates,
    Floats,
    Predictions,
    as_floats,
    ratio,
    scaled_columns,
    scaled_rows,
)
from evaluation.algorithms.sampling import Draws, PoissonSample


def simple_precision(draws: Draws, correct: Floats) -> Estimates:
    """The mean over each system's own draws."""
    claims = draws.claims
    counts, n, f = draws.counts[:, claims], draws.sizes, correct[claims]
    value = ratio(counts @ f, n)
    spread = ratio(counts @ f**2 - n * value**2, n - 1)
    return Estimates(value, ratio(np.maximum(spread, 0), n), np.where(n > 0, n, np.nan))


def joint_precision(
    predictions: Predictions,
    metric: Floats,
    draws: Draws,
    correct: Floats,
    *,
    normalised: bool = False,
    proxy: Floats | None = None,
) -> Estimates:
    """All draws serve every system, by the balance heuristic.

        pi_i = sum over all draws of p_i f / c,      Var = sum_j n_j s_j^2(p_i f / c)

    with s_j^2 over the draws of system j alone. `normalised` divides by the sum of p_i / c, whose
    expectation is 1. `proxy`, shape (n_claims,), is any guess of f that was fixed before the
    labels: its mean under p_i is known, and only f - proxy has to be estimated.
    """
    claims = draws.claims
    counts, n = draws.counts[:, claims], draws.sizes
    p = predictions.table(metric, claims)
    weight = _over(p, n @ p)  # p_i / c
    known = _known_mean(predictions, metric, proxy)
    f = correct[claims] - (0 if proxy is None else proxy[claims])
    times = as_floats(counts.sum(axis=0)).ravel()
    total = weight @ times
    judged = scaled_columns(weight, f)
    value = judged @ times
    if normalised:
        value = ratio(value, total)
        residual = judged - scaled_rows(weight, np.nan_to_num(value))
        scale = ratio(np.ones(len(total)), total)
    else:
        residual, scale = judged, np.ones(len(total))
    variance = _stratified_variance(residual, counts, n) * scale**2
    squares = weight.power(2) @ times
    value = np.where(predictions.sizes > 0, known + value, np.nan)
    return Estimates(value, np.where(predictions.sizes > 0, variance, np.nan),
                     ratio(total**2, squares))  # fmt: skip


def paired_weights_precision(
    predictions: Predictions, metric: Floats, draws: Draws, correct: Floats
) -> Estimates:
    """As the 2017 paper weighs: w_ij ∝ n_j sum_x p_i p_j, and 1 / sum_j w_ij p_j in place of
    1 / c. For comparison; it needs a table of n_systems x n_systems, and all of it changes when a
    system comes.
    """
    claims = draws.claims
    counts, n = draws.counts[:, claims], draws.sizes
    whole, p = predictions.table(metric), predictions.table(metric, claims)
    share = paper_weights(whole, n)
    q = share @ p.toarray()  # (n_systems, n_drawn)
    held = p.toarray()
    each = ratio(held * correct[claims], q)  # p_i f / q_i
    each = np.nan_to_num(each)
    with np.errstate(divide="ignore", invalid="ignore"):
        per_draw = np.where(n > 0, share / n, 0.0)
    first, second = each @ counts.T.toarray(), each**2 @ counts.T.toarray()
    value = (per_draw * first).sum(axis=1)
    spread = np.maximum(second - ratio(first**2, n), 0) * ratio(n, n - 1)
    variance = (per_draw**2 * np.nan_to_num(spread)).sum(axis=1)
    empty = predictions.sizes == 0
    return Estimates(
        np.where(empty, np.nan, value),
        np.where(empty, np.nan, variance),
        np.full(predictions.n_systems, np.nan),
    )


def paper_weights(p: csr_array, n: Floats) -> Floats:
    """w of shape (n_systems, n_systems); rows sum to 1 where a system has claims."""
    overlap = (p @ p.T).toarray() * n[None, :]
    return np.nan_to_num(ratio(overlap, overlap.sum(axis=1, keepdims=True)))


# --- Poisson samples ----------------------------------------------------------------------------


class PoissonPrecision:
    """Precision from a Poisson sample, as a normalised Horvitz-Thompson estimate (Hájek's).

        pi_i = known + sum_x p_i (f - proxy) / tau  ÷  sum_x p_i / tau

    over the drawn claims of system i, with `known` the mean of the proxy under p_i.

    Attributes
    ----------
    influence : sparse array of shape (n_systems, n_drawn)
        By how much each drawn claim moves the estimate.
    scaled : sparse array of the same shape
        Its weight p_i / tau in the estimate; rows sum to 1.
    estimates : Estimates
    noise : array of shape (n_systems,)
        Variance that comes from the labels: sum_x p_i^2 f (1 - f) / tau over (sum p_i / tau)^2,
        for f that are probabilities, and more where they share it (`LabelNoise`). It stays where
        all claims are judged.
    labels : LabelNoise
    """

    influence: csr_array
    estimates: Estimates
    noise: Floats
    labels: LabelNoise

    def __init__(
        self,
        predictions: Predictions,
        metric: Floats,
        sample: PoissonSample,
        correct: Floats,
        proxy: Floats | None = None,
        shared: Floats | None = None,
    ):
        self.sample = sample
        tau, claims = sample.inclusion, sample.claims
        p = predictions.table(metric, claims)
        self.weight = scaled_columns(p, 1 / tau)
        f = correct[claims]
        rest = f - (0 if proxy is None else proxy[claims])
        self.total = as_floats(self.weight.sum(axis=1)).ravel()
        mean = ratio(self.weight @ rest, self.total)
        scaled = scaled_rows(self.weight, np.nan_to_num(ratio(np.ones(len(mean)), self.total)))
        self.influence = scaled_columns(scaled, rest) - scaled_rows(scaled, np.nan_to_num(mean))
        self.scaled, self.labels = scaled, LabelNoise(f, tau, shared)
        # With the control variate, and few judgments, the sum can pass 0 or 1.
        value = np.clip(_known_mean(predictions, metric, proxy) + mean, 0, 1)
        variance = self.influence.power(2) @ (1 - tau)
        open_squares = self.weight.power(2) @ (1 - tau)
        with np.errstate(divide="ignore", invalid="ignore"):
            effective = np.where(
                self.total > 0,
                np.where(open_squares > 0, self.total**2 / open_squares, np.inf),
                np.nan,
            )
        self.noise = self.labels.variance(scaled)
        nothing = self.total == 0
        self.estimates = Estimates(
            np.where(nothing, np.nan, value), np.where(nothing, np.nan, variance), effective
        )

    def covariance(self) -> Floats:
        """Of all pairs of systems, shape (n_systems, n_systems), with the labels' noise."""
        rate = 1 - self.sample.inclusion
        design = scaled_columns(self.influence, rate) @ self.influence.T
        alone = scaled_columns(self.scaled, self.labels.alone) @ self.scaled.T
        moved = self.labels.moved(self.scaled)
        return np.asarray((design + alone).toarray()) + moved.T @ moved / len(moved)


def _known_mean(predictions: Predictions, metric: Floats, proxy: Floats | None) -> Floats:
    if proxy is None:
        return np.zeros(predictions.n_systems)
    return predictions.sums(metric * proxy[predictions.claim])


def _over(p: csr_array, c: Floats) -> csr_array:
    return scaled_columns(p, np.divide(1.0, c, out=np.zeros_like(c), where=c > 0))


def _stratified_variance(values: csr_array, counts: csr_array, n: Floats) -> Floats:
    """sum_j n_j s_j^2(values), shape (n_rows,): the draws of each system are a stratum."""
    first = (values @ counts.T).toarray()
    second = (values.power(2) @ counts.T).toarray()
    spread = np.maximum(second - ratio(first**2, n), 0) * ratio(n, n - 1)
    # Of one draw there is no variance to be seen: its stratum counts with its square.
    return np.where(n > 1, np.nan_to_num(spread), second).sum(axis=1)


# --- Control variates ---------------------------------------------------------------------------


def agreement_proxy(
    stratum: ArrayLike,
    correct: Floats,
    sample: PoissonSample,
    fold: ArrayLike,
    *,
    prior: float = 2.0,
) -> Floats:
    """How often claims of a stratum are correct, learnt without the claim's own fold.

    `stratum` (say, how many teams make the claim) and `fold` (of its document), both of shape
    (n_claims,), are numbers from 0. Rates are drawn to the overall one by `prior` judgments. Each
    label is compared with a rate that has not seen it, so the control variate stays unbiased.
    """
    kind, part = np.asarray(stratum, dtype=np.int64), np.asarray(fold, dtype=np.int64)
    n_kinds, n_parts = int(kind.max(initial=0)) + 1, int(part.max(initial=0)) + 1
    x, weight = sample.claims, 1 / sample.inclusion
    weight = weight * len(weight) / max(weight.sum(), 1e-300)  # so that `prior` counts judgments
    cell = part[x] * n_kinds + kind[x]
    right = np.bincount(cell, weight * correct[x], n_parts * n_kinds).reshape(n_parts, n_kinds)
    seen = np.bincount(cell, weight, n_parts * n_kinds).reshape(n_parts, n_kinds)
    other_right, other_seen = right.sum(axis=0) - right, seen.sum(axis=0) - seen
    totals = other_seen.sum(axis=1, keepdims=True)
    overall = ratio(other_right.sum(axis=1, keepdims=True), totals)
    overall = np.where(np.isnan(overall), 0.5, overall)
    rate = (np.maximum(other_right, 0) + prior * overall) / (np.maximum(other_seen, 0) + prior)
    return np.asarray(rate[part, kind])


def folds_of(document: ArrayLike, folds: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Documents dealt into folds, as a number for each claim."""
    numbers = np.asarray(document, dtype=np.int64)
    n = int(numbers.max(initial=-1)) + 1
    return np.asarray(rng.permutation(n) % folds, dtype=np.int64)[numbers]
