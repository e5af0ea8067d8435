"""How far workers agree with one another, beyond chance; no gold is needed.

Krippendorff's alpha for nominal data (Krippendorff, "Computing Krippendorff's
Alpha-Reliability", 2011, section C) and Fleiss' kappa (Psychological Bulletin 76, 1971). Cohen's
kappa is in `cohen`, the agreement on spans in `unitizing`.

Each comes with a bootstrap interval over units, or over groups of units: pass `groups` wherever
units are alike, as the tokens of a document are. What can't be computed is None, never 0 or NaN:
one class, one worker, no unit that two have judged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.data import CrowdLabels
from aggregation.algorithms.measures.resampling import (
    REPLICATES,
    bootstrap_interval,
    share,
)


@dataclass(frozen=True, slots=True)
class Agreement:
    """A coefficient and its 95 % interval.

    Attributes
    ----------
    value : float or None
        1 is perfect; 0 is chance, or for span F1 no common span. None where it is not defined.
    low, high : float or None
        None where the value is, and where there are fewer than two groups or no replicates.
    units : int
        What at least two have judged: units, tokens, or for span F1 sentences.
    pairs : int
        What was compared with one another: pairs of labels of one unit for alpha and Fleiss'
        kappa, pairs of workers for Cohen's kappa and span F1.
    """

    value: float | None
    low: float | None
    high: float | None
    units: int
    pairs: int


@dataclass(frozen=True, slots=True)
class PairTable:
    """A coefficient for each pair of workers for which it is defined.

    Attributes
    ----------
    first, second : integer arrays of shape (n_pairs,)
        Numbers of workers, first < second; ordered.
    units : integer array of shape (n_pairs,)
        Comparisons between them: units (or sentences, for spans) that both have judged.
    value : array of shape (n_pairs,)
        Never NaN: pairs without a value are left out.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    units: NDArray[np.int64]
    value: NDArray[np.float64]


def krippendorff_alpha(
    labels: CrowdLabels,
    *,
    groups: ArrayLike | None = None,
    seed: int = 0,
    replicates: int = REPLICATES,
) -> Agreement:
    """Nominal alpha: 1 - D_o / D_e, over all units with two labels or more.

    With n_uc labels c of unit u, m_u labels of u, n_c those of c in all such units, n all:

        D_o = sum_u sum_c n_uc (m_u - n_uc) / (m_u - 1) / n
        D_e = sum_c n_c (n - n_c) / (n (n - 1))

    Any number of workers, with gaps. A worker's repeated judgments of one unit are compared as if
    two had given them.

    Parameters
    ----------
    labels : CrowdLabels
    groups : integer array of shape (n_units,), or None for each unit by itself
        The number of each unit's document, from 0; the bootstrap draws documents.
    seed : int
        Of the bootstrap.
    replicates : int
        Of the bootstrap; 0 leaves the interval out, which is most of the time.
    """
    votes = labels.votes()
    judged = votes.sum(axis=1)
    compared = judged > 1
    if not compared.all():
        votes, judged = votes[compared], judged[compared]
    squares = np.einsum("uc,uc->u", votes, votes)
    disputed = (judged * judged - squares) / (judged - 1)
    pairs = int((judged * (judged - 1)).sum()) // 2
    units = len(judged)
    total = np.concatenate(([disputed.sum()], votes.sum(axis=0)))
    value = defined(_alpha_of(total[None, :])[0])
    if not replicates or value is None:
        return Agreement(value, None, None, units, pairs)
    rows = np.column_stack([disputed, votes])
    low, high = interval(
        grouped(rows, of_units(groups, labels, compared)), _alpha_of, seed, replicates
    )
    return Agreement(value, low, high, units, pairs)


