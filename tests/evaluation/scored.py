"""Periods whose systems are scored, as rows: no file and no job behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from annotation.models import Document
from evaluation.models import (
    Claim,
    ClaimPart,
    Draw,
    EvaluationPeriod,
    PartLabel,
    SamplingPlan,
    ScoreComparison,
    ScoreSnapshot,
    Submission,
    SubmissionClaim,
    SystemScore,
)
from tests.evaluation.files import ADA, LONDON
from tests.evaluation.made import make_submission, make_system, make_team

ONE = ("falcon", 0.80, 0.60, 0.69)
OTHERS = (("heron", 0.90, 0.45, 0.60), ("owl", 0.70, None, None))


def make_snapshot(
    period: EvaluationPeriod, *scores: tuple[str, float | None, float | None, float | None],
    changes: Sequence[dict[str, Any]] = (), submissions: Sequence[Submission] | None = None,
) -> tuple[ScoreSnapshot, list[Submission]]:  # fmt: skip
    """(system, precision, recall, F1) each; intervals are ± .05, and the lines of the comparison go
    by the differences of F1."""
    if submissions is None:
        submissions = [
            make_submission(period, make_system(make_team(period.project), name=name), claims=200)
            for name, *_ in scores
        ]
    number = ScoreSnapshot.objects.filter(period=period).count() + 1
    snapshot = ScoreSnapshot.objects.create(
        period=period, number=number, made_at=timezone.now(), digest=str(number),
        pool_version="a1b2c3", method="coordinated draws", code_version="1", level=0.9,
        claims=500, planned=120, judged=118, cost_mills=17_700, theta=0.7, theta_low=0.6,
        theta_high=0.8, exhaustive_documents=25, changes=list(changes),
    )  # fmt: skip
    for row, (_, precision, recall, f1) in zip(submissions, scores, strict=True):
        values = {"precision": precision, "recall": recall, "f1": f1}
        ends = {
            f"{name}_{end}": None if value is None else value + by
            for name, value in values.items()
            for end, by in (("low", -0.05), ("high", 0.05))
        }
        why = {
            f"{name}_why": "" if value is not None else "none of its judged claims is correct"
            for name, value in values.items()
        }
        SystemScore.objects.create(
            snapshot=snapshot, submission=row, metric="instance", claims=200, judged=80,
            effective=96.4, cost_mills=5_900, **values, **ends, **why,
        )  # fmt: skip
    f1s = [f1 for *_, f1 in scores]
    m = range(len(f1s))

    def table(by: float) -> list[list[float | None]]:
        return [
            [None if a == b or f1s[a] is None or f1s[b] is None else f1s[a] - f1s[b] + by
             for b in m] for a in m
        ]  # fmt: skip

    known = sum(f1 is not None for f1 in f1s)
    close = [
        {"first": str(submissions[a].key), "second": str(submissions[a + 1].key), "labels": 1_240,
         "mills": 186_000}
        for a in m if a + 1 in m and abs((f1s[a] or 9) - (f1s[a + 1] or 0)) <= 0.05
    ]  # fmt: skip
    ScoreComparison.objects.create(
        snapshot=snapshot, measure="F1 (instance)", systems=[str(row.key) for row in submissions],
        value=table(0), low=table(-0.05), high=table(0.05), better=table(0), settling=close,
        ranks=[[None if f1 is None else 1 / known if r < known else 0 for r in m] for f1 in f1s],
    )  # fmt: skip
    return snapshot, list(submissions)


def make_judged(
    submission: Submission, document: Document, number: int, *, relation: float = 0.0,
    inclusion: float = 0.5, **parts: float,
) -> Claim:  # fmt: skip
    """A claim that was drawn for the submission, and what is judged of it: of the relation, and of
    the parts that are named."""
    period = submission.period
    claim = Claim.objects.create(
        period=period, code=f"{number:016x}", document=document,
        document_name=document.external_id, relation="per:place_of_birth",
        subject_start=ADA[0], subject_end=ADA[1], object_start=LONDON[0], object_end=LONDON[1],
        number=0.1,
    )  # fmt: skip
    SubmissionClaim.objects.create(
        submission=submission, claim=claim, line=number, subject_type="PER", object_type="GPE",
        object_link="Q84",
    )  # fmt: skip
    plan, _ = SamplingPlan.objects.get_or_create(
        period=period, number=1,
        defaults={"metrics": ["instance"], "half_width": 0.05, "level": 0.9, "state": "asked",
                  "pool_version": "a1b2c3", "code_version": "1"},
    )  # fmt: skip
    Draw.objects.create(
        plan=plan, submission=submission, claim=claim, metric="instance", probability=inclusion
    )
    values = {"object_link_ok": "Q84", "subject_type_ok": "PER", "object_type_ok": "GPE"}
    for name, probability in {"relation": relation, **parts}.items():
        part = ClaimPart.objects.create(claim=claim, part=name, value=values.get(name, ""))
        PartLabel.objects.create(
            part=part, probability=probability, answers=3, at=timezone.now(), instructions=None
        )
    return claim
