"""What selection and the guards know of one worker: for the worker's page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from annotation.interfaces import traits
from annotation.models import Assignment, Enrollment
from annotation.querysets.assignments import GOLD_SCORE
from dashboard.workers.queries import Verdict, verdict_of
from selection.models import SelectedWorker, WorkerFlag
from selection.queries.words import flag_in_words

ROWS = 20
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
class Standing:
    flags: list[RaisedFlag]
    verdict: Verdict | None
    selected_at: datetime | None
    gold: list[GoldAnswer]
    more_gold: bool


def standing(enrollment: Enrollment, *, with_gold: bool) -> Standing:
    """Three queries; one without `with_gold`, which leaves only the flags."""
    last = None
    if with_gold:
        chosen = SelectedWorker.objects.filter(enrollment=enrollment)
        last = chosen.select_related("selection").order_by("-selection_id").first()
    gold = _gold(enrollment) if with_gold else []
    return Standing(
        flags=_flags(enrollment),
        verdict=verdict_of(last) if last else None,
        selected_at=last.selection.made_at if last else None,
        gold=gold[:ROWS],
        more_gold=len(gold) > ROWS,
    )


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
