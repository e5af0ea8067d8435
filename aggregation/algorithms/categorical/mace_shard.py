"""A shard of units under MACE (`mace.py`): the posterior, and its sums for each start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.categorical.cells import Cells, cells_of_shard
from aggregation.algorithms.reliability import Hits
from aggregation.algorithms.shards import Loader

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(slots=True)
class MStepSums:
    """What an M-step needs of some units, for each of the starts; those of parts add up.

    Attributes
    ----------
    right : array of shape (n_starts, n_workers * n_classes)
    evidence : array of shape (n_starts,)
    """

    right: NDArray[np.float64]
    evidence: NDArray[np.float64]

    def __add__(self, other: MStepSums) -> MStepSums:
        return MStepSums(self.right + other.right, self.evidence + other.evidence)


class MACEShard:
    """One shard. `gain`, shape (n_workers, n_classes), is all that it needs of a start."""

    unchanged_by = frozenset({"label_counts", "step", "hits", "posterior"})

    def __init__(self, load: Loader, n_workers: int, n_classes: int):
        self.n_workers, self.n_classes = n_workers, n_classes
        self.n_units, self.blocks = cells_of_shard(load, n_workers, n_classes)
        self.columns = [columns(cells, n_workers) for cells in self.blocks]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "columns"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.columns = [columns(cells, self.n_workers) for cells in self.blocks]

    def label_counts(self) -> NDArray[np.float64]:
        """How often each worker said each class, shape (n_workers, n_classes)."""
        counts = np.zeros(self.n_workers * self.n_classes)
        for cells, columns in zip(self.blocks, self.columns, strict=True):
            counts += columns.T @ np.ones(len(cells.label))
        return counts.reshape(self.n_workers, self.n_classes)

    def step(self, gains: NDArray[np.float64]) -> MStepSums:
        """Sums over T for each start; `gains` of shape (n_starts, n_workers, n_classes)."""
        even = -self.n_units * np.log(self.n_classes)  # the factor 1 / K of each unit
        sums = MStepSums(np.zeros((len(gains), gains[0].size)), np.full(len(gains), even))
        for cells, columns in zip(self.blocks, self.columns, strict=True):
            for i, gain in enumerate(gains):
                share, log_total = cells.shares(columns @ gain.ravel())
                sums.right[i] += columns.T @ share
                sums.evidence[i] += log_total.sum()
        return sums

    def hits(self, gain: NDArray[np.float64]) -> Hits:
        """How probably each label is right."""
        hits = Hits.none(self.n_workers)
        for cells, columns in zip(self.blocks, self.columns, strict=True):
            share, _ = cells.shares(columns @ gain.ravel())
            hits += cells.hits(share, self.n_workers)
        return hits

    def posterior(self, gain: NDArray[np.float64]) -> NDArray[np.float64]:
        """T, shape (n_units, n_classes)."""
        posterior = np.empty((self.n_units, self.n_classes))
        for cells, columns in zip(self.blocks, self.columns, strict=True):
            posterior[cells.units] = cells.posterior(*cells.shares(columns @ gain.ravel()))
        return posterior


def columns(cells: Cells, n_workers: int) -> csr_array:
    """Counts of labels, shape (n_cells, n_workers * n_classes): the column is who said what."""
    from scipy.sparse import csr_array

    column = cells.worker.astype(np.int64) * cells.n_classes
    column += np.repeat(cells.label, cells.labels_of_cells())
    shape = (len(cells.label), n_workers * cells.n_classes)
    return csr_array((np.ones(len(column)), column, cells.edge), shape=shape)
