"""A task as a line: its names as a strip, what is expected to be wrong, and why it stands there."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, OuterRef, Subquery

from aggregation.interfaces import words_of
from aggregation.models import Consensus
from aggregation.queries.posteriors import largest
from aggregation.queries.runs import RunSummary
from annotation.interfaces import Material, Product, interface, traits
from annotation.interfaces.answers import Answer
from annotation.models import Assignment, Campaign, Response, Task
from annotation.queries.worker_names import worker_name
from annotation.querysets.assignments import standing
from dashboard.answer_words import counted
from dashboard.documents.marks import NOT_LOOKED_AT, worker_marks
from dashboard.interfaces import pages_of
from dashboard.templatetags.figures import share

NORMAL_90 = 1.645
LEAST_TICK = 0.15  # of a tick's height, for a name without any doubt
DOUBTED = 0.9  # a name below this is told
LONGEST_NAME = 40  # characters of one that are shown
MOST_ANSWERS = 20  # of a task that are held against its consensus


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
    """How many parts are expected to be wrong or missed, with the 90 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class LastAnswer:
    at: datetime
    worker: str
    key: UUID  # of the worker's enrollment


@dataclass(frozen=True, slots=True)
class TaskRow:
    id: str  # external
    name: str
    document: str  # id; "" where the task has none
    received: int
    wanted: int
    open: int
    at_work: int
    confidence: float | None
    names: int
    ticks: tuple[Tick, ...]
    wrong: Wrong | None  # None: nothing inferred, or by a run that did not know it
    words: str  # the consensus, where it is no names
    reports: int
    is_disputed: bool
    is_first: bool  # given out before others
    last: LastAnswer | None
    decided_by: str  # who decided it last, wholly or in part; "" for nobody
    why: str  # what workers do not agree on; "" where they do
    least: str  # the name that is least sure, or what else there is to know; "" for nothing

    @property
    def state(self) -> str:
        """Of templates' `state-…`, and its word."""
        if self.is_disputed:
            return "disputed"
        if self.open:
            return "unfinished"
        return "at-work" if self.at_work else "finished"


@dataclass(frozen=True, slots=True)
class _Name:
    start: int  # tokens
    end: int
    place: float  # of its begin, from 0 to 1
    sure: float
    colour: int
    type: str
    text: str


def task_rows(
    campaign: Campaign, run: RunSummary | None, keys: Sequence[int], *, with_ids: bool = False
) -> list[TaskRow]:
    """In the order of `keys`. Five queries; one where there are none. `with_ids`: workers are
    called by the ids that managers gave them, too."""
    tasks = Task.objects.filter(pk__in=keys).select_related(
        "document", "demand", "adjudication__decided_by"
    )
    by_key = {task.pk: task for task in tasks}
    if not by_key:
        return []
    reported = Assignment.objects.reported().filter(task__in=keys)
    reports = dict(reported.order_by().values_list("task").annotate(number=Count("pk")))
    inferred = (
        {row.task_id: row for row in Consensus.objects.of_run(run.key).filter(task__in=keys)}
        if run
        else {}
    )
    answers: dict[int, list[Answer]] = defaultdict(list)
    given = Response.objects.submitted().filter(assignment__task__in=inferred)
    for key, answer in given.order_by("pk").values_list("assignment__task", standing("answer")):
        answers[key].append(answer)
    last = _last_answers(by_key, with_ids)
    return [
        _row(
            campaign, run, by_key[key], inferred.get(key), reports.get(key, 0), answers[key],
            last.get(key),
        )
        for key in keys
        if key in by_key
    ]  # fmt: skip


def _last_answers(keys: Iterable[int], with_ids: bool) -> dict[int, LastAnswer]:
    """By task. One query."""
    of_task = Assignment.objects.filter(task=OuterRef("pk"), state=Assignment.State.SUBMITTED)
    newest = of_task.order_by("-submitted_at").values("pk")[:1]
    chosen = Task.objects.filter(pk__in=list(keys)).values(newest=Subquery(newest))
    found = Assignment.objects.filter(pk__in=chosen).select_related("enrollment__worker")
    return {
        row.task_id: LastAnswer(
            row.submitted_at,
            worker_name(row.enrollment, with_ids=with_ids),
            row.enrollment.key,
        )
        for row in found
        if row.submitted_at is not None
    }


