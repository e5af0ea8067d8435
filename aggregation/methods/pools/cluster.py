"""Shards on the workers of a Dask cluster."""

from __future__ import annotations

import copy
import operator
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Self

from aggregation.algorithms.shards import OpenShards
from aggregation.methods.pools.disk import Make, Shard, changes

SECONDS_TO_ANSWER = 30  # that a scheduler has
WARN_OF_GRAPHS = "distributed.admin.large-graph-warning-threshold"


class DaskPool:
    """The workers of a Dask cluster (https://distributed.dask.org).

    A part is the result of a task and stays on its worker. A call that changes parts makes new
    ones, so a part whose worker is lost is made again from its shard and the calls since; the
    scheduler keeps the calls' arguments for that as long as the parts are wanted. Workers need
    Touchstone and the packages of requirements-cluster.txt. Labels in memory go through the
    scheduler; for large ones take `ShardedLabels`, whose loaders run on the workers.

    Parameters
    ----------
    cluster : the address of a scheduler, such as "tcp://10.0.0.1:8786", or a `distributed.Client`
        A client that is given is left open by `close`.
    """

    def __init__(self, cluster: Any):
        self._own: Any = None
        self._client = cluster
        if isinstance(cluster, str):
            self._client = self._own = _connected(cluster)
        try:
            self._client.wait_for_workers(1, timeout=SECONDS_TO_ANSWER)
        except TimeoutError:
            self.close()
            raise RuntimeError(f"The Dask scheduler of {cluster} has no workers.") from None
        self.size = sum(self._client.nthreads().values())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._own is not None:
            self._own.close()

    def open(self, make: Make, shards: Iterable[Shard]) -> OpenShards:
        return _DaskShards(self._client, make, shards)


class _DaskShards:
    def __init__(self, client: Any, make: Make, shards: Iterable[Shard]):
        self._client, self._make = client, make
        self._parts = [self._submit(_made, make, shard) for shard in shards]

    def each(self, verb: str, *arguments: Any) -> Iterator[Any]:
        """The workers begin at once."""
        given = self._submit(_unchanged, arguments)  # once, not for each of the parts
        if changes(self._make, verb):
            pairs = [self._submit(_step, part, verb, given) for part in self._parts]
            self._parts = [self._submit(operator.itemgetter(0), pair) for pair in pairs]
            results = [self._submit(operator.itemgetter(1), pair) for pair in pairs]
        else:
            results = [self._submit(_called, part, verb, given) for part in self._parts]
        return (future.result() for future in results)

    def _submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        import dask

        with dask.config.set({WARN_OF_GRAPHS: sys.maxsize}):
            return self._client.submit(function, *arguments, pure=False)


def _connected(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise RuntimeError(
            f"DASK_SCHEDULER_ADDRESS is {address}, but Dask is not installed. Install it: "
            ".venv/bin/python -m pip install --no-deps --require-hashes -r requirements-cluster.txt"
        ) from None
    try:
        return Client(address, timeout=SECONDS_TO_ANSWER, set_as_default=False)
    except (OSError, ValueError) as error:
        raise RuntimeError(f"No Dask scheduler answers at {address}: {error}") from error


def _made(make: Make, shard: Shard) -> Any:
    return make(*shard)


def _unchanged(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    return arguments


def _called(part: Any, verb: str, arguments: tuple[Any, ...]) -> Any:
    return getattr(part, verb)(*arguments)


def _step(part: Any, verb: str, arguments: tuple[Any, ...]) -> tuple[Any, Any]:
    """On a copy: Dask may need the part as it was once more."""
    new = copy.deepcopy(part)
    return new, getattr(new, verb)(*arguments)
