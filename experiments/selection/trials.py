"""The experiments of Li and Liu, *Cheaper and Better: Selecting Good Workers for Crowdsourcing*,
section 4: how accurate the labels are that each set of workers gives, for each budget.

In each trial some items are drawn as control questions; accuracies come from them alone, and the
labels of the other items are scored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import DawidSkene
from aggregation.algorithms.data import UNKNOWN
from experiments.selection.crowds import SILENT, KnownCrowd
from selection.algorithms import (
    best_workers,
    ranked_workers,
    vote_weights,
    weighted_vote,
)
from selection.algorithms.workers.best_set import Estimator

Floats = NDArray[np.float64]
Workers = NDArray[np.int64]

TOP, RANDOM, SELECTED, PLUG_IN = "top", "random", "selected", "plug-in"
EM_FROM_GOLD, EM_FROM_MAJORITY, SIZE = "EM from gold", "EM from majority", "size"
# Column: which workers, and what is made of their labels.
RECIPES = {
    "MV top K": (TOP, "majority"),
    "WMV-lin top K": (TOP, "linear"),
    "WMV-lin selected": (SELECTED, "linear"),
    "WMV-lin plug-in": (PLUG_IN, "linear"),
    "WMV-log selected ε=.01": (SELECTED, "log .01"),
    "WMV-log selected ε=.05": (SELECTED, "log .05"),
    "WMV-log selected ε=.1": (SELECTED, "log .1"),
    "EM top K": (TOP, EM_FROM_GOLD),
    "EM selected": (SELECTED, EM_FROM_GOLD),
    "EM random K": (RANDOM, EM_FROM_MAJORITY),
    "EM selected, majority start": (SELECTED, EM_FROM_MAJORITY),
    "n selected": (SELECTED, SIZE),
    "n plug-in": (PLUG_IN, SIZE),
}
COLUMNS = tuple(RECIPES)


class CrowdSource(Protocol):
    def drawn(self, rng: np.random.Generator) -> KnownCrowd: ...


@dataclass(frozen=True, slots=True)
class SelectionTrials:
    """`values[t, c, p]` of trial t, column c and the p-th point (budget): accuracy in per cent, or
    how many workers were selected.
    """

    columns: tuple[str, ...]
    values: Floats

    def mean(self, column: str) -> Floats:
        """Shape (n_points,)."""
        return np.asarray(self._of(column).mean(axis=0))

    def half(self, column: str) -> Floats:
        """Half of the 95 % interval of the mean, over trials; shape (n_points,)."""
        found = self._of(column)
        spread = found.std(axis=0, ddof=1) if len(found) > 1 else np.full(found.shape[1], np.nan)
        return np.asarray(1.96 * spread / np.sqrt(len(found)))

    def _of(self, column: str) -> Floats:
        return self.values[:, self.columns.index(column)]


def run_trials(
    source: CrowdSource,
    *,
    budgets: Sequence[int],
    control: int = 10,
    trials: int = 100,
    seed: int = 0,
    columns: Sequence[str] = COLUMNS,
    advance: Callable[[int], None] = lambda number: None,
) -> SelectionTrials:
    """Each trial has a seed of its own, so that more trials leave the first ones as they were.

    Columns of EM are the slow ones.
    """
    values = np.empty((trials, len(columns), len(budgets)))
    for t in range(trials):
        rng = np.random.default_rng([seed, t])
        values[t] = _Trial(source.drawn(rng), control, rng).outcome(columns, budgets)
        advance(1)
    return SelectionTrials(tuple(columns), values)


class _Trial:
    """Control items drawn, and what the workers said of them."""

    def __init__(self, crowd: KnownCrowd, control: int, rng: np.random.Generator):
        if not 2 <= control < crowd.n_items:
            raise ValueError(
                f"there must be 2 to {crowd.n_items - 1} control items, but control is {control}"
            )
        items = rng.choice(crowd.n_items, control, replace=False)
        asked = crowd.answers[items]
        self.crowd = crowd
        self.gold = np.full(crowd.n_items, UNKNOWN)
        self.gold[items] = crowd.truth[items]
        self.right = (asked == crowd.truth[items][:, None]).sum(axis=0)
        self.answered = (asked != SILENT).sum(axis=0)
        self.top = ranked_workers(self.right, self.answered, rng)
        self.shuffled = rng.permutation(crowd.n_workers)
        self.lot = int(rng.integers(2**32))  # settles ties alike for each budget

    def outcome(self, columns: Sequence[str], budgets: Sequence[int]) -> Floats:
        """Shape (n_columns, n_budgets)."""
        found = np.empty((len(columns), len(budgets)))
        known: dict[tuple[str, bytes], float] = {}  # many budgets have the same set
        for b, budget in enumerate(budgets):
            sets = {
                TOP: self.top[:budget],
                RANDOM: self.shuffled[:budget],
                SELECTED: self._selected(budget, "unbiased"),
                PLUG_IN: self._selected(budget, "plug-in"),
            }
            for c, column in enumerate(columns):
                which, method = RECIPES[column]
                key = (method, np.sort(sets[which]).tobytes())
                if key not in known:
                    known[key] = self._figure(method, sets[which])
                found[c, b] = known[key]
        return found

    def _selected(self, budget: int, estimator: Estimator) -> Workers:
        return best_workers(
            self.right,
            self.answered,
            n_classes=self.crowd.n_classes,
            budget=budget,
            rng=np.random.default_rng(self.lot),
            estimator=estimator,
        ).chosen

    def _figure(self, method: str, workers: Workers) -> float:
        if method == SIZE:
            return float(len(workers))
        labels = self.crowd.labels(workers)
        if method == EM_FROM_GOLD:
            predicted = DawidSkene(start="gold").fit(labels, gold=self.gold).predict()
        elif method == EM_FROM_MAJORITY:
            predicted = DawidSkene().fit(labels).predict()
        else:
            form, _, truncation = method.partition(" ")
            weight = vote_weights(
                self.right[workers],
                self.answered[workers],
                n_classes=self.crowd.n_classes,
                form=form,  # type: ignore[arg-type]
                truncation=float(truncation or 0.01),
            )
            predicted = weighted_vote(labels, weight, np.random.default_rng(self.lot))
        scored = self.gold == UNKNOWN
        return 100.0 * float((predicted == self.crowd.truth)[scored].mean())
