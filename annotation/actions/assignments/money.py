"""Money inside a campaign: what is promised never passes the budget.

    sum of the funded ledger lines + pay of live leases + allowances = committed <= budget

A worker gets an allowance, a few tasks' pay at once, so that the campaign's row is written once
in twenty claims. Before their first answer it is one task's pay: joining costs nothing, and those
who only join would hold the budget. Within `committed`, money moves from allowance to lease to
ledger and back.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import F, Min, Q, QuerySet
from django.utils import timezone

from annotation.models import Campaign, Enrollment
from annotation.querysets import compiled

CHUNK = 20  # tasks that one allowance pays for, at most
SHARE = 200  # one allowance takes at most this part of what is left


def fund(enrollment: Enrollment, campaign: Campaign, now: datetime) -> bool:
    """Make the allowance cover one more task; True if it does.

    Sets `enrollment.allowance_mills`, which the caller saves. Ends by return value, never by an
    exception: a claim that finds no money must not undo the submit of its transaction.
    """
    pay = campaign.pay_mills
    if enrollment.allowance_mills >= pay:
        return True
    chunk = CHUNK if enrollment.submitted else 1
    if campaign.budget_mills is not None:
        left = max(0, campaign.budget_mills - campaign.committed_mills) // pay
        chunk = max(1, min(chunk, left // SHARE))
    for tasks in dict.fromkeys((chunk, 1)):
        if reserve(campaign, tasks * pay):
            enrollment.allowance_mills += tasks * pay
            return True
    if reclaim_idle(campaign, now, but=enrollment) and reserve(campaign, pay):
        enrollment.allowance_mills += pay
        return True
    return False


def reserve(campaign: Campaign, mills: int) -> bool:
    """Take `mills` out of the budget; False, and nothing taken, where it does not hold them.

    `campaign` itself knows of it too: what is left is told from it in the same request.
    """
    taken = RESERVE.run(campaign=campaign.pk, mills=mills)
    if taken:
        campaign.committed_mills += mills
    return bool(taken)


def _reserve(campaign: int, mills: int) -> tuple[QuerySet, dict[str, Any]]:
    rows = Campaign.objects.filter(
        Q(budget_mills=None) | Q(committed_mills__lte=F("budget_mills") - mills), pk=campaign
    )
    return rows, {"committed_mills": F("committed_mills") + mills}


RESERVE = compiled.Update(_reserve, campaign=Campaign.id, mills=Campaign.committed_mills)


def release(enrollment: Enrollment, campaign: Campaign, mills: int) -> None:
    """Put `mills` of the allowance, which the caller saves, back into the budget."""
    enrollment.allowance_mills -= mills
    put_back(campaign, mills)


def put_back(campaign: Campaign, mills: int) -> None:
    """What nobody is promised any more goes back into the budget."""
    Campaign.objects.filter(pk=campaign.pk).update(committed_mills=F("committed_mills") - mills)
    campaign.committed_mills -= mills


def reclaim_idle(campaign: Campaign, now: datetime, *, but: Enrollment | None = None) -> int:
    """Sweep back the allowances of workers who have not been seen for a lease; mills won.

    Rows that somebody has locked are left: their worker is not idle.
    """
    idle = Enrollment.objects.filter(
        campaign=campaign,
        allowance_mills__gt=0,
        seen_at__lt=now - timedelta(minutes=campaign.lease_minutes),
    )
    if but is not None:
        idle = idle.exclude(pk=but.pk)
    if connection.features.has_select_for_update_skip_locked:
        idle = idle.select_for_update(skip_locked=True)
    held = dict(idle.order_by("pk").values_list("pk", "allowance_mills"))
    won = sum(held.values())
    if won:
        Enrollment.objects.filter(pk__in=held).update(allowance_mills=0)
        put_back(campaign, won)
    return won


def sweep_allowances() -> int:
    """Put back what idle workers hold, in every campaign; mills won. One query where nobody is
    idle: the loop asks each minute."""
    now, won = timezone.now(), 0
    holders = Enrollment.objects.filter(allowance_mills__gt=0).order_by()
    seen_first = holders.values_list("campaign").annotate(Min("seen_at"))
    idle = [
        pk
        for pk, minutes, seen in seen_first.values_list(
            "campaign", "campaign__lease_minutes", "seen_at__min"
        )
        if seen is not None and seen < now - timedelta(minutes=minutes)
    ]
    for campaign in Campaign.objects.filter(pk__in=idle).order_by("pk"):
        with transaction.atomic():
            won += reclaim_idle(campaign, now)
    return won
