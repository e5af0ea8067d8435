"""Which tokens sequences have, and some sequences alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.data import CrowdSequences

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


def sequences_of(
    sequences: CrowdSequences, mine: NDArray[np.bool_]
) -> tuple[CrowdSequences, NDArray[np.int64]]:
    """The sequences of the tokens `mine`, shape (n_tokens,), which holds each sequence wholly or
    not at all; and which labels are theirs, shape (n_labels of these,). They belong together in
    documents as before."""
    number = np.cumsum(mine) - 1
    lengths = np.diff(sequences.starts)
    filled = lengths > 0
    filled[filled] = mine[sequences.starts[:-1][filled]]
    told = np.flatnonzero(mine[sequences.token])
    cut = CrowdSequences(
        number[sequences.token[told]],
        sequences.worker[told],
        sequences.label[told],
        starts=np.concatenate(([0], np.cumsum(lengths[filled]))),
        n_workers=sequences.n_workers,
        tags=sequences.tags,
        words=None if sequences.words is None else sequences.words[mine],
        vocabulary=sequences.vocabulary,
        documents=np.unique(np.concatenate(([0], np.cumsum(filled)))[sequences.documents]),
    )
    return cut, told
