"""Where the parts of a large data set live, and how a method reaches them.

A method that can work on shards is written once, as a *part* (a class whose instances hold one
shard and what the method remembers of it between iterations) and sums over parts:

    parts = pool.open(Part, shards)                # each shard becomes Part(*shard)
    statistics = total(parts.each("first"))
    while ...:
        parameters = update(statistics)
        statistics = total(parts.each("step", parameters))
    posterior = np.concatenate(list(parts.each("posterior")))

The whole is the case of one part in this process, which is what `Here` gives. Pools of processes,
of a cluster and of a disk are in `aggregation.pools`.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.data import CrowdLabels, checked_gold

Sum = TypeVar("Sum")


class Parts(Protocol):
    """Parts that were opened."""

    def each(self, verb: str, *arguments: Any) -> Iterator[Any]:
        """Call the method `verb` of each part; the results come in the order of the parts."""


class Pool(Protocol):
    """A place for parts: this process, several processes, a cluster, a disk.

    `size` is how many shards it likes to have. A part's class may name in `unchanged_by` (a set
    of strings) the methods that leave a part as it was: a pool that has parts in files then need
    not write them again.
    """

    size: int

    def open(self, make: Callable[..., Any], shards: Sequence[tuple[Any, ...]]) -> Parts:
        """`make(*shard)` for each shard, there where it will stay."""


class Here:
    """All parts in this process."""

    size = 1

    def open(self, make: Callable[..., Any], shards: Sequence[tuple[Any, ...]]) -> Parts:
        return PartsHere([make(*shard) for shard in shards])


class PartsHere:
    def __init__(self, parts: list[Any]):
        self._parts = parts

    def each(self, verb: str, *arguments: Any) -> Iterator[Any]:
        for part in self._parts:
            yield getattr(part, verb)(*arguments)


# Gives a shard, wherever it is called: its labels, and its gold or None.
Loader = Callable[[], tuple[CrowdLabels, ArrayLike | None]]


class ShardedLabels:
    """Labels of more units than memory holds, as shards that are loaded one at a time.

    Parameters
    ----------
    loaders : callables without arguments, at least one
        Each gives (CrowdLabels, gold or None) of some units, numbered from 0 in each shard; all
        with the same workers and classes. They must give the same whenever they are called, and
        be picklable for a pool of other processes: functions of a module or `functools.partial`
        of them.
    n_workers, n_classes : int
    """

    def __init__(self, loaders: Iterable[Loader], *, n_workers: int, n_classes: int):
        self.loaders = tuple(loaders)
        self.n_workers, self.n_classes = n_workers, n_classes
        if not self.loaders:
            raise ValueError("there must be at least 1 loader, but there is none")

    def __repr__(self) -> str:
        return (
            f"ShardedLabels({len(self.loaders)} shards, {self.n_workers} workers, "
            f"{self.n_classes} classes)"
        )


@dataclass(frozen=True, slots=True)
class Loaded:
    """A loader of what is in memory."""

    labels: CrowdLabels
    gold: NDArray[np.int64] | None

    def __call__(self) -> tuple[CrowdLabels, NDArray[np.int64] | None]:
        return self.labels, self.gold


def loaders_of(
    data: CrowdLabels | ShardedLabels, gold: ArrayLike | None, size: int
) -> Sequence[Loader]:
    """A loader for each shard; labels in memory are cut into at most `size` of them.

    Raises ValueError for wrong gold, and for gold beside shards, whose loaders give it.
    """
    if isinstance(data, ShardedLabels):
        if gold is not None:
            raise ValueError("gold of sharded labels comes from their loaders, not from `gold`")
        return data.loaders
    known = None if gold is None else checked_gold(gold, data)
    shards = data.split(size)
    ends = np.cumsum([shard.n_units for shard in shards])[:-1]
    golds = [None] * len(shards) if known is None else np.split(known, ends)
    return [Loaded(shard, its) for shard, its in zip(shards, golds, strict=True)]


def total(results: Iterable[Sum]) -> Sum:
    """The sum of what parts gave, in their order; there must be at least one."""
    return functools.reduce(operator.add, results)
