"""Campaigns that are played to their end: who answers what, and how good the consensus is then.

*Fixed*: each task has R answers. *Adaptive*: each has the `least`, and while its consensus is less
sure than is `wanted` it gets one more at a time, at most R; after each round everything is
aggregated anew. A task with fewer than R answers asks for the same next one whatever R is, so one
way up to the largest R tells of all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import CrowdLabels, HierarchicalDawidSkene
from selection.algorithms.plan.crowd_model import EASES, CrowdModel, Floats, Integers, Random

LARGEST = 600  # units that are played; of more a part with its part of the workers
JUDGED_ITERATIONS = 7
NAME, NO_NAME = 0, 1  # what a worker says of a place; 2 is another name, cut or typed otherwise
KINDS_OF_PLACES = 3

Aggregate = Callable[[CrowdLabels], NDArray[np.int64]]
# Posteriors, shape (n_units, n_classes), as honest as the campaign's own.
Judge = Callable[[CrowdLabels], Floats]


class StoppingRule(NamedTuple):
    """Adaptive redundancy: from `least` answers on a task stops where its confidence is as
    `wanted`."""

    least: int
    wanted: float


NEVER = StoppingRule(0, 0.0)  # as a forecast tells of it


class Measure(NamedTuple):
    """`quality` of classes beside true ones, and how `sure` each task is by the posteriors of its
    units, shape (n_tasks, units of a task, n_classes), and the classes that were chosen."""

    quality: Callable[[Integers, Integers], float]
    sure: Callable[[Floats, Integers], Floats]


class Played(NamedTuple):
    """`fixed` and `adaptive` have the quality at each number of answers, `given` how many answers
    a task then has on average, when it may stop; the last two are empty where none may."""

    fixed: Floats
    adaptive: Floats
    given: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """All that would be said: unit u is of task `task[u]`, and its i-th answer, by worker
    `who[u, i]`, is the class `said[u, i]`; `truth` is its class."""

    task: Integers
    who: Integers
    said: Integers
    truth: Integers
    n_workers: int
    n_classes: int

    @property
    def width(self) -> int:
        return self.who.shape[1]

    def labels(self, given: Integers) -> CrowdLabels:
        """The first answers of each task, shape (n_tasks,), that were `given`."""
        kept = np.arange(self.width) < given[self.task][:, None]
        return CrowdLabels(
            np.nonzero(kept)[0], self.who[kept], self.said[kept],
            len(self.truth), self.n_workers, self.n_classes,
        )  # fmt: skip


def share_right(chosen: Integers, truth: Integers) -> float:
    return float((chosen == truth).mean())


def most_probable(posterior: Floats, chosen: Integers) -> Floats:
    """How sure a task is: its least sure unit."""
    return np.asarray(posterior.max(axis=2).min(axis=1))


def f1_of_places(chosen: Integers, truth: Integers) -> float:
    """Of strict names: one that is cut or typed otherwise is found, but not right."""
    right = ((chosen == NAME) & (truth == NAME)).sum()
    both = (chosen != NO_NAME).sum() + (truth == NAME).sum()
    return float(2 * right / both) if both else 1.0


def expected_f1(posterior: Floats, chosen: Integers) -> Floats:
    """2 Σ p of the names that are chosen, by their number and that of names that are expected."""
    found = chosen != NO_NAME
    right = np.where(found, np.take_along_axis(posterior, chosen[..., None], 2)[..., 0], 0.0)
    names = found.sum(axis=1) + (1 - posterior[..., NO_NAME]).sum(axis=1)
    return np.asarray(np.where(names > 0, 2 * right.sum(axis=1) / np.maximum(names, 1e-12), 1.0))


OF_CLASSES = Measure(share_right, most_probable)
OF_NAMES = Measure(f1_of_places, expected_f1)


def judged(labels: CrowdLabels) -> Floats:
    """As a campaign's own consensus is: each unit without its own part in the tables, answers as
    the votes that they are worth; with fewer iterations."""
    return HierarchicalDawidSkene(max_iter=JUDGED_ITERATIONS).fit(labels).posterior_


def play(
    rng: Random,
    model: CrowdModel,
    tables: Floats,
    load: Floats,
    total: int,
    numbers: Sequence[int],
    aggregate: Aggregate,
    *,
    stopping: StoppingRule | None = None,
    judge: Judge = judged,
    measure: Measure = OF_CLASSES,
    each: int = 1,
) -> Played:
    """One campaign of `total` tasks of `each` units, with each of `numbers` of answers."""
    answered = _answered(rng, model, tables, load, total, max(numbers), each)
    fixed = np.empty(len(numbers))
    for i, number in enumerate(numbers):
        given = np.full(answered.task[-1] + 1, min(number, answered.width))
        fixed[i] = measure.quality(aggregate(answered.labels(given)), answered.truth)
    if stopping is None:
        return Played(fixed, np.zeros(0), np.zeros(0))
    adaptive, means = play_adaptive(answered, numbers, stopping, judge, measure)
    return Played(fixed, adaptive, means)


def play_adaptive(
    answered: Answered,
    numbers: Sequence[int],
    stopping: StoppingRule,
    judge: Judge = judged,
    measure: Measure = OF_CLASSES,
) -> tuple[Floats, Floats]:
    """The quality where a task may stop and has at most so many answers, and how many tasks have
    on average. A number below the least is as fixed."""
    tasks = answered.task[-1] + 1
    by_number = {}
    # Below the least all tasks have that number; from there on one way leads through all.
    first = min(stopping.least, answered.width)
    for number in {min(number, first) for number in numbers}:
        given = np.full(tasks, number)
        by_number[number] = *_state(answered, given, judge, measure), given
    if first not in by_number:
        given = np.full(tasks, first)
        by_number[first] = *_state(answered, given, judge, measure), given
    for most in range(first + 1, min(max(numbers), answered.width) + 1):
        _, sure, given = by_number[most - 1]
        given = given + (sure < stopping.wanted)
        by_number[most] = *_state(answered, given, judge, measure), given
    ends = [by_number[min(number, answered.width)] for number in numbers]
    return (
        np.array([quality for quality, _, _ in ends]),
        np.array([given.mean() for _, _, given in ends]),
    )


def _state(
    answered: Answered, given: Integers, judge: Judge, measure: Measure
) -> tuple[float, Floats]:
    """The quality with so many answers given, and how sure each task is."""
    posterior = judge(answered.labels(given))
    chosen = posterior.argmax(axis=1)
    rows = len(given), -1
    sure = measure.sure(posterior.reshape(*rows, answered.n_classes), chosen.reshape(rows))
    return measure.quality(chosen, answered.truth), sure


def _answered(
    rng: Random, model: CrowdModel, tables: Floats, load: Floats, total: int, most: int, each: int
) -> Answered:
    n = min(total, max(LARGEST // each, 1))
    if n < total:
        some = max(round(len(load) * n / total), min(2 * most, len(load)))
        kept = rng.choice(len(load), some, replace=False, p=load / load.sum())
        tables, load = tables[kept], load[kept]
    k = model.n_classes
    truth = rng.choice(k, n * each, p=model.prevalence)
    ease = rng.choice(EASES, n * each, p=model.eases)
    who = np.argsort(-(np.log(load) + rng.gumbel(size=(n, len(load)))), axis=1)[:, :most]
    who = np.repeat(who, each, axis=0)
    width = who.shape[1]
    cumulated = tables.cumsum(axis=1)[who, :, truth[:, None]]
    looked = (rng.random((n * each, width, 1)) > cumulated[:, :, :-1]).sum(axis=2)
    guessed = rng.integers(k, size=(n * each, width))
    said = np.where(rng.random((n * each, width)) < ease[:, None], looked, guessed)
    return Answered(np.repeat(np.arange(n), each), who, said, truth, len(load), k)
