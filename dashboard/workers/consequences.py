"""What becomes of workers who are paused, blocked or let back in, told before it is done."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from annotation.models import Assignment, Campaign, Enrollment
from annotation.querysets.workers import OUT as STOPPED
from dashboard.workers.queries import states_with_tasks
from dashboard.workers.selections import WorkerPool, pool
from selection.actions.states import OUT


@dataclass(frozen=True, slots=True)
class Consequences:
    workers: list[Enrollment]
    moving: int  # whose state would change
    answers: int  # that they have submitted, and that go on counting
    at_work: int  # tasks that they hold, and may still send in
    before: WorkerPool
    size: int  # of the pool afterwards

    @property
    def is_too_small(self) -> bool:
        """Too few for the answers of one task, where there were enough before."""
        return self.before.missing > 0 and self.size < self.before.wanted <= self.before.size

    @property
    def time(self) -> timedelta | None:
        return self.before.time_of(self.size)


def consequences(
    campaign: Campaign, keys: list[uuid.UUID], verb: str, now: datetime
) -> Consequences:
    """Four queries. `verb` is pause, block or admit; keys of other campaigns are passed over."""
    rows = Enrollment.objects.filter(campaign=campaign, key__in=keys).select_related("worker")
    found = list(rows.order_by("pk"))
    held = Assignment.objects.live().filter(
        enrollment__in=[row.pk for row in found], expires_at__gt=now
    )
    before = pool(campaign, now)
    with_tasks = states_with_tasks(campaign)
    if verb == "admit":
        moving = [row for row in found if row.state in STOPPED and not row.worker.blocked_at]
        change = len(moving)
    else:
        moving = [row for row in found if row.state != OUT[verb]]
        change = -sum(row.state in with_tasks for row in moving)
    return Consequences(
        workers=found,
        moving=len(moving),
        answers=sum(row.submitted for row in found),
        at_work=held.count(),
        before=before,
        size=before.size + change,
    )
