"""Documents in from a file. What an import brings is visible whole or not at all.

Documents go in by batches, each its own short transaction, because SQLite has one writer and its
users are not to wait for a file of gigabytes; the run that they belong to becomes complete with
the last one. Nothing here grows with the file.
"""

from __future__ import annotations

import json
import logging
import os
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TextIO

from django.conf import settings
from django.db import DatabaseError, transaction
from django.utils import timezone

from annotation.actions import audit, locks
from annotation.actions.documents.removal import clean_up, set_state, take_back
from annotation.formats.reading import Reader
from annotation.formats.records import DocumentRecord, FormatError, Rejected, Rules
from annotation.interfaces.reading import shown
from annotation.models import Document, ImportedAnswer, ImportRun, Project
from annotation.progress import Progress

BATCH_DOCUMENTS = 500
BATCH_CHARACTERS = 1_000_000  # of text, which is some 50 MB of rows on their way
MOST_REASONS = 5
MOST_FIELD_NAMES = 50

logger = logging.getLogger(__name__)


class ImportFailed(Exception):
    """Nothing of the file was kept, and nothing that was there before has changed."""


@dataclass(slots=True)
class Tally:
    """What an import has to tell beside the counts that its run keeps."""

    tokens: int = 0  # of the documents added
    reasons: list[Rejected] = field(default_factory=list)  # the first few
    unused: Counter[str] = field(default_factory=Counter)  # field → documents that have it
    report: Path | None = None  # every rejected line, where there was one


def import_documents(
    project: Project,
    path: str | os.PathLike[str],
    *,
    format: str = "auto",
    report: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    strict: bool = False,
    tally: Tally | None = None,
) -> ImportRun:
    """The completed run. Raises ImportFailed, or locks.Held while another import is going on.

    `path` "-" is the standard input. Rejected lines go to `report` as JSON lines, else to
    DATA_DIR/imports; with `strict` one of them fails the whole import. `progress` advances by
    bytes of the file, `tally` is filled in. A document that is there already with the same
    content is counted as unchanged, so that a second import changes nothing.
    """
    rules = Rules(
        schema=project.schema,
        tokeniser=project.tokeniser,
        max_line_bytes=settings.MAX_IMPORT_LINE_BYTES,
    )
    with locks.hold(f"import:{project.slug}"):
        clean_up(project)
        try:
            with Reader(path, rules, format) as reader:
                _refuse_to_overwrite(path, report)
                run = ImportRun.objects.create(
                    project=project, file_name=reader.name[-255:], format=reader.format
                )
                with _Importer(run, report, tally or Tally()) as importer:
                    importer.read(reader, progress, strict)
        except (FormatError, OSError, DatabaseError) as error:
            raise ImportFailed(f"{_sentence(error)} Nothing was imported.") from error
    return run


def _refuse_to_overwrite(
    path: str | os.PathLike[str], report: str | os.PathLike[str] | None
) -> None:
    if report and path != "-" and os.path.exists(report) and os.path.samefile(path, report):
        raise FormatError(f"The report would overwrite {path} itself. Choose another name.")


def _sentence(error: BaseException) -> str:
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}."
    text = " ".join(str(error).split()) or type(error).__name__
    return text if text.endswith(".") else f"{text}."


class _Known(NamedTuple):
    """A document that is there already."""

    digest: str
    line: int
    run: int
    file_name: str


# --- One import ---------------------------------------------------------------------------------


