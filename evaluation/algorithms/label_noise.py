"""What labels that are probabilities add to the variance of sums over drawn claims.

For weights a of drawn claims, labels f with f = E F, and draws b of what labels share (workers who
gave many of them), of which draw b moves label x by d_bx:

    Var = sum_x a_x^2 tau_x (f_x (1 - f_x) - Var_b d_x)  +  Var_b(sum_x a_x d_bx)

The first sum is of what is unsure of each claim alone: of n draws from N claims tau of it stays, as
for independent labels. The second is what is unsure of all together; no more draws take it away.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from evaluation.algorithms.predictions import Floats, as_floats


class LabelNoise:
    """Attributes
    ----------
    alone : array of shape (n_drawn,)
        tau times the variance of each label that it does not share.
    shared : array of shape (n_draws, n_drawn), or None
        d, whose columns have the mean 0.
    """

    alone: Floats
    shared: Floats | None

    def __init__(self, correct: Floats, inclusion: Floats, shared: Floats | None = None):
        if shared is not None and shared.shape[1:] != correct.shape:
            raise ValueError("what labels share needs a column for each of them")
        self.shared = None if shared is None or not shared.any() else shared
        of_labels = correct * (1 - correct)
        if self.shared is not None:
            of_labels = np.maximum(of_labels - self.shared.var(axis=0), 0)
        self.alone = inclusion * of_labels

    def variance(self, weight: csr_array | Floats) -> Floats:
        """Of each row of weights, shape (n_rows, n_drawn)."""
        squares = weight.power(2) if isinstance(weight, csr_array) else weight**2
        return as_floats(squares @ self.alone) + self.moved(weight).var(axis=0)

    def moved(self, weight: csr_array | Floats) -> Floats:
        """By how much each draw moves each row's sum, shape (n_draws, n_rows); one draw of 0 where
        labels share nothing."""
        if self.shared is None:
            return np.zeros((1, weight.shape[0]))
        return as_floats((weight @ self.shared.T).T)

    def drawn(self, rng: np.random.Generator, rows: int) -> Floats | None:
        """How far off labels may be, drawn for so many replicates: shape (rows, n_drawn). None
        where all are sure."""
        unsure = np.flatnonzero(self.alone)
        if not len(unsure) and self.shared is None:
            return None
        noise = np.zeros((rows, len(self.alone)))
        noise[:, unsure] = rng.normal(size=(rows, len(unsure))) * np.sqrt(self.alone[unsure])
        if self.shared is not None:
            noise += self.shared[rng.integers(len(self.shared), size=rows)]
        return noise
