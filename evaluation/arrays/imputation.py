"""Which claims hold by what workers said of them, together with what is unknown of the workers.

A label is the consensus of a run; a score asks how far all labels may be wrong together, and for
that draws workers and truth again (`algorithms.imputation`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from aggregation.algorithms.categorical.evidence import votes_worth
from aggregation.arrays import load_relations
from aggregation.models import Adjudication, AggregationRun
from annotation.interfaces.schema import UNSURE
from annotation.models import Campaign, Task
from evaluation.algorithms.imputation import NO, YES, Answers, impute
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


def imputed(
    period: EvaluationPeriod, campaign: Campaign, run: AggregationRun,
    submissions: Sequence[Submission], seed: int = 0,
) -> Imputed:  # fmt: skip
    """From all answers to the campaign, those to gold questions and decisions among them. Ten
    queries."""
    crowd = load_relations(campaign, gold=True, clamp=True)
    tasks = {task: i for i, task in enumerate(crowd.tasks.tolist())}
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
    number = {name: i for i, name in enumerate(crowd.known_classes)}
    wanted = np.array([number.get(name, -1) for name in asked])
    used = asked != ""
    known = np.where(crowd.gold >= 0, (crowd.gold == wanted).astype(float), np.nan)
    known[crowd.gold == number.get(UNSURE, -2)] = np.nan
    decided = Adjudication.objects.filter(task__campaign=campaign)
    for task, answer in decided.values_list("task", "answer"):
        if task in tasks and (told := answer.get("relation")) not in (None, UNSURE):
            known[tasks[task]] = float(told == asked[tasks[task]])
    labels = crowd.labels
    mine = used[labels.unit]
    unit, said = labels.unit[mine], labels.label[mine]
    verdict = np.where(said == wanted[unit], YES, NO)
    verdict[said == number.get(UNSURE, -2)] = CANT_TELL
    place = np.cumsum(used) - 1
    answers = Answers(place[unit], labels.worker[mine].astype(np.int64), verdict)
    given = np.bincount(answers.claim, minlength=int(used.sum()))
    calibration = run.facts.calibration
    rho = calibration.rho if calibration is not None else 0.0
    worth = np.array([votes_worth(n, rho) / n if n else 1.0 for n in given.tolist()])
    found = impute(
        answers, _members(claim_of[used], submissions), known=known[used], worth=worth, seed=seed
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
