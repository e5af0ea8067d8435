"""What needs a manager about workers and gold: too few left, suspicious questions, flags."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Count

from annotation.models import Campaign
from annotation.querysets.workers import OUT
from dashboard.needs import Need
from dashboard.workers.selections import WorkerPool, pool
from selection.models import GoldCheck, WorkerFlag


def needs(campaign: Campaign, now: datetime, with_gold: bool) -> list[Need]:
    """Three queries; none for a closed campaign."""
    if campaign.state == Campaign.State.CLOSED:
        return []
    return [*_pool(campaign, now), *(_gold(campaign) if with_gold else ()), *_flags(campaign)]


def _pool(campaign: Campaign, now: datetime) -> list[Need]:
    """Before anybody was paused, few workers mean that the campaign has only begun."""
    left = pool(campaign, now, with_pace=False)
    if not left.is_too_small or not (left.paused or left.only_selected):
        return []
    return [
        Need(*_too_small(left), button="See selection", tone="warn", page="manage:selection"),
    ]


def _too_small(left: WorkerPool) -> tuple[str, str]:
    workers = f"{left.size:,} worker{' is' if left.size == 1 else 's are'}"
    which = "selected, and the others get no task" if left.only_selected else "left who get tasks"
    return (
        f"Each task wants {left.wanted:,} answers of different workers, but {workers} {which}.",
        "Keep more, or let some back in.",
    )


def _gold(campaign: Campaign) -> list[Need]:
    found = GoldCheck.objects.filter(
        question__task__campaign=campaign, suspicious=True, question__retired_at=None
    ).count()
    if not found:
        return []
    said = "1 gold question is" if found == 1 else f"{found:,} gold questions are"
    those = "it" if found == 1 else "them"
    return [
        Need(f"{said} suspicious.", f"Good workers fail {those}. Correct or retire {those}.",
             button="Check gold", icon="seal", page="manage:gold"),
    ]  # fmt: skip


def _flags(campaign: Campaign) -> list[Need]:
    """Whoever is stopped needs no look any more."""
    standing = WorkerFlag.objects.standing().filter(enrollment__campaign=campaign)
    found = standing.exclude(enrollment__state__in=OUT).aggregate(
        workers=Count("enrollment", distinct=True)
    )["workers"]
    if not found:
        return []
    said = "1 worker is" if found == 1 else f"{found:,} workers are"
    return [
        Need(f"{said} flagged.", "Too fast, always the same, or by chance.",
             button="See evidence", tone="warn", page="manage:workers", query="flag=any"),
    ]  # fmt: skip
