"""How many answers an item will want, learnt from those that were labelled."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
SHRINK = 10.0  # items' worth of belief that length and uncertainty say nothing
FIRST_GUESS = 0.25  # of the way from the least to the most answers


@dataclass(frozen=True, slots=True)
class CostModel:
    """answers ≈ base + by_length · (log(1 + length) − mean_length)
    + by_uncertainty · (uncertainty − mean_uncertainty), from `least` to `most`.

    `items`: from how many it was learnt.
    """

    least: float
    most: float
    base: float
    by_length: float = 0.0
    by_uncertainty: float = 0.0
    mean_length: float = 0.0
    mean_uncertainty: float = 0.0
    items: int = 0

    @classmethod
    def first(cls, least: float, most: float) -> Self:
        """Before anything was labelled."""
        return cls(least, most, least + FIRST_GUESS * (most - least))

    @classmethod
    def fit(
        cls, answers: ArrayLike, length: ArrayLike, uncertainty: ArrayLike, least: float,
        most: float,
    ) -> Self:  # fmt: skip
        """By ridge regression. `uncertainty` is NaN where no model was asked."""
        given = np.asarray(answers, dtype=np.float64)
        if not len(given) or least >= most:
            return cls.first(least, most)
        logs = np.log1p(np.asarray(length, dtype=np.float64))
        doubt = np.asarray(uncertainty, dtype=np.float64)
        known = np.isfinite(doubt)
        mean_doubt = float(doubt[known].mean()) if known.any() else 0.0
        columns = np.stack([logs - logs.mean(), np.where(known, doubt - mean_doubt, 0.0)], axis=1)
        spread = columns.std(axis=0)
        spread[spread < 1e-9] = np.inf  # the same of all: it says nothing
        scaled = columns / spread
        weights = np.linalg.solve(
            scaled.T @ scaled + SHRINK * np.eye(2), scaled.T @ (given - given.mean())
        )
        by_length, by_doubt = (weights / spread).tolist()
        return cls(
            least, most, float(given.mean()), by_length, by_doubt, float(logs.mean()), mean_doubt,
            len(given),
        )  # fmt: skip

    def predict(self, length: ArrayLike, uncertainty: ArrayLike) -> Floats:
        """Expected answers of each item. Where its uncertainty is NaN it is taken for the mean."""
        doubt = np.asarray(uncertainty, dtype=np.float64)
        doubt = np.where(np.isfinite(doubt), doubt - self.mean_uncertainty, 0.0)
        logs = np.log1p(np.asarray(length, dtype=np.float64)) - self.mean_length
        found = self.base + self.by_length * logs + self.by_uncertainty * doubt
        return np.clip(found, self.least, self.most)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)
