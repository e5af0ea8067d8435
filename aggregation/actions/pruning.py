"""Which runs are kept, and the deletion of the others.

Kept are: of each campaign and method the newest ten complete runs, and the newest ten that failed;
what is pinned; what is served, to those who see gold and to those who don't; whatever another row
names (a model, a sample, a score); and what is at work. A round of redundancy asks for its run's
name alone: of that the row stays, without results and without what it has learnt.

A run that is pruned is marked first, so that nobody reads it any more, and then loses its rows in
small transactions. Whoever comes after one that was killed goes on where it was. So do the rows
of a run that failed, or whose process ended, while it wrote them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import models, transaction
from django.db.models import Exists, F, OuterRef, Subquery, Window
from django.db.models.functions import Coalesce, RowNumber
from django.utils import timezone

from aggregation.models import AggregationRun, Consensus, RunDifference, WorkerReliability
from aggregation.querysets import BY_ANSWERS, AggregationRunQuerySet
from annotation.actions import audit, locks
from annotation.models import Campaign

KEPT = 10  # of each campaign, method and state
BATCH = 1_000  # rows that are deleted in one transaction
RESULTS: tuple[type[models.Model], ...] = (Consensus, WorkerReliability, RunDifference)
State = AggregationRun.State

Advance = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Pruned:
    runs: int
    rows: int  # of consensus and reliabilities


def prune_runs(*, advance: Advance | None = None) -> Pruned:
    """Delete what no rule keeps. Raises locks.Held while another is at it."""
    with locks.hold("prune runs"):
        runs = rows = 0
        for run in AggregationRun.objects.filter(_has_results(), state=State.FAILED):
            rows += delete_results(run, advance)
        marked = AggregationRun.objects.filter(pk__in=prunable_runs().values("pk"), pinned_at=None)
        marked.update(state=State.PRUNED)
        pruned = AggregationRun.objects.filter(state=State.PRUNED)
        for run in pruned.filter(_has_something_to_go()):
            rows += delete_results(run, advance)
            with transaction.atomic():
                row = pruned.filter(pk=run.pk)
                row.filter(_not_named(by_name_too=True)).delete()
                row.update(fitted=None)
            runs += 1
        return Pruned(runs, rows)


def clear_broken_off(campaign: Campaign) -> None:
    """Call it under the campaign's lock: what is still running then has lost its process. Nothing
    is left of what it, or one that failed, had written."""
    runs = campaign.aggregation_runs
    runs.filter(state=State.RUNNING).update(
        state=State.FAILED, finished_at=timezone.now(),
        error="Broken off: its process ended before it was done.",
    )  # fmt: skip
    for run in runs.filter(_has_results(), state=State.FAILED):
        delete_results(run)


def prunable_runs() -> models.QuerySet[AggregationRun]:
    """One query."""
    place = Window(
        RowNumber(), partition_by=[F("campaign"), F("method"), F("state")], order_by=BY_ANSWERS
    )
    ended = AggregationRun.objects.filter(state__in=[State.COMPLETE, State.FAILED])
    old = ended.annotate(place=place).filter(place__gt=KEPT).values("pk")
    complete = AggregationRun.objects.complete().filter(campaign=OuterRef("campaign"))
    without_gold = complete.exclude(diagnostics__clamped=True)
    return (
        AggregationRun.objects.filter(_not_named(), pk__in=old, pinned_at=None)
        .annotate(served=_first(complete), served_without_gold=_first(without_gold))
        .exclude(pk=F("served"))
        .exclude(pk=F("served_without_gold"))
        .order_by("pk")
    )


def _first(runs: AggregationRunQuerySet) -> Coalesce:
    return Coalesce(Subquery(runs.served_first().values("pk")[:1]), 0)


def pin(run: AggregationRun, *, user: Any = None) -> bool:
    """Keep it until it is unpinned; False where it is being pruned already."""
    return _set_pinned(run, timezone.now(), "pin run", user)


def unpin(run: AggregationRun, *, user: Any = None) -> bool:
    return _set_pinned(run, None, "unpin run", user)


def _set_pinned(run: AggregationRun, at: Any, action: str, user: Any) -> bool:
    with transaction.atomic():
        rows = AggregationRun.objects.filter(pk=run.pk).exclude(state=State.PRUNED)
        found = bool(rows.update(pinned_at=at))
        if found:
            audit.record(
                run.campaign.project, action, run.campaign.slug, user=user,
                after={"run": str(run.key)},
            )  # fmt: skip
    return found


def _not_named(*, by_name_too: bool = False) -> models.Q:
    """By no row but its own results; nor by one that a run without results is enough for, where
    `by_name_too`."""
    unnamed = models.Q()
    for relation in AggregationRun._meta.get_fields(include_hidden=True):
        if isinstance(relation, models.ForeignObjectRel) and relation.related_model not in RESULTS:
            model: Any = relation.related_model
            if getattr(model, "needs_run_by_name", False) and not by_name_too:
                continue
            named = model._base_manager.filter(**{relation.field.name: OuterRef("pk")})
            unnamed = unnamed & models.Q(~Exists(named))
    return unnamed


def _has_something_to_go() -> models.Q:
    """Results, what it has learnt, or the row itself."""
    return _not_named(by_name_too=True) | models.Q(fitted__isnull=False) | _has_results()


def _has_results() -> models.Q:
    found = models.Q()
    for model in RESULTS:
        found |= models.Q(Exists(model._base_manager.filter(run=OuterRef("pk"))))
    return found


def delete_results(run: AggregationRun, advance: Advance | None = None) -> int:
    """In small transactions. How many rows there were."""
    deleted = 0
    for model in RESULTS:
        while batch := _some_of(model, run):
            with transaction.atomic():
                model._base_manager.filter(pk__in=batch).delete()
            deleted += len(batch)
            if advance is not None:
                advance(len(batch))
    return deleted


def _some_of(model: type[models.Model], run: AggregationRun) -> list[int]:
    return list(model._base_manager.filter(run=run).values_list("pk", flat=True)[:BATCH])
