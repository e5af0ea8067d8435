"""What an aggregation believes of tags, as training data of a conditional random field."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.sequences.chains import Chains
from aggregation.algorithms.sequences.crf.model import FORBIDDEN
from aggregation.algorithms.sequences.crf.objective import Targets
from aggregation.algorithms.sequences.states import illegal_moves

LEAST = 1e-6  # instead of a probability of 0: those that are stored have 11 bits


def targets_of_posterior(posterior: ArrayLike, starts: ArrayLike, tags: Sequence[str]) -> Targets:
    """Expected tags and moves where nothing but each token's own probabilities is known.

    `posterior`, shape (n_tokens, n_tags), is taken for that of tags which follow each other freely
    but for illegal moves: an I-x that nothing before it can begin becomes less probable. A row that
    holds NaN (nobody judged the token) gives its sequence the weight 0.
    """
    r = np.asarray(posterior, dtype=np.float64)
    edges = np.asarray(starts, dtype=np.int64)
    if r.shape != (int(edges[-1]), len(tags)):
        raise ValueError(
            f"the posterior has the shape {r.shape}, but there are {edges[-1]} tokens and "
            f"{len(tags)} tags"
        )
    length = np.diff(edges)
    sequence = np.repeat(np.arange(len(length)), length)
    unknown = np.asarray(~np.isfinite(r).all(axis=1))
    weights = (np.bincount(sequence[unknown], minlength=len(length)) == 0).astype(np.float64)
    logs = np.log(np.maximum(np.where(unknown[:, None], 1.0, r), LEAST))
    moves = np.where(illegal_moves(tags), FORBIDDEN, 0.0)
    # Before a sequence it is as after O, the last tag.
    found = Chains(edges).beliefs(logs, moves, moves[-1], weights)
    return Targets.of_soft(
        found.marginals * weights[sequence][:, None], found.firsts, found.pairs, edges, weights
    )


def least_probable(
    marginals: NDArray[np.float64], tags: NDArray[np.int64], begins: ArrayLike, ends: ArrayLike
) -> NDArray[np.float64]:
    """Of each span [begin, end), not empty, the lowest probability of the `tags` of its tokens: no
    span is more probable than that."""
    sure = np.append(marginals[np.arange(len(tags)), tags], np.inf)
    edges = np.column_stack((np.asarray(begins), np.asarray(ends))).ravel()
    if not edges.size:
        return np.zeros(0)
    return np.asarray(np.minimum.reduceat(sure, edges)[::2])
