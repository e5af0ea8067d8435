"""What an import would do, without doing it: the whole file is read, and no row is written."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from django.db import DatabaseError

from annotation.actions.documents.doubles import THIS_FILE, Known, known_documents, parted
from annotation.actions.documents.importing import (
    MOST_FIELD_NAMES,
    ImportFailed,
    TakesTooLong,
    rules_of,
)
from annotation.actions.documents.rejections import RejectionReport
from annotation.formats.parsing import BATCH_BYTES, BATCH_LINES
from annotation.formats.reading import Reader
from annotation.formats.records import DocumentRecord, FormatError, Rejected, TimeOver
from annotation.interfaces import Material
from annotation.interfaces.answers import EntityAnswer
from annotation.interfaces.tags import spans_of
from annotation.models import Project
from annotation.sentences import problem_of, shown

ROWS = 10  # documents that are shown as they will be read
TOKENS = 60  # of each
LONGEST_START = 600  # characters, where tokens are long


@dataclass(slots=True)
class PreviewRow:
    """The start of a document: `pieces` are texts, each with the type that it has in the file."""

    line: int
    external_id: str
    title: str
    tokens: int
    sentences: int
    source: str  # of the types: "gold", "prediction", or empty
    pieces: list[tuple[str, str]]
    goes_on: bool


@dataclass(slots=True)
class Preview:
    format: str
    new: int = 0
    unchanged: int = 0
    rejected: int = 0
    tokens: int = 0  # of the new documents
    split_tokens: int = 0
    unused: dict[str, int] = field(default_factory=dict)  # field → documents that have it
    rows: list[PreviewRow] = field(default_factory=list)
    dialect: str = ""  # whose JSON it is
    columns: list[str] = field(default_factory=list)  # of a table
    uses: dict[str, str] = field(default_factory=dict)  # use → column


def preview_documents(
    project: Project,
    path: Path,
    *,
    name: str,
    format: str,
    report: Path,
    seconds: float | None,
    uses: Mapping[str, str] | None = None,
) -> Preview:
    """Raises ImportFailed for a file that can't be read, TakesTooLong after `seconds`.

    Rejected lines go to `report`, as an import would list them.
    """
    try:
        with Reader(path, rules_of(project), format, name, seconds, uses) as reader:
            rejections = RejectionReport(report)
            with closing(rejections), closing(_EarlierIds()) as earlier:
                found = Preview(reader.format, dialect=reader.rules.dialect)
                found.columns = reader.column_names()
                found.uses = dict(uses or {}) or reader.guessed_uses()
                previewer = _Previewer(project, found, rejections, earlier)
                previewer.read(reader)
    except TimeOver as error:
        raise TakesTooLong(error) from error
    except (FormatError, OSError, DatabaseError, sqlite3.Error) as error:
        raise ImportFailed("told.reason", why=problem_of(error)) from error
    return previewer.preview


class _Previewer:
    def __init__(
        self, project: Project, preview: Preview, rejections: RejectionReport, earlier: _EarlierIds
    ):
        self.project, self.preview = project, preview
        self._rejections, self._earlier = rejections, earlier
        self._batch: list[DocumentRecord] = []
        self._characters = 0

    def read(self, reader: Reader) -> None:
        for item in reader:
            if isinstance(item, Rejected):
                self._reject(item)
            else:
                self._add(item)
            reader.check_time()
        self._sort()

    def _add(self, record: DocumentRecord) -> None:
        for name in record.unused:
            unused = self.preview.unused
            known = name in unused or len(unused) < MOST_FIELD_NAMES
            told = shown(name) if known else "others"
            unused[told] = unused.get(told, 0) + 1
        if len(self.preview.rows) < ROWS:
            self.preview.rows.append(_row(record, self.project))
        self._batch.append(record)
        self._characters += len(record.text)
        if len(self._batch) >= BATCH_LINES or self._characters >= BATCH_BYTES:
            self._sort()

    def _sort(self) -> None:
        batch, self._batch, self._characters = self._batch, [], 0
        known = self._earlier.among(batch) | known_documents(self.project, batch)
        found = parted(((record, record.digest()) for record in batch), known, THIS_FILE)
        self._earlier.add(found.new)
        for rejected in found.rejected:
            self._reject(rejected)
        self.preview.new += len(found.new)
        self.preview.unchanged += found.unchanged
        self.preview.tokens += sum(len(record.tokens) for record, _ in found.new)
        self.preview.split_tokens += sum(record.split_tokens for record, _ in found.new)

    def _reject(self, rejected: Rejected) -> None:
        self.preview.rejected += 1
        self._rejections.add(rejected)


class _EarlierIds:
    """The new documents of the file so far. An import finds them in the database; here they stand
    in a temporary file, since a packed upload may hold millions."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("")  # a file without a name, gone when it is closed
        self._database.execute(
            "CREATE TABLE seen (id TEXT PRIMARY KEY, digest TEXT, line INTEGER) WITHOUT ROWID"
        )

    def add(self, new: list[tuple[DocumentRecord, str]]) -> None:
        rows = [(record.external_id, digest, record.line) for record, digest in new]
        self._database.executemany("INSERT INTO seen VALUES (?, ?, ?)", rows)

    def among(self, records: list[DocumentRecord]) -> dict[str, Known]:
        names = [record.external_id for record in records]  # at most BATCH_LINES
        rows = self._database.execute(
            f"SELECT id, digest, line FROM seen WHERE id IN ({', '.join('?' * len(names))})", names
        )
        return {name: Known(digest, line, THIS_FILE, "") for name, digest, line in rows}

    def close(self) -> None:
        self._database.close()


# --- Rows ---------------------------------------------------------------------------------------


def _row(record: DocumentRecord, project: Project) -> PreviewRow:
    answer = min(record.answers, key=lambda one: one.source, default=None)  # gold comes first
    pieces, goes_on = _start(record, answer.answer if answer else None, project)
    return PreviewRow(
        line=record.line,
        external_id=record.external_id,
        title=record.title,
        tokens=len(record.tokens),
        sentences=len(record.sentences),
        source=answer.source if answer else "",
        pieces=pieces,
        goes_on=goes_on,
    )


def _start(
    record: DocumentRecord, answer: EntityAnswer | None, project: Project
) -> tuple[list[tuple[str, str]], bool]:
    """The first tokens in pieces, and whether the text goes on. Of nested names the outermost."""
    tokens = record.tokens[:TOKENS]
    end = min(tokens[-1][1], LONGEST_START) if tokens else 0
    pieces: list[tuple[str, str]] = []
    told = 0
    if answer is not None:
        material = Material(
            schema=project.schema,
            text=record.text,
            tokens=record.tokens,
            sentences=record.sentences,
        )
        for first, last, name in spans_of(answer, material):
            start, stop = record.tokens[first][0], min(record.tokens[last - 1][1], end)
            if start >= end:
                break
            if start >= told:
                pieces += [(record.text[told:start], ""), (record.text[start:stop], name)]
                told = stop
    pieces.append((record.text[told:end], ""))
    return [piece for piece in pieces if piece[0]], end < len(record.text.rstrip())
