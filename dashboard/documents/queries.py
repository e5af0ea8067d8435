"""The documents of a project as a list: by name, or the most uncertain first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Substr

from aggregation.models import Consensus
from aggregation.queries.runs import RunSummary, latest_run
from annotation.interfaces import kinds, traits
from annotation.models import Campaign, Demand, Document, Project, Task
from annotation.querysets.assignments import HANDED_IN

ROWS = 50
PREVIEW = 160  # characters of a text
CAMPAIGNS = 100  # that can be chosen from
SHOWN = (("unfinished", "Waiting for answers"), ("finished", "All answers in"))
SEARCHED_TEXTS = 50_000  # documents; no index helps to find words inside so many texts


@dataclass(frozen=True, slots=True)
class DocumentRow:
    id: str
    title: str
    preview: str
    answers: int
    confidence: float | None  # of the consensus in the latest complete run


@dataclass(frozen=True, slots=True)
class DocumentList:
    rows: list[DocumentRow]
    campaigns: list[Campaign]
    campaign: Campaign | None  # whose answers are counted
    run: RunSummary | None
    uncertain_first: bool
    show: str  # of SHOWN; "" where nothing is picked out
    searches_text: bool  # else ids and titles alone
    following: str  # the id after which the next page begins; "" where this is the last


def document_list(
    project: Project,
    *,
    campaign: str = "",
    search: str = "",
    uncertain_first: bool = False,
    show: str = "",
    after: str = "",
    with_gold: bool = False,
) -> DocumentList:
    """At most seven queries. `campaign` and `after` are ids as they stand in an address: what they
    do not find is taken as not given. The newest campaign that is no draft is chosen then, and one
    whose tasks may come from a file of their own only where there is no other. `show`: of SHOWN,
    where nothing stands in the order of doubt. Without `with_gold` nothing of gold tasks is told.
    """
    campaigns = campaigns_on_documents(project)
    given = [row for row in campaigns if row.slug == campaign]
    opened = [row for row in campaigns if row.state != Campaign.State.DRAFT]
    of_documents = [row for row in opened if not traits(row.interface).own_tasks]
    chosen = next(iter(given or of_documents or opened or campaigns), None)
    run = latest_run(chosen, with_gold=with_gold) if chosen else None
    searches_text = not _more_than(project, SEARCHED_TEXTS)
    names = ("external_id", "title", "text") if searches_text else ("external_id", "title")
    has_order = run is not None and run.facts.has_confidences
    if uncertain_first and run is not None and chosen is not None and has_order:
        found = _uncertain(chosen, run, search, names, after)
    else:
        uncertain_first = False
        show = show if chosen is not None and show in dict(SHOWN) and with_gold else ""
        documents = Document.objects.visible().filter(project=project)
        if show and chosen is not None:
            documents = documents.filter(_wanting(chosen, is_open=show == "unfinished"))
        found = _by_name(documents, search, names, after)
    found, more = found[:ROWS], len(found) > ROWS
    keys = [row["pk"] for row in found]
    answers = _answers(visible_tasks(with_gold).filter(campaign=chosen), keys) if chosen else {}
    sure = _confidence(run, keys) if run else {}
    return DocumentList(
        rows=[
            DocumentRow(
                id=row["external_id"],
                title=row["title"],
                preview=_beside(row["title"], row["preview"]),
                answers=answers.get(row["pk"], 0),
                confidence=sure.get(row["pk"]),
            )
            for row in found
        ],
        campaigns=campaigns,
        campaign=chosen,
        run=run,
        uncertain_first=uncertain_first,
        show="" if uncertain_first else show,
        searches_text=searches_text,
        following=found[-1]["external_id"] if more else "",
    )


def on_documents() -> list[str]:
    """The interfaces whose tasks are documents."""
    return kinds(lambda own: own.on_documents)


def campaigns_on_documents(project: Project) -> list[Campaign]:
    """Those whose answers can be laid under a document, the newest first. One query."""
    campaigns = Campaign.objects.filter(project=project, interface__in=on_documents())
    return list(campaigns.only("slug", "name", "interface", "state", "project")[:CAMPAIGNS])


def visible_tasks(with_gold: bool) -> QuerySet[Task]:
    """Many workers answer a gold task: the mere number would give it away. (A run infers nothing
    of gold tasks, so a consensus gives none away.)"""
    return Task.objects.all() if with_gold else Task.objects.plain()


def _more_than(project: Project, number: int) -> bool:
    """Without counting a million documents, and by the index of imports alone: neither the
    documents nor other projects' are read."""
    rows = Document.objects.filter(import_run__in=project.imports.complete())
    return rows[number : number + 1].exists()


