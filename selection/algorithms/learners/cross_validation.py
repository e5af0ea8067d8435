"""Which learner does best, by cross-validation on what is labelled.

It chooses among learners. It is no estimate of how good one is: chosen items are no sample of the
pool.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.settings import check_at_least
from selection.algorithms.learners.classifier import Learner

Floats = NDArray[np.float64]
FOLDS = 10


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """From `counts[true, said]`, shape (n_classes, n_classes). A figure is 0 where its base is."""

    counts: Floats

    @property
    def precision(self) -> Floats:
        """Of each class, shape (n_classes,); so are the next three."""
        return _share(self.counts.diagonal(), self.counts.sum(axis=0))

    @property
    def recall(self) -> Floats:
        """The true positive rate."""
        return _share(self.counts.diagonal(), self.counts.sum(axis=1))

    @property
    def false_positive_rate(self) -> Floats:
        wrong = self.counts.sum(axis=0) - self.counts.diagonal()
        return _share(wrong, self.counts.sum() - self.counts.sum(axis=1))

    @property
    def f1(self) -> Floats:
        both = self.counts.sum(axis=0) + self.counts.sum(axis=1)
        return _share(2 * self.counts.diagonal(), both)

    @property
    def macro_f1(self) -> float:
        """Of the classes that are there."""
        there = self.counts.any(axis=1)
        return float(self.f1[there].mean()) if there.any() else 0.0

    @property
    def accuracy(self) -> float:
        total = float(self.counts.sum())
        return float(self.counts.trace()) / total if total else 0.0


def cross_validate(
    learner: Learner, examples: Any, targets: Any, *, folds: int = FOLDS, seed: int = 0
) -> Scores:
    """Each item predicted by what was learnt from the other folds. The learner stays as it was."""
    counts: Any = 0.0
    for fitted, out in learnt_by_fold(learner, examples, targets, folds, seed):
        counts = counts + fitted.confusion(examples[out], targets[out])
    return Scores(np.asarray(counts))


def mistaken(
    learner: Learner, examples: Any, targets: Any, *, folds: int = FOLDS, seed: int = 0
) -> NDArray[np.int64]:
    """Which of the items (their places) a classifier gets wrong that learnt from the others."""
    wrong = np.zeros(len(targets), dtype=bool)
    for fitted, out in learnt_by_fold(learner, examples, targets, folds, seed):
        wrong[out] = fitted.predict(examples[out]) != targets[out].argmax(axis=1)
    return np.flatnonzero(wrong)


def learnt_by_fold(
    learner: Learner, examples: Any, targets: Any, folds: int, seed: int
) -> Iterator[tuple[Any, NDArray[np.int64]]]:
    """What was learnt without each fold, and the places of its items."""
    check_at_least(2, folds=folds)
    n = len(targets)
    if n < 2:
        raise ValueError(f"cross-validation needs two labelled items, but there are {n}")
    order = np.random.default_rng(seed).permutation(n)
    for fold in range(min(folds, n)):
        out = np.sort(order[fold :: min(folds, n)])
        rest = np.setdiff1d(order, out)
        yield copy.copy(learner).fit(examples[rest], targets[rest]), out


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """`name` of the best learner, the scores of all that could be tried, and why others could
    not."""

    name: str
    scores: dict[str, Scores]
    refused: dict[str, str]


def choose_learner(
    learners: Mapping[str, Learner],
    examples: Mapping[str, Any],
    targets: Any,
    *,
    folds: int = FOLDS,
    seed: int = 0,
) -> Choice:
    """The learner with the highest macro-averaged F1, the first of equals; the same folds for all.

    `examples` are what each learner `sees`, of the labelled items. Raises ValueError where none
    can learn from them.
    """
    scores: dict[str, Scores] = {}
    refused: dict[str, str] = {}
    for name, learner in learners.items():
        try:
            scores[name] = cross_validate(
                learner, examples[learner.sees], targets, folds=folds, seed=seed
            )
        except ValueError as error:
            refused[name] = str(error)
    if not scores:
        raise ValueError(
            "no learner could learn from what is labelled: "
            + "; ".join(f"{name}: {why}" for name, why in refused.items())
        )
    best = max(scores, key=lambda name: scores[name].macro_f1)
    return Choice(best, scores, refused)


def _share(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
