"""Methods beside each other: how often each is right, and how far it is from knowing it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import (
    Calibration,
    CrowdLabels,
    DawidSkene,
    HierarchicalDawidSkene,
    MajorityVote,
    OneCoin,
    calibration_of,
)
from aggregation.algorithms.categorical.confidences import rho_by_gold
from aggregation.algorithms.categorical.evidence import tempered
from aggregation.algorithms.data import UNKNOWN
from aggregation.files.readers import LabelFile
from experiments.choices.crowds import make

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Advance = Callable[[int], None]
# The rule before: a table of each worker where they gave so many labels for each of its cells.
LABELS_PER_CELL = 5
DRAWS = 50  # of gold
GOLD = (10, 20)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of one crowd: shares right, and calibration errors of the most probable class in ten equal
    bins. `chance` is what the hierarchical one's error would be if each posterior were exactly
    right, of so few units (`Calibration.by_chance`). `gold` are its errors on the other tasks,
    with so many gold tasks."""

    vote: tuple[float, float]
    before: tuple[float, float]
    dawid_skene: tuple[float, float]
    hierarchical: tuple[float, float]
    chance: float
    gold: tuple[float, ...] = ()


def outcome(labels: CrowdLabels, truth: Integers, *, draws: int = 0, seed: int = 0) -> Outcome:
    """`truth`, shape (n_units,), is UNKNOWN where it is not known; repeated `draws` of gold."""
    known = np.flatnonzero((truth != UNKNOWN) & labels.labelled())
    table = DawidSkene().fit(labels).posterior_
    each = np.median(labels.judged()[labels.judged() > 0])
    before = table
    if labels.n_classes > 2 and each < LABELS_PER_CELL * labels.n_classes**2:
        before = OneCoin(even=1.0).fit(labels).posterior_
    fitted = HierarchicalDawidSkene().fit(labels)
    errors = []
    if draws:
        evidence = fitted.evidence(labels)
        log_posterior, given = evidence.log_posterior, evidence.given
        rng = np.random.default_rng(seed)
        for number in GOLD:
            found = []
            for _ in range(draws):
                gold = rng.choice(known, number, replace=False)
                gold = gold[truth[gold] < labels.n_classes]
                rho = rho_by_gold(log_posterior[gold], given[gold], truth[gold], fitted.rho_)
                rest = np.setdiff1d(known, gold)
                found.append(_error(tempered(log_posterior[rest], given[rest], rho), truth[rest]))
            errors.append(float(np.mean(found)))
    of_vote = MajorityVote().fit(labels).posterior_[known]

    def told(posterior: Floats) -> tuple[float, float]:
        return _right(posterior[known], truth[known]), _error(posterior[known], truth[known])

    return Outcome(
        vote=(_right_of_vote(of_vote, truth[known]), _error(of_vote, truth[known])),
        before=told(before),
        dawid_skene=told(table),
        hierarchical=told(fitted.posterior_),
        chance=_calibration(fitted.posterior_[known], truth[known]).by_chance or 0.0,
        gold=tuple(errors),
    )


def made(kind: str, labels_each: int, crowds: int, seed: int, advance: Advance) -> Outcome:
    """The mean of so many crowds of the kind."""
    found = []
    for number in range(crowds):
        crowd = make(kind, labels_each, seed, number)
        found.append(outcome(crowd.labels, crowd.truth, seed=number))
        advance(1)

    def mean(name: str) -> tuple[float, float]:
        right, error = np.mean([getattr(one, name) for one in found], axis=0)
        return float(right), float(error)

    return Outcome(
        mean("vote"),
        mean("before"),
        mean("dawid_skene"),
        mean("hierarchical"),
        float(np.mean([one.chance for one in found])),
    )


def recorded(folder: Path, draws: int, seed: int) -> Iterator[tuple[str, Outcome]]:
    """Of each CSV file of the folder, by its name. Raises BadFile, OSError."""
    paths = sorted(path for path in folder.iterdir() if path.name.endswith((".csv", ".csv.gz")))
    for path in paths:
        with LabelFile(str(path)) as file:
            data = file.read(clamp=False, gold=True, repeated="last")
        yield path.name.split(".")[0], outcome(data.labels, data.gold, draws=draws, seed=seed)


def _right(posterior: Floats, truth: Integers) -> float:
    return float((posterior.argmax(axis=1) == truth).mean())


def _right_of_vote(shares: Floats, truth: Integers) -> float:
    """Ties count in shares."""
    top = shares >= shares.max(axis=1, keepdims=True) - 1e-9
    hit = np.take_along_axis(top, np.minimum(truth, shares.shape[1] - 1)[:, None], axis=1)[:, 0]
    hit &= truth < shares.shape[1]
    return float((hit / top.sum(axis=1)).mean())


def _error(posterior: Floats, truth: Integers) -> float:
    return _calibration(posterior, truth).error or 0.0


def _calibration(posterior: Floats, truth: Integers) -> Calibration:
    return calibration_of(posterior.max(axis=1), posterior.argmax(axis=1) == truth)
