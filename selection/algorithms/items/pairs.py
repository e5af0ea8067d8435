"""Which attribute–value pairs each item holds: the universe that coverage covers.

Two forms of one thing. `TablePairs` has a column of codes for each attribute, at most one value of
which an item holds; `SparsePairs` has any number of pairs an item, as the words of a text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

Integers = NDArray[np.int64]
SCANS = 16  # of a column for a value each; then the items of all other values are indexed


class Pairs(Protocol):
    """Items are numbered from 0, and so are pairs."""

    n_items: int
    n_pairs: int

    def degrees(self) -> NDArray[np.int32]:
        """How many pairs each item holds, shape (n_items,)."""

    def of(self, item: int) -> Integers:
        """The pairs that the item holds, each once."""

    def counts(self, items: Integers) -> Integers:
        """How many of these items hold each pair, shape (n_pairs,)."""

    def open_of(self, items: Integers, is_open: NDArray[np.uint8]) -> NDArray[np.int32]:
        """How many pairs of each of these items are open; `is_open` has 1 or 0 for each pair."""

    def subtract(self, pair: int, gain: NDArray[Any]) -> None:
        """Take 1 off the gain of each item that holds the pair, in place."""


class TablePairs:
    """A value of each attribute for each item.

    Parameters
    ----------
    codes : for each attribute an integer array of shape (n_items,)
        From 0 to its size - 1; the size itself is "no value", and is no pair.
    sizes : for each attribute, how many values it has
    """

    def __init__(self, codes: Sequence[ArrayLike], sizes: Sequence[int]):
        if len(codes) != len(sizes):
            raise ValueError(f"there are {len(codes)} columns of codes, but {len(sizes)} sizes")
        self.codes = [_narrow(column, size) for column, size in zip(codes, sizes, strict=True)]
        self.sizes = tuple(int(size) for size in sizes)
        lengths = {len(column) for column in self.codes}
        if len(lengths) > 1:
            raise ValueError(f"columns must be of one length, but are of {sorted(lengths)}")
        self.n_items = lengths.pop() if lengths else 0
        self.begins = np.concatenate(([0], np.cumsum(self.sizes, dtype=np.int64)))
        self.n_pairs = int(self.begins[-1])
        self._scanned: list[set[int]] = [set() for _ in self.codes]
        self._index: dict[int, tuple[NDArray[np.int32], Integers]] = {}

    def degrees(self) -> NDArray[np.int32]:
        found = np.full(self.n_items, len(self.codes), dtype=np.int32)
        for column, size in zip(self.codes, self.sizes, strict=True):
            found -= column == size
        return found

    def of(self, item: int) -> Integers:
        values = np.array([column[item] for column in self.codes], dtype=np.int64)
        return (self.begins[:-1] + values)[values < self.sizes]

    def counts(self, items: Integers) -> Integers:
        parts = [
            np.bincount(column[items], minlength=size + 1)[:size]
            for column, size in zip(self.codes, self.sizes, strict=True)
        ]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)

    def open_of(self, items: Integers, is_open: NDArray[np.uint8]) -> NDArray[np.int32]:
        found = np.zeros(len(items), dtype=np.int32)
        for j, column in enumerate(self.codes):
            begin, end = self.begins[j], self.begins[j + 1]
            found += np.append(is_open[begin:end], np.uint8(0)).take(column[items])
        return found

    def subtract(self, pair: int, gain: NDArray[Any]) -> None:
        j = int(np.searchsorted(self.begins, pair, side="right")) - 1
        value = pair - int(self.begins[j])
        scanned = self._scanned[j]
        if value in scanned or len(scanned) < SCANS:
            scanned.add(value)
            gain -= (self.codes[j] == value).view(np.int8)
            return
        # Values that are filled first are those that many items have, so few items are left.
        if j not in self._index:
            self._index[j] = self._indexed(j)
        items, starts = self._index[j]
        gain[items[starts[value] : starts[value + 1]]] -= 1

    def _indexed(self, j: int) -> tuple[NDArray[np.int32], Integers]:
        """The items of the column's values that were not scanned, by value; where each begins."""
        column, size = self.codes[j], self.sizes[j]
        rare = np.ones(size + 1, dtype=bool)
        rare[[*self._scanned[j], size]] = False
        items = np.flatnonzero(rare[column]).astype(np.int32)
        values = column[items]
        ends = np.cumsum(np.bincount(values, minlength=size))
        return items[np.argsort(values, kind="stable")], np.concatenate(([0], ends))


class SparsePairs:
    """Pairs by item as a sparse matrix of shape (n_items, n_pairs): what is not 0 is held."""

    def __init__(self, matrix: Any):
        held = sparse.csr_array(matrix)
        if held.nnz and not held.data.all():
            held = held.copy()
            held.eliminate_zeros()
        if not held.has_canonical_format:
            held = held.copy()
            held.sum_duplicates()
        # The numbers alone: how often a pair is held says nothing here.
        self.indices, self.indptr = held.indices, held.indptr
        self.n_items, self.n_pairs = (int(length) for length in held.shape)
        self._holders: tuple[NDArray[np.int32], NDArray[Any]] | None = None

    def degrees(self) -> NDArray[np.int32]:
        return np.diff(self.indptr).astype(np.int32)

    def of(self, item: int) -> Integers:
        return self.indices[self.indptr[item] : self.indptr[item + 1]].astype(np.int64)

    def counts(self, items: Integers) -> Integers:
        return np.bincount(self.indices[self._places(items)], minlength=self.n_pairs)

    def open_of(self, items: Integers, is_open: NDArray[np.uint8]) -> NDArray[np.int32]:
        lengths = self.indptr[items + 1] - self.indptr[items]
        ends = np.cumsum(lengths)
        sums = np.concatenate(([0], np.cumsum(is_open[self.indices[self._places(items)]])))
        return (sums[ends] - sums[ends - lengths]).astype(np.int32)

    def subtract(self, pair: int, gain: NDArray[Any]) -> None:
        if self._holders is None:
            ones = np.ones(len(self.indices), dtype=np.int8)
            by_item = sparse.csr_array(
                (ones, self.indices, self.indptr), shape=(self.n_items, self.n_pairs)
            )
            by_pair = by_item.tocsc()
            self._holders = by_pair.indices, by_pair.indptr
        holders, starts = self._holders
        gain[holders[starts[pair] : starts[pair + 1]]] -= 1

    def _places(self, items: Integers) -> Integers:
        """Where in `indices` the pairs of these items stand, one item after the other."""
        lengths = self.indptr[items + 1] - self.indptr[items]
        skipped = self.indptr[items] - (np.cumsum(lengths) - lengths)
        return np.repeat(skipped, lengths) + np.arange(int(lengths.sum()))


def _narrow(column: ArrayLike, size: int) -> NDArray[Any]:
    """In as few bytes as will do: memory, and the time to look at it, are those of the column."""
    given = np.asarray(column)
    if given.ndim != 1 or given.dtype.kind not in "iu":
        raise ValueError(
            f"a column of codes must be integers along one axis, but is {given.dtype} of the "
            f"shape {given.shape}"
        )
    if given.size and not 0 <= given.min() <= given.max() <= size:
        raise ValueError(
            f"codes run from {given.min()} to {given.max()}, but must be from 0 to {size}, "
            f"of which {size} is no value"
        )
    return np.ascontiguousarray(given, dtype=np.min_scalar_type(size))
