"""Simulated workers who sort items into piles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aggregation.algorithms.clusters.crowd_clusters import CrowdClusters


@dataclass(frozen=True)
class Piled:
    data: CrowdClusters
    truth: np.ndarray  # cluster of each item
    task: np.ndarray  # of each answer


def piled(
    *,
    n_blocks: int = 60,
    block: int = 12,
    overlap: int = 4,
    size: float = 3.0,
    workers: int = 12,
    redundancy: int = 3,
    split: tuple[float, float] = (0.03, 0.25),
    lump: tuple[float, float] = (0.01, 0.1),
    seed: int = 0,
) -> Piled:
    """Items in a row, cut into blocks of which each begins with the last `overlap` items of the
    one before; an entity's items are about `size` in a row.

    A worker's carelessness is drawn from `split` and `lump`: an item leaves its pile for one of
    its own with the one probability, and goes to the pile of another item with the other.
    """
    rng = np.random.default_rng(seed)
    n_items = block + (n_blocks - 1) * (block - overlap)
    truth = np.cumsum(rng.random(n_items) < 1.0 / size)
    splits, lumps = rng.uniform(*split, workers), rng.uniform(*lump, workers)
    answer, item, pile, worker, task = [], [], [], [], []
    for b in range(n_blocks):
        items = b * (block - overlap) + np.arange(block)
        for w in rng.choice(workers, redundancy, replace=False).tolist():
            piles = truth[items] - truth[items].min()
            chance = rng.random(block)
            leaves = chance < splits[w]
            strays = ~leaves & (chance < splits[w] + lumps[w])
            piles[strays] = piles[rng.integers(block, size=int(strays.sum()))]
            piles[leaves] = block + np.arange(int(leaves.sum()))
            answer += [len(worker)] * block
            item += items.tolist()
            pile += piles.tolist()
            worker.append(w)
            task.append(b)
    data = CrowdClusters(answer, item, pile, worker=worker, n_items=n_items, n_workers=workers)
    return Piled(data, truth, np.array(task))
