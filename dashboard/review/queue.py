"""Which tasks wait for a person, by what a decision is worth."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time

from django.db.models import Count, Q
from django.utils import timezone

from aggregation.interfaces import words_of
from aggregation.models import Adjudication, Consensus
from aggregation.queries.runs import RunSummary
from annotation.interfaces import task_name
from annotation.models import Assignment, Campaign, Demand, Response, Task
from dashboard.answer_words import counted

LOOKED_AT = 60  # tasks, of those with most errors, and of those reported and doubted
# What a worker's word adds to the errors that the statistics expect.
REPORT, DOUBT = 0.5, 0.25


@dataclass(frozen=True, slots=True)
class Waiting:
    pk: int
    id: str  # external
    name: str
    value: float
    why: str


@dataclass(frozen=True, slots=True)
class Done:
    """What this person has decided today, and everybody in all."""

    today: int
    of_all: int
    gold: int


def queue(campaign: Campaign, run: RunSummary | None) -> list[Waiting]:
    """The first of them, most valuable first. Five queries; each walks along an index."""
    if run is None:
        return []
    undecided = Q(task__adjudication=None) | Q(task__adjudication__is_complete=False)
    rows = Consensus.objects.filter(
        undecided, run__key=run.key, task__demand__kind=Demand.Kind.PLAIN
    )
    known = run.facts.expected_errors is not None
    disputed = rows.disputed(campaign).most_errors_first() if known else rows.none()
    columns = ("task", "expected_errors")
    errors = {task: value or 0.0 for task, value in disputed.values_list(*columns)[:LOOKED_AT]}
    reported = Assignment.objects.reported().on_plain().filter(task__campaign=campaign)
    told = reported.order_by().values("task").annotate(number=Count("pk")).order_by("-number")
    reports = {row["task"]: row["number"] for row in told[:LOOKED_AT]}
    given = Response.objects.counted().doubted().filter(assignment__task__campaign=campaign)
    open_ones = given.exclude(assignment__task__adjudication__is_complete=True)
    doubted = open_ones.order_by().values_list("assignment__task").annotate(number=Count("pk"))
    doubts = dict(doubted.order_by("-number", "assignment__task")[:LOOKED_AT])
    more = rows.filter(task__in={*reports, *doubts} - errors.keys())
    errors |= {task: value or 0.0 for task, value in more.values_list(*columns)}
    kind = campaign.interface
    part = words_of(kind).judged if words_of(kind).takes_classes else "part"
    tasks = Task.objects.filter(pk__in=errors).values_list(
        "pk", "external_id", "payload", "document__title"
    )
    found = [
        Waiting(
            pk,
            name,
            title or str(task_name(kind, payload)) or name,
            errors[pk] + REPORT * reports.get(pk, 0) + DOUBT * doubts.get(pk, 0),
            _why(errors[pk], reports.get(pk, 0), doubts.get(pk, 0), part),
        )
        for pk, name, payload, title in tasks
    ]
    return sorted(found, key=lambda one: (-one.value, one.pk))


def done(campaign: Campaign, user: object) -> Done:
    """One query."""
    midnight = timezone.make_aware(datetime.combine(timezone.localdate(), time.min))
    mine = Q(decided_by=user, decided_at__gte=midnight)
    found = Adjudication.objects.filter(task__campaign=campaign).aggregate(
        today=Count("pk", filter=mine), of_all=Count("pk"), gold=Count("gold")
    )
    return Done(found["today"], found["of_all"], found["gold"])


def _why(errors: float, reports: int, doubts: int, part: str) -> str:
    said = []
    if reports:
        said.append(f"{counted(reports, 'report')}")
    if doubts:
        said.append(f"{counted(doubts, 'doubt')}")
    if not said:
        said.append(f"{errors:.1f} wrong expected")
    return ", ".join(said)
