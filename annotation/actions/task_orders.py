"""What a manager asks of single tasks: one more answer, their turn before others, or no more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Sum

from annotation.actions import audit
from annotation.actions.assignments import add_slots, close_tasks, set_priorities
from annotation.models import PRIORITIES, Campaign, Demand
from annotation.sentences import CodedError

FIRST = PRIORITIES - 1


class CannotOrder(CodedError):
    """Nothing can be asked of these tasks; the message says why."""


@dataclass(frozen=True, slots=True)
class TaskOrder:
    """What a verb would do to some tasks."""

    tasks: tuple[int, ...]  # row ids of those that are there; gold is left out
    changes: tuple[int, ...]  # those of them that it would change
    wanted: int  # answers that all of them want together, as things stand
    open: int  # of these, that nobody is at work on


VERBS: dict[str, Callable[[Campaign, Sequence[int]], int]] = {
    "more": add_slots,
    "first": lambda campaign, tasks: set_priorities(campaign, dict.fromkeys(tasks, FIRST)),
    "usual": lambda campaign, tasks: set_priorities(campaign, dict.fromkeys(tasks, 0)),
    "stop": close_tasks,
}


def foresee(campaign: Campaign, names: Sequence[str], verb: str) -> TaskOrder:
    """What `verb` would do to the tasks of these external ids; names of others are passed over.
    Three queries. Raises CannotOrder."""
    if campaign.is_assigned:
        raise CannotOrder("tasks.assigned", campaign=campaign.slug)
    if campaign.state not in (Campaign.State.OPEN, Campaign.State.PAUSED):
        raise CannotOrder("tasks.not_open", campaign=campaign.slug, state=campaign.state)
    demands = Demand.objects.plain().filter(campaign=campaign, task__external_id__in=names)
    tasks = demands.order_by("task").values_list("task", flat=True)
    sums = demands.aggregate(wanted=Sum("wanted"), open=Sum("open"))
    able = {
        "more": demands.filter(wanted__lt=campaign.max_redundancy),
        "first": demands.exclude(priority=FIRST),
        "usual": demands.exclude(priority=0),
        "stop": demands.filter(open__gt=0),
    }[verb]
    return TaskOrder(
        tasks=tuple(tasks),
        changes=tuple(able.order_by("task").values_list("task", flat=True)),
        wanted=sums["wanted"] or 0,
        open=sums["open"] or 0,
    )


def order_tasks(campaign: Campaign, order: TaskOrder, verb: str, *, user: Any = None) -> int:
    """Do it; how many were changed."""
    with transaction.atomic():
        changed = VERBS[verb](campaign, order.changes)
        if changed:
            audit.record(
                campaign.project, "order tasks", campaign.slug, user=user,
                after={"verb": verb, "tasks": changed},
            )  # fmt: skip
    return changed
