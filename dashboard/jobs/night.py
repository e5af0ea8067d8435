"""When the night last ran, and what failed, for whoever may put it right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

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


@dataclass(frozen=True, slots=True)
class CampaignNight:
    """What the last night did for one campaign, and when the next one comes."""

    began: datetime | None  # None: there was none yet
    ended: datetime | None  # None: it is at work, or was broken off
    done: tuple[str, ...]  # steps of this campaign, in words
    failed: int  # of them
    due: datetime | None  # None: cron does it


def campaign_night(campaign: Campaign, now: datetime) -> CampaignNight:
    """One query."""
    steps = list(NightStep.objects.of_last_night().order_by("id").values_list(
        "night", "campaign", "step", "ended_at", "error"
    ).filter(Q(campaign=campaign) | Q(pk__in=_ends())))  # fmt: skip
    own = [step for step in steps if step[1] == campaign.pk]
    titles = (_title(step) for _, _, step, ended, error in own if ended and not error)
    return CampaignNight(
        began=steps[0][0] if steps else None,
        ended=steps[-1][3] if steps else None,
        done=tuple(dict.fromkeys(titles)),
        failed=sum(bool(error) for *_, error in own),
        due=_due(now),
    )


def _ends() -> Any:
    """The newest step of all: it says when the night was, and whether it has ended."""
    return NightStep.objects.order_by("-night", "-id").values("pk")[:1]


def _due(now: datetime) -> datetime | None:
    """The next time that it is NIGHT_HOUR."""
    if settings.NIGHT_HOUR is None:
        return None
    local = timezone.localtime(now)
    due = local.replace(hour=settings.NIGHT_HOUR, minute=0, second=0, microsecond=0)
    return due if due > local else due + timedelta(days=1)


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
            title=_title(name),
            campaigns=sum(row.campaign_id is not None for row in rows),
            failed=sum(bool(row.error) for row in rows),
            began=rows[0].started_at,
            seconds=_seconds(rows),
        )
        for name, rows in grouped.items()
    ]


def _title(step: str) -> str:
    name = step.split()[0]
    return TITLES.get(name, name.replace("_", " "))


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