def _row(
    campaign: Campaign,
    run: RunSummary | None,
    task: Task,
    consensus: Consensus | None,
    reports: int,
    answers: Sequence[Answer],
    last: LastAnswer | None,
) -> TaskRow:
    document, demand = task.document, task.demand
    decision = getattr(task, "adjudication", None)
    material = Material(
        schema=campaign.project.schema,
        options=campaign.options,
        payload=task.payload,
        text=document.text if document else "",
        tokens=document.tokens if document else [],
        sentences=document.sentences if document else [],
    )
    names: list[_Name] = []
    words = why = least = ""
    if consensus is not None and run is not None:
        if traits(campaign.interface).product is Product.MENTIONS and document is not None:
            names = _names(material, consensus, len(run.classes))
            why, least = _names_in_doubt(names, answers[:MOST_ANSWERS], material)
        else:
            words = pages_of(campaign.interface).in_words(consensus.answer)
            why = _differing(campaign, consensus.answer, answers[:MOST_ANSWERS], material)
        if len(answers) == 1:
            least = f"one answer so far{', ' if least else ''}{least}"
    return TaskRow(
        id=task.external_id,
        name=(document.title if document else "") or task.external_id,
        document=document.external_id if document else "",
        received=demand.received,
        wanted=demand.wanted,
        open=demand.open,
        at_work=demand.leased,
        confidence=consensus.confidence if consensus else None,
        names=len(names),
        ticks=tuple(map(_tick, names)),
        wrong=expected_wrong(consensus.expected_errors, [name.sure for name in names])
        if consensus and consensus.expected_errors is not None
        else None,
        words=words,
        reports=reports,
        is_disputed=consensus is not None
        and not (decision is not None and decision.is_complete)
        and (consensus.expected_errors or 0.0) >= words_of(campaign.interface).disputed
        and (consensus.answers or 0) >= campaign.redundancy,
        is_first=demand.priority > 0,
        last=last,
        decided_by=decision.name if decision is not None else "",
        why=why,
        least=least,
    )


def _names(material: Material, consensus: Consensus, classes: int) -> list[_Name]:
    colours = {kind["name"]: kind["colour"] for kind in material.schema.get("entity_types", ())}
    sure = largest(bytes(consensus.probabilities), classes)
    found = []
    for mark in worker_marks(consensus.answer, material, colours, {}):
        known = [value for value in sure[mark.start : mark.end] if value is not None]
        if not known or mark.type not in colours:
            continue
        found.append(
            _Name(
                mark.start,
                mark.end,
                mark.start / len(material.tokens),
                sum(known) / len(known),
                mark.colour,
                mark.type,
                _clipped(material, mark.start, mark.end),
            )
        )
    return found


def _clipped(material: Material, start: int, end: int) -> str:
    text = material.text[material.tokens[start][0] : material.tokens[end - 1][1]]
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…"


def _tick(name: _Name) -> Tick:
    height = 100 * max(LEAST_TICK, min(1.0, 2 * (1 - name.sure)))  # all of it at a coin's toss
    return Tick(
        round(98 * name.place, 2),
        round(100 - height, 1),
        round(height, 1),
        name.colour,
        f"{name.text} ({name.type}): {name.sure:.0%}",
    )


def expected_wrong(errors: float, sure: Sequence[float]) -> Wrong:
    """Names are taken to be wrong each for itself; what is expected beside their doubts, such as
    names that were missed, varies as counts of rare things do."""
    doubts = sum(1 - one for one in sure)
    spread = sum(one * (1 - one) for one in sure) + max(0.0, errors - doubts)
    half = NORMAL_90 * math.sqrt(spread)
    return Wrong(errors, max(0.0, errors - half), errors + half)


def _differing(
    campaign: Campaign, consensus: Answer, answers: Sequence[Answer], material: Material
) -> str:
    kind = interface(campaign.interface)
    number = sum(kind.score_gold(answer, consensus, material, 0) < 1 for answer in answers)
    if not number:
        return ""
    return f"{number} of {counted(len(answers), 'worker')} {pages_of(campaign.interface).differs}"


def _names_in_doubt(
    names: Sequence[_Name], answers: Sequence[Any], material: Material
) -> tuple[str, str]:
    """How many workers agree on the name that is least sure, or on one that was left out; and how
    sure that name is."""
    name = min(names, key=lambda one: one.sure, default=None)
    least = f"least sure: “{name.text}” {share(name.sure)}" if name and name.sure < DOUBTED else ""
    if len(answers) < 2:
        return "", least
    given = [
        {(mark.start, mark.end, mark.type) for mark in worker_marks(answer, material, {}, {})}
        for answer in answers
    ]
    if name is not None and least:
        agreeing = sum((name.start, name.end, name.type) in spans for spans in given)
        if agreeing < len(given):
            who = f"{agreeing} of {len(given)}" if agreeing else "nobody"
            marked = f"{who} marked “{name.text}” ({name.type})"
            return marked, f"its confidence: {share(name.sure)}"
        return "", least
    taken = {token for one in names for token in range(one.start, one.end)}
    missed = Counter(
        span for spans in given for span in spans
        if span[2] != NOT_LOOKED_AT and taken.isdisjoint(range(span[0], span[1]))
    )  # fmt: skip
    for (start, end, _), number in missed.most_common(1):
        return f"{number} of {len(given)} marked “{_clipped(material, start, end)}” too", ""
    return "", ""
