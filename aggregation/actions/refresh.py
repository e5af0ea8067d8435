"""Between runs: answers that came after a run are judged with what it has learnt.

Only tasks with new answers are touched. Each gets one step of inference; what workers are worth
stays as the run found it. Once the new answers are more than a tenth of what the run saw, there is
a new run, with the same method and settings; so there is once the campaign leaves out what workers
were unsure of, or no longer does. Where a run can't follow new answers, any new answer is reason
for one, but not within an hour of the last. A run that took long, with its reading and writing, is
given a rest of many times as long.

How many answers a task's consensus is made of stands with it (`Consensus.answers`). A task is new
where that is not the number of its answers, so nothing is counted twice, however often this runs.
Candidates are tasks with a response received since the last time, less `OVERLAP`: `received_at` is
taken before a submit's transaction, which is seen when it has ended, and by another clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal, cast

import numpy as np
from django.db import transaction
from django.db.models import Count, Min
from django.utils import timezone
from numpy.typing import NDArray

from aggregation import arrays
from aggregation.actions.changes import BATCH, Change, changes_since
from aggregation.actions.coreference import corefer
from aggregation.actions.decisions import counted, lay_over
from aggregation.actions.defaults import default_for
from aggregation.actions.runs import aggregate
from aggregation.algorithms import Restorable
from aggregation.algorithms.categorical.confidences import judged
from aggregation.algorithms.estimators import CategoricalEstimator
from aggregation.algorithms.sequences.span_confidences import Spans, judged_spans
from aggregation.arrays.fits import Unreadable, unpacked
from aggregation.interfaces.entries import unit_entry
from aggregation.methods.registry import METHODS
from aggregation.models import AggregationRun, Consensus, LiveFacts, RunFacts
from aggregation.models.runs import IMPORTED
from aggregation.queries.runs import NEW_ANSWERS
from annotation.actions import locks
from annotation.models import Campaign, Response

IDLE = timedelta(hours=1)  # after so long without an answer, later ones are looked for from now on
FIRST_SHARE = 0.1  # of the tasks that have an answer, or
FIRST_AFTER = timedelta(hours=1)  # from the first answer on there is a first run
RETRY = timedelta(hours=1)  # after a run that failed
WAITED = timedelta(hours=1)  # from a run that can't follow new answers to the next that has some
# A run that took longer than QUICK is followed by another of itself after RESTS times as long at
# the earliest: so runs take a twentieth of a processor, however fast answers come in.
QUICK = timedelta(seconds=5)
RESTS = 20

Outcome = Literal["nothing new", "refreshed", "new run", "waiting", "busy"]


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What was done. `answers` and `tasks` are what was added now, or what is waiting."""

    outcome: Outcome
    answers: int = 0
    tasks: int = 0
    since: int = 0  # answers that were added in all, since the run
    method: str = ""
    reason: str = ""  # why it is waiting


class _NewRun(Exception):
    """The answers ask for a new run."""

    def __init__(self, run: AggregationRun):
        super().__init__(run)
        self.run = run  # the one that it would replace


def refresh(campaign: Campaign) -> Refreshed:
    """Bring the consensus of the run that is served up to date.

    Safe to run twice, at once, and after a crash. Where the campaign is being aggregated or
    refreshed already, that is left to go on. Raises what `aggregate` raises, but for locks.Held.
    """
    run = _served(campaign)
    if run is None:
        return _first(campaign, timezone.now())
    live = run.facts.live
    if run.method == IMPORTED:
        return Refreshed(
            "waiting", method=run.method,
            reason="its labels were imported: aggregate it to have those of its own answers",
        )  # fmt: skip
    if live is None:
        return Refreshed(
            "waiting",
            method=run.method,
            reason="its run was made before runs could follow new answers: aggregate it again",
        )
    now = timezone.now()
    is_idle = not changes_since(run, live) and now - live.until < IDLE
    if is_idle and not _reads_doubts_anew(campaign, run.facts):
        return Refreshed("nothing new", since=live.answers, method=run.method)
    try:
        with locks.hold(f"aggregate:{campaign.slug}"):
            served = _served(campaign)
            assert served is not None  # runs don't go away
            return _refresh(campaign, served, served.facts)
    except locks.Held:
        return Refreshed("busy", method=run.method)
    except _NewRun as wanted:
        return _anew(campaign, wanted.run)


