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
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.actions import audit, locks
from annotation.actions.documents.doubles import known_documents, parted
from annotation.actions.documents.rejections import RejectionReport
from annotation.actions.documents.removal import clean_up, set_state, take_back
from annotation.actions.progress import Progress
from annotation.collector import uncollected
from annotation.formats.parsing import batches
from annotation.formats.reading import Reader
from annotation.formats.records import Columns, FormatError, Rejected, Rules, TimeOver
from annotation.models import Document, ImportedAnswer, ImportRun, Project
from annotation.querysets import compiled
from annotation.sentences import CodedError, Problem, problem_of, shown

MOST_REASONS = 5
MOST_FIELD_NAMES = 50

logger = logging.getLogger(__name__)


class ImportFailed(CodedError):
    """Nothing of the file was kept, and nothing that was there before has changed."""


class TakesTooLong(ImportFailed):
    """The time that a page may take is over before the file is."""

    def __init__(self, over: TimeOver):
        super().__init__("import.slow", number=over.line)


@dataclass(slots=True)
class ImportTally:
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
    tally: ImportTally | None = None,
    name: str | None = None,
    user: Any = None,
    uses: Mapping[str, str] | None = None,
) -> ImportRun:
    """The completed run. Raises ImportFailed, or locks.Held while another import is going on.

    `path` "-" is the standard input. Rejected lines go to `report` as JSON lines, else to
    DATA_DIR/imports; with `strict` one of them fails the whole import. `progress` advances by
    bytes of the file, `tally` is filled in; `name` is the file's where the path has another; `uses`
    says what the columns of a table are for.
    A document that is there already with the same content is counted as unchanged, so that a
    second import changes nothing.
    """
    with locks.hold(f"import:{project.slug}"):
        clean_up(project)
        try:
            with Reader(path, rules_of(project), format, name, uses=uses) as reader:
                refuse_to_overwrite(path, report)
                run = ImportRun.objects.create(
                    project=project, file_name=reader.name[-255:], format=reader.format
                )
                with _Importer(run, report, tally or ImportTally(), user) as importer:
                    importer.read(reader, progress, strict)
        except (FormatError, OSError, DatabaseError) as error:
            raise ImportFailed("import.nothing", why=problem_of(error)) from error
    return run


def rules_of(project: Project) -> Rules:
    return Rules(
        schema=project.schema,
        tokeniser=project.tokeniser,
        max_line_bytes=settings.MAX_IMPORT_LINE_BYTES,
    )


def report_of(run: ImportRun) -> Path:
    """Where the rejected lines of a run are listed, unless its caller named another file."""
    return Path(settings.DATA_DIR, "imports", f"{run.key}.rejected.jsonl")


def refuse_to_overwrite(
    path: str | os.PathLike[str], report: str | os.PathLike[str] | None
) -> None:
    if report and path != "-" and os.path.exists(report) and os.path.samefile(path, report):
        raise FormatError("import.report_is_file", file=path)


# --- One import ---------------------------------------------------------------------------------


