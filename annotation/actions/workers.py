"""Workers come in by a signed link; no account, no address."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.actions import audit, recovery
from annotation.actions.assignments.claim import first_place, first_state
from annotation.actions.devices import worker_of_device
from annotation.actions.tokens import Link
from annotation.models import FIRST_LINK, Campaign, CampaignLink, Enrollment, Worker
from annotation.models.pseudonyms import public_name
from annotation.sentences import CodedError


class CannotJoin(CodedError):
    """The worker may not join; the message is for them."""


def join(
    link: Link,
    device: uuid.UUID | None = None,
    *,
    phrase: str = "",
    now: datetime | None = None,
    before_new: Callable[[], None] | None = None,
) -> Enrollment:
    """Enrol the worker of a link, or find the enrollment they have.

    A personal link names the worker. A public link finds the worker of the `phrase`, or, where
    the browser sends the same `device` again, the one it made before; else it makes a new one.
    Raises CannotJoin.
    `now` is for a history that is loaded after it happened. `before_new` is called before a public
    link enrolls somebody new; what it raises undoes the join.
    """
    rows = CampaignLink.objects.select_related("campaign")
    row = rows.filter(campaign__slug=link.campaign, number=link.number).first()
    campaign = row.campaign if row else Campaign.objects.filter(slug=link.campaign).first()
    if campaign is None:
        raise CannotJoin("join.no_campaign")
    if campaign.state == Campaign.State.DRAFT:
        raise CannotJoin("join.draft")
    with transaction.atomic():
        worker = _worker(campaign.platform, link, device or uuid.uuid4(), phrase)
        enrollment = Enrollment.objects.filter(campaign=campaign, worker=worker).first()
        if enrollment is None or enrollment.state == Enrollment.State.INVITED:
            now = now or timezone.now()
            _may_join(campaign, worker, invited=enrollment is not None)
            _takes_in(link, row, now)
            if enrollment is None and link.worker is None and before_new is not None:
                before_new()
            enrollment = _enrol(campaign, worker, enrollment, now)
    enrollment.campaign, enrollment.worker = campaign, worker
    return enrollment


def _worker(platform: str, link: Link, device: uuid.UUID, phrase: str) -> Worker:
    if link.worker is not None:
        return Worker.objects.get_or_create(platform=platform, external_id=link.worker)[0]
    if not phrase:
        return worker_of_device(platform, device)
    worker = recovery.worker_of_phrase(platform, phrase)
    if worker is None:
        raise CannotJoin("join.phrase")
    return worker


def set_state(enrollment: Enrollment, state: str, reason: str, *, user: Any = None) -> None:
    """Pause, block or let back in: audited, with the reason that the worker reads. What a person
    decided, no rule changes any more."""
    with transaction.atomic():
        row = Enrollment.objects.select_for_update().get(pk=enrollment.pk)
        before = {"state": row.state, "reason": str(row.reason or "")}
        row.state, row.state_reason, row.coded_reason = state, reason, None
        row.state_by = user.get_username() if user is not None else "command"
        row.overruled = True
        row.save(update_fields=["state", "state_reason", "coded_reason", "state_by", "overruled"])
        audit.record(
            row.campaign.project, "worker state", public_name(row), user=user,
            before=before, after={"state": state, "reason": reason},
        )  # fmt: skip


def _may_join(campaign: Campaign, worker: Worker, *, invited: bool) -> None:
    if campaign.state == Campaign.State.CLOSED:
        raise CannotJoin("join.closed")
    if campaign.is_assigned and not invited:
        raise CannotJoin("join.invitation")
    if worker.blocked_at is not None:
        raise CannotJoin("join.blocked")
    excluded = campaign.excludes.filter(enrollments__worker=worker).first()
    if excluded is not None:
        raise CannotJoin("join.excluded")


def _takes_in(link: Link, row: CampaignLink | None, now: datetime) -> None:
    """A campaign that never was for everybody has no first link that could be ended."""
    if row is None and link.number != FIRST_LINK:
        raise CannotJoin("join.unknown_link")
    if row is not None and row.has_ended(now):
        raise CannotJoin("join.ended_link")


def _enrol(
    campaign: Campaign, worker: Worker, invited: Enrollment | None, now: datetime
) -> Enrollment:
    place: dict[str, Any] = first_place(campaign)
    place["joined_at"] = now
    place["state"] = first_state(campaign)
    if invited is None:
        enrollment, _ = Enrollment.objects.get_or_create(
            campaign=campaign, worker=worker, defaults=place
        )
        return enrollment
    Enrollment.objects.filter(pk=invited.pk, state=Enrollment.State.INVITED).update(**place)
    invited.refresh_from_db()
    return invited
