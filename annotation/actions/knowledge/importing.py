"""Entries of a knowledge base in from a file. The same key again is the same entry.

Entries go in by batches, each its own short transaction, because SQLite has one writer. An import
that is killed leaves whole entries behind, and the same file again adds what is lacking. Entries
that a file does not name stay. Nothing here grows with the file.
"""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings
from django.db import DatabaseError, transaction
from django.utils import timezone

from annotation.actions import audit, locks
from annotation.actions.bulk import batches
from annotation.actions.documents.importing import refuse_to_overwrite
from annotation.actions.documents.rejections import RejectionReport
from annotation.actions.knowledge.rows import (
    Entry,
    folded_names,
    known_entries,
    put_entries,
    refresh_statistics,
    remove_names,
)
from annotation.actions.progress import Progress
from annotation.formats.knowledge import EntryReader, EntryRecord
from annotation.formats.records import FormatError, Rejected
from annotation.interfaces.schema import entity_type_names
from annotation.models import Project
from annotation.sentences import CodedError, Problem, problem_of, shown

T = TypeVar("T")

BATCH_ENTRIES = 2_000
MOST_REASONS = 5
MOST_FIELD_NAMES = 50


class KnowledgeImportFailed(CodedError):
    """The file could not be read to its end; the message says what was stored before."""


@dataclass(slots=True)
class KnowledgeTally:
    """What became of the lines of a file."""

    file_name: str = ""
    format: str = ""
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    rejected: int = 0
    reasons: list[Rejected] = field(default_factory=list)  # the first few
    unused: Counter[str] = field(default_factory=Counter)  # field → entries that have it
    strange: Counter[str] = field(default_factory=Counter)  # type unknown to the schema → entries
    strange_lines: list[int] = field(default_factory=list)  # the first few of them
    report: Path | None = None  # every rejected line, where there was one


def import_knowledge_base(
    project: Project,
    path: str | os.PathLike[str],
    *,
    format: str = "auto",
    report: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    tally: KnowledgeTally | None = None,
    user: Any = None,
) -> KnowledgeTally:
    """Add what is new, change what differs. Raises KnowledgeImportFailed, or locks.Held.

    `path` "-" is the standard input. Rejected lines go to `report` as JSON lines, else to
    DATA_DIR/imports. `progress` advances by bytes of the file. `tally` is filled in, so that a
    caller knows how far an import came that was stopped.
    """
    tally = tally or KnowledgeTally()
    with locks.hold(f"knowledge:{project.slug}"):
        try:
            with (
                EntryReader(path, settings.MAX_IMPORT_LINE_BYTES, format) as reader,
                closing(_Keys()) as keys,
                closing(RejectionReport(_report_path(report))) as rejections,
            ):
                refuse_to_overwrite(path, report)
                tally.file_name, tally.format = reader.name, reader.format
                _Importer(project, tally, keys, rejections).read(reader, progress)
        except BaseException as error:
            with suppress(DatabaseError):  # which may be the reason
                _end(project, tally, user)
            if isinstance(error, FormatError | OSError | DatabaseError | sqlite3.Error):
                why, stored = problem_of(error), tally.added + tally.changed
                if stored:
                    raise KnowledgeImportFailed(
                        "knowledge.stored", why=why, number=stored
                    ) from error
                raise KnowledgeImportFailed("knowledge.unchanged", why=why) from error
            raise
        _end(project, tally, user)
    return tally


def _report_path(report: str | os.PathLike[str] | None) -> Path:
    name = f"knowledge-{timezone.now():%Y%m%d-%H%M%S}-{os.getpid()}.rejected.jsonl"
    return Path(report or settings.DATA_DIR / "imports" / name)


def _end(project: Project, tally: KnowledgeTally, user: Any) -> None:
    """Record what was changed, also where the file was not read to its end."""
    stored = tally.added + tally.changed
    if stored:
        after = {"file": tally.file_name, "added": tally.added, "changed": tally.changed}
        audit.record(project, "knowledge base imported", project.slug, user=user, after=after)
    if stored > BATCH_ENTRIES:
        refresh_statistics()


# --- One import ---------------------------------------------------------------------------------


