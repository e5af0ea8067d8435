"""Forecasts of campaigns whose outcome is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import CrowdLabels, HierarchicalDawidSkene
from experiments.plan.crowds import MORE, Campaign, campaign
from selection.algorithms.plan.forecasts import DRAWS, forecast_choices

GOLD = 20
PILOT = 5  # one task in so many


@dataclass(frozen=True, slots=True)
class Trial:
    """At so many answers a task; `true` is the share of right tasks."""

    kind: str
    answers: int
    true: float
    mean: float
    low: float
    high: float

    @property
    def holds(self) -> bool:
        return self.low <= self.true <= self.high


def simulated(kind: str, seed: int, *, gold: int = GOLD, draws: int = DRAWS) -> list[Trial]:
    """At the answers that each task of the pilot has, and at two more or fewer."""
    made = campaign(kind, seed)
    rng = np.random.default_rng([seed, 99])
    n = len(made.truth)
    first = np.arange(n // PILOT)
    known = np.full(n, -1)
    checked = rng.choice(first, min(gold, len(first)), replace=False)
    known[checked] = made.truth[checked]
    other = made.answers + int(rng.choice([-MORE, MORE]))
    numbers = sorted({max(other, 1), made.answers})
    found = forecast_choices(
        labels_of(made, made.answers, first),
        total=n, answers=numbers, gold=known if gold else None, draws=draws,
        seed=seed,
    )  # fmt: skip
    trials = []
    for one in found.points:
        labels = labels_of(made, one.answers, np.arange(n))
        chosen = HierarchicalDawidSkene().fit(labels).predict()
        true = float((chosen == made.truth).mean())
        trials.append(Trial(kind, one.answers, true, one.mean, one.low, one.high))
    return trials


def labels_of(made: Campaign, answers: int, tasks: NDArray[np.int64]) -> CrowdLabels:
    who, said = made.who[tasks, :answers], made.said[tasks, :answers]
    unit = np.repeat(tasks, answers)
    sizes = len(made.truth), made.n_workers, made.n_classes
    return CrowdLabels(unit, who.ravel(), said.ravel(), *sizes)