def _first(campaign: Campaign, now: datetime) -> Refreshed:
    """The first run, by the default method, once a tenth of the tasks have an answer or the first
    answer is an hour old."""
    counted = Response.objects.submitted().on_plain()
    answered = counted.filter(assignment__task__campaign=campaign).aggregate(
        tasks=Count("assignment__task", distinct=True), first=Min("received_at")
    )
    if not answered["tasks"]:
        return Refreshed("waiting", reason="it has no answers yet")
    tasks = campaign.tasks.plain().count()
    if answered["tasks"] < FIRST_SHARE * tasks and now - answered["first"] < FIRST_AFTER:
        return Refreshed("waiting", reason="too few of its tasks have an answer yet")
    if _has_just_failed(campaign, now):
        return Refreshed("waiting", reason="the last aggregation failed")
    try:
        default = default_for(campaign)
        found = aggregate(campaign, default.method, parameters=default.parameters)
    except locks.Held:
        return Refreshed("busy")
    except ValueError as error:  # such as answers that say nothing yet
        return Refreshed("waiting", reason=str(error))
    return Refreshed(
        "new run", answers=found.facts.answers, tasks=found.facts.tasks, method=found.method
    )


def _refresh(campaign: Campaign, run: AggregationRun, facts: RunFacts) -> Refreshed:
    """Call it under the lock. Raises _NewRun."""
    live, now = facts.live, timezone.now()
    if live is None:  # a run of an older version has been made meanwhile
        return Refreshed("busy", method=run.method)
    changes = changes_since(run, live)
    new = sum(change.new for change in changes)
    rested = _has_rested(run, now)
    is_other = _reads_doubts_anew(campaign, facts)
    if rested and (is_other or live.answers + new > NEW_ANSWERS * live.counted):
        raise _NewRun(run)
    if not changes:
        return _store(run, facts, live, [], changes, now)
    if not live.how:
        if rested and _age(run, now) > WAITED:
            raise _NewRun(run)
        return _waiting(run, live, changes, live.why)
    try:
        rows = _judged(campaign, run, facts, changes, now)
    except arrays.UnknownClass as error:
        if rested:
            raise _NewRun(run) from None
        return _waiting(run, live, changes, str(error))
    except Unreadable as error:
        return _waiting(run, live, changes, f"{error} Aggregate it again.")
    return _store(run, facts, live, rows, changes, now)


def _anew(campaign: Campaign, run: AggregationRun) -> Refreshed:
    """A new run in the place of `run`, unless the last one failed not long ago."""
    if _served(campaign) != run:  # somebody else has been quicker
        return Refreshed("busy", method=run.method)
    last = campaign.aggregation_runs.first()
    if last is not None and _has_just_failed(campaign, timezone.now()):
        return Refreshed(
            "waiting", method=run.method, reason=f"the last aggregation failed: {last.error}"
        )
    try:
        found = aggregate(
            campaign,
            run.method,
            seed=run.seed,
            parameters=run.parameters,
            clamp_gold=run.facts.clamped,
        )
    except locks.Held:
        return Refreshed("busy", method=run.method)
    return Refreshed(
        "new run", answers=found.facts.answers, tasks=found.facts.tasks, method=run.method
    )


# --- Reading ------------------------------------------------------------------------------------


def _served(campaign: Campaign) -> AggregationRun | None:
    return AggregationRun.objects.complete().filter(campaign=campaign).served_first().first()


def _age(run: AggregationRun, now: datetime) -> timedelta:
    return now - (run.finished_at or run.started_at)


def _has_just_failed(campaign: Campaign, now: datetime) -> bool:
    last = campaign.aggregation_runs.first()
    failed = last is not None and last.state == AggregationRun.State.FAILED
    return last is not None and failed and now - last.started_at < RETRY


def _reads_doubts_anew(campaign: Campaign, facts: RunFacts) -> bool:
    """Whether the campaign has changed what it makes of them since the run."""
    return ("doubts" in (facts.inputs or {})) != campaign.leaves_out_doubts


def _has_rested(run: AggregationRun, now: datetime) -> bool:
    took = (run.finished_at or run.started_at) - run.started_at  # reading and writing too
    return took <= QUICK or _age(run, now) > RESTS * took


def _judged(
    campaign: Campaign,
    run: AggregationRun,
    facts: RunFacts,
    changes: Sequence[Change],
    now: datetime,
) -> list[Consensus]:
    """Unsaved rows of the tasks that have answers, judged with what `run` has learnt.

    A fixed number of queries for each batch. Raises arrays.UnknownClass, Unreadable.
    """
    fit, workers = None, np.empty(0, dtype=np.int64)
    if facts.live is not None and facts.live.how == "fit":
        data = AggregationRun.objects.values_list("fitted", flat=True).get(pk=run.pk)
        found = unpacked(run.method, run.parameters, bytes(data or b""))
        fit, workers = found.fitted, found.workers
    numbering = arrays.Numbering(tuple(run.classes), workers)
    tasks = [change.task for change in changes if change.answers]
    rows: list[Consensus] = []
    for begin in range(0, len(tasks), BATCH):
        crowd = unit_entry(campaign.interface).load(
            campaign,
            gold=facts.clamped,
            clamp=facts.clamped,
            tasks=tasks[begin : begin + BATCH],
            numbering=numbering,
        )
        posterior, chosen, spans = _inferred(run, facts, crowd, fit)
        # What a fit of single answers has learnt of workers says nothing of two answers either.
        is_known = facts.calibration is None or facts.calibration.is_known
        rows += arrays.consensus_of(
            run, crowd, posterior, chosen, now, spans=spans, is_known=is_known
        )
    return rows


