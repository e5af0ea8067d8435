"""Simulated workers who verify claims through the engine, and know the truth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from annotation.actions import assignments
from annotation.models import Campaign, Task
from tests.factories import make_enrollment


def verify_all(
    campaign: Campaign, is_true: Callable[[Task], bool], *, workers: int = 3, most: int = 10_000
) -> int:
    """Until nothing is left for any of them; how many answers they gave."""
    given = 0
    for enrollment in [make_enrollment(campaign) for _ in range(workers)]:
        while given < most and (lease := assignments.claim_next(enrollment.key).assignment):
            assignments.submit(enrollment.key, lease.key, answer_of(lease.task, is_true))
            given += 1
    return given


def answer_of(task: Task, is_true: Callable[[Task], bool]) -> dict[str, Any]:
    asks = task.payload["asks"]
    answer = {name: True for name in asks if name != "relation"}
    if "relation" in asks:
        answer["relation"] = task.payload["predicted"] if is_true(task) else "none"
    return answer
