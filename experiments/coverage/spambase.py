"""The first experiment: the spam of a mailbox, by the shares of words in each message."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from aggregation.files.items import rows
from annotation.formats.records import FormatError, Refused
from annotation.formats.source import Source
from experiments.coverage.trials import (
    ALL,
    CLASSIFIERS,
    DEFAULT,
    RANDOM,
    Problem,
    Results,
)
from selection.algorithms import Numeric, Pool

GOLD = 900
COMPARED = (200, 400, 850)  # items, beside as many drawn at random
CURVE = (50, 100, 200, 400, 850, 1_500, 2_500, 3_700)
STEP = 10.0
LEAST = 0.003  # a difference of F1 that is none, however small its standard error
LONGEST = 2**20  # bytes of a line


def read_problem(path: Path, label: str = "spam") -> Problem:
    """CSV with a header: numbers, and a column of 0 and 1. Raises ValueError."""
    try:
        with Source(path) as source:
            found = rows((n, line or b"") for n, line in source.lines(LONGEST))
            _, header = next(found)
            if label not in header:
                raise ValueError(f"{source.name} has no column '{label}'. Name one with --label.")
            table = [_numbers(row, header, line) for line, row in found]
            name = source.name
    except (Refused, FormatError) as error:
        raise ValueError(f"{path}: {error}") from error
    at = header.index(label)
    values = np.array(table).reshape(len(table), len(header))
    truth = values[:, at].astype(np.int64)
    if len(truth) < GOLD + 2 or not np.isin(values[:, at], (0, 1)).all():
        raise ValueError(
            f"{name}: the experiment needs more than {GOLD} items with a '{label}' of 0 or 1."
        )
    attributes = [
        Numeric(column, values[:, i]) for i, column in enumerate(header) if column != label
    ]
    return Problem(Pool.of(attributes, step=STEP), truth, np.eye(2)[truth], GOLD)


def _numbers(row: list[str], header: list[str], line: int) -> list[float]:
    try:
        return [float(cell) for cell in row]
    except ValueError as error:
        wrong = next(c for c, cell in zip(header, row, strict=True) if not _is_number(cell))
        raise ValueError(f"line {line}, {wrong}: expected a number") from error


def _is_number(cell: str) -> bool:
    try:
        return np.isfinite(float(cell))
    except ValueError:
        return False


def repeats(number: int, *, tuning: bool = False) -> list[int]:
    """Seeds: odd ones to choose settings by, even ones to report."""
    return [2 * i + tuning for i in range(number)]


def sizes(problem: Problem, wanted: tuple[int, ...]) -> tuple[int, ...]:
    """Those that are below the number of all others than gold, and that number."""
    every = problem.pool.n_items - problem.gold
    return (*(size for size in wanted if size < every), every)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The default's F1 less that of another set, over paired repeats."""

    size: int
    other: str
    classifier: str
    mean: float
    error: float

    @property
    def reached(self) -> bool:
        """Not below by more than chance explains, or than matters."""
        return self.mean >= -max(2 * self.error, LEAST)


def comparisons(results: Results) -> list[Comparison]:
    """With random sets of each size, and with all."""
    known = [size for size in COMPARED if size in results.sizes]
    others = [(size, RANDOM, size) for size in known]
    others += [(size, ALL, results.sizes[-1]) for size in known[-1:]]
    found = []
    for size, other, other_size in others:
        means, errors = results.against(DEFAULT, size, other, other_size)
        found += [
            Comparison(size, other, name, float(mean), float(error))
            for name, mean, error in zip(CLASSIFIERS, means, errors, strict=True)
        ]
    return found
