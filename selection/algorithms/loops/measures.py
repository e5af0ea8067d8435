"""How good a model is, on a random sample of documents, with intervals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv, ndtri, stdtrit

Floats = NDArray[np.float64]
ALWAYS = 0.1  # the chance that the intervals of all looks together miss


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """A figure from 0 to 1 of a random sample.

    Attributes
    ----------
    value : float
    influence : array of shape (n_items,)
        By how much each item moves the figure, in first order; they add up to 0.
    """

    value: float
    influence: Floats

    @property
    def n_items(self) -> int:
        return len(self.influence)

    @property
    def error(self) -> float:
        """The standard error."""
        n = self.n_items
        return float(np.sqrt(n / (n - 1) * (self.influence**2).sum())) if n > 1 else np.nan

    def interval(self, miss: float = 0.05) -> tuple[float, float]:
        """Misses the pool's figure with at most about this chance: Clopper and Pearson's with as
        many items as a simple share would need for this standard error (Korn and Graubard, 1998).

        It stays honest where the normal one does not: at the ends, with few items, and with the
        small `miss` of many looks.
        """
        n, value = self.n_items, self.value
        if n < 2:
            return 0.0, 1.0
        variance = self.error**2
        share = value * (1 - value)
        size = share / variance if variance > 1e-12 and share > 0 else float(n)
        size *= float((ndtri(miss / 2) / stdtrit(n - 1, miss / 2)) ** 2)
        hits = value * size
        low = float(betaincinv(hits, size - hits + 1, miss / 2)) if hits > 0 else 0.0
        high = float(betaincinv(hits + 1, size - hits, 1 - miss / 2)) if hits < size else 1.0
        return low, high

    def interval_at(self, look: int) -> tuple[float, float]:
        """With the intervals of all other looks, 1, 2, …, it misses with a chance of ALWAYS at
        most: the parts 1 / (look · (look + 1)) add up to 1."""
        return self.interval(ALWAYS / (look * (look + 1)))


def measure(counts: ArrayLike, share: Callable[[Floats], Floats]) -> Measure:
    """`counts`, shape (n_items, n_columns), of each item; `share` gives the figure of each row of
    sums of them. The influence of an item is what the figure loses without it (the jackknife).

    Raises ValueError where the sample says nothing of it, such as of F1 where no span is.
    """
    each = np.asarray(counts, dtype=np.float64)
    whole = each.sum(axis=0)
    value = float(share(whole[None])[0]) if len(each) else np.nan
    if not np.isfinite(value):
        raise ValueError("the sample says nothing of the model: there is nothing to be right about")
    without = np.asarray(share(whole - each), dtype=np.float64)
    influence = np.where(np.isfinite(without), value - without, 0.0)
    return Measure(value, influence - influence.mean())
