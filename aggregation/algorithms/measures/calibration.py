"""Whether 80 % sure is right in 80 % of cases, and how much the truth surprises.

Reliability diagram and expected calibration error: Naeini, Cooper and Hauskrecht (AAAI 2015);
Brier score: Monthly Weather Review 78 (1950). Mean deviation of a binomial count: De Moivre (1730),
in the form of Diaconis and Zabell (Statistical Science 6, 1991).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln, xlog1py, xlogy

from aggregation.algorithms.data import UNKNOWN
from aggregation.algorithms.measures.resampling import REPLICATES, bootstrap_interval

BINS = 10
CLIP = 1e-100  # what a probability of 0 counts as; published figures depend on it


@dataclass(frozen=True, slots=True)
class Calibration:
    """The reliability diagram and its summary.

    Attributes
    ----------
    count : array of shape (n_bins,)
        Choices whose confidence lies in the bin: (b / n_bins, (b + 1) / n_bins].
    confidence, accuracy : arrays of shape (n_bins,)
        Their mean confidence and the share that is right; NaN in an empty bin.
    error : float or None
        The expected calibration error: the mean of |accuracy - confidence| over all choices.
        None where there is no choice.
    """

    count: NDArray[np.int64]
    confidence: NDArray[np.float64]
    accuracy: NDArray[np.float64]
    error: float | None

    @property
    def by_chance(self) -> float | None:
        """What `error_by_chance` says of these bins."""
        return error_by_chance(self.count, self.confidence)


def calibration_of(confidence: ArrayLike, right: ArrayLike, *, bins: int = BINS) -> Calibration:
    """`confidence` in what was chosen, and whether it was right, both of shape (n_choices,)."""
    sure = np.asarray(confidence, dtype=np.float64)
    hit = np.asarray(right, dtype=np.float64)
    if sure.shape != hit.shape:
        raise ValueError(f"there are {len(sure)} confidences, but {len(hit)} outcomes")
    place = np.clip(np.ceil(sure * bins).astype(np.int64) - 1, 0, bins - 1)
    count = np.bincount(place, minlength=bins)
    confidence_sum = np.bincount(place, weights=sure, minlength=bins)
    right_sum = np.bincount(place, weights=hit, minlength=bins)
    empty = np.full(bins, np.nan)
    some = count > 0
    return Calibration(
        count=count,
        confidence=np.divide(confidence_sum, count, out=empty.copy(), where=some),
        accuracy=np.divide(right_sum, count, out=empty.copy(), where=some),
        error=float(np.abs(confidence_sum - right_sum).sum() / len(sure)) if len(sure) else None,
    )


def error_by_chance(count: ArrayLike, confidence: ArrayLike) -> float | None:
    """The calibration error, a share from 0 to 1, that confidences show on average which are
    exactly right: of few judgments the share right in a bin is off by chance. None where there is
    no judgment.

    `count` and mean `confidence` have the shape (n_bins,); empty bins do not count. Of n judgments
    with confidence p, K are right, a binomial count, and
    E|K - np| = 2 v C(n, v) p^v (1 - p)^(n - v + 1) with v = floor(np) + 1. Judgments are taken to
    err one by one and to be as sure as the mean of their bin: those of one document err together,
    so that there chance alone makes more.
    """
    counts = np.asarray(count, dtype=np.float64)
    some = counts > 0
    n, p = counts[some], np.asarray(confidence, dtype=np.float64)[some]
    if not len(n):
        return None
    v = np.minimum(np.floor(n * p) + 1.0, n)  # p = 1 has no v, and deviates by 0
    chosen = gammaln(n + 1) - gammaln(v + 1) - gammaln(n - v + 1)
    deviation = 2 * v * np.exp(chosen + xlogy(v, p) + xlog1py(n - v + 1, -p))
    return float(deviation.sum() / n.sum())


def calibration_of_posterior(
    posterior: ArrayLike, gold: ArrayLike, *, bins: int = BINS
) -> Calibration:
    """Of the most probable class of each unit (of equals the first); units without gold left out.

    `posterior` has the shape (n_units, n_classes), `gold` (n_units,), -1 for not known. With more
    than two classes this looks at the chosen class alone. Whether class k is as common as its
    probabilities say is `calibration_of(posterior[:, k], gold == k)`, over units with gold.
    """
    rows, truth = _known(posterior, gold)
    if not len(rows):
        return calibration_of([], [], bins=bins)
    return calibration_of(rows.max(axis=1), rows.argmax(axis=1) == truth, bins=bins)


def cross_entropy(posterior: ArrayLike, gold: ArrayLike, *, clip: float = CLIP) -> float | None:
    """Mean of -ln p(gold) in nats over units with gold; None where there are none.

    `posterior` has the shape (n_units, n_classes), `gold` (n_units,), -1 for not known.
    Probabilities below `clip` count as `clip`, so one certain error costs 230 by default and 14
    with 1e-6: say which was used.
    """
    rows, truth = _known(posterior, gold)
    return float(_surprise(rows, truth, clip).mean()) if len(rows) else None


def cross_entropy_interval(
    posterior: ArrayLike,
    gold: ArrayLike,
    *,
    clip: float = CLIP,
    groups: ArrayLike | None = None,
    seed: int = 0,
    replicates: int = REPLICATES,
) -> tuple[float, float] | None:
    """The 95 % interval of `cross_entropy`, drawing groups; None with fewer than two.

    `groups`, shape (n_units,): the number of each unit's document, from 0. None: each unit by
    itself, which is too narrow an interval where units are alike.
    """
    rows, truth = _known(posterior, gold)
    known = np.asarray(gold) != UNKNOWN
    group = np.arange(len(rows)) if groups is None else np.asarray(groups)[known]
    number = np.unique(group, return_inverse=True)[1]
    counts = np.column_stack([
        np.bincount(number, _surprise(rows, truth, clip)), np.bincount(number)
    ])  # fmt: skip
    if len(counts) < 2:
        return None
    low, high = bootstrap_interval(
        counts, lambda sums: sums[:, :1] / sums[:, 1:], seed=seed, replicates=replicates
    )
    return float(low[0]), float(high[0])


def brier_score(posterior: ArrayLike, gold: ArrayLike) -> float | None:
    """Mean, over units with gold, of the squared distance to the truth: 0 is best, 2 is worst.

    sum_k (p_k - [k = gold])^2, as in the paper, also for two classes, where others take one of
    the two terms alone. None where no unit has gold.
    """
    rows, truth = _known(posterior, gold)
    if not len(rows):
        return None
    distance = np.einsum("uk,uk->u", rows, rows) - 2 * rows[np.arange(len(rows)), truth] + 1
    return float(distance.mean())


def _surprise(
    rows: NDArray[np.float64], truth: NDArray[np.int64], clip: float
) -> NDArray[np.float64]:
    return -np.log(np.maximum(rows[np.arange(len(rows)), truth], clip))


def _known(posterior: ArrayLike, gold: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Rows of the posterior whose gold is known, and it."""
    rows, truth = np.asarray(posterior, dtype=np.float64), np.asarray(gold, dtype=np.int64)
    if rows.ndim != 2 or truth.shape != rows.shape[:1]:
        raise ValueError(
            f"the posterior has the shape {rows.shape} and gold {truth.shape}, but they must be "
            "(n_units, n_classes) and (n_units,)"
        )
    if truth.size and not UNKNOWN <= truth.min() <= truth.max() < rows.shape[1]:
        raise ValueError(
            f"gold runs from {truth.min()} to {truth.max()}, but there are {rows.shape[1]} "
            f"classes, numbered from 0; {UNKNOWN} is not known"
        )
    known = truth != UNKNOWN
    return rows[known], truth[known]
