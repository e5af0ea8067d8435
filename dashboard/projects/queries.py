"""Reads for the pages that set a project up: a fixed number of queries each, plain data out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, QuerySet, Sum

from annotation.interfaces import Product, kinds_of
from annotation.interfaces.answers import EntityAnswer
from annotation.models import (
    Campaign,
    Enrollment,
    Entity,
    ImportedAnswer,
    ImportRun,
    Member,
    Project,
    Response,
)
from annotation.querysets.assignments import standing
from dashboard.access import Permissions
from dashboard.newest_first import NewestFirst, newest_first
from dashboard.projects.lines import OF_LINE, CampaignLine, campaign_lines, quality_from

IMPORTS = 10  # on a page
CAMPAIGNS = 50  # on a page
MOST_ENTRIES = 10_000  # of a knowledge base that are counted: it may have millions
LOOKED_AT = 2_000  # answers, and documents with imported ones, in which a type is looked for


@dataclass(frozen=True, slots=True)
class ProjectPage:
    documents: int
    campaigns: list[CampaignLine]
    campaign_pages: NewestFirst
    imports: NewestFirst
    members: list[tuple[str, int]]  # role, people
    archived: list[Campaign]  # the newest; `has_more_archived` says whether these are all
    has_more_archived: bool
    entries: int  # of the knowledge base; MOST_ENTRIES + 1 for all that are more

    @property
    def has_more_entries(self) -> bool:
        return self.entries > MOST_ENTRIES

    @property
    def draft(self) -> Campaign | None:
        """The campaign that waits to be opened first."""
        return next((one.campaign for one in self.campaigns[::-1] if one.is_draft), None)

    @property
    def quality_from(self) -> float:
        return quality_from(self.campaigns)

    @property
    def is_opened(self) -> bool:
        """Whoever has more campaigns than a page shows needs no first steps."""
        pages = self.campaign_pages
        if pages.older is not None or not pages.is_first:
            return True
        return any(not one.is_draft for one in self.campaigns)


def project_page(
    project: Project,
    permissions: Permissions,
    now: datetime,
    before: int | None = None,
    before_import: int | None = None,
) -> ProjectPage:
    """Six queries and those of the campaigns' lines, none of which looks at a document, a task or
    an answer. Campaigns older than the one with the row id `before`, imports alike."""
    imports = ImportRun.objects.filter(project=project)
    added = imports.complete().aggregate(total=Sum("added"))["total"]
    campaigns = Campaign.objects.filter(project=project)
    pages = newest_first(
        campaigns.filter(archived_at=None).select_related(*OF_LINE), before, CAMPAIGNS
    )
    archived = list(campaigns.exclude(archived_at=None).order_by("-pk")[: CAMPAIGNS + 1])
    return ProjectPage(
        documents=added or 0,
        campaigns=campaign_lines(pages.rows, {project.pk: permissions}, now),
        campaign_pages=pages,
        imports=newest_first(imports, before_import, IMPORTS),
        members=list(
            Member.objects.filter(project=project)
            .values_list("role")
            .annotate(people=Count("pk"))
            .order_by("role")
        ),
        archived=archived[:CAMPAIGNS],
        has_more_archived=len(archived) > CAMPAIGNS,
        entries=Entity.objects.filter(project=project)[: MOST_ENTRIES + 1].count(),
    )


@dataclass(frozen=True, slots=True)
class TypeUse:
    """In how many answers each type was found, and whether all were looked at."""

    counts: dict[str, int]
    is_all: bool


def types_in_use(project: Project, names: Collection[str]) -> TypeUse:
    """At most four queries, and no more answers than LOOKED_AT of each kind.

    How many there may be is known from counters: to read, or only to sort, a million of them
    would take longer than a page may. Where there are more, none of their kind is looked at.
    """
    names_of = kinds_of(Product.MENTIONS)
    enrollments = Enrollment.objects.filter(
        campaign__project=project, campaign__interface__in=names_of
    )
    runs = ImportRun.objects.complete().filter(project=project)
    working, bringing = _counted(enrollments, "submitted"), _counted(runs, "added")
    # By their keys, not by a join: PostgreSQL knows then how few rows to expect of a small
    # project beside a large one, and doesn't read the tables from end to end.
    responses = Response.objects.filter(assignment__enrollment__in=working)
    imported = ImportedAnswer.objects.filter(
        document__import_run__in=bringing, interface__in=names_of
    )
    kinds = [
        (working, responses.values_list(standing("answer"), flat=True)),
        (bringing, imported.values_list("answer", flat=True)),
    ]
    few = [answers for counted, answers in kinds if sum(counted.values()) <= LOOKED_AT]
    counts = Counter(
        name for answers in few for answer in answers for name in _types(answer) & set(names)
    )
    return TypeUse(dict(counts), is_all=len(few) == len(kinds))


def _counted(rows: QuerySet, field: str) -> dict[int, int]:
    """Key → counter of the rows that count any; one row more than LOOKED_AT says enough."""
    counting = rows.filter(**{f"{field}__gt": 0}).order_by()
    return dict(counting.values_list("pk", field)[: LOOKED_AT + 1])


def _types(answer: EntityAnswer) -> set[str]:
    if "tags" in answer:
        return {tag[2:] for tag in answer["tags"]}
    return {mention["type"] for mention in answer["mentions"]}
