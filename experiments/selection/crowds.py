"""Crowds of which all is known: simulated, or recorded with the truth beside."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import CrowdLabels
from aggregation.files.answers import ItemFile, read_answers
from aggregation.files.data import BadFile
from aggregation.files.readers import read_file

SILENT = -1  # where a worker did not judge an item


@dataclass(frozen=True, slots=True)
class KnownCrowd:
    """What each worker said of each item, and what is true.

    Attributes
    ----------
    answers : integer array of shape (n_items, n_workers)
        Classes, or SILENT.
    truth : integer array of shape (n_items,)
    n_classes : int
    """

    answers: NDArray[np.int64]
    truth: NDArray[np.int64]
    n_classes: int

    @property
    def n_items(self) -> int:
        return len(self.answers)

    @property
    def n_workers(self) -> int:
        return self.answers.shape[1]

    def labels(self, workers: NDArray[np.int64]) -> CrowdLabels:
        """What these workers said, numbered anew."""
        item, worker = np.nonzero(self.answers[:, workers] != SILENT)
        label = self.answers[:, workers][item, worker]
        return CrowdLabels(item, worker, label, self.n_items, len(workers), self.n_classes)


@dataclass(frozen=True, slots=True)
class Simulation:
    """One-coin workers: each is right with a probability drawn from Beta(a, b).

    `tempting` is the share of errors that fall on one wrong class of the item, the same for all
    workers; the others are spread evenly. It makes errors go together, as those of people do.
    """

    n_workers: int = 31
    n_items: int = 1_000
    n_classes: int = 2
    a: float = 2.3
    b: float = 2.0
    tempting: float = 0.0

    def drawn(self, rng: np.random.Generator) -> KnownCrowd:
        accuracy = rng.beta(self.a, self.b, size=self.n_workers)
        truth = rng.integers(self.n_classes, size=self.n_items)
        shape = (self.n_items, self.n_workers)
        wrong = 1 + rng.integers(self.n_classes - 1, size=shape)  # how far from the truth
        if self.tempting:
            temptation = 1 + rng.integers(self.n_classes - 1, size=self.n_items)
            wrong = np.where(rng.random(shape) < self.tempting, temptation[:, None], wrong)
        off = np.where(rng.random(shape) < accuracy, 0, wrong)
        return KnownCrowd((truth[:, None] + off) % self.n_classes, truth, self.n_classes)


@dataclass(frozen=True, slots=True)
class Recorded:
    """The same crowd each time."""

    crowd: KnownCrowd

    def drawn(self, rng: np.random.Generator) -> KnownCrowd:
        return self.crowd


def read_crowd(labels: Path, gold: Path | None) -> KnownCrowd:
    """CSV with worker, item, label; the truth in its column `gold`, or in a file of its own.

    Items of which the truth is not known are left out. Raises BadFile.
    """
    file = read_file(labels, gold=gold is None)
    if file.sequences is not None:
        raise BadFile(
            f"{labels} holds documents, but items are wanted: CSV of worker, item, label."
        )
    truth = file.gold if gold is None else _truth(file.names, file.known_classes, gold)
    known = np.flatnonzero((truth >= 0) & (truth < len(file.classes)))
    if not known.size:
        raise BadFile(f"The truth of no item of {labels} is known. Name a file with --gold.")
    answers = np.full((len(file.names), len(file.workers)), SILENT)
    answers[file.labels.unit, file.labels.worker] = file.labels.label
    return KnownCrowd(answers[known], truth[known], len(file.classes))


def _truth(names: tuple[str, ...], classes: tuple[str, ...], path: Path) -> NDArray[np.int64]:
    """The class of each item, -1 where it is not known or is none of the classes."""
    answers: Any = read_answers(str(path), gold=True)
    if not isinstance(answers, ItemFile):
        raise BadFile(f"{path} holds documents, but items are wanted: CSV of item, gold.")
    number = {name: i for i, name in enumerate(classes)}
    told = [answers.items.get(name) for name in names]
    return np.array([-1 if row is None else number.get(row.label or "", -1) for row in told])
