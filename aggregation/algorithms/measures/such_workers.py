"""Alpha about workers such as these, not these alone: documents and workers are both a sample.

Three jackknifes, by document, by worker and by the answers of one worker to one document, give the
parts of the variance: V = V_documents + max(V_workers - V_answers, 0), as for clusters of two kinds
(Cameron, Gelbach and Miller, "Robust Inference with Multiway Clustering", Journal of Business &
Economic Statistics 29, 2011, equation 2.8), since either of the first two holds the third. What is
left of the workers' part is how they differ beyond the chance of their single answers: never
negative.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.data import CrowdLabels
from aggregation.algorithms.measures.agreement import krippendorff_alpha, of_units
from aggregation.algorithms.measures.resampling import share

SUCH_WORKERS = 20
LEVEL = 0.95
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def alpha_of_such_workers(
    labels: CrowdLabels, *, groups: ArrayLike | None = None
) -> tuple[float, float] | None:
    """A 95 % interval of nominal alpha about workers such as these; no draws.

    With V as above and Student's t of as many degrees of freedom as there are workers (documents,
    if they are fewer) of equal numbers of answers, less one:

        1 - alpha in (1 - alpha) exp(-+ t sqrt(V) / (1 - alpha))

    Parameters
    ----------
    labels : CrowdLabels
        Worth reading from some `SUCH_WORKERS` workers on.
    groups : integer array of shape (n_units,), or None for each unit by itself
        The number of each unit's document, from 0.

    Returns
    -------
    (low, high), or None where nothing tells how much alpha may vary: nobody disagrees, or without
    one of the workers or documents nothing is left that could be compared.
    """
    from scipy.special import stdtrit

    alpha = krippendorff_alpha(labels, replicates=0).value
    if alpha is None or alpha == 1.0:
        return None
    votes = labels.votes()
    compared = votes.sum(axis=1) > 1
    document = of_units(groups, labels, compared)
    votes = votes[compared]
    document = np.arange(len(votes)) if document is None else document
    judged = votes.sum(axis=1)
    disputed = (judged**2 - np.einsum("uc,uc->u", votes, votes)) / (judged - 1)

    kept = compared[labels.unit]
    unit = (np.cumsum(compared) - 1)[labels.unit[kept]]
    label = labels.label[kept]
    answers, answer = np.unique(unit * labels.n_workers + labels.worker[kept], return_inverse=True)
    unit_of, worker_of = np.divmod(answers, labels.n_workers)
    left = judged[unit_of] - np.bincount(answer)
    falls_out = left < 2  # the unit, for want of two labels

    def said(c: int) -> Floats:
        return np.bincount(answer[label == c], minlength=len(answers)).astype(np.float64)

    squares = np.zeros(len(answers))
    for c in range(labels.n_classes):
        squares += (votes[unit_of, c] - said(c)) ** 2
    remains = np.where(falls_out, 0.0, (left**2 - squares) / np.maximum(left - 1, 1))

    def lost(c: int) -> Floats:
        return np.where(falls_out, votes[unit_of, c], said(c))

    totals = (float(disputed.sum()), votes.sum(axis=0))
    less = disputed[unit_of] - remains
    _, both = np.unique(document[unit_of] * labels.n_workers + worker_of, return_inverse=True)
    of_documents = _variance(totals, document, disputed, lambda c: votes[:, c])
    of_workers = _variance(totals, worker_of, less, lost)
    of_answers = _variance(totals, both, less, lost)
    variance = of_documents + max(of_workers - of_answers, 0.0)
    if np.isnan(variance):
        return None
    alike = min(_of_equal_weight(worker_of), _of_equal_weight(document[unit_of]))
    reach = float(stdtrit(max(alike - 1, 1), (1 + LEVEL) / 2)) * np.sqrt(variance)
    factor = float(np.exp(reach / (1 - alpha)))
    return max(1 - (1 - alpha) * factor, -1.0), 1 - (1 - alpha) / factor


def _variance(
    totals: tuple[float, Floats], part: Integers, disputed: Floats, counts: Callable[[int], Floats]
) -> float:
    """The jackknife's variance of alpha, leaving out one part after the other.

    `part`, shape (n_rows,), says to which each row belongs; `disputed` and `counts(c)`, of the same
    shape, what leaves with the row: of n D_o and of the labels c. NaN where alpha is not defined
    without one of the parts.
    """
    whole, of_class = totals
    n = squares = np.zeros(1)
    for c, count in enumerate(of_class):
        left = count - np.bincount(part, counts(c))
        n, squares = n + left, squares + left**2
    alphas = 1 - share((n - 1) * (whole - np.bincount(part, disputed)), n * n - squares)
    alphas = alphas[np.bincount(part) > 0]
    return float((len(alphas) - 1) * np.var(alphas))


def _of_equal_weight(part: Integers) -> float:
    """How many parts of equal size tell as much as these: (sum of sizes)² / sum of sizes²."""
    sizes = np.bincount(part).astype(np.float64)
    return float(sizes.sum() ** 2 / (sizes**2).sum())
