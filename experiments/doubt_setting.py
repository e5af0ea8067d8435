"""Simulated crowds that doubt as workers may: what a campaign gains where it leaves doubts out.

A worker is right with p = 1/4 + 3/4 σ(skill - hardness), and doubts with σ(a - b logit p): where b
is above 0 the more often, the likelier they are wrong. A task is hard for all, and several are
unsure of it at once; or for each worker by itself, and the others know. Left out is what
`aggregation.arrays.doubts` leaves out: a task of which nobody was sure has no label, and so is not
right.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import expit, logit

from aggregation.algorithms.data import CrowdLabels
from aggregation.algorithms.measures.calibration import calibration_of
from experiments.doubts import (
    CLASSES,
    METHODS,
    NORMAL,
    REDUNDANCIES,
    UNITS,
    WORKERS,
    chosen_answers,
)

SKILL, HARDNESS = (1.8, 0.6), (0.0, 2.0)  # mean and standard deviation
HARD_FOR = ("all", "one")


@dataclass(frozen=True, slots=True)
class Doubting:
    """a and b of the docstring above."""

    name: str
    often: float
    heeds: float


WAYS = (
    Doubting("at random", -1.4, 0.0),
    Doubting("often, over-cautious", 0.5, 0.4),
    Doubting("well-informed", -0.2, 1.15),
    Doubting("where they guess", -2.0, 6.0),
)


@dataclass(frozen=True, slots=True)
class SettingCell:
    method: str
    redundancy: int
    hard_for: str
    doubting: Doubting


@dataclass(frozen=True, slots=True)
class Outcome:
    """What comes of a crowd: which tasks are right, of those that have a label how sure the method
    is, and whether these are right."""

    is_right: NDArray[np.bool_]
    sure: NDArray[np.float64]
    sure_is_right: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SettingGain:
    """Of all crowds together: the share of answers that are doubted, and how many of these and of
    the others are right; the share of tasks that are right where doubts count, what leaving them
    out adds to it, with half the width of its 95 % interval over the crowds, and how many tasks
    have no label then; the calibration error of both."""

    cell: SettingCell
    doubted: float
    right_doubted: float
    right_sure: float
    counted: float
    gain: float
    width: float
    unlabelled: float
    error_counted: float
    error_left_out: float


def cells() -> Iterator[SettingCell]:
    for method in METHODS:
        for redundancy in REDUNDANCIES:
            for hard_for in HARD_FOR:
                for doubting in WAYS:
                    yield SettingCell(method, redundancy, hard_for, doubting)


def simulate(trials: int, seed: int, advance: Callable[[int], None]) -> list[SettingGain]:
    """Each cell over as many crowds; the same crowds for every method and setting."""
    found = []
    for cell in cells():
        found.append(_gain(cell, [np.random.default_rng([seed, n]) for n in range(trials)]))
        advance(1)
    return found


def _gain(cell: SettingCell, rngs: list[Generator]) -> SettingGain:
    said, counted, left_out = [], [], []
    for rng in rngs:
        truth, labels, doubted = drawn(cell, rng)
        said.append((doubted, labels.label == truth[labels.unit]))
        counted.append(_outcome(cell, labels, truth))
        left_out.append(_outcome(cell, chosen_answers(labels, ~doubted), truth))
    doubts, is_right = np.hstack(said)
    shares = np.array([[one.is_right.mean() for one in way] for way in (counted, left_out)])
    more = shares[1] - shares[0]
    return SettingGain(
        cell,
        doubted=float(doubts.mean()),
        right_doubted=float(is_right[doubts].mean()),
        right_sure=float(is_right[~doubts].mean()),
        counted=float(shares[0].mean()),
        gain=float(more.mean()),
        width=float(NORMAL * more.std(ddof=1) / math.sqrt(len(more))),
        unlabelled=1 - sum(len(one.sure) for one in left_out) / (UNITS * len(left_out)),
        error_counted=_error(counted),
        error_left_out=_error(left_out),
    )


def drawn(
    cell: SettingCell, rng: Generator
) -> tuple[NDArray[np.intp], CrowdLabels, NDArray[np.bool_]]:
    """The truth, the answers, and which of them are doubted."""
    truth = rng.integers(CLASSES, size=UNITS)
    unit = np.repeat(np.arange(UNITS), cell.redundancy)
    worker = np.concatenate(
        [rng.choice(WORKERS, cell.redundancy, replace=False) for _ in range(UNITS)]
    )
    skill, of_task, own = (
        rng.normal(*law, size)
        for law, size in ((SKILL, WORKERS), (HARDNESS, UNITS), (HARDNESS, unit.size))
    )
    hardness = of_task[unit] if cell.hard_for == "all" else own
    p = 1 / CLASSES + (1 - 1 / CLASSES) * expit(skill[worker] - hardness)
    doubted = rng.random(unit.size) < expit(cell.doubting.often - cell.doubting.heeds * logit(p))
    wrong = (truth[unit] + rng.integers(1, CLASSES, size=unit.size)) % CLASSES
    label = np.where(rng.random(unit.size) < p, truth[unit], wrong)
    return truth, CrowdLabels(unit, worker, label, UNITS, WORKERS, CLASSES), doubted


def _outcome(cell: SettingCell, labels: CrowdLabels, truth: NDArray[np.intp]) -> Outcome:
    method = METHODS[cell.method]()
    method.fit(labels)
    known = labels.labelled()
    is_right = known & (method.posterior_.argmax(axis=1) == truth)
    return Outcome(is_right, method.posterior_.max(axis=1)[known], is_right[known])


def _error(outcomes: list[Outcome]) -> float:
    """Of all crowds' tasks together: a few alone would seem badly calibrated by chance."""
    sure = np.concatenate([one.sure for one in outcomes])
    is_right = np.concatenate([one.sure_is_right for one in outcomes])
    return calibration_of(sure, is_right).error or 0.0


def lines_of(found: list[SettingGain]) -> Iterator[str]:
    """A Markdown table: a row for each way of doubting, the numbers of answers side by side."""
    yield (
        "| method | hard for | workers doubt | of answers | right if doubted, else |"
        + "".join(f" {n} answers: right | left out | no label | error |" for n in REDUNDANCIES)
    )
    yield "|---" * (5 + 4 * len(REDUNDANCIES)) + "|"
    rows: dict[tuple[str, str, str], list[SettingGain]] = {}
    for one in found:
        cell = one.cell
        rows.setdefault((cell.method, cell.hard_for, cell.doubting.name), []).append(one)
    for about, gains in rows.items():
        first = gains[0]
        words = [
            *about,
            f"{first.doubted:.0%}",
            f"{first.right_doubted:.0%}, {first.right_sure:.0%}",
        ]
        yield f"| {' | '.join([*words, *map(_figures, gains)])} |"


def _figures(one: SettingGain) -> str:
    return (
        f"{one.counted:.3f} | {one.gain:+.3f} ± {one.width:.3f} | {one.unlabelled:.1%} | "
        f"{one.error_counted:.3f} → {one.error_left_out:.3f}"
    )
