"""Which task is next for a worker: the queries behind a claim. None of them grows with his past."""

from __future__ import annotations

import functools
from typing import Any

from django.db import connection
from django.db.models import OuterRef, QuerySet, Subquery

from annotation.actions.assignments import demand
from annotation.models import Assignment, Demand, Enrollment

HEAD = -1  # before every rank


def plain_candidates(campaign_id: int, worker_id: int, after: int) -> QuerySet:
    """The first ready task behind rank `after` that the worker never held, as one task id.

    The probe is a scalar subquery on purpose: NOT EXISTS would let PostgreSQL turn it into an
    anti-join over the whole history (assignment-engine.md, trap 1).
    """
    return skipping_locked(
        Demand.objects.filter(
            campaign=campaign_id, kind=Demand.Kind.PLAIN, ready=True, rank__gt=after
        )
        .annotate(mine=held_by(worker_id))
        .filter(mine=None)
        .order_by("rank")
        .values("task")[:1]
    )


def gold_candidates(campaign_id: int, worker_id: int, after: int, kind: int) -> QuerySet:
    """The first gold question behind `after` that the worker never had: (task, rank). No lock:
    its counters are never touched."""
    return (
        Demand.objects.filter(campaign=campaign_id, kind=kind, ready=True, rank__gt=after)
        .annotate(mine=held_by(worker_id))
        .filter(mine=None)
        .order_by("rank")
        .values_list("task", "rank")[:1]
    )


# Stand for campaign, worker and rank in the SQL that is made once.
_CAMPAIGN, _WORKER, _AFTER = -1, -2, -3


@functools.cache
def _plain_sql(vendor: str) -> tuple[str, tuple[Any, ...]]:
    """`plain_candidates` as SQL: building it anew would be a tenth of the work of a claim."""
    return plain_candidates(_CAMPAIGN, _WORKER, _AFTER).query.sql_with_params()


def take_plain(campaign_id: int, worker_id: int, after: int) -> tuple[int, int] | None:
    sql, parameters = _plain_sql(connection.vendor)
    given = {_CAMPAIGN: campaign_id, _WORKER: worker_id, _AFTER: after}
    return demand.take_first(sql, [given.get(parameter, parameter) for parameter in parameters])


def held_by(worker_id: int) -> Subquery:
    return Subquery(
        Assignment.objects.filter(task=OuterRef("task"), worker=worker_id).values("id")[:1]
    )


def skipping_locked(demands: QuerySet) -> QuerySet:
    if connection.features.has_select_for_update_skip_locked:
        return demands.select_for_update(skip_locked=True, of=("self",))
    return demands


def allotted_to(enrollment: Enrollment) -> QuerySet:
    """What is allotted to the worker, wants an answer, and was never given to him."""
    return (
        Demand.objects.filter(
            kind=Demand.Kind.PLAIN, ready=True, task__allotments__enrollment=enrollment
        )
        .annotate(mine=held_by(enrollment.worker_id))
        .filter(mine=None)
    )


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
