"""What a file of labels holds, as arrays, and what is told of a bad one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import CrowdLabels, CrowdSequences
from aggregation.sentences import CATALOGUE
from annotation.formats import records
from annotation.sentences import CodedError

# Begins a stage of so many steps (None: not known) and ends it; tells how far it is meanwhile.
Stage = Callable[[str, int | None], AbstractContextManager[Callable[[int], None]]]
NOT_LABELLED = "?"
Repeated = Literal["last", "first", "each", "refuse"]
REPEATED: tuple[Repeated, ...] = ("last", "first", "each", "refuse")
UNTYPED = "span"  # the one type of a file whose tags are B, I and O


class BadArgument(CodedError, ValueError):
    """What was asked for can't be done, with these files or at all."""

    catalogue = CATALOGUE


class BadFile(CodedError, ValueError):
    """What is wrong in which file, line and field, and what to do."""

    catalogue = CATALOGUE


class Refused(records.Refused):
    """Of the line that was read last."""

    catalogue = CATALOGUE


class RefusedAt(Refused):
    """Of another line than the one that was read last; 0 is the file as a whole."""

    def __init__(self, line: int, code: str, path: str = "", /, **params: Any):
        self.line = line
        super().__init__(code, path, **params)


@dataclass(frozen=True, slots=True, eq=False)
class CrowdFile:
    """The labels of a file, and whom and what they are about.

    A unit is a token, or an item of a CSV file; both in the order of the file.

    Attributes
    ----------
    names : ids of the documents, or the items
    starts : array of shape (n_names + 1,)
        A document has the units starts[i] to starts[i + 1] - 1, an item is one unit.
    workers : names, in order of appearance
    labels : CrowdLabels
    sequences : CrowdSequences, or None for a CSV file
    classes : names of the classes of `labels`
        Tags of a file without types have the type `UNTYPED` here; see `written`.
    known_classes : `classes`, then those that gold alone knows
    gold : array of shape (n_units,)
        Numbers of `known_classes`; -1 where the truth is not known, or was not asked for.
    repeated : int
        Judgments that came after another one of the same worker and item.
    """

    names: tuple[str, ...]
    starts: NDArray[np.int64]
    workers: tuple[str, ...]
    labels: CrowdLabels
    sequences: CrowdSequences | None
    classes: tuple[str, ...]
    known_classes: tuple[str, ...]
    gold: NDArray[np.int64]
    untyped: bool = False
    repeated: int = 0

    @property
    def group(self) -> NDArray[np.int64]:
        """The document of each token, or the item; shape (n_units,), from 0."""
        return np.repeat(np.arange(len(self.names)), np.diff(self.starts))

    def written(self) -> tuple[str, ...]:
        """`classes` as the file writes them: without a type where it gives none."""
        return without_types(self.classes) if self.untyped else self.classes


def without_types(classes: Iterable[str]) -> tuple[str, ...]:
    """The tags of a file that gives none a type, as it writes them."""
    return tuple(name.removesuffix(f"-{UNTYPED}") for name in classes)


class Numbered(dict[str, int]):
    """The number of each name, given out in the order of appearance by looking it up."""

    def __missing__(self, name: str) -> int:
        number = self[name] = len(self)
        return number


def renumbered(old: Iterable[str], new: Iterable[str]) -> NDArray[np.int32]:
    """The number in `new` of each name in `old`; -1 for one that is not there."""
    place = {name: i for i, name in enumerate(new)}
    return np.array([place.get(name, -1) for name in old], dtype=np.int32)
