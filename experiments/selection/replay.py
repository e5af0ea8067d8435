"""What adaptive redundancy saves: recorded answers are revealed one by one, to the tasks that ask
for one, and what is inferred is compared with as many answers spread evenly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from experiments.selection.recordings import Judged, Recording
from selection.algorithms import clear_majority, decide, most_in_need, reached

Floats = NDArray[np.float64]
Advance = Callable[[int], None]
# Of what was inferred, and from which answers: which tasks can be closed.
Sure = Callable[[Judged, NDArray[np.bool_]], NDArray[np.bool_]]


@dataclass(frozen=True, slots=True)
class Order:
    """In which order the answers of each task come; of each answer, shape (n_answers,).

    Attributes
    ----------
    place : which of its task's answers it is, from 0.
    lot : a number drawn for its task, by which tasks with as many answers take turns.
    """

    place: NDArray[np.int64]
    lot: Floats

    @classmethod
    def of(cls, recording: Recording, rng: np.random.Generator, *, recorded: bool) -> Order:
        """As recorded, or each task's answers in an order of their own, drawn."""
        task = recording.task
        by = np.arange(len(task)) if recorded else rng.random(len(task))
        order = np.lexsort((by, task))
        number = np.bincount(task, minlength=recording.n_tasks)
        first = np.cumsum(number) - number
        place = np.empty(len(task), dtype=np.int64)
        place[order] = np.arange(len(task)) - first[task[order]]
        return cls(place, rng.random(recording.n_tasks)[task])


@dataclass(frozen=True, slots=True)
class Trace:
    """How good it is with so many answers, point by point; each of shape (n_points,).

    Attributes
    ----------
    answers : revealed answers, as a share of all
    scored : the same of the tasks whose gold is known
    quality : in per cent
    """

    answers: Floats
    scored: Floats
    quality: Floats


class Replay:
    """One order of answers, and what each scheme makes of it.

    Parameters
    ----------
    recording : Recording
    order : Order
    maximum : int or None
        No task gets more answers; None: all that were recorded.
    """

    def __init__(self, recording: Recording, order: Order, maximum: int | None = None):
        self.recording, self.order = recording, order
        self.most = np.bincount(recording.task, minlength=recording.n_tasks)
        if maximum is not None:
            self.most = np.minimum(self.most, maximum)
        self.total = int(self.most.sum())

    def fixed(self, totals: Sequence[int], advance: Advance) -> Trace:
        """Each task has one answer before any has two, and so on; where the number does not come
        out even, tasks drawn by lot have one more.
        """
        order = self.order
        allowed = order.place < self.most[self.recording.task]
        turn = np.lexsort((order.lot, order.place, ~allowed))
        points = []
        for total in totals:
            revealed = np.zeros(len(turn), dtype=bool)
            revealed[turn[:total]] = True
            points.append((revealed, self.recording.judged(revealed).quality))
            advance(1)
        return self._trace(points)

    def adaptive(self, totals: Sequence[int], start: int, advance: Advance) -> Trace:
        """Answers go where most errors are expected; `totals` must rise, from one of at least
        `start` answers a task. After each point everything is inferred anew.
        """
        wanted = np.minimum(start, self.most)
        points, judged = [], None
        for total in totals:
            self._spend(total, wanted, judged)
            revealed = self._revealed(wanted)
            judged = self.recording.judged(revealed)
            points.append((revealed, judged.quality))
            advance(1)
        return self._trace(points)

    def until(self, sure: Sure, start: int) -> Trace:
        """Rounds: what is not `sure` gets one more answer; the trace has the end alone.

        What has closed may open again, where answers to other tasks have changed what is thought
        of its workers.
        """
        wanted = np.minimum(start, self.most)
        while True:
            revealed = self._revealed(wanted)
            judged = self.recording.judged(revealed)
            ask = decide(sure(judged, revealed), wanted, maximum=self.most).ask
            if not ask.any():
                return self._trace([(revealed, judged.quality)])
            wanted += ask

    def confident(self, target: float) -> Sure:
        """For `until`: the expected F1, or the posterior of a choice, reaches the target."""
        return lambda judged, revealed: reached(judged.expected.f1(), target)

    def flawless(self, limit: float) -> Sure:
        """For `until`: no more errors than `limit` are expected in the task."""
        return lambda judged, revealed: judged.expected.errors() <= limit

    def majority(self, lead: int) -> Sure:
        """For `until`, of choices: a class is `lead` votes ahead."""
        votes, k = self.recording.votes, self.recording.n_classes
        assert votes is not None
        cell = self.recording.task * k + votes

        def sure(judged: Judged, revealed: NDArray[np.bool_]) -> NDArray[np.bool_]:
            counts = np.bincount(cell[revealed], minlength=self.recording.n_tasks * k)
            return clear_majority(counts.reshape(-1, k), lead)

        return sure

    def _spend(self, total: int, wanted: NDArray[np.int64], judged: Judged | None) -> None:
        """Raise `wanted` to `total` answers in all."""
        while (left := total - int(wanted.sum())) > 0:
            ask = decide(np.zeros(len(wanted), dtype=bool), wanted, maximum=self.most).ask
            if not ask.any():
                return
            need = np.zeros(len(wanted)) if judged is None else judged.expected.wrong()
            wanted[most_in_need(need, ask, left)] += 1

    def _revealed(self, wanted: NDArray[np.int64]) -> NDArray[np.bool_]:
        return self.order.place < wanted[self.recording.task]

    def _trace(self, points: Sequence[tuple[NDArray[np.bool_], float]]) -> Trace:
        scored = self.recording.scored[self.recording.task]
        all_scored = max(int(self.most[self.recording.scored].sum()), 1)
        return Trace(
            np.array([revealed.sum() for revealed, _ in points]) / max(self.total, 1),
            np.array([(revealed & scored).sum() for revealed, _ in points]) / all_scored,
            np.array([quality for _, quality in points]),
        )
