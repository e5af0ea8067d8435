"""Take an answer in, and give the next task with the same reply."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.actions.assignments import demand, money
from annotation.actions.assignments.claim import Next, claim_locked
from annotation.actions.assignments.turn import keep, lock
from annotation.actions.projects import label_numbers
from annotation.interfaces import Material, interface
from annotation.models import Assignment, Demand, Enrollment, Payment, Response

LONGEST_SECONDS = 24 * 3600.0


class UnknownAssignment(Exception):
    """There is no such assignment for this worker."""


class AssignmentClosed(Exception):
    """The worker gave this task back; it takes no answer any more."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """What became of the answer, and the worker's next task.

    `counted` is False for an answer that came so late that others had filled the task; `paid` is
    False where its pay did not fit the budget and waits for a manager.
    """

    next: Next
    duplicate: bool = False
    counted: bool = True
    paid: bool = True
    training_score: float | None = None


@dataclass(frozen=True, slots=True)
class _Clean:
    """An answer that has been read, judged and scored: all that needs no lock."""

    answer: dict[str, Any]
    judgments: bytes
    version: int
    seconds: float
    gold_score: float | None


def submit(enrollment_key: Any, assignment_key: Any, raw: Any, seconds: float = 0.0) -> Submitted:
    """Store the answer of one assignment once, pay it, count it, and claim the next task.

    Posted twice, the first answer stands and the reply is the same. An answer after the lease
    ran out is taken: counted while the task still wants one, stored in any case. Raises
    AnswerError (wrong field, nothing stored), UnknownAssignment, AssignmentClosed.
    """
    now = timezone.now()
    given = _load(enrollment_key, assignment_key)
    if given.state in (Assignment.State.SUBMITTED, Assignment.State.LATE):
        clean = None
    else:
        clean = _read(given, raw, seconds)  # before BEGIN: SQLite's writer must not wait for it
    with transaction.atomic():
        enrollment = lock(enrollment_key)
        if enrollment.lease_id == given.pk:
            state = Assignment.State.LEASED
        else:
            state = Assignment.objects.values_list("state", flat=True).get(pk=given.pk)
        if state == Assignment.State.RETURNED:
            raise AssignmentClosed(
                "You gave this task back, so it takes no answer any more. Go on with the next."
            )
        counted = paid = True
        duplicate = clean is None or state not in (
            Assignment.State.LEASED,
            Assignment.State.EXPIRED,
        )
        if not duplicate:
            if state == Assignment.State.LEASED:
                _finish_lease(given, now)
                enrollment.lease_id = None
            else:
                counted, paid = _finish_late(given, enrollment, now)
            _store(given, clean, enrollment, now, paid=paid)
            if counted:
                _score(given, clean, enrollment)
        following = claim_locked(enrollment, now)
        keep(enrollment, now)
    in_training = given.task.demand.kind == Demand.Kind.TRAINING
    return Submitted(
        following, duplicate, counted, paid, clean.gold_score if clean and in_training else None
    )


# --- Before the transaction ---------------------------------------------------------------------


def _load(enrollment_key: Any, assignment_key: Any) -> Assignment:
    given = (
        Assignment.objects.select_related(
            "task__document",
            "task__demand",
            "task__gold_question",
            "task__campaign__project",
        )
        .defer(
            "draft",
            "task__document__attributes",
            "task__document__metadata",
            "task__campaign__examples",
            "task__campaign__project__guidelines",
        )
        .filter(key=_as_uuid(assignment_key), enrollment__key=enrollment_key)
        .first()
    )
    if given is None:
        raise UnknownAssignment("There is no such task for you. Ask for the next one.")
    return given


def _read(given: Assignment, raw: Any, seconds: float) -> _Clean:
    kind = interface(given.task.campaign.interface)
    material = material_of(given.task)
    answer = kind.read(raw, material)
    numbers = label_numbers(given.task.campaign.project_id, kind.label_names(answer, material))
    score = None
    if given.task.demand.kind != Demand.Kind.PLAIN:
        gold = given.task.gold_question
        if gold.retired_at is None:
            score = kind.score_gold(answer, gold.answer, material, gold.tolerance)
    return _Clean(
        answer=answer,
        judgments=kind.judge(answer, material, numbers),
        version=kind.VERSION,
        seconds=min(max(seconds, 0.0), LONGEST_SECONDS),
        gold_score=score,
    )


def material_of(task: Any) -> Material:
    """What an interface needs, from a task loaded with document, campaign and project."""
    document, project = task.document, task.campaign.project
    return Material(
        schema=project.schema,
        options=task.campaign.options,
        payload=task.payload,
        text=document.text if document else "",
        tokens=document.tokens if document else [],
        sentences=document.sentences if document else [],
        text_direction=project.text_direction,
        language=project.language,
    )


# --- Inside the transaction ---------------------------------------------------------------------


def _finish_lease(given: Assignment, now: datetime) -> None:
    """Leased → submitted. The enrollment's lock makes this the only writer."""
    Assignment.objects.live().filter(pk=given.pk).update(
        state=Assignment.State.SUBMITTED, submitted_at=now, draft=None
    )
    if given.task.demand.kind == Demand.Kind.PLAIN:
        demand.receive(given.task_id)


