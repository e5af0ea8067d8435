"""The experiments as lines of text and as files: CSV of all figures, SVG of the curves."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from aggregation.management.words import table
from annotation.formats.output import replaced
from annotation.formats.tables import csv_row
from experiments.coverage.spambase import LEAST, Comparison
from experiments.coverage.trials import CLASSIFIERS, MEASURES, Results, standard_error
from experiments.selection.curves import Curve, curves_svg


def table_lines(results: Results, measure: str = "F1") -> Iterator[str]:
    """Each method and size: the mean of each classifier, and the share of the class among what was
    chosen."""
    yield f"{measure}, means of {len(results.values)} repeats"
    rows = [["", *CLASSIFIERS, "positive"]]
    for method, size in _known(results):
        share = float(results.of(method, size, "positive share").mean())
        means = results.of(method, size, measure).mean(axis=0)
        rows.append([f"{method} {size:,}", *(f"{mean:.3f}" for mean in means), f"{share:.2f}"])
    yield from table(rows)


def paired_lines(results: Results, other: str) -> Iterator[str]:
    """Each method's F1 less that of `other` at the same size, with the standard error."""
    yield f"F1 less that of {other} of the same size, ± standard error of the paired difference"
    rows = [["", *CLASSIFIERS]]
    for method, size in _known(results):
        if method != other and not np.isnan(results.of(other, size)).all():
            means, errors = results.against(method, size, other, size)
            cells = [_difference(m, e) for m, e in zip(means, errors, strict=True)]
            rows.append([f"{method} {size:,}", *cells])
    yield from table(rows)


def goal_lines(found: list[Comparison]) -> Iterator[str]:
    yield (
        f"The default's F1 less that of another set. Reached: at least −max(2 standard errors, "
        f"{LEAST:g})."
    )
    judged = all(math.isfinite(c.error) for c in found)
    rows = [["", *CLASSIFIERS]]
    for size, other in dict.fromkeys((c.size, c.other) for c in found):
        mine = [c for c in found if (c.size, c.other) == (size, other)]
        missed = [" *" if judged and not c.reached else "" for c in mine]
        cells = [_difference(c.mean, c.error) for c in mine]
        cells = [cell + mark for cell, mark in zip(cells, missed, strict=True)]
        rows.append([f"{size:,} items, {other}", *cells])
    yield from table(rows)
    if not judged:
        yield "One repeat has no standard error, so nothing is said of the goals."
        return
    number = sum(not c.reached for c in found)
    mean = float(np.mean([c.mean for c in found])) if found else math.nan
    verdict = f"{number} missed (*)" if number else "all reached"
    yield f"{len(found)} comparisons, {verdict}; {_signed(mean)} on average"


def write_table(results: Results, path: Path) -> Path:
    """All figures as CSV: mean and standard error of each measure."""
    with replaced(path) as file:
        names = [name for measure in MEASURES for name in (measure, f"{measure} ±")]
        file.write(csv_row(["method", "size", "classifier", *names]))
        for method, size in _known(results):
            for c, classifier in enumerate(CLASSIFIERS):
                row: list[str | int] = [method, size, classifier]
                for measure in MEASURES:
                    values = results.of(method, size, measure)
                    row += [f"{values.mean(axis=0)[c]:.5f}", _exact(standard_error(values)[c])]
                file.write(csv_row(row))
    return path


def write_curves(results: Results, folder: Path, name: str, title: str) -> list[Path]:
    """For each classifier F1 against the number of items, on a logarithmic axis, with bands of two
    standard errors."""
    written = []
    marks = {math.log10(size): f"{size:,}" for size in results.sizes[:-1]}
    for c, classifier in enumerate(CLASSIFIERS):
        curves = []
        for method in results.methods[1:]:
            sizes = [s for s in results.sizes if not np.isnan(results.of(method, s)).all()]
            found = [results.of(method, s)[:, c] for s in sizes]
            curves.append(
                Curve(
                    method,
                    [math.log10(s) for s in sizes],
                    [float(values.mean()) for values in found],
                    [2 * float(standard_error(values)) for values in found],
                )
            )
        path = folder / f"{name}-{classifier.lower()}.svg"
        with replaced(path) as file:
            file.write(curves_svg(f"{title}: {classifier}", "items", "F1", curves, marks))
        written.append(path)
    return written


def _known(results: Results) -> Iterator[tuple[str, int]]:
    for method in results.methods:
        for size in results.sizes:
            if not np.isnan(results.of(method, size)).all():
                yield method, size


def _difference(mean: float, error: float) -> str:
    return f"{_signed(mean)} ± {error:.3f}" if math.isfinite(error) else _signed(mean)


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")


def _exact(value: float) -> str:
    return f"{value:.5f}" if math.isfinite(value) else ""
