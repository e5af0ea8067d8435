"""A worker's own past in a campaign: a fixed number of queries, plain data out.

Nothing in it tells hidden gold from other work: the score of an answer is told for practice alone.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, FilteredRelation, Max, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Left
from django.utils import timezone

from annotation.actions.appeals import MOST, since_granted
from annotation.actions.assignments.correct import may_correct
from annotation.interfaces import (
    Material,
    decided,
    shows_text,
    task_name,
    tells_answers,
    tells_decided,
    told,
)
from annotation.models import (
    Appeal,
    Assignment,
    Demand,
    Document,
    Enrollment,
    Payment,
    Rejection,
)
from annotation.models.assignments import by_worker
from annotation.models.materials import alias_key
from annotation.querysets.assignments import GOLD_SCORE, AssignmentQuerySet
from annotation.sentences import Problem, workers
from annotation.text.aliases import SHORT, alias

PAGE = 30
OPENING = 60  # characters of a text that nothing else names
# What the head of the page said as well while the task was done. A test that is drawn from the
# hidden gold (`exam_is_hidden`) has tasks of another kind, which nothing tells from other work.
TOLD_KINDS = {Demand.Kind.TRAINING: "training", Demand.Kind.EXAM: "exam"}
COLUMNS = (
    "pk", "key", "task__campaign__assignment", "task__campaign__secret", "task__external_id",
    "task__payload", "task__document__title", "task__document__external_id",
    "task__campaign__interface", "state", "submitted_at", "pay_mills", "kind", "paid",
    "opening", "response__seconds", "score", "rejection__reason", "rejection__at",
    "rejection__overturned_at", "response__correction__at", "response__received_at",
    "enrollment__state", "enrollment__training_seen", "enrollment__training_score_sum",
    "enrollment__campaign__state", "enrollment__campaign__correction_seconds",
    "enrollment__campaign__exam_is_hidden", "enrollment__worker__blocked_at",
)  # fmt: skip


def history_page(enrollment_key: Any, before: Any = None) -> dict[str, Any]:
    """Their answers, newest first, up to PAGE of them, older than the one with the key `before`.

    The sums of all of them come with the first page alone."""
    mine = Assignment.objects.filter(enrollment__key=enrollment_key)
    rows = mine.handed_in().annotate(
        score=GOLD_SCORE,
        opening=Left("task__document__text", OPENING + 1),
        kind=Subquery(Demand.objects.filter(task=OuterRef("task")).values("kind")[:1]),
        paid=Subquery(
            Payment.objects.filter(assignment=OuterRef("pk"), kind=Payment.Kind.BASE).values(
                "state"
            )[:1]
        ),
    )
    if before is not None:
        rows = rows.filter(pk__lt=Subquery(mine.filter(key=before).values("pk")[:1]))
    found = list(rows.order_by("-pk").values(*COLUMNS)[: PAGE + 1])
    rejected = [row["pk"] for row in found if row["rejection__reason"] is not None]
    appeals: dict[int | None, list[Appeal]] = {}
    asked = Appeal.objects.filter(enrollment__key=enrollment_key)
    for appeal in asked.filter(rejection__in=rejected).order_by("-pk"):
        appeals.setdefault(appeal.rejection_id, []).append(appeal)
    pauses = asked.filter(rejection=None).order_by("-pk")[:PAGE]
    answers = _told(found[:PAGE])
    last_at = max((row["submitted_at"] for row in found), default=None) if before is None else None
    return {
        "rows": [
            _row(row, appeals.get(row["pk"], []), last_at, *answers.get(row["pk"], ("", None)))
            for row in found[:PAGE]
        ],
        "more": len(found) > PAGE,
        "appeals": [appeal_page(appeal) for appeal in pauses],
        "sums": _sums(mine, found[:1]) if before is None else None,
    }


def _sums(mine: AssignmentQuerySet, newest: list[dict[str, Any]]) -> dict[str, Any]:
    """How many answers there are, what became of their pay, and how much of practice was right:
    one query, of what each row says of itself."""
    practice = [
        practice_share(row["enrollment__training_seen"], row["enrollment__training_score_sum"])
        for row in newest
    ]
    base = FilteredRelation("payments", condition=Q(payments__kind=Payment.Kind.BASE))
    counted = mine.handed_in().annotate(base=base).values_list("base__state")
    states = list(counted.annotate(Count("pk"), Sum("base__mills")))
    return {
        "answers": sum(number for _, number, _ in states),
        "mills": {state: mills for state, _, mills in states if state and mills},
        "practice": practice[0] if practice else None,
    }


def last_rejected_at(enrollment: Enrollment) -> datetime | None:
    """When the newest rejection that stands was made, of those that the history tells too."""
    return Rejection.objects.standing_of(enrollment).aggregate(at=Max("at"))["at"]


def practice_share(seen: int, score_sum: float) -> float | None:
    """How much of their practice was right, as its feedback told them: nothing of hidden gold."""
    return round(score_sum / seen, 3) if seen else None


def appeal_page(appeal: Appeal) -> dict[str, Any]:
    return {
        "about": "pause" if appeal.rejection_id is None else "rejection",
        "reason": workers.sentence(appeal.reason) if appeal.reason else "",
        "text": appeal.text,
        "created_at": appeal.created_at,
        "answered_at": appeal.answered_at,
        "answer": workers.sentence(appeal.reply) if appeal.reply else "",
        "granted": appeal.granted,
    }


def _told(rows: list[dict[str, Any]]) -> dict[int, tuple[Problem | str, dict[str, Any] | None]]:
    """Assignment → what was asked and answered, and how much of it was decided when it was handed
    in, of interfaces that tell it. Two queries: for the answers, and for the texts, of which many
    tasks may share one."""
    kinds = {row["pk"]: row["task__campaign__interface"] for row in rows}
    telling = [pk for pk, kind in kinds.items() if tells_answers(kind) or tells_decided(kind)]
    if not telling:
        return {}
    given = Assignment.objects.filter(pk__in=telling, response__isnull=False).values_list(
        "pk", "response__answer", "response__correction__answer",
        "task__payload", "task__document", "task__campaign__project__schema",
        "task__campaign__options",
    )  # fmt: skip
    documents = {document for *_, document, _, _ in given}
    texts = dict(Document.objects.filter(pk__in=documents).values_list("pk", "text"))
    found = {}
    for pk, answer, corrected, payload, document, schema, options in given:
        kind, material = kinds[pk], Material(schema, options, payload, texts.get(document, ""))
        found[pk] = (told(kind, corrected or answer, material), decided(kind, answer, material))
    return found


def _opening(text: str) -> str:
    """The first words of a text, of which its worker knows it again."""
    words = " ".join(text.split())
    if not words or len(text.rstrip()) <= OPENING:
        return words
    return f"{words[:OPENING].rpartition(' ')[0] or words[:OPENING]}…"


def _row(
    row: dict[str, Any],
    appeals: list[Appeal],
    last_at: datetime | None,
    answered: Problem | str,
    part: dict[str, Any] | None,
) -> dict[str, Any]:
    practice = row["kind"] == Demand.Kind.TRAINING
    rejected = row["rejection__reason"] is not None
    stands = rejected and row["rejection__overturned_at"] is None
    is_open = bool(appeals) and appeals[0].answered_at is None
    key = alias_key(row["task__campaign__assignment"], row["task__campaign__secret"])
    task = alias(row["task__external_id"], key)
    title = row["task__document__title"]
    if key and title in (row["task__external_id"], row["task__document__external_id"]):
        title = ""  # it is an id again
    kind, payload = row["task__campaign__interface"], row["task__payload"]
    named = answered or task_name(kind, payload)
    opening = row["opening"] or "" if shows_text(kind, payload) else ""
    return {
        "key": row["key"],
        "task": task,
        "name": workers.sentence(named)
        or title
        or _opening(opening)
        or (workers.sentence(Problem("word.task", name=task[:SHORT])) if key else task),
        "state": row["state"],
        "kind": TOLD_KINDS.get(row["kind"], "work"),
        "submitted_at": row["submitted_at"],
        "seconds": row["response__seconds"] or 0.0,
        "pay_mills": row["pay_mills"],
        "paid": row["paid"] or "none",
        "decided": part,
        "score": row["score"] if practice else None,
        "rejection": {
            "reason": row["rejection__reason"],
            "at": row["rejection__at"],
            "overturned_at": row["rejection__overturned_at"],
        }
        if rejected
        else None,
        "corrected_at": by_worker(row["response__received_at"], row["response__correction__at"]),
        **_correctable(row, last_at, stands),
        "appeal": appeal_page(appeals[0]) if appeals else None,
        "can_appeal": stands and not is_open and len(since_granted(appeals)) < MOST,
    }


def _correctable(
    row: dict[str, Any], last_at: datetime | None, is_rejected: bool
) -> dict[str, Any]:
    """As the server will decide when the correction comes. `correct_until` is the end of the
    campaign's time for it; the last answer can be corrected until the next is handed in."""
    is_last = row["submitted_at"] == last_at
    if not _can_correct(row, is_last, is_rejected):
        return {"can_correct": False, "correct_until": None}
    seconds = timedelta(seconds=row["enrollment__campaign__correction_seconds"])
    return {
        "can_correct": True,
        "correct_until": None if is_last else row["submitted_at"] + seconds,
    }


def _can_correct(row: dict[str, Any], is_last: bool, is_rejected: bool) -> bool:
    is_over = row["response__correction__at"] is not None
    if is_over or row["enrollment__worker__blocked_at"] is not None or row["submitted_at"] is None:
        return False
    return may_correct(
        kind=row["kind"],
        enrollment_state=row["enrollment__state"],
        campaign_state=row["enrollment__campaign__state"],
        exam_is_hidden=row["enrollment__campaign__exam_is_hidden"],
        is_rejected=is_rejected,
        is_last=is_last,
        age=timezone.now() - row["submitted_at"],
        seconds=row["enrollment__campaign__correction_seconds"],
    )
