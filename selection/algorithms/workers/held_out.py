"""What a selected set of workers is worth, by answers that did not select it.

Scores that were chosen for being high are high by luck too, so F of the chosen, by the answers that
chose them, is too high. Here a set is chosen by one half of the control questions, and its F is
estimated by the other half, both ways, over `SPLITS` random halves; the mean is F of *sets chosen
from half the gold*, which is a little less than that of a set chosen from all of it. Workers with
fewer than `FEWEST` answers, or two in each half, have no part.

The interval is that of other questions: they are drawn anew with replacement, one that is drawn
several times lying in one half, and selection and estimate are made again with each draw. Other
questions choose other sets, but F of the sets that were chosen is asked for: what a draw says of
the sets that it chose is held against what all answers say of the same. With s the standard
deviation of these differences, and n questions,

    F ± t_{n-1} s,  at least 0

Answers that count twice look surer than they are and move F, but hardly how far it strays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from selection.algorithms.workers.scores import crowd_score

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

FEWEST = 4  # answers of a worker
SPLITS = 20
REPLICATES, SPLITS_EACH = 200, 4
LEVEL = 0.95
# From the number, mean and variance (with n - 1) of each worker's scores, shapes (n_workers,), to
# the numbers of those who are chosen, and all their q.
Judge = Callable[[Floats, Floats, Floats], tuple[Integers, Floats]]


@dataclass(frozen=True, slots=True)
class HeldOutCrowd:
    """F of sets chosen from half the gold, and its 95 % interval; `workers` had answers enough."""

    value: float
    low: float
    high: float
    workers: int


def held_out_crowd(
    worker: ArrayLike,
    question: ArrayLike,
    score: ArrayLike,
    judge: Judge,
    *,
    rng: np.random.Generator,
    replicates: int = REPLICATES,
) -> HeldOutCrowd | None:
    """`worker`, `question` and `score`, shapes (n_answers,), say who scored what, from 0 to 1, on
    which control question. None where no two workers have answers enough, or there are fewer than
    `FEWEST` questions."""
    from scipy.special import stdtrit

    answers = _Answers.of(*(np.asarray(x) for x in (worker, question, score)))
    if answers is None:
        return None
    n = answers.n_questions
    once = np.ones(n)
    sets = _sets(answers, once, judge, rng, SPLITS)
    if not sets:
        return None
    value = float(np.mean([f for _, f in sets]))
    _, everyone = judge(*answers.half(once))
    missed = []
    for _ in range(replicates):
        times = np.bincount(rng.integers(n, size=n), minlength=n).astype(np.float64)
        if drawn := _sets(answers, times, judge, rng, SPLITS_EACH):
            missed.append(np.mean([f - crowd_score(everyone[chosen]) for chosen, f in drawn]))
    if len(missed) < 2:
        return None
    half = float(stdtrit(n - 1, (1 + LEVEL) / 2)) * np.std(missed, ddof=1)
    low, high = max(value - half, 0.0), value + half
    return HeldOutCrowd(value, float(low), float(high), answers.n_workers)


@dataclass(frozen=True, slots=True, eq=False)
class _Answers:
    """Of workers with answers enough, numbered anew."""

    worker: Integers
    question: Integers
    score: Floats
    n_workers: int
    n_questions: int

    @classmethod
    def of(
        cls, worker: NDArray[Any], question: NDArray[Any], score: NDArray[Any]
    ) -> _Answers | None:
        known, place = np.unique(worker, return_inverse=True)
        enough = np.bincount(place, minlength=len(known)) >= FEWEST
        kept = enough[place]
        questions, asked = np.unique(question[kept], return_inverse=True)
        if enough.sum() < 2 or len(questions) < FEWEST:
            return None
        number = np.cumsum(enough) - 1
        return cls(
            number[place[kept]], asked, score[kept].astype(np.float64), int(enough.sum()),
            len(questions),
        )  # fmt: skip

    def half(self, times: Floats) -> tuple[Floats, Floats, Floats]:
        """Number, mean and variance of each worker's scores, each question counting so often."""
        weight = times[self.question]
        n, total, squares = (
            np.bincount(self.worker, values, minlength=self.n_workers).astype(np.float64)
            for values in (weight, weight * self.score, weight * self.score**2)
        )
        mean = np.divide(total, n, out=np.full(len(n), np.nan), where=n > 0)
        spread = np.maximum(squares - n * np.nan_to_num(mean) ** 2, 0.0)
        return n, mean, np.divide(spread, n - 1, out=np.full(len(n), np.nan), where=n > 1)


def _sets(
    answers: _Answers, times: Floats, judge: Judge, rng: np.random.Generator, splits: int
) -> list[tuple[Integers, float]]:
    """The sets that are chosen by halves, each with its F by the other half. A half in which no
    worker has two answers, as in the other, chooses none."""
    found = []
    there = np.flatnonzero(times)
    for _ in range(splits):
        first = np.zeros(len(times), dtype=bool)
        first[rng.permutation(there)[: len(there) // 2]] = True
        halves = [answers.half(np.where(mine, times, 0.0)) for mine in (first, ~first)]
        both = (halves[0][0] > 1) & (halves[1][0] > 1)
        if not both.any():
            continue
        judged = [
            judge(np.where(both, n, 0.0), np.where(both, m, np.nan), np.where(both, v, np.nan))
            for n, m, v in halves
        ]
        for (chosen, _), (_, scores) in zip(judged, judged[::-1], strict=True):
            found.append((chosen, crowd_score(scores[chosen])))
    return found
