"""How often forecasts and intervals of simulated loops hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from annotation.formats.output import replaced
from annotation.formats.tables import csv_row
from experiments.loops.simulated import PICKERS, Looked


def lines_of(rows: Sequence[Looked]) -> list[str]:
    """A table of three columns, in Markdown: which rounds, how many, and what held."""
    parts = [("all", rows)]
    parts += [(name, [row for row in rows if row.picker == name]) for name in PICKERS]
    parts += [
        (f"forecast made in round {number}", [row for row in rows if row.number == number])
        for number in sorted({row.number for row in rows if row.forecast_held is not None})
    ]
    lines = [
        "| rounds | forecasts | held, of 90 % | width | error | error of “as now” | 95 % held |",
        "|---|---|---|---|---|---|---|",
    ]
    return lines + [f"| {name} | {_cells(part)} |" for name, part in parts if part]


def always_held(rows: Sequence[Looked]) -> tuple[int, int]:
    """Loops in which the interval that is valid at every look held in all rounds, of how many."""
    seeds = {row.seed for row in rows}
    missed = {row.seed for row in rows if not row.always[0] <= row.true <= row.always[1]}
    return len(seeds) - len(missed), len(seeds)


def goals_met_wrongly(rows: Sequence[Looked]) -> tuple[int, int]:
    """Loops that some lower end told to have a figure that they had not, of how many."""
    seeds = {row.seed for row in rows}
    return len({row.seed for row in rows if row.always[0] > row.true}), len(seeds)


def coverage(rows: Iterable[Looked]) -> float:
    held = [row.forecast_held for row in rows if row.forecast_held is not None]
    return float(np.mean(held)) if held else np.nan


def _cells(rows: Sequence[Looked]) -> str:
    known = [row for row in rows if row.forecast_held is not None and row.forecast is not None]
    width = np.mean([row.forecast.high - row.forecast.low for row in known if row.forecast])
    error = _root([row.came - row.forecast.value for row in known if row.forecast])
    naive = _root([row.came - row.metric for row in known])
    inside = np.mean([row.interval[0] <= row.true <= row.interval[1] for row in rows])
    return (
        f"{len(known):,} | {coverage(known):.3f} | {width:.3f} | {error:.4f} | {naive:.4f} | "
        f"{inside:.3f}"
    )


def _root(values: Sequence[float]) -> float:
    return float(np.sqrt(np.mean(np.square(values)))) if values else np.nan


def write_file(path: Path, rows: Sequence[Looked]) -> None:
    with replaced(path) as file:
        file.write(csv_row(["seed", "round", "picker", "learner", "metric", "true", "low", "high",
                            "forecast", "forecast_low", "forecast_high", "came"]))  # fmt: skip
        for row in rows:
            forecast = row.forecast
            ends = (forecast.value, forecast.low, forecast.high) if forecast else ("", "", "")
            file.write(csv_row([row.seed, row.number, row.picker, row.learner, row.metric,
                                row.true, *row.interval, *ends, row.came]))  # fmt: skip
