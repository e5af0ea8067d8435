"""Shards in files, one of them in memory at a time."""

from __future__ import annotations

import pickle
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from aggregation.algorithms.shards import OpenShards

Make = Callable[..., Any]
Shard = tuple[Any, ...]

DISK_SHARDS = 8


class DiskPool:
    """Parts are in files between calls, so that one of them is in memory at a time.

    The files are in a new folder in `folder` (None: in the system's for temporary files), which
    goes when nobody asks for the parts any more. `size` is the number of shards that labels in
    memory are cut into; `ShardedLabels` come as they are.
    """

    def __init__(self, folder: str | Path | None = None, *, size: int = DISK_SHARDS):
        if size < 1:
            raise ValueError(f"There must be at least 1 shard, but there are {size}.")
        self.folder, self.size = folder, size

    def open(self, make: Make, shards: Iterable[Shard]) -> OpenShards:
        return _DiskShards(make, shards, self.folder)


class _DiskShards:
    def __init__(self, make: Make, shards: Iterable[Shard], folder: str | Path | None):
        place = Path(tempfile.mkdtemp(prefix="touchstone-parts-", dir=folder))
        weakref.finalize(self, shutil.rmtree, place, ignore_errors=True)
        self._paths: list[Path] = []
        for i, shard in enumerate(shards):
            path = place / f"{i}.pickle"
            _save(path, make(*shard))
            self._paths.append(path)

    def each(self, verb: str, *arguments: Any) -> Iterator[Any]:
        for path in self._paths:
            # In a function of its own, so that a part has gone before the next one comes.
            yield _call_saved(path, verb, arguments)


def _save(path: Path, part: Any) -> None:
    new = path.with_suffix(".new")  # a full disk leaves the old one
    with new.open("wb") as file:
        pickle.dump(part, file, protocol=pickle.HIGHEST_PROTOCOL)
    new.replace(path)


def _call_saved(path: Path, verb: str, arguments: tuple[Any, ...]) -> Any:
    with path.open("rb") as file:
        part = pickle.load(file)
    result = getattr(part, verb)(*arguments)
    if changes(type(part), verb):
        _save(path, part)
    return result


def changes(make: Make, verb: str) -> bool:
    """Whether a call of `verb` can leave a part other than it was."""
    while isinstance(make, partial):
        make = make.func
    return verb not in getattr(make, "unchanged_by", ())
