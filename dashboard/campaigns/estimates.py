"""Estimates for pages, each with its interval. Plain Python: a web process imports no numerics."""

from __future__ import annotations

import math

from annotation.actions.pace import student
from annotation.queries.intervals import score_interval

FEWEST_WORKERS = 3
NO_SPREAD = 1e-6  # of a mean of scores: what is below is the arithmetic's own


def clustered_interval(
    mean: float, squared_error: float, number: int, workers: int
) -> tuple[float, float] | None:
    """The 95 % interval of the mean of `number` scores from 0 to 1 that several workers have;
    None for fewer than three workers, whose spread tells too little.

    `squared_error` is Σ (sᵢ − mean nᵢ)², where worker i has the sum sᵢ of nᵢ scores: the workers
    vary, not the scores, so the variance of the mean is k/(k−1) Σ (sᵢ − mean nᵢ)² / (Σ nᵢ)² for k
    workers (the cluster-robust one of a ratio), with Student's t for k − 1 degrees of freedom.
    Workers who all did alike show no spread; each then counts as one score.
    """
    if workers < FEWEST_WORKERS:
        return None
    error = math.sqrt(max(0.0, squared_error) * workers / (workers - 1)) / number
    if error < NO_SPREAD:
        return score_interval(mean, workers)
    half = student(workers - 1) * error
    return max(0.0, mean - half), min(1.0, mean + half)
