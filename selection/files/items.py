"""Items with their attributes, from CSV with a header or from JSON lines, and labels of them.

A column of which every value is a number is numeric; any other one is text, and so are true and
false. A blank cell, null and a member that is missing are "not known".
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.files.items import rows
from aggregation.files.readers import LabelFile
from annotation.formats.jsonl import object_of
from annotation.sentences import shown
from selection.algorithms import Attribute
from selection.algorithms.items.columns import Column, Value, numbers_of
from selection.files.errors import BadFile, Refused, RefusedAt

Floats = NDArray[np.float64]
Lines = Iterable[tuple[int, bytes]]
Chunk = tuple[int, dict[str, Sequence[Value]]]  # of rows: how many, and their values by column
ID, LABEL = "id", "label"
CHUNK = 4_096  # rows that are turned into columns in one go


@dataclass(frozen=True, slots=True, eq=False)
class ItemTable:
    """Items in the order of the file.

    Attributes
    ----------
    name : the file's
    ids : of the items, each once
    attributes : every column but the id, the label and the cost
    cost : array of shape (n_items,), or None where no column was named
    """

    name: str
    ids: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    cost: Floats | None


@dataclass(frozen=True, slots=True)
class LabelTable:
    """`labels` by id, in the order of the file; `name` is the file's."""

    name: str
    labels: dict[str, str]


def read_items(
    path: str, *, cost: str | None = None, advance: Callable[[int], None] | None = None
) -> ItemTable:
    """`cost` names the column of costs. Raises BadFile."""
    with LabelFile(path) as file:
        read = _chunks_of_csv if file.format == "csv" else _chunks_of_json
        begun = _Begun(cost)
        file.parsed(lambda lines: begun.read(read(lines, begun)), advance)
        return begun.whole(file.name)


def read_labels(path: str) -> LabelTable:
    """CSV with the columns id and label. Raises BadFile."""
    with LabelFile(path) as file:
        if file.format != "csv":
            raise BadFile("labels.format", file=file.name)
        return LabelTable(file.name, file.parsed(_labels))


@dataclass(slots=True)
class _Begun:
    """The rows so far. `lines` has the line of each id."""

    cost: str | None
    lines: dict[str, int] = field(default_factory=dict)
    columns: dict[str, Column] = field(default_factory=dict)
    costs: array[float] = field(default_factory=lambda: array("d"))

    def read(self, chunks: Iterator[Chunk]) -> None:
        before = 0
        for number, values in chunks:
            for name in values:
                if name not in self.columns:
                    self.columns[name] = column = Column()
                    column.extend([None] * before, np.full(before, np.nan))
            for name, column in self.columns.items():
                cells = values.get(name) or [None] * number
                column.extend(cells, numbers_of(cells))
            before += number
        if not before:
            raise RefusedAt(0, "items.none")

    def add(self, name: Any, line: int) -> None:
        """The id of a row, which must be there once."""
        if type(name) is int:
            name = str(name)
        if type(name) is not str or not name or name.isspace():
            raise Refused("items.no_id", ID)
        before = self.lines.setdefault(name, line)
        if before != line:
            raise Refused("items.id_double", ID, id=shown(name), line=before)

    def add_cost(self, value: Any, line: int) -> None:
        number = _number(value) if isinstance(value, str) else value
        if type(number) not in (int, float) or not 0 < number < math.inf:
            if value in (None, ""):
                raise RefusedAt(line, "items.no_cost", self.cost or "")
            raise RefusedAt(line, "items.cost", self.cost or "", found=shown(str(value)))
        self.costs.append(float(number))

    def whole(self, name: str) -> ItemTable:
        return ItemTable(
            name,
            tuple(self.lines),
            tuple(column.attribute(key) for key, column in self.columns.items()),
            None if self.cost is None else np.array(self.costs),
        )


def _chunks_of_csv(lines: Lines, begun: _Begun) -> Iterator[Chunk]:
    found = rows(lines)
    _, header = next(found)
    names = [name.strip() for name in header]
    for name in names:
        if not name or names.count(name) > 1:
            if not name:
                raise Refused("items.column_unnamed")
            raise Refused("items.column_double", name=shown(name))
    if ID not in names:
        raise Refused("items.column_id", names=names)
    if begun.cost is not None and begun.cost not in names:
        raise Refused("items.column_cost", name=begun.cost, names=names)
    kept = [(i, name) for i, name in enumerate(names) if name not in (ID, LABEL, begun.cost)]
    at_id, at_cost = names.index(ID), None if begun.cost is None else names.index(begun.cost)
    while chunk := list(islice(found, CHUNK)):
        for line, row in chunk:
            begun.add(row[at_id], line)
            if at_cost is not None:
                begun.add_cost(row[at_cost], line)
        columns = list(zip(*(row for _, row in chunk), strict=True))
        yield len(chunk), {name: columns[i] for i, name in kept}


def _chunks_of_json(lines: Lines, begun: _Begun) -> Iterator[Chunk]:
    found = (_members(line, content, begun) for line, content in lines if content.strip())
    while chunk := list(islice(found, CHUNK)):
        names = dict.fromkeys(name for fields in chunk for name in fields)
        yield len(chunk), {name: [fields.get(name) for fields in chunk] for name in names}


def _members(line: int, content: bytes, begun: _Begun) -> dict[str, Value]:
    fields = object_of(content)
    begun.add(fields.pop(ID, None), line)
    fields.pop(LABEL, None)
    if begun.cost is not None:
        begun.add_cost(fields.pop(begun.cost, None), line)
    for key, value in fields.items():
        if isinstance(value, bool):
            fields[key] = "true" if value else "false"
        elif not isinstance(value, str | int | float | None):
            raise Refused("items.no_attribute", key)
    return fields


def _labels(lines: Lines) -> dict[str, str]:
    found = rows(lines)
    _, header = next(found)
    names = [name.strip().lower() for name in header]
    for name in (ID, LABEL):
        if names.count(name) != 1:
            raise Refused("labels.columns", names=names)
    labels: dict[str, str] = {}
    where: dict[str, int] = {}
    for line, row in found:
        name, label = row[names.index(ID)], row[names.index(LABEL)].strip()
        for column, cell in ((ID, name), (LABEL, label)):
            if not cell or cell.isspace():
                raise Refused("labels.blank", column)
        if name in labels:
            raise Refused("items.id_double", ID, id=shown(name), line=where[name])
        labels[name], where[name] = label, line
    return labels


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
