"""Recall: what systems find of all that is true.

Exhaustive: documents that were annotated in full. Their instances are clustered, so variances go
over documents (Cochran, "Sampling Techniques", section 6), with t. Pooled: what a system has of
the correct claims of the pool, nu, times what the pool has of all that is true, theta. Hybrid: the
best combination of both, which share theta.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from evaluation.algorithms.documents import DocumentRatio, Documents, document_ratio
from evaluation.algorithms.label_noise import LabelNoise
from evaluation.algorithms.predictions import (
    Estimates,
    Floats,
    Predictions,
    as_floats,
    ratio,
    scaled_columns,
)
from evaluation.algorithms.sampling import Draws, PoissonSample

SOME = 0.5  # true claims, by expectation, that stand outside the document that has most


def exhaustive_recall(found: csr_array, documents: Documents) -> DocumentRatio:
    """What each system has of the true claims; `found`, (n_systems, n_instances), is 1 there."""
    instances = len(documents.document)
    each = np.ones(instances) if documents.share is None else documents.share
    by_document = csr_array(
        (each, (np.arange(instances), documents.document)),
        shape=(instances, documents.n_documents),
    )
    told = document_ratio((found @ by_document).toarray(), documents.counts(), documents)
    return _with_noise(told, found, documents)


def pool_recall(in_pool: ArrayLike, documents: Documents) -> DocumentRatio:
    """Theta: the share of the true claims that some system makes. One row."""
    inside = as_floats(in_pool)
    told = document_ratio(documents.counts(inside), documents.counts(), documents)
    return _with_noise(told, inside[None, :], documents)


def _with_noise(
    ratio_: DocumentRatio, found: csr_array | Floats, documents: Documents
) -> DocumentRatio:
    """`found`, (n_rows, n_instances), is 1 where the row has the instance."""
    if documents.share is None:
        return ratio_
    weight, share = documents.weight[documents.document], documents.share
    labels = LabelNoise(share, np.full(len(share), 1 - documents.open_share), documents.shared)
    size = float(weight @ share) or np.nan
    value = np.nan_to_num(ratio_.value)
    v = weight**2 * labels.alone
    spread = (1 - 2 * value) * as_floats(found @ v) + value**2 * v.sum()
    held = labels.moved(scaled_columns(csr_array(found), weight)) - value * labels.moved(
        weight[None, :]
    )
    moved = held.T / size
    noise = np.maximum(spread, 0) / size**2 + moved.var(axis=1)
    return replace(ratio_, variance=ratio_.variance + noise, noise=noise, moved=moved)


def macro_recall(found: csr_array, group: ArrayLike, documents: Documents) -> DocumentRatio:
    """What each system has of the true claims, each group (a relation) counting alike.

    `group`, shape (n_instances,), are numbers from 0. Groups that occur in one document alone are
    left out: nothing would be known of their variance. Without any other all rows are NaN.
    """
    parts = [one for _, _, one in recall_by_group(found, group, documents) if one is not None]
    if not parts:
        nothing = np.full(found.shape[0], np.nan)
        empty = np.zeros((found.shape[0], documents.n_documents))
        return DocumentRatio(nothing, nothing, empty, np.nan, 1.0)
    influence = np.mean([part.influence for part in parts], axis=0)
    scale = parts[0].scale
    alone = np.sum([part.noise - part.moved.var(axis=1) for part in parts], axis=0)
    moved = np.mean([part.moved for part in parts], axis=0)
    noise = np.broadcast_to(alone / len(parts) ** 2 + moved.var(axis=1), found.shape[:1])
    return DocumentRatio(
        np.mean([part.value for part in parts], axis=0),
        scale * (influence**2).sum(axis=1) + noise,
        influence, scale, min(part.df for part in parts), noise, moved,
    )  # fmt: skip


def recall_by_group(
    found: csr_array, group: ArrayLike, documents: Documents
) -> Iterator[tuple[int, float, DocumentRatio | None]]:
    """Of each group its number, how many true claims it has, and what each system has of them; None
    where one document alone has any."""
    kind = np.asarray(group, dtype=np.int64)
    for g in np.unique(kind):
        mine = np.flatnonzero(kind == g)
        within = documents.only(mine)
        counts = within.counts()
        several = counts.sum() - counts.max() >= SOME
        recall = exhaustive_recall(found[:, mine], within) if several else None
        yield int(g), float(counts.sum()), recall


# --- Within the pool ----------------------------------------------------------------------------


def joint_pooled_recall(
    predictions: Predictions, metric: Floats, draws: Draws, correct: Floats,
    truth: Floats | None = None,
) -> Estimates:  # fmt: skip
    """Nu: what each system has of the pool's correct claims, by the balance heuristic.

        nu_i = sum over draws of p_0 f g_i / c  ÷  sum over draws of p_0 f / c

    `truth`, shape (n_claims,), is p_0 or what is proportional to it; without it claims count alike.
    """
    claims = draws.claims
    counts, n = draws.counts[:, claims], draws.sizes
    p, held = predictions.table(metric, claims), predictions.members(claims)
    c = n @ p
    z = correct[claims] * (1 if truth is None else truth[claims]) / np.where(c > 0, c, np.inf)
    times = as_floats(counts.sum(axis=0)).ravel()
    size = float(z @ times)
    value = ratio(scaled_columns(held, z) @ times, np.full(held.shape[0], size))
    nu = np.nan_to_num(value)[:, None]
    # sums over the draws of j of e = z (g - nu) and of e^2, for all pairs of i and j
    first = (scaled_columns(held, z) @ counts.T).toarray() - nu * (counts @ z)
    second = (1 - 2 * nu) * (scaled_columns(held, z**2) @ counts.T).toarray() + nu**2 * (
        counts @ z**2
    )
    spread = np.maximum(second - ratio(first**2, n), 0) * ratio(n, n - 1)
    spread = np.where(n > 1, np.nan_to_num(spread), second).sum(axis=1)
    variance = ratio(spread, np.full(len(spread), size**2))
    effective = ratio(np.full(len(spread), size**2), np.full(len(spread), float(z**2 @ times)))
    return Estimates(value, variance, effective)


def paired_weights_recall(
    predictions: Predictions, metric: Floats, draws: Draws, correct: Floats
) -> Floats:
    """Nu as the 2017 paper's text has it, with weights of its own for each system. For comparison:
    it is wrong wherever systems share little, because each is compared with its neighbours alone.
    """
    from evaluation.algorithms.precision import paper_weights

    claims = draws.claims
    counts, n = draws.counts[:, claims].toarray(), draws.sizes
    share = paper_weights(predictions.table(metric), n)
    p, held = predictions.table(metric, claims).toarray(), predictions.members(claims).toarray()
    q = share @ p
    with np.errstate(divide="ignore", invalid="ignore"):
        per_draw = np.where(n > 0, share / n, 0.0) @ counts
    z = np.nan_to_num(ratio(correct[claims] * per_draw, q))
    return ratio((z * held).sum(axis=1), z.sum(axis=1))


class PoissonPooledRecall:
    """Nu from a Poisson sample: sum f g_i w / tau ÷ sum f w / tau over the drawn claims.

    With `proxy` both sums are those of the proxy over the whole pool, which are known, and what
    f - proxy adds: the early paper's "unassessed output" as a control variate.

    Attributes
    ----------
    estimates : Estimates
    noise : array of shape (n_systems,)
        Variance that comes from labels that are probabilities.
    """

    def __init__(
        self,
        predictions: Predictions,
        sample: PoissonSample,
        correct: Floats,
        truth: Floats | None = None,
        proxy: Floats | None = None,
        shared: Floats | None = None,
    ):
        claims, tau = sample.claims, sample.inclusion
        self.sample, self.held = sample, predictions.members(claims)
        of_metric = np.ones(len(claims)) if truth is None else truth[claims]
        f = correct[claims]
        self.z = of_metric * f / tau
        rest, known, known_held = self.z, 0.0, np.zeros(predictions.n_systems)
        if proxy is not None:
            rest = of_metric * (f - proxy[claims]) / tau
            everywhere = proxy if truth is None else proxy * truth
            there = np.zeros(predictions.n_claims, dtype=bool)
            there[predictions.claim] = True
            known = float(everywhere[there].sum())
            known_held = predictions.sums(everywhere[predictions.claim])
        self.rest = rest
        self.size = known + float(rest.sum())
        m = predictions.n_systems
        found = self.z.any() and self.size > 0
        self.value = ratio(known_held + self.held @ rest, np.full(m, self.size if found else 0.0))
        self.value = np.clip(self.value, 0, 1)
        nu, open_ = np.nan_to_num(self.value), 1 - tau
        squares = rest**2 * open_
        spread = (1 - 2 * nu) * (self.held @ squares) + nu**2 * squares.sum()
        variance = ratio(spread, np.full(m, self.size**2))
        kish = float((self.z**2 * open_).sum())
        effective = np.full(m, self.z.sum() ** 2 / kish if kish else np.inf)
        self.of_metric = of_metric
        labels, weight = LabelNoise(f, tau, shared), of_metric / tau
        noisy = weight**2 * labels.alone
        moved = labels.moved(scaled_columns(self.held, weight)) - nu * labels.moved(weight[None, :])
        self.noise = ratio(
            (1 - 2 * nu) * (self.held @ noisy) + nu**2 * noisy.sum() + moved.var(axis=0),
            np.full(m, self.size**2),
        )
        nothing = np.isnan(self.value)
        self.estimates = Estimates(
            self.value, np.where(nothing, np.nan, variance), np.where(nothing, np.nan, effective)
        )

    def influence(self) -> Floats:
        """Shape (n_systems, n_drawn), dense: for tens of systems."""
        nu = np.nan_to_num(self.value)[:, None]
        return np.asarray((self.held.toarray() - nu) * self.rest / self.size)

    def influence_products(self, other: csr_array, weight: Floats) -> Floats:
        """sum_x weight influence_i other_i for each system i, without the dense table."""
        nu = np.nan_to_num(self.value)
        z = weight * self.rest
        shared = (self.held.multiply(other)).tocsr() @ z
        return np.asarray((shared - nu * (other @ z)) / self.size)


# --- Together -----------------------------------------------------------------------------------


def product_estimates(theta: DocumentRatio, nu: Estimates) -> Estimates:
    """Recall theta nu: Var = theta^2 Var nu + nu^2 Var theta + Var theta Var nu."""
    t, v = theta.value, theta.variance
    variance = t**2 * nu.variance + nu.value**2 * v + v * nu.variance
    own = ratio(t * (1 - t), v)  # documents in independent instances
    effective = np.fmin(nu.effective, np.where(np.isnan(own) | (own == 0), np.inf, own))
    return Estimates(t * nu.value, variance, effective)


@dataclass(frozen=True, slots=True, eq=False)
class Hybrid:
    """`share` is that of the exhaustive estimate; all of shape (n_systems,)."""

    value: Floats
    variance: Floats
    share: Floats


def hybrid_recall(exhaustive: DocumentRatio, theta: DocumentRatio, nu: Estimates) -> Hybrid:
    """The combination of exhaustive and pooled recall with the least variance.

    Both rest on the same documents: their covariance is nu times that of the exhaustive recall
    with theta, from the residuals of the documents.
    """
    pooled = product_estimates(theta, nu)
    covariance = nu.value * exhaustive.covariance(theta)
    return combined(
        exhaustive.value, exhaustive.variance, pooled.value, pooled.variance, covariance
    )


def hybrid_of_instances(
    theta: Floats, nu: Floats, v_exhaustive: Floats, v_pooled: Floats, v_nu: Floats
) -> Hybrid:
    """The same where instances are independent: Cov = V_p - theta^2 V_nu."""
    covariance = v_pooled - theta**2 * v_nu
    return combined(theta * nu, v_exhaustive, theta * nu, v_pooled, covariance)


def combined(
    one: Floats, v_one: Floats, other: Floats, v_other: Floats, covariance: Floats
) -> Hybrid:
    """share * one + (1 - share) * other, with the share in [0, 1] that has the least variance."""
    spread = v_one + v_other - 2 * covariance
    share = np.clip(np.nan_to_num(ratio(v_other - covariance, spread)), 0, 1)
    variance = share**2 * v_one + (1 - share) ** 2 * v_other + 2 * share * (1 - share) * covariance
    return Hybrid(share * one + (1 - share) * other, variance, share)


def pooled_efficiency(nu: ArrayLike, theta: ArrayLike) -> Floats:
    """V_p / V_e where the pool is judged in full: nu (1 - theta) / (1 - nu theta).

    Not nu^2, which the early paper has.
    """
    s, t = as_floats(nu), as_floats(theta)
    return ratio(s * (1 - t), 1 - s * t)


def unassessed_recall(
    predictions: Predictions, stratum: ArrayLike, rate: Floats, rate_variance: Floats
) -> Estimates:
    """Nu of output that nobody judged, from how often claims of a stratum are correct.

    sum_k rate_k |A_k| / sum_k rate_k |U_k|, where stratum k holds |U_k| claims of the pool and
    |A_k| of the system. It takes a system's claims to be as good as others of their stratum: a
    model, which `PoissonPooledRecall` with a proxy does without.
    """
    kind = np.asarray(stratum, dtype=np.int64)
    there = np.zeros(predictions.n_claims, dtype=bool)
    there[predictions.claim] = True
    k, m = len(rate), predictions.n_systems
    pool = np.bincount(kind[there], minlength=k).astype(np.float64)
    own = np.bincount(predictions.system * k + kind[predictions.claim], minlength=m * k)
    own = own.reshape(m, k)
    size = float(pool @ rate)
    value = ratio(own @ rate, np.full(m, size))
    slope = (own - np.nan_to_num(value)[:, None] * pool) / (size if size else np.nan)
    return Estimates(value, slope**2 @ rate_variance, np.full(m, np.nan))
