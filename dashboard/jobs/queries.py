"""The jobs of a project, as its pages show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.utils import timezone

from annotation.actions.jobs import STALE, result_file
from annotation.actions.pace import HOUR, start_of_hour
from annotation.management.jobs.kinds import UnknownKind, kind_of, kinds
from annotation.models import Campaign, Job, Project
from annotation.querysets.jobs import JobQuerySet
from dashboard.access import Permissions
from dashboard.charts import Chart, bar_chart
from dashboard.jobs.results import Link, leads_to, sends_another
from dashboard.needs import Need

UNFINISHED, ENDED = 50, 30  # on a page
FAILED = 20  # that are told at once
TOLD = timedelta(days=7)  # how long a failed job needs somebody, if it is not done again
MOST_FAILED = 99
HOURS = 24
FILTERS = (("", "All"), ("failed", "Failed"), ("mine", "Mine"))
SILENT = timedelta(seconds=90)  # that a job may wait with nothing at work until the page asks why


@dataclass(frozen=True, slots=True)
class JobRow:
    job: Job
    title: str
    resumes: bool  # after its process was killed
    link: Link | None  # to the page that shows what came of it
    file: str  # that can be downloaded; "" for none

    @property
    def is_unfinished(self) -> bool:
        return self.job.state in (Job.State.QUEUED, Job.State.RUNNING)

    @property
    def is_stopping(self) -> bool:
        return self.job.state == Job.State.RUNNING and self.job.stop_asked_at is not None

    @property
    def can_be_repeated(self) -> bool:
        return self.job.state in (Job.State.FAILED, Job.State.STOPPED)

    @property
    def import_page(self) -> str:
        """Where another file can be sent, if this one could not be taken; "" for nowhere."""
        return sends_another(self.job) if self.can_be_repeated else ""

    @property
    def seconds(self) -> float | None:
        """From its start to its end, where that is worth telling."""
        if self.job.started_at is None or self.job.ended_at is None:
            return None
        seconds = (self.job.ended_at - self.job.started_at).total_seconds()
        return seconds if seconds >= 1 else None

    @property
    def lines(self) -> Sequence[str]:
        found: Sequence[str] = self.job.result.get("lines", ())
        return found


@dataclass(frozen=True, slots=True)
class JobsPage:
    unfinished: list[JobRow]
    more_wait: bool  # than `unfinished` holds
    ended: list[JobRow]
    page: int
    has_older: bool
    nobody_works: bool  # jobs wait, and nothing does them
    show: str  # of FILTERS
    failed: int  # of this week, to be looked at; MOST_FAILED for all that are more

    @property
    def at_work(self) -> int:
        return sum(row.job.state == Job.State.RUNNING for row in self.unfinished)

    @property
    def waiting(self) -> int:
        return len(self.unfinished) - self.at_work

    @property
    def newer(self) -> int:
        return self.page - 1

    @property
    def older(self) -> int:
        return self.page + 1


def visible_jobs(project: Project, permissions: Permissions) -> JobQuerySet:
    """Results may tell known answers, and some what workers earned."""
    found: JobQuerySet = Job.objects.filter(project=project).select_related(
        "campaign", "asked_by", "project"
    )
    if permissions.can_manage:
        return found
    return found.filter(kind__in=[kind.name for kind in kinds().values() if kind.for_reviewers])


def jobs_page(
    project: Project,
    permissions: Permissions,
    now: datetime,
    *,
    page: int = 1,
    show: str = "",
    user: Any = None,
) -> JobsPage:
    """Three queries, one more where jobs wait and none is at work. `show`: of FILTERS."""
    found = visible_jobs(project, permissions)
    by_turn = found.unfinished().order_by("-state", "id")  # those at work first
    unfinished = list(by_turn[: UNFINISHED + 1])
    first = (page - 1) * ENDED
    over = found.ended()
    if show == "failed":
        over = found.failed()
    elif show == "mine":
        over = over.filter(asked_by=user)
    ended = list(over.order_by("-ended_at", "-id")[first : first + ENDED + 1])
    failed = found.failed().filter(ended_at__gt=now - TOLD)[:MOST_FAILED]
    return JobsPage(
        unfinished=[job_row(job) for job in unfinished[:UNFINISHED]],
        more_wait=len(unfinished) > UNFINISHED,
        ended=[job_row(job) for job in ended[:ENDED]],
        page=page,
        has_older=len(ended) > ENDED,
        nobody_works=nobody_works(unfinished, now),
        show=show,
        failed=failed.count(),
    )


def jobs_an_hour(project: Project, permissions: Permissions, now: datetime) -> Chart | None:
    """Of the last day, by when they ended; None where there was none. One query."""
    end = start_of_hour(now) + HOUR
    hours = [end - n * HOUR for n in range(HOURS, 0, -1)]
    ended = visible_jobs(project, permissions).filter(ended_at__gte=hours[0])
    counts = Counter(map(start_of_hour, ended.order_by().values_list("ended_at", flat=True)))
    if not counts:
        return None
    points = [(f"{timezone.localtime(hour):%H:%M}", counts[hour]) for hour in hours]
    return bar_chart(
        "Jobs an hour", "Hour", points, counted="jobs", note="the last 24 hours", height=64
    )


def nobody_works(unfinished: Sequence[Job], now: datetime) -> bool:
    """Something waits for long, or was left at work; and no job of any project is alive."""
    if not any(_is_left_alone(job, now) for job in unfinished):
        return False
    return not Job.objects.alive_since(now - STALE).exists()


def _is_left_alone(job: Job, now: datetime) -> bool:
    if job.state == Job.State.QUEUED:
        return now - max(job.due_at, job.created_at) > SILENT
    return job.beat_at is not None and now - job.beat_at > STALE


def job_row(job: Job) -> JobRow:
    try:
        kind = kind_of(job.kind)
        title, resumes = kind.title, kind.resumes
    except UnknownKind:
        title, resumes = job.kind, False
    is_done = job.state == Job.State.DONE
    return JobRow(
        job,
        title,
        resumes,
        link=leads_to(job) if is_done else None,
        file=path.name if (path := result_file(job)) else "",
    )


def failed_jobs(project: Project, now: datetime, campaign: Campaign | None = None) -> list[Need]:
    """What failed in the last week and has not been asked for again; of a campaign, or what
    belongs to no campaign of the project. The page of the job names the lines. One query."""
    return [
        _failure(job, key=str(job.key)) for job in _failed(now, project=project, campaign=campaign)
    ]


def failures_of_all(project: Project, now: datetime) -> list[Need]:
    """The same of the project and of all its campaigns, which are named. One query."""
    return [
        replace(need, text=f"{_of(job)}{need.text}")
        for job in _failed(now, project=project)
        for need in [_failure(job, key=str(job.key))]
    ]


def _of(job: Job) -> str:
    return f"{job.campaign.name}: " if job.campaign else ""


def failed_jobs_for_all(user: Any, now: datetime) -> list[Need]:
    """The loop's own, which are of no project and have no page: the superusers' to put right. The
    night tells of its steps itself. One query."""
    if not user.is_superuser:
        return []
    own = _failed(now, project=None, asked_by=None, kind__in=settings.WORK_JOBS)
    return [_failure(job) for job in own]


def _failed(now: datetime, **owner: Any) -> JobQuerySet:
    again = Job.objects.filter(
        digest=OuterRef("digest"), pk__gt=OuterRef("pk"), project=owner["project"]
    )
    found: JobQuerySet = Job.objects.failed().filter(
        ~Exists(again), ended_at__gt=now - TOLD, **owner
    )
    return found.select_related("campaign", "project").order_by("-ended_at")[:FAILED]


def _failure(job: Job, key: str = "") -> Need:
    first = next(iter(job.error.splitlines()), "")
    return Need(
        f"“{job_row(job).title}” has failed.", first, button="See why", icon="alert", tone="danger",
        job=key,
    )  # fmt: skip
