"""Which task is next for a worker: the queries behind a claim. None of them grows with their
past."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.actions.assignments import demand
from annotation.actions.assignments.ahead import TOGETHER_BITS, WINDOW
from annotation.models import SHUFFLE_BITS, Assignment, Demand, Enrollment, Task
from annotation.querysets import compiled

HEAD = -1  # before every rank


def plain_ahead(campaign_id: int, worker_id: int, after: int) -> QuerySet:
    """The ready tasks behind rank `after` that the worker never held, in their order.

    The probe is a scalar subquery on purpose: NOT EXISTS would let PostgreSQL turn it into an
    anti-join over the whole history (assignment-engine.md, trap 1).
    """
    return (
        Demand.objects.plain()
        .ready()
        .filter(campaign=campaign_id, rank__gt=after)
        .annotate(mine=held_by(worker_id))
        .filter(mine=None)
        .order_by("rank")
    )


def gold_candidates(campaign_id: int, worker_id: int, after: int, kind: int) -> QuerySet:
    """The first gold question behind `after` that the worker never had. No lock: its counters are
    never touched."""
    return (
        Demand.objects.filter(campaign=campaign_id, kind=kind, ready=True, rank__gt=after)
        .annotate(mine=held_by(worker_id))
        .filter(mine=None)
        .order_by("rank")
        .values_list("task")[:1]
    )


def gold_from(campaign_id: int, worker_id: int, place: int, kind: int) -> int | None:
    """The gold question that the worker never had at a place of the order or behind it; behind the
    last comes the first. None: there is none. One query, which looks at the head where it must."""
    found = GOLD.first(campaign=campaign_id, worker=worker_id, place=place, kind=kind)
    return None if found is None else found[0]


def _gold_from(campaign: int, worker: int, place: int, kind: int) -> QuerySet:
    behind, first = (
        Subquery(gold_candidates(campaign, worker, after, kind)) for after in (place, HEAD)
    )
    return Demand.objects.filter(task=Coalesce(behind, first)).values_list("task")


GOLD = compiled.Select(
    _gold_from,
    campaign=Demand.campaign,
    worker=Assignment.worker,
    place=Demand.rank,
    kind=Demand.kind,
)


@dataclass(frozen=True, slots=True)
class Taken:
    """A plain task that was leased, and the ranks of those that could have been, rising, with the
    one behind them."""

    task: int
    rank: int
    window: list[int]


def _first_ahead(campaign: int, worker: int, after: int) -> QuerySet:
    return plain_ahead(campaign, worker, after).values("task", "rank")[: WINDOW + 1]


def _any_ahead(campaign: int, worker: int, after: int) -> QuerySet:
    return skipping_locked(plain_ahead(campaign, worker, after)).values("task")[:1]


WHERE = {"campaign": Demand.campaign, "worker": Assignment.worker, "after": Demand.rank}
FIRST_AHEAD = compiled.Select(_first_ahead, **WHERE)
ANY_AHEAD = compiled.Select(_any_ahead, **WHERE)


@functools.cache
def _window_sql(ahead: str, vendor: str) -> str:
    """Lease one of the next WINDOW tasks: of the document at which the worker is, where tasks stay
    together, else by the order that is drawn for this claim. A priority is used up before the
    next one begins. Parameters: those of `ahead`, the document, the order."""
    can_skip = connection.features.has_select_for_update_skip_locked
    lock = "FOR UPDATE OF d SKIP LOCKED" if can_skip else ""
    as_text = "string_agg(rank::text, ',')" if vendor == "postgresql" else "group_concat(rank)"
    picked = (
        "SELECT d.task_id FROM places p JOIN annotation_demand d ON d.task_id = p.task_id "
        f"WHERE p.place <= {WINDOW} AND d.open > 0 "
        f"ORDER BY p.rank >> {TOGETHER_BITS} <> %s, substr(%s, p.place, 1) LIMIT 1 {lock}"
    )
    return (
        f"WITH ahead (task_id, rank) AS MATERIALIZED ({ahead}), places AS ("
        "SELECT task_id, rank, CAST(row_number() OVER (ORDER BY rank) AS integer) AS place "
        f"FROM ahead WHERE rank >> {SHUFFLE_BITS} = (SELECT min(rank) >> {SHUFFLE_BITS} FROM ahead)"
        f") {demand.TAKE} ({picked}) RETURNING task_id, rank, (SELECT {as_text} FROM ahead)"
    )


def window_statement(
    campaign_id: int, worker_id: int, after: int, *, last: int, order: str
) -> tuple[str, list[Any]]:
    ahead, parameters = FIRST_AHEAD.statement(campaign=campaign_id, worker=worker_id, after=after)
    return _window_sql(ahead, connection.vendor), [*parameters, last >> TOGETHER_BITS, order]


def take_near(
    campaign_id: int, worker_id: int, after: int, *, last: int, order: str
) -> Taken | None:
    """Lease one of the next tasks behind rank `after`; None where there is none, or where others
    have locked all of them. `last` is the rank of the task before, `order` the order of draw."""
    row = demand.take(*window_statement(campaign_id, worker_id, after, last=last, order=order))
    return None if row is None else Taken(row[0], row[1], sorted(map(int, row[2].split(","))))


def take_any(campaign_id: int, worker_id: int, after: int) -> tuple[int, int] | None:
    """Lease the first task behind rank `after` that nobody has locked, however far it is."""
    return demand.take_first(
        *ANY_AHEAD.statement(campaign=campaign_id, worker=worker_id, after=after)
    )


def held_by(worker_id: int) -> Subquery:
    return Subquery(
        Assignment.objects.filter(task=OuterRef("task"), worker=worker_id).values("id")[:1]
    )


def skipping_locked(demands: QuerySet) -> QuerySet:
    if connection.features.has_select_for_update_skip_locked:
        return demands.select_for_update(skip_locked=True, of=("self",))
    return demands


def allotted_to(enrollment: Enrollment) -> QuerySet:
    """What is allotted to the worker, wants an answer, and was never given to them."""
    return _allotted(enrollment.pk, enrollment.worker_id)


def _allotted(enrollment: int, worker: int) -> QuerySet:
    return (
        Demand.objects.plain()
        .ready()
        .filter(task__allotments__enrollment=enrollment)
        .annotate(mine=held_by(worker))
        .filter(mine=None)
    )


def take_allotted(enrollment: Enrollment, task: str | None) -> int | None:
    """Lease the worker's next allotted task, or the one that they ask for by its external id."""
    whose = {"enrollment": enrollment.pk, "worker": enrollment.worker_id}
    if task is None:
        taken = demand.take_first(*ALLOTTED.statement(**whose))
    else:
        taken = demand.take_first(*ALLOTTED_BY_NAME.statement(**whose, task=task))
    return None if taken is None else taken[0]


def _next_allotted(enrollment: int, worker: int, **named: str) -> QuerySet:
    allotted = _allotted(enrollment, worker)
    if named:
        allotted = allotted.filter(task__external_id=named["task"])
    return skipping_locked(allotted.order_by("task__allotments__id").values("task")[:1])


WHOSE = {"enrollment": Enrollment.id, "worker": Assignment.worker}
ALLOTTED = compiled.Select(_next_allotted, **WHOSE)
ALLOTTED_BY_NAME = compiled.Select(_next_allotted, **WHOSE, task=Task.external_id)


def gold_left(enrollment: Enrollment, kind: int, wanted: int) -> bool:
    """Whether the campaign has `wanted` gold questions that this worker never had."""
    fresh = (
        Demand.objects.ready()
        .filter(campaign=enrollment.campaign_id, kind=kind)
        .annotate(mine=held_by(enrollment.worker_id))
        .filter(mine=None)
        .values("task")[:wanted]
    )
    return len(fresh) >= wanted
