"""The jobs of a project, as its pages show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef

from annotation.actions.jobs import STALE, result_file
from annotation.management.jobs.kinds import UnknownKind, kind_of, kinds
from annotation.models import Campaign, Job, Project
from annotation.querysets.jobs import JobQuerySet
from dashboard.access import Permissions
from dashboard.jobs.results import Link, leads_to, sends_another
from dashboard.needs import Need

UNFINISHED, ENDED = 50, 30  # on a page
FAILED = 20  # that are told at once
TOLD = timedelta(days=7)  # how long a failed job needs somebody, if it is not done again
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

    @property
    def newer(self) -> int:
        return self.page - 1

    @property
    def older(self) -> int:
        return self.page + 1


def visible_jobs(project: Project, permissions: Permissions) -> JobQuerySet:
    """Results may tell known answers, and some what workers earned."""
    found: JobQuerySet = Job.objects.filter(project=project).select_related("campaign", "asked_by")
    if permissions.can_manage:
        return found
    return found.filter(kind__in=[kind.name for kind in kinds().values() if kind.for_reviewers])


def jobs_page(
    project: Project, permissions: Permissions, now: datetime, *, page: int = 1
) -> JobsPage:
    """Three queries, one more where jobs wait and none is at work."""
    found = visible_jobs(project, permissions)
    by_turn = found.unfinished().order_by("-state", "id")  # those at work first
    unfinished = list(by_turn[: UNFINISHED + 1])
    first = (page - 1) * ENDED
    ended = list(found.ended().order_by("-ended_at", "-id")[first : first + ENDED + 1])
    return JobsPage(
        unfinished=[job_row(job) for job in unfinished[:UNFINISHED]],
        more_wait=len(unfinished) > UNFINISHED,
        ended=[job_row(job) for job in ended[:ENDED]],
        page=page,
        has_older=len(ended) > ENDED,
        nobody_works=nobody_works(unfinished, now),
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
        Need(_failure(job), job=str(job.key))
        for job in _failed(now, project=project, campaign=campaign)
    ]


def failed_jobs_for_all(user: Any, now: datetime) -> list[Need]:
    """The loop's own, which are of no project and have no page: the superusers' to put right. The
    night tells of its steps itself. One query."""
    if not user.is_superuser:
        return []
    own = _failed(now, project=None, asked_by=None, kind__in=settings.WORK_JOBS)
    return [Need(_failure(job)) for job in own]


def _failed(now: datetime, **owner: Any) -> JobQuerySet:
    again = Job.objects.filter(
        digest=OuterRef("digest"), pk__gt=OuterRef("pk"), project=owner["project"]
    )
    found: JobQuerySet = Job.objects.failed().filter(
        ~Exists(again), ended_at__gt=now - TOLD, **owner
    )
    return found.order_by("-ended_at")[:FAILED]


def _failure(job: Job) -> str:
    first = next(iter(job.error.splitlines()), "")
    return f"“{job_row(job).title}” has failed. {first}".strip()
