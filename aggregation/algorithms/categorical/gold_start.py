"""What workers have shown on gold, as a place for EM to begin.

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
class Shown:
    """How many of each worker's answers to gold were right, and how many there were.

    `right`, `told` : arrays of shape (n_workers,)
    """

    right: NDArray[np.number]
    told: NDArray[np.number]

    def check(self, n_workers: int) -> None:
        if self.right.shape != (n_workers,) or self.told.shape != (n_workers,):
            raise ValueError(
                f"what was shown on gold must be of {n_workers} workers, but has the shapes "
                f"{self.right.shape} and {self.told.shape}"
            )
        if (self.right < 0).any() or (self.right > self.told).any():
            raise ValueError("of answers to gold, from none to all can be right")

    def accuracy(self, n_classes: int) -> NDArray[np.float64]:
        """(c + 2 p) / (n + 2) of a worker with c right of n, where p is that of all workers
        together: who was asked nothing is taken for a usual worker. Shape (n_workers,)."""
        usual = (self.right.sum() + 1.0) / (self.told.sum() + n_classes)
        return np.asarray((self.right + LENT * usual) / (self.told + LENT), dtype=np.float64)
