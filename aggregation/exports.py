"""The consensus of a run, task by task, as plain data for a file."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from typing import Any

from aggregation.models import Consensus
from aggregation.queries import RunSummary
from annotation.exports import Exported, tasks_at_once
from annotation.models import Campaign

DECIMALS = 4  # a stored probability has 11 bits


def consensus(campaign: Campaign, run: RunSummary) -> Iterator[Exported]:
    """Two queries for each hundred tasks."""
    for tasks in tasks_at_once(campaign):
        by_key = {task.pk: task for task in tasks}
        rows = Consensus.objects.filter(run__key=run.key, task__in=by_key)
        for row in rows.order_by("task__external_id"):
            facts: dict[str, Any] = {"confidence": _rounded(row.confidence)}
            if campaign.interface == "entity":
                confidences = _largest(bytes(row.probabilities), len(run.classes))
                facts["token_confidence"] = confidences
            facts |= {"run": str(run.key), "method": run.method}
            task = by_key[row.task_id]
            yield Exported(task.external_id, task.document, "consensus", row.answer, facts)


def _largest(probabilities: bytes, classes: int) -> list[float | None]:
    """The largest probability of each unit; None where nobody judged it."""
    values = struct.unpack(f"<{len(probabilities) // 2}e", probabilities)
    return [
        _rounded(max(values[start : start + classes])) for start in range(0, len(values), classes)
    ]


def _rounded(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else round(value, DECIMALS)
