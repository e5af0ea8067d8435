"""Labels of items: CSV with the columns worker, item, label, and gold where it is known.

The first line names the columns, in any order; others are not looked at.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import CrowdLabels
from aggregation.files.data import (
    CrowdFile,
    Numbered,
    Refused,
    RefusedAt,
    Repeated,
    renumbered,
)
from annotation.formats.jsonl import decoded
from annotation.formats.tables import BrokenTable, csv_rows
from annotation.sentences import shown

COLUMNS = ("worker", "item", "label")
GOLD = "gold"


def read(
    lines: Iterable[tuple[int, bytes]],
    *,
    gold: bool,
    clamp: bool,
    classes: Sequence[str] | None,
    repeated: Repeated = "refuse",
) -> CrowdFile:
    """`repeated` says what of several judgments of one item by one worker counts: the last, the
    first, each with its share, or none of them: the file is refused. Raises Refused at the first
    thing that is wrong."""
    begun = _Begun(
        label=_Classes("label", classes), gold_label=_Classes(GOLD, classes), classes=classes
    )
    found = rows(lines)
    _, header = next(found)
    place = _places(header, gold, clamp)
    take = itemgetter(*(place[name] for name in COLUMNS))
    at_gold = place.get(GOLD)
    for line, row in found:
        begun.add(line, *take(row))
        if at_gold is not None and row[at_gold]:
            begun.add_gold(line, row[at_gold])
    if not begun.labels:
        raise RefusedAt(0, "files.only_columns")
    return begun.whole(clamp, repeated)


def rows(lines: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, list[str]]]:
    """The line and the cells of each row that is not empty; that of the columns' names first."""
    width = 0  # how many columns there are
    try:
        for line, row in csv_rows(_text(lines), skip_blanks=True):
            width = width or len(row)
            if len(row) != width:
                raise Refused("row.cells", cells=len(row), number=width)
            yield line, row
    except BrokenTable as error:
        raise RefusedAt(error.line, "csv.broken", why=error.reason) from error
    if not width:
        raise RefusedAt(0, "files.empty")


def _text(lines: Iterable[tuple[int, bytes]]) -> Iterator[str]:
    for _, line in lines:
        yield decoded(line) + "\n"


def column_names(header: list[str]) -> list[str]:
    """In small letters. What crowd-kit calls a task is an item."""
    names = [name.strip().lower() for name in header]
    return names if "item" in names else ["item" if name == "task" else name for name in names]


def _places(header: list[str], gold: bool, clamp: bool) -> dict[str, int]:
    """Which cell of a row holds each column that is read."""
    names = column_names(header)
    wanted = [*COLUMNS, *([GOLD] if clamp or (gold and GOLD in names) else [])]
    for name in wanted:
        if name in names and names.count(name) == 1:
            continue
        if name in names:
            raise Refused("column.double", name=name, names=names)
        if name == GOLD:
            raise Refused("column.no_gold", name=name, names=names)
        raise Refused("column.missing", name=name, names=names)
    return {name: names.index(name) for name in wanted}


class _Names(Numbered):
    def __init__(self, column: str):
        self.column = column

    def __missing__(self, name: str) -> int:
        if not name or name.isspace():
            raise Refused("cell.blank", self.column)
        return super().__missing__(name)


class _Classes(_Names):
    """Names of classes; only the given ones, where there are any."""

    def __init__(self, column: str, classes: Sequence[str] | None):
        super().__init__(column)
        self.classes = classes

    def __missing__(self, name: str) -> int:
        if name and self.classes is not None and name not in self.classes:
            names = list(self.classes)
            raise Refused("class.unknown", self.column, name=shown(name), names=names)
        return super().__missing__(name)


