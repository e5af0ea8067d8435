"""What waits for somebody in each section, for the bar of every page; and the jobs at work.

Two queries for a campaign, one for a project, whatever there is; none for who may decide nothing.
What is counted is counted to a limit where there may be very many.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Func, IntegerField, OuterRef, QuerySet, Subquery

from aggregation.models import AggregationRun, Consensus
from annotation.models import Appeal, Assignment, Campaign, Project
from annotation.querysets.workers import OUT
from dashboard.access import Permissions
from dashboard.answer_words import counted
from dashboard.jobs.queries import TOLD, visible_jobs
from selection.models import GoldCheck, WorkerFlag

MOST = 99  # of the disputed


@dataclass(frozen=True, slots=True)
class Count:
    number: int
    words: str  # what they are, for who hears the page

    @property
    def short(self) -> str:
        return f"{MOST}+" if self.number > MOST else str(self.number)


@dataclass(frozen=True, slots=True)
class Waiting:
    """By the name of a section's address; those where something waits."""

    sections: Mapping[str, Count] = field(default_factory=dict)
    jobs: int = 0  # that wait or are at work


def in_campaign(campaign: Campaign, permissions: Permissions) -> Waiting:
    """What a person decides; of a closed campaign the requests of workers alone."""
    if not permissions.sees_gold:
        return Waiting()
    enrolled = {"enrollment__campaign": OuterRef("pk")}
    reported = Assignment.objects.reported().filter(task__campaign=OuterRef("pk"))
    flags = WorkerFlag.objects.standing().filter(**enrolled).exclude(enrollment__state__in=OUT)
    doubted = GoldCheck.objects.filter(
        question__task__campaign=OuterRef("pk"), suspicious=True, question__retired_at=None
    )
    found = Campaign.objects.filter(pk=campaign.pk).values_list(
        _number(visible_jobs(campaign.project, permissions).unfinished()),
        _number(Appeal.objects.filter(**enrolled, answered_at=None)),
        _number(flags, "enrollment"),
        _number(reported, "task"),
        _number(doubted),
    )
    jobs, appeals, flagged, broken, gold = found.get()
    if not permissions.can_manage:
        appeals = flagged = 0
    if campaign.state in (Campaign.State.CLOSED, Campaign.State.DRAFT):
        return Waiting(_told({"workers": [(appeals, "request")]}), jobs)
    return Waiting(
        _told(
            {
                "tasks": [(_disputed(campaign), "disputed task"), (broken, "reported task")],
                "workers": [(flagged, "flagged worker"), (appeals, "request")],
                "quality": [(gold, "suspicious gold question")],
            }
        ),
        jobs,
    )


def in_project(project: Project, permissions: Permissions, now: datetime) -> Waiting:
    if not permissions.sees_gold:
        return Waiting()
    visible = visible_jobs(project, permissions)
    found = Project.objects.filter(pk=project.pk).values_list(
        _number(visible.unfinished()), _number(visible.failed().filter(ended_at__gt=now - TOLD))
    )
    jobs, failed = found.get()
    return Waiting(_told({"jobs": [(failed, "failed job")]}), jobs)


def _disputed(campaign: Campaign) -> int:
    """In the run that is served, as the list of tasks has them; `MOST` + 1 for all that are
    more."""
    runs = AggregationRun.objects.complete().filter(campaign=campaign)
    served = runs.served_first().values("pk")[:1]
    rows = Consensus.objects.filter(run=Subquery(served)).disputed(campaign)
    return rows[: MOST + 1].count()


def _number(rows: QuerySet[Any], of: str = "pk") -> Subquery:
    """How many different ones, as a part of another query."""
    counting = Func(of, template="COUNT(DISTINCT %(expressions)s)", output_field=IntegerField())
    return Subquery(rows.order_by().annotate(how_many=counting).values("how_many"))


def _told(found: Mapping[str, list[tuple[int, str]]]) -> dict[str, Count]:
    counts = {}
    for section, parts in found.items():
        some = [(number, what) for number, what in parts if number]
        if some:
            words = ", ".join(counted(number, what) for number, what in some)
            counts[section] = Count(sum(number for number, _ in some), words)
    return counts
