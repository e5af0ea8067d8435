"""Dirichlet distributions over the rows of a table of pseudo-counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Dirichlets:
    """Posteriors: each row along `axis` of prior + counts is a Dirichlet distribution.

    Attributes
    ----------
    counts : array
        Expected counts, 0 or more.
    prior : array
        Pseudo-counts, which broadcast to the shape of `counts` and are as long along `axis`. They
        may be as small as 1e-12, for what should not happen.
    axis : int
        Along this axis the probabilities sum to 1.
    """

    prior: Floats
    counts: Floats
    axis: int

    def __len__(self) -> int:
        return len(self.counts)

    def padded(self, n: int) -> Dirichlets:
        """With as many more along the first axis, at the prior, as make it `n`."""
        more = np.zeros((n - len(self), *self.counts.shape[1:]))
        return Dirichlets(self.prior, np.concatenate((self.counts, more)), self.axis)

    def mean(self) -> Floats:
        """Expected probabilities."""
        alpha = self.prior + self.counts
        return np.asarray(alpha / alpha.sum(axis=self.axis, keepdims=True))

    def expected_log(self) -> Floats:
        """Expected logarithms of the probabilities: psi(alpha) - psi(sum of alpha)."""
        from scipy.special import digamma

        alpha = self.prior + self.counts
        return np.asarray(digamma(alpha) - digamma(alpha.sum(axis=self.axis, keepdims=True)))

    def divergence(self, expected_log: Floats) -> float:
        """KL(posterior || prior), in nats, summed over all rows.

        `expected_log` is what the method of this name returns. A cell without counts adds
        0 * ln, which is 0 however small its prior.
        """
        repeated = self.counts.size / max(self.prior.size, 1)
        prior = self._log_normalisers(self.prior) * repeated
        posterior = self._log_normalisers(self.prior + self.counts)
        return float(posterior - prior + (self.counts * expected_log).sum())

    def _log_normalisers(self, alpha: Floats) -> float:
        from scipy.special import gammaln

        # From the end, since a prior can have fewer axes than the counts.
        axis = self.axis if self.axis < 0 else self.axis - self.counts.ndim
        if alpha.shape[axis] == 0:  # no words: there is nothing to be distributed
            return 0.0
        return float(gammaln(alpha.sum(axis=axis)).sum() - gammaln(alpha).sum())