def _finish_late(given: Assignment, enrollment: Enrollment, now: datetime) -> tuple[bool, bool]:
    """An answer to an expired lease: (is it counted, is there money for it)."""
    counted = given.task.demand.kind != Demand.Kind.PLAIN or demand.receive_late(given.task_id)
    state = Assignment.State.SUBMITTED if counted else Assignment.State.LATE
    Assignment.objects.filter(pk=given.pk).update(state=state, submitted_at=now, draft=None)
    pay = given.pay_mills
    if enrollment.allowance_mills >= pay:  # the expired lease's money still waits there
        enrollment.allowance_mills -= pay
        return counted, True
    return counted, money.reserve(enrollment.campaign, pay)


def _store(
    given: Assignment,
    clean: _Clean,
    enrollment: Enrollment,
    now: datetime,
    *,
    paid: bool,
) -> None:
    Response.objects.create(
        assignment=given,
        answer=clean.answer,
        judgments=clean.judgments,
        answer_version=clean.version,
        seconds=clean.seconds,
        received_at=now,
        gold_score=clean.gold_score,
    )
    if given.pay_mills:
        Payment.objects.create(
            worker_id=given.worker_id,
            campaign_id=enrollment.campaign_id,
            assignment=given,
            kind=Payment.Kind.BASE,
            mills=given.pay_mills,
            currency=enrollment.campaign.currency,
            state=Payment.State.EARNED if paid else Payment.State.UNFUNDED,
        )
    enrollment.submitted += 1
    enrollment.seconds += clean.seconds
    if paid:
        enrollment.earned_mills += given.pay_mills


def _score(given: Assignment, clean: _Clean, enrollment: Enrollment) -> None:
    """Gold counters. Training decides who qualifies; hidden gold is kept apart from it."""
    score = clean.gold_score
    if score is None:
        return
    if given.task.demand.kind == Demand.Kind.HIDDEN:
        enrollment.gold_seen += 1
        enrollment.gold_score_sum += score
        enrollment.gold_score_sumsq += score**2
        return
    enrollment.training_seen += 1
    enrollment.training_score_sum += score
    campaign, seen = enrollment.campaign, enrollment.training_seen
    if enrollment.state != Enrollment.State.TRAINING or seen < campaign.training_size:
        return
    mean = enrollment.training_score_sum / seen
    if mean >= campaign.pass_score:
        enrollment.state = Enrollment.State.QUALIFIED
        return
    enrollment.state = Enrollment.State.PAUSED
    enrollment.state_by = "qualification"
    enrollment.state_reason = (
        f"The practice tasks were {mean:.0%} right; {campaign.pass_score:.0%} are needed."
    )


def _as_uuid(key: Any) -> uuid.UUID:
    try:
        return key if isinstance(key, uuid.UUID) else uuid.UUID(str(key))
    except ValueError as error:
        raise UnknownAssignment("There is no such task for you. Ask for the next one.") from error
