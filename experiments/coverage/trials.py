"""What four classifiers learn from the items that each picker has chosen, on held-out items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from selection.algorithms import (
    BernoulliNaiveBayes,
    Classifier,
    Coverage,
    DiverseUncertainty,
    FacilityLocation,
    GaussianNaiveBayes,
    Labelled,
    LogisticRegression,
    MultinomialNaiveBayes,
    Picker,
    Pool,
    Random,
    Scores,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

ALL, RANDOM, COVERAGE, FACILITY, DEFAULT = (
    "all", "random", "coverage", "facility location", "default",
)  # fmt: skip
CLASSIFIERS: dict[str, Callable[[], Classifier]] = {
    "Gaussian": GaussianNaiveBayes,
    "multinomial": MultinomialNaiveBayes,
    "Bernoulli": BernoulliNaiveBayes,
    "logistic": LogisticRegression,
}
MEASURES = ("F1", "precision", "recall", "false positive rate", "positive share")
BATCH = 50
ENDLESS = 1_000  # rounds of coverage, so that it goes on for as long as is wanted


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Items, what is true of them, and what is labelled of them when they are chosen.

    Attributes
    ----------
    pool : Pool
    truth : array of shape (n_items,)
        1 of the class that F1 is of, else 0.
    targets : array of shape (n_items, 2)
        What labels would say: the truth, or the posterior of what workers said.
    gold : how many items are held out
    """

    pool: Pool
    truth: Integers
    targets: Floats
    gold: int


Runner = Callable[[Problem, Integers, int, int], Integers]


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """`values[r, m, s, c, f]`: repeat, method, size, classifier, measure. NaN where a method was
    not run to that size."""

    methods: tuple[str, ...]
    sizes: tuple[int, ...]
    values: Floats

    def of(self, method: str, size: int, measure: str = "F1") -> Floats:
        """Shape (n_repeats, n_classifiers)."""
        at = self.methods.index(method), self.sizes.index(size), MEASURES.index(measure)
        return self.values[:, at[0], at[1], :, at[2]]

    def against(self, method: str, size: int, other: str, other_size: int) -> tuple[Floats, Floats]:
        """The mean of the paired differences of F1, and its standard error; (n_classifiers,)."""
        apart = self.of(method, size) - self.of(other, other_size)
        return apart.mean(axis=0), standard_error(apart)


def joined(parts: Sequence[Results]) -> Results:
    """The repeats of all parts, which have the same methods and sizes."""
    values = np.concatenate([part.values for part in parts])
    return Results(parts[0].methods, parts[0].sizes, values)


def standard_error(values: Floats) -> Floats:
    if len(values) < 2:
        return np.full(values.shape[1:], np.nan)
    return np.asarray(values.std(axis=0, ddof=1) / np.sqrt(len(values)))


def run_trials(
    problem: Problem,
    runners: dict[str, Runner],
    sizes: Sequence[int],
    seeds: Sequence[int],
    *,
    advance: Callable[[int], None] = lambda number: None,
) -> Results:
    """Each seed draws gold anew; all methods choose of the same other items. The last of `sizes`
    is that of all of these, and the only one of ALL."""
    shape = (len(seeds), len(runners) + 1, len(sizes), len(CLASSIFIERS), len(MEASURES))
    values = np.full(shape, np.nan)
    names = (ALL, *runners)
    for r, seed in enumerate(seeds):
        order = np.random.default_rng(seed).permutation(problem.pool.n_items)
        gold, train = order[: problem.gold], np.sort(order[problem.gold :])
        values[r, 0, -1] = scored(problem, train, gold)
        for m, runner in enumerate(runners.values(), start=1):
            chosen = runner(problem, train, max(s for s in sizes if s < len(train)), seed)
            for s, size in enumerate(sizes):
                if size <= len(chosen):
                    values[r, m, s] = scored(problem, chosen[:size], gold)
        advance(1)
    return Results(names, tuple(sizes), values)


def scored(problem: Problem, chosen: Integers, gold: Integers) -> Floats:
    """Shape (n_classifiers, n_measures)."""
    targets, found = problem.targets[chosen], []
    truth = np.eye(2)[problem.truth[gold]]
    for make in CLASSIFIERS.values():
        examples = problem.pool.examples(make.sees)  # type: ignore[attr-defined]
        fitted = make().fit(examples[chosen], targets)
        scores = Scores(fitted.confusion(examples[gold], truth))
        figures = (scores.f1, scores.precision, scores.recall, scores.false_positive_rate)
        found.append([*(float(figure[1]) for figure in figures), float(targets[:, 1].mean())])
    return np.array(found)


def at_once(make: Callable[[Pool, int], Picker]) -> Runner:
    """A picker that needs no labels: the first so many of its choice are its choice of so many."""

    def run(problem: Problem, train: Integers, size: int, seed: int) -> Integers:
        nothing = np.zeros(0, dtype=np.int64)
        return make(problem.pool, seed).pick(Labelled(), nothing, train, size).items

    return run


def in_batches(make: Callable[[Pool, int], Picker], first: int, batch: int = BATCH) -> Runner:
    """A picker that sees the labels of what it has chosen: `first` items, then batches."""

    def run(problem: Problem, train: Integers, size: int, seed: int) -> Integers:
        picker = make(problem.pool, seed)
        chosen = np.zeros(0, dtype=np.int64)
        while len(chosen) < min(size, len(train)):
            number = min(batch if len(chosen) else first, size - len(chosen))
            known = Labelled(chosen, problem.targets[chosen]) if len(chosen) else Labelled()
            left = np.setdiff1d(train, chosen)
            chosen = np.concatenate((chosen, picker.pick(known, chosen[:0], left, number).items))
        return chosen

    return run


def default_runner(start: int = 100, width: float = 16.0, batch: int = BATCH) -> Runner:
    return in_batches(
        lambda pool, seed: DiverseUncertainty(
            pool, learner=LogisticRegression(), start_size=start, width=width, seed=seed
        ),
        first=start,
        batch=batch,
    )


def coverage(pool: Pool, seed: int) -> Picker:
    """Ties by lot: at the start every item ties, and the order of a file is no chance."""
    return Coverage(pool, times=ENDLESS, rounds=1, by_lot=1, seed=seed)


def runners() -> dict[str, Runner]:
    return {
        RANDOM: at_once(lambda pool, seed: Random(pool, seed=seed)),
        COVERAGE: at_once(
            lambda pool, seed: Coverage(pool, times=ENDLESS, rounds=1, by_lot=1, seed=seed)
        ),
        FACILITY: at_once(lambda pool, seed: FacilityLocation(pool, seed=seed)),
        DEFAULT: default_runner(),
    }
