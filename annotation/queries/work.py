"""Reads for pages: a fixed number of queries each, plain data out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from annotation.actions import rollups
from annotation.actions.appeals import last_about_pause, why_out
from annotation.actions.assignments import Next, tasks_available
from annotation.actions.assignments.claim import why_not
from annotation.actions.assignments.qualification import QUALIFIER, tries_of
from annotation.actions.assignments.turn import UnknownEnrollment
from annotation.actions.completion import code_of, ending_of
from annotation.actions.workers import CannotJoin
from annotation.interfaces import interface
from annotation.models import (
    Assignment,
    Campaign,
    ConsentVersion,
    Demand,
    Enrollment,
    ImportRun,
    Project,
    Rejection,
    Tally,
    Task,
)
from annotation.models.materials import MATERIAL_COLUMNS, material_of
from annotation.queries.history import appeal_page, practice_share
from annotation.querysets import compiled
from annotation.sentences import Problem, workers
from annotation.text.aliases import alias


@dataclass(frozen=True, slots=True)
class CampaignRow:
    slug: str
    name: str
    interface: str
    state: str
    answers: int  # received for plain tasks; gold is not among them
    wanted: int | None  # what the campaign was set up for; None before it has tasks
    workers: int


@dataclass(frozen=True, slots=True)
class ProjectRow:
    slug: str
    name: str
    documents: int
    listed: bool
    campaigns: list[CampaignRow]


@dataclass(frozen=True, slots=True)
class CampaignStatus:
    slug: str
    name: str
    project: str
    interface: str
    state: str
    tasks: int
    complete: int
    wanted: int
    open: int
    leased: int
    received: int
    gold: int  # questions, of both kinds
    workers: int
    committed_mills: int
    budget_mills: int | None
    currency: str


def project_rows(projects: QuerySet[Project]) -> list[ProjectRow]:
    """Projects with their campaigns that are not archived: three queries, whatever their number.

    Answers are read from the tallies: a minute old while `manage.py work` runs, and as old as its
    last run where it does not. A draft has no tally and shows no answers.
    """
    chosen = list(projects)
    documents = dict(
        ImportRun.objects.complete()
        .filter(project__in=chosen)
        .values_list("project")
        .annotate(total=Sum("added"))
    )
    campaigns = (
        Campaign.objects.filter(project__in=chosen, archived_at=None)
        .select_related("tally")
        .annotate(workers=Count("enrollments", filter=Q(enrollments__submitted__gt=0)))
    )
    rows: dict[int, list[CampaignRow]] = {}
    for campaign in campaigns:
        tally = _tally_of(campaign)
        rows.setdefault(campaign.project_id, []).append(
            CampaignRow(
                slug=campaign.slug,
                name=campaign.name,
                interface=campaign.interface,
                state=campaign.state,
                answers=tally.received,
                wanted=tally.wanted if tally.tasks else None,
                workers=campaign.workers,
            )
        )
    return [
        ProjectRow(
            slug=project.slug,
            name=project.name,
            documents=documents.get(project.pk, 0),
            listed=project.listed,
            campaigns=rows.get(project.pk, []),
        )
        for project in chosen
    ]


def campaign_status(campaign: Campaign) -> CampaignStatus:
    """Counts of plain tasks. `gold` is for managers alone.

    Two queries where `campaign` comes with its tally, neither of which grows with its tasks. What
    is leased and who has worked is counted now; the rest is the tally's, which is a minute old
    while `manage.py work` runs and as old as its last run where it does not. All 0 for a draft.
    """
    tally = _tally_of(campaign)
    # From the few live leases to their campaign: by way of the task, SQLite would go through all
    # tasks of the campaign instead.
    plain = {"task__demand__campaign": campaign, "task__demand__kind": Demand.Kind.PLAIN}
    leased = Assignment.objects.live().filter(**plain).count()
    return CampaignStatus(
        slug=campaign.slug,
        name=campaign.name,
        project=campaign.project.slug,
        interface=campaign.interface,
        state=campaign.state,
        tasks=tally.tasks,
        complete=tally.complete,
        wanted=tally.wanted,
        open=max(0, tally.wanted - tally.received - leased),
        leased=leased,
        received=tally.received,
        gold=tally.gold,
        workers=Enrollment.objects.with_answers().filter(campaign=campaign).count(),
        committed_mills=campaign.committed_mills,
        budget_mills=campaign.budget_mills,
        currency=campaign.currency,
    )


def _tally_of(campaign: Campaign) -> Tally:
    """The stored one, or one of nothing where there is none."""
    stored: Tally | None = getattr(campaign, "tally", None)
    return stored or Tally(campaign=campaign, **dict.fromkeys(rollups.SUMS, 0))


def campaign_for_worker(campaign: Campaign) -> dict[str, Any]:
    """What a worker may know of the campaign: nothing of gold, budget or other workers."""
    return {
        "slug": campaign.slug,
        "name": campaign.name,
        "interface": campaign.interface,
        "state": campaign.state,
        "instructions": campaign.instructions.text if campaign.instructions else "",
        "pay_mills": campaign.pay_mills,
        "currency": campaign.currency,
        "lease_minutes": campaign.lease_minutes,
        "skip_limit": campaign.skip_limit,
        "content_warning": campaign.content_warning,
        "consent": _consent_text(campaign),
    }


def _consent_text(campaign: Campaign) -> dict[str, Any] | None:
    if campaign.consent is None:
        return None
    return {"version": campaign.consent.number, "text": campaign.consent.text}


def next_page(following: Next) -> dict[str, Any]:
    """The reply to a worker who asked for a task: one query for the task with its document."""
    enrollment = following.enrollment
    appeal, may_appeal = (None, False)
    if following.reason in ("paused", "blocked"):
        appeal, may_appeal = last_about_pause(enrollment)
    return {
        "assignment": _assignment(following),
        "consent": _consent(following),
        "milestone": _milestone(following),
        "appeal": appeal_page(appeal) if appeal else None,
        "can_appeal": may_appeal,
        "reason": _reason(following),
        "message": _message(following),
        "retry_at": following.retry_at,
        "progress": _progress(enrollment),
        **_codes(following),
    }


def finish_page(enrollment_key: Any) -> dict[str, Any]:
    """For a worker who stops, whatever is left: two queries. Raises UnknownEnrollment."""
    enrollment = _enrolled(enrollment_key)
    ending = ending_of(enrollment, why_not(enrollment) or "")
    code = code_of(enrollment, ending)
    return {
        "progress": _progress(enrollment), "completion_code": code,
        "rejected": Rejection.objects.standing_of(enrollment).count(),
        "ending": None if code is None else ending,
    }  # fmt: skip


def project_of_worker(enrollment_key: Any) -> int:
    """The project in whose knowledge base this worker may search; at most two queries.

    Who may have no task now still searches for the one that they hold, unless they are blocked or
    the campaign is closed. Raises UnknownEnrollment, and CannotJoin for who may not search.
    """
    enrollment = _enrolled(enrollment_key)
    campaign = enrollment.campaign
    if campaign.options.get("linking") is False:
        raise CannotJoin("search.no_links")
    reason = why_not(enrollment)
    if reason in ("blocked", "campaign_closed") or (reason and not _holds_task(enrollment)):
        raise CannotJoin("work.none", reason=reason)
    return campaign.project_id


def _codes(following: Next) -> dict[str, Any]:
    if following.assignment:
        return {"completion_code": None, "ending": None}
    ending = ending_of(following.enrollment, following.reason)
    code = code_of(following.enrollment, ending)
    return {"completion_code": code, "ending": None if code is None else ending}


def _holds_task(enrollment: Enrollment) -> bool:
    return Assignment.objects.live().filter(enrollment=enrollment).exists()


def _enrolled(enrollment_key: Any) -> Enrollment:
    related = Enrollment.objects.select_related("campaign", "worker")
    found = related.filter(key=enrollment_key).first()
    if found is None:
        raise UnknownEnrollment("session.no_campaign")
    return found


def _consent(following: Next) -> int | None:
    if following.reason != "consent":
        return None
    asked: Any = following.enrollment.campaign.consent_id
    return ConsentVersion.objects.values_list("number", flat=True).get(pk=asked)


def _milestone(following: Next) -> dict[str, Any] | None:
    """Another try brings tasks that nobody counted before: they are counted anew."""
    enrollment = following.enrollment
    if enrollment.milestone is None:
        return None
    kind, steps = enrollment.milestone
    told = {"kind": kind, "message": " ".join(map(workers.sentence, steps))}
    if kind != "again":
        return told
    available = tasks_available(enrollment)
    return {**told, "available": available.count, "available_more": available.more}


def _stage(enrollment: Enrollment) -> dict[str, Any] | None:
    campaign = enrollment.campaign
    stages = {
        Enrollment.State.TRAINING: (enrollment.training_seen, campaign.training_size),
        Enrollment.State.EXAM: (enrollment.exam_seen, campaign.exam_size),
    }
    if enrollment.state not in stages:
        return None
    seen, size = stages[Enrollment.State(enrollment.state)]
    return {
        "kind": str(enrollment.state),
        "seen": seen,
        "of": size,
        "try": enrollment.tries + 1,
        "tries": max(enrollment.tries + 1, tries_of(campaign)),
    }


def _progress(enrollment: Enrollment) -> dict[str, Any]:
    campaign = enrollment.campaign
    return {
        "stage": _stage(enrollment),
        "state": enrollment.state,
        "submitted": enrollment.submitted,
        "skips_left": max(0, campaign.skip_limit - enrollment.skipped),
        "earned_mills": enrollment.earned_mills,
        "currency": campaign.currency,
        "seconds": enrollment.seconds,
        "practice": practice_share(enrollment.training_seen, enrollment.training_score_sum),
    }


def _assignment(following: Next) -> dict[str, Any] | None:
    lease = following.assignment
    if lease is None:
        return None
    (task,) = TASK.dicts(pk=lease.task_id)
    kind, material = task["campaign__interface"], material_of(task)
    return {
        "key": lease.key,
        "task": alias(task["external_id"], material.alias_key),
        "interface": kind,
        "leased_at": lease.leased_at,
        "expires_at": lease.expires_at,
        "instructions": task["campaign__instructions__number"] or 0,
        "draft": lease.draft,
        "page": interface(kind).page_data(material),
    }


TASK = compiled.Select(
    lambda pk: Task.objects.filter(pk=pk).values(
        "external_id", "campaign__interface", "campaign__instructions__number", *MATERIAL_COLUMNS
    ),
    pk=Task.id,
)


def _reason(following: Next) -> str:
    """A pause in which practice or test ended has a name of its own."""
    has_failed = following.enrollment.state_by == QUALIFIER
    return "not_qualified" if following.reason == "paused" and has_failed else following.reason


def _message(following: Next) -> str:
    """A sentence for the worker; a reason that a person or a rule gave is told with it."""
    reason = _reason(following)
    message = workers.sentence(Problem("work.none", reason=reason)) if reason else ""
    if following.reason in ("paused", "blocked") and (why := why_out(following.enrollment)):
        return f"{message} {workers.sentence(why)}"
    return message
