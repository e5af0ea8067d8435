"""Take an answer in, and give the next task with the same reply."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.actions.assignments import demand, money
from annotation.actions.assignments.claim import Next, claim_locked
from annotation.actions.assignments.leases import keep_events
from annotation.actions.assignments.qualification import end_exam, end_training
from annotation.actions.assignments.reading import Clean, Submission, load, read
from annotation.actions.assignments.turn import find_lease, keep, lock
from annotation.actions.feedback import feedback_on
from annotation.models import (
    Assignment,
    Demand,
    Enrollment,
    Payment,
    Response,
)
from annotation.querysets import compiled
from annotation.querysets.tasks import MEASURING
from annotation.sentences import CodedError


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
    submission = load(enrollment_key, assignment_key)
    if submission.state in (Assignment.State.SUBMITTED, Assignment.State.LATE):
        clean = None
    else:
        clean = read(submission, raw, seconds)  # before BEGIN: SQLite's writer must not wait for it
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


def _finish_lease(
    submission: Submission, clean: Clean, enrollment: Enrollment, now: datetime
) -> bool:
    """Leased → submitted, where it is still leased: the number of rows decides. What the answer
    leaves of the lease's money goes back to the budget."""
    pay = clean.pay_mills
    finished = FINISH.run(pk=submission.pk, now=now, pay=pay)
    if finished:  # for gold it changes no row: the same statements, whatever the task is
        demand.receive(submission.task_id)
        if pay < submission.pay_mills:
            money.put_back(enrollment.campaign, submission.pay_mills - pay)
    return bool(finished)


FINISH = compiled.Update(
    lambda pk, now, pay: (
        Assignment.objects.live().filter(pk=pk),
        {
            "state": Assignment.State.SUBMITTED,
            "submitted_at": now,
            "draft": None,
            "pay_mills": pay,
        },
    ),
    pk=Assignment.id,
    now=Assignment.submitted_at,
    pay=Assignment.pay_mills,
)


def _finish_late(
    submission: Submission, clean: Clean, enrollment: Enrollment, now: datetime
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


def _is_unfunded(submission: Submission) -> bool:
    unfunded = Payment.objects.filter(
        assignment=submission.pk, kind=Payment.Kind.BASE, state=Payment.State.UNFUNDED
    )
    return unfunded.exists()


def _store(
    submission: Submission,
    clean: Clean,
    enrollment: Enrollment,
    now: datetime,
    *,
    paid: bool,
) -> None:
    response = Response(
        assignment_id=submission.pk,
        answer=clean.answer,
        judgments=clean.judgments,
        answer_version=clean.version,
        seconds=clean.seconds,
        received_at=now,
        gold_score=None if _proves_nothing(submission, enrollment) else clean.gold_score,
    )
    compiled.insert(response)
    if clean.pay_mills:
        payment = Payment(
            worker_id=submission.worker_id,
            campaign_id=enrollment.campaign_id,
            assignment_id=submission.pk,
            kind=Payment.Kind.BASE,
            mills=clean.pay_mills,
            currency=enrollment.campaign.currency,
            state=Payment.State.EARNED if paid else Payment.State.UNFUNDED,
        )
        compiled.insert(payment)
    enrollment.submitted += 1
    enrollment.seconds += clean.seconds
    if paid:
        enrollment.earned_mills += clean.pay_mills


def _score(submission: Submission, clean: Clean, enrollment: Enrollment) -> None:
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


def _proves_nothing(submission: Submission, enrollment: Enrollment) -> bool:
    """What is shown at a second try of the test may have been learnt from the first."""
    hidden = submission.kind == Demand.Kind.HIDDEN and enrollment.state == Enrollment.State.EXAM
    return enrollment.tries > 0 and (hidden or submission.kind == Demand.Kind.EXAM)
