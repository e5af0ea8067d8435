"""One worker in one campaign: their state, their numbers, and their answers, the newest first."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F

from annotation.actions.appeals import is_out
from annotation.interfaces import task_name, traits
from annotation.models import Appeal, Assignment, Demand, Enrollment, Payment, Rejection
from annotation.querysets.assignments import GOLD_SCORE, standing
from dashboard.campaigns.queries import GoldMean, WorkerRow, score_of, worker_row
from dashboard.interfaces import in_words

ROWS = 30
APPEALS = 10  # the newest
KINDS = {
    Demand.Kind.TRAINING: "practice", Demand.Kind.HIDDEN: "hidden gold", Demand.Kind.EXAM: "exam",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AnswerRow:
    key: uuid.UUID
    task: str  # external id
    document: str  # external id, of one whose page shows the answer; else ""
    title: str
    words: str  # the answer in a few
    kind: (
        str  # "practice", "hidden gold", "exam", or "" for the work itself and who may not see gold
    )
    is_late: bool
    submitted_at: datetime | None
    seconds: float
    score: float | None  # as it counts now; None as well for who may not see gold
    mills: int | None  # None as well for who may not see earnings
    payment: str  # its state; "" where nothing is paid
    rejected: str  # the reason; "" where it is not rejected, or not any more
    rejected_at: datetime | None
    taken_back_at: datetime | None

    @property
    def can_be_rejected(self) -> bool:
        return self.payment not in (Payment.State.SENT, Payment.State.PAID)


@dataclass(frozen=True, slots=True)
class WorkerPage:
    """`more` is the key of the last answer shown, where older ones follow; else None."""

    row: WorkerRow
    is_out: bool
    practice: GoldMean | None  # of the try that they are at
    exam: GoldMean | None
    rejected: int  # answers that are
    answers: list[AnswerRow]
    more: uuid.UUID | None
    appeals: list[Appeal]


def enrollment_of(campaign: Any, key: uuid.UUID) -> Enrollment | None:
    """With its worker. One query."""
    rows = Enrollment.objects.filter(campaign=campaign, key=key).select_related("worker", "consent")
    found = rows.first()
    if found is not None:
        found.campaign = campaign
    return found


def worker_page(
    enrollment: Enrollment,
    *,
    before: uuid.UUID | None = None,
    with_gold: bool,
    with_ids: bool,
) -> WorkerPage:
    """At most five queries. `before` is the key of an answer; older ones are shown. Without
    `with_gold` answers to gold tasks are left out; `with_ids`: whether they may be called by their
    platform's id, and what they earned and asked for is shown."""
    found = _answers(enrollment, before, with_gold)
    shown, more = found[:ROWS], len(found) > ROWS
    paid = _payments(shown) if with_ids else {}
    rejections = Rejection.objects.standing().filter(assignment__enrollment=enrollment)
    if not with_gold:
        rejections = rejections.filter(assignment__task__demand__kind=Demand.Kind.PLAIN)
    asked = Appeal.objects.filter(enrollment=enrollment).select_related("answered_by")
    return WorkerPage(
        row=worker_row(enrollment, with_ids=with_ids),
        is_out=is_out(enrollment),
        practice=score_of(enrollment.training_score_sum, enrollment.training_seen),
        exam=score_of(enrollment.exam_score_sum, enrollment.exam_seen),
        rejected=rejections.count(),
        answers=[_row(row, enrollment, paid, with_gold) for row in shown],
        more=shown[-1]["key"] if more else None,
        appeals=list(asked.order_by("-pk")[:APPEALS]) if with_ids else [],
    )


def _answers(
    enrollment: Enrollment, before: uuid.UUID | None, with_gold: bool
) -> list[dict[str, Any]]:
    """One row more than is shown, in the order in which the tasks were given to them."""
    rows = Assignment.objects.handed_in().filter(enrollment=enrollment)
    if before is not None:
        after = Assignment.objects.filter(enrollment=enrollment, key=before).values("pk")
        rows = rows.filter(pk__lt=after)
    if not with_gold:
        rows = rows.on_plain()
    return list(
        rows.order_by("-pk")
        .annotate(
            kind=F("task__demand__kind"),
            task_id_outside=F("task__external_id"),
            document=F("task__document__external_id"),
            title=F("task__document__title"),
            payload=F("task__payload"),
            answer=standing("answer", through="response__"),
            seconds=F("response__seconds"),
            score=GOLD_SCORE,
            rejected=F("rejection__reason"),
            rejected_at=F("rejection__at"),
            taken_back_at=F("rejection__overturned_at"),
        )
        .values(
            "pk", "key", "state", "submitted_at", "kind", "task_id_outside", "document", "title",
            "payload", "answer", "seconds", "score", "rejected", "rejected_at", "taken_back_at",
        )[: ROWS + 1]
    )  # fmt: skip


def _payments(rows: list[dict[str, Any]]) -> dict[int, tuple[int, str]]:
    """Assignment → what it is paid with."""
    base = Payment.objects.filter(
        assignment__in=[row["pk"] for row in rows], kind=Payment.Kind.BASE
    )
    return {
        pk: (mills, state) for pk, mills, state in base.values_list("assignment", "mills", "state")
    }


def _row(
    row: dict[str, Any], enrollment: Enrollment, paid: dict[int, tuple[int, str]], with_gold: bool
) -> AnswerRow:
    interface = enrollment.campaign.interface
    mills, payment = paid.get(row["pk"], (None, ""))
    is_rejected = row["rejected"] is not None and row["taken_back_at"] is None
    return AnswerRow(
        key=row["key"],
        task=row["task_id_outside"],
        document=(row["document"] or "") if traits(interface).on_documents else "",
        title=str(task_name(interface, row["payload"])) or row["title"] or row["task_id_outside"],
        words=in_words(interface, row["answer"]) if row["answer"] else "",
        kind=KINDS.get(row["kind"], "") if with_gold else "",
        is_late=row["state"] == Assignment.State.LATE,
        submitted_at=row["submitted_at"],
        seconds=row["seconds"] or 0.0,
        score=row["score"] if with_gold else None,
        mills=mills,
        payment=payment,
        rejected=row["rejected"] if is_rejected else "",
        rejected_at=row["rejected_at"],
        taken_back_at=row["taken_back_at"],
    )
