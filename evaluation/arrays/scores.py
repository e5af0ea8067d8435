"""What an evaluation found, as rows of a snapshot; and what its judgments cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any

import numpy as np
from django.db.models import Sum

from annotation.models import Campaign, Payment
from evaluation.algorithms.recall import SOME
from evaluation.arrays.parts import Told, with_scores
from evaluation.files.scores import Comparison, Evaluation, Score
from evaluation.models import (
    ClaimPart,
    EvaluationPeriod,
    ScoreComparison,
    ScoreSnapshot,
    Submission,
    SubmissionClaim,
    SystemScore,
)

DECIMALS = 6


def save_scores(
    snapshot: ScoreSnapshot, found: Evaluation, rows: Sequence[Submission], costs: dict[int, int],
    relations: Sequence[str], stricter: Mapping[str, Sequence[Told]],
    mills: Callable[[float], int],
) -> None:  # fmt: skip
    """In the transaction that makes the snapshot. `relations` are names by their numbers,
    `stricter` by metric what arrays.parts found of each submission, and `mills` says what so many
    judgments cost."""
    sizes = found.pool.predictions.sizes
    scores = []
    for metric in found.metrics:
        scores += [
            SystemScore(
                snapshot=snapshot, submission=row, metric=metric.metric, claims=int(sizes[i]),
                judged=int(found.judged[i]), effective=_number(metric.effective[i]),
                cost_mills=costs.get(row.pk, 0),
                stricter=with_scores(dict(stricter[metric.metric][i]), metric, i),
                relations=_relations(found, i, relations) if metric is found.metrics[0] else [],
                **_of("precision", metric.precision, i), **_of("recall", metric.recall, i),
                **_of("f1", metric.f1, i),
            )
            for i, row in enumerate(rows)
        ]  # fmt: skip
    SystemScore.objects.bulk_create(scores, batch_size=500)
    keys = [str(row.key) for row in rows]
    ScoreComparison.objects.bulk_create(
        [_comparison(snapshot, one, keys, mills) for one in found.comparisons]
    )


def _of(name: str, score: Score, i: int) -> dict[str, Any]:
    return {
        name: _number(score.value[i]),
        f"{name}_low": _number(score.low[i]),
        f"{name}_high": _number(score.high[i]),
        f"{name}_why": score.why[i],
    }


def _relations(found: Evaluation, i: int, names: Sequence[str]) -> list[dict[str, Any]]:
    """Those of which the documents annotated in full have one, likelier than not; the most frequent
    first."""
    told = sorted((one for one in found.relations if one.true >= SOME), key=lambda one: -one.true)
    return [
        {
            "relation": names[one.relation], "true": round(one.true, 1),
            "value": _number(one.value[i]),
            "low": _number(one.low[i]), "high": _number(one.high[i]),
        }
        for one in told
    ]  # fmt: skip


def _number(value: Any) -> float | None:
    return round(float(value), DECIMALS) if np.isfinite(value) else None


def _comparison(
    snapshot: ScoreSnapshot, one: Comparison, keys: list[str], mills: Callable[[float], int]
) -> ScoreComparison:
    m, pairs = len(keys), one.differences
    whole = {name: np.full((m, m), np.nan) for name in ("value", "low", "high", "better")}
    i, j = pairs.first, pairs.second
    whole["value"][i, j], whole["value"][j, i] = pairs.value, -pairs.value
    whole["low"][i, j], whole["low"][j, i] = pairs.low, -pairs.high
    whole["high"][i, j], whole["high"][j, i] = pairs.high, -pairs.low
    whole["better"][i, j], whole["better"][j, i] = pairs.above, 1 - pairs.above
    tables = {name: _table(values) for name, values in whole.items()}
    settling = [
        {
            "first": keys[pair.first], "second": keys[pair.second],
            "labels": None if pair.labels is None else ceil(pair.labels),
            "mills": None if pair.labels is None else mills(ceil(pair.labels)),
        }
        for pair in one.settling
    ]  # fmt: skip
    return ScoreComparison(
        snapshot=snapshot, measure=one.of, systems=keys, ranks=_table(one.ranks),
        settling=settling, **tables,
    )  # fmt: skip


def _table(values: Any) -> list[list[float | None]]:
    return [[_number(value) for value in row] for row in values]


# --- Costs ----------------------------------------------------------------------------------------


def costs_of(
    period: EvaluationPeriod, campaign: Campaign | None, rows: Sequence[Submission]
) -> tuple[dict[int, int], int]:
    """What was spent on claims for each submission, and in all, in mills.

    What a task cost belongs to the first claim that it asks about, and is shared evenly by the
    submissions that make this one; mills that are left over go to the first of them, so that the
    parts add up. What only withdrawn ones claim is part of the sum alone.
    """
    if campaign is None:
        return {}, 0
    spent = (
        Payment.objects.filter(campaign=campaign)
        .exclude(state=Payment.State.UNFUNDED)
        .values_list("assignment__task")
        .annotate(sum=Sum("mills"))
    )
    of_task = {task: int(mills) for task, mills in spent if task is not None}
    claim_of: dict[int, int] = {}
    asked = ClaimPart.objects.filter(claim__period=period, task__campaign=campaign)
    for task, claim in asked.order_by("pk").values_list("task", "claim"):
        claim_of.setdefault(task, claim)
    of_claim: defaultdict[int, int] = defaultdict(int)
    for task, claim in claim_of.items():
        of_claim[claim] += of_task.get(task, 0)
    made = SubmissionClaim.objects.filter(submission__in=[row.pk for row in rows])
    makers: defaultdict[int, list[int]] = defaultdict(list)
    for claim, submission in made.order_by("submission").values_list("claim", "submission"):
        makers[claim].append(submission)
    costs: defaultdict[int, int] = defaultdict(int)
    for claim, mills in of_claim.items():
        who = makers.get(claim, [])
        for place, submission in enumerate(who):
            costs[submission] += mills // len(who) + (place < mills % len(who))
    return dict(costs), sum(of_claim.values())
