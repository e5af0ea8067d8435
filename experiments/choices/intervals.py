"""How often 95 % intervals hold the truth: of accuracies, F1, alpha and workers, by simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from aggregation.algorithms import (
    CrowdLabels,
    DawidSkene,
    HierarchicalDawidSkene,
    krippendorff_alpha,
)
from aggregation.algorithms.measures.agreement import alpha_of_such_workers
from aggregation.algorithms.measures.intervals import f1_interval, wilson

Random = np.random.Generator
Row = list[str]
Advance = Callable[[int], None]
TASKS = (5, 10, 20, 50)
DOCUMENTS = (3, 5, 10, 20, 50)
REPLICATES = 300  # of a bootstrap, in here
CROWDS_OF_ALPHA = 10  # one for each ten draws: each has intervals by a bootstrap
WORKERS = 40
MANY = 400  # units and workers, of the crowds whose mean alpha is taken for the true one


def accuracies() -> Iterator[Row]:
    """Wilson's, summed exactly."""
    yield ["accuracy, share right", *map(str, TASKS)]
    for p in (0.7, 0.8, 0.9, 0.95):
        yield [f"{p:g}", *(f"{_wilson_holds(n, p):.3f}" for n in TASKS)]
    grid = np.linspace(0.7, 0.99, 59)
    held = [[_wilson_holds(n, p) for p in grid] for n in TASKS]
    yield ["mean, .7 to .99", *(f"{np.mean(each):.3f}" for each in held)]
    yield ["least", *(f"{np.min(each):.3f}" for each in held)]


def _wilson_holds(n: int, p: float) -> float:
    ends = [wilson(right, n) for right in range(n + 1)]
    return float(sum(binom.pmf(i, n, p) for i, (low, high) in enumerate(ends) if low <= p <= high))


def spans(rng: Random, draws: int, advance: Advance) -> Iterator[Row]:
    """Documents of six spans on average; what is missed is found elsewhere, so P and R are F1."""
    yield ["F1, documents", *map(str, DOCUMENTS)]
    for f1, alike in product((0.6, 0.8, 0.95), (5, 30)):
        cells = []
        for n in DOCUMENTS:
            ends = []
            for _ in range(draws):
                known = rng.poisson(6, n)
                ease = rng.beta(alike * f1, alike * (1 - f1), n)
                right = rng.binomial(known, ease)
                found = right + rng.binomial(known, 1 - ease)
                ends.append(f1_interval(right, found, known) or (0.0, 1.0))
            cells.append(_held(np.array(ends), f1))
            advance(1)
        yield [f"{f1:g}, {'differ much' if alike == 5 else 'differ little'}", *cells]


def alphas(rng: Random, draws: int, advance: Advance) -> Iterator[Row]:
    """About such workers: units and workers drawn anew for each crowd."""
    crowds = max(draws // CROWDS_OF_ALPHA, 2)
    yield ["alpha: units, workers, answers", "such workers", "these workers"]
    many = [krippendorff_alpha(_judges(rng, MANY, MANY, 5), replicates=0).value for _ in range(40)]
    truth = float(np.mean([value for value in many if value is not None]))
    for units, workers, answers in ((100, 20, 3), (200, 20, 5), (200, 40, 5), (500, 20, 5)):
        such, these = [], []
        for _ in range(crowds):
            labels, seed = _judges(rng, units, workers, answers), int(rng.integers(2**31))
            such.append(alpha_of_such_workers(labels, seed=seed, replicates=REPLICATES) or (0, 1))
            own = krippendorff_alpha(labels, seed=seed, replicates=REPLICATES)
            these.append((own.low or 0.0, own.high or 0.0))
        advance(1)
        name = f"{units}, {workers}, {answers}"
        yield [name, _held(np.array(such), truth), _held(np.array(these), truth)]


def _judges(rng: Random, units: int, workers: int, answers: int) -> CrowdLabels:
    truth, skill = rng.integers(3, size=units), rng.beta(4, 2, workers)
    worker = np.argsort(rng.random((units, workers)), axis=1)[:, :answers].ravel()
    unit = np.repeat(np.arange(units), answers)
    right = rng.random(len(unit)) < skill[worker]
    label = np.where(right, truth[unit], rng.integers(3, size=len(unit)))
    return CrowdLabels(unit, worker, label, units, workers, 3)


def workers(rng: Random, draws: int, advance: Advance) -> Iterator[Row]:
    """Accuracies of forty workers with so many labels each; a draw is a worker."""
    yield ["workers", "hierarchical", "Dawid–Skene"]
    kinds = (
        ("one coin, 2 classes", 2, False), ("one coin, 4 classes", 4, False),
        ("tables, 3 classes", 3, True),
    )  # fmt: skip
    for (name, classes, own), (each, answers) in product(kinds, ((10, 3), (20, 5), (60, 5))):
        ends: dict[str, list[NDArray[np.float64]]] = {"hierarchical": [], "plain": []}
        truth = []
        for _ in range(max(draws // WORKERS, 1)):
            labels, accuracy = _crowd(rng, classes, own, each, answers)
            some = labels.judged() > 0
            truth.append(accuracy[some])
            for key, method in (
                ("hierarchical", HierarchicalDawidSkene()),
                ("plain", DawidSkene()),
            ):
                found = method.fit(labels).reliability_
                ends[key].append(np.stack([found.low, found.high], axis=1)[some])
        advance(1)
        cells = [_held(np.concatenate(each), np.concatenate(truth)) for each in ends.values()]
        yield [f"{name}, {each} labels, {answers} a unit", *cells]


def _crowd(
    rng: Random, classes: int, own: bool, each: int, answers: int
) -> tuple[CrowdLabels, NDArray[np.float64]]:
    n_units = WORKERS * each // answers
    shares = rng.dirichlet(np.full(classes, 5.0))
    truth = rng.choice(classes, n_units, p=shares)
    diagonal = np.eye(classes)
    if own:
        skill = rng.beta(7, 3, (WORKERS, classes))[..., None]
        table = rng.dirichlet(np.ones(classes), (WORKERS, classes)) * (1 - skill) + diagonal * skill
    else:
        skill = rng.beta(7, 3, WORKERS)[:, None, None]
        table = np.where(diagonal > 0, skill, (1 - skill) / (classes - 1))
    worker = np.argsort(rng.random((n_units, WORKERS)), axis=1)[:, :answers].ravel()
    unit = np.repeat(np.arange(n_units), answers)
    cumulated = table[worker, truth[unit]].cumsum(axis=1)
    label = (rng.random((len(unit), 1)) > cumulated[:, :-1]).sum(axis=1)
    labels = CrowdLabels(unit, worker, label, n_units, WORKERS, classes)
    return labels, np.einsum("k,wkk->w", shares, table)


def _held(ends: NDArray[np.float64], truth: float | NDArray[np.float64]) -> str:
    """The share of intervals that hold it, and their mean width."""
    held = (ends[:, 0] <= truth) & (truth <= ends[:, 1])
    return f"{held.mean():.3f} ({(ends[:, 1] - ends[:, 0]).mean():.2f})"
