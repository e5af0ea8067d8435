"""The tables of `experiment_choices`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from aggregation.management.words import table
from experiments.choices.trials import GOLD, Outcome

METHODS = ("vote", "before", "dawid_skene", "hierarchical")
HEAD = ["", "vote", "before", "DS", "own", "error: vote", "before", "DS", "own", "by chance"]


def lines_of(found: Mapping[str, Outcome]) -> list[str]:
    """Shares right, then calibration errors, a crowd (or kind of crowd) a line, and the means;
    *by chance* is the error that our own method would have if its confidences were exactly right.
    """
    gold = [f"{number} gold" for number in GOLD] if any(one.gold for one in found.values()) else []
    rows = [_numbers(one, len(gold)) for one in found.values()]
    means = np.mean(rows, axis=0).tolist()
    body = [
        [name, *(f"{value:.3f}" for value in row)]
        for name, row in [*zip(found, rows, strict=True), ("mean", means)]
    ]
    return table([[*HEAD, *gold], *body])


def _numbers(one: Outcome, gold: int) -> list[float]:
    both = [getattr(one, name) for name in METHODS]
    right, error = zip(*both, strict=True)
    return [*right, *error, one.chance, *one.gold[:gold]]
