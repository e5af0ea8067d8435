"""Labels that were inferred elsewhere, as a run of their own: what reads runs reads them."""

from __future__ import annotations

import hashlib
import os
import struct
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from aggregation.actions.decisions import counted, lay_over
from aggregation.actions.pruning import clear_broken_off, delete_results
from aggregation.arrays import WRITTEN
from aggregation.files.consensus import ImportedLabel, read_consensus
from aggregation.interfaces import words_of
from aggregation.methods.version import code_version
from aggregation.models import AggregationRun, Consensus, RunFacts
from aggregation.models.facts import TENTHS, tenth
from aggregation.models.runs import IMPORTED
from aggregation.sentences import CATALOGUE
from annotation.actions import audit, locks
from annotation.actions.bulk import batches, insert
from annotation.formats.records import FormatError, Rejected
from annotation.formats.source import Source
from annotation.interfaces import AnswerError, Material, categorical, interface
from annotation.interfaces.answers import Answer, EntityAnswer
from annotation.interfaces.schema import UNSURE
from annotation.interfaces.tags import spans_of, tags_of
from annotation.models import Campaign, Demand
from annotation.models.materials import MATERIAL_COLUMNS, material_of
from annotation.sentences import CodedError, Problem, problem_of, shown

MOST_TOLD = 20
AT_ONCE = 500  # tasks
OUTSIDE = "O"
UNKNOWN = float("nan")


class ImportRefused(CodedError):
    """Something in the file is wrong; nothing was imported. `lines` tells the first mistakes."""

    catalogue = CATALOGUE

    def __init__(self, code: str, *, lines: Sequence[Rejected] = (), **params: Any):
        self.lines = list(lines)
        super().__init__(code, **params)


def import_consensus(
    campaign: Campaign, path: str | os.PathLike[str], *, user: Any = None
) -> AggregationRun:
    """A complete run with the labels of a file, all or none, for tasks that the campaign has; from
    then on it is the latest. What people have decided is laid over it. Raises ImportRefused,
    locks.Held."""
    with locks.hold(f"aggregate:{campaign.slug}"):
        digest = hashlib.sha256()
        try:
            labels = _read(path)
            with open(path, "rb") as file:
                while part := file.read(2**20):
                    digest.update(part)
        except (FormatError, OSError) as error:
            raise ImportRefused("import.nothing", why=problem_of(error)) from error
        clear_broken_off(campaign)
        run = AggregationRun(
            campaign=campaign, method=IMPORTED, code_version=code_version(),
            parameters={"file": Path(path).name}, input_digest=digest.hexdigest(),
            classes=_classes(campaign), started_at=timezone.now(),
        )  # fmt: skip
        rows = _rows(run, labels)
        run.save()
        try:
            _write(run, rows, user)
        except BaseException:
            delete_results(run)
            run.delete()
            raise
    return run


def _write(run: AggregationRun, rows: Sequence[Consensus], user: Any) -> None:
    """Some rows at a time, as `aggregate` does: workers can submit meanwhile, and nobody reads a
    run before it is complete."""
    campaign = run.campaign
    for batch in batches(rows, WRITTEN):
        insert(batch)
    with transaction.atomic():
        run.facts = counted(campaign.interface, _facts(run, rows), lay_over(run))
        run.state, run.finished_at = AggregationRun.State.COMPLETE, timezone.now()
        run.save(update_fields=["diagnostics", "state", "finished_at"])
        audit.record(
            campaign.project, "import consensus", campaign.slug, user=user,
            after={"file": run.parameters["file"], "tasks": len(rows)},
        )  # fmt: skip


def _read(path: str | os.PathLike[str]) -> list[ImportedLabel]:
    labels: list[ImportedLabel] = []
    wrong: list[Rejected] = []
    lines: dict[str, int] = {}
    with Source(path) as source:
        for label in read_consensus(source.lines(settings.MAX_IMPORT_LINE_BYTES)):
            if isinstance(label, Rejected):
                wrong.append(label)
                continue
            before = lines.setdefault(label.task, label.line)
            if before != label.line:
                wrong.append(_of(label, "task", Problem("gold.task_double", line=before)))
            labels.append(label)
    _refuse(wrong, path)
    if not labels:
        raise ImportRefused("imported.empty", file=Path(path).name)
    return labels


