"""A worker takes another look at their last answer, and corrects it once."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.actions.assignments.reading import load, read
from annotation.actions.assignments.turn import lock
from annotation.models import Assignment, Campaign, Correction, Demand, Enrollment, Rejection
from annotation.querysets.assignments import HANDED_IN
from annotation.querysets.workers import OUT
from annotation.sentences import CodedError

TESTED = (Demand.Kind.TRAINING, Demand.Kind.EXAM)  # the worker knows of these what they are


class CannotCorrect(CodedError):
    """The answer stands as it is. Written for the worker."""


def correct(
    enrollment_key: Any, assignment_key: Any, raw: Any, *, now: datetime | None = None
) -> Correction:
    """Let `raw` count in the place of an answer that was handed in. Sent twice, it is one.

    The response, its lease, its place in the demand and its pay stay, and gold is scored on the
    first answer. Raises AnswerError, UnknownAssignment, CannotCorrect.
    """
    now = now or timezone.now()
    submission = load(enrollment_key, assignment_key)
    if submission.state not in HANDED_IN:
        raise CannotCorrect("correction.not_handed_in")
    clean = read(submission, raw, 0.0)
    with transaction.atomic():
        enrollment = lock(enrollment_key, with_lease=False)
        there = Correction.objects.filter(pk=submission.pk).select_related("response").first()
        if there is not None:
            if there.answer == clean.answer:
                return there
            if there.response.corrected_at is None:  # its judgments were damaged, and repaired
                raise CannotCorrect("correction.over")
            raise CannotCorrect("correction.once")
        row = Assignment.objects.get(pk=submission.pk)
        later = Assignment.objects.handed_in().filter(
            enrollment=enrollment, submitted_at__gt=row.submitted_at
        )
        allowed = may_correct(
            kind=submission.kind,
            enrollment_state=enrollment.state,
            campaign_state=enrollment.campaign.state,
            exam_is_hidden=enrollment.campaign.exam_is_hidden,
            is_rejected=Rejection.objects.standing().filter(assignment=row).exists(),
            is_last=not later.exists(),
            age=now - (row.submitted_at or now),
            seconds=enrollment.campaign.correction_seconds,
        )
        if enrollment.worker.blocked_at is not None or not allowed:
            raise CannotCorrect("correction.over")
        return Correction.objects.create(
            response_id=submission.pk,
            answer=clean.answer,
            judgments=clean.judgments,
            answer_version=clean.version,
            at=now,
        )


def may_correct(
    *, kind: int, enrollment_state: str, campaign_state: str, exam_is_hidden: bool,
    is_rejected: bool, is_last: bool, age: timedelta, seconds: int,
) -> bool:  # fmt: skip
    """Whether an answer without a correction can have one. Practice and test can't be corrected.
    Where the test is drawn from the hidden gold, nothing can be: to allow work alone would tell
    which tasks were a test. Hidden gold is treated as any other task."""
    works = enrollment_state not in (*OUT, Enrollment.State.TRAINING, Enrollment.State.EXAM)
    running = campaign_state in (Campaign.State.OPEN, Campaign.State.PAUSED)
    in_time = is_last or age <= timedelta(seconds=seconds)
    return (
        works and running and in_time and not is_rejected and not exam_is_hidden
        and kind not in TESTED
    )  # fmt: skip
