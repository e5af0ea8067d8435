"""Classifiers of texts and of pairs of mentions: they keep the names of what they have learnt, so
that other items can be told by it, and can be stored."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from aggregation.algorithms.array_files import ArrayFiles
from aggregation.algorithms.fitted_state import State, numbers, packed_names, unpacked_names
from aggregation.algorithms.settings import check_choice, check_whole
from selection.algorithms.learners.classifier import Classifier, checked_targets
from selection.algorithms.learners.logistic_regression import LogisticRegression
from selection.algorithms.learners.naive_bayes import (
    BernoulliNaiveBayes,
    MultinomialNaiveBayes,
)

Floats = NDArray[np.float64]

KEPT = ArrayFiles(
    format="touchstone-classifier",
    version=1,
    noun="classifier",
    written_by="give the file of a model that was trained here",
)
# What each has learnt, by the letters of its axes: features, classes.
LEARNT: dict[str, dict[str, str]] = {
    "logistic": {"weights": "fk", "intercept": "k"},
    "multinomial": {"log_prior": "k", "log_share": "fk"},
    "bernoulli": {"log_prior": "k", "log_with": "fk", "log_without": "fk"},
}
MAKES: dict[str, Any] = {
    "logistic": LogisticRegression,
    "multinomial": MultinomialNaiveBayes,
    "bernoulli": BernoulliNaiveBayes,
}


class FeatureClassifier(Classifier):
    """Tells classes by features that have names.

    Logistic regression sees log(1 + count) · (1 + log((1 + n) / (1 + items that have it))), so that
    rare features count for more; naive Bayes sees counts.

    Parameters
    ----------
    classes : names of the classes
    kind : "logistic", "multinomial" or "bernoulli"
    minimum : int
        How many of the items that it learns from must have a feature, for it to be one.

    Attributes
    ----------
    names_ : tuple of str
        Of the features.
    scale_ : array of shape (n_features,)
    classifier_ : Classifier
    """

    sees: ClassVar[str] = "documents"

    def __init__(self, *, classes: Sequence[str], kind: str = "logistic", minimum: int = 1):
        check_choice(tuple(MAKES), kind=kind)
        check_whole(1, minimum=minimum)
        self.classes, self.kind, self.minimum = tuple(classes), kind, minimum

    def fit(self, examples: Any, targets: Any) -> Self:
        """Items of which nothing is known, rows of zeros, teach nothing."""
        posterior = checked_targets(examples, targets)
        if posterior.shape[1] != len(self.classes):
            raise ValueError(
                f"targets have {posterior.shape[1]} columns, but there are {len(self.classes)} "
                "classes"
            )
        known = np.flatnonzero(posterior.any(axis=1))
        counts = examples.counts[known]
        held = np.bincount(counts.indices, minlength=counts.shape[1])
        kept = np.flatnonzero(held >= self.minimum)
        self.names_ = tuple(examples.names[i] for i in kept.tolist())
        self.scale_ = np.ones(len(kept))
        if self.kind == "logistic":
            self.scale_ += np.log((1 + counts.shape[0]) / (1 + held[kept]))
        seen = self._seen(counts[:, kept])
        self.classifier_ = MAKES[self.kind]().fit(seen, posterior[known])
        return self

    def _scores(self, examples: Any) -> Floats:
        if not hasattr(self, "classifier_"):
            raise ValueError("the classifier was not fitted yet: call fit or load first")
        return np.asarray(self.classifier_._scores(self._seen(examples.in_columns(self.names_))))

    def _seen(self, counts: Any) -> sparse.csr_array:
        if self.kind != "logistic":
            return sparse.csr_array(counts)
        return sparse.csr_array(counts.log1p() @ sparse.diags_array(self.scale_))

    # --- Stored ---------------------------------------------------------------------------------

    def save(self, file: str | os.PathLike[str] | BinaryIO) -> None:
        """Store it at a path, whole or not at all, or in an open file."""
        if not hasattr(self, "classifier_"):
            raise ValueError("the classifier was not fitted yet: call fit or load first")
        learnt = {name: getattr(self.classifier_, f"{name}_") for name in LEARNT[self.kind]}
        state: State = {"kind": np.array(self.kind), "scale": self.scale_}
        for name, values in (("classes", self.classes), ("names", self.names_)):
            state |= {f"{name}_{part}": array for part, array in packed_names(values).items()}
        # −inf, of a class that nobody labelled, is no number that is believed when it is read.
        state |= {name: np.maximum(array, -1e300) for name, array in learnt.items()}
        KEPT.save(file, state)

    @classmethod
    def load(cls, file: str | os.PathLike[str] | BinaryIO) -> Self:
        """What `save` has stored, ready to predict.

        Raises OSError where the file can't be read, and ValueError where it is no classifier, is
        damaged, or is of a newer version.
        """
        return KEPT.load(file, cls._restored)

    @classmethod
    def _restored(cls, state: Mapping[str, NDArray[Any]]) -> Self:
        kind = str(state["kind"])
        if kind not in MAKES:
            raise ValueError(f"'{kind}' is no kind of it")
        found = numbers(state, scale="f", **LEARNT[kind])
        classes = unpacked_names(state["classes_bytes"], state["classes_ends"])
        names = unpacked_names(state["names_bytes"], state["names_ends"])
        k = next(found[name].shape[-1] for name in LEARNT[kind])
        if len(set(names)) != len(names) or len(names) != len(found["scale"]):
            raise ValueError(f"it has {len(names)} features, but knows {len(found['scale'])}")
        if len(set(classes)) != len(classes) or len(classes) != k:
            raise ValueError(f"it has {len(classes)} classes, but knows {k}")
        self = cls(classes=classes, kind=kind)
        self.names_, self.scale_ = names, found.pop("scale")
        self.classifier_ = MAKES[kind]()
        for name, array in found.items():
            setattr(self.classifier_, f"{name}_", np.where(array <= -1e300, -np.inf, array))
        return self
