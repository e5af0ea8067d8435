"""Labelling loops as commands and pages read them."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Demand
from selection.models import LabellingLoop, LoopItem, LoopRound


def loops_at_rest() -> QuerySet[LabellingLoop]:
    """Those that run and don't wait for people: nothing of their round is open or leased."""
    mine = LoopItem.objects.filter(round=OuterRef(OuterRef("pk"))).exclude(task=None).values("task")
    wanted = Demand.objects.filter(task__in=mine)
    at_work = LoopRound.objects.filter(loop=OuterRef("pk"), step=LoopRound.Step.LABELLING)
    waiting = at_work.annotate(
        wants=Exists(wanted.filter(ready=True)), holds=Exists(wanted.filter(leased__gt=0))
    ).exclude(wants=False, holds=False)
    running = LabellingLoop.objects.filter(state=LabellingLoop.State.RUNNING, problem="")
    return running.exclude(Exists(waiting))
