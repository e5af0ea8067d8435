"""Runs, and their consensus beside gold."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, Subquery, Window
from django.db.models.functions import RowNumber

from aggregation.methods.words import CAPPED
from aggregation.models import AggregationRun, Consensus, DifferingFacts, RunDifference, RunFacts
from aggregation.querysets import BY_ANSWERS
from annotation.interfaces.answers import Answer
from annotation.models import Campaign, GoldQuestion, ImportedAnswer, Task

READ = 500
NEW_ANSWERS = 0.1  # part of what a run has seen that makes a new one worth its while


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run without its results."""

    key: uuid.UUID
    method: str
    state: str
    parameters: dict[str, Any]
    seed: int
    code_version: str
    input_digest: str
    classes: tuple[str, ...]
    facts: RunFacts
    started_at: datetime
    finished_at: datetime | None
    as_of: datetime | None
    pinned_at: datetime | None
    error: str

    @property
    def is_capped(self) -> bool:
        """Whether the method stops at its limit by design."""
        return self.method in CAPPED


@dataclass(frozen=True, slots=True)
class ScoredTask:
    """A task's consensus beside its gold; what an entity answer needs to be read is with it."""

    task: str  # external id
    document: str  # external id; the task's own where it has no document
    answer: Answer
    gold: Answer | None
    confidence: float | None  # None: nobody judged it
    probabilities: bytes
    tokens: list[list[int]]
    sentences: list[list[int]]


def latest_run(
    campaign: Campaign, method: str | None = None, *, with_gold: bool = True
) -> RunSummary | None:
    """The complete run that serves labels, or with `method` the latest of that. One query.

    Without `with_gold` it is one that was told no gold: what such a run says of a task whose
    answer is known is that answer.
    """
    runs = AggregationRun.objects.complete().filter(campaign=campaign)
    if not with_gold:
        runs = runs.exclude(diagnostics__clamped=True)
    if method is not None:
        runs = runs.filter(method=method)
    run = runs.served_first().first()
    return _summary(run) if run is not None else None


def last_differing(campaign: Campaign) -> DifferingFacts | None:
    """What known answers said last of tasks where a method and the vote differ; None where others
    have come in since. Two queries at most."""
    runs = AggregationRun.objects.complete().filter(campaign=campaign, as_of=None)
    told = runs.filter(diagnostics__has_key="differing").latest_first().first()
    if told is None or told.facts.differing is None:
        return None
    asked = GoldQuestion.objects.standing().filter(
        task__campaign=campaign, drawn=GoldQuestion.Drawn.DIFFERING
    )
    return told.facts.differing if asked.count() == told.facts.differing.asked else None


def last_runs(campaign: Campaign, number: int) -> list[RunSummary]:
    """In whatever state but pruned, the one that was started last first. One query."""
    runs = AggregationRun.objects.kept().filter(campaign=campaign)
    return [_summary(run) for run in runs[:number]]


def run_by_key(campaign: Campaign, key: uuid.UUID) -> RunSummary | None:
    """Whatever its state. One query."""
    run = AggregationRun.objects.filter(campaign=campaign, key=key).first()
    return _summary(run) if run is not None else None


def _summary(run: AggregationRun) -> RunSummary:
    return RunSummary(
        key=run.key,
        method=run.method,
        state=run.state,
        parameters=run.parameters,
        seed=run.seed,
        code_version=run.code_version,
        input_digest=run.input_digest,
        classes=tuple(run.classes),
        facts=run.facts,
        started_at=run.started_at,
        finished_at=run.finished_at,
        as_of=run.as_of,
        pinned_at=run.pinned_at,
        error=run.error,
    )


def latest_of_methods(campaign: Campaign) -> list[RunSummary]:
    """Of each method the complete run of the newest answers, the newest first. One query."""
    place = Window(RowNumber(), partition_by=F("method"), order_by=BY_ANSWERS)
    runs = AggregationRun.objects.complete().filter(campaign=campaign, as_of=None)
    return [_summary(run) for run in runs.annotate(place=place).filter(place=1).latest_first()]


def differences_of(run: uuid.UUID) -> dict[uuid.UUID, RunDifference]:
    """The other run's key → what it differs by. A pair is stored with whichever of the two was
    made later, and is read from either side. One query."""
    pairs = RunDifference.objects.filter(Q(run__key=run) | Q(other__key=run))
    found: dict[uuid.UUID, RunDifference] = {}
    for one in pairs.annotate(ours=F("run__key"), theirs=F("other__key")).order_by("pk"):
        if one.ours == run:
            found[one.theirs] = one
        else:
            found[one.ours] = _mirrored(one)
    return found


def _mirrored(one: RunDifference) -> RunDifference:
    """The same pair from the side of the other run; not to be saved."""
    value, low, high = (None if end is None else -end for end in (one.value, one.high, one.low))
    return RunDifference(
        run_id=one.other_id, other_id=one.run_id, tasks=one.tasks, differing=one.differing,
        documents=one.documents, value=value, low=low, high=high,
    )  # fmt: skip


def scored_tasks(run: uuid.UUID, *, known: bool = False) -> Iterator[ScoredTask]:
    """Every consensus of a run with the gold of its task, streamed by one query; with `known`
    only where there is some.

    Gold is what the task's gold question says unless that was retired or is no random sample, else
    what was imported with the task's document.
    """
    interface = OuterRef("run__campaign__interface")
    imported = ImportedAnswer.objects.gold_for(interface).filter(
        document=OuterRef("task__document")
    )
    standing = Q(task__gold_question__retired_at=None, task__gold_question__isnull=False)
    rows = (
        Consensus.objects.filter(standing | Exists(imported) if known else Q(), run__key=run)
        .annotate(imported=Subquery(imported.values("answer")[:1]))
        .order_by("task")
        .values_list(
            "task__external_id",
            "task__document__external_id",
            "answer",
            "task__gold_question__answer",
            "task__gold_question__retired_at",
            "task__gold_question__drawn",
            "imported",
            "confidence",
            "probabilities",
            "task__document__tokens",
            "task__document__sentences",
        )
    )
    for (
        task, document, answer, asked, retired_at, drawn, imported_gold, confidence,
        probabilities, tokens, sentences,
    ) in rows.iterator(chunk_size=READ):  # fmt: skip
        yield ScoredTask(
            task=task,
            document=document or task,
            answer=answer,
            gold=_known(asked, retired_at, drawn, imported_gold),
            confidence=confidence,
            probabilities=bytes(probabilities),
            tokens=tokens or [],
            sentences=sentences or [],
        )


def _known(
    asked: Answer | None, retired_at: datetime | None, drawn: str | None, imported: Answer | None
) -> Answer | None:
    if asked is None or retired_at is not None:
        return imported
    return asked if drawn == GoldQuestion.Drawn.RANDOM else None


def gold_without_consensus(campaign: Campaign, run: uuid.UUID) -> list[str]:
    """External ids of documents that have gold and a plain task, but no answer in the run."""
    return list(
        Task.objects.plain()
        .gold_for(campaign.interface)
        .filter(campaign=campaign)
        .exclude(pk__in=Consensus.objects.filter(run__key=run).values("task"))
        .order_by("pk")
        .values_list("document__external_id", flat=True)
    )
