"""A labelling loop goes on: as far as it can, until it waits for people.

Each step begins where the rows say that the last one ended, and ends with one transaction that
moves the round on. So it may be killed between any two statements and started twice: the next call
goes on from there. The budget needs no step to be right: the engine hands out nothing that would
pass it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Count, Q, Sum
from django.utils import timezone

from aggregation.actions.defaults import default_for
from aggregation.actions.runs import aggregate
from annotation.actions import assignments, locks
from annotation.models import Campaign, Demand, Payment
from annotation.sentences import CodedError
from selection.actions.loops.learning import runs_of, train_round
from selection.actions.loops.life import CannotLoop, finish_loop
from selection.actions.loops.measuring import finish_round
from selection.actions.loops.picking import pick
from selection.actions.loops.publishing import publish
from selection.actions.redundancy import CannotAdjust, adjust_redundancy, small_step
from selection.models import LabellingLoop, LoopRound
from selection.queries.loop_conditions import BUDGET

Step = LoopRound.Step


@dataclass(slots=True)
class Advanced:
    """What was done, in the order in which it was: "picked 2", "published 2", "done 2", and at last
    "finished", or what it waits for."""

    steps: list[str] = field(default_factory=list)
    problem: str = ""  # why it can't go on, for people


def advance(loop: LabellingLoop) -> Advanced:
    """Go on with a loop until it waits. What keeps it from going on stands in its row, too.
    Raises locks.Held where another is at it."""
    found = Advanced()
    with locks.hold(f"loop:{loop.key}"):
        try:
            while step := _step(_fresh(loop)):
                found.steps.append(step)
        except locks.Held:
            raise
        except CodedError as error:
            found.problem = str(error)
        rows = LabellingLoop.objects.filter(pk=loop.pk)
        rows.exclude(problem=found.problem).update(problem=found.problem)
    loop.refresh_from_db()
    return found


def _fresh(loop: LabellingLoop) -> LabellingLoop:
    related = LabellingLoop.objects.select_related("project", "campaign__project", "budget")
    return related.get(pk=loop.pk)


def _step(loop: LabellingLoop) -> str:
    """ "" where it waits, or is over."""
    if loop.state != LabellingLoop.State.RUNNING:
        return ""
    row = loop.rounds.select_related("campaign").exclude(step=Step.DONE).first()
    if row is None:
        made = pick(loop)
        if made is not None:
            return f"picked {made.number}"
        return "finished" if _fresh(loop).is_over else ""
    if row.step == Step.PICKED:
        publish(loop, row)
        return f"published {row.number}"
    return _labelling(loop, row)


# --- While people label -------------------------------------------------------------------------


def _labelling(loop: LabellingLoop, row: LoopRound) -> str:
    campaign = Campaign.objects.select_related("project").get(pk=row.campaign_id)
    ends_early = campaign.state == Campaign.State.CLOSED or _is_late(loop)
    if ends_early:
        assignments.close_tasks(campaign, _tasks(row))
    counts = _counts(row)
    if counts["leased"]:
        return ""
    broke = False
    if counts["open"]:
        broke = not _can_pay(campaign)
        if not broke:
            if campaign.state == Campaign.State.PAUSED:
                raise CannotLoop("loop.campaign_paused", campaign=campaign.slug)
            return ""
        assignments.close_tasks(campaign, _tasks(row))
    if not counts["answered"]:
        return _end_without_labels(loop, row, campaign, broke)
    if not (ends_early or broke) and _asks_for_more(campaign, row):
        return "asked for more answers"
    _aggregate(campaign)
    runs = runs_of(loop)
    model = train_round(loop, row, runs)
    finish_round(loop, row, model, runs, out_of_money=broke)
    return f"done {row.number}"


def _is_late(loop: LabellingLoop) -> bool:
    return loop.deadline is not None and timezone.now() >= loop.deadline


def _tasks(row: LoopRound) -> list[int]:
    return [pk for pk in row.items.values_list("task", flat=True) if pk is not None]


def _counts(row: LoopRound) -> dict[str, int]:
    """What the round's tasks still want. One query."""
    mine = Demand.objects.filter(task__in=row.items.exclude(task=None).values("task"))
    found = mine.aggregate(
        open=Sum("open"), leased=Sum("leased"), answered=Count("task", filter=Q(received__gt=0))
    )
    return {name: int(value or 0) for name, value in found.items()}


def _can_pay(campaign: Campaign) -> bool:
    """One more answer: what idle workers hold for later comes back, what was paid does not."""
    lines = Payment.objects.filter(campaign=campaign).exclude(state=Payment.State.UNFUNDED)
    spent = int(lines.aggregate(sum=Sum("mills"))["sum"] or 0)
    return (campaign.budget_mills or 0) - spent >= campaign.pay_mills


def _asks_for_more(campaign: Campaign, row: LoopRound) -> bool:
    """Where a target is set, whether some task of the round is still in doubt."""
    if campaign.wanted is None or campaign.state != Campaign.State.OPEN:
        return False
    _aggregate(campaign)
    try:
        adjust_redundancy(campaign, most=small_step(campaign))
    except CannotAdjust:
        return False
    return bool(_counts(row)["open"])


def _aggregate(campaign: Campaign) -> Any:
    """The run that stands, where nothing has come since."""
    default = default_for(campaign)
    try:
        return aggregate(campaign, default.method, parameters=default.parameters)
    except ValueError as error:
        if isinstance(error, CodedError):
            raise
        raise CannotLoop("loop.not_aggregated", why=error) from error


def _end_without_labels(
    loop: LabellingLoop, row: LoopRound, campaign: Campaign, broke: bool
) -> str:
    """Nobody answered, and nobody will."""
    if broke:
        finish_loop(loop, BUDGET)
        return "finished"
    if _is_late(loop):
        finish_loop(loop, "deadline")
        return "finished"
    if campaign.state != Campaign.State.CLOSED:
        raise CannotLoop("loop.no_answers", campaign=campaign.slug)
    if loop.campaign_id == campaign.pk:
        raise CannotLoop("loop.campaign_closed", campaign=campaign.slug)
    with transaction.atomic():
        row.items.update(task=None)
        LoopRound.objects.filter(pk=row.pk, step=Step.LABELLING).update(
            step=Step.PICKED, campaign=loop.campaign
        )
    return f"picked {row.number}"
