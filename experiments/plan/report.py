"""The tables of `experiment_plan`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from aggregation.management.words import table
from experiments.plan.trials import Trial

QUALITIES = (0.8, 0.9, 0.95)
SHORT = 0.02
WORDS = ["came out", "forecasts", "can't", "probably can't", "can probably", "can"]
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


def told_of(trials: Sequence[Trial]) -> list[str]:
    """Of qualities that somebody may want: what a campaign's form says of each beforehand (can it
    be had?), by what came out."""
    found: dict[str, list[int]] = {"enough": [], "a little short": [], "more than .02 short": []}
    for trial in trials:
        ends = (trial.low, trial.mean, trial.high)
        for quality in QUALITIES:
            missing = quality - trial.true
            kind = list(found)[(missing > 0) + (missing > SHORT)]
            found[kind].append(sum(quality <= end for end in ends))
    rows = [WORDS]
    for kind, told in found.items():
        counts = np.bincount(np.array(told, dtype=np.int64), minlength=4)
        shares = counts / max(len(told), 1)
        rows.append([kind, f"{len(told):,}", *(f"{share:.2f}" for share in shares)])
    return table(rows)
