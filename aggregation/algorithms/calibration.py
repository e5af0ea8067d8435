"""Whether 80 % sure is right in 80 % of cases: Naeini, Cooper and Hauskrecht (AAAI 2015)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

BINS = 10


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
