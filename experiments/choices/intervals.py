"""How often 95 % intervals hold the truth: of accuracies, F1, alpha and workers, by simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from aggregation.algorithms import (
    CrowdLabels,
    HierarchicalDawidSkene,
    krippendorff_alpha,
)
from aggregation.algorithms.categorical.refits import (
    REFITS,
    intervals_by_refits,
    quicker,
)
from aggregation.algorithms.measures.intervals import accuracy_interval, f1_interval, wilson
from aggregation.algorithms.measures.such_workers import alpha_of_such_workers
from aggregation.algorithms.reliability import Reliability
from selection.actions.held_out import judge_of_answers
from selection.algorithms import crowd_score
from selection.algorithms.workers.held_out import (
    FEWEST,
    SPLITS,
    HeldOutCrowd,
    held_out_crowd,
)

Random = np.random.Generator
Row = list[str]
Advance = Callable[[int], None]
TASKS = (5, 10, 20, 50)
DOCUMENTS = (3, 5, 10, 20, 50)
REPLICATES = 100  # of the questions, where sets are chosen from each
UNITS_OF_WORKERS = 5_000  # by which the alpha of some workers is known
WORKERS = 40
ABLE = 0.9  # the accuracy above which workers are counted apart
MANY = 400  # units and workers, of the crowds whose mean alpha is taken for the true one


def accuracies(rng: Random, draws: int, advance: Advance) -> Iterator[Row]:
    """Wilson's, summed exactly: nothing is drawn."""
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


def documents(rng: Random, draws: int, advance: Advance) -> Iterator[Row]:
    """Accuracy in documents of four tasks on average, by Wilson's with a design effect."""
    yield ["accuracy, documents", *map(str, DOCUMENTS)]
    for accuracy, alike in product((0.7, 0.8, 0.9, 0.95), (3, 10, 1000)):
        cells = []
        for n in DOCUMENTS:
            ends = []
            for _ in range(draws):
                judged = 1 + rng.poisson(3, n)
                ease = rng.beta(alike * accuracy, alike * (1 - accuracy), n)
                ends.append(accuracy_interval(rng.binomial(judged, ease), judged) or (0.0, 1.0))
            cells.append(_held(np.array(ends), accuracy))
            advance(1)
        differ = {3: "differ much", 10: "differ", 1000: "are alike"}[alike]
        yield [f"{accuracy:g}, {differ}", *cells]


def alphas(rng: Random, draws: int, advance: Advance) -> Iterator[Row]:
    """Both readings: about the workers of each crowd, whose alpha is that of very many units, and
    about such workers, of very many."""
    yield ["alpha: units, workers, answers", "these workers", "such workers", "these, of such"]
    many = [
        krippendorff_alpha(_judges(rng, MANY, _skills(rng, MANY), 5), replicates=0).value
        for _ in range(40)
    ]
    truth = float(np.mean([value for value in many if value is not None]))
    for units, workers, answers in (
        (50, 20, 3), (100, 20, 3), (200, 20, 5), (200, 40, 5), (500, 20, 5),
    ):  # fmt: skip
        such, these, own = [], [], []
        for _ in range(draws):
            skill, seed = _skills(rng, workers), int(rng.integers(2**31))
            labels = _judges(rng, units, skill, answers)
            such.append(alpha_of_such_workers(labels) or (-1.0, 1.0))
            found = krippendorff_alpha(labels, seed=seed)
            these.append((found.low or 0.0, found.high or 0.0))
            whole = _judges(rng, UNITS_OF_WORKERS, skill, answers)
            own.append(krippendorff_alpha(whole, replicates=0).value or 0.0)
        advance(1)
        name, ends = f"{units}, {workers}, {answers}", np.array(these)
        yield [
            name, _held(ends, np.array(own)), _held(np.array(such), truth), _held(ends, truth),
        ]  # fmt: skip


def _skills(rng: Random, workers: int) -> NDArray[np.float64]:
    return rng.beta(4, 2, workers)


def _judges(rng: Random, units: int, skill: NDArray[np.float64], answers: int) -> CrowdLabels:
    truth = rng.integers(3, size=units)
    worker = np.argsort(rng.random((units, len(skill))), axis=1)[:, :answers].ravel()
    unit = np.repeat(np.arange(units), answers)
    right = rng.random(len(unit)) < skill[worker]
    label = np.where(right, truth[unit], rng.integers(3, size=len(unit)))
    return CrowdLabels(unit, worker, label, units, len(skill), 3)


