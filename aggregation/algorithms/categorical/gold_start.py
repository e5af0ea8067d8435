"""How workers did on gold, as a place for EM to begin.

Votes that weigh more or less, but never against, mislead EM where most workers are mostly wrong: it
climbs to the mirror image of the truth. An accuracy below chance speaks against what is said, so a
few answers to gold are enough to begin on the right side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LENT = 2.0  # gold answers' worth of what all workers together say of each


@dataclass(frozen=True, slots=True, eq=False)
class GoldCounts:
    """How many of each worker's answers to gold were right, and how many there were.

    `right`, `answered` : arrays of shape (n_workers,)
    """

    right: NDArray[np.number]
    answered: NDArray[np.number]

    def check(self, n_workers: int) -> None:
        if self.right.shape != (n_workers,) or self.answered.shape != (n_workers,):
            raise ValueError(
                f"the counts on gold must be of {n_workers} workers, but have the shapes "
                f"{self.right.shape} and {self.answered.shape}"
            )
        if (self.right < 0).any() or (self.right > self.answered).any():
            raise ValueError("of answers to gold, from none to all can be right")

    def accuracy(self, n_classes: int) -> NDArray[np.float64]:
        """(c + 2 p) / (n + 2) of a worker with c right of n, where p is that of all workers
        together: who was asked nothing is taken for a usual worker. Shape (n_workers,)."""
        usual = (self.right.sum() + 1.0) / (self.answered.sum() + n_classes)
        return np.asarray((self.right + LENT * usual) / (self.answered + LENT), dtype=np.float64)