def _alpha_of(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """From rows (n D_o, n_0, n_1, ...) to alpha, shape (n_rows,)."""
    disputed, count = sums[:, 0], sums[:, 1:]
    n = count.sum(axis=1)
    expected = n * n - np.einsum("rc,rc->r", count, count)  # n (n - 1) D_e
    return 1.0 - share((n - 1.0) * disputed, expected)


def fleiss_kappa(
    labels: CrowdLabels,
    *,
    groups: ArrayLike | None = None,
    seed: int = 0,
    replicates: int = REPLICATES,
) -> Agreement:
    """(P - P_e) / (1 - P_e) over all units with two labels or more.

    P is the mean, over units, of the share of agreeing pairs of labels; P_e = sum_c p_c^2 with
    p_c the share of class c in all labels of such units. Fleiss has the same number of labels for
    each unit; where numbers differ each unit counts alike in P and each label in p_c. Parameters
    as for `krippendorff_alpha`.
    """
    votes = labels.votes()
    judged = votes.sum(axis=1)
    compared = judged > 1
    votes, judged = votes[compared], judged[compared]
    possible = judged * (judged - 1)
    agreeing = np.einsum("uc,uc->u", votes, votes) - judged
    rows = np.column_stack([agreeing / possible, np.ones(len(votes)), votes])
    return agreement(
        rows,
        of_units(groups, labels, compared),
        _fleiss_of,
        seed=seed,
        replicates=replicates,
        units=len(votes),
        pairs=int(possible.sum()) // 2,
    )


def _fleiss_of(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """From rows (sum of shares, units, n_0, n_1, ...) to kappa, shape (n_rows,)."""
    count = sums[:, 2:]
    n = count.sum(axis=1)
    observed = share(sums[:, 0], sums[:, 1])
    # 1 - P_e from whole numbers, so that it is exactly 0 where there is one class only.
    beyond = share(n * n - np.einsum("rc,rc->r", count, count), n * n)
    return 1.0 - share(1.0 - observed, beyond)


# --- What all of them share ---------------------------------------------------------------------


def agreement(
    rows: NDArray[np.float64],
    groups: NDArray[np.int64] | None,
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    *,
    seed: int,
    replicates: int,
    units: int,
    pairs: int,
) -> Agreement:
    """The statistic of column sums, and its interval.

    `rows`, shape (n_rows, n_columns), are added up within `groups`, shape (n_rows,); `statistic`
    makes values of shape (n,) from sums of shape (n, n_columns), NaN where there is none.
    """
    value = defined(statistic(rows.sum(axis=0, keepdims=True))[0])
    low = high = None
    if value is not None and replicates:
        low, high = interval(grouped(rows, groups), statistic, seed, replicates)
    return Agreement(value, low, high, units, pairs)


def interval(
    rows: NDArray[np.float64],
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    seed: int,
    replicates: int,
) -> tuple[float | None, float | None]:
    """None where there are fewer than two rows, or no replicate has a value."""
    if len(rows) < 2:
        return None, None
    low, high = bootstrap_interval(
        rows, lambda sums: statistic(sums)[:, None], seed=seed, replicates=replicates
    )
    return defined(low[0]), defined(high[0])


def grouped(rows: NDArray[np.float64], groups: NDArray[np.int64] | None) -> NDArray[np.float64]:
    """Sums of rows by group, groups without a row left out."""
    if groups is None or not len(rows):
        return rows
    sums = np.zeros((int(groups.max()) + 1, rows.shape[1]))
    for column, values in enumerate(rows.T):
        sums[:, column] = np.bincount(groups, weights=values)
    return sums[np.bincount(groups) > 0]


def checked_groups(groups: ArrayLike, size: int, what: str) -> NDArray[np.int64]:
    """`groups` as an array of shape (size,); `what` they are groups of."""
    array = np.asarray(groups)
    if array.shape != (size,):
        raise ValueError(f"groups has the shape {array.shape}, but there are {size} {what}")
    if array.size and (array.dtype.kind not in "iu" or array.min() < 0):
        raise ValueError("groups must hold whole numbers from 0")
    return array.astype(np.int64)


def of_units(
    groups: ArrayLike | None, labels: CrowdLabels, compared: NDArray[np.bool_]
) -> NDArray[np.int64] | None:
    if groups is None:
        return None
    return checked_groups(groups, labels.n_units, "units")[compared]


def defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
