"""Closed pooling, to compare with: what the pool has not judged counts as wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evaluation.algorithms.predictions import Floats, Predictions, Whole, ratio


@dataclass(frozen=True, slots=True, eq=False)
class PooledScores:
    """Shape (n_systems,); NaN is "not estimable"."""

    precision: Floats
    recall: Floats


def pooled_scores(
    predictions: Predictions,
    metric: Floats,
    correct: Floats,
    assessed: Floats,
    truth: Floats | None = None,
    fill: ArrayLike | None = None,
) -> PooledScores:
    """Of judgments of the claims in `assessed` (1, else 0), shape (n_claims,), the same for all.

    With `fill`, a number from 0 of each claim, the any-document heuristic: a claim that nobody
    assessed is right if its fill was found right anywhere.
    """
    right = correct * assessed
    if fill is not None:
        number = np.asarray(fill, dtype=np.int64)
        known = np.bincount(number, right) > 0
        right = np.where(assessed > 0, right, known[number].astype(np.float64))
    of_metric = np.ones(predictions.n_claims) if truth is None else truth
    pool = correct * assessed * of_metric
    precision = predictions.sums(metric * right[predictions.claim])
    precision = np.where(predictions.sizes > 0, precision, np.nan)
    found = predictions.sums(pool[predictions.claim])
    return PooledScores(precision, ratio(found, np.full(len(found), float(pool.sum()))))


def leave_one_team_out(
    predictions: Predictions,
    metric: Floats,
    correct: Floats,
    team: Whole,
    *,
    truth: Floats | None = None,
    fill: ArrayLike | None = None,
    among: Sequence[int] | None = None,
) -> PooledScores:
    """Each system scored by the judgments of the other teams' claims: as if it came too late.

    `among` are the systems that were pooled, else all; the others are NaN.
    """
    inside = np.zeros(predictions.n_systems, dtype=bool)
    inside[list(range(predictions.n_systems)) if among is None else list(among)] = True
    precision = np.full(predictions.n_systems, np.nan)
    recall = precision.copy()
    system = predictions.system
    for one in np.unique(team[inside]):
        mine = inside & (team == one)
        assessed = np.zeros(predictions.n_claims)
        assessed[predictions.claim[(inside & ~mine)[system]]] = 1
        scores = pooled_scores(predictions, metric, correct, assessed, truth, fill)
        precision[mine], recall[mine] = scores.precision[mine], scores.recall[mine]
    return PooledScores(precision, recall)


def teams_needed(numbers: ArrayLike, bias: ArrayLike, target: float) -> float:
    """At how many systems the bias falls to `target`, if it goes on as a power of their number.

    Infinite where it does not fall. An extrapolation, and told as one.
    """
    n, b = np.asarray(numbers, dtype=np.float64), np.abs(np.asarray(bias, dtype=np.float64))
    slope, intercept = np.polyfit(np.log(n), np.log(b), 1)
    return float(np.exp((np.log(target) - intercept) / slope)) if slope < 0 else float("inf")
