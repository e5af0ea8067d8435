"""A manager rejects an answer, or takes that back. The answer itself stays as it was given.

Its pay is held back and stays reserved in the budget, so that taking the rejection back needs no
money that may be spent by then.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.actions import audit
from annotation.models import Assignment, Enrollment, Payment, Rejection
from annotation.querysets.assignments import HANDED_IN
from annotation.sentences import CodedError


class CannotReject(CodedError):
    """The answer can't be rejected, or the rejection not taken back; the message says why."""


def reject(assignment: Assignment, reason: str, *, user: Any = None) -> Rejection:
    """Hold the pay of an answer back, for the reason that its worker reads. Raises CannotReject."""
    if not reason.strip():
        raise CannotReject("rejection.no_reason")
    with transaction.atomic():
        row = _locked(assignment)
        if row.state not in HANDED_IN:
            raise CannotReject("rejection.no_answer", state=row.state)
        rejection, created = Rejection.objects.get_or_create(
            assignment=row, defaults={"reason": reason, "by": user}
        )
        if not created and rejection.overturned_at is None:
            raise CannotReject("rejection.rejected")
        pay = _base_pay(row)
        if pay is not None and pay.state in (Payment.State.SENT, Payment.State.PAID):
            raise CannotReject("rejection.paid")
        if not created:
            rejection.reason, rejection.by, rejection.overturned_at = reason, user, None
            rejection.save(update_fields=["reason", "by", "overturned_at"])
        _move(row, pay, Payment.State.EARNED, Payment.State.REJECTED)
        audit.record(
            row.enrollment.campaign.project, "reject answer", str(row.key), user=user,
            after={"reason": reason},
        )  # fmt: skip
    return rejection


def overturn(rejection: Rejection, *, user: Any = None) -> None:
    """Take a rejection back: the answer is paid after all. Raises CannotReject."""
    with transaction.atomic():
        row = _locked(rejection.assignment)
        again = Rejection.objects.get(pk=rejection.pk)
        if again.overturned_at is not None:
            raise CannotReject("rejection.taken_back")
        Rejection.objects.filter(pk=rejection.pk).update(overturned_at=timezone.now())
        _move(row, _base_pay(row), Payment.State.REJECTED, Payment.State.EARNED)
        audit.record(
            row.enrollment.campaign.project, "overturn rejection", str(row.key), user=user,
            before={"reason": again.reason},
        )  # fmt: skip
    rejection.refresh_from_db()


def _locked(assignment: Assignment) -> Assignment:
    """The assignment, with its worker's row locked as by every action on it."""
    enrollment = Enrollment.objects.select_for_update().get(pk=assignment.enrollment_id)
    row = Assignment.objects.get(pk=assignment.pk)
    row.enrollment = enrollment
    return row


def _base_pay(row: Assignment) -> Payment | None:
    return Payment.objects.filter(assignment=row, kind=Payment.Kind.BASE).first()


def _move(row: Assignment, pay: Payment | None, before: str, after: str) -> None:
    """The line's state, and with it what the worker has earned. A line that waits for money (it is
    no part of the earnings) stays as it is."""
    if pay is None or pay.state != before:
        return
    Payment.objects.filter(pk=pay.pk).update(state=after)
    mills = pay.mills if after == Payment.State.EARNED else -pay.mills
    Enrollment.objects.filter(pk=row.enrollment_id).update(earned_mills=F("earned_mills") + mills)
