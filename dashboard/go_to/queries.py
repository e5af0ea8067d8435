"""Where a person may go, by a few letters: never more than they may see, in a fixed number of
queries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Q, Value, When
from django.urls import reverse

from annotation.models import ANONYMOUS, Campaign, Document, Enrollment, Member, Project
from annotation.models.pseudonyms import pseudonym
from annotation.queries.worker_names import worker_name
from dashboard.access import Permissions
from dashboard.frame import campaign_tabs, project_tabs

CAMPAIGNS, PROJECTS, DOCUMENTS, WORKERS = 8, 4, 6, 6  # shown of each
FEWEST_LETTERS = 2  # of a document or a worker: one letter finds nearly all
# Documents whose titles are looked through; of more projects only ids, from their beginning on.
SEARCHED_DOCUMENTS = 100_000
PSEUDONYMS = 2_000  # workers of one campaign among whom a pseudonym is looked for
PSEUDONYM = "anonymous-"


@dataclass(frozen=True, slots=True)
class Place:
    kind: str  # section, campaign, project, document, worker
    title: str
    detail: str  # where it belongs
    address: str

    def to_json(self) -> dict[str, str]:
        return {
            "kind": self.kind, "title": self.title, "detail": self.detail,
            "address": self.address,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reach:
    """The projects that a person may see, and what they may see there."""

    roles: dict[int, str] | None  # by project; None: of all, as a manager

    def permissions(self, project: int) -> Permissions:
        return Permissions(Member.Role.MANAGER if self.roles is None else self.roles[project])

    def within(self, field: str, *, as_manager: bool = False) -> Q:
        """Rows whose `field` is one of the projects."""
        if self.roles is None:
            return Q()
        found = [
            project
            for project, role in self.roles.items()
            if role == Member.Role.MANAGER or not as_manager
        ]
        return Q(**{f"{field}__in": found})


def places(user: Any, words: str, *, campaign: str = "", project: str = "") -> list[Place]:
    """At most seven queries. `campaign` or `project`, slugs as a page has them, say where the
    person stands: its sections come first, and campaigns of that project before others."""
    reach = _reach(user)
    here = _campaign_here(reach, campaign)
    around = here.project if here else _project_here(reach, project)
    found = [
        *_sections(reach, here, around, words),
        *_campaigns(reach, words, around),
        *_projects(reach, words),
    ]
    if len(words) >= FEWEST_LETTERS:
        found += [*_workers(reach, words, here), *_documents(reach, words, around)]
    return found


def _reach(user: Any) -> Reach:
    if user.is_superuser:
        return Reach(None)
    return Reach(dict(Member.objects.filter(user=user).values_list("project", "role")))


def _campaign_here(reach: Reach, slug: str) -> Campaign | None:
    if not slug:
        return None
    rows = Campaign.objects.filter(reach.within("project"), slug=slug)
    return rows.select_related("project").first()


def _project_here(reach: Reach, slug: str) -> Project | None:
    return Project.objects.filter(reach.within("pk"), slug=slug).first() if slug else None


def _sections(
    reach: Reach, campaign: Campaign | None, project: Project | None, words: str
) -> Iterator[Place]:
    tabs = []
    if campaign is not None:
        permissions = reach.permissions(campaign.project_id)
        tabs += [(campaign.name, tab) for tab in campaign_tabs(campaign, permissions, "")]
    elif project is not None:
        tabs += [
            (project.name, tab) for tab in project_tabs(project, reach.permissions(project.pk), "")
        ]
    for detail, tab in tabs:
        if tab.title.lower().startswith(words.lower()):
            yield Place("section", tab.title, detail, tab.address)


def _campaigns(reach: Reach, words: str, around: Project | None) -> Iterator[Place]:
    """Of this project first, then the open ones, then the newest."""
    rows = Campaign.objects.listable().filter(
        reach.within("project"), _named("name", "slug", words=words)
    )
    is_here = When(project=around, then=Value(0)) if around else When(pk=None, then=Value(0))
    is_open = When(state=Campaign.State.OPEN, then=Value(0))
    ordered = rows.order_by(Case(is_here, default=1), Case(is_open, default=1), "-pk")
    for row in ordered.select_related("project").only(
        "slug", "name", "state", "project__name", "project__slug"
    )[:CAMPAIGNS]:
        yield Place(
            "campaign", row.name, f"{row.project.name} · {row.state}",
            reverse("manage:campaign", args=[row.slug]),
        )  # fmt: skip


def _projects(reach: Reach, words: str) -> Iterator[Place]:
    rows = Project.objects.listable().filter(
        reach.within("pk"), _named("name", "slug", words=words)
    )
    for slug, name in rows.order_by("-pk").values_list("slug", "name")[:PROJECTS]:
        yield Place("project", name, "", reverse("manage:project", args=[slug]))


def _workers(reach: Reach, words: str, here: Campaign | None) -> Iterator[Place]:
    """By the name that they gave; by the id of their platform where the person manages the
    project; by their pseudonym in the campaign where the person stands."""
    if here is not None and words.startswith(("#", PSEUDONYM)):
        yield from _by_pseudonym(reach, words, here)
        return
    managed = reach.within("campaign__project", as_manager=True)
    given = Q(worker__external_id__icontains=words) & ~Q(worker__external_id__startswith=ANONYMOUS)
    rows = Enrollment.objects.filter(
        reach.within("campaign__project"),
        Q(worker__display_name__icontains=words) | managed & given,
    ).select_related("worker", "campaign")
    for row in rows.order_by("-pk")[:WORKERS]:
        yield _worker(reach, row)


def _by_pseudonym(reach: Reach, words: str, here: Campaign) -> Iterator[Place]:
    wanted = words.removeprefix("#").removeprefix(PSEUDONYM).lower()
    rows = Enrollment.objects.filter(campaign=here).select_related("worker", "campaign")
    found = (
        row
        for row in rows.order_by("-submitted", "-pk")[:PSEUDONYMS]
        if pseudonym(row).removeprefix(PSEUDONYM).startswith(wanted)
    )
    for _, row in zip(range(WORKERS), found, strict=False):
        yield _worker(reach, row)


def _worker(reach: Reach, row: Enrollment) -> Place:
    with_ids = reach.permissions(row.campaign.project_id).sees_earnings
    return Place(
        "worker", worker_name(row, with_ids=with_ids), f"{row.campaign.name} · {row.state}",
        reverse("manage:worker", args=[row.campaign.slug, row.key]),
    )  # fmt: skip


def _documents(reach: Reach, words: str, around: Project | None) -> Iterator[Place]:
    """Of the project where the person stands, else of all of theirs."""
    documents = Document.objects.visible().filter(reach.within("project"))
    if around is not None:
        documents = documents.filter(project=around)
    if documents[SEARCHED_DOCUMENTS : SEARCHED_DOCUMENTS + 1].exists():
        documents = documents.filter(external_id__startswith=words)
    else:
        documents = documents.filter(_named("title", "external_id", words=words))
    for slug, project, name, title in documents.order_by("project", "external_id").values_list(
        "project__slug", "project__name", "external_id", "title"
    )[:DOCUMENTS]:
        yield Place(
            "document", title or name, f"{name} · {project}" if title else project,
            reverse("manage:document", args=[slug, name]),
        )  # fmt: skip


def _named(*fields: str, words: str) -> Q:
    found = Q()
    for field in fields:
        found |= Q(**{f"{field}__icontains": words})
    return found
