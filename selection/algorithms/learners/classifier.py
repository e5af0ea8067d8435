"""What learners have in common, and those of single items among them, which tell classes apart."""

from __future__ import annotations

import os
from abc import abstractmethod
from typing import Any, BinaryIO, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from aggregation.algorithms.estimators import Estimator

Floats = NDArray[np.float64]


class Learner(Protocol):
    """Learns from labelled items what others are.

    `examples` are items as the learner sees them: rows of an array or of a CSR matrix, texts, or
    features by name. `targets` are what is known of as many items, with a probability for each
    possibility: rows of a matrix, or a document's tags. Both have `[items]`, which gives those of
    some items, so that whoever picks, cross-validates or stores needs to know nothing else.
    """

    sees: ClassVar[str]
    """Which of a pool's attributes are its examples: "values", "vectors" or "documents"."""

    def fit(self, examples: Any, targets: Any) -> Self: ...

    def predict(self, examples: Any) -> Any:
        """What is most probable."""

    def uncertainty(self, examples: Any) -> Floats:
        """How many errors are expected in what would be predicted of each item, shape (n_items,);
        of single items 1 − P(predicted)."""

    def confusion(self, examples: Any, targets: Any) -> Floats:
        """How often `predict` is expected to say a class (column) where another is true (row), by
        the targets; shape (n_classes, n_classes)."""


class StoredLearner(Learner, Protocol):
    """A learner that can be kept in a file: it knows by name what it has learnt."""

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of what it predicts."""

    def save(self, file: str | os.PathLike[str] | BinaryIO) -> None: ...

    @classmethod
    def load(cls, file: str | os.PathLike[str] | BinaryIO) -> Self:
        """Raises OSError where the file can't be read, and ValueError where it is none of its own,
        is damaged, or is of a newer version."""


class Classifier(Estimator):
    """Base of the learners of single items."""

    sees: ClassVar[str] = "values"

    @abstractmethod
    def fit(self, examples: Any, targets: Any) -> Self:
        """Learn from rows, and the probability of each class for each, (n_items, n_classes).

        Rows may add up to less or more than 1: that is how much the item counts.
        """

    def predict_proba(self, examples: Any) -> Floats:
        """P(class | item), shape (n_items, n_classes); 0 of a class that nobody labelled."""
        return np.asarray(softmax(self._scores(examples), axis=1))

    def predict(self, examples: Any) -> NDArray[np.int64]:
        """The most probable class, shape (n_items,); of equals the lowest."""
        return np.asarray(self._scores(examples).argmax(axis=1), dtype=np.int64)

    def uncertainty(self, examples: Any) -> Floats:
        return 1 - self.predict_proba(examples).max(axis=1, initial=0)

    def confusion(self, examples: Any, targets: Any) -> Floats:
        posterior = checked_targets(examples, targets)
        said = np.eye(posterior.shape[1])[self.predict(examples)]
        return np.asarray(posterior.T @ said)

    @abstractmethod
    def _scores(self, examples: Any) -> Floats:
        """log P(class, item) but for a number of each item; −inf where it can't be."""


def checked_targets(examples: Any, targets: Any) -> Floats:
    """Raises ValueError where they don't suit each other, or nothing can be learnt."""
    posterior = np.asarray(targets, dtype=np.float64)
    if posterior.ndim != 2 or len(posterior) != examples.shape[0]:
        raise ValueError(
            f"targets have the shape {posterior.shape}, but there are {examples.shape[0]} examples"
        )
    if not np.isfinite(posterior).all() or (posterior < 0).any():
        raise ValueError("targets must be probabilities, but some are below 0 or no number")
    if not posterior.any():
        raise ValueError("nothing is labelled: there is nothing to learn from")
    return posterior
