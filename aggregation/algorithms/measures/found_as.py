"""What a tagging makes of true spans, by type: the confusion of types, whatever the cut."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.measures.spans import (
    find_spans,
    sentence_heads,
    span_types,
    tag_parts,
)


def found_as(
    predicted: NDArray[np.int64],
    gold: NDArray[np.int64],
    tags: Sequence[str],
    starts: ArrayLike | None = None,
) -> NDArray[np.int64]:
    """How many spans of each type (as in `tag_parts`, sorted) were found as which, shape
    (n_types, n_types + 1); the last column: as nothing.

    A true span is found as the type that most of its tokens have in the tagging, its own where
    two have as many; where its edges lie makes no difference. `starts` as in `spans_of_labels`.
    """
    n_types = len(tag_parts(tags)[2])
    first = sentence_heads(starts, len(gold))
    inside = span_types(*find_spans(predicted, tags, first), len(gold))
    start, end, kind = find_spans(gold, tags, first)
    sizes = end - start
    span = np.repeat(np.arange(len(start)), sizes)
    token = np.arange(len(span)) + np.repeat(start - (np.cumsum(sizes) - sizes), sizes)
    typed = inside[token] >= 0
    votes = np.bincount(
        span[typed] * n_types + inside[token[typed]], minlength=len(start) * n_types
    ).reshape(len(start), n_types)
    votes = 2 * votes
    votes[np.arange(len(start)), kind] += votes[np.arange(len(start)), kind] > 0
    found = np.where(votes.any(axis=1), votes.argmax(axis=1), n_types) if n_types else kind
    cells = np.bincount(kind * (n_types + 1) + found, minlength=n_types * (n_types + 1))
    return cells.reshape(n_types, n_types + 1)
