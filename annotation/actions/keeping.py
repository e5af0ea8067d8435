"""Campaigns and projects that are copied, put away, brought back, and deleted.

Only what nobody has worked on is deleted: answers and payments are kept for good, and whoever wants
such a campaign out of sight archives it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models import ProtectedError, QuerySet, RestrictedError
from django.utils import timezone

from annotation.actions import audit, locks
from annotation.actions.bulk import DELETED
from annotation.actions.campaigns import WrongState, create_campaign
from annotation.actions.campaigns.editing import IN_DRAFT, TEXTS
from annotation.actions.projects import create_project
from annotation.models import Assignment, Campaign, Document, Payment, Project, Task

COPIED = IN_DRAFT - {*TEXTS, "name"} | {"assignment", "floor_mills"}
NOT_COPIED = frozenset({"from"})  # options that name what a campaign was made from
FreeSlug = Callable[[str], str]  # of a name
FINISHED = (Campaign.State.DRAFT, Campaign.State.CLOSED)  # nobody is at work


def copy_campaign(
    campaign: Campaign, *, slug: str, name: str, project: Project | None = None, user: Any = None
) -> Campaign:
    """A draft with the same settings and texts: no tasks, gold, workers, links or answers. Raises
    what `create_campaign` raises."""
    into = project or campaign.project
    texts = {text: getattr(campaign, text).text for text in TEXTS if getattr(campaign, text)}
    options = {key: value for key, value in campaign.options.items() if key not in NOT_COPIED}
    with transaction.atomic():
        made = create_campaign(
            into, slug=slug, name=name, interface=campaign.interface, options=options, user=user,
            **texts, **{field: getattr(campaign, field) for field in sorted(COPIED)},
        )  # fmt: skip
        audit.record(into, "copy campaign", slug, user=user, after={"of": campaign.slug})
    return made


def copy_project(
    project: Project, *, slug: str, name: str, free_slug: FreeSlug, user: Any = None
) -> Project:
    """A project with the same labels and settings, owned by `user`, and its campaigns as drafts
    (`copy_campaign`), but those that are archived: no documents, people or knowledge base, and so
    no gold. `free_slug` names each campaign. Raises what `create_project` and `create_campaign`
    raise."""
    with transaction.atomic():
        made = create_project(
            slug=slug, name=name, schema=project.schema, owner=user, language=project.language,
            text_direction=project.text_direction, tokeniser=project.tokeniser,
        )  # fmt: skip
        rows = Campaign.objects.select_related("project", *TEXTS).filter(project=project)
        for campaign in rows.filter(archived_at=None).order_by("pk"):
            copy_campaign(
                campaign, slug=free_slug(campaign.name), name=campaign.name, project=made, user=user
            )
        audit.record(made, "copy project", slug, user=user, after={"of": project.slug})
    return made


def check_archivable(row: Campaign | Project) -> None:
    """Raises WrongState where somebody may be at work. One query."""
    if working := _campaigns(row).exclude(state__in=FINISHED).first():
        raise WrongState("archive.open", campaign=working.name, state=working.state)


def archive(row: Campaign | Project, *, user: Any = None) -> None:
    """Out of the lists, and nothing else. Raises WrongState where somebody may be at work."""
    with transaction.atomic():
        check_archivable(row)
        _set_archived(row, timezone.now(), "archive", user)


def restore(row: Campaign | Project, *, user: Any = None) -> None:
    with transaction.atomic():
        _set_archived(row, None, "restore", user)


def _set_archived(row: Campaign | Project, at: Any, verb: str, user: Any) -> None:
    type(row)._default_manager.filter(pk=row.pk).update(archived_at=at)
    row.archived_at = at
    if isinstance(row, Campaign):
        audit.record(row.project, f"{verb} campaign", row.slug, user=user)
    else:
        audit.record(row, f"{verb} project", row.slug, user=user)


def check_deletable(row: Campaign | Project) -> None:
    """Raises WrongState: it is open, or somebody has been given a task. At most three queries."""
    campaigns = _campaigns(row)
    if working := campaigns.exclude(state__in=FINISHED).first():
        raise WrongState("delete.open", campaign=working.name, state=working.state)
    given = Assignment.objects.filter(enrollment__campaign__in=campaigns.values("pk"))
    paid = Payment.objects.filter(campaign__in=campaigns.values("pk"))
    if given.exists() or paid.exists():
        raise WrongState("delete.answered")


def _campaigns(row: Campaign | Project) -> QuerySet[Campaign]:
    of_project = isinstance(row, Project)
    return Campaign.objects.filter(**({"project": row.pk} if of_project else {"pk": row.pk}))


def delete_campaign(campaign: Campaign, *, user: Any = None) -> int:
    """How many tasks went with it. Raises WrongState, or locks.Held while it is being opened.

    In short transactions, as its tasks may be a million; broken off, it goes on where it was.
    """
    with locks.hold(f"campaign:{campaign.slug}"):
        check_deletable(campaign)
        deleted = _delete_tasks(campaign)
        try:
            with transaction.atomic():
                row = Campaign.objects.select_for_update().get(pk=campaign.pk)
                Campaign.objects.filter(pk=row.pk).update(instructions=None, consent=None)
                audit.record(
                    row.project, "delete campaign", row.slug, user=user,
                    before={"name": row.name, "tasks": deleted},
                )  # fmt: skip
                row.refresh_from_db()
                row.delete()
        except (ProtectedError, RestrictedError) as error:
            raise WrongState("delete.used") from error
    return deleted


def delete_project(project: Project, *, user: Any = None) -> int:
    """With its campaigns, documents and people; how many documents there were. Raises what
    `delete_campaign` raises."""
    check_deletable(project)
    for campaign in Campaign.objects.filter(project=project):
        delete_campaign(campaign, user=user)
    deleted = 0
    while keys := list(
        Document.objects.filter(project=project).values_list("pk", flat=True)[:DELETED]
    ):
        with transaction.atomic():
            Document.objects.filter(pk__in=keys).delete()
        deleted += len(keys)
    try:
        with transaction.atomic():
            name, slug = project.name, project.slug
            Project.objects.get(pk=project.pk).delete()
            # Of no project: its own record went with it.
            audit.record(
                None, "delete project", slug, user=user,
                before={"name": name, "documents": deleted},
            )  # fmt: skip
    except (ProtectedError, RestrictedError) as error:
        raise WrongState("delete.used") from error
    return deleted


def _delete_tasks(campaign: Campaign) -> int:
    deleted = 0
    tasks = Task.objects.filter(campaign=campaign).values_list("pk", flat=True)
    while keys := list(tasks[:DELETED]):
        with transaction.atomic():
            Task.objects.filter(pk__in=keys).delete()
        deleted += len(keys)
    return deleted
