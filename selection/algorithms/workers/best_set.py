"""Li and Liu, *Cheaper and Better: Selecting Good Workers for Crowdsourcing*, Algorithm 1: which
workers to keep.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.settings import check_at_least, check_choice
from selection.algorithms.workers.scores import (
    FEWEST,
    accuracies,
    check_classes,
    crowd_score,
    plug_in_scores,
    unbiased_scores,
)

Floats = NDArray[np.float64]
Estimator = Literal["unbiased", "plug-in"]


class Reason(IntEnum):
    """Why a worker is in the set, or is not."""

    CHOSEN = 0
    UNTESTED = 1  # fewer than two control answers: nothing can be said; offer them gold first
    BARRED = 2  # was not to be chosen from, whatever their score
    BELOW_CHANCE = 3  # no better than guessing, where only those above chance were wanted
    WORTHLESS = 4  # a score of 0 or less: can't be told from guessing
    OVER_BUDGET = 5  # so many others have a higher score, or as high and drew a better lot
    SURPLUS = 6  # within the budget, but the set is better without them


class Empty(IntEnum):
    """Why nobody is chosen."""

    UNTESTED = 1  # nobody has two control answers
    BARRED = 2  # those who were tested are barred, or not above chance
    WORTHLESS = 3  # nobody's score is above 0


@dataclass(frozen=True, slots=True)
class Selection:
    """The best set of at most so many workers.

    Attributes
    ----------
    chosen : integer array of shape (n_chosen,)
        Numbers of the workers, the highest score first.
    crowd : float
        F of the set by the scores that chose it, so rather too high; 0 of nobody.
    reason : array of shape (n_workers,)
        Numbers of `Reason`.
    empty : Empty or None
        Why nobody is chosen; None where somebody is.
    """

    chosen: NDArray[np.int64]
    crowd: float
    reason: NDArray[np.int8]
    empty: Empty | None


def best_workers(
    right: ArrayLike,
    answered: ArrayLike,
    *,
    n_classes: int,
    budget: int,
    rng: np.random.Generator,
    estimator: Estimator = "unbiased",
    above_chance: bool = False,
    barred: ArrayLike | None = None,
) -> Selection:
    """`best_set` of workers with so many right of so many control answers, shape (n_workers,).

    Without `above_chance` workers who are mostly wrong are as welcome as those who are mostly
    right. That is right for votes with weights, which turn negative, and wrong for a majority and
    for EM that starts from one.
    """
    check_classes(n_classes)
    estimates = {"unbiased": unbiased_scores, "plug-in": plug_in_scores}
    check_choice(estimates, estimator=estimator)
    scores = estimates[estimator](right, answered, n_classes)
    below = None
    if above_chance:
        # Compared as products: 3 of 9 are exactly the chance of 1 in 3.
        below = np.asarray(right) * n_classes <= np.asarray(answered)
    return best_set(scores, budget=budget, rng=rng, below_chance=below, barred=barred)


def best_set(
    scores: ArrayLike,
    *,
    budget: int,
    rng: np.random.Generator,
    below_chance: ArrayLike | None = None,
    barred: ArrayLike | None = None,
) -> Selection:
    """The set S of at most `budget` workers with the highest F = sum of scores / root of |S|; of
    sets with the same F the smallest.

    Of sets of one size none beats the workers with the highest scores, so only those have to be
    tried, for each size: one pass over the `budget` highest scores. Workers with equal scores are
    put in order by lot. A score of 0 or less never raises F, so such workers are not chosen even
    where there is nobody else.

    Parameters
    ----------
    scores : array of shape (n_workers,)
        NaN of a worker who was not tested.
    below_chance, barred : boolean arrays of shape (n_workers,), or None
        Who is not to be chosen; they differ in the reason that is told.
    """
    q = np.asarray(scores, dtype=np.float64)
    if q.ndim != 1:
        raise ValueError(f"scores has the shape {q.shape}, but must have one axis")
    check_at_least(1, budget=budget)
    kept_out = {Reason.BARRED: barred, Reason.BELOW_CHANCE: below_chance}
    reason = np.full(len(q), Reason.OVER_BUDGET, dtype=np.int8)
    reason[q <= 0] = Reason.WORTHLESS
    for why in (Reason.BELOW_CHANCE, Reason.BARRED):
        if kept_out[why] is not None:
            reason[_mask(kept_out[why], q, why)] = why
    reason[np.isnan(q)] = Reason.UNTESTED

    ranked = _highest(q, np.flatnonzero(reason == Reason.OVER_BUDGET), budget, rng)
    crowd = np.cumsum(q[ranked]) / np.sqrt(np.arange(1, len(ranked) + 1))
    size = int(crowd.argmax()) + 1 if len(ranked) else 0  # of equals the first
    reason[ranked[:size]] = Reason.CHOSEN
    reason[ranked[size:]] = Reason.SURPLUS
    chosen = ranked[:size]
    return Selection(chosen, crowd_score(q[chosen]), reason, None if size else _why_empty(reason))


def ranked_workers(
    right: ArrayLike, answered: ArrayLike, rng: np.random.Generator
) -> NDArray[np.int64]:
    """All workers with two control answers, the most accurate first, equals by lot."""
    w = accuracies(right, answered)
    tested = np.flatnonzero(np.asarray(answered) >= FEWEST)
    return _highest(w, tested, len(tested), rng)


def _highest(
    values: Floats, among: NDArray[np.int64], most: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """At most `most` of the workers `among`, the highest value first, equals by lot."""
    if len(among) > most:
        found = values[among]
        edge = np.partition(found, len(found) - most)[len(found) - most]
        sure, level = among[found > edge], among[found == edge]
        among = np.concatenate([sure, rng.choice(level, most - len(sure), replace=False)])
    drawn = rng.permutation(among)
    return np.asarray(drawn[np.argsort(-values[drawn], kind="stable")], dtype=np.int64)


def _mask(given: ArrayLike | None, q: Floats, why: Reason) -> NDArray[np.bool_]:
    mask = np.asarray(given, dtype=bool)
    if mask.shape != q.shape:
        name = why.name.lower()
        raise ValueError(f"{name} has the shape {mask.shape}, but there are {len(q)} workers")
    return mask


def _why_empty(reason: NDArray[np.int8]) -> Empty:
    if (reason == Reason.UNTESTED).all():
        return Empty.UNTESTED
    return Empty.WORTHLESS if (reason == Reason.WORTHLESS).any() else Empty.BARRED
