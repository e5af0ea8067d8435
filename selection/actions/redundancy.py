"""Adaptive redundancy: a task that is certain is given out no more, one in doubt asks for one more
answer, up to the campaign's maximum.

Where no task has three answers nobody knows what answers are worth together, and confidences take
them for independent. A twentieth of the tasks (30 at least), drawn at random, then gets all answers
that there may be, sure or not: the next run has it from these.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import numpy as np
from django.db import transaction
from django.utils import timezone

from aggregation.algorithms.categorical.evidence import TELLING
from aggregation.methods.registry import METHODS
from aggregation.methods.version import code_version
from aggregation.models import AggregationRun
from annotation.actions import assignments, audit, locks
from annotation.models import Campaign, Demand
from annotation.sentences import CodedError
from selection import arrays
from selection.algorithms import (
    clear_majority,
    decide,
    drawn_to_the_most,
    most_in_need,
    reached,
)
from selection.models import RedundancyRound
from selection.sentences import CATALOGUE

STEP = 40  # a small step asks for one task in so many
LEAST = 20  # or for so many
KEEP_EVERY = timedelta(hours=1)  # a round in which nothing was to be done


class CannotAdjust(CodedError):
    """There is nothing to go by; the message says what to do."""

    catalogue = CATALOGUE


class NoConsensus(CannotAdjust):
    """There will be something to go by, once the campaign is aggregated."""


def small_step(campaign: Campaign) -> int:
    """How many tasks to ask for at once, so that their answers can tell of the others before more
    is asked for: a replay of real data lost .15 to .3 points by steps three times as large."""
    tally = getattr(campaign, "tally", None)
    return max(LEAST, (tally.tasks if tally else 0) // STEP)


def adjust_redundancy(
    campaign: Campaign, *, target: float | None = None, rule: str = "confidence", lead: int = 2,
    most: int | None = None, user: Any = None,
) -> RedundancyRound:  # fmt: skip
    """One round: close what is certain, ask for one more of what is in doubt and is at rest.

    A task is asked for once while nothing comes: only when all that it wanted has arrived, and is
    in the consensus, is it judged again, so a second run at once changes nothing. `target` None:
    the campaign's own. `most`: at most so many are asked for, those first where most is expected
    to be wrong. A round without any change is kept once in an hour. Raises CannotAdjust,
    locks.Held.
    """
    target = campaign.wanted if target is None else target
    if campaign.state != Campaign.State.OPEN:
        raise CannotAdjust("redundancy.not_open", campaign=campaign.slug, state=campaign.state)
    if campaign.is_assigned:
        raise CannotAdjust("redundancy.assigned", campaign=campaign.slug)
    run = None
    if rule == "confidence":
        if target is None:
            raise CannotAdjust("redundancy.no_target", campaign=campaign.slug)
        run = AggregationRun.objects.complete().filter(campaign=campaign).served_first().first()
        if run is None:
            raise NoConsensus("redundancy.no_consensus", campaign=campaign.slug)
    with locks.hold(f"redundancy:{campaign.slug}"):
        return _adjust(campaign, run, rule, target, lead, most, user)


def _adjust(
    campaign: Campaign, run: AggregationRun | None, rule: str, target: float | None, lead: int,
    most: int | None, user: Any,
) -> RedundancyRound:  # fmt: skip
    tasks = arrays.load_tasks(campaign, run)
    if rule == "majority":
        sure = clear_majority(arrays.votes(campaign, tasks.task), lead)
        known = np.ones(len(tasks.task), dtype=bool)
    else:
        assert target is not None
        sure = reached(tasks.sure, target)
        known = tasks.judged >= tasks.received  # else a newer answer may settle it
    coming = tasks.received + tasks.leased + tasks.open
    decision = decide(sure, tasks.received, maximum=campaign.max_redundancy)
    full = decision.close & ~sure
    drawn = _drawn(campaign, run)
    is_drawn = np.isin(tasks.task, list(drawn)) & (coming >= campaign.max_redundancy)
    close = known & sure & (tasks.open > 0) & ~is_drawn
    rests = (tasks.leased + tasks.open == 0) & (coming < campaign.max_redundancy)
    ask = known & decision.ask & rests
    if most is not None:
        ask_of = most_in_need(tasks.need, ask, most)
        ask = np.zeros(len(tasks.task), dtype=bool)
        ask[ask_of] = True
    certain = known & sure
    saved = np.maximum(campaign.max_redundancy - coming + np.where(close, tasks.open, 0), 0)
    missing = _missing(campaign, drawn) if _knows_too_little(run) else {}
    ask &= ~np.isin(tasks.task, [task for some in missing.values() for task in some])
    # In batches, so that workers can submit meanwhile. What one that was killed has changed, the
    # next finds as it is.
    closed = assignments.close_tasks(campaign, tasks.task[close].tolist())
    asked = assignments.add_slots(campaign, tasks.task[ask].tolist())
    sampled = sum(assignments.add_slots(campaign, some, number) for number, some in missing.items())
    asked += sampled
    with transaction.atomic():
        made = RedundancyRound(
            campaign=campaign, run=run, rule=rule, target=target, code_version=code_version(),
            asked=asked, closed=closed, waiting=int((~known).sum()), certain=int(certain.sum()),
            full=int(full.sum()), received=int(tasks.received.sum()),
            saved=int(saved[certain].sum()),
        )  # fmt: skip
        recent = RedundancyRound.objects.filter(
            campaign=campaign, at__gt=timezone.now() - KEEP_EVERY
        )
        if asked or closed or not recent.exists():
            made.save()
        if asked or closed:
            audit.record(
                campaign.project, "adjust redundancy", campaign.slug, user=user,
                after={
                    "asked": asked, "closed": closed, "target": target, "rule": rule,
                    **({"at random to the maximum": sampled} if sampled else {}),
                },
            )  # fmt: skip
    return made


def _drawn(campaign: Campaign, run: AggregationRun | None) -> dict[int, int]:
    """Tasks that tell what answers are worth together, and how many answers each wants so far: of
    a campaign that asks for fewer than three until there is doubt, by a method that learns it. A
    query."""
    usual, most = campaign.redundancy, campaign.max_redundancy
    if run is None or not campaign.is_adaptive or usual >= TELLING or most < TELLING:
        return {}
    if run.facts.calibration is None or METHODS[run.method].follows == "vote":
        return {}  # spans have a temperature, and votes stay shares
    demands = Demand.objects.plain().filter(campaign=campaign).order_by("task")
    rows = np.array(list(demands.values_list("task", "wanted")), dtype=np.int64).reshape(-1, 2)
    return dict(rows[drawn_to_the_most(rows[:, 0], campaign.pk)].tolist())


def _knows_too_little(run: AggregationRun | None) -> bool:
    """Whether neither three answers to a task nor gold say what answers are worth together."""
    calibration = None if run is None else run.facts.calibration
    return (
        calibration is not None and calibration.correlation is None and not calibration.is_checked
    )


def _missing(campaign: Campaign, drawn: dict[int, int]) -> dict[int, list[int]]:
    """The tasks by how many answers they want less than the most."""
    found: dict[int, list[int]] = {}
    for task, wanted in drawn.items():
        if wanted < campaign.max_redundancy:
            found.setdefault(campaign.max_redundancy - wanted, []).append(task)
    return found
