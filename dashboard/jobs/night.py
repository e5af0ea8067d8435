"""When the night last ran, and what failed, for whoever may put it right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Q

from annotation.models import Campaign, NightStep, Project
from dashboard.needs import Need

TITLES = {  # of the steps, by their commands; others are told by these
    "expire_assignments": "End leases",
    "score_gold": "Score gold answers",
    "aggregate": "Run aggregation",
    "check_gold": "Check gold questions",
    "flag_workers": "Flag workers",
    "select_workers": "Select workers",
    "adjust_redundancy": "Ask for answers where there is doubt",
    "prune_runs": "Delete old runs",
    "clear_models": "Delete old models",
    "clear_log_ins": "Delete old log-ins",
    "clear_jobs": "Delete old jobs",
    "check_integrity": "Check integrity",
}


@dataclass(frozen=True, slots=True)
class NightLine:
    """A step with all of the campaigns that it was done for."""

    title: str
    campaigns: int  # 0: it is for all at once
    failed: int
    began: datetime
    seconds: float | None  # None: it has not ended


@dataclass(frozen=True, slots=True)
class Night:
    """`steps` and `failed` are what is the reader's: of their project's campaigns, and for
    superusers what is for all."""

    hour: int | None  # at which `work` does it; None: cron does
    began: datetime | None  # None: there was none yet
    ended: datetime | None  # None: it is at work, or was broken off
    steps: list[NightLine]
    failed: list[NightStep]


def last_night(project: Project, user: Any) -> Night:
    """Two queries."""
    newest = NightStep.objects.order_by("-night", "-id").first()
    if newest is None:
        return Night(settings.NIGHT_HOUR, None, None, [], [])
    mine = Q(campaign__project=project) | _for_all(user)
    rows = NightStep.objects.filter(mine, night=newest.night).select_related("campaign")
    steps = list(rows.order_by("id"))
    failed = [row for row in steps if row.error]
    return Night(settings.NIGHT_HOUR, newest.night, newest.ended_at, _lines(steps), failed)


def _lines(steps: list[NightStep]) -> list[NightLine]:
    """In the order in which they began."""
    grouped: dict[str, list[NightStep]] = {}
    for row in steps:
        grouped.setdefault(row.step.split()[0], []).append(row)
    return [
        NightLine(
            title=TITLES.get(name, name.replace("_", " ")),
            campaigns=sum(row.campaign_id is not None for row in rows),
            failed=sum(bool(row.error) for row in rows),
            began=rows[0].started_at,
            seconds=_seconds(rows),
        )
        for name, rows in grouped.items()
    ]


def _seconds(rows: list[NightStep]) -> float | None:
    if not all(row.ended_at for row in rows):
        return None
    return sum((row.ended_at - row.started_at).total_seconds() for row in rows if row.ended_at)


def failed_steps(campaign: Campaign) -> list[Need]:
    """Of the last night, those of this campaign. One query."""
    return _needs(_failed(Q(campaign=campaign)))


def failed_steps_for_all(user: Any) -> list[Need]:
    """Of the last night, those that are of no campaign: the superusers' to put right. One query."""
    return _needs(_failed(_for_all(user))) if user.is_superuser else []


def _for_all(user: Any) -> Q:
    return Q(campaign=None) if user.is_superuser else Q(pk=None)


def _failed(mine: Q) -> list[NightStep]:
    steps = NightStep.objects.of_last_night().failed().filter(mine)
    return list(steps.select_related("campaign"))


def _needs(steps: Iterable[NightStep]) -> list[Need]:
    return [
        Need(f"In the night “{row.step}” has failed.", row.error, icon="alert", tone="danger")
        for row in steps
    ]
