"""Take an answer in, and give the next task with the same reply."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from annotation.actions.assignments import demand, money
from annotation.actions.assignments.claim import Next, claim_locked
from annotation.actions.assignments.leases import keep_events
from annotation.actions.assignments.qualification import end_exam, end_training
from annotation.actions.assignments.turn import find_lease, keep, lock
from annotation.actions.bulk import batches
from annotation.actions.feedback import feedback_on
from annotation.actions.projects import label_numbers
from annotation.interfaces import AnswerError, Material, interface, links, pay_due
from annotation.interfaces.answers import Answer
from annotation.interfaces.reading import MOST_ERRORS
from annotation.models import (
    Assignment,
    Demand,
    Enrollment,
    Entity,
    GoldQuestion,
    Payment,
    Response,
)
from annotation.models.materials import MATERIAL_COLUMNS, material_of
from annotation.querysets.tasks import MEASURING
from annotation.sentences import CodedError, Problem, shown

LINKS_AT_ONCE = 500  # SQLite takes so many parameters without asking
LONGEST_SECONDS = 24 * 3600.0
TASK = [
    "task__campaign__interface", "task__campaign__project",
    *(f"task__{column}" for column in MATERIAL_COLUMNS),
]  # fmt: skip


class UnknownAssignment(CodedError):
    """There is no such assignment for this worker."""


class AssignmentClosed(CodedError):
    """The worker gave this task back; it takes no answer any more."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """What became of the answer, and the worker's next task.

    `counted` is False for an answer that came so late that others had filled the task; `paid` is
    False where its pay did not fit the budget and waits for a manager. `pay_mills` is what the
    answer brings: less than was promised where parts of it were left undecided.
    """

    next: Next
    duplicate: bool = False
    counted: bool = True
    paid: bool = True
    pay_mills: int = 0
    training_score: float | None = None
    feedback: dict[str, Any] | None = None  # to practice alone


@dataclass(frozen=True, slots=True)
class _Submission:
    """An assignment as it was before the transaction, with what its answer is checked against."""

    pk: int
    state: str
    task_id: int
    worker_id: int
    pay_mills: int
    kind: int
    gold: Answer | None  # of a question that is not retired
    tolerance: int
    interface: str
    project_id: int
    material: Material


@dataclass(frozen=True, slots=True)
class _Clean:
    """An answer that has been read, judged and scored: all that needs no lock."""

    answer: Answer
    judgments: bytes
    version: int
    seconds: float
    gold_score: float | None
    pay_mills: int  # what is due


def submit(
    enrollment_key: Any, assignment_key: Any, raw: Any, seconds: float = 0.0,
    *, events: Iterable[dict] = (), now: datetime | None = None,
) -> Submitted:  # fmt: skip
    """Store the answer of one assignment once, pay it, count it, and claim the next task.

    Posted twice, the first answer stands and the reply is the same. An answer after the lease
    ran out is taken: counted while the task still wants one, stored in any case. Raises
    AnswerError (wrong field, nothing stored), UnknownAssignment, AssignmentClosed.

    `events` are the page's last ones, kept with the answer as `log_events` keeps them. `now` is
    for a history that is loaded after it happened.
    """
    now = now or timezone.now()
    submission = _load(enrollment_key, assignment_key)
    if submission.state in (Assignment.State.SUBMITTED, Assignment.State.LATE):
        clean = None
    else:
        clean = _read(
            submission, raw, seconds
        )  # before BEGIN: SQLite's writer must not wait for it
    duplicate, counted, paid, pay = False, True, True, submission.pay_mills
    score = clean.gold_score if clean is not None else None
    with transaction.atomic():
        enrollment = lock(enrollment_key, with_lease=False)
        if clean is None or not _finish_lease(submission, clean, enrollment, now):
            find_lease(enrollment)
            state, stored_score, stored_pay = Assignment.objects.values_list(
                "state", "response__gold_score", "pay_mills"
            ).get(pk=submission.pk)
            if state == Assignment.State.RETURNED:
                raise AssignmentClosed("assignment.returned")
            duplicate = state != Assignment.State.EXPIRED
            if duplicate:  # the same reply as the first time
                counted, paid = state == Assignment.State.SUBMITTED, not _is_unfunded(submission)
                score, pay = stored_score, stored_pay
            elif clean is not None:
                counted, paid = _finish_late(submission, clean, enrollment, now)
        keep_events(submission.pk, events)
        if clean is not None and not duplicate:
            pay = clean.pay_mills
            _store(submission, clean, enrollment, now, paid=paid)
            if counted:
                _score(submission, clean, enrollment)
        following = claim_locked(enrollment, now)
        keep(enrollment, now)
    if submission.kind != Demand.Kind.TRAINING or score is None:
        return Submitted(following, duplicate, counted, paid, pay)
    told = feedback_on(submission.pk)
    if told is not None:  # the question may have been corrected since
        score = told["score"]
    return Submitted(following, duplicate, counted, paid, pay, score, told)


# --- Before the transaction ---------------------------------------------------------------------


def _load(enrollment_key: Any, assignment_key: Any) -> _Submission:
    """One read. Demand and gold are subqueries: as joins they would make it one of eight tables,
    which PostgreSQL takes three times as long to plan."""
    gold = GoldQuestion.objects.standing().filter(task=OuterRef("task"))
    rows = (
        Assignment.objects.filter(key=_as_uuid(assignment_key), enrollment__key=enrollment_key)
        .order_by()
        .annotate(
            kind=Subquery(Demand.objects.filter(task=OuterRef("task")).values("kind")[:1]),
            gold=Subquery(gold.values("answer")[:1]),
            tolerance=Subquery(gold.values("tolerance")[:1]),
        )
        .values("pk", "state", "task", "worker", "pay_mills", "kind", "gold", "tolerance", *TASK)
    )[:1]
    for found in rows:
        return _Submission(
            pk=found["pk"],
            state=found["state"],
            task_id=found["task"],
            worker_id=found["worker"],
            pay_mills=found["pay_mills"],
            kind=found["kind"],
            gold=found["gold"],
            tolerance=found["tolerance"] or 0,
            interface=found["task__campaign__interface"],
            project_id=found["task__campaign__project"],
            material=material_of(found, "task__"),
        )
    raise UnknownAssignment("assignment.unknown")


def _read(submission: _Submission, raw: Any, seconds: float) -> _Clean:
    kind, material = interface(submission.interface), submission.material
    answer = kind.read(raw, material)
    _check_links(submission, raw)
    numbers = label_numbers(submission.project_id, kind.label_names(answer, material))
    # Every answer is scored, if only against itself: gold takes no longer than other work.
    score = kind.score_gold(answer, submission.gold or answer, material, submission.tolerance)
    return _Clean(
        answer=answer,
        judgments=kind.judge(answer, material, numbers),
        version=kind.VERSION,
        seconds=min(max(seconds, 0.0), LONGEST_SECONDS),
        gold_score=None if submission.gold is None else score,
        pay_mills=pay_due(submission.interface, answer, material, submission.pay_mills),
    )


def _check_links(submission: _Submission, raw: Any) -> None:
    """Links lead to entries of the knowledge base, or to what the task itself suggested: a name
    that a worker made up would stand in the project's vocabulary for good. No query where there
    is no link. Raises AnswerError, by the paths of what was sent."""
    wanted = links(submission.interface, raw)
    if not wanted:
        return
    suggested = submission.material.payload.get("suggestions") or {}
    unknown = set(wanted.values()) - set(links(submission.interface, suggested).values())
    for keys in batches(sorted(unknown), LINKS_AT_ONCE):
        entries = Entity.objects.filter(project=submission.project_id, key__in=keys)
        unknown.difference_update(entries.values_list("key", flat=True))
    if unknown:
        problems = [
            Problem("link.unknown", path, key=shown(key))
            for path, key in wanted.items()
            if key in unknown
        ]
        raise AnswerError(problems[:MOST_ERRORS])


# --- Inside the transaction ---------------------------------------------------------------------


def _finish_lease(
    submission: _Submission, clean: _Clean, enrollment: Enrollment, now: datetime
) -> bool:
    """Leased → submitted, where it is still leased: the number of rows decides. What the answer
    leaves of the lease's money goes back to the budget."""
    pay = clean.pay_mills
    finished = (
        Assignment.objects.live()
        .filter(pk=submission.pk)
        .update(state=Assignment.State.SUBMITTED, submitted_at=now, draft=None, pay_mills=pay)
    )
    if finished:  # for gold it changes no row: the same statements, whatever the task is
        demand.receive(submission.task_id)
        if pay < submission.pay_mills:
            money.put_back(enrollment.campaign, submission.pay_mills - pay)
    return bool(finished)


