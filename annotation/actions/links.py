"""The links of a campaign: New link adds one, End link ends one, and whoever has joined goes on."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from annotation.actions import audit
from annotation.models import (
    ANONYMOUS,
    FIRST_LINK,
    Campaign,
    CampaignLink,
    Enrollment,
    Worker,
)
from annotation.sentences import CodedError


class WrongLink(CodedError, ValueError):
    """A link can't be made or ended so; the message says why and what to do."""


def first_link(campaign: Campaign) -> None:
    """The one that a campaign for everybody begins with."""
    if not campaign.is_assigned:
        CampaignLink.objects.create(campaign=campaign, number=FIRST_LINK)


def create_link(
    campaign: Campaign, *, worker: str = "", note: str = "", ends_at: datetime | None = None,
    user: Any = None,
) -> CampaignLink:  # fmt: skip
    """For everybody or, with a name, for this one worker, who is invited. Audited.

    Raises WrongLink.
    """
    if campaign.state == Campaign.State.CLOSED:
        raise WrongLink("link.campaign_closed", campaign=campaign.slug)
    if ends_at is not None and ends_at <= timezone.now():
        raise WrongLink("link.past")
    if campaign.is_assigned and not worker:
        raise WrongLink("link.no_worker")
    if campaign.is_assigned and not _is_listed(campaign, worker):
        raise WrongLink("link.not_listed", worker=worker)
    with transaction.atomic():
        number = _next_number(campaign)
        person = _invited(campaign, [worker])[0].worker if worker else None
        link = CampaignLink.objects.create(
            campaign=campaign, number=number, worker=person, note=note, ends_at=ends_at
        )
        audit.record(
            campaign.project, "new link", campaign.slug, user=user,
            after={"number": number, "for": link.for_whom, "ends": ends_at and ends_at.isoformat()},
        )  # fmt: skip
    return link


def end_link(campaign: Campaign, number: int, *, user: Any = None) -> CampaignLink:
    """Nobody joins by it from now on. Audited. Raises WrongLink."""
    with transaction.atomic():
        rows = CampaignLink.objects.select_for_update(of=("self",)).select_related("worker")
        link = rows.filter(campaign=campaign, number=number).first()
        if link is None:
            raise WrongLink("link.no_number", campaign=campaign.slug, link=number)
        if link.ended_at is not None:
            raise WrongLink("link.ended", link=number)
        link.ended_at = timezone.now()
        link.ended_by = user if user is not None and user.is_authenticated else None
        link.save(update_fields=["ended_at", "ended_by"])
        audit.record(
            campaign.project, "end link", campaign.slug, user=user,
            after={"number": number, "for": link.for_whom},
        )  # fmt: skip
    return link


def invite(campaign: Campaign, names: Iterable[str]) -> dict[str, Enrollment]:
    """Make workers, invited enrollments and personal links; those that are there stay.

    name → enrollment, in a fixed number of queries. Raises WrongLink.
    """
    with transaction.atomic():
        number = _next_number(campaign)
        enrollments = _invited(campaign, list(dict.fromkeys(names)))
        people = [enrollment.worker_id for enrollment in enrollments]
        linked = CampaignLink.objects.filter(campaign=campaign, worker__in=people)
        there = set(linked.values_list("worker", flat=True))
        new = [person for person in people if person not in there]
        CampaignLink.objects.bulk_create(
            CampaignLink(campaign=campaign, number=number + place, worker_id=person)
            for place, person in enumerate(new)
        )
    return {enrollment.worker.external_id: enrollment for enrollment in enrollments}


def live_links(campaign: Campaign) -> QuerySet[CampaignLink]:
    """Those by which somebody can join, the oldest first."""
    ends_later = Q(ends_at=None) | Q(ends_at__gt=timezone.now())
    return CampaignLink.objects.filter(ends_later, campaign=campaign, ended_at=None)


def public_link(campaign: Campaign) -> CampaignLink | None:
    """The oldest that takes everybody in; None where each has ended, or a list says who."""
    return None if campaign.is_assigned else live_links(campaign).filter(worker=None).first()


def personal_links(campaign: Campaign, names: Iterable[str]) -> dict[str, CampaignLink]:
    """name → the newest link of this worker that takes them in. One query."""
    found = live_links(campaign).filter(worker__external_id__in=list(names))
    return {link.worker.external_id: link for link in found.select_related("worker") if link.worker}


def _invited(campaign: Campaign, names: list[str]) -> list[Enrollment]:
    if wrong := next((name for name in names if name.startswith(ANONYMOUS)), None):
        raise WrongLink("link.worker_name", worker=wrong, anonymous=ANONYMOUS)
    Worker.objects.bulk_create(
        [Worker(platform=campaign.platform, external_id=name) for name in names],
        ignore_conflicts=True,
    )
    workers = Worker.objects.filter(platform=campaign.platform, external_id__in=names)
    Enrollment.objects.bulk_create(
        [Enrollment(campaign=campaign, worker=worker) for worker in workers],
        ignore_conflicts=True,
    )
    rows = Enrollment.objects.filter(campaign=campaign, worker__external_id__in=names)
    return list(rows.select_related("worker").order_by("pk"))


def _next_number(campaign: Campaign) -> int:
    """Under a lock of the campaign's row, so that two who add links at once get two numbers. The
    first is the one that the campaign began with, also where there was none."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    links = CampaignLink.objects.filter(campaign=campaign)
    return max(links.aggregate(last=Max("number"))["last"] or 0, FIRST_LINK) + 1


def _is_listed(campaign: Campaign, name: str) -> bool:
    return campaign.enrollments.filter(worker__external_id=name).exists()
