"""Made crowds of several kinds, in which some things that methods take for granted do not hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import CrowdLabels

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Random = np.random.Generator

LABELS_EACH = (3, 10, 40, 200)
NEAR = 0.75  # of the errors in crowds that confuse neighbours


@dataclass(frozen=True, slots=True)
class Made:
    labels: CrowdLabels
    truth: Integers


@dataclass(frozen=True, slots=True)
class Plan:
    """Who is asked what: `unit` and `worker` of each label, `truth` of each unit."""

    unit: Integers
    worker: Integers
    truth: Integers
    n_workers: int
    n_classes: int

    def made(self, label: Integers) -> Made:
        sizes = len(self.truth), self.n_workers, self.n_classes
        return Made(CrowdLabels(self.unit, self.worker, label, *sizes), self.truth)


Kind = Callable[[Random, Plan], Made]


def plan(rng: Random, labels_each: int) -> Plan:
    """Of some 300 to 1,000 units, two to five classes, 3 to 7 answers a unit."""
    n_classes = int(rng.integers(2, 6))
    redundancy = int(rng.integers(3, 8))
    n_units = int(rng.integers(300, 1001))
    n_workers = max(n_units * redundancy // labels_each, redundancy + 1)
    shares = rng.dirichlet(np.full(n_classes, 5.0))
    truth = rng.choice(n_classes, n_units, p=shares)
    # Blocks of the workers in an order drawn anew each time: nobody judges a unit twice.
    worker = np.empty((n_units, redundancy), dtype=np.int64)
    for u in range(n_units):
        worker[u] = rng.choice(n_workers, redundancy, replace=False)
    return Plan(
        np.repeat(np.arange(n_units), redundancy), worker.ravel(), truth, n_workers, n_classes
    )


def _skills(rng: Random, n_workers: int) -> Floats:
    return rng.beta(7, 3, n_workers)


def _other(rng: Random, truth: Integers, n_classes: int) -> Integers:
    return (truth + rng.integers(1, n_classes, len(truth))) % n_classes


def _by_tables(rng: Random, asked: Plan, tables: Floats) -> Made:
    """`tables` at (worker, true, said)."""
    cumulated = tables[asked.worker, asked.truth[asked.unit]].cumsum(axis=1)
    drawn = rng.random((len(asked.unit), 1))
    return asked.made((drawn > cumulated[:, :-1]).sum(axis=1))


def one_coin(rng: Random, asked: Plan) -> Made:
    truth = asked.truth[asked.unit]
    right = rng.random(len(truth)) < _skills(rng, asked.n_workers)[asked.worker]
    return asked.made(np.where(right, truth, _other(rng, truth, asked.n_classes)))


def tables(rng: Random, asked: Plan) -> Made:
    """Each worker has a table of their own."""
    k = asked.n_classes
    found = rng.dirichlet(np.ones(k), (asked.n_workers, k))
    skill = rng.beta(7, 3, (asked.n_workers, k))
    mixed = found * (1 - skill[..., None]) + np.eye(k) * skill[..., None]
    return _by_tables(rng, asked, mixed)


def neighbours(rng: Random, asked: Plan) -> Made:
    """All confuse classes that lie side by side; some classes are harder."""
    k = asked.n_classes
    off = np.where(np.abs(np.subtract.outer(np.arange(k), np.arange(k))) == 1, NEAR, 0.0)
    off += np.where(np.eye(k, dtype=bool), 0, 1 - NEAR)
    off /= off.sum(axis=1, keepdims=True)
    ease = rng.uniform(-1, 1, k)
    logit = np.log(_skills(rng, asked.n_workers).clip(0.05, 0.99))
    skill = 1 / (1 + np.exp(-(2.2 + logit[:, None] * 3 + ease)))
    return _by_tables(rng, asked, off * (1 - skill[..., None]) + np.eye(k) * skill[..., None])


def hard_items(rng: Random, asked: Plan) -> Made:
    """A fifth of the units are guessed by everybody."""
    truth = asked.truth[asked.unit]
    skill = _skills(rng, asked.n_workers)[asked.worker]
    hard = (rng.random(len(asked.truth)) < 0.2)[asked.unit]
    right = rng.random(len(truth)) < np.where(hard, 0.2 + 0.8 / asked.n_classes, skill)
    return asked.made(np.where(right, truth, _other(rng, truth, asked.n_classes)))


def spammers(rng: Random, asked: Plan) -> Made:
    """A quarter of the workers guess, or always say the same."""
    truth, k = asked.truth[asked.unit], asked.n_classes
    right = rng.random(len(truth)) < _skills(rng, asked.n_workers)[asked.worker]
    said = np.where(right, truth, _other(rng, truth, k))
    kind = rng.choice(3, asked.n_workers, p=(0.75, 0.125, 0.125))[asked.worker]
    favourite = rng.integers(k, size=asked.n_workers)[asked.worker]
    guessed = rng.integers(k, size=len(truth))
    return asked.made(np.select([kind == 1, kind == 2], [guessed, favourite], said))


def shared_errors(rng: Random, asked: Plan) -> Made:
    """Where workers err, half of the time they say the unit's one tempting class."""
    truth = asked.truth[asked.unit]
    right = rng.random(len(truth)) < _skills(rng, asked.n_workers)[asked.worker]
    tempting = _other(rng, asked.truth, asked.n_classes)[asked.unit]
    other = np.where(rng.random(len(truth)) < 0.5, tempting, _other(rng, truth, asked.n_classes))
    return asked.made(np.where(right, truth, other))


def misled(rng: Random, asked: Plan) -> Made:
    """Of a tenth of the units everybody believes one and the same wrong class."""
    fooled = rng.random(len(asked.truth)) < 0.1
    believed = np.where(fooled, _other(rng, asked.truth, asked.n_classes), asked.truth)
    truth = believed[asked.unit]
    right = rng.random(len(truth)) < _skills(rng, asked.n_workers)[asked.worker]
    return asked.made(np.where(right, truth, _other(rng, truth, asked.n_classes)))


KINDS: dict[str, Kind] = {
    "one coin": one_coin,
    "tables": tables,
    "neighbouring classes": neighbours,
    "spammers": spammers,
    "hard items": hard_items,
    "shared errors": shared_errors,
    "misled as a whole": misled,
}


def make(kind: str, labels_each: int, seed: int, number: int) -> Made:
    """The same numbers make the same crowd."""
    place = list(KINDS).index(kind)
    rng = np.random.default_rng([seed, place, labels_each, number])
    return KINDS[kind](rng, plan(rng, labels_each))