def _finish_late(
    submission: _Submission, clean: _Clean, enrollment: Enrollment, now: datetime
) -> tuple[bool, bool]:
    """An answer to an expired lease: (is it counted, is there money for it)."""
    pay = clean.pay_mills
    counted = submission.kind != Demand.Kind.PLAIN or demand.receive_late(submission.task_id)
    state = Assignment.State.SUBMITTED if counted else Assignment.State.LATE
    Assignment.objects.filter(pk=submission.pk).update(
        state=state, submitted_at=now, draft=None, pay_mills=pay
    )
    if enrollment.allowance_mills >= pay:  # the expired lease's money still waits there
        enrollment.allowance_mills -= pay
        return counted, True
    return counted, money.reserve(enrollment.campaign, pay)


def _is_unfunded(submission: _Submission) -> bool:
    unfunded = Payment.objects.filter(
        assignment=submission.pk, kind=Payment.Kind.BASE, state=Payment.State.UNFUNDED
    )
    return unfunded.exists()


def _store(
    submission: _Submission,
    clean: _Clean,
    enrollment: Enrollment,
    now: datetime,
    *,
    paid: bool,
) -> None:
    Response.objects.create(
        assignment_id=submission.pk,
        answer=clean.answer,
        judgments=clean.judgments,
        answer_version=clean.version,
        seconds=clean.seconds,
        received_at=now,
        gold_score=None if _proves_nothing(submission, enrollment) else clean.gold_score,
    )
    if clean.pay_mills:
        Payment.objects.create(
            worker_id=submission.worker_id,
            campaign_id=enrollment.campaign_id,
            assignment_id=submission.pk,
            kind=Payment.Kind.BASE,
            mills=clean.pay_mills,
            currency=enrollment.campaign.currency,
            state=Payment.State.EARNED if paid else Payment.State.UNFUNDED,
        )
    enrollment.submitted += 1
    enrollment.seconds += clean.seconds
    if paid:
        enrollment.earned_mills += clean.pay_mills


