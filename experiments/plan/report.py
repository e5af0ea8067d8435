"""The tables of `experiment_plan`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from aggregation.management.words import table
from experiments.plan.trials import Trial

HEAD = ["", "forecasts", "hold", "too high", "width", "right, mean", "forecast, mean", "error"]


def lines_of(trials: Sequence[Trial]) -> list[str]:
    """A kind of crowd a line, in the order in which they come, then all of them. The error is the
    root of the mean squared distance to what came out."""
    kinds = list(dict.fromkeys(trial.kind for trial in trials))
    rows = [_row(kind, [trial for trial in trials if trial.kind == kind]) for kind in kinds]
    return table([HEAD, *rows, _row("all", trials)])


def _row(name: str, trials: Sequence[Trial]) -> list[str]:
    def mean(values: Iterable[float]) -> str:
        return f"{np.mean(list(values)):.3f}"

    error = np.sqrt(np.mean([(trial.mean - trial.true) ** 2 for trial in trials]))
    return [
        name,
        f"{len(trials):,}",
        mean(trial.holds for trial in trials),
        mean(trial.true < trial.low for trial in trials),
        mean(trial.high - trial.low for trial in trials),
        mean(trial.true for trial in trials),
        mean(trial.mean for trial in trials),
        f"{error:.3f}",
    ]
