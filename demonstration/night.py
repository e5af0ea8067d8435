"""A night of the demonstration: steps that `manage.py night` has, done here and now and recorded as
there, so that the pages that tell of the last night have one to tell of."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO

from django.core.management import call_command

from annotation.actions import locks
from annotation.actions.night import begin_night, begin_step, end_step
from annotation.models import Campaign, NightStep

BEFORE, AFTER = ("expire_assignments", "score_gold"), ("check_integrity",)


def run_night(methods: Mapping[str, str]) -> None:
    """Once; `methods`: of the aggregation of each campaign, by its slug."""
    if NightStep.objects.exists():
        return
    with locks.hold("night"):
        night = begin_night()
        steps: list[tuple[str, Campaign | None]] = [(step, None) for step in BEFORE]
        for campaign in Campaign.objects.filter(slug__in=methods).order_by("pk"):
            method = methods[campaign.slug]
            steps.append((f"aggregate --campaign={campaign.slug} --method={method}", campaign))
        steps += [(step, None) for step in AFTER]
        for step, of in steps:
            row = begin_step(night, step, of)
            call_command(*step.split(), stdout=StringIO(), stderr=StringIO())
            end_step(row)
