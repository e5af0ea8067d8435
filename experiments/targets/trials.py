"""One campaign after the other, out of recorded answers: tasks are asked for one answer more until
their calibrated confidence is the quality that was named, or all their answers are in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import CrowdLabels, HierarchicalDawidSkene
from aggregation.algorithms.categorical.confidences import rho_by_gold
from aggregation.algorithms.categorical.evidence import tempered
from aggregation.algorithms.data import UNKNOWN
from aggregation.algorithms.measures.intervals import wilson

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Advance = Callable[[int], None]
QUALITIES = (0.8, 0.9, 0.95)
GOLD = 20  # tasks, or documents with spans
START = 3  # answers of each task before any is closed


@dataclass(frozen=True, slots=True)
class Judged:
    """How sure each task is, shape (n_tasks,); the quality of all, what is expected of it, and the
    interval that gold promises."""

    sure: Floats
    quality: float
    expected: float
    interval: tuple[float, float]
    fitted: Any = None


class Recorded(Protocol):
    """Recorded answers with gold.

    Attributes
    ----------
    task : array of shape (n_answers,)
    n_tasks : int
    start : answers of each task before any is closed
    """

    task: Integers
    n_tasks: int
    start: int

    def draw(self, rng: np.random.Generator) -> Integers:
        """Which gold is asked for."""

    def judged(
        self, revealed: NDArray[np.bool_], gold: Integers, before: Judged | None = None
    ) -> Judged:
        """`before`: what was found with fewer answers, to begin with."""


class Choices:
    """Labels of tasks, by the default method, with rho learnt from the gold that is asked for."""

    start = START

    def __init__(self, labels: CrowdLabels, truth: Integers):
        some = np.flatnonzero(labels.labelled())
        number = np.full(labels.n_units, -1)
        number[some] = np.arange(len(some))
        self.task, self.n_tasks = number[labels.unit], len(some)
        self.truth = truth[some]
        self.known = np.flatnonzero(self.truth != UNKNOWN)
        self._labels = labels

    def draw(self, rng: np.random.Generator) -> Integers:
        return np.asarray(rng.choice(self.known, GOLD, replace=False), dtype=np.int64)

    def judged(
        self, revealed: NDArray[np.bool_], gold: Integers, before: Judged | None = None
    ) -> Judged:
        labels = self._labels
        fitted = HierarchicalDawidSkene().fit(
            CrowdLabels(
                self.task[revealed], labels.worker[revealed], labels.label[revealed],
                self.n_tasks, labels.n_workers, labels.n_classes,
            ),
            warm=None if before is None else before.fitted,
        )  # fmt: skip
        evidence = fitted.evidence(labels)
        log_posterior, given = evidence.log_posterior, evidence.given
        inside = gold[self.truth[gold] < labels.n_classes]
        rho = rho_by_gold(log_posterior[inside], given[inside], self.truth[inside], fitted.rho_)
        sure = tempered(log_posterior, given, rho).max(axis=1)
        right = fitted.predict() == self.truth
        return Judged(
            sure,
            float(right[self.known].mean()),
            float(sure.mean()),
            wilson(float(right[gold].sum()), len(gold)),
            fitted,
        )


@dataclass(frozen=True, slots=True)
class Ended:
    """`answers`: share of all that there are."""

    answers: float
    quality: float
    expected: float
    interval: tuple[float, float]

    @property
    def holds(self) -> bool:
        return self.interval[0] - 1e-9 <= self.quality <= self.interval[1] + 1e-9


@dataclass(frozen=True, slots=True)
class Trial:
    """One order of the answers. `fixed` is (share of the answers, quality) with equally many
    answers for every task; the last has all."""

    ended: tuple[Ended, ...]  # by QUALITIES
    fixed: tuple[tuple[float, float], ...]


def trial(recorded: Recorded, rng: np.random.Generator, advance: Advance) -> Trial:
    task = recorded.task
    place = _places(task, rng)
    most = np.bincount(task, minlength=recorded.n_tasks)
    gold = recorded.draw(rng)
    fixed = []
    for number in numbers_of(most):
        revealed = place < number
        fixed.append((float(revealed.mean()), recorded.judged(revealed, gold).quality))
    advance(1)
    ended = []
    first = recorded.judged(place < recorded.start, gold)
    for quality in QUALITIES:
        wanted, found = np.minimum(recorded.start, most), first
        while True:
            revealed = place < wanted[task]
            asks = (found.sure < quality) & (wanted < most)
            if not asks.any():
                break
            wanted = wanted + asks
            found = recorded.judged(place < wanted[task], gold, found)
        # What is served is fitted from the beginning: a warm start keeps the errors of few answers.
        found = recorded.judged(revealed, gold)
        ended.append(Ended(float(revealed.mean()), found.quality, found.expected, found.interval))
        advance(1)
    return Trial(tuple(ended), tuple(fixed))


def numbers_of(most: Integers) -> list[int]:
    """Answers for each task of which fixed redundancy is tried; the last number is all."""
    usual = int(np.percentile(most, 95))
    return [*(number for number in (1, 2, 3, 4, 6, 8, 12, 16) if number < usual), int(most.max())]


def _places(task: Integers, rng: np.random.Generator) -> Integers:
    """Of each answer, which of its task's it is, in an order that is drawn."""
    order = np.lexsort((rng.random(len(task)), task))
    number = np.bincount(task)
    first = np.cumsum(number) - number
    place = np.empty(len(task), dtype=np.int64)
    place[order] = np.arange(len(task)) - first[task[order]]
    return place


@dataclass(frozen=True, slots=True)
class Row:
    """Of one crowd and one quality, the means of all orders."""

    name: str
    wanted: float
    reached: float  # the quality
    all_answers: float  # the quality with all answers
    expected: float
    covered: float  # share of the orders in which the interval held the quality
    width: float
    answers: float  # share of all
    saved: float | None  # of the answers that fixed redundancy needs for the same quality


def rows_of(name: str, trials: list[Trial]) -> list[Row]:
    rows = []
    shares = np.array([[at[0] for at in one.fixed] for one in trials]).mean(axis=0)
    level = np.maximum.accumulate(
        np.array([[at[1] for at in one.fixed] for one in trials]).mean(axis=0)
    )
    for i, wanted in enumerate(QUALITIES):
        ended = [one.ended[i] for one in trials]
        quality = float(np.mean([one.quality for one in ended]))
        answers = float(np.mean([one.answers for one in ended]))
        enough = np.flatnonzero(level >= quality)
        needed = None
        if len(enough):
            at = int(enough[0])
            needed = float(shares[at])
            if at and level[at] > level[at - 1]:
                part = (quality - level[at - 1]) / (level[at] - level[at - 1])
                needed = float(shares[at - 1] + part * (shares[at] - shares[at - 1]))
        rows.append(
            Row(
                name,
                wanted,
                quality,
                float(level[-1]),
                float(np.mean([one.expected for one in ended])),
                float(np.mean([one.holds for one in ended])),
                float(np.mean([one.interval[1] - one.interval[0] for one in ended])),
                answers,
                None if needed is None else 1.0 - answers / needed,
            )
        )
    return rows
