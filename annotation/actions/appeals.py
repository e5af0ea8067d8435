"""A worker asks a person to look again at a pause or a rejection, and reads the answer."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.actions import audit, rejections, workers
from annotation.actions.assignments.turn import UnknownEnrollment
from annotation.models import Appeal, Campaign, Enrollment, Rejection
from annotation.models.pseudonyms import public_name
from annotation.querysets.workers import OUT
from annotation.sentences import CodedError, Problem
from annotation.sentences.reasons import TYPED, reason_of

MOST = 3  # about one pause or one rejection, as long as none is granted
LONGEST_TEXT = 2_000


class CannotAppeal(CodedError):
    """There is nothing to look at again, or it is looked at already. Written for the worker."""


class AnsweredAlready(CodedError):
    """Somebody else has answered this request in the meantime."""


def appeal(enrollment_key: Any, text: str, assignment_key: Any = None) -> Appeal:
    """Ask for a review of a rejection (`assignment_key`), or of the pause. Raises CannotAppeal."""
    with transaction.atomic():
        enrollment = (
            Enrollment.objects.select_for_update(of=("self",))
            .select_related("worker")
            .filter(key=enrollment_key)
            .first()
        )
        if enrollment is None:
            raise UnknownEnrollment("session.no_campaign")
        rejection = None
        if assignment_key is not None:
            rejection = _rejection(enrollment, assignment_key)
        elif not is_out(enrollment):
            raise CannotAppeal("appeal.not_paused")
        asked = Appeal.objects.filter(enrollment=enrollment, rejection=rejection)
        earlier = list(asked.order_by("-pk")[:MOST])
        if earlier and earlier[0].answered_at is None:
            raise CannotAppeal("appeal.asked")
        if len(since_granted(earlier)) >= MOST:
            raise CannotAppeal("appeal.most", number=MOST)
        return Appeal.objects.create(
            enrollment=enrollment, rejection=rejection, text=text, **_about(enrollment, rejection)
        )


def answer(request: Appeal, granted: bool, words: str, *, user: Any = None) -> None:
    """A manager's answer. Granted, the worker is let back in, or their rejection is taken back.

    Raises AnsweredAlready, and CannotAppeal where the worker is blocked on the whole platform.
    """
    with transaction.atomic():
        row = (
            Appeal.objects.select_for_update(of=("self",))
            .select_related("enrollment__campaign", "enrollment__worker", "rejection")
            .get(pk=request.pk)
        )
        if row.answered_at is not None:
            raise AnsweredAlready("appeal.answered")
        if granted:
            _grant(row, words, user)
        row.answered_at, row.answered_by = timezone.now(), user
        row.answer, row.granted = words, granted
        row.save(update_fields=["answered_at", "answered_by", "answer", "granted"])
        campaign = row.enrollment.campaign
        audit.record(
            campaign.project, "answer appeal", public_name(row.enrollment), user=user,
            before={"about": str(row.reason or "")}, after={"granted": granted, "answer": words},
        )  # fmt: skip
    request.refresh_from_db()


def let_in(enrollment: Enrollment, words: str, *, user: Any = None) -> None:
    """A manager lets a worker back in without being asked, or for a request that is open, which
    is answered by it. Raises as `answer` does."""
    with transaction.atomic():
        waiting = _waiting(enrollment, None)
        if waiting is not None:
            answer(waiting, True, words, user=user)
            return
        if enrollment.worker.blocked_at is not None:
            raise CannotAppeal("appeal.blocked")
        workers.set_state(enrollment, working_state(enrollment.campaign), words, user=user)


def take_back(rejection: Rejection, *, user: Any = None) -> None:
    """A manager takes a rejection back, and answers an open request about it with that. Raises as
    `answer` and `rejections.overturn` do."""
    with transaction.atomic():
        waiting = _waiting(rejection.assignment.enrollment, rejection)
        if waiting is not None:
            answer(waiting, True, "", user=user)
        else:
            rejections.overturn(rejection, user=user)


def _waiting(enrollment: Enrollment, rejection: Rejection | None) -> Appeal | None:
    return Appeal.objects.filter(
        enrollment=enrollment, rejection=rejection, answered_at=None
    ).first()


def last_about_pause(enrollment: Enrollment) -> tuple[Appeal | None, bool]:
    """The worker's last request about the pause that they are in, and whether they may ask (again).
    One query."""
    about_pauses = Appeal.objects.filter(enrollment=enrollment, rejection=None)
    asked = since_granted(about_pauses.order_by("-pk")[:MOST])
    is_open = bool(asked) and asked[0].answered_at is None
    may = is_out(enrollment) and not is_open and len(asked) < MOST
    return (asked[0] if asked else None), may


def is_out(enrollment: Enrollment) -> bool:
    return enrollment.state in OUT or enrollment.worker.blocked_at is not None


def why_out(enrollment: Enrollment) -> Problem | None:
    """The reason that a worker who is out was given; None where there is none."""
    if enrollment.state in OUT and enrollment.reason:  # else it is of before, as their state is
        return enrollment.reason
    return reason_of(None, enrollment.worker.block_reason)


def since_granted(asked: Iterable[Appeal]) -> list[Appeal]:
    """Of the newest first those about what is held against them now: one that was granted has
    settled what was before."""
    return list(takewhile(lambda each: not each.granted, asked))


def _about(enrollment: Enrollment, rejection: Rejection | None) -> dict[str, Any]:
    """What is asked about, as it was told, by columns of an Appeal."""
    if rejection is not None:
        return {"about": rejection.reason}
    is_paused = enrollment.state == Enrollment.State.PAUSED
    unsaid = Problem("work.none", reason="paused" if is_paused else "blocked")
    told = why_out(enrollment) or unsaid
    if told.code == TYPED:
        return {"about": told.params["why"]}
    return {"coded_about": told.stored()}


def _rejection(enrollment: Enrollment, assignment_key: Any) -> Rejection:
    found = Rejection.objects.standing_of(enrollment).filter(assignment__key=assignment_key).first()
    if found is None:
        raise CannotAppeal("appeal.not_rejected")
    return found


def _grant(row: Appeal, words: str, user: Any) -> None:
    if row.rejection is not None:
        if row.rejection.overturned_at is None:
            rejections.overturn(row.rejection, user=user)
        return
    if row.enrollment.worker.blocked_at is not None:
        raise CannotAppeal("appeal.blocked_first")
    workers.set_state(row.enrollment, working_state(row.enrollment.campaign), words, user=user)


def working_state(campaign: Campaign) -> str:
    """The state in which a worker who is let back in gets tasks."""
    if campaign.open_to == Campaign.OpenTo.SELECTED:
        return Enrollment.State.SELECTED
    return Enrollment.State.QUALIFIED
