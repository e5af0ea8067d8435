"""Reads for the pages that set a project up: a fixed number of queries each, plain data out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet, Sum

from annotation.models import (
    Campaign,
    Entity,
    ImportedAnswer,
    ImportRun,
    Member,
    Project,
    Response,
)

IMPORTS = 10  # shown; the others are counted
MOST_ENTRIES = 10_000  # of a knowledge base that are counted: it may have millions
LOOKED_AT = 1_000  # answers of each kind in which a type is looked for


@dataclass(frozen=True, slots=True)
class CampaignLine:
    slug: str
    name: str
    interface: str
    state: str
    received: int
    wanted: int | None  # None before there are tasks
    spent: float  # or promised, in units of the currency
    currency: str


@dataclass(frozen=True, slots=True)
class ProjectPage:
    documents: int
    campaigns: list[CampaignLine]
    imports: list[ImportRun]
    older_imports: int
    members: list[tuple[str, int]]  # role, people
    entries: int  # of the knowledge base; MOST_ENTRIES + 1 for all that are more

    @property
    def has_more_entries(self) -> bool:
        return self.entries > MOST_ENTRIES

    @property
    def draft(self) -> CampaignLine | None:
        """The campaign that waits to be opened first."""
        return next((one for one in self.campaigns[::-1] if one.state == "draft"), None)

    @property
    def is_opened(self) -> bool:
        return any(campaign.state != "draft" for campaign in self.campaigns)


def project_page(project: Project) -> ProjectPage:
    """Six queries, none of which looks at a document, a task or an answer."""
    imports = ImportRun.objects.filter(project=project)
    added = imports.filter(state=ImportRun.State.COMPLETE).aggregate(total=Sum("added"))["total"]
    shown = list(imports[:IMPORTS])
    return ProjectPage(
        documents=added or 0,
        campaigns=[
            _line(row) for row in Campaign.objects.filter(project=project).select_related("tally")
        ],
        imports=shown,
        older_imports=max(0, imports.count() - len(shown)),
        members=list(
            Member.objects.filter(project=project)
            .values_list("role")
            .annotate(people=Count("pk"))
            .order_by("role")
        ),
        entries=Entity.objects.filter(project=project)[: MOST_ENTRIES + 1].count(),
    )


def _line(campaign: Campaign) -> CampaignLine:
    tally = getattr(campaign, "tally", None)
    return CampaignLine(
        slug=campaign.slug,
        name=campaign.name,
        interface=campaign.interface,
        state=campaign.state,
        received=tally.received if tally else 0,
        wanted=tally.wanted if tally else None,
        spent=campaign.committed_mills / 1000,
        currency=campaign.currency,
    )


@dataclass(frozen=True, slots=True)
class TypeUse:
    """In how many answers each type was found, and whether that was all answers there are."""

    found: dict[str, int]
    is_all: bool


def types_in_use(project: Project, names: Collection[str]) -> TypeUse:
    """Two queries. Looks at the newest answers of workers and of imports: to read a million of
    them would take longer than a page may."""
    responses = Response.objects.filter(
        assignment__task__campaign__project=project,
        assignment__task__campaign__interface=Campaign.Interface.ENTITY,
    )
    imported = ImportedAnswer.objects.filter(
        document__project=project, interface=Campaign.Interface.ENTITY
    )
    kinds = [_newest(responses), _newest(imported)]
    found = Counter(
        name for answers in kinds for answer in answers for name in _types(answer) & set(names)
    )
    return TypeUse(dict(found), all(len(answers) < LOOKED_AT for answers in kinds))


def _newest(rows: QuerySet) -> list[dict[str, Any]]:
    return list(rows.order_by("-pk").values_list("answer", flat=True)[:LOOKED_AT])


def _types(answer: dict[str, Any]) -> set[str]:
    if "tags" in answer:
        return {tag[2:] for tag in answer["tags"]}
    return {mention["type"] for mention in answer["mentions"]}