@dataclass(slots=True)
class _Begun:
    """The rows so far, as flat arrays."""

    label: _Classes
    gold_label: _Classes
    classes: Sequence[str] | None
    worker: _Names = field(default_factory=lambda: _Names("worker"))
    item: _Names = field(default_factory=lambda: _Names("item"))
    workers: array[int] = field(default_factory=lambda: array("i"))
    items: array[int] = field(default_factory=lambda: array("i"))
    labels: array[int] = field(default_factory=lambda: array("i"))
    lines: array[int] = field(default_factory=lambda: array("i"))
    # Of each item whose truth is known: its class, and the first line that says so.
    known: dict[int, tuple[int, int]] = field(default_factory=dict)

    def add(self, line: int, worker: str, item: str, label: str) -> None:
        self.workers.append(self.worker[worker])
        self.items.append(self.item[item])
        self.labels.append(self.label[label])
        self.lines.append(line)

    def add_gold(self, line: int, gold: str) -> None:
        """Of the item that was added last."""
        item, number = self.items[-1], self.gold_label[gold]
        before, there = self.known.setdefault(item, (number, line))
        if before != number:
            raise Refused(
                "gold.differs",
                GOLD,
                item=shown(_name(self.item, item)),
                gold=shown(gold),
                there=shown(_name(self.gold_label, before)),
                line=there,
            )

    def _counted(self, repeated: Repeated) -> _Counted:
        """Which labels count, and how much. Raises Refused for repeated ones, if so asked."""
        n_workers = len(self.worker)
        key = np.asarray(self.items, dtype=np.int64) * n_workers
        key += np.asarray(self.workers, dtype=np.int32)
        order = np.argsort(key, kind="stable")
        is_again = key[order[1:]] == key[order[:-1]]
        again = np.flatnonzero(is_again)
        if not again.size:
            return _Counted(slice(None), None, 0)
        if repeated == "refuse":
            self._refuse(order, again, n_workers)
        if repeated == "each":
            _, pair, number = np.unique(key, return_inverse=True, return_counts=True)
            return _Counted(slice(None), 1.0 / number[pair], again.size)
        # A stable order has a pair's judgments as the file has them.
        edge = np.append(~is_again, True) if repeated == "last" else np.insert(~is_again, 0, True)
        return _Counted(np.sort(order[edge]), None, again.size)

    def _refuse(self, order: NDArray[np.intp], again: NDArray[np.intp], n_workers: int) -> NoReturn:
        at = again[order[again + 1].argmin()]  # the first in the file
        first, second = int(order[at]), int(order[at + 1])
        item, worker = self.items[second], self.workers[second]
        raise RefusedAt(
            self.lines[second],
            "label.double",
            worker=shown(_name(self.worker, worker)),
            item=shown(_name(self.item, item)),
            line=self.lines[first],
            there=shown(_name(self.label, self.labels[first])),
            here=shown(_name(self.label, self.labels[second])),
        )

    def whole(self, clamp: bool, repeated: Repeated) -> CrowdFile:
        counted = self._counted(repeated)
        if clamp and not self.known:
            raise RefusedAt(0, "gold.blank")
        if self.classes is not None:
            classes = tuple(dict.fromkeys(self.classes))
        else:
            classes = _ordered({*self.label, *(self.gold_label if clamp else ())})
        known_classes = (*classes, *_ordered({*self.gold_label} - {*classes}))
        n_items = len(self.item)
        labels = CrowdLabels(
            np.asarray(self.items, dtype=np.int32)[counted.which],
            np.asarray(self.workers, dtype=np.int32)[counted.which],
            renumbered(self.label, classes)[np.asarray(self.labels, dtype=np.int32)][counted.which],
            n_items,
            len(self.worker),
            len(classes),
            counted.weight,
        )
        gold = np.full(n_items, -1)
        if self.known:
            number = renumbered(self.gold_label, known_classes)
            gold[list(self.known)] = number[[i for i, _ in self.known.values()]]
        return CrowdFile(
            names=tuple(self.item),
            starts=np.arange(n_items + 1),
            workers=tuple(self.worker),
            labels=labels,
            sequences=None,
            classes=classes,
            known_classes=known_classes,
            gold=gold,
            repeated=counted.repeated,
        )


@dataclass(frozen=True, slots=True)
class _Counted:
    """`which` labels count, each with its `weight` (None: as one); `repeated` came after another
    of the same worker and item."""

    which: NDArray[np.intp] | slice
    weight: NDArray[np.float64] | None
    repeated: int


def _name(numbers: Numbered, number: int) -> str:
    return next(name for name, i in numbers.items() if i == number)


def _ordered(names: Iterable[str]) -> tuple[str, ...]:
    """By name; whole numbers by their size where all are such."""
    names = sorted(names)
    return tuple(sorted(names, key=int) if all(map(_is_number, names)) else names)


def _is_number(name: str) -> bool:
    return name.isascii() and name.removeprefix("-").isdigit() and len(name) < 19
