"""Crowds whose truth is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from aggregation.algorithms import CrowdLabels, CrowdSequences, ordered_tags


@dataclass(frozen=True)
class Simulation:
    labels: CrowdLabels
    truth: NDArray[np.int64]
    confusion: NDArray[np.float64]  # (n_workers, n_classes, n_classes)


def simulate(
    *, seed: int, n_units: int, n_workers: int, redundancy: int, prevalence: list[float]
) -> Simulation:
    """Workers from nearly random to nearly perfect, each unit judged by `redundancy` of them."""
    rng = np.random.default_rng(seed)
    k = len(prevalence)
    truth = rng.choice(k, size=n_units, p=prevalence)
    confusion = np.empty((n_workers, k, k))
    for worker in range(n_workers):
        for true in range(k):
            weight = np.full(k, 2.0)
            weight[true] = rng.uniform(4, 40)
            confusion[worker, true] = rng.dirichlet(weight)
    worker = np.argsort(rng.random((n_units, n_workers)), axis=1)[:, :redundancy].ravel()
    unit = np.repeat(np.arange(n_units), redundancy)
    cumulated = confusion[worker, truth[unit]].cumsum(axis=1)
    label = (rng.random((len(unit), 1)) > cumulated).sum(axis=1).clip(max=k - 1)
    return Simulation(
        CrowdLabels(unit, worker, label, n_units, n_workers, k), truth.astype(np.int64), confusion
    )


def simulate_uneven(*, seed: int, n_units: int, n_workers: int, redundancy: int) -> Simulation:
    """Four classes, equally common; workers from those who guess to those who are mostly right."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(4, size=n_units)
    accuracy = rng.uniform(0.2, 0.95, size=n_workers)
    worker = np.argsort(rng.random((n_units, n_workers)), axis=1)[:, :redundancy].ravel()
    unit = np.repeat(np.arange(n_units), redundancy)
    right = rng.random(len(unit)) < accuracy[worker]
    label = np.where(right, truth[unit], (truth[unit] + rng.integers(1, 4, size=len(unit))) % 4)
    confusion = np.where(np.eye(4), accuracy[:, None, None], (1 - accuracy[:, None, None]) / 3)
    return Simulation(CrowdLabels(unit, worker, label, n_units, n_workers, 4), truth, confusion)


@st.composite
def crowds(draw: st.DrawFn) -> CrowdLabels:
    """Small ones, with gaps, repeated judgments, idle workers and classes nobody used."""
    n_units, n_workers = draw(st.integers(0, 6)), draw(st.integers(0, 5))
    n_classes = draw(st.integers(1, 4))
    triple = st.tuples(
        st.integers(0, max(n_units - 1, 0)),
        st.integers(0, max(n_workers - 1, 0)),
        st.integers(0, n_classes - 1),
    )
    triples = draw(st.lists(triple, max_size=24)) if n_units and n_workers else []
    unit, worker, label = zip(*triples, strict=True) if triples else ([], [], [])
    return CrowdLabels(unit, worker, label, n_units, n_workers, n_classes)


@st.composite
def tagged(draw: st.DrawFn) -> CrowdSequences:
    """A few short sentences; each worker labelled some of the tokens, now and then illegally."""
    tags = ordered_tags(["B-LOC", "B-PER"])
    starts = np.concatenate(([0], np.cumsum(draw(st.lists(st.integers(0, 4), max_size=4)))))
    n_workers = draw(st.integers(0, 4))
    said = draw(
        st.lists(
            st.sampled_from([*range(len(tags)), None]),
            min_size=int(starts[-1]) * n_workers,
            max_size=int(starts[-1]) * n_workers,
        )
    )
    given = [(*divmod(i, n_workers), label) for i, label in enumerate(said) if label is not None]
    token, worker, label = zip(*given, strict=True) if given else ([], [], [])
    return CrowdSequences(token, worker, label, starts=starts, n_workers=n_workers, tags=tags)
