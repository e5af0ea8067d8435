"""The bootstrap: Efron, Annals of Statistics 7 (1979)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

REPLICATES = 2_000
LEVEL = 0.95


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
    sums = np.empty((replicates, rows.shape[1]))
    for i in range(replicates):
        drawn = np.bincount(rng.integers(len(rows), size=len(rows)), minlength=len(rows))
        sums[i] = drawn @ rows
    values = statistic(sums)
    low, high = np.full(values.shape[1], np.nan), np.full(values.shape[1], np.nan)
    tails = [(1 - level) / 2, (1 + level) / 2]
    for j in range(values.shape[1]):
        column = values[:, j]
        column = column[~np.isnan(column)]
        if column.size:
            low[j], high[j] = np.quantile(column, tails)
    return low, high