def _score(submission: _Submission, clean: _Clean, enrollment: Enrollment) -> None:
    """Gold counters. Practice and exam decide who qualifies; how good a worker is, hidden gold and
    the first try of the exam tell."""
    score = clean.gold_score
    if score is None:
        return
    exam = enrollment.state == Enrollment.State.EXAM
    if submission.kind == enrollment.campaign.exam_kind and exam:
        enrollment.exam_seen += 1
        enrollment.exam_score_sum += score
    if submission.kind in MEASURING and not _proves_nothing(submission, enrollment):
        enrollment.gold_seen += 1
        enrollment.gold_score_sum += score
        enrollment.gold_score_sumsq += score**2
    if exam and enrollment.exam_seen >= enrollment.campaign.exam_size:
        end_exam(enrollment)
    if submission.kind != Demand.Kind.TRAINING:
        return
    enrollment.training_seen += 1
    enrollment.training_score_sum += score
    training = enrollment.state == Enrollment.State.TRAINING
    if training and enrollment.training_seen >= enrollment.campaign.training_size:
        end_training(enrollment)


def _proves_nothing(submission: _Submission, enrollment: Enrollment) -> bool:
    """What is shown at a second try of the test may have been learnt from the first."""
    hidden = submission.kind == Demand.Kind.HIDDEN and enrollment.state == Enrollment.State.EXAM
    return enrollment.tries > 0 and (hidden or submission.kind == Demand.Kind.EXAM)


def _as_uuid(key: Any) -> uuid.UUID:
    try:
        return key if isinstance(key, uuid.UUID) else uuid.UUID(str(key))
    except ValueError as error:
        raise UnknownAssignment("assignment.unknown") from error
