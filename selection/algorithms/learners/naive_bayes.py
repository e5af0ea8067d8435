"""Naive Bayes for counts, for what is there or not, and for measurements: McCallum and Nigam, *A
comparison of event models for naive Bayes text classification* (1998).

An item whose class is not certain is learnt as a part of it for each class, as large as the class
is probable. With certain classes all three are the classifiers of the same names of scikit-learn.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from aggregation.algorithms.settings import check_above
from selection.algorithms.learners.classifier import Classifier, checked_targets

Floats = NDArray[np.float64]


class NaiveBayes(Classifier):
    """What the three share: how common classes are.

    Attributes
    ----------
    log_prior_ : array of shape (n_classes,)
        −inf of a class that nobody labelled.
    """

    sees: ClassVar[str] = "values"

    def fit(self, examples: Any, targets: Any) -> Self:
        posterior = checked_targets(examples, targets)
        total = posterior.sum(axis=0)
        with np.errstate(divide="ignore"):
            self.log_prior_ = np.log(total / total.sum())
        self._learn(examples, posterior, total)
        return self

    def _scores(self, examples: Any) -> Floats:
        return self._likelihood(examples) + self.log_prior_

    @abstractmethod
    def _learn(self, examples: Any, posterior: Floats, total: Floats) -> None:
        """`total`: how often each class is expected, shape (n_classes,)."""

    @abstractmethod
    def _likelihood(self, examples: Any) -> Floats:
        """log P(example | class) but for what is the same for all classes."""


class MultinomialNaiveBayes(NaiveBayes):
    """Of counts, 0 or more.

    Parameters
    ----------
    smoothing : float
        Added to the count of each column in each class.

    Attributes
    ----------
    log_share_ : array of shape (n_columns, n_classes)
    """

    def __init__(self, *, smoothing: float = 1.0):
        check_above(0, smoothing=smoothing)
        self.smoothing = smoothing

    def _learn(self, examples: Any, posterior: Floats, total: Floats) -> None:
        _check_counts(examples)
        count = np.asarray(examples.T @ posterior) + self.smoothing
        self.log_share_ = np.log(count) - np.log(count.sum(axis=0))

    def _likelihood(self, examples: Any) -> Floats:
        _check_counts(examples)
        return np.asarray(examples @ self.log_share_)


class BernoulliNaiveBayes(NaiveBayes):
    """Of what is there (above 0) or not.

    Parameters
    ----------
    smoothing : float
        Added, in each class, to the number of items that have a column and of those that have not.

    Attributes
    ----------
    log_with_, log_without_ : arrays of shape (n_columns, n_classes)
    """

    def __init__(self, *, smoothing: float = 1.0):
        check_above(0, smoothing=smoothing)
        self.smoothing = smoothing

    def _learn(self, examples: Any, posterior: Floats, total: Floats) -> None:
        count = np.asarray(_there(examples).T @ posterior) + self.smoothing
        whole = total + 2 * self.smoothing
        self.log_with_ = np.log(count) - np.log(whole)
        self.log_without_ = np.log(whole - count) - np.log(whole)

    def _likelihood(self, examples: Any) -> Floats:
        odds = self.log_with_ - self.log_without_
        return np.asarray(_there(examples) @ odds) + self.log_without_.sum(axis=0)


class GaussianNaiveBayes(NaiveBayes):
    """Of measurements, each normally distributed in each class.

    Parameters
    ----------
    smoothing : float
        This share of the largest variance of a column is added to all variances.

    Attributes
    ----------
    mean_, variance_ : arrays of shape (n_columns, n_classes)
    """

    def __init__(self, *, smoothing: float = 1e-9):
        check_above(0, smoothing=smoothing)
        self.smoothing = smoothing

    def _learn(self, examples: Any, posterior: Floats, total: Floats) -> None:
        weight = posterior.sum(axis=1)
        everywhere = _variance(examples, weight[:, None], weight.sum(keepdims=True))[1]
        floor = self.smoothing * float(everywhere.max(initial=0))
        # Of a class that nobody labelled nothing is known, and its prior leaves it out.
        self.mean_, variance = _variance(examples, posterior, np.where(total > 0, total, 1.0))
        self.variance_ = variance + (floor or 1.0)

    def _likelihood(self, examples: Any) -> Floats:
        centre = self.mean_.mean(axis=1)
        if sparse.issparse(examples):
            squares = examples.multiply(examples) @ (1 / self.variance_)
            products = examples @ (self.mean_ / self.variance_)
            constant = (self.mean_**2 / self.variance_).sum(axis=0)
        else:  # around a common centre, so that large numbers don't cancel
            near, mean = examples - centre, self.mean_ - centre[:, None]
            squares = near**2 @ (1 / self.variance_)
            products = near @ (mean / self.variance_)
            constant = (mean**2 / self.variance_).sum(axis=0)
        spread = np.log(2 * np.pi * self.variance_).sum(axis=0)
        return np.asarray(-0.5 * (spread + squares - 2 * products + constant))


def _variance(examples: Any, weight: Floats, total: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of each column (row) by each column of `weight`, whose sum is `total`."""
    mean = np.asarray(examples.T @ weight) / total
    if sparse.issparse(examples):
        squares = np.asarray(examples.multiply(examples).T @ weight) / total
        return mean, np.maximum(squares - mean**2, 0)
    variance = [((examples - mean[:, k]) ** 2).T @ weight[:, k] for k in range(weight.shape[1])]
    return mean, np.stack(variance, axis=1) / total


def _there(examples: Any) -> Any:
    if sparse.issparse(examples):
        return sparse.csr_array(examples > 0, dtype=np.float64)
    return (examples > 0).astype(np.float64)


def _check_counts(examples: Any) -> None:
    least = float(examples.min()) if min(examples.shape) else 0.0
    if least < 0:
        raise ValueError(
            f"multinomial naive Bayes takes counts of 0 or more, but there is {least:g}"
        )