def workers(rng: Random, draws: int, advance: Advance) -> Iterator[Row]:
    """Accuracies of forty workers with so many labels each; a draw is a worker. By refits also of
    the ablest alone, and of spammers."""
    yield ["workers", "one fit", "refits", f"of those above {ABLE:g}", "of spammers"]
    kinds = (
        ("one coin, 2 classes", 2, False), ("one coin, 4 classes", 4, False),
        ("tables, 3 classes", 3, True),
    )  # fmt: skip
    sizes = ((10, 3), (20, 5), (60, 5))
    lines = [*product(kinds, sizes, (False,)), *product(kinds, sizes[:2], (True,))]
    for (name, classes, own), (each, answers), has_spam in lines:
        ends: list[list[NDArray[np.float64]]] = [[], []]
        truths, spams = [], []
        for _ in range(max(draws // WORKERS, 1)):
            labels, accuracy, spam = _crowd(rng, classes, own, each, answers, has_spam)
            some = labels.judged() > 0
            truths.append(accuracy[some])
            spams.append(spam[some])
            found_twice = _reliabilities(labels, rng, min(draws, REFITS))
            for kept, found in zip(ends, found_twice, strict=True):
                kept.append(np.stack([found.low, found.high], axis=1)[some])
        advance(1)
        truth, spam = np.concatenate(truths), np.concatenate(spams)
        one, refits = (np.concatenate(each) for each in ends)
        cells = [_held(one, truth), _held(refits, truth)]
        for part in (~spam & (truth > ABLE), spam):
            cells.append(_held(refits[part], truth[part]) if part.any() else "")
        spammed = ", a quarter spams" if has_spam else ""
        yield [f"{name}, {each} labels, {answers} a unit{spammed}", *cells]


def _reliabilities(
    labels: CrowdLabels, rng: Random, refits: int
) -> tuple[Reliability, Reliability]:
    """By one fit of the default method, and by refits."""
    fitted = HierarchicalDawidSkene().fit(labels)
    settings = quicker(fitted.get_params(), HierarchicalDawidSkene)
    by_refits = intervals_by_refits(
        lambda some, gold: HierarchicalDawidSkene(**settings).fit(some, gold=gold),
        labels, fitted.reliability_, refits=refits, seed=int(rng.integers(2**31)),
    )  # fmt: skip
    return fitted.reliability_, by_refits


def _crowd(
    rng: Random, classes: int, own: bool, each: int, answers: int, has_spam: bool
) -> tuple[CrowdLabels, NDArray[np.float64], NDArray[np.bool_]]:
    """Labels, the workers' accuracies, and who guesses or always says the same: a quarter."""
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
    is_spam = np.zeros(WORKERS, dtype=bool)
    if has_spam:
        kind = rng.choice(3, WORKERS, p=(0.75, 0.125, 0.125))[:, None, None]
        favourite = diagonal[rng.integers(classes, size=WORKERS)][:, None, :]
        table = np.where(kind == 1, 1 / classes, np.where(kind == 2, favourite, table))
        is_spam = kind[:, 0, 0] > 0
    worker = np.argsort(rng.random((n_units, WORKERS)), axis=1)[:, :answers].ravel()
    unit = np.repeat(np.arange(n_units), answers)
    cumulated = table[worker, truth[unit]].cumsum(axis=1)
    label = (rng.random((len(unit), 1)) > cumulated[:, :-1]).sum(axis=1)
    labels = CrowdLabels(unit, worker, label, n_units, WORKERS, classes)
    return labels, np.einsum("k,wkk->w", shares, table), is_spam


def _held(ends: NDArray[np.float64], truth: float | NDArray[np.float64]) -> str:
    """The share of intervals that hold it, and their mean width."""
    held = (ends[:, 0] <= truth) & (truth <= ends[:, 1])
    return f"{held.mean():.3f} ({(ends[:, 1] - ends[:, 0]).mean():.2f})"


def sets(rng: Random, draws: int, advance: Advance) -> Iterator[Row]:
    """F of sets of workers chosen from half the gold, against what the true accuracies make of the
    sets that were chosen."""
    yield ["sets: workers, questions, classes, kept, answered", "held out", "error", "F, true"]
    for workers, questions, classes, kept, answered in (
        (20, 10, 2, 5, 1.0), (20, 20, 2, 5, 1.0), (40, 20, 3, 10, 0.5), (40, 40, 2, 10, 0.5),
        (20, 20, 4, 20, 0.6), (40, 12, 2, 10, 1.0),
    ):  # fmt: skip
        ends, truths, errors = [], [], []
        for _ in range(draws):
            found = _held_out(rng, workers, questions, classes, kept, answered)
            if found is not None:
                crowd, truth = found
                ends.append((crowd.low, crowd.high))
                truths.append(truth)
                errors.append(crowd.value - truth)
        advance(1)
        name = f"{workers}, {questions}, {classes}, {kept}, {answered:.0%}"
        if ends:
            cell = _held(np.array(ends), np.array(truths))
            yield [name, cell, f"{np.mean(errors):+.2f}", f"{np.mean(truths):.2f}"]


def _held_out(
    rng: Random, workers: int, questions: int, classes: int, kept: int, answered: float
) -> tuple[HeldOutCrowd, float] | None:
    accuracy = 1 / classes + (1 - 1 / classes) * rng.beta(2, 2, workers)
    worker, question = np.nonzero(rng.random((workers, questions)) < answered)
    score = (rng.random(len(worker)) < accuracy[worker]).astype(np.float64)
    judge, chosen = judge_of_answers(classes, kept, "unbiased", False), []

    def watched(*half: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        found = judge(*half)
        chosen.append(found[0])
        return found

    crowd = held_out_crowd(worker, question, score, watched, rng=rng, replicates=REPLICATES)
    if crowd is None:
        return None
    asked = np.flatnonzero(np.bincount(worker, minlength=workers) >= FEWEST)
    true = ((classes * accuracy - 1) ** 2)[asked]
    halves = chosen[: 2 * SPLITS]  # the first are those of the estimate
    return crowd, float(np.mean([crowd_score(true[each]) for each in halves]))
