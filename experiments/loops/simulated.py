"""Labelling loops one after the other, with documents whose classes are known to nobody else.

Each loop has another difficulty, number of classes, picker, learner, sample and batch, drawn by its
seed. The forecast was tuned on odd seeds; even ones are reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from selection.algorithms import Labelled, Numeric, Pool
from selection.algorithms.learners.scoring import class_counts, class_shares
from selection.algorithms.loops.forecasts import Forecast, Kept, forecast, rehearse
from selection.algorithms.loops.measures import Measure, measure
from selection.methods.registry import LEARNERS, checked_settings, picker_of

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
START = "facility-location"
PICKERS = ("random", "uncertainty", "diverse-uncertainty", "facility-location")
KINDS = ("logistic", "gaussian")
N_POOL, N_ALL = 1_500, 6_000  # documents to choose from; and those by which a model is judged
ROUNDS = 6


@dataclass(frozen=True, slots=True)
class Looked:
    """One round of one loop. `came` is the next round's figure on the same sample, NaN in the last
    round, and `true` the figure of this round's model on documents that nobody picks."""

    seed: int
    number: int
    picker: str
    learner: str
    n_sample: int
    metric: float
    true: float
    interval: tuple[float, float]
    always: tuple[float, float]
    forecast: Forecast | None
    came: float = np.nan

    @property
    def forecast_held(self) -> bool | None:
        """None where there was no forecast, or no next round."""
        if self.forecast is None or np.isnan(self.came):
            return None
        return self.forecast.low <= self.came <= self.forecast.high


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """Documents as points, each with its class and what a crowd says of it."""

    points: Floats
    classes: Integers
    posterior: Floats

    @property
    def n_classes(self) -> int:
        return int(self.posterior.shape[1])


def simulate(seed: int, *, rounds: int = ROUNDS) -> Iterator[Looked]:
    """The rounds of one loop."""
    rng = np.random.default_rng([2_026, seed])
    world = _world(rng)
    loop = _Loop(world, seed, rng)
    before: Looked | None = None
    past: list[Kept] = []
    for number in range(1, rounds + 1):
        looked = loop.round(number, past)
        if before is not None:
            yield replace(before, came=looked.metric)
        if looked.forecast is not None:
            past.append(Kept(looked.forecast.value, looked.forecast.error, np.nan))
        before = looked
    if before is not None:
        yield before


class _Loop:
    """The settings of a loop, drawn by lot, and what is labelled so far."""

    def __init__(self, world: World, seed: int, rng: np.random.Generator):
        self.world, self.seed = world, seed
        self.picker, self.kind = str(rng.choice(PICKERS)), str(rng.choice(KINDS))
        n_sample, self.batch = int(rng.integers(100, 301)), int(rng.integers(25, 101))
        self.start = int(rng.integers(40, 121))
        self.column = int(rng.random() < 0.5)  # macro F1, or accuracy
        mine = rng.permutation(N_POOL)
        self.sample, self.free = np.sort(mine[:n_sample]), np.sort(mine[n_sample:])
        self.labelled = np.zeros(0, dtype=np.int64)
        columns = list(enumerate(world.points.T))
        self.pool = Pool.of([Numeric(str(i), column[:N_POOL]) for i, column in columns])
        whole = Pool.of([Numeric(str(i), column) for i, column in columns])
        self.examples = whole.examples(LEARNERS[self.kind]().sees)

    def round(self, number: int, past: list[Kept]) -> Looked:
        self._pick(START if number == 1 else self.picker, self.start if number == 1 else self.batch)
        said = self.world.posterior.argmax(axis=1)
        now = self._measure(self.labelled, self.sample, said)
        if past:
            past[-1] = replace(past[-1], came=now.value)
        n = len(self.labelled)
        one, two = rehearse(
            lambda places: self._measure(self.labelled[places], self.sample, said).value,
            n, n + self.batch, seed=self.seed,
        )  # fmt: skip
        every = np.arange(N_POOL, N_POOL + N_ALL)
        return Looked(
            seed=self.seed,
            number=number,
            picker=self.picker,
            learner=self.kind,
            n_sample=len(self.sample),
            metric=now.value,
            # By what a crowd says: that is what the sample is measured by, too.
            true=self._measure(self.labelled, every, said).value,
            interval=now.interval(),
            always=now.interval_at(number),
            forecast=forecast(now.value, one, two, n, n + self.batch, len(self.sample), past),
        )

    def _pick(self, name: str, number: int) -> None:
        known = Labelled(self.labelled, self.world.posterior[self.labelled])
        picker = picker_of(name, self.pool, checked_settings(name, {}), known, self.seed)
        picked = picker.pick(known, np.zeros(0, dtype=np.int64), self.free, float(number))
        self.labelled = np.concatenate((self.labelled, picked.items))
        self.free = np.setdiff1d(self.free, picked.items)

    def _measure(self, items: Integers, on: Integers, truth: Integers) -> Measure:
        fitted = LEARNERS[self.kind]().fit(self.examples[items], self.world.posterior[items])
        names = [str(k) for k in range(self.world.n_classes)]
        counts = class_counts(fitted, self.examples[on], truth[on], names)
        return measure(counts, lambda sums: class_shares(sums)[:, self.column])


def _world(rng: np.random.Generator) -> World:
    n_classes, n_columns = int(rng.integers(2, 5)), int(rng.integers(5, 30))
    share = rng.dirichlet(np.full(n_classes, 3.0))
    classes = rng.choice(n_classes, size=N_POOL + N_ALL, p=share)
    clumps = int(rng.integers(1, 5))  # several a class, so that there is something to learn
    centre = rng.normal(size=(n_classes, clumps, n_columns)) * rng.uniform(0.5, 1.6)
    points = centre[classes, rng.integers(0, clumps, size=len(classes))]
    points = points + rng.normal(size=points.shape)
    wrong = rng.random(len(classes)) < rng.uniform(0, 0.08)  # what the crowd gets wrong
    said = np.where(wrong, rng.integers(0, n_classes, size=len(classes)), classes)
    sure = rng.uniform(0.75, 1.0, size=len(classes))
    posterior = np.zeros((len(classes), n_classes)) + ((1 - sure) / (n_classes - 1))[:, None]
    posterior[np.arange(len(classes)), said] = sure
    return World(points, classes, posterior)