class _Importer:
    """Adds documents to a run, and completes it. An error that leaves the block fails the run."""

    def __init__(self, run: ImportRun, report: str | os.PathLike[str] | None, tally: Tally):
        self.run = run
        self.tally = tally
        self._report_path = Path(
            report or settings.DATA_DIR / "imports" / f"{run.key}.rejected.jsonl"
        )
        self._report: TextIO | None = None
        self._files = ExitStack()
        self._batch: list[DocumentRecord] = []
        self._characters = 0

    def __enter__(self) -> _Importer:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None:
            self._fail(error)
        self._files.close()

    def read(self, reader: Reader, progress: Progress | None, strict: bool) -> None:
        told = 0
        for item in reader:
            if isinstance(item, Rejected):
                self._reject(item)
            else:
                self._add(item)
            if progress is not None and reader.taken > told:
                progress.advance(reader.taken - told)
                told = reader.taken
        self._store()
        if strict and self.run.rejected:
            first = self.tally.reasons[0]
            raise FormatError(
                f"{self.run.rejected:,} rejected, the first one in line {first.line}: "
                f"{first.reason} All are listed in {self._report_path}."
            )
        self._files.close()  # so that a full disk still fails the import
        with transaction.atomic():
            self._complete()
            if self.run.added:
                audit.record(
                    self.run.project,
                    "documents imported",
                    str(self.run.key),
                    after={"file": self.run.file_name, "documents": self.run.added},
                )

    def _complete(self) -> None:
        """Only while the run is running: a process that stood still may have lost its lock."""
        running = ImportRun.objects.filter(pk=self.run.pk, state=ImportRun.State.RUNNING)
        if not running.update(finished_at=timezone.now()):
            raise FormatError("Another import took over while this one stood still.")
        set_state(self.run, ImportRun.State.COMPLETE)

    def _add(self, record: DocumentRecord) -> None:
        for name in record.unused:
            known = name in self.tally.unused or len(self.tally.unused) < MOST_FIELD_NAMES
            self.tally.unused[shown(name) if known else "others"] += 1
        self._batch.append(record)
        self._characters += len(record.text)
        if len(self._batch) >= BATCH_DOCUMENTS or self._characters >= BATCH_CHARACTERS:
            self._store()

    def _store(self) -> None:
        """One transaction: a query for what is there, and the insert of what is not."""
        run, batch = self.run, self._batch
        self._batch, self._characters = [], 0
        if not batch:
            return
        with transaction.atomic():
            fresh = self._without_known(batch)
            documents = Document.objects.bulk_create(
                Document(
                    project_id=run.project_id,
                    import_run=run,
                    external_id=record.external_id,
                    title=record.title,
                    text=record.text,
                    tokens=record.tokens,
                    sentences=record.sentences,
                    attributes=record.attributes,
                    metadata=record.metadata,
                    line=record.line,
                    digest=digest,
                )
                for record, digest in fresh
            )
            ImportedAnswer.objects.bulk_create(
                ImportedAnswer(
                    document=document,
                    interface=answer.interface,
                    source=answer.source,
                    answer=answer.answer,
                )
                for document, (record, _) in zip(documents, fresh, strict=True)
                for answer in record.answers
            )
        run.added += len(fresh)
        run.split_tokens += sum(record.split_tokens for record, _ in fresh)
        self.tally.tokens += sum(len(record.tokens) for record, _ in fresh)

    def _without_known(self, batch: list[DocumentRecord]) -> list[tuple[DocumentRecord, str]]:
        """The new documents with their digests; the others are counted or rejected."""
        run = self.run
        rows = Document.objects.filter(
            project=run.project_id, external_id__in={record.external_id for record in batch}
        ).values_list("external_id", "digest", "line", "import_run", "import_run__file_name")
        known = {
            name: _Known(digest, line, source, file_name)
            for name, digest, line, source, file_name in rows
        }
        fresh = []
        for record in batch:
            digest = record.digest()
            there = known.get(record.external_id)
            if there is None:
                known[record.external_id] = _Known(digest, record.line, run.pk, run.file_name)
                fresh.append((record, digest))
            elif there.digest == digest:
                run.unchanged += 1
            else:
                self._reject_double(record, there)
        return fresh

    def _reject_double(self, record: DocumentRecord, there: _Known) -> None:
        name = shown(record.external_id)
        if there.run == self.run.pk:
            reason = (
                f"The id '{name}' stands in line {there.line} too, with other content. "
                "Give each document its own."
            )
        else:
            reason = (
                f"'{name}' is already there with other content (from {there.file_name}, "
                f"line {there.line}). Undo that import, or use another id."
            )
        self._reject(Rejected(record.line, reason, record.external_id, "id"))

    def _reject(self, rejected: Rejected) -> None:
        self.run.rejected += 1
        if len(self.tally.reasons) < MOST_REASONS:
            self.tally.reasons.append(rejected)
        if self._report is None:
            self._report_path.parent.mkdir(parents=True, exist_ok=True)
            self._report = self._files.enter_context(self._report_path.open("w", encoding="utf-8"))
            self.tally.report = self._report_path
        fields = {
            "line": rejected.line,
            "id": rejected.external_id,
            "field": rejected.field,
            "reason": rejected.reason,
        }
        self._report.write(json.dumps(fields, ensure_ascii=False) + "\n")

    def _fail(self, error: BaseException) -> None:
        stopped = isinstance(error, KeyboardInterrupt)
        self.run.error = "It was stopped by hand." if stopped else _sentence(error)
        try:
            take_back(self.run)
        except DatabaseError:  # the next import cleans up
            logger.exception("Import %s could not be cleaned up.", self.run.key)
