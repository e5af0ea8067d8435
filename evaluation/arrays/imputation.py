"""Which claims hold by what workers said of them, together with what is unknown of the workers.

A label is the consensus of a run; a score asks how far all labels may be wrong together, and for
that draws workers and truth again (`algorithms.imputation`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.categorical.evidence import votes_worth
from aggregation.arrays import Crowd, load_relations
from aggregation.models import Adjudication, AggregationRun
from aggregation.queries import RunSummary
from annotation.interfaces.schema import UNSURE
from annotation.models import Campaign, Task
from evaluation.algorithms.imputation import NO, YES, Answers, Imputation, impute
from evaluation.algorithms.imputation import UNSURE as CANT_TELL
from evaluation.algorithms.predictions import Floats, Whole
from evaluation.models import ClaimPart, EvaluationPeriod, Submission, SubmissionClaim


@dataclass(frozen=True, slots=True, eq=False)
class Imputed:
    """Of claims whose relation was judged.

    Attributes
    ----------
    correct : claim's row → with which probability the relation holds
    shared : claim's row → by how much each draw of the workers moves that
    """

    correct: dict[int, float]
    shared: dict[int, Floats]


class JudgedRelations:
    """All answers to a campaign for relations, those to gold questions and decisions among them.
    Eight queries."""

    def __init__(self, campaign: Campaign, run: AggregationRun | RunSummary):
        self.crowd: Crowd = load_relations(campaign, gold=True, clamp=True)
        self.tasks = {task: i for i, task in enumerate(self.crowd.tasks.tolist())}
        calibration = run.facts.calibration
        self.rho = calibration.rho if calibration is not None else 0.0
        decided = Adjudication.objects.filter(task__campaign=campaign)
        self.decided = {
            self.tasks[task]: answer.get("relation")
            for task, answer in decided.values_list("task", "answer")
            if task in self.tasks
        }

    def impute(
        self, row: Whole, asked: Sequence[str], members: Floats, *,
        unclaimed: NDArray[np.bool_] | None = None, seed: int = 0,
    ) -> Imputation:  # fmt: skip
        """Whether the relation `asked[i]` holds in the task `row[i]`; a task may come more than
        once. `members` and `unclaimed` as `algorithms.imputation.impute` takes them."""
        crowd, labels = self.crowd, self.crowd.labels
        number = {name: i for i, name in enumerate(crowd.known_classes)}
        wanted = np.array([number.get(name, -1) for name in asked], dtype=np.int64)
        gold = crowd.gold[row]
        known = np.where(gold >= 0, (gold == wanted).astype(float), np.nan)
        known[gold == number.get(UNSURE, -2)] = np.nan
        for i, (task, name) in enumerate(zip(row.tolist(), asked, strict=True)):
            if self.decided.get(task) not in (None, UNSURE):
                known[i] = float(self.decided[task] == name)
        order = np.argsort(labels.unit, kind="stable")
        first, after = (
            np.searchsorted(labels.unit[order], row, side) for side in ("left", "right")
        )
        given = after - first
        unit = np.repeat(np.arange(len(row)), given)
        mine = order[np.arange(given.sum()) + np.repeat(first - (given.cumsum() - given), given)]
        said = labels.label[mine]
        verdict = np.where(said == wanted[unit], YES, NO)
        verdict[said == number.get(UNSURE, -2)] = CANT_TELL
        return impute(
            Answers(unit, labels.worker[mine].astype(np.int64), verdict), members, known=known,
            worth=np.array([votes_worth(n, self.rho) / n if n else 1.0 for n in given.tolist()]),
            unclaimed=unclaimed, seed=seed,
        )  # fmt: skip


def imputed(
    period: EvaluationPeriod, campaign: Campaign, run: AggregationRun,
    submissions: Sequence[Submission], seed: int = 0,
) -> Imputed:  # fmt: skip
    """From all answers to the campaign. Ten queries."""
    judged = JudgedRelations(campaign, run)
    tasks = judged.tasks
    claim_of, asked = np.full(len(tasks), -1), np.full(len(tasks), "", dtype=object)
    rows = ClaimPart.objects.filter(
        claim__period=period, part=ClaimPart.Part.RELATION, task__campaign=campaign
    )
    for task, claim, relation in rows.values_list("task", "claim", "claim__relation"):
        if task in tasks:
            claim_of[tasks[task]], asked[tasks[task]] = claim, relation
    gold = Task.objects.filter(campaign=campaign, gold_question__isnull=False)
    for task, payload in gold.values_list("pk", "payload"):
        if task in tasks:
            asked[tasks[task]] = payload.get("predicted") or ""
    used = np.flatnonzero(asked != "")
    found = judged.impute(
        used, asked[used].tolist(), _members(claim_of[used], submissions), seed=seed
    )
    here = [(claim, i) for i, claim in enumerate(claim_of[used].tolist()) if claim >= 0]
    return Imputed(
        {claim: round(float(found.correct[i]), 9) for claim, i in here},
        {claim: found.shared[:, i] for claim, i in here},
    )


def _members(claims: Whole, submissions: Sequence[Submission]) -> Floats:
    """1 where a submission makes the claim, shape (n_claims, n_submissions)."""
    place = {claim: i for i, claim in enumerate(claims.tolist()) if claim >= 0}
    column = {row.pk: i for i, row in enumerate(submissions)}
    members = np.zeros((len(claims), len(submissions)))
    rows = SubmissionClaim.objects.filter(submission__in=column)
    for claim, submission in rows.values_list("claim", "submission").iterator():
        if claim in place:
            members[place[claim], column[submission]] = 1
    return members
