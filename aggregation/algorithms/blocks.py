"""Labels of consecutive units as sparse counts, small enough for the processor's cache."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

AT_ONCE = 2**18  # numbers


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive units with all of their labels.

    Attributes
    ----------
    units : slice
    counts : sparse array of shape (units of the block, n_workers * n_classes)
        The cell (u, w * n_classes + l) says how often w said l of u, or the weight of it.
    """

    units: slice
    counts: csr_array

    @classmethod
    def cut(
        cls,
        units: slice,
        edge: NDArray[np.int64],
        column: NDArray[np.int32],
        ones: NDArray[np.float64],
        n_columns: int,
    ) -> Self:
        """Unit u has the columns column[edge[u]:edge[u + 1]]; `ones` begins with the block's
        counts. Shares the arrays."""
        first, last = int(edge[units.start]), int(edge[units.stop])
        place = (edge[units.start : units.stop + 1] - first).astype(np.int32)
        return cls.of(units, column[first:last], place, ones, n_columns)

    @classmethod
    def of(
        cls,
        units: slice,
        column: NDArray[np.int32],
        place: NDArray[np.int32],
        ones: NDArray[np.float64],
        n_columns: int,
    ) -> Self:
        """The u-th of the units has the columns column[place[u]:place[u + 1]]."""
        from scipy.sparse import csr_array

        shape = (units.stop - units.start, n_columns)
        return cls(units, csr_array((ones[: len(column)], column, place), shape=shape))


def counted(number: NDArray[Any], n: int) -> NDArray[np.int64]:
    """How often each number from 0 to n - 1 is there, shape (n,). In pieces: `bincount` copies
    narrow integers to 8 bytes each, which was the most that a large fit had in memory."""
    found = np.zeros(n, dtype=np.int64)
    for at in range(0, len(number), AT_ONCE):
        found += np.bincount(number[at : at + AT_ONCE], minlength=n)
    return found
