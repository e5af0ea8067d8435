"""The second component of a loop: what was picked becomes tasks of its campaign, all at once."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.actions import assignments
from annotation.actions.campaigns import (
    NotReady,
    WrongState,
    create_tasks_on,
    grant_rest,
    open_campaign,
)
from annotation.actions.jobs import enqueue
from annotation.models import Campaign, Document, Enrollment, Task
from selection.actions.loops.life import CannotLoop
from selection.actions.workers import NothingToSelectBy, select_workers
from selection.models import (
    LabellingLoop,
    LoopItem,
    LoopRound,
    NightlySelection,
    TrainedModel,
)

FIRST, SPREAD = 2_000, 1_000  # priorities: of the sample, and below it of what was picked


def publish(loop: LabellingLoop, row: LoopRound) -> None:
    """Give the round's documents out. Broken off anywhere, it goes on where it was: tasks are made
    once by their names, and the round moves on last. Raises CannotLoop, locks.Held."""
    campaign = Campaign.objects.select_related("project").get(pk=row.campaign_id)
    if campaign.state == Campaign.State.CLOSED:
        raise CannotLoop("loop.campaign_closed", campaign=campaign.slug)
    grant_rest(campaign)
    workers = _select(campaign) if row.number > 1 else None
    items = _items(row)
    if not items:  # they are all gone: others are picked
        row.delete()
        return
    create_tasks_on(campaign, ((item.document_id, item.external_id, {}) for item in items))
    if campaign.state == Campaign.State.DRAFT:
        try:
            open_campaign(campaign)
        except (NotReady, WrongState) as error:
            raise CannotLoop("loop.not_ready", campaign=campaign.slug, why=error) from error
    _connect(row, campaign, items)
    assignments.set_priorities(campaign, {item.task_id or 0: _priority(item) for item in items})
    with transaction.atomic():
        LabellingLoop.objects.select_for_update().get(pk=loop.pk)
        LoopRound.objects.filter(pk=row.pk, step=LoopRound.Step.PICKED).update(
            step=LoopRound.Step.LABELLING, published_at=timezone.now(), workers=workers
        )
        _ask_for_suggestions(loop, row, campaign)


def _ask_for_suggestions(loop: LabellingLoop, row: LoopRound, campaign: Campaign) -> None:
    """By the model of the round before, as a job: tasks that somebody has in hand by then stay as
    they are."""
    if not loop.suggests:
        return
    models = TrainedModel.objects.filter(loop_round__loop=loop, loop_round__number__lt=row.number)
    model = models.order_by("loop_round__number", "pk").last()
    if model is not None:
        enqueue("suggest_by_model", {"model": str(model.key)}, campaign=campaign)


def _items(row: LoopRound) -> list[LoopItem]:
    """Those whose documents are still there: of an import that was undone they are gone."""
    there = Document.objects.visible().filter(project=row.campaign.project_id)
    return list(row.items.filter(document__in=there).order_by("use", "rank"))


def _connect(row: LoopRound, campaign: Campaign, items: list[LoopItem]) -> None:
    picked = row.items.exclude(document=None).values("document")
    tasks = dict(
        Task.objects.filter(campaign=campaign, document__in=picked).values_list("document", "pk")
    )
    for item in items:
        item.task_id = tasks[item.document_id or 0]
    LoopItem.objects.bulk_update(items, ["task"], batch_size=500)


def _priority(item: LoopItem) -> int:
    """The sample first, for all that is learnt is measured by it; then the best first. Where money
    ends early, it was spent on these."""
    if item.use == LoopItem.Use.SAMPLE:
        return FIRST
    return max(1, SPREAD - item.rank)


def _select(campaign: Campaign) -> int | None:
    """Where workers are selected each night they are before each batch, too; how many were kept
    then. None where selection is off."""
    rule = NightlySelection.objects.filter(campaign=campaign).first()
    if rule is None and campaign.open_to != Campaign.OpenTo.SELECTED:
        return None
    if rule is not None:
        try:
            select_workers(campaign, rule.keep_workers)
        except NothingToSelectBy:
            return None
    selected: Any = Enrollment.objects.filter(campaign=campaign, state=Enrollment.State.SELECTED)
    return int(selected.count())
