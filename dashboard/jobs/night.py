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


@dataclass(frozen=True, slots=True)
class Night:
    """`failed` are the steps that are the reader's: of their project's campaigns, and for
    superusers those that are for all."""

    hour: int | None  # at which `work` does it; None: cron does
    began: datetime | None  # None: there was none yet
    ended: datetime | None  # None: it is at work, or was broken off
    failed: list[NightStep]


def last_night(project: Project, user: Any) -> Night:
    """Two queries."""
    newest = NightStep.objects.order_by("-night", "-id").first()
    if newest is None:
        return Night(settings.NIGHT_HOUR, None, None, [])
    failed = _failed(Q(campaign__project=project) | _for_all(user))
    return Night(settings.NIGHT_HOUR, newest.night, newest.ended_at, failed)


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
    return [Need(f"In the night “{row.step}” has failed. {row.error}") for row in steps]
