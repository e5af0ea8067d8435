"""A campaign's links for its manager: for whom, until when, ended by whom, and their addresses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import F
from django.urls import reverse

from annotation.actions.tokens import token_of
from annotation.models import Campaign, CampaignLink

SHOWN = 50


@dataclass(frozen=True, slots=True)
class LinkRow:
    number: int
    for_whom: str
    is_personal: bool
    note: str
    ends_at: datetime | None
    ended_at: datetime | None  # by a person, or by its time
    ended_by: str
    address: str  # "" of one that has ended


@dataclass(frozen=True, slots=True)
class Links:
    live: list[LinkRow]
    ended: list[LinkRow]
    earlier: int  # page; 0: this is the first
    later: int  # page; 0: this is the last


def campaign_links(campaign: Campaign, now: datetime, page: int = 1) -> Links:
    """One query. Those that were not ended come first, the oldest first."""
    found = CampaignLink.objects.filter(campaign=campaign).select_related("worker", "ended_by")
    ordered = found.order_by(F("ended_at").desc(nulls_first=True), "number")
    first = (page - 1) * SHOWN
    rows = list(ordered[first : first + SHOWN + 1])
    shown = [link_row(row, campaign, now) for row in rows[:SHOWN]]
    return Links(
        live=[row for row in shown if row.ended_at is None],
        ended=[row for row in shown if row.ended_at is not None],
        earlier=page - 1,
        later=page + 1 if len(rows) > SHOWN else 0,
    )


def first_link(campaign: Campaign, now: datetime) -> LinkRow | None:
    """The oldest that everybody can join by; None of an assigned or closed campaign. One query."""
    if campaign.is_assigned or campaign.state == Campaign.State.CLOSED:
        return None
    found = CampaignLink.objects.filter(campaign=campaign, worker=None, ended_at=None)
    rows = [
        link_row(link, campaign, now)
        for link in found.select_related("ended_by").order_by("number")[:5]
    ]
    return next((row for row in rows if row.address), None)


def link_row(link: CampaignLink, campaign: Campaign, now: datetime) -> LinkRow:
    link.campaign = campaign
    ended = link.has_ended(now)
    return LinkRow(
        number=link.number,
        for_whom=link.for_whom,
        is_personal=link.worker is not None,
        note=link.note if link.worker else "",
        ends_at=link.ends_at,
        ended_at=(link.ended_at or link.ends_at) if ended else None,
        ended_by=link.ended_by.get_username() if link.ended_by else "",
        address="" if ended else f"{settings.SITE_URL}{reverse('join', args=[token_of(link)])}",
    )