def _inferred(
    run: AggregationRun, facts: RunFacts, crowd: arrays.Crowd, fit: Restorable | None
) -> tuple[NDArray[np.float64], NDArray[np.int64], Spans | None]:
    """Posterior and chosen class of each unit, and spans, where there are some; a vote has nothing
    but the votes to go by."""
    method, calibration = METHODS[run.method], facts.calibration
    if fit is None:
        fitted = method.fit(run.parameters, crowd.labels, crowd.sequences)
        if calibration is not None and calibration.gold:
            found = cast(CategoricalEstimator, fitted).evidence(crowd.labels)
            return found.tempered(calibration.rho), fitted.predict(), None
        if crowd.sequences is None or facts.spans is None:
            return fitted.posterior_, fitted.predict(), None
        chosen = fitted.predict()
        posterior, spans = judged_spans(
            fitted, crowd.sequences, chosen, None, facts.spans.temperature
        )
        return posterior, chosen, spans
    gold = crowd.gold if facts.clamped else None
    if crowd.sequences is None:
        rho = 0.0 if calibration is None else calibration.rho
        return *judged(fit, crowd.labels, gold, rho), None
    data = crowd.sequences if method.takes == "sequences" else crowd.labels
    posterior, chosen = fit.judge(data, gold=gold)
    if facts.spans is None:  # of a run that was made before these were kept
        return posterior, chosen, None
    posterior, spans = judged_spans(fit, crowd.sequences, chosen, gold, facts.spans.temperature)
    return posterior, chosen, spans


# --- Writing ------------------------------------------------------------------------------------


def _store(
    run: AggregationRun,
    facts: RunFacts,
    live: LiveFacts,
    rows: Sequence[Consensus],
    changes: Sequence[Change],
    now: datetime,
) -> Refreshed:
    """The rows and the run's facts in one transaction."""
    stored = {change.task: change.stored for change in changes}
    emptied = [change for change in changes if not change.answers]
    new, tasks = sum(change.new for change in emptied), live.tasks
    for row in rows:
        before = stored[row.task_id]
        new += (row.answers or 0) - (before.answers if before else 0)
        tasks += before is None or before.refreshed_at is None
    since = replace(live, answers=live.answers + new, tasks=tasks, until=now)
    with transaction.atomic():
        # Somebody who took the lock over has been at it meanwhile: what they wrote stays.
        locked = AggregationRun.objects.select_for_update().get(pk=run.pk)
        if locked.facts.live != live:
            return Refreshed("busy", method=run.method)
        arrays.save_refreshed(rows)
        if facts.coreference is not None:
            corefer(run, [row.task_id for row in rows])
        Consensus.objects.filter(run=run, task__in=[change.task for change in emptied]).delete()
        now_known = replace(
            facts,
            live=since,
            confidence=_moved(facts.confidence, rows, changes),
            expected_errors=_added(facts.expected_errors, rows, changes),
        )
        decided = lay_over(run, [row.task_id for row in rows])
        locked.facts = counted(run.campaign.interface, now_known, decided)
        locked.save(update_fields=["diagnostics"])
    outcome: Outcome = "refreshed" if changes else "nothing new"
    return Refreshed(outcome, new, len(changes), since.answers, run.method)


def _moved(
    tenths: tuple[int, ...] | None, rows: Sequence[Consensus], changes: Sequence[Change]
) -> tuple[int, ...]:
    """How many tasks have a confidence in each tenth, now."""
    found = list(tenths or [0] * arrays.TENTHS)
    before = [change.stored.confidence for change in changes if change.stored]
    for confidences, by in ((before, -1), ([row.confidence for row in rows], 1)):
        for confidence in confidences:
            if confidence is not None:
                found[arrays.tenth(confidence)] += by
    return tuple(found)


def _added(
    total: float | None, rows: Sequence[Consensus], changes: Sequence[Change]
) -> float | None:
    """How many parts are expected to be wrong in all, now; None of a run that never knew."""
    if total is None:
        return None
    before = sum(change.stored.expected_errors or 0.0 for change in changes if change.stored)
    return max(0.0, total - before + sum(row.expected_errors or 0.0 for row in rows))


def _waiting(
    run: AggregationRun, live: LiveFacts, changes: Sequence[Change], reason: str
) -> Refreshed:
    new = sum(change.new for change in changes)
    return Refreshed("waiting", new, len(changes), live.answers, run.method, reason)
