"""Scores of claims as a system puts them: right with their types, and with their links too.

Types and links are judged by themselves, and what two systems say alike of a claim is judged once.
A claim in one of its forms was drawn with the largest probability with which it was drawn for any
submission that puts it so.

Of the correct claims of a system a share is put right. Precision, recall and F1 of claims that are
right with their types, or links, are those of base claims, times that share (`with_scores`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.algorithms.intervals import precision_interval, product_interval
from evaluation.algorithms.precision import PoissonPrecision
from evaluation.algorithms.predictions import Predictions, ratio
from evaluation.algorithms.sampling import PoissonSample
from evaluation.arrays.imputation import Imputed
from evaluation.arrays.pool import StandingPool, drawn_rows, labels_of
from evaluation.files.pool import INSTANCE
from evaluation.files.scores import MetricScores
from evaluation.models import ClaimPart, Draw, EvaluationPeriod, PartLabel, SubmissionClaim

TYPES = ("subject_type", "object_type")
LINKS = ("subject_link", "object_link")
LEVELS = {"types": TYPES, "links": (*TYPES, *LINKS)}
Form = tuple[int, tuple[str, ...]]  # a claim's row, and what is said of its sides
Told = dict[str, dict[str, Any]]  # level → estimate


@dataclass(frozen=True, slots=True)
class _Judged:
    """`made`: submission → its forms by claim; `drawn`: how probably each form was to be drawn."""

    made: dict[int, dict[int, tuple[str, ...]]]
    drawn: dict[Form, float]
    correct: dict[Form, float]
    base: dict[int, float]


def stricter_scores(
    period: EvaluationPeriod,
    standing: StandingPool,
    metrics: Sequence[str],
    imputed: Imputed | None = None,
) -> dict[str, list[Told]]:
    """Of each metric, for each submission of the pool. Five queries. A level of which nothing is
    judged of a system is not there."""
    pool = standing.pool
    rows = drawn_rows(period, pool, standing.directions)
    at = pool.place(rows.key)
    inside = np.flatnonzero(at >= 0)
    chosen, columns = np.unique(at[inside], return_inverse=True)
    column = dict(zip(rows.claims[inside].tolist(), columns.tolist(), strict=True))
    base, parts = labels_of(period, imputed), _part_labels(period)
    found: dict[str, list[Told]] = {name: [{} for _ in standing.submissions] for name in metrics}
    if not parts or not column:
        return found
    weights = {
        name: pool.predictions.table(pool.metric(name), chosen).toarray() for name in metrics
    }
    said = list(_said(period))
    probability = _draws(period)
    for level, names in LEVELS.items():
        judged = _forms(said, probability, names, base, parts)
        for name in metrics:
            told = _estimates(standing, judged, column, weights[name], period.level)
            for one, estimate in zip(found[name], told, strict=True):
                if estimate is not None:
                    one[level] = estimate
    return found


def _part_labels(period: EvaluationPeriod) -> dict[tuple[int, str, str], float]:
    rows = (
        PartLabel.objects.filter(part__claim__period=period)
        .exclude(part__part__in=ClaimPart.BASE)
        .order_by("instructions__number", "pk")
        .values_list("part__claim", "part__part", "part__value", "probability")
    )
    return {(claim, part, value): probability for claim, part, value, probability in rows}


def _said(period: EvaluationPeriod) -> Iterator[dict[str, Any]]:
    rows = SubmissionClaim.objects.filter(claim__period=period)
    return rows.values("submission", "claim", *LEVELS["links"]).iterator()


def _draws(period: EvaluationPeriod) -> dict[tuple[int, int], float]:
    rows = Draw.objects.of_period(period).values_list("submission", "claim", "probability")
    found: dict[tuple[int, int], float] = {}
    for submission, claim, probability in rows.iterator():
        key = submission, claim
        found[key] = max(found.get(key, 0.0), probability)
    return found


def _forms(
    said: Sequence[dict[str, Any]], probability: dict[tuple[int, int], float],
    names: Sequence[str], base: dict[int, float], parts: dict[tuple[int, str, str], float],
) -> _Judged:  # fmt: skip
    found = _Judged({}, {}, {}, base)
    for row in said:
        claim, submission = row["claim"], row["submission"]
        form = claim, tuple(row[name] for name in names)
        found.made.setdefault(submission, {})[claim] = form[1]
        if (drawn := probability.get((submission, claim))) is not None:
            found.drawn[form] = max(found.drawn.get(form, 0.0), drawn)
    for claim, values in found.drawn:
        asked = [
            parts.get((claim, f"{name}_ok", value))
            for name, value in zip(names, values, strict=True) if value
        ]  # fmt: skip
        known = [one for one in asked if one is not None]
        if claim in base and len(known) == len(asked):
            found.correct[claim, values] = min([base[claim], *known])
    return found


def _estimates(
    standing: StandingPool, judged: _Judged, column: dict[int, int], weight: Any, level: float
) -> list[dict[str, Any] | None]:
    """None where nothing of a system is judged, or nothing that this level adds."""
    inside = [form for form in judged.drawn if form[0] in column]
    forms = [form for form in inside if form in judged.correct]
    if not forms:
        return [None] * len(standing.submissions)
    rate = len(forms) / len(inside)
    number = {form: i for i, form in enumerate(forms)}
    made, metric, adds = [], [], []
    for i, row in enumerate(standing.submissions):
        mine = sorted(
            (number[form], column[form[0]])
            for form in judged.made.get(row.pk, {}).items() if form in number
        )  # fmt: skip
        made.append(np.array([one for one, _ in mine], dtype=np.int64))
        metric.append(np.array([weight[i, at] for _, at in mine], dtype=np.float64))
        adds.append(any(forms[one][1][-1] or forms[one][1][-2] for one, _ in mine))
    sample = PoissonSample(
        np.arange(len(forms)), np.array([judged.drawn[form] * rate for form in forms])
    )
    correct = np.array([judged.correct[form] for form in forms])
    base = np.array([judged.base[claim] for claim, _ in forms])
    predictions = Predictions.of(made, len(forms))
    weights = np.concatenate(metric) * base[predictions.claim]
    put_right = np.nan_to_num(ratio(correct, base))
    found = PoissonPrecision(predictions, weights, sample, put_right)
    low, high = precision_interval(found.estimates, level, found.noise)
    return [
        {
            "of_correct": _told(found.estimates.value[i], low[i], high[i]),
            "judged": len(made[i]),
        }
        if adds[i] and np.isfinite(found.estimates.value[i]) else None
        for i in range(len(made))
    ]  # fmt: skip


def with_scores(told: Told, scores: MetricScores, i: int) -> Told:
    """What was told of system i, with precision where it is estimable, and with recall and F1 where
    these are and claims count alike. All three are less by the same share."""
    measures = [("precision", scores.precision)]
    if scores.metric == INSTANCE:
        measures += [("recall", scores.recall), ("f1", scores.f1)]
    found = {}
    for level, estimate in told.items():
        share = estimate["of_correct"]
        found[level] = dict(estimate)
        for name, score in measures:
            value, ends = score.value[i], (score.low[i], score.high[i])
            if np.isfinite(value):
                its = share["low"], share["high"]
                low, high = product_interval(value, ends, share["value"], its)
                found[level][name] = _told(value * share["value"], low, high)
    return found


def _told(value: float, low: Any, high: Any) -> dict[str, float]:
    return {
        "value": round(float(value), 6), "low": round(float(low), 6), "high": round(float(high), 6)
    }  # fmt: skip
