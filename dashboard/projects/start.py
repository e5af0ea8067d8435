"""The start page: projects and their campaigns, with the four answers each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum, Window
from django.db.models.functions import RowNumber
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.models import Campaign, ImportRun, Member, Project
from dashboard.access import Permissions
from dashboard.addresses import number_in
from dashboard.projects.lines import OF_LINE, CampaignLine, campaign_lines, quality_from, roles_of
from evaluation.models import Team

PROJECTS = 20  # on a page
CAMPAIGNS = 50  # of each
LONGEST_SEARCH = 200
FILTERS = (("", "Active"), ("closed", "Closed"), ("all", "All"), ("archived", "Archived"))


@dataclass(frozen=True, slots=True)
class ProjectLines:
    project: Project
    permissions: Permissions | None
    documents: int
    lines: list[CampaignLine]
    has_more: bool  # campaigns, which the project's own page shows


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """The projects that are listed, and those of the person who is logged in."""
    search = request.GET.get("q", "").replace("\0", "").strip()[:LONGEST_SEARCH]
    show = request.GET.get("show", "")
    show = show if show in dict(FILTERS) else ""
    page = number_in(request)
    found = _found(Project.objects.listed_for(request.user), search, show)
    first = (page - 1) * PROJECTS
    chosen = list(found.order_by("-pk")[first : first + PROJECTS + 1])
    projects = _with_campaigns(request, chosen[:PROJECTS], search, show)
    lines = [line for one in projects for line in one.lines]
    numbers = {} if search else _numbers(request.user)
    context = {
        "projects": projects,
        "search": search,
        "show": show,
        "filters": [(name, words, numbers.get(name)) for name, words in FILTERS],
        "quality_from": quality_from(lines),
        "sums": _sums(lines) if len(projects) == len(chosen) and page == 1 else None,
        "newer": page - 1,
        "older": page + 1 if len(chosen) > PROJECTS else None,
        "is_everything": not search and not show and page == 1,
        "teams": Team.objects.of_user(request.user).select_related("project"),
    }
    return render(request, "dashboard/projects/start.html", context)


def _numbers(user: Any) -> dict[str, int]:
    """Filter → campaigns that it shows. One query."""
    seen = Campaign.objects.filter(project__in=Project.objects.listed_for(user).values("pk"))
    if not user.is_superuser:
        mine = Member.objects.filter(project=OuterRef("project"), user=user.pk)
        seen = seen.filter(~Q(state=Campaign.State.DRAFT) | Exists(mine))
    kept, closed = Q(archived_at=None, project__archived_at=None), Q(state=Campaign.State.CLOSED)
    which = {"": kept & ~closed, "closed": kept & closed, "all": kept, "archived": ~kept}
    found = seen.aggregate(**{f"n{name}": Count("pk", filter=q) for name, q in which.items()})
    return {name: found[f"n{name}"] for name in which}


@dataclass(frozen=True, slots=True)
class Sums:
    """Of all lines that a manager is shown."""

    campaigns: int
    needing: int  # of them
    committed: int  # mills: earned, promised or reserved, where there is a budget
    budgets: int
    currency: str  # "" where they have several, and no sum


def _sums(lines: Sequence[CampaignLine]) -> Sums | None:
    managed = [one for one in lines if one.permissions and one.permissions.can_manage]
    if not managed:
        return None
    paid = [one.campaign for one in managed if one.campaign.budget_mills]
    currencies = {one.currency for one in paid}
    return Sums(
        len(managed),
        sum(bool(one.needs) for one in managed),
        sum(one.committed_mills for one in paid),
        sum(one.budget_mills or 0 for one in paid),
        currencies.pop() if len(currencies) == 1 else "",
    )


def _found(projects: QuerySet[Project], search: str, show: str) -> QuerySet[Project]:
    """A project is found by its own name, or by those of its campaigns; without a search it stands
    there too where it has no campaign yet."""
    if show == "archived":
        gone = Campaign.objects.filter(project=OuterRef("pk")).exclude(archived_at=None)
        projects = projects.filter(~Q(archived_at=None) | Exists(gone))
    else:
        projects = projects.filter(archived_at=None)
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
    if show == "archived":
        campaigns = campaigns.filter(~Q(archived_at=None) | ~Q(project__archived_at=None))
    else:
        campaigns = campaigns.filter(archived_at=None)
    if show == "closed":
        campaigns = campaigns.filter(state=Campaign.State.CLOSED)
    elif not show and not search:
        campaigns = campaigns.exclude(state=Campaign.State.CLOSED)
    if search:
        campaigns = campaigns.filter(Q(name__icontains=search) | Q(project__name__icontains=search))
    place = Window(RowNumber(), partition_by=F("project"), order_by=F("pk").desc())
    chosen = campaigns.annotate(place=place).filter(place__lte=CAMPAIGNS + 1)
    of_project: dict[int, list[CampaignLine]] = {}
    for line in campaign_lines(list(chosen.select_related(*OF_LINE)), roles, timezone.now()):
        of_project.setdefault(line.campaign.project_id, []).append(line)
    return [
        ProjectLines(
            project,
            roles.get(project.pk),
            documents.get(project.pk, 0),
            of_project.get(project.pk, [])[:CAMPAIGNS],
            len(of_project.get(project.pk, [])) > CAMPAIGNS,
        )
        for project in projects
    ]