def _wanting(campaign: Campaign, *, is_open: bool) -> Exists:
    """Whether a plain task on the document waits for answers, or has all of them."""
    plain = Demand.objects.plain()
    tasks = plain.filter(task__campaign=campaign, task__document=OuterRef("pk"))
    if is_open:
        return Exists(tasks.filter(received__lt=F("wanted")))
    return Exists(tasks.filter(received=F("wanted"), wanted__gt=0))


def _by_name(
    documents: QuerySet[Document], search: str, names: tuple[str, ...], after: str
) -> list[dict[str, Any]]:
    if after:
        documents = documents.filter(external_id__gt=after)
    if search:
        documents = documents.filter(_mentions(search, names))
    return _read(documents.order_by("external_id"))


def _uncertain(
    campaign: Campaign, run: RunSummary, search: str, names: tuple[str, ...], after: str
) -> list[dict[str, Any]]:
    """By the confidence of their consensus; equal ones in the order of their tasks."""
    inferred = Consensus.objects.of_run(run.key)
    rows = inferred.filter(confidence__isnull=False, task__document__isnull=False)
    last = (
        inferred.filter(task__campaign=campaign, task__external_id=after)
        .values_list("confidence", "task")
        .first()
        if after
        else None
    )
    if last is not None and last[0] is not None:
        rows = rows.filter(
            Q(confidence__gt=last[0]) | Q(confidence=last[0], task__gt=last[1]),
            confidence__gte=last[0],  # said once more, for the index
        )
    if search:
        rows = rows.filter(_mentions(search, names, "task__document__"))
    return [
        {
            "pk": row["task__document"],
            "external_id": row["task__document__external_id"],
            "title": row["task__document__title"],
            "preview": row["preview"],
        }
        for row in rows.order_by("confidence", "task")
        .annotate(preview=Substr("task__document__text", 1, PREVIEW))
        .values(
            "task__document", "task__document__external_id", "task__document__title", "preview"
        )[: ROWS + 1]
    ]


def _read(documents: QuerySet) -> list[dict[str, Any]]:
    previews = documents.annotate(preview=Substr("text", 1, PREVIEW))
    return list(previews.values("pk", "external_id", "title", "preview")[: ROWS + 1])


def _mentions(search: str, names: tuple[str, ...], path: str = "") -> Q:
    found = Q()
    for name in names:
        found |= Q(**{f"{path}{name}__icontains": search})
    return found


def _answers(tasks: QuerySet[Task], documents: list[int]) -> dict[int, int]:
    """Document → answers to its task, those that came too late included."""
    done = Q(assignments__state__in=HANDED_IN)
    rows = tasks.filter(document__in=documents).values_list("document")
    return dict(rows.annotate(number=Count("assignments", filter=done)))


def _confidence(run: RunSummary, documents: list[int]) -> dict[int, float | None]:
    rows = Consensus.objects.filter(run__key=run.key, task__document__in=documents)
    return dict(rows.annotate(of=F("task__document")).values_list("of", "confidence"))


def _beside(title: str, begins: str) -> str:
    """How the text begins; nothing where the title is all of that already."""
    text = " ".join(begins.split())
    return "" if text == " ".join(title.split()) else text
