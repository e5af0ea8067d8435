"""The start page: projects and their campaigns, with the four answers each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.models import Campaign, ImportRun, Project
from dashboard.access import Permissions
from dashboard.projects.lines import CampaignLine, campaign_lines, roles_of
from evaluation.models import Team

PROJECTS = 20  # on a page
LONGEST_SEARCH = 200
MOST_PAGES = 10_000
FILTERS = (("", "Active"), ("closed", "Closed"), ("all", "All"))


@dataclass(frozen=True, slots=True)
class ProjectLines:
    project: Project
    permissions: Permissions | None
    documents: int
    lines: list[CampaignLine]


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """The projects that are listed, and those of the person who is logged in."""
    search = request.GET.get("q", "").replace("\0", "").strip()[:LONGEST_SEARCH]
    show = request.GET.get("show", "")
    show = show if show in dict(FILTERS) else ""
    given = request.GET.get("page", "")
    page = min(max(int(given), 1), MOST_PAGES) if given.isascii() and given.isdigit() else 1
    found = _found(Project.objects.listed_for(request.user), search, show)
    first = (page - 1) * PROJECTS
    chosen = list(found.order_by("-pk")[first : first + PROJECTS + 1])
    projects = _with_campaigns(request, chosen[:PROJECTS], search, show)
    context = {
        "projects": projects,
        "search": search,
        "show": show,
        "filters": FILTERS,
        "newer": page - 1,
        "older": page + 1 if len(chosen) > PROJECTS else None,
        "is_everything": not search and not show and page == 1,
        "teams": Team.objects.of_user(request.user).select_related("project"),
    }
    return render(request, "dashboard/projects/start.html", context)


def _found(projects: QuerySet[Project], search: str, show: str) -> QuerySet[Project]:
    """A project is found by its own name, or by those of its campaigns; without a search it stands
    there too where it has no campaign yet."""
    if search:
        named = Campaign.objects.filter(project=OuterRef("pk"), name__icontains=search)
        return projects.filter(Q(name__icontains=search) | Exists(named))
    if show == "closed":
        ended = Campaign.objects.filter(project=OuterRef("pk"), state=Campaign.State.CLOSED)
        return projects.filter(Exists(ended))
    return projects


def _with_campaigns(
    request: HttpRequest, projects: Sequence[Project], search: str, show: str
) -> list[ProjectLines]:
    """Nine queries: roles, documents, and those of the campaigns."""
    keys = [project.pk for project in projects]
    roles = roles_of(request.user, keys)
    documents = dict(
        ImportRun.objects.complete()
        .filter(project__in=keys)
        .values_list("project")
        .annotate(total=Sum("added"))
    )
    campaigns = Campaign.objects.filter(project__in=keys)
    campaigns = campaigns.filter(~Q(state=Campaign.State.DRAFT) | Q(project__in=list(roles)))
    if show == "closed":
        campaigns = campaigns.filter(state=Campaign.State.CLOSED)
    elif not show and not search:
        campaigns = campaigns.exclude(state=Campaign.State.CLOSED)
    of_project: dict[int, list[CampaignLine]] = {}
    for line in campaign_lines(campaigns, roles, timezone.now()):
        project = next(one for one in projects if one.pk == line.campaign.project_id)
        if not search or _has(search, line.campaign.name) or _has(search, project.name):
            of_project.setdefault(project.pk, []).append(line)
    return [
        ProjectLines(
            project,
            roles.get(project.pk),
            documents.get(project.pk, 0),
            of_project.get(project.pk, []),
        )
        for project in projects
    ]


def _has(search: str, name: str) -> bool:
    return search.casefold() in name.casefold()
