"""The tasks of a campaign where one decides: the least sure first, those that workers report, those
that want more answers. Each with its names as a strip: a tick a name, tall where it is in doubt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Max, Q, QuerySet

from aggregation.models import Consensus
from aggregation.queries.posteriors import largest
from aggregation.queries.runs import RunSummary
from annotation.interfaces import Material, Product, traits
from annotation.models import Assignment, Campaign, Demand, Task
from dashboard.documents.marks import worker_marks
from dashboard.interfaces import pages_of

ROWS = 20  # of a page
MOST_PAGES = 50  # that can be turned: what comes later is surer, and is found by its name
NORMAL_90 = 1.645
LEAST_TICK = 0.15  # of a tick's height, for a name without any doubt
SHOWN = {"all": "Least sure first", "reported": "Reported", "unfinished": "Unfinished"}


@dataclass(frozen=True, slots=True)
class Tick:
    """A name in the strip, in hundredths of its width and height."""

    x: float
    y: float
    height: float
    colour: int
    title: str


@dataclass(frozen=True, slots=True)
class Wrong:
    """How many names are expected to be wrong by their confidences, with the 90 % interval."""

    mean: float
    low: float
    high: float
    names: int


@dataclass(frozen=True, slots=True)
class TaskRow:
    name: str
    document: str  # id; "" where the task has none
    received: int
    wanted: int
    at_work: int
    confidence: float | None
    ticks: tuple[Tick, ...]
    wrong: Wrong | None  # None: nothing inferred, or no names
    words: str  # the consensus, where it is no names
    reports: int

    @property
    def is_finished(self) -> bool:
        return self.wanted > 0 and self.received >= self.wanted


@dataclass(frozen=True, slots=True)
class TaskList:
    rows: list[TaskRow]
    shown: str
    page: int
    has_next: bool

    @property
    def previous(self) -> int:
        return self.page - 1

    @property
    def next(self) -> int:
        return self.page + 1


def task_list(
    campaign: Campaign, run: RunSummary | None, *, shown: str, page: int, with_gold: bool
) -> TaskList:
    """Four queries, whatever is shown. Without `with_gold` a gold task is as if it were not
    there."""
    page, first = min(page, MOST_PAGES), (min(page, MOST_PAGES) - 1) * ROWS
    if shown == "all" and run is not None:
        rows = Consensus.objects.filter(run__key=run.key, confidence__isnull=False)
        if not with_gold:
            rows = rows.filter(task__in=Task.objects.plain().filter(campaign=campaign))
        ordered = rows.order_by("confidence", "task").values_list("task", flat=True)
    else:
        ordered = _chosen(campaign, shown, with_gold)
    keys = list(ordered[first : first + ROWS + 1])
    return TaskList(
        rows=_rows(campaign, run, keys[:ROWS]),
        shown=shown,
        page=page,
        has_next=len(keys) > ROWS and page < MOST_PAGES,
    )


def _chosen(campaign: Campaign, shown: str, with_gold: bool) -> QuerySet:
    if shown == "reported":
        reports = Assignment.objects.filter(task__campaign=campaign, reported_at__isnull=False)
        if not with_gold:
            reports = reports.on_plain()
        grouped = reports.values("task").annotate(number=Count("pk"), last=Max("reported_at"))
        return grouped.order_by("-number", "-last", "task").values_list("task", flat=True)
    demands = Demand.objects.plain().filter(campaign=campaign)
    if shown == "unfinished":
        demands = demands.filter(Q(open__gt=0) | Q(leased__gt=0))
    return demands.order_by("task").values_list("task", flat=True)


def _rows(campaign: Campaign, run: RunSummary | None, keys: list[int]) -> list[TaskRow]:
    tasks = Task.objects.filter(pk__in=keys).select_related("document", "demand")
    reported = Assignment.objects.filter(task__in=keys, reported_at__isnull=False)
    reports = dict(reported.order_by().values_list("task").annotate(number=Count("pk")))
    by_key = {task.pk: task for task in tasks}
    inferred = (
        {row.task_id: row for row in Consensus.objects.filter(run__key=run.key, task__in=keys)}
        if run
        else {}
    )
    return [
        _row(campaign, run, by_key[key], inferred.get(key), reports.get(key, 0))
        for key in keys
        if key in by_key
    ]


def _row(
    campaign: Campaign,
    run: RunSummary | None,
    task: Task,
    consensus: Consensus | None,
    reports: int,
) -> TaskRow:
    names: list[tuple[float, float, int, str]] = []
    words = ""
    if consensus is not None and run is not None:
        if traits(campaign.interface).product is Product.MENTIONS and task.document is not None:
            names = _names(campaign, run, task, consensus)
        else:
            words = pages_of(campaign.interface).in_words(consensus.answer)
    demand = task.demand
    return TaskRow(
        name=(task.document.title if task.document else "") or task.external_id,
        document=task.document.external_id if task.document else "",
        received=demand.received,
        wanted=demand.wanted,
        at_work=demand.leased,
        confidence=consensus.confidence if consensus else None,
        ticks=tuple(_tick(*name) for name in names),
        wrong=expected_wrong([sure for _, sure, _, _ in names]) if names else None,
        words=words,
        reports=reports,
    )


def _names(
    campaign: Campaign, run: RunSummary, task: Task, consensus: Consensus
) -> list[tuple[float, float, int, str]]:
    """Of each name its place from 0 to 1, how sure it is, its colour and its type."""
    document = task.document
    assert document is not None
    schema = campaign.project.schema
    colours = {kind["name"]: kind["colour"] for kind in schema.get("entity_types", ())}
    material = Material(
        schema=schema,
        text=document.text,
        tokens=document.tokens,
        sentences=document.sentences,
    )
    sure = largest(bytes(consensus.probabilities), len(run.classes))
    size = max(len(document.tokens), 1)
    found = []
    for mark in worker_marks(consensus.answer, material, colours, {}):
        known = [value for value in sure[mark.start : mark.end] if value is not None]
        if known and mark.type in colours:
            found.append((mark.start / size, sum(known) / len(known), mark.colour, mark.type))
    return found


def _tick(place: float, sure: float, colour: int, kind: str) -> Tick:
    height = 100 * max(LEAST_TICK, min(1.0, 2 * (1 - sure)))  # all of it at a coin's toss
    return Tick(
        round(98 * place, 2),
        round(100 - height, 1),
        round(height, 1),
        colour,
        f"{kind}: {sure:.0%}",
    )


def expected_wrong(sure: Sequence[float]) -> Wrong:
    """The sum of the doubts; names are taken to be wrong each for itself."""
    mean = sum(1 - one for one in sure)
    half = NORMAL_90 * math.sqrt(sum(one * (1 - one) for one in sure))
    return Wrong(mean, max(0.0, mean - half), min(len(sure), mean + half), len(sure))
