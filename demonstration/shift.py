"""One simulated worker at work for a while, by the actions that serve the page."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

from annotation.actions import assignments
from annotation.interfaces.answers import Answer

STOPS = "I stop here for today."

AnswerOf = Callable[[int], tuple[Answer, float]]  # task's row id → answer, seconds


def work(key: UUID, start: datetime, most: int | None, answer_of: AnswerOf, *, pause: float) -> int:
    """How many answers they gave, at most so many (None: all they get); the task that they then
    hold they give back.

    `key` is the enrollment's; `pause` are the seconds from one task to the next.
    """
    moment, done = start, 0
    lease = assignments.claim_next(key, now=moment).assignment
    while lease is not None and done != most:
        answer, seconds = answer_of(lease.task_id)
        moment += timedelta(seconds=seconds + pause)
        submitted = assignments.submit(key, lease.key, answer, seconds, now=moment)
        lease, done = submitted.next.assignment, done + 1
    if lease is not None:
        assignments.return_task(key, lease.key, STOPS, now=moment)
    return done