class _Keys:
    """Which line has which key: on disk, for a file may have millions."""

    def __init__(self) -> None:
        self._lines = sqlite3.connect("", isolation_level=None)  # its own file, gone at its end
        self._lines.execute("PRAGMA journal_mode=OFF")
        self._lines.execute("CREATE TABLE line (key TEXT PRIMARY KEY, number INT) WITHOUT ROWID")

    def first_lines(self, records: list[EntryRecord]) -> dict[str, int]:
        """The keys of `records` that stand in a line before → that line; the others are kept."""
        before = self._lines.total_changes
        self._lines.executemany(
            "INSERT OR IGNORE INTO line VALUES (?, ?)",
            ((record.key, record.line) for record in records),
        )
        if self._lines.total_changes - before == len(records):
            return {}
        return {record.key: self._first(record.key) for record in records}

    def _first(self, key: str) -> int:
        return self._lines.execute("SELECT number FROM line WHERE key = ?", (key,)).fetchone()[0]

    def close(self) -> None:
        self._lines.close()


class _Importer:
    """Sorts what a file holds into new, changed, unchanged and rejected, and stores it."""

    def __init__(
        self, project: Project, tally: KnowledgeTally, keys: _Keys, report: RejectionReport
    ):
        self.project, self.tally, self.keys, self.report = project, tally, keys, report
        self.types = {"", *entity_type_names(project.schema)}

    def read(self, reader: EntryReader, progress: Progress | None) -> None:
        told = 0
        with closing(ahead(batches(map(entry_of, reader), BATCH_ENTRIES))) as coming:
            for batch in coming:
                self._store(self._taken(batch))
                if progress is not None:
                    progress.advance(reader.taken - told)
                    told = reader.taken

    def _taken(self, batch: list[Entry | Rejected]) -> list[Entry]:
        """What is no double of a line before; the rest is rejected, in the order of the file."""
        records = [item.record for item in batch if isinstance(item, Entry)]
        first = self.keys.first_lines(records)
        taken = []
        for item in batch:
            if isinstance(item, Rejected):
                self._reject(item)
                continue
            record = item.record
            line = first.get(record.key, record.line)
            if line != record.line:
                problem = Problem("entry.double", "key", line=line)
                self._reject(Rejected(record.line, problem, record.key))
                continue
            for name in record.unused:
                known = name in self.tally.unused or len(self.tally.unused) < MOST_FIELD_NAMES
                self.tally.unused[shown(name) if known else "others"] += 1
            if record.type not in self.types:
                self._note_type(record)
            taken.append(item)
        return taken

    def _note_type(self, record: EntryRecord) -> None:
        """An entry's type is there for the reader: one that the schema lacks is kept, and told."""
        strange = self.tally.strange
        known = record.type in strange or len(strange) < MOST_FIELD_NAMES
        strange[shown(record.type) if known else "others"] += 1
        if len(self.tally.strange_lines) < MOST_REASONS:
            self.tally.strange_lines.append(record.line)

    def _store(self, batch: list[Entry]) -> None:
        if not batch:
            return
        with transaction.atomic():
            known = known_entries(self.project, batch)
            fresh = [item for item in batch if item.record.key not in known]
            changed = [
                item
                for item in batch
                if item.record.key in known and known[item.record.key][1] != item.record.content()
            ]
            if changed:
                remove_names([known[item.record.key][0] for item in changed])
            if fresh or changed:
                put_entries(self.project, [*fresh, *changed])
        self.tally.added += len(fresh)
        self.tally.changed += len(changed)
        self.tally.unchanged += len(batch) - len(fresh) - len(changed)

    def _reject(self, rejected: Rejected) -> None:
        self.tally.rejected += 1
        if len(self.tally.reasons) < MOST_REASONS:
            self.tally.reasons.append(rejected)
        self.tally.report = self.report.path
        self.report.add(rejected)


def ahead(items: Iterator[T]) -> Generator[T, None, None]:
    """The same items, each made in a thread while its predecessor is worked on: a file is read
    while the database is busy."""
    with ThreadPoolExecutor(max_workers=1) as reader:
        coming = reader.submit(next, items, None)
        while (item := coming.result()) is not None:
            coming = reader.submit(next, items, None)
            yield item


def entry_of(item: EntryRecord | Rejected) -> Entry | Rejected:
    if isinstance(item, Rejected):
        return item
    return Entry(item, folded_names(item.name, item.aliases))
