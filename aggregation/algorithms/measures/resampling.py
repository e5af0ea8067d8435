"""The bootstrap: Efron, Annals of Statistics 7 (1979)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

REPLICATES = 2_000
LEVEL = 0.95
MANY_ROWS = 4_096  # from here on it pays to put equal rows together
BLOCK = 2**22  # numbers drawn at a time
IN_CACHE = 2**13  # rows drawn at a time: more would leave the processor's cache


def bootstrap_interval(
    counts: ArrayLike,
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    *,
    seed: int,
    replicates: int = REPLICATES,
    level: float = LEVEL,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Percentile interval of a statistic of column sums; rows are drawn with replacement.

    Rows must be what is independent: documents, not the tokens of one.

    Parameters
    ----------
    counts : array of shape (n_rows, n_columns), n_rows at least 1
    statistic : function
        From sums of shape (replicates, n_columns) to values of shape (replicates, n_values). NaN
        where a replicate has no value; such replicates are left out.
    seed : int
        The same seed and counts give the same interval.

    Returns
    -------
    low, high : arrays of shape (n_values,)
        NaN where no replicate has a value.
    """
    rows = np.asarray(counts, dtype=np.float64)
    if rows.ndim != 2 or len(rows) == 0:
        raise ValueError(f"counts has the shape {rows.shape}, but must be (1 or more, n_columns)")
    rng = np.random.default_rng(seed)
    draw = _sums_of_kinds if len(rows) >= MANY_ROWS else _sums_of_rows
    return percentiles(statistic(draw(rows, rng, replicates)), level)


def percentiles(
    values: NDArray[np.float64], level: float = LEVEL
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both ends of the middle `level` of each column, shape (n_values,); NaN is left out."""
    low, high = np.full(values.shape[1], np.nan), np.full(values.shape[1], np.nan)
    tails = [(1 - level) / 2, (1 + level) / 2]
    for j in range(values.shape[1]):
        column = values[:, j]
        column = column[~np.isnan(column)]
        if column.size:
            low[j], high[j] = np.quantile(column, tails)
    return low, high


def share(top: NDArray[np.float64], bottom: NDArray[np.float64]) -> NDArray[np.float64]:
    """`top / bottom`, NaN where `bottom` is 0."""
    return np.divide(top, bottom, out=np.full(np.shape(top), np.nan), where=bottom != 0)


def draws(n_rows: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """How often each row is drawn in one replicate, shape (n_rows,)."""
    return np.bincount(rng.integers(n_rows, size=n_rows), minlength=n_rows)


def _sums_of_rows(
    rows: NDArray[np.float64], rng: np.random.Generator, replicates: int
) -> NDArray[np.float64]:
    """Many replicates at a time, of the same numbers in the same order as one by one."""
    n_rows, step = len(rows), max(1, IN_CACHE // len(rows))
    sums = np.empty((replicates, rows.shape[1]))
    for first in range(0, replicates, step):
        some = min(step, replicates - first)
        drawn = rng.integers(n_rows, size=(some, n_rows))
        drawn += n_rows * np.arange(some)[:, None]
        times = np.bincount(drawn.ravel(), minlength=some * n_rows).reshape(some, n_rows)
        sums[first : first + some] = times @ rows
    return sums


def _sums_of_kinds(
    rows: NDArray[np.float64], rng: np.random.Generator, replicates: int
) -> NDArray[np.float64]:
    """The same distribution, of rows many of which are equal.

    How often a kind of row is drawn is multinomial, so nothing need be drawn for each row:
    200,000 units with 5 labels of 5 classes each are of 126 kinds.
    """
    kinds, size = _kinds(rows)
    if len(kinds) > len(rows) // 4:
        return _sums_of_rows(rows, rng, replicates)
    probability = size / len(rows)
    step = max(1, BLOCK // len(kinds))
    return np.concatenate([
        rng.multinomial(len(rows), probability, size=min(step, replicates - i)) @ kinds
        for i in range(0, replicates, step)
    ])  # fmt: skip


def _kinds(rows: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The different rows, and how many there are of each."""
    ordered = rows[np.lexsort(rows.T)]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    head = np.flatnonzero(new)
    return ordered[head], np.diff(np.append(head, len(rows)))
