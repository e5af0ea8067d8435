"""What runs, selection and the guards know of one worker: for the worker's page."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from aggregation.models import AggregationRun, WorkerReliability
from annotation.interfaces import traits
from annotation.models import Assignment, Campaign, Enrollment
from annotation.querysets.assignments import GOLD_SCORE
from dashboard.workers.queries import Verdict, verdict_of
from selection.models import SelectedWorker, WorkerFlag
from selection.queries.words import flag_in_words

ROWS = 20
METHODS, RUNS = 3, 12  # whose reliabilities are shown; among the newest so many runs
PARTS = {"coreference": "groups", "links": "links"}


@dataclass(frozen=True, slots=True)
class RaisedFlag:
    kind: str
    label: str
    evidence: str
    at: datetime
    dismissed_at: datetime | None
    dismissed_by: str


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    task: str  # external id
    title: str
    document: str  # external id of one whose page shows the answer; else ""
    at: datetime | None
    score: float | None  # None: it proves nothing
    parts: list[tuple[str, float]]
    is_retired: bool
    was_rescored: bool


@dataclass(frozen=True, slots=True)
class MethodReliability:
    """How far the worker agrees with the consensus of a run; after refits it is their accuracy."""

    method: str
    run: uuid.UUID
    judged: int
    accuracy: float | None
    low: float | None
    high: float | None
    refits: int | None


@dataclass(frozen=True, slots=True)
class Standing:
    flags: list[RaisedFlag]
    reliabilities: list[MethodReliability]
    verdict: Verdict | None
    selected_at: datetime | None
    gold: list[GoldAnswer]
    more_gold: bool


def standing(enrollment: Enrollment, *, with_gold: bool) -> Standing:
    """Five queries; three without `with_gold`, which leaves out what gold tells."""
    last = None
    if with_gold:
        chosen = SelectedWorker.objects.filter(enrollment=enrollment)
        last = chosen.select_related("selection").order_by("-selection_id").first()
    gold = _gold(enrollment) if with_gold else []
    return Standing(
        flags=_flags(enrollment),
        reliabilities=_reliabilities(enrollment),
        verdict=verdict_of(last) if last else None,
        selected_at=last.selection.made_at if last else None,
        gold=gold[:ROWS],
        more_gold=len(gold) > ROWS,
    )


def _newest_runs(campaign: Campaign) -> list[tuple[int, uuid.UUID, str, int | None]]:
    """The newest complete run of each method: (row id, key, method, refits)."""
    complete = AggregationRun.objects.complete().filter(campaign=campaign).latest_first()
    newest: dict[str, tuple[int, uuid.UUID, str, int | None]] = {}
    rows = complete.values_list("pk", "key", "method", "diagnostics__refits")
    for pk, key, method, refits in rows[:RUNS]:
        newest.setdefault(method, (pk, key, method, refits))
    return list(newest.values())[:METHODS]


def _reliabilities(enrollment: Enrollment) -> list[MethodReliability]:
    runs = _newest_runs(enrollment.campaign)
    rows = WorkerReliability.objects.filter(
        run__in=[pk for pk, *_ in runs], worker=enrollment.worker_id
    ).defer("parameters")
    of = {row.run_id: row for row in rows}
    return [
        MethodReliability(
            method, key, of[pk].judged, of[pk].accuracy, of[pk].low, of[pk].high, refits
        )
        for pk, key, method, refits in runs
        if pk in of
    ]


def _flags(enrollment: Enrollment) -> list[RaisedFlag]:
    rows = WorkerFlag.objects.filter(enrollment=enrollment).select_related("dismissed_by")
    return [
        RaisedFlag(
            kind=row.kind,
            label=row.get_kind_display(),
            evidence=flag_in_words(row.kind, row.evidence),
            at=row.at,
            dismissed_at=row.dismissed_at,
            dismissed_by=row.dismissed_by.get_username() if row.dismissed_by else "",
        )
        for row in rows.order_by("kind")
    ]


def _gold(enrollment: Enrollment) -> list[GoldAnswer]:
    """The newest first; one more than is shown."""
    rows = (
        Assignment.objects.handed_in()
        .on_measuring_gold()
        .filter(
            enrollment=enrollment, task__gold_question__isnull=False, response__isnull=False
        )
        .select_related("task__document", "task__gold_question", "rescored")
        .defer(
            "draft", "task__payload", "task__document__text", "task__document__tokens",
            "task__document__sentences", "task__gold_question__answer",
        )
        .annotate(counts=GOLD_SCORE)
        .order_by("-pk")[: ROWS + 1]
    )  # fmt: skip
    return [_answer(row, enrollment.campaign.interface) for row in rows]


def _answer(row: Assignment, interface: str) -> GoldAnswer:
    document = row.task.document
    again = getattr(row, "rescored", None)
    parts = again.parts if again else {}
    return GoldAnswer(
        task=row.task.external_id,
        title=(document.title if document else "") or row.task.external_id,
        document=document.external_id if document and traits(interface).on_documents else "",
        at=row.submitted_at,
        score=row.counts,  # type: ignore[attr-defined]
        parts=[(PARTS.get(name, name), score) for name, score in sorted(parts.items())],
        is_retired=row.task.gold_question.retired_at is not None,
        was_rescored=again is not None,
    )
