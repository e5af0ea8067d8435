"""What the group that a selection keeps is worth, by gold that did not select it."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from annotation.models import Campaign
from selection import arrays
from selection.algorithms import best_workers, graded_scores, unbiased_scores
from selection.algorithms.workers.best_set import best_set
from selection.algorithms.workers.held_out import (
    Floats,
    HeldOutCrowd,
    Integers,
    Judge,
    held_out_crowd,
)


def held_out(
    campaign: Campaign, judge: Judge, *, without: Collection[int], seed: int
) -> HeldOutCrowd | None:
    """`without`: workers, by row id, who can't be chosen. None where gold is too little. Two
    queries."""
    gold = arrays.load_gold(campaign)
    kept = ~np.isin(gold.workers, list(without))[gold.worker]
    return held_out_crowd(
        gold.worker[kept], gold.question[kept], gold.score[kept], judge,
        rng=np.random.default_rng(seed),
    )  # fmt: skip


def judge_of_answers(classes: int, budget: int, estimator: str, above_chance: bool) -> Judge:
    """By Algorithm 1, of answers that are right or wrong."""
    rng = np.random.default_rng(0)  # of equal scores

    def judge(number: Floats, mean: Floats, variance: Floats) -> tuple[Integers, Floats]:
        right = np.nan_to_num(mean) * number
        found = best_workers(
            right, number, n_classes=classes, budget=budget, rng=rng, estimator=estimator,  # type: ignore[arg-type]
            above_chance=above_chance,
        )  # fmt: skip
        return found.chosen, unbiased_scores(right, number, classes)

    return judge


def judge_of_grades(chance: float, budget: int, estimator: str) -> Judge:
    """The same of graded answers; see `graded_scores`."""
    rng = np.random.default_rng(0)

    def judge(number: Floats, mean: Floats, variance: Floats) -> tuple[Integers, Floats]:
        graded = graded_scores(mean, variance, number, chance=chance)
        score = graded.plug_in if estimator == "plug-in" else graded.score
        found = best_set(score, budget=budget, rng=rng, below_chance=graded.accuracy <= 0.5)
        return found.chosen, graded.score

    return judge
