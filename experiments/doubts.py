"""Simulated crowds whose workers doubt some of their answers: is a doubted answer worth counting?

A worker is right with a probability from Beta(8, 3), and doubts a share of their answers. How much
a doubt tells goes from 0 (they doubt at random) to 1 (a doubted answer is drawn at random from all
classes); the answers that are not doubted are better by what that takes away, so that a crowd is
as good in each cell, as far as that can be.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from aggregation.algorithms.categorical.hierarchical import HierarchicalDawidSkene
from aggregation.algorithms.categorical.votes import MajorityVote
from aggregation.algorithms.data import CrowdLabels

METHODS = {"majority vote": MajorityVote, "hierarchical Dawid–Skene": HierarchicalDawidSkene}
TELLING = (0.0, 0.25, 0.5, 0.75, 1.0)  # how much a doubt tells
RATES = (0.1, 0.3)  # share of the answers that are doubted
REDUNDANCIES = (3, 5)
UNITS, WORKERS, CLASSES = 200, 15, 4
HALF = 0.5
NORMAL = 1.959964


@dataclass(frozen=True, slots=True)
class DoubtCell:
    method: str
    redundancy: int
    rate: float
    telling: float


@dataclass(frozen=True, slots=True)
class Gain:
    """Mean share of units that are right where doubts are ignored, and what the two other ways add
    to it, each with half the width of its 95 % interval over the crowds."""

    cell: DoubtCell
    ignored: float
    half: float
    half_width: float
    left_out: float
    left_out_width: float


def cells() -> Iterator[DoubtCell]:
    for method in METHODS:
        for redundancy in REDUNDANCIES:
            for rate in RATES:
                for telling in TELLING:
                    yield DoubtCell(method, redundancy, rate, telling)


def simulate(trials: int, seed: int, advance: Callable[[int], None]) -> list[Gain]:
    """Each cell over as many crowds; the same crowds for every method and way."""
    found = []
    for cell in cells():
        rows = [
            _scores(cell, np.random.default_rng([seed, trial, round(100 * cell.telling)]))
            for trial in range(trials)
        ]
        scores = np.array(rows)
        more = scores[:, 1:] - scores[:, :1]
        width = NORMAL * more.std(axis=0, ddof=1) / math.sqrt(trials)
        found.append(
            Gain(cell, *map(float, (scores[:, 0].mean(), more[:, 0].mean(), width[0],
                                    more[:, 1].mean(), width[1])))
        )  # fmt: skip
        advance(1)
    return found


def drawn(
    cell: DoubtCell, rng: Generator
) -> tuple[NDArray[np.intp], CrowdLabels, NDArray[np.bool_]]:
    """The truth, the answers, and which of them are doubted."""
    truth = rng.integers(CLASSES, size=UNITS)
    unit = np.repeat(np.arange(UNITS), cell.redundancy)
    worker = np.concatenate(
        [rng.choice(WORKERS, cell.redundancy, replace=False) for _ in range(UNITS)]
    )
    skill = rng.beta(8, 3, WORKERS)[worker]
    doubted = rng.random(unit.size) < cell.rate
    in_doubt = (1 - cell.telling) * skill + cell.telling / CLASSES
    sure = np.minimum(1.0, (skill - cell.rate * in_doubt) / (1 - cell.rate))
    is_right = rng.random(unit.size) < np.where(doubted, in_doubt, sure)
    wrong = (truth[unit] + rng.integers(1, CLASSES, size=unit.size)) % CLASSES
    label = np.where(is_right, truth[unit], wrong)
    return truth, CrowdLabels(unit, worker, label, UNITS, WORKERS, CLASSES), doubted


def _scores(cell: DoubtCell, rng: Generator) -> tuple[float, float, float]:
    """Share of right units with the doubts ignored, counted as half, and left out."""
    truth, labels, doubted = drawn(cell, rng)

    def right(chosen: CrowdLabels) -> float:
        method = METHODS[cell.method]()
        method.fit(chosen)
        return float((method.posterior_.argmax(axis=1) == truth).mean())

    return (
        right(labels),
        right(chosen_answers(labels, np.ones(doubted.size, bool), np.where(doubted, HALF, 1.0))),
        right(chosen_answers(labels, kept(labels, doubted))),
    )


def kept(labels: CrowdLabels, doubted: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The answers that count where doubted ones are left out: a unit of which every answer is
    doubted keeps them."""
    sure = np.bincount(labels.unit[~doubted], minlength=labels.n_units)
    return ~doubted | (sure[labels.unit] == 0)


def chosen_answers(
    labels: CrowdLabels, chosen: NDArray[np.bool_], weight: NDArray[np.float64] | None = None
) -> CrowdLabels:
    return CrowdLabels(
        labels.unit[chosen], labels.worker[chosen], labels.label[chosen],
        labels.n_units, labels.n_workers, labels.n_classes, weight,
    )  # fmt: skip


def lines_of(found: list[Gain]) -> Iterator[str]:
    """A Markdown table."""
    yield "| method | answers | doubted | a doubt tells | right, ignored | as half | left out |"
    yield "|---|---|---|---|---|---|---|"
    for gain in found:
        cell = gain.cell
        yield (
            f"| {cell.method} | {cell.redundancy} | {cell.rate:.0%} | {cell.telling:.2f} | "
            f"{gain.ignored:.3f} | {gain.half:+.3f} ± {gain.half_width:.3f} | "
            f"{gain.left_out:+.3f} ± {gain.left_out_width:.3f} |"
        )
