"""Who can tell of a worker: others who answered the same tasks and whose own answers agree.

A worker is compared with *peers* alone, never with everybody who came. Otherwise those who answer
at random say what is usual, and where they are many, it is the honest who stand out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
NOTHING = -1  # no content, or a part that was not judged
CHANCE_PEERS = 0.05  # of the peers, those who agree by luck (Benjamini–Hochberg)
TINY = 1e-9  # agreement that is only rounding
MOST_PAIRS = 8_000_000  # of answers to one task: what a campaign of 1,000,000 answers may cost
LARGEST, SMALLEST = 200, 8  # groups into which the answers to one task are divided
BLOCK = 2**18  # pairs at a time


@dataclass(frozen=True, slots=True, eq=False)
class WorkerAnswers:
    """What workers answered; one row an answer.

    Attributes
    ----------
    worker, task : integer arrays of shape (n_answers,)
        At most one answer for each worker and task.
    content : integer array of shape (n_answers,)
        Equal numbers are equal answers, whatever the task; NOTHING where there is none to compare.
    labels : integer array of shape (n_answers, n_parts)
        The class of each part of the task, in one order for all answers to it; NOTHING where it
        was not judged, or where the task has fewer parts.
    n_workers, n_classes : int
    """

    worker: Integers
    task: Integers
    content: Integers
    labels: NDArray[np.signedinteger[Any]]
    n_workers: int
    n_classes: int

    @classmethod
    def of_classes(
        cls, worker: ArrayLike, task: ArrayLike, label: ArrayLike, n_workers: int, n_classes: int
    ) -> WorkerAnswers:
        """Of answers that are one class each."""
        said = np.asarray(label, dtype=np.int64)
        w, t = np.asarray(worker, dtype=np.int64), np.asarray(task, dtype=np.int64)
        return cls(w, t, said, said[:, None], n_workers, n_classes)

    def counts(self) -> Integers:
        """Answers of each worker, shape (n_workers,)."""
        return np.bincount(self.worker, minlength=self.n_workers).astype(np.int64, copy=False)

    def shares(self) -> Floats:
        """How often each worker says each class, shape (n_workers, n_classes)."""
        size = self.n_workers * self.n_classes
        counts = np.zeros(size)
        for label in self.labels.T:
            given = label >= 0
            cell = self.worker[given] * self.n_classes + label[given]
            counts += np.bincount(cell, minlength=size)
        table = counts.reshape(self.n_workers, self.n_classes)
        return np.asarray(table / np.maximum(table.sum(axis=1, keepdims=True), 1.0))


@dataclass(frozen=True, slots=True, eq=False)
class Peers:
    """Pairs of answers to one task, and who of the two is a peer of the other. See `find_peers`.

    Attributes
    ----------
    answers : Answers
    mine, theirs : integer arrays of shape (n_pairs,)
        Numbers of two answers to one task; each pair stands here both ways.
    value : array of shape (n_pairs,)
        Their agreement beyond chance.
    most : array of shape (n_pairs,)
        What it would be if they were equal.
    is_peer : boolean array of shape (n_pairs,)
        Whether the worker of `theirs` is a peer of the worker of `mine`.
    agrees : boolean array of shape (n_workers,)
        Whose answers agree with those of all others.
    """

    answers: WorkerAnswers
    mine: Integers
    theirs: Integers
    value: Floats
    most: Floats
    is_peer: NDArray[np.bool_]
    agrees: NDArray[np.bool_]


def find_peers(answers: WorkerAnswers, rng: np.random.Generator) -> Peers:
    """Compare all answers to the same task by two.

    The agreement beyond chance of two answers a, b of workers i, j is, over the parts u that both
    judged,

        v_ab = Σ_u (e(a_u) - μ_i)·(e(b_u) - μ_j)
             = Σ_u [a_u = b_u] - μ_j[a_u] - μ_i[b_u] + μ_i·μ_j,

    where e(c) is the unit vector of class c and μ_i says how often i says each class. Its
    expectation is 0 where one of the two does not look at the task: says always the same, or
    guesses, evenly or by the shares of the classes. Σ v_ab / Σ_ab Σ_u (1 - μ_i·μ_j) is Cohen's
    kappa (1960) of all pairs together.

    A worker j *agrees* where z_j = Σ_a x_a / √(Σ_a x_a²) is large, with x_a = Σ_b v_ab over the
    other answers b to the task of j's answer a. How large is settled by Benjamini and Hochberg
    (1995), so that CHANCE_PEERS of those who agree do so by luck. j is a *peer* of i where z_j is
    as large without the pairs of i and j: what is told of i rests neither on i nor on one worker
    whom nobody else confirms. So of three workers two who agree can tell of the third; where two of
    three answer blindly, nobody can be told from anybody.

    Tasks with very many answers (gold questions) are divided by lot, so that there are at most
    about MOST_PAIRS pairs.
    """
    first, second = _pairs(answers.task, rng)
    value, most = _agreement(answers, first, second)
    mine, theirs = np.concatenate((first, second)), np.concatenate((second, first))
    value, most = np.tile(value, 2), np.tile(most, 2)
    size, other = answers.n_workers, answers.worker[theirs]
    each = np.bincount(mine, weights=value, minlength=len(answers.worker))
    total = np.bincount(answers.worker, weights=each, minlength=size)
    spread = np.sqrt(np.bincount(answers.worker, weights=each**2, minlength=size))
    tells = spread > TINY
    least = np.full(size, np.inf)
    least[tells] = _threshold(total[tells] / spread[tells]) * spread[tells]
    _, couple = np.unique(answers.worker[mine] * size + other, return_inverse=True)
    shared = np.bincount(couple, weights=value)[couple] if len(couple) else value
    return Peers(
        answers, mine, theirs, value, most,
        is_peer=total[other] - shared >= least[other], agrees=total >= least,
    )  # fmt: skip


def _pairs(task: Integers, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Numbers of the two answers of each pair."""
    nothing = np.zeros(0, dtype=np.int64)
    if not len(task):
        return nothing, nothing
    largest = int(np.clip(2 * MOST_PAIRS // len(task), SMALLEST, LARGEST))
    drawn = rng.permutation(len(task))
    order = drawn[np.argsort(task[drawn], kind="stable")]
    _, start, size = np.unique(task[order], return_index=True, return_counts=True)
    groups = -(-size // largest)  # of each task, of one size but for one
    place = (np.arange(len(task)) - np.repeat(start, size)) * np.repeat(groups, size)
    group = np.repeat(np.cumsum(groups) - groups, size) + place // np.repeat(size, size)
    firsts, seconds = [nothing], [nothing]
    for step in range(1, largest):
        near = np.flatnonzero(group[step:] == group[:-step])
        if not near.size:
            break
        firsts.append(order[near])
        seconds.append(order[near + step])
    return np.concatenate(firsts), np.concatenate(seconds)


def _agreement(of: WorkerAnswers, first: Integers, second: Integers) -> tuple[Floats, Floats]:
    """v of each pair, and Σ_u (1 - μ_i·μ_j)."""
    usual, size = of.shares(), of.n_classes
    flat = usual.ravel()
    value, most = np.zeros(len(first)), np.zeros(len(first))
    for some in _blocks(len(first)):
        a, b = first[some], second[some]
        i, j = of.worker[a], of.worker[b]
        chance = np.einsum("pc,pc->p", usual[i], usual[j])
        for mine, theirs in zip(of.labels[a].T, of.labels[b].T, strict=True):
            both = (mine >= 0) & (theirs >= 0)
            alone = flat[j * size + np.maximum(mine, 0)] + flat[i * size + np.maximum(theirs, 0)]
            value[some] += np.where(both, (mine == theirs) - alone + chance, 0.0)
            most[some] += np.where(both, 1.0 - chance, 0.0)
    return value, most


def _threshold(scores: Floats) -> float:
    """The least z with which a worker agrees; infinite where nobody does."""
    from scipy.special import ndtr, ndtri

    falling = np.sort(scores)[::-1]
    allowed = CHANCE_PEERS * np.arange(1, len(falling) + 1) / max(len(falling), 1)
    enough = np.flatnonzero(ndtr(-falling) <= allowed)
    return float(-ndtri(allowed[enough[-1]])) if enough.size else np.inf


def _blocks(n: int) -> Iterator[slice]:
    return (slice(begin, begin + BLOCK) for begin in range(0, n, BLOCK))
