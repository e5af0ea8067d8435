"""Which tasks have answers that a run's consensus is not made of."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, DateTimeField, F, Value
from django.db.models.functions import Cast

from aggregation.models import AggregationRun, Consensus, LiveFacts
from annotation.actions.rollups import OVERLAP
from annotation.models import Correction, Response
from annotation.querysets.tasks import PLAIN

BATCH = 500  # tasks that are looked at, and judged, at a time


class Stored(NamedTuple):
    """Of a consensus."""

    answers: int
    confidence: float | None
    expected_errors: float | None
    refreshed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Change:
    """A task whose consensus is not made of the answers that it has."""

    task: int
    answers: int  # it has
    stored: Stored | None
    is_corrected: bool = False  # since the consensus was made

    @property
    def new(self) -> int:
        return self.answers - (self.stored.answers if self.stored else 0)


def changes_since(run: AggregationRun, live: LiveFacts) -> list[Change]:
    """One query, by the time of responses and of corrections; two more for each batch of tasks
    that it finds."""
    recent = (
        Response.objects.on_plain()
        .filter(received_at__gte=live.until - OVERLAP)
        # A sum is in no index: else SQLite begins with all tasks of the campaign.
        .annotate(of_campaign=F("assignment__task__campaign") + 0)
        .filter(of_campaign=run.campaign_id)
    )
    never = Cast(Value(None), DateTimeField())
    corrections = (
        Correction.objects.filter(
            at__gte=live.until - OVERLAP, response__assignment__task__demand__kind=PLAIN
        )
        .annotate(of_campaign=F("response__assignment__task__campaign") + 0)
        .filter(of_campaign=run.campaign_id)
        .values_list("response__assignment__task", "at")
    )
    found = list(recent.values_list("assignment__task", never).union(corrections))
    corrected: dict[int, datetime] = {}
    for task, at in found:
        if at is not None:
            corrected[task] = max(at, corrected.get(task, at))
    tasks = sorted({task for task, _ in found})
    changes = []
    for begin in range(0, len(tasks), BATCH):
        batch = tasks[begin : begin + BATCH]
        counted = Response.objects.submitted().filter(assignment__task__in=batch)
        answers = dict(counted.values_list("assignment__task").annotate(Count("pk")))
        rows = Consensus.objects.filter(run=run, task__in=batch).values_list(
            "task", "answers", "confidence", "expected_errors", "refreshed_at"
        )
        stored = {
            task: Stored(made_of or 0, sure, wrong, at) for task, made_of, sure, wrong, at in rows
        }
        for task in batch:
            row, at = stored.get(task), corrected.get(task)
            made_at = (row and row.refreshed_at) or run.started_at
            is_corrected = row is not None and at is not None and at > made_at
            changes.append(Change(task, answers.get(task, 0), row, is_corrected))
    return [change for change in changes if change.new or change.is_corrected]
