"""CSV: a document a row. Which column is the text is guessed from the header, or chosen."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice

from annotation.formats.documents import read_document
from annotation.formats.jsonl import decoded
from annotation.formats.records import DocumentRecord, FormatError, Refused, Rejected, Rules
from annotation.formats.tables import BrokenTable, csv_rows

LARGEST = 64 * 1024 * 1024  # bytes
TEXTS = ("text", "texts", "content", "body", "sentence", "document", "review", "message")
IDS = ("id", "external_id", "doc_id", "document_id", "item", "key", "name")
TITLES = ("title", "headline", "heading", "subject")
LOOKED_AT = 50  # rows by which a text is told from other columns
DELIMITERS = ",;\t"


def header_of(beginning: bytes) -> tuple[list[str], str]:
    """The names of the columns and what stands between them; ([], "") where it is no table."""
    try:
        first = decoded(beginning.splitlines()[0] if beginning else b"")
    except Refused:
        return [], ""
    counts = {one: first.count(one) for one in DELIMITERS}
    delimiter = max(counts, key=lambda one: counts[one])
    if not counts[delimiter]:
        return [], ""
    with suppress(BrokenTable):
        return [
            name.strip() for _, row in csv_rows([first], delimiter=delimiter) for name in row
        ], delimiter
    return [], ""


def is_table(beginning: bytes) -> bool:
    """Whether the first line is a header that names a text, or an id."""
    names, _ = header_of(beginning)
    return len(names) > 1 and any(name.lower() in (*TEXTS, *IDS, *TITLES) for name in names)


def guessed_uses(beginning: bytes) -> dict[str, str]:
    """Use → name of its column: what the names say, else the column with the longest cells."""
    names, delimiter = header_of(beginning)
    lower = {name.lower(): name for name in reversed(names)}
    found = {
        use: next((lower[name] for name in known if name in lower), "")
        for use, known in (("text", TEXTS), ("id", IDS), ("title", TITLES))
    }
    if not found["text"] and names:
        text = beginning.decode(errors="replace")
        rows = csv_rows(io.StringIO(text, newline=""), delimiter=delimiter)
        sizes = dict.fromkeys((name for name in names if name not in found.values()), 0)
        with suppress(BrokenTable):
            for _, row in islice(rows, 1, LOOKED_AT + 1):
                for name, cell in zip(names, row, strict=False):
                    if name in sizes:
                        sizes[name] += len(cell)
        found["text"] = max(sizes or dict.fromkeys(names, 0), key=lambda name: sizes.get(name, 0))
    return found


def read(content: bytes, name: str, rules: Rules) -> Iterator[DocumentRecord | Rejected]:
    """Raises FormatError where the table is broken, or has no such column."""
    if len(content) > LARGEST:
        raise FormatError("file.large_table", file=name, most=LARGEST // 2**20)
    try:
        text = decoded(content)
    except Refused as error:
        raise FormatError("file.line", file=name, line=1, why=error.problem) from error
    names, delimiter = header_of(content)
    rows = _rows(text, delimiter or ",", name)
    next(rows, None)
    columns = dict(rules.columns) or guessed_uses(content)
    for use, column in columns.items():
        if column and column not in names:
            raise FormatError("file.no_column", file=name, column=column, use=use, columns=names)
    for count, (line, cells) in enumerate(rows, start=1):
        yield _document(names, cells, columns, line, f"{rules.stem}-{count}", rules)


def _rows(text: str, delimiter: str, name: str) -> Iterator[tuple[int, list[str]]]:
    try:
        yield from csv_rows(io.StringIO(text, newline=""), delimiter=delimiter)
    except BrokenTable as error:
        raise FormatError(
            "file.broken_table", file=name, line=error.line, why=error.reason
        ) from error


def _document(
    names: Sequence[str], cells: Sequence[str], columns: Mapping[str, str], line: int, name: str,
    rules: Rules,
) -> DocumentRecord | Rejected:  # fmt: skip
    if len(cells) != len(names):
        counts = {"cells": len(cells), "number": len(names)}
        return Rejected(line, Refused("table.cells", **counts).problem)
    row = dict(zip(names, cells, strict=True))
    text = row[columns["text"]].strip()
    used = set(columns.values())
    fields = {
        "id": (row[columns["id"]].strip() if columns.get("id") else "") or name,
        "text": text or None,
        "title": row[columns["title"]] if columns.get("title") else None,
        "attributes": {
            column: value for column, value in row.items() if column not in used and value
        },
    }
    return read_document(fields, line, rules)
