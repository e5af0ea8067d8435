"""Where the shards of a large data set live, and how a method reaches them.

A method that can work on shards is written once, as a class whose instances hold one shard and what
the method keeps of it between iterations, and as sums over shards:

    shards = pool.open(Shard, arguments)              # each becomes Shard(*its arguments)
    statistics = total(shards.each("initial_counts"))
    while ...:
        parameters = update(statistics)
        statistics = total(shards.each("e_step", parameters))
    posterior = joined(shards.each("posterior"), n_units)

The whole is the case of one shard in this process, which is what `LocalPool` gives. Pools of
processes, of a cluster and of a disk are in `aggregation.methods.pools`.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.data import CrowdLabels, checked_gold

Sum = TypeVar("Sum")


class OpenShards(Protocol):
    """Shards that were opened in a pool."""

    def each(self, verb: str, *arguments: Any) -> Iterator[Any]:
        """Call the method `verb` of each shard; the results come in the order of the shards."""


class Pool(Protocol):
    """A place for shards: this process, several processes, a cluster, a disk.

    `size` is how many shards it likes to have. A shard's class may name in `unchanged_by` (a set
    of strings) the methods that leave a shard as it was: a pool that has shards in files then need
    not write them again.
    """

    size: int

    def open(self, make: Callable[..., Any], shards: Iterable[tuple[Any, ...]]) -> OpenShards:
        """`make(*shard)` for each shard, there where it will stay."""


class LocalPool:
    """All shards in this process."""

    size = 1

    def open(self, make: Callable[..., Any], shards: Iterable[tuple[Any, ...]]) -> OpenShards:
        return LocalShards([make(*shard) for shard in shards])


class LocalShards:
    def __init__(self, shards: list[Any]):
        self._shards = shards

    def each(self, verb: str, *arguments: Any) -> Iterator[Any]:
        for shard in self._shards:
            yield getattr(shard, verb)(*arguments)


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
class InMemoryShard:
    """A loader of what is in memory."""

    labels: CrowdLabels
    gold: NDArray[np.int64] | None

    def __call__(self) -> tuple[CrowdLabels, NDArray[np.int64] | None]:
        return self.labels, self.gold


def loaders_of(
    data: CrowdLabels | ShardedLabels, gold: ArrayLike | None, size: int
) -> Iterable[Loader]:
    """A loader for each shard, to be taken once; labels in memory are cut into at most `size` of
    them, each when it is asked for.

    Raises ValueError for wrong gold, and for gold beside shards, whose loaders give it.
    """
    if isinstance(data, ShardedLabels):
        if gold is not None:
            raise ValueError("gold of sharded labels comes from their loaders, not from `gold`")
        return data.loaders
    known = None if gold is None else checked_gold(gold, data)
    return _in_memory(data, known, size)


def _in_memory(
    labels: CrowdLabels, known: NDArray[np.int64] | None, size: int
) -> Iterator[InMemoryShard]:
    begin = 0
    for shard in labels.shards(size):
        end = begin + shard.n_units
        yield InMemoryShard(shard, None if known is None else known[begin:end])
        begin = end


def total(results: Iterable[Sum]) -> Sum:
    """The sum of what shards gave, in their order; there must be at least one."""
    return functools.reduce(operator.add, results)


def joined(results: Iterable[NDArray[Any]], n: int) -> NDArray[Any]:
    """The `n` rows that shards gave, in their order: each shard's are let go once they are copied,
    so that no more than all of them and one shard's are in memory."""
    whole: NDArray[Any] | None = None
    done = 0
    for rows in results:
        if len(rows) == n:
            return rows
        if whole is None:
            whole = np.empty((n, *rows.shape[1:]), dtype=rows.dtype)
        whole[done : done + len(rows)] = rows
        done += len(rows)
    if whole is None or done != n:
        raise ValueError(f"the shards gave {done} rows, but there are {n}")
    return whole
