"""How good labels will be before there is an answer, from a stated mix of workers.

Each worker is of one kind, drawn by its share, and is right with an accuracy about that of the
kind, Beta(20 a, 20 (1 - a)); errors are spread evenly, classes are equally common. What a mix can't
say, hard units and misled crowds, has the prior of `forecasts`; nothing is checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from aggregation.algorithms.categorical.hierarchy import Strengths
from aggregation.algorithms.settings import check_at_least
from selection.algorithms.plan.crowd_model import HARD, HARD_DRAWN, CrowdModel
from selection.algorithms.plan.forecasts import (
    DRAWS,
    LEVEL,
    Aggregate,
    Draw,
    aggregated,
    play,
    told,
)
from selection.algorithms.plan.results import Forecast

STRENGTH = 20.0  # labels' worth of what is known of a worker of a kind


class Kind(NamedTuple):
    """A `share` of the workers, right in so many of their answers."""

    share: float
    accuracy: float


def forecast_mix(
    mix: Sequence[Kind],
    *,
    n_classes: int,
    n_workers: int,
    total: int,
    answers: Sequence[int],
    aggregate: Aggregate = aggregated,
    draws: int = DRAWS,
    seed: int = 0,
    level: float = LEVEL,
) -> Forecast:
    """`total` tasks of `n_classes` classes by `n_workers` workers, at each number of `answers`."""
    check_at_least(2, n_classes=n_classes)
    check_at_least(1, n_workers=n_workers, total=total)
    rng = np.random.default_rng(seed)
    numbers = sorted(set(answers))
    share = np.array([kind.share for kind in mix])
    accuracy = np.clip([kind.accuracy for kind in mix], 1 / n_classes, 0.99)
    drawn = []
    for hard in rng.choice(HARD, draws, p=HARD_DRAWN):
        of = rng.choice(len(mix), n_workers, p=share / share.sum())
        right = rng.beta(STRENGTH * accuracy[of], STRENGTH * (1 - accuracy[of]))[:, None, None]
        tables = np.where(np.eye(n_classes, dtype=bool), right, (1 - right) / (n_classes - 1))
        model = CrowdModel(
            prevalence=np.full(n_classes, 1 / n_classes),
            eases=np.array([1 - hard, hard]),
            counts=tables,
            newcomer=np.eye(n_classes),
            strengths=Strengths.first(n_classes),
            agree=float("nan"),
        )
        shares = play(rng, model, tables, np.ones(n_workers), total, numbers, aggregate)
        drawn.append(Draw(shares, np.zeros(0), float(hard)))
    points = told(rng, drawn, np.zeros(0, dtype=bool), numbers, total, level)
    return Forecast("accuracy", total, 0, 0.0, 0, level, points)
