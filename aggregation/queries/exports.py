"""The consensus of a run, task by task, as plain data for a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aggregation.interfaces import words_of
from aggregation.models import Consensus
from aggregation.queries import RunSummary
from aggregation.queries.posteriors import largest, rounded
from annotation.models import Campaign
from annotation.queries.exports import Exported, tasks_at_once


def consensus(campaign: Campaign, run: RunSummary) -> Iterator[Exported]:
    """Two queries for each hundred tasks."""
    for tasks in tasks_at_once(campaign):
        by_key = {task.pk: task for task in tasks}
        rows = Consensus.objects.filter(run__key=run.key, task__in=by_key)
        for row in rows.order_by("task__external_id"):
            facts: dict[str, Any] = {"confidence": rounded(row.confidence)}
            if words_of(campaign.interface).per_token:
                confidences = largest(bytes(row.probabilities), len(run.classes))
                facts["token_confidence"] = confidences
            facts |= {"run": str(run.key), "method": run.method}
            task = by_key[row.task_id]
            yield Exported(task.external_id, task.document, "consensus", row.answer, facts)
