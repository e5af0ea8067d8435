"""Whom a campaign went on with, its rounds of redundancy, and the workers that are left."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q, Sum

from annotation.models import Campaign, Enrollment, Rollup, Tally
from selection.models import RedundancyRound, WorkerSelection

SELECTIONS, ROUNDS = 15, 15
NEWEST = 300  # rounds that are looked through: there may be one each minute
WEEK = timedelta(days=7)
State = Enrollment.State


@dataclass(frozen=True, slots=True)
class WorkerPool:
    """Who gets tasks, and how fast they are."""

    selected: int
    qualified: int
    on_the_way: int  # in practice or exam
    paused: int
    only_selected: bool
    wanted: int  # answers of different workers that each task wants
    missing: int  # answers, in all
    active: int  # workers who were seen in the last week
    answers: int  # of theirs in that week

    @property
    def size(self) -> int:
        """Workers who get tasks that count."""
        return self.selected if self.only_selected else self.selected + self.qualified

    @property
    def is_too_small(self) -> bool:
        """Too few for the answers of one task, and nobody is about to become one of them."""
        later = 0 if self.only_selected else self.on_the_way
        return self.missing > 0 and self.size + later < self.wanted

    @property
    def a_day(self) -> float | None:
        """Answers of one worker."""
        return self.answers / self.active / WEEK.days if self.active and self.answers else None

    def time_of(self, workers: int) -> timedelta | None:
        """In which so many workers give what is missing; None where that can't be told."""
        if not workers or not self.a_day or not self.missing:
            return None
        return timedelta(days=min(self.missing / (workers * self.a_day), 100_000))

    @property
    def time(self) -> timedelta | None:
        return self.time_of(self.size)


@dataclass(frozen=True, slots=True)
class Round:
    row: RedundancyRound
    saved_mills: int
    saved_share: float | None  # of the answers that the maximum for each would have taken


@dataclass(frozen=True, slots=True)
class SelectionPage:
    selections: list[WorkerSelection]
    later: int | None  # the page on which older ones are
    rounds: list[Round]  # the newest, and before it those in which something was done
    pool: WorkerPool


def selection_page(
    campaign: Campaign, now: datetime, *, page: int = 1, with_gold: bool
) -> SelectionPage:
    """Four queries; `campaign` comes with its tally. Without `with_gold` no selection is told."""
    first = (page - 1) * SELECTIONS
    found = WorkerSelection.objects.filter(campaign=campaign).select_related("made_by")
    selections = list(found[first : first + SELECTIONS + 1]) if with_gold else []
    rounds = RedundancyRound.objects.filter(campaign=campaign).select_related("run").defer(
        "run__fitted", "run__diagnostics", "run__parameters"
    )  # fmt: skip
    return SelectionPage(
        selections=selections[:SELECTIONS],
        later=page + 1 if len(selections) > SELECTIONS else None,
        rounds=[_round(campaign, row) for row in _notable(list(rounds[:NEWEST]))],
        pool=pool(campaign, now),
    )


def _notable(rows: list[RedundancyRound]) -> list[RedundancyRound]:
    return [row for i, row in enumerate(rows) if not i or row.asked or row.closed][:ROUNDS]


def _round(campaign: Campaign, row: RedundancyRound) -> Round:
    """Money by the pay of an answer, without the gold that came with it."""
    would_be = row.received + row.saved
    return Round(row, row.saved * campaign.pay_mills, row.saved / would_be if would_be else None)


def pool(campaign: Campaign, now: datetime, *, with_pace: bool = True) -> WorkerPool:
    """Two queries; one without the pace."""
    tally: Tally | None = getattr(campaign, "tally", None)
    counts = Enrollment.objects.filter(campaign=campaign).aggregate(
        selected=Count("pk", filter=Q(state=State.SELECTED)),
        qualified=Count("pk", filter=Q(state=State.QUALIFIED)),
        on_the_way=Count("pk", filter=Q(state__in=(State.TRAINING, State.EXAM))),
        paused=Count("pk", filter=Q(state=State.PAUSED)),
        active=Count("pk", filter=Q(seen_at__gte=now - WEEK, submitted__gt=0)),
    )
    week = Rollup.objects.filter(campaign=campaign, hour__gte=now - WEEK)
    return WorkerPool(
        **counts,
        only_selected=campaign.open_to == Campaign.OpenTo.SELECTED,
        wanted=campaign.redundancy,
        missing=max(tally.wanted - tally.received, 0) if tally else 0,
        answers=(week.aggregate(sum=Sum("answers"))["sum"] or 0) if with_pace else 0,
    )
