"""Which tasks have answers enough, and which ask for one more.

The simple rules are those of Ntoulas, Alonso and Kandylas, *A Data Management Approach for Dataset
Selection Using Human Computation*, section 3: collect labels of an item until a clear majority
emerges, or until their average is stable.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.settings import check_above_to, check_at_least

Floats = NDArray[np.float64]

DRAWN_OF = 20  # one task in so many is taken to the maximum, where no task would have three answers
LEAST_DRAWN = 30  # or so many


@dataclass(frozen=True, slots=True)
class Decision:
    """Boolean arrays of shape (n_tasks,); no task is in both.

    Attributes
    ----------
    close : has enough: is sure, or has as many answers as there may be.
    ask : wants one more answer.
    """

    close: NDArray[np.bool_]
    ask: NDArray[np.bool_]


def decide(
    sure: ArrayLike, answers: ArrayLike, *, maximum: ArrayLike, minimum: int = 1
) -> Decision:
    """Close what is sure or full, ask for one more of the rest.

    Parameters
    ----------
    sure : boolean array of shape (n_tasks,)
        From one of the rules below.
    answers : integer array of shape (n_tasks,)
        How many there are; those that are being written count too, or they are asked for twice.
    maximum : int, or integer array of shape (n_tasks,)
    minimum : int
        A task with fewer answers asks for one more however sure it is.
    """
    enough, n = np.asarray(sure, dtype=bool), np.asarray(answers, dtype=np.int64)
    if enough.shape != n.shape:
        raise ValueError(f"sure has the shape {enough.shape}, but answers has {n.shape}")
    most = np.broadcast_to(np.asarray(maximum, dtype=np.int64), n.shape)
    if minimum < 0 or (most < 0).any():
        raise ValueError("minimum and maximum must be 0 or more")
    close = (enough & (n >= minimum)) | (n >= most)
    return Decision(close=close, ask=~close)


def reached(confidence: ArrayLike, target: float) -> NDArray[np.bool_]:
    """Whether the confidence is `target` at least; NaN, of a task without answers, never is."""
    check_above_to(0, 1, target=target)
    return np.asarray(confidence, dtype=np.float64) >= target


def clear_majority(votes: ArrayLike, lead: int = 2) -> NDArray[np.bool_]:
    """Whether one class is `lead` votes ahead of every other; `votes`: (n_tasks, n_classes)."""
    check_at_least(1, lead=lead)
    counts = np.asarray(votes, dtype=np.int64)
    if counts.shape[1] == 1:
        return np.asarray(counts[:, 0] >= lead)
    two = np.partition(counts, -2, axis=1)[:, -2:]
    return np.asarray(two[:, 1] - two[:, 0] >= lead)


def stable_average(
    values: ArrayLike, starts: ArrayLike, *, within: float = 0.1, steps: int = 2
) -> NDArray[np.bool_]:
    """Whether none of the last `steps` answers moved the mean by more than `within`.

    `values` are answers that are numbers, in the order in which they came; task t has those from
    starts[t] to starts[t + 1] - 1. A task needs more answers than `steps`. Shape (n_tasks,).
    """
    check_at_least(0, within=within)
    check_at_least(1, steps=steps)
    x, edges = np.asarray(values, dtype=np.float64), np.asarray(starts, dtype=np.int64)
    number = np.diff(edges)
    task = np.repeat(np.arange(len(number)), number)
    place = np.arange(len(x)) - edges[task]
    sums = np.cumsum(x) - np.concatenate(([0.0], np.cumsum(x)))[edges[task]]
    mean = sums / (place + 1)
    moved = np.zeros(len(x))
    moved[1:] = np.abs(np.diff(mean))
    recent = place >= number[task] - steps
    restless = np.bincount(task[recent & (moved > within)], minlength=len(number)) > 0
    return np.asarray((number > steps) & ~restless)


def drawn_to_the_most(keys: ArrayLike, seed: int) -> NDArray[np.bool_]:
    """A twentieth of the tasks, `LEAST_DRAWN` at least, as if drawn at random; shape (n_tasks,).

    `keys`, shape (n_tasks,), are whole numbers that stay a task's own. Those whose mixed key is
    lowest are drawn, so that the same tasks and `seed` always give the same, in whatever order.
    What answers are worth together can only be told of tasks with three, and of doubtful tasks
    alone it would be told wrongly.
    """
    number = np.asarray(keys, dtype=np.int64)
    n = min(max(LEAST_DRAWN, -(-len(number) // DRAWN_OF)), len(number))
    drawn = np.zeros(len(number), dtype=bool)
    drawn[np.lexsort((number, _mixed(number, seed)))[:n]] = True
    return drawn


def _mixed(keys: NDArray[np.int64], seed: int) -> NDArray[np.uint64]:
    """Numbers that look random (splitmix64), wrapping around."""
    x = keys.astype(np.uint64) + np.uint64(seed * 0xD1B54A32D192ED03 % 2**64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x + np.uint64(0x9E3779B97F4A7C15)).astype(np.uint64)
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(x ^ (x >> np.uint64(31)))


def most_in_need(need: ArrayLike, ask: ArrayLike, budget: int) -> NDArray[np.int64]:
    """At most `budget` of the tasks that ask, those with the highest `need` first.

    With `Expected.errors` for the need, answers go where most is expected to be wrong:
    that raises F1 over all tasks fastest, since a long task with five doubtful spans counts for
    more than a short one with a single doubt. NaN, of a task without answers, is the highest need.
    Of equals the lowest number.
    """
    check_at_least(0, budget=budget)
    asking = np.flatnonzero(np.asarray(ask, dtype=bool))
    wanted = np.asarray(need, dtype=np.float64)[asking]
    wanted = np.where(np.isnan(wanted), np.inf, wanted)
    return asking[np.argsort(-wanted, kind="stable")[:budget]]
