"""Read what is to be scored, and the truth: two files of tags or of labels.

Of documents, JSON lines: {"id", "tags", "confidence"} as `aggregate_file` writes them, and gold as
{"id", "gold"} with `sent_starts` where a document is more than a sentence ("tags" in the place of
"gold" will do). Of items, CSV: item, label, confidence; and item with gold or label.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.files import items, tagged
from aggregation.files.data import Refused, RefusedAt
from aggregation.files.readers import LabelFile
from annotation.formats.jsonl import object_of
from annotation.sentences import shown

Lines = Iterable[tuple[int, bytes]]
NUMBER_OR_NULL = {int, float, type(None)}


@dataclass(frozen=True, slots=True)
class Tagged:
    """`tags`, shape (n_tokens,): numbers of the file's names, -1 for ?. `confidence` likewise.
    `span_confidence` is of the spans, in their order, `expected_spans` how many there should be."""

    line: int
    tags: NDArray[np.int32]
    starts: list[int]
    confidence: NDArray[np.float64] | None = None
    span_confidence: NDArray[np.float64] | None = None
    expected_spans: float | None = None


@dataclass(frozen=True, slots=True)
class TagFile:
    """`documents` by id; None where gold is null. `names` are tags with their types."""

    name: str
    names: list[str]
    untyped: bool
    documents: dict[str, Tagged | None]


@dataclass(frozen=True, slots=True)
class Labelled:
    """`label` is None where gold is not known."""

    line: int
    label: str | None
    confidence: float = math.nan


@dataclass(frozen=True, slots=True)
class ItemFile:
    name: str
    items: dict[str, Labelled]


def read_answers(
    path: str, *, gold: bool, advance: Callable[[int], None] | None = None
) -> TagFile | ItemFile:
    """A file of what was inferred or, with `gold`, of the truth. Raises BadFile."""
    with LabelFile(path) as file:
        if file.format == "jsonl":
            documents = _Documents(gold)
            file.parsed(documents.read, advance)
            return TagFile(
                file.name, documents.tags.names, documents.tags.untyped, documents.by_name
            )
        read = _gold_of_items if gold else _labels_of_items
        return ItemFile(file.name, file.parsed(read, advance))


# --- Documents ---------------------------------------------------------------------------------


@dataclass(slots=True)
class _Documents:
    gold: bool
    tags: tagged.TagNumbers = field(default_factory=lambda: tagged.TagNumbers(None))
    by_name: dict[str, Tagged | None] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    def read(self, lines: Lines) -> None:
        for line, content in lines:
            if content and not content.isspace():
                self.tags.line = line
                fields = object_of(content)
                name = self._name(fields, line)
                self.by_name[name] = self._document(fields, line)
        if not self.by_name:
            raise RefusedAt(0, "files.no_documents")

    def _name(self, fields: dict[str, Any], line: int) -> str:
        name = fields.get("id")
        if type(name) is not str or not name:
            raise Refused("answers.id", "id")
        before = self.lines.setdefault(name, line)
        if before != line:
            raise Refused("answers.line_double", "id", name=shown(name), line=before)
        return name

    def _document(self, fields: dict[str, Any], line: int) -> Tagged | None:
        path = "gold" if self.gold and "gold" in fields else "tags"
        if path not in fields:
            wanted = "id and gold" if self.gold else "id and tags"
            raise Refused("tagged.field_missing", "gold" if self.gold else path, wanted=wanted)
        said = fields[path]
        if self.gold and said is None:
            return None
        if type(said) is not list:
            raise Refused("answers.no_tags", path)
        numbers = array("i")
        tagged.extend(numbers, self.tags, said, path)
        return Tagged(
            line=line,
            tags=np.asarray(numbers, dtype=np.int32),
            starts=tagged.sentence_starts(fields.get("sent_starts"), len(said)),
            **({} if self.gold else _confidences(fields, len(said))),
        )


def _confidences(fields: dict[str, Any], n_tokens: int) -> dict[str, Any]:
    sure = _shares("confidence", fields.get("confidence"))
    if sure is not None and len(sure) != n_tokens:
        raise Refused("confidence.length", "confidence", number=len(sure), tags=n_tokens)
    expected = fields.get("expected_spans")
    if expected is not None and not (type(expected) in (int, float) and 0 <= expected < math.inf):
        raise Refused("confidence.expected", "expected_spans", found=tagged.json_type(expected))
    return {
        "confidence": sure,
        "span_confidence": _shares("span_confidence", fields.get("span_confidence")),
        "expected_spans": expected,
    }


def _shares(path: str, values: Any) -> NDArray[np.float64] | None:
    """NaN where it is null; None where there are none."""
    if values is None:
        return None
    if type(values) is not list or not {*map(type, values)} <= NUMBER_OR_NULL:
        raise Refused("confidence.no_list", path)
    sure = np.array(values, dtype=np.float64)
    beyond = np.flatnonzero((sure < 0) | (sure > 1))
    if beyond.size:
        i = int(beyond[0])
        raise Refused("confidence.share", path, position=i + 1, value=sure[i])
    return sure


# --- Items -------------------------------------------------------------------------------------


def _labels_of_items(lines: Lines) -> dict[str, Labelled]:
    found: dict[str, Labelled] = {}
    rows = items.rows(lines)
    _, header = next(rows)
    place = _places(header, "item", "label")
    sure = place.get("confidence")
    for line, row in rows:
        name, label = (_filled(row[place[column]], column) for column in ("item", "label"))
        if name in found:
            raise RefusedAt(
                line, "answers.line_double", "item", name=shown(name), line=found[name].line
            )
        found[name] = Labelled(line, label, math.nan if sure is None else _share(row[sure], line))
    return _some(found)


def _gold_of_items(lines: Lines) -> dict[str, Labelled]:
    """An item may have several lines, as in a file of workers' labels, if gold is the same."""
    found: dict[str, Labelled] = {}
    rows = items.rows(lines)
    _, header = next(rows)
    place = _places(header, "item")
    column = "gold" if "gold" in place else "label"
    if column not in place or (column == "label" and "worker" in place):
        raise Refused("gold.column_missing", names=list(place))
    for line, row in rows:
        name = _filled(row[place["item"]], "item")
        label = row[place[column]].strip() or None
        before = found.get(name)
        if before is None or before.label is None:
            found[name] = Labelled(line, label)
        elif label not in (None, before.label):
            raise RefusedAt(
                line,
                "gold.differs",
                column,
                item=shown(name),
                gold=shown(label or ""),
                there=shown(before.label or ""),
                line=before.line,
            )
    return _some(found)


def _places(header: list[str], *needed: str) -> dict[str, int]:
    names = items.column_names(header)
    for name in needed:
        if names.count(name) != 1:
            if name in names:
                raise Refused("column.named_twice", name=name, names=names)
            raise Refused("column.not_named", name=name, names=names)
    return {name: i for i, name in enumerate(names)}


def _filled(cell: str, column: str) -> str:
    text = cell.strip()
    if not text:
        raise Refused("cell.blank", column)
    return text


def _share(cell: str, line: int) -> float:
    if not cell.strip():
        return math.nan
    try:
        share = float(cell)
    except ValueError:
        share = math.inf
    if not 0 <= share <= 1:
        if math.isnan(share):  # as a writer that knows no blank may put it
            return share
        raise RefusedAt(line, "confidence.cell", "confidence", cell=shown(cell))
    return share


def _some(found: dict[str, Labelled]) -> dict[str, Labelled]:
    if not found:
        raise RefusedAt(0, "files.no_labels")
    return found
