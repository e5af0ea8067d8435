"""Facility location: choose the items to which all items are most similar.

F(S) = Σ_i max_{s in S} similarity(i, s), the similarity being the cosine, or 0 where that is below
0. It is monotone and submodular, needs no labels, and is chosen greedily. Gains are looked at again
only where they may still be the highest (Minoux, 1978), some items in one product of matrices; what
is chosen is what looking at all of them would choose.

All pairs of n items are n² similarities. Up to EXACT items the sum goes over all of them; above it
over SAMPLE of them, drawn at random, which estimates the same mean. All items can be chosen in
either case.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
EXACT = 10_000
SAMPLE = 2_000
DECIMALS = {"float32": 5, "float64": 10}  # of a gain: two items that serve but each other are equal
CELLS = 2**21  # similarities that are held at one time
FEW, MANY = 4, 64  # items that are looked at again in one go: as few at first, then more


@dataclass(frozen=True, slots=True)
class Chosen:
    """`items`, the best first, with the gain of each."""

    items: Integers
    gain: Floats


class Facilities:
    """How well items are served by what was chosen so far.

    Parameters
    ----------
    units : array or sparse matrix of shape (n_items, n_features)
        Vectors of length 1, or of zeros.
    targets : numbers of the items that are to be served
    weight : array of shape (n_targets,), or None where each counts 1
    """

    def __init__(self, units: Any, targets: Integers, weight: Floats | None = None):
        self.units = units
        columns = units[targets].T
        self.columns = sparse.csr_array(columns) if sparse.issparse(columns) else columns
        self.weight = np.ones(len(targets)) if weight is None else weight
        self.best = np.zeros(len(targets), dtype=units.dtype)
        self._rows = max(CELLS // max(len(targets), 1), 1)

    def take(self, items: Integers) -> None:
        for begin in range(0, len(items), self._rows):
            near = self._near(items[begin : begin + self._rows])
            np.maximum(self.best, near.max(axis=0, initial=0), out=self.best)

    def gain(self, items: Integers) -> Floats:
        """What each of these items would add to F, shape (n_items,)."""
        found = np.empty(len(items))
        for begin in range(0, len(items), self._rows):
            near = self._near(items[begin : begin + self._rows])
            near -= self.best
            np.maximum(near, 0, out=near)
            found[begin : begin + len(near)] = near @ self.weight
        # However the sums were rounded, which depends on how many were made in one go.
        return found.round(DECIMALS[self.best.dtype.name])

    def _near(self, items: Integers) -> NDArray[Any]:
        near = self.units[items] @ self.columns
        return near if isinstance(near, np.ndarray) else np.asarray(near.todense())


def targets_of(items: Integers, rng: np.random.Generator) -> Integers:
    """All of the items where they are at most EXACT, else SAMPLE of them, ascending."""
    if len(items) <= EXACT:
        return items
    return np.sort(rng.choice(items, SAMPLE, replace=False))


def locate(facilities: Facilities, free: Integers, budget: float, cost: Floats) -> Chosen:
    """Choose of `free` for `budget`, by gain per `cost` (of each item of the pool); where costs
    differ, the best single item first if it is worth more than what that chooses."""
    free = free[cost[free] <= budget]
    if not len(free):
        return Chosen(np.zeros(0, dtype=np.int64), np.zeros(0))
    first = facilities.gain(free)
    if (cost[free] == cost[free[0]]).all():
        return lazy_greedy(facilities.gain, facilities.take, free, first, budget, cost)
    before = facilities.best.copy()
    found = lazy_greedy(facilities.gain, facilities.take, free, first, budget, cost)
    at = int(first.argmax())
    if first[at] <= found.gain.sum():
        return found
    facilities.best = before
    facilities.take(free[at : at + 1])
    rest, left = np.delete(free, at), budget - float(cost[free[at]])
    rest = rest[cost[rest] <= left]
    more = lazy_greedy(facilities.gain, facilities.take, rest, facilities.gain(rest), left, cost)
    return Chosen(
        np.concatenate((free[at : at + 1], more.items)),
        np.concatenate((first[at : at + 1], more.gain)),
    )


def lazy_greedy(
    gain: Callable[[Integers], Floats],
    take: Callable[[Integers], None],
    free: Integers,
    first: Floats,
    budget: float,
    cost: Floats,
) -> Chosen:
    """The greedy choice by gain per cost, where gains only fall. `first` are those of `free` at the
    beginning. Of equals the lowest number; what doesn't fit into the budget is passed over."""
    heap = list(zip((-first / cost[free]).tolist(), free.tolist(), first.tolist(), strict=True))
    heapq.heapify(heap)
    looked = dict.fromkeys(free.tolist(), 0)  # after how many choices the gain was right
    items: list[int] = []
    gains: list[float] = []
    left = budget
    many = FEW
    while heap:
        _, item, known = heap[0]
        if cost[item] > left:
            heapq.heappop(heap)
        elif looked[item] == len(items):
            heapq.heappop(heap)
            items.append(item)
            gains.append(known)
            left -= float(cost[item])
            take(np.array([item]))
            many = FEW
        else:
            stale: list[int] = []
            while heap and len(stale) < many and looked[heap[0][1]] < len(items):
                stale.append(heapq.heappop(heap)[1])
            again = np.array(stale)
            for i, its_gain in zip(stale, gain(again).tolist(), strict=True):
                looked[i] = len(items)
                heapq.heappush(heap, (-its_gain / cost[i], i, its_gain))
            many = min(2 * many, MANY)
    return Chosen(np.array(items, dtype=np.int64), np.array(gains))
