"""Reads for pages: a fixed number of queries each, plain data out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from annotation.actions.assignments import Next
from annotation.actions.assignments.claim import why_not
from annotation.actions.assignments.turn import UnknownEnrollment
from annotation.actions.completion import code_of
from annotation.actions.workers import CannotJoin
from annotation.interfaces import interface
from annotation.materials import MATERIAL_COLUMNS, material_of
from annotation.models import Campaign, Demand, Enrollment, ImportRun, Project, Task

MESSAGES = {
    "nothing_left": "There is no task for you at the moment. Ask again later.",
    "campaign_draft": "This campaign is not open yet.",
    "campaign_paused": "This campaign is paused. Your work is kept; ask again later.",
    "campaign_closed": "This campaign is closed. Thank you for your work.",
    "budget_used_up": "The money for this campaign is used up. Thank you for your work.",
    "not_selected": "This campaign goes on with a selected group at the moment.",
    "paused": "You are paused in this campaign.",
    "blocked": "You can't work in this campaign any more.",
    "done": "You have finished. Thank you for your work.",
    "invited": "Open your link first.",
    "task_not_available": "That task is not yours to do, or is filled already.",
}


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
    """Projects with their campaigns: four queries, whatever their number. No task is counted one
    by one but for what the campaign's demands say."""
    chosen = list(projects)
    documents = dict(
        ImportRun.objects.filter(project__in=chosen, state=ImportRun.State.COMPLETE)
        .values_list("project")
        .annotate(total=Sum("added"))
    )
    campaigns = Campaign.objects.filter(project__in=chosen).annotate(
        workers=Count("enrollments", filter=Q(enrollments__submitted__gt=0)),
    )
    rows: dict[int, list[CampaignRow]] = {}
    found = list(campaigns)
    counts = {
        pk: (received, wanted)
        for pk, received, wanted in Demand.objects.filter(
            campaign__in=found, kind=Demand.Kind.PLAIN
        )
        .values_list("campaign")
        .annotate(all_received=Sum("received"), all_wanted=Sum("wanted"))
    }
    for campaign in found:
        received, wanted = counts.get(campaign.pk, (0, None))
        rows.setdefault(campaign.project_id, []).append(
            CampaignRow(
                slug=campaign.slug,
                name=campaign.name,
                interface=campaign.interface,
                state=campaign.state,
                answers=received,
                wanted=wanted,
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
    """Counts of plain tasks, in three queries. `gold` is for managers alone."""
    counts = Demand.objects.filter(campaign=campaign, kind=Demand.Kind.PLAIN).aggregate(
        tasks=Count("task"),
        complete=Count("task", filter=Q(open=0, leased=0, wanted__gt=0)),
        **{name: Coalesce(Sum(name), 0) for name in ("wanted", "open", "leased", "received")},
    )
    return CampaignStatus(
        slug=campaign.slug,
        name=campaign.name,
        project=campaign.project.slug,
        interface=campaign.interface,
        state=campaign.state,
        gold=Demand.objects.filter(campaign=campaign, kind__gt=0).count(),
        workers=Enrollment.objects.filter(campaign=campaign, submitted__gt=0).count(),
        committed_mills=campaign.committed_mills,
        budget_mills=campaign.budget_mills,
        currency=campaign.currency,
        **counts,
    )


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
    }


def next_page(following: Next) -> dict[str, Any]:
    """The reply to a worker who asked for a task: one query for the task with its document."""
    enrollment = following.enrollment
    return {
        "assignment": _assignment(following),
        "reason": following.reason,
        "message": _message(following),
        "retry_at": following.retry_at,
        "progress": _progress(enrollment),
        "completion_code": None if following.assignment else code_of(enrollment),
    }


def finish_page(enrollment_key: Any) -> dict[str, Any]:
    """For a worker who stops, whatever is left: one query. Raises UnknownEnrollment."""
    enrollment = _enrolled(enrollment_key)
    return {"progress": _progress(enrollment), "completion_code": code_of(enrollment)}


def project_of_worker(enrollment_key: Any) -> int:
    """The project in whose knowledge base this worker may search. Raises UnknownEnrollment, and
    CannotJoin for one who was blocked."""
    enrollment = _enrolled(enrollment_key)
    if why_not(enrollment) == "blocked":
        raise CannotJoin(MESSAGES["blocked"])
    return enrollment.campaign.project_id


def _enrolled(enrollment_key: Any) -> Enrollment:
    related = Enrollment.objects.select_related("campaign", "worker")
    found = related.filter(key=enrollment_key).first()
    if found is None:
        raise UnknownEnrollment("This session belongs to no campaign any more.")
    return found


def _progress(enrollment: Enrollment) -> dict[str, Any]:
    campaign = enrollment.campaign
    return {
        "state": enrollment.state,
        "submitted": enrollment.submitted,
        "skips_left": max(0, campaign.skip_limit - enrollment.skipped),
        "earned_mills": enrollment.earned_mills,
        "currency": campaign.currency,
        "seconds": enrollment.seconds,
    }


def _assignment(following: Next) -> dict[str, Any] | None:
    lease = following.assignment
    if lease is None:
        return None
    task = Task.objects.values("external_id", "campaign__interface", *MATERIAL_COLUMNS).get(
        pk=lease.task_id
    )
    kind = task["campaign__interface"]
    return {
        "key": lease.key,
        "task": task["external_id"],
        "interface": kind,
        "leased_at": lease.leased_at,
        "expires_at": lease.expires_at,
        "draft": lease.draft,
        "page": interface(kind).page_data(material_of(task)),
    }


def _message(following: Next) -> str:
    """A sentence for the worker; a reason that a person or a rule gave is told with it."""
    message = MESSAGES.get(following.reason, "")
    if following.reason in ("paused", "blocked") and following.enrollment.state_reason:
        return f"{message} {following.enrollment.state_reason}"
    return message
