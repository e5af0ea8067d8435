"""Items made for tests, and the plain greedy choice that all forms have to equal."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from selection.algorithms.items.pairs import SparsePairs, TablePairs


def table(rng, n_items=30, n_attributes=4, size=4, missing=0.1):
    """Codes of which some are missing."""
    codes = rng.integers(size, size=(n_attributes, n_items))
    codes[rng.random(codes.shape) < missing] = size
    return TablePairs(list(codes), [size] * n_attributes)


def as_sparse(pairs):
    rows = [pairs.of(item) for item in range(pairs.n_items)]
    item = np.repeat(np.arange(pairs.n_items), [len(row) for row in rows])
    shape = (pairs.n_items, pairs.n_pairs)
    held = (np.ones(len(item)), (item, np.concatenate(rows)))
    return SparsePairs(sparse.csr_array(held, shape=shape))


def naive_cover(pairs, budget, times=2, rounds=False, labelled=(), order=None, cost=None):
    """Looks at every item for every choice. The items, each with its gain."""
    count = np.zeros(pairs.n_pairs, dtype=int)
    full, left = (1, times - 1) if rounds else (times, 0)
    waiting = list(labelled)
    free = [i for i in (range(pairs.n_items) if order is None else order) if i not in waiting]
    chosen = []

    def gain(item):
        return int((count[pairs.of(item)] < full).sum())

    while waiting or free:
        best = max(map(gain, waiting + free))
        if not best and left:
            left, count[:] = left - 1, 0
            continue
        if waiting:
            count[pairs.of(waiting.pop(0))] += 1
            continue
        fits = [i for i in free if cost is None or cost[i] <= budget]
        if not fits or (budget < 1 and cost is None) or not max(map(gain, fits)):
            break
        worth = [gain(i) / (1 if cost is None else cost[i]) for i in fits]
        item = fits[int(np.argmax(worth))]
        chosen.append((item, gain(item)))
        budget -= 1 if cost is None else cost[item]
        count[pairs.of(item)] += 1
        free.remove(item)
    return chosen
