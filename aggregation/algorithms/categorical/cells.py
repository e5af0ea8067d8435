"""Labels sorted into cells, for models that spread a worker's errors without regard to the truth.

A *cell* holds the labels that say one class of one unit. In MACE and GLAD a label that says l
speaks for l by some weight and against all other classes alike. So only the cells matter: a class
that nobody said of a unit has the weight 0, and all such classes share one probability. There are
at most as many cells as labels, however many classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.data import BLOCK_LABELS, UNKNOWN, CrowdLabels, checked_gold
from aggregation.algorithms.reliability import Hits
from aggregation.algorithms.shards import Loader

SAFE = 600.0  # exp of it and of its negative are floats still, and so are sums of such


@dataclass(frozen=True, slots=True)
class Cells:
    """Consecutive units with all of their labels, sorted by unit and by label.

    Attributes
    ----------
    units : slice
    n_classes : int
    worker : array of shape (n_labels,)
    edge : array of shape (n_cells + 1,)
        Cell c holds the labels edge[c] to edge[c + 1] - 1.
    unit, label : arrays of shape (n_cells,)
        The unit, counted from the block's first one, and the class.
    n_absent : array of shape (n_units,)
        How many classes nobody said of the unit.
    known : array of shape (n_units,)
        The true class, or UNKNOWN.
    known_units : array of shape (n_known,)
        The units whose class is known.
    known_cells, cells_hit : arrays of shape (n_cells_of_known,), (n_said_and_known,)
        The cells of units whose class is known, and those of them whose class it is.
    """

    units: slice
    n_classes: int
    worker: NDArray[np.int32]
    edge: NDArray[np.int32]
    unit: NDArray[np.int32]
    label: NDArray[np.int32]
    n_absent: NDArray[np.float64]
    known: NDArray[np.int64]
    known_units: NDArray[np.int64]
    known_cells: NDArray[np.int64]
    cells_hit: NDArray[np.int64]

    @property
    def n_units(self) -> int:
        return len(self.n_absent)

    def labels_of_cells(self) -> NDArray[np.int32]:
        """How many labels each cell holds, shape (n_cells,)."""
        return np.diff(self.edge)

    def by_unit(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sums of `values`, shape (n_cells,), over the cells of each unit, shape (n_units,)."""
        return sums_of(values, self.unit, self.n_units)

    def shares(self, score: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The posterior of the cells' classes, shape (n_cells,), from their log weights.

        A class that nobody said has the log weight 0. Known units have all on their class. Also
        returns, shape (n_units,), the logarithm of the sum of the weights of all classes, or of
        the known one's alone.
        """
        if np.abs(score).max(initial=0.0) < SAFE:
            weight = np.exp(score)
            total = self.by_unit(weight)
            total += self.n_absent
            log_total = np.log(total)
        else:
            top = np.where(self.n_absent > 0, 0.0, -np.inf)
            np.maximum.at(top, self.unit, score)
            weight = np.exp(score - top[self.unit])
            total = self.by_unit(weight) + self.n_absent * np.exp(-np.maximum(top, 0.0))
            log_total = np.log(total) + top
        weight /= total[self.unit]
        if self.known_units.size:
            weight[self.known_cells] = 0.0
            weight[self.cells_hit] = 1.0
            log_total[self.known_units] = 0.0  # if nobody said the true class
            log_total[self.unit[self.cells_hit]] = score[self.cells_hit]
        return weight, log_total

    def posterior(
        self, share: NDArray[np.float64], log_total: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """What `shares` gave, as an array of shape (n_units, n_classes) whose rows sum to 1."""
        # Where a class was left unsaid the sum is at least 1; elsewhere this fills no cell.
        rest = np.exp(-np.maximum(log_total, 0.0))
        dense = np.repeat(rest[:, None], self.n_classes, axis=1)
        dense[self.unit, self.label] = share
        dense[self.known_units] = np.eye(self.n_classes)[self.known[self.known_units]]
        return dense

    def hits(self, share: NDArray[np.float64], n_workers: int) -> Hits:
        """A label is right with the posterior of the class that it says."""
        return Hits.of(self.worker, np.repeat(share, self.labels_of_cells()), n_workers)


def cells_of(labels: CrowdLabels, known: NDArray[np.int64]) -> list[Cells]:
    """All labels, cut by units into blocks that are small enough for the processor's cache.

    `known`, shape (n_units,), is what `checked_gold` gives.
    """
    k = labels.n_classes
    place = labels.unit.astype(np.int64) * k + labels.label
    worker = labels.worker
    if (np.diff(place) < 0).any():
        order = np.argsort(place, kind="stable")
        place, worker = place[order], worker[order]
    edge = np.concatenate(([0], np.cumsum(np.bincount(labels.unit, minlength=labels.n_units))))
    # The unit that holds each BLOCK_LABELS-th label begins a block.
    cut = np.searchsorted(edge, np.arange(0, labels.n_labels, BLOCK_LABELS), side="right") - 1
    cuts = np.unique([0, *cut.tolist(), labels.n_units]).tolist()
    return [
        _cut(
            slice(a, b), k, place[edge[a] : edge[b]] - a * k, worker[edge[a] : edge[b]], known[a:b]
        )
        for a, b in pairwise(cuts)
    ]


def _cut(
    units: slice,
    n_classes: int,
    place: NDArray[np.int64],
    worker: NDArray[np.int32],
    known: NDArray[np.int64],
) -> Cells:
    """`place`, shape (n_labels,), rises: unit * n_classes + label, units counted from the first."""
    first = np.flatnonzero(np.diff(place, prepend=-1))
    unit, label = np.divmod(place[first], n_classes)
    of_cell = known[unit]
    return Cells(
        units=units,
        n_classes=n_classes,
        worker=worker,
        edge=np.append(first, len(place)).astype(np.int32),
        unit=unit.astype(np.int32),
        label=label.astype(np.int32),
        n_absent=n_classes - np.bincount(unit, minlength=len(known)).astype(np.float64),
        known=known,
        known_units=np.flatnonzero(known != UNKNOWN),
        known_cells=np.flatnonzero(of_cell != UNKNOWN),
        cells_hit=np.flatnonzero(of_cell == label),
    )


def cells_of_shard(load: Loader, n_workers: int, n_classes: int) -> tuple[int, list[Cells]]:
    """The number of units of a shard, and its cells; the other numbers are those of the whole."""
    labels, gold = load()
    if (labels.n_workers, labels.n_classes) != (n_workers, n_classes):
        raise ValueError(
            f"a shard has {labels.n_workers} workers and {labels.n_classes} classes, but the "
            f"whole has {n_workers} and {n_classes}"
        )
    return labels.n_units, cells_of(labels, checked_gold(gold, labels))


def sums_of(
    values: NDArray[np.float64], group: NDArray[np.int32] | NDArray[np.int64], n_groups: int
) -> NDArray[np.float64]:
    """The sum of the values of each group, shape (n_groups,)."""
    # Without values, bincount gives integers.
    return np.bincount(group, values, minlength=n_groups).astype(np.float64, copy=False)


def check_warm(warm_shape: tuple[int, ...], n_workers: int, n_classes: int) -> None:
    """Refuse an earlier fit, of so many workers and classes, that can't be gone on with."""
    if warm_shape[1] != n_classes:
        raise ValueError(f"the earlier fit has {warm_shape[1]} classes, but there are {n_classes}")
    if warm_shape[0] > n_workers:
        raise ValueError(
            f"the earlier fit has {warm_shape[0]} workers, but there are only {n_workers}"
        )
