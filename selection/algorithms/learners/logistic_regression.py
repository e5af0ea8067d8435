"""Logistic regression with a penalty on the squares of its weights."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from aggregation.algorithms.settings import check_above
from selection.algorithms.learners.classifier import Classifier, checked_targets

Floats = NDArray[np.float64]


class LogisticRegression(Classifier):
    """Two classes: log P(1) / P(0) is linear; more: one linear score each, and their softmax.

    Maximised is the log-likelihood of the labels, each class of an item counting as much as it is
    probable, less ½ `penalty` · Σ weights²; the intercept is free. That is scikit-learn's
    objective with C = 1 / penalty. It has one maximum, so the start does not matter.

    Parameters
    ----------
    penalty : float
    tol : float
        The largest entry of the gradient at which it stops.
    max_iter : int

    Attributes
    ----------
    weights_ : array of shape (n_columns, n_classes)
        Of the first of two classes 0; −inf scores of a class that nobody labelled come from
        `intercept_`.
    intercept_ : array of shape (n_classes,)
    converged_ : bool
    """

    sees: ClassVar[str] = "vectors"

    def __init__(self, *, penalty: float = 1.0, tol: float = 1e-7, max_iter: int = 2_000):
        check_above(0, penalty=penalty, tol=tol, max_iter=max_iter)
        self.penalty, self.tol, self.max_iter = penalty, tol, max_iter

    def fit(self, examples: Any, targets: Any) -> Self:
        from scipy.optimize import minimize

        posterior = checked_targets(examples, targets)
        n_columns = examples.shape[1]
        known = np.flatnonzero(posterior.any(axis=0))
        self.weights_ = np.zeros((n_columns, posterior.shape[1]))
        self.intercept_ = np.full(posterior.shape[1], -np.inf)
        self.intercept_[known] = 0.0
        self.converged_ = True
        if len(known) == 1:
            return self
        moved = known[1:] if len(known) == 2 else known  # classes that have a score
        shape = (n_columns + 1, len(moved))
        found = minimize(
            self._loss,
            np.zeros(shape).ravel(),
            args=(examples, posterior[:, known], shape),
            jac=True,
            method="L-BFGS-B",
            options={
                "gtol": self.tol, "ftol": 0.0, "maxiter": self.max_iter, "maxcor": 20,
                "maxfun": 2 * self.max_iter,
            },
        )  # fmt: skip
        parameters = found.x.reshape(shape)
        self.weights_[:, moved], self.intercept_[moved] = parameters[:-1], parameters[-1]
        self.converged_ = bool(np.abs(found.jac).max() <= max(self.tol, 1e-5))
        return self

    def _scores(self, examples: Any) -> Floats:
        return np.asarray(examples @ self.weights_) + self.intercept_

    def _loss(
        self, flat: Floats, examples: Any, posterior: Floats, shape: tuple[int, int]
    ) -> tuple[float, Floats]:
        """To be minimised, with its gradient."""
        parameters = flat.reshape(shape)
        weights = parameters[:-1]
        scores = np.asarray(examples @ weights) + parameters[-1]
        fixed = posterior.shape[1] - shape[1]  # 1 where the first class has the score 0
        scores = np.pad(scores, ((0, 0), (fixed, 0)))
        count = posterior.sum(axis=1)
        evidence = logsumexp(scores, axis=1)
        loss = count @ evidence - (posterior * scores).sum()
        loss += 0.5 * self.penalty * (weights**2).sum()
        excess = (np.exp(scores - evidence[:, None]) * count[:, None] - posterior)[:, fixed:]
        slope = np.vstack([
            np.asarray(examples.T @ excess) + self.penalty * weights, excess.sum(axis=0)
        ])  # fmt: skip
        return float(loss), slope.ravel()
