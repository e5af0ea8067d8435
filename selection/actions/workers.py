"""Which workers a campaign goes on with: scores from gold alone, the best set, what comes of it.

Who is kept is `selected`; who can't be told from guessing, or is not needed, is paused with the
reason and may ask for a review. What a person decided of a worker stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.db import transaction

from aggregation.methods.version import code_version
from annotation.actions import audit, locks
from annotation.actions.assignments.ahead import offer_gold_first
from annotation.models import Campaign, Demand, Enrollment
from annotation.sentences import CodedError, Problem
from selection import arrays
from selection.actions.held_out import held_out, judge_of_answers, judge_of_grades
from selection.algorithms import (
    Empty,
    Reason,
    Selection,
    best_workers,
    graded_scores,
    plug_in_scores,
    student_interval,
    unbiased_scores,
    wilson_interval,
)
from selection.algorithms.workers.best_set import best_set
from selection.models import SelectedWorker, WorkerSelection
from selection.sentences import CATALOGUE

SELECTOR = "selection"  # as `state_by`
State = Enrollment.State
POOL = (State.QUALIFIED, State.SELECTED, State.PAUSED, State.BLOCKED)  # who has begun to work
EMPTY = {
    Empty.UNTESTED: Problem("select.untested", "", CATALOGUE),
    Empty.BARRED: Problem("select.barred", "", CATALOGUE),
    Empty.WORTHLESS: Problem("select.worthless", "", CATALOGUE),
}


class NothingToSelectBy(CodedError):
    """There is nothing to select by; the message says what to do."""

    catalogue = CATALOGUE


class WrongBudget(CodedError, ValueError):
    """Nobody would be kept."""

    catalogue = CATALOGUE


@dataclass(frozen=True, slots=True)
class Selected:
    """A selection that was made, and what deserves a look. Saved unless it was only tried."""

    selection: WorkerSelection
    workers: list[SelectedWorker]
    warnings: list[Problem] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """What gold says of each worker: arrays of shape (n_workers,)."""

    selection: Selection
    accuracy: np.ndarray[Any, Any]
    score: np.ndarray[Any, Any]
    low: np.ndarray[Any, Any]
    high: np.ndarray[Any, Any]
    parameters: dict[str, Any]


def select_workers(
    campaign: Campaign, budget: int, *, estimator: str = "unbiased",
    above_chance: bool | None = None, seed: int = 0, apply: bool = True, user: Any = None,
) -> Selected:  # fmt: skip
    """Keep at most `budget` workers (Algorithm 1), and move the others out of the way.

    `above_chance` None: only where answers are graded; workers who are mostly wrong are as useful
    to a weighted vote as those who are mostly right, but to nothing else. With `apply` False
    nothing is written. Raises NoGold, locks.Held.
    """
    if budget < 1:
        raise WrongBudget("select.budget", budget=budget)
    if not Demand.objects.measuring().filter(campaign=campaign).exists():
        raise NothingToSelectBy("select.no_gold", campaign=campaign.slug)
    with locks.hold(f"select:{campaign.slug}"), transaction.atomic():
        rows = Enrollment.objects.filter(campaign=campaign, state__in=POOL)
        scores = arrays.gold_scores(rows.select_for_update(of=("self",)) if apply else rows)
        judged = _judge(campaign, scores, budget, estimator, above_chance, seed)
        selection = _selection(campaign, judged, scores, budget, estimator, seed, user)
        workers = _rows(campaign, selection, judged, scores)
        if apply:
            _write(campaign, selection, workers, user)
    # Outside: it takes seconds, and workers' rows are locked in there.
    _add_held_out(campaign, selection, judged, scores)
    return Selected(selection, workers, _warnings(campaign, workers, budget))


def _add_held_out(
    campaign: Campaign, selection: WorkerSelection, judged: _Judged, scores: arrays.WorkerGoldScores
) -> None:
    """What the group is worth, by gold that did not choose it; saved where the selection is."""
    if not selection.kept:
        return
    options, budget, estimator = judged.parameters, selection.budget, selection.estimator
    judge = (
        judge_of_grades(options["chance"], budget, estimator)
        if options["graded"]
        else judge_of_answers(options["n_classes"], budget, estimator, options["above_chance"])
    )
    barred = [row.worker_id for row in scores.enrollments if _is_barred(row)]
    found = held_out(campaign, judge, without=barred, seed=selection.seed)
    if found is None:
        return
    selection.held_out, selection.low, selection.high = found.value, found.low, found.high
    if selection.pk:
        selection.save(update_fields=["held_out", "low", "high"])


def _judge(
    campaign: Campaign, scores: arrays.WorkerGoldScores, budget: int, estimator: str,
    above_chance: bool | None, seed: int,
) -> _Judged:  # fmt: skip
    rng = np.random.default_rng(seed)
    barred = np.array([_is_barred(row) for row in scores.enrollments], dtype=bool)
    classes = arrays.number_of_classes(campaign)
    plugged = estimator == "plug-in"
    if classes is not None:
        above_chance = bool(above_chance)
        right, answered = scores.right, scores.number
        selection = best_workers(
            right, answered, n_classes=classes, budget=budget, rng=rng, estimator=estimator,  # type: ignore[arg-type]
            above_chance=above_chance, barred=barred,
        )  # fmt: skip
        score = (plug_in_scores if plugged else unbiased_scores)(right, answered, classes)
        low, high = wilson_interval(right, answered)
        parameters: dict[str, Any] = {
            "graded": False, "n_classes": classes, "above_chance": above_chance,
        }  # fmt: skip
        return _Judged(selection, scores.mean, score, low, high, parameters)
    chance = arrays.chance_of_spans(campaign, rng)
    graded = graded_scores(scores.mean, scores.variance, scores.number, chance=chance)
    score = graded.plug_in if plugged else graded.score
    selection = best_set(
        score, budget=budget, rng=rng, below_chance=graded.accuracy <= 0.5, barred=barred
    )
    low, high = student_interval(scores.mean, scores.variance, scores.number)
    parameters = {"graded": True, "chance": round(chance, 4), "above_chance": True}
    return _Judged(selection, graded.accuracy, score, low, high, parameters)


def _is_barred(row: Enrollment) -> bool:
    """A person has put them out: no score brings them back."""
    out = row.state in (State.PAUSED, State.BLOCKED) and row.state_by != SELECTOR
    return out or row.worker.blocked_at is not None


def _selection(
    campaign: Campaign, judged: _Judged, scores: arrays.WorkerGoldScores, budget: int,
    estimator: str, seed: int, user: Any,
) -> WorkerSelection:  # fmt: skip
    chosen = judged.selection.chosen
    tested = int((scores.number > 1).sum())
    return WorkerSelection(
        campaign=campaign, budget=budget, estimator=estimator, parameters=judged.parameters,
        seed=seed, code_version=code_version(), made_by=user, tested=tested, kept=len(chosen),
        crowd=judged.selection.crowd,
        empty=EMPTY[judged.selection.empty].code if judged.selection.empty else "",
    )  # fmt: skip


def _rows(
    campaign: Campaign, selection: WorkerSelection, judged: _Judged, scores: arrays.WorkerGoldScores
) -> list[SelectedWorker]:
    """One for each worker of the pool, in the order of their scores."""
    rows = []
    waits = campaign.open_to == Campaign.OpenTo.SELECTED
    for i, enrollment in enumerate(scores.enrollments):
        reason = Reason(int(judged.selection.reason[i]))
        rows.append(
            SelectedWorker(
                selection=selection,
                enrollment=enrollment,
                number=int(scores.number[i]),
                accuracy=_number(judged.accuracy[i]),
                low=_number(judged.low[i]) if scores.number[i] else None,
                high=_number(judged.high[i]) if scores.number[i] else None,
                score=_number(judged.score[i]),
                chosen=reason == Reason.CHOSEN,
                reason=reason.name.lower(),
                state_before=enrollment.state,
                state_after=_state_after(enrollment, reason, bool(selection.kept), waits),
            )
        )
    return sorted(rows, key=lambda row: -np.inf if row.score is None else -row.score)


def _state_after(enrollment: Enrollment, reason: Reason, some: bool, waits: bool) -> str:
    """`some` are kept; who is not among them `waits` where only the selected get tasks anyway."""
    if enrollment.overruled or _is_barred(enrollment):
        return enrollment.state
    if reason == Reason.CHOSEN:
        return State.SELECTED
    if reason == Reason.UNTESTED:
        return State.QUALIFIED
    useless = reason in (Reason.BELOW_CHANCE, Reason.WORTHLESS)
    if useless or (some and not waits):
        return State.PAUSED
    return State.QUALIFIED


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _write(
    campaign: Campaign, selection: WorkerSelection, workers: list[SelectedWorker], user: Any
) -> None:
    moved = []
    for row in workers:
        enrollment = row.enrollment
        if row.reason == Reason.UNTESTED.name.lower():
            offer_gold_first(enrollment)
            moved.append(enrollment)
        if row.state_after == row.state_before:
            continue
        enrollment.state, enrollment.state_by = row.state_after, SELECTOR
        out = row.state_after == State.PAUSED
        told = Problem("selection.paused", reason=row.reason)
        enrollment.state_reason, enrollment.coded_reason = "", told.stored() if out else None
        enrollment.rest_until = None
        moved.append(enrollment)
    selection.save()
    SelectedWorker.objects.bulk_create(workers, batch_size=1_000)
    Enrollment.objects.bulk_update(
        moved, ["state", "state_by", "state_reason", "coded_reason", "ahead", "rest_until"],
        batch_size=500,
    )  # fmt: skip
    changed = [row for row in workers if row.state_after != row.state_before]
    audit.record(
        campaign.project, "select workers", campaign.slug, user=user,
        after={
            "kept": selection.kept, "tested": selection.tested, "budget": selection.budget,
            "selection": str(selection.key),
            "moved": {str(row.enrollment.key): row.state_after for row in changed[:500]},
        },
    )  # fmt: skip


def _warnings(campaign: Campaign, workers: list[SelectedWorker], budget: int) -> list[Problem]:
    after = [row.state_after for row in workers]
    left = sum(state in (State.SELECTED, State.QUALIFIED) for state in after)
    if campaign.open_to == Campaign.OpenTo.SELECTED:
        left = sum(state == State.SELECTED for state in after)
    warnings: list[Problem] = []
    if left < campaign.redundancy:
        warnings.append(
            Problem("select.few_left", "", CATALOGUE, redundancy=campaign.redundancy, left=left)
        )
    if budget > len(workers):
        warnings.append(
            Problem("select.few_workers", "", CATALOGUE, budget=budget, number=len(workers))
        )
    return warnings
