"""Which tokens sequences have."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def tokens_of(starts: Ints, some: NDArray[np.bool_] | Ints) -> tuple[Ints, Ints]:
    """The tokens of some sequences, and where these start among them, as in CSR.

    Parameters
    ----------
    starts : array of shape (n_sequences + 1,)
        Where all sequences start.
    some : bool array of shape (n_sequences,), or integer array of shape (n_some,)
        Which sequences; or their numbers, in any order, and some more than once.
    """
    length = np.diff(starts)[some]
    own = np.concatenate(([0], np.cumsum(length)))
    return np.arange(own[-1]) + np.repeat(starts[:-1][some] - own[:-1], length), own


def first_tokens(starts: Ints, n_tokens: int) -> NDArray[np.bool_]:
    """Whether each token is the first of its sequence, shape (n_tokens,)."""
    first = np.zeros(n_tokens, dtype=bool)
    first[starts[:-1][np.diff(starts) > 0]] = True
    return first
