"""Experiments as lines of text and as files: CSV of all figures, SVG of the curves."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap

from aggregation.management.words import table
from annotation.formats.output import replaced
from annotation.formats.tables import csv_row
from experiments.selection.curves import Curve, curves_svg
from experiments.selection.reference import BY_ORDER, tolerance
from experiments.selection.selecting import BUDGET, SelectionExperiment

WIDTH = 100
# Beside these the others would lie on each other.
FAR_BELOW = ("MV top K", *BY_ORDER)


def lines_of(experiment: SelectionExperiment) -> Iterator[str]:
    """The table, a row for each point and below it the reference where there is one."""
    yield experiment.title
    trials = experiment.trials
    yield f"Means of {len(trials.values)} trials, in per cent; ± is half of the 95 % interval."
    if experiment.remark:
        yield from wrap(experiment.remark, WIDTH)
    heads = [str(i) for i in range(1, len(trials.columns) + 1)]
    rows = [[experiment.across, *heads]]
    for point in experiment.table_points:
        at = experiment.points.index(point)
        rows.append([f"{point:g}", *(f"{trials.mean(c)[at]:.1f}" for c in trials.columns)])
        rows.append(["  ±", *(_rounded(float(trials.half(c)[at])) for c in trials.columns)])
        known = experiment.known.get(point, {})
        if known:
            rows.append(
                ["  reference", *(f"{known[c]:.1f}" if c in known else "–" for c in trials.columns)]
            )
    yield from table(rows)
    yield from wrap(", ".join(f"{i} {c}" for i, c in enumerate(trials.columns, start=1)), WIDTH)
    if experiment.known:
        yield from _verdict(experiment)


def write_files(experiment: SelectionExperiment, folder: Path) -> list[Path]:
    """NAME.csv, NAME.svg of what is worth telling apart, NAME-all.svg of all columns, and
    NAME-sizes.svg.
    """
    written = [folder / f"{experiment.name}.csv"]
    trials = experiment.trials
    with replaced(written[0]) as file:
        heads = [name for column in trials.columns for name in (column, f"{column} ±")]
        file.write(csv_row([experiment.across, *heads]))
        for at, point in enumerate(experiment.points):
            row = [(trials.mean(c)[at], trials.half(c)[at]) for c in trials.columns]
            file.write(csv_row([f"{point:g}", *(_exact(x) for pair in row for x in pair)]))
    every = experiment.curves()
    drawings: list[tuple[str, str, Sequence[Curve]]] = [
        ("", "accuracy, %", [curve for curve in every if curve.name not in FAR_BELOW]),
        ("-all", "accuracy, %", every if any(c.name in FAR_BELOW for c in every) else []),
        ("-sizes", "workers selected", experiment.sizes()),
    ]
    for suffix, up, curves in drawings:
        if curves:
            written.append(folder / f"{experiment.name}{suffix}.svg")
            with replaced(written[-1]) as file:
                file.write(curves_svg(experiment.title, experiment.across, up, curves))
    return written


def _verdict(experiment: SelectionExperiment) -> Iterator[str]:
    small = f", ± {tolerance(0):g} below K = 10" if experiment.across == BUDGET else ""
    within = f"the tolerance (± {tolerance(10):g}{small})"
    outside = experiment.outside()
    if not outside:
        yield f"All accuracies are within {within} of the reference."
        return
    yield f"Not within {within}:"
    yield from (f"  {line}" for line in outside)


def _rounded(value: float) -> str:
    return f"{value:.1f}" if math.isfinite(value) else "–"


def _exact(value: float) -> str:
    return f"{value:.4f}" if math.isfinite(value) else ""
