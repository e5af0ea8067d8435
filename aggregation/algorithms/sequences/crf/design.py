"""Features of sequences, put in order for the many evaluations of a fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.sequences.chains import Chains
from aggregation.algorithms.sequences.tokens import tokens_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats = NDArray[np.float64]


class Design:
    """The same features in fewer columns, and tokens in the order in which passes take them.

    Features that never occur are left out: their weights are 0. Of those that always come together
    (of a rare word: itself, its affixes, its neighbours) k are one column of √k times the value. A
    Gaussian prior gives them equal weights, so this is the same model, and L-BFGS takes the same
    way to it: a rotation of the weights, of which axes are left out that nothing depends on.

    Parameters
    ----------
    features : sparse array of shape (n_tokens, n_features)
    starts : integer array of shape (n_sequences + 1,)
        Where sequences start, as in CSR.
    counted : bool array of shape (n_sequences,), or None for all
        Which sequences have a part in the fit. The others cost no time.

    Attributes
    ----------
    chains : Chains
        Of the counted sequences.
    tokens, sequences : arrays of shape (n_counted_tokens,), (n_counted_sequences,)
        Which tokens of `features`, in the order of the rows; which sequences.
    matrix : sparse array of shape (n_counted_tokens, n_columns)
    """

    def __init__(
        self, features: csr_array, starts: ArrayLike, counted: NDArray[np.bool_] | None = None
    ):
        edges = np.asarray(starts, dtype=np.int64)
        if features.shape[0] != edges[-1]:
            raise ValueError(
                f"there are features of {features.shape[0]} tokens, but {edges[-1]} tokens"
            )
        if not np.isfinite(features.data).all():
            raise ValueError("features must be numbers, but some are NaN or infinite")
        some = np.ones(len(edges) - 1, dtype=bool) if counted is None else counted
        self.sequences = np.flatnonzero(some)
        tokens, own = tokens_of(edges, self.sequences)
        self.chains = Chains(own)
        self.tokens = tokens[self.chains.order]
        self.n_sequences, self.n_features = len(edges) - 1, features.shape[1]
        self.matrix, self._spread = _merged(features[self.tokens])

    def gathered(self, weights: Floats) -> Floats:
        """Weights of features, shape (n_features, n_tags), as those of columns. Where features that
        are one have unequal weights, the mean counts."""
        return np.asarray(self._spread.T @ weights)

    def spread(self, weights: Floats) -> Floats:
        """Weights of columns as those of features."""
        return np.asarray(self._spread @ weights)


def _merged(features: csr_array) -> tuple[csr_array, csr_array]:
    """The columns, and the matrix that takes their weights to those of the features: a row has
    1/√k in the column of its feature, or nothing."""
    from scipy.sparse import csr_array

    n_tokens, n_features = features.shape
    # Equal columns have equal sums of random numbers; others differ but for a chance of 1e-20.
    sums = features.T @ np.random.default_rng(0).random((n_tokens, 2))
    _, first, column, count = np.unique(
        sums[:, 0] + 1j * sums[:, 1], return_index=True, return_inverse=True, return_counts=True
    )
    used = np.flatnonzero(sums[:, 0] != 0)
    kept = first[np.unique(column[used])]
    often = np.bincount(features.indices, minlength=n_features)[kept]
    kept = kept[np.lexsort((kept, -often))]  # frequent ones first: their weights share cache lines
    place = np.full(n_features, -1)
    place[kept] = np.arange(len(kept))
    of_feature = place[first[column]]
    size = np.sqrt(count[column])

    new = place[features.indices]
    stays = new >= 0
    ends = np.concatenate(([0], np.cumsum(stays)))[features.indptr]
    matrix = csr_array(
        (
            (features.data * size[features.indices])[stays],
            new[stays].astype(np.int32),
            ends.astype(np.int32),
        ),
        shape=(n_tokens, len(kept)),
    )
    matrix.sort_indices()
    spread = csr_array((1.0 / size[used], (used, of_feature[used])), shape=(n_features, len(kept)))
    return matrix, spread