class _Importer:
    """Adds documents to a run, and completes it. An error that leaves the block fails the run."""

    def __init__(
        self, run: ImportRun, report: str | os.PathLike[str] | None, tally: ImportTally, user: Any
    ):
        self.run = run
        self.tally = tally
        self.user = user
        self._report = RejectionReport(Path(report) if report else report_of(run))
        self._asks = False  # before it inserts, which documents are there

    def __enter__(self) -> _Importer:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None:
            self._fail(error)
        self._report.close()

    def read(self, reader: Reader, progress: Progress | None, strict: bool) -> None:
        told = 0
        for batch in batches(reader):
            for rejected in batch.rejected:
                self._reject(rejected)
            for names in filter(None, batch.documents.unused):
                self._note_unused(names)
            if batch.documents.line:
                self._store(batch.documents)
            if progress is not None and reader.taken > told:
                progress.advance(reader.taken - told)
                told = reader.taken
        if strict and self.run.rejected:
            first = self.tally.reasons[0]
            raise FormatError(
                "import.strict",
                number=self.run.rejected,
                line=first.line,
                why=first.problem,
                report=self._report.path,
            )
        self._report.close()  # so that a full disk still fails the import
        with transaction.atomic():
            self._complete()
            if self.run.added:
                audit.record(
                    self.run.project,
                    "documents imported",
                    str(self.run.key),
                    user=self.user,
                    after={"file": self.run.file_name, "documents": self.run.added},
                )

    def _complete(self) -> None:
        """Only while the run is running: a process that stood still may have lost its lock."""
        if not self._running().update(finished_at=timezone.now()):
            raise FormatError("import.taken_over")
        set_state(self.run, ImportRun.State.COMPLETE)

    def _running(self) -> QuerySet[ImportRun]:
        return ImportRun.objects.filter(pk=self.run.pk, state=ImportRun.State.RUNNING)

    def _note_unused(self, names: tuple[str, ...]) -> None:
        for name in names:
            known = name in self.tally.unused or len(self.tally.unused) < MOST_FIELD_NAMES
            self.tally.unused[shown(name) if known else "others"] += 1

    def _store(self, batch: Columns) -> None:
        """One transaction. Most batches hold nothing that is there already: they are inserted
        without asking, and asked about only where that did not go, or did not the last time.

        SQLite would look up the project and the run for each row. They are looked up once."""
        with uncollected(), connection.constraint_checks_disabled(), transaction.atomic():
            if not self._running().exists():
                raise FormatError("import.taken_over")
            if self._asks or not self._insert_whole(batch):
                batch = self._insert_unknown(batch)
            if any(batch.answers):
                self._store_answers(batch)
        run = self.run
        run.added += len(batch.line)
        run.split_tokens += sum(batch.split_tokens)
        self.tally.tokens += sum(batch.n_tokens)

    def _insert_whole(self, batch: Columns) -> bool:
        point = transaction.savepoint()
        if self._insert(batch) == len(batch.line):
            transaction.savepoint_commit(point)
            return True
        transaction.savepoint_rollback(point)
        return False

    def _insert_unknown(self, batch: Columns) -> Columns:
        """Those that were inserted."""
        rows = batch.rows()
        known = known_documents(self.run.project, rows)
        found = parted(((record, record.digest) for record in rows), known, self.run.pk)
        new = Columns.of([record for record, _ in found.new])
        self._insert(new)
        for rejected in found.rejected:
            self._reject(rejected)
        self.run.unchanged += found.unchanged
        self._asks = len(new.line) < len(rows)
        return new

    def _insert(self, batch: Columns) -> int:
        number = len(batch.line)
        project, run = [self.run.project_id] * number, [self.run.pk] * number
        return compiled.insert_prepared(
            Document,
            [
                project, batch.external_id, batch.title, batch.text, batch.tokens,
                batch.sentences, batch.attributes, batch.metadata, run, batch.line, batch.digest,
            ],
        )  # fmt: skip

    def _store_answers(self, batch: Columns) -> None:
        """Of documents that were added a moment ago."""
        given = [
            (name, answer)
            for name, answers in zip(batch.external_id, batch.answers, strict=True)
            for answer in answers
        ]
        names = {name for name, _ in given}
        added = Document.objects.filter(project=self.run.project_id, external_id__in=names)
        ids = dict(added.values_list("external_id", "pk"))
        compiled.insert_prepared(
            ImportedAnswer,
            [
                [ids[name] for name, _ in given],
                [answer.interface for _, answer in given],
                [answer.source for _, answer in given],
                [json.dumps(answer.answer) for _, answer in given],
            ],
        )

    def _reject(self, rejected: Rejected) -> None:
        self.run.rejected += 1
        if len(self.tally.reasons) < MOST_REASONS:
            self.tally.reasons.append(rejected)
        self._report.add(rejected)
        self.tally.report = self._report.path

    def _fail(self, error: BaseException) -> None:
        stopped = isinstance(error, KeyboardInterrupt)
        self.run.error = str(Problem("import.stopped") if stopped else problem_of(error))
        try:
            take_back(self.run)
        except DatabaseError:  # the next import cleans up
            logger.exception("Import %s could not be cleaned up.", self.run.key)