def _rows(run: AggregationRun, labels: Sequence[ImportedLabel]) -> list[Consensus]:
    """Two queries for each AT_ONCE labels."""
    kind, rows = run.campaign.interface, []
    wrong: list[Rejected] = []
    for batch in batches(labels, AT_ONCE):
        named = run.campaign.tasks.filter(external_id__in=[label.task for label in batch])
        columns = ("pk", "external_id", "demand__kind", *MATERIAL_COLUMNS)
        tasks = {row["external_id"]: row for row in named.values(*columns)}
        for label in batch:
            row = tasks.get(label.task)
            if row is None or row["demand__kind"] not in (None, Demand.Kind.PLAIN):
                wrong.append(_of(label, "task", Problem("imported.no_task")))
                continue
            material = material_of(row)
            try:
                answer = interface(kind).check(label.answer, material)
                rows.append(_row(run, row["pk"], label, answer, material))
            except AnswerError as error:
                wrong += [_of(label, f"consensus.{one.path}", one) for one in error.problems]
            except _WrongLength as error:
                wrong.append(_of(label, "span_confidence", error.problem))
    _refuse(wrong, run.parameters["file"])
    return rows


class _WrongLength(CodedError):
    catalogue = CATALOGUE


def _row(
    run: AggregationRun, task: int, label: ImportedLabel, answer: Answer, material: Material
) -> Consensus:
    kind, sure = run.campaign.interface, label.confidence
    units: list[tuple[str, float]] = []  # what was chosen of each, and how sure it is
    errors = None if sure is None else 1.0 - sure
    confidences = None
    if words_of(kind).per_token:
        of_text = cast(EntityAnswer, answer)
        spans = spans_of(of_text, material)
        of_names = label.of_names
        if of_names is not None and len(of_names) != len(spans):
            raise _WrongLength("imported.names", found=len(of_names), wanted=len(spans))
        tags = tags_of(of_text, material)
        known = [UNKNOWN if tag == "?" or sure is None else sure for tag in tags]
        if of_names is not None:
            confidences = {"spans": of_names}
            errors = sum(1.0 - one for one in of_names)
            for (start, end, _), one in zip(spans, of_names, strict=True):
                known[start:end] = [one] * (end - start)
        units = [
            (OUTSIDE if tag == "?" else tag, one) for tag, one in zip(tags, known, strict=True)
        ]
    elif (says := categorical(kind)) is not None:
        units = [(says.class_of(answer), UNKNOWN if sure is None else sure)]
    return Consensus(
        run=run, task_id=task, answer=answer, confidence=sure, expected_errors=errors,
        probabilities=_packed(run.classes, units), confidences=confidences, answers=0,
    )  # fmt: skip


def _packed(classes: Sequence[str], units: Sequence[tuple[str, float]]) -> bytes:
    """What was chosen has its confidence, and all else together the rest."""
    values: list[float] = []
    for chosen, sure in units:
        rest = (1.0 - sure) / max(1, len(classes) - 1)
        values += [sure if name == chosen else rest for name in classes]
    return struct.pack(f"<{len(values)}e", *values)


def _classes(campaign: Campaign) -> list[str]:
    if words_of(campaign.interface).per_token:
        types = [one["name"] for one in campaign.project.schema.get("entity_types", ())]
        return [*sorted(f"{part}-{name}" for name in types for part in "BI"), OUTSIDE]
    says = categorical(campaign.interface)
    if says is None:
        return []
    names = says.classes(campaign.project.schema, campaign.options)
    return names if UNSURE in names else [*names, UNSURE]


def _facts(run: AggregationRun, rows: Sequence[Consensus]) -> RunFacts:
    tenths = [0] * TENTHS
    for row in rows:
        if row.confidence is not None:
            tenths[tenth(row.confidence)] += 1
    errors = [row.expected_errors for row in rows if row.expected_errors is not None]
    says = categorical(run.campaign.interface)
    chosen = Counter(says.class_of(row.answer) for row in rows) if says else None
    return RunFacts(
        tasks=len(rows),
        note=f"Imported from {run.parameters['file']}.",
        chosen=dict(sorted(chosen.items())) if chosen is not None else None,
        confidence=tuple(tenths) if sum(tenths) else None,
        expected_errors=sum(errors) if errors else None,
    )


def _of(label: ImportedLabel, path: str, problem: Problem) -> Rejected:
    return Rejected(label.line, problem.at(path), shown(label.task))


def _refuse(wrong: Sequence[Rejected], path: str | os.PathLike[str]) -> None:
    if wrong:
        raise ImportRefused(
            "import.mistakes", lines=wrong[:MOST_TOLD], number=len(wrong), file=Path(path).name
        )
