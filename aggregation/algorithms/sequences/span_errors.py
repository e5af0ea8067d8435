"""What a worker's table of tags says about spans: do they begin them early, split them, miss them?

A table alone tells this badly: that somebody says I after I where the truth is B is hard to read.
So each worker is asked, by their table, what they would say of one span of two tokens in the middle
of six, O O B I O O. Every way to err is one path through their table, and its probability a product
of six numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.measures.spans import tag_parts

SPAN = "OOBIOO"
# What is said of the span, for each name; in "wrong type" B and I are of another type.
PATHS = {
    "exact": "OOBIOO",
    "starts_early": "OBIIOO",
    "starts_late": "OOOBOO",
    "ends_early": "OOBOOO",
    "ends_late": "OOBIIO",
    "splits": "OOBBOO",
    "misses": "OOOOOO",
    "wrong_type": "OOBIOO",
}


def span_errors_of(
    tables: ArrayLike,
    tags: Sequence[str],
    weights: ArrayLike | None = None,
    *,
    after_span: ArrayLike | None = None,
) -> dict[str, NDArray[np.float64]]:
    """How probably each worker errs in which way on a span of two tokens.

    Parameters
    ----------
    tables : array of shape (n_workers, true, previous, said), or (n_workers, true, said)
        Probabilities of what a worker says, given the truth of the token and what they said of the
        token before; the last axis sums to 1. Without `previous` they do not look back.
    tags : names of the classes, as `ordered_tags` gives them
    weights : array of shape (n_types,), or None for even ones
        How common the types are, by name; the result is the mean over types.
    after_span : array of shape (n_workers, previous, said), or None
        What they say of the first token after a span, where a table of its own is known; else it is
        that of O.

    Returns
    -------
    dict of arrays of shape (n_workers,)
        The names of `PATHS`, each a share of the spans; they don't sum to 1, for there are many
        other ways. And "invents": the share of tokens outside at which a span is begun.
        Without types there is nothing to err about, and the dict is empty.
    """
    given = np.asarray(tables, dtype=np.float64)
    if given.ndim == 3:
        given = np.broadcast_to(
            given[:, :, None, :], (len(given), given.shape[1], given.shape[1], given.shape[1])
        )
    begins, _, types = tag_parts(tags)
    if not types:
        return {}
    number = {tag: i for i, tag in enumerate(tags)}
    ends = number["O"]
    if after_span is not None:
        ends = len(tags)
        after = np.asarray(after_span, dtype=np.float64)
        given = np.concatenate((given, after[:, None]), axis=1)
    outside = number["O"]
    share = np.ones(len(types)) if weights is None else np.asarray(weights, dtype=np.float64)
    share = share / share.sum() if share.sum() else np.full(len(types), 1 / len(types))
    found = {name: np.zeros(len(given)) for name in PATHS}
    for i, name in enumerate(types):
        true = _numbers(SPAN, name, number)
        true[SPAN.index("IO") + 1] = ends
        for way, path in PATHS.items():
            others = [other for other in types if other != name]
            for said in others if way == "wrong_type" else [name]:
                found[way] += share[i] * _probability(given, true, _numbers(path, said, number))
    found["invents"] = given[:, outside, outside, begins].sum(axis=1)
    return found


def _numbers(letters: str, name: str, number: dict[str, int]) -> list[int]:
    return [number["O" if letter == "O" else f"{letter}-{name}"] for letter in letters]


def _probability(
    tables: NDArray[np.float64], true: list[int], said: list[int]
) -> NDArray[np.float64]:
    """Of saying `said` where `true` is the truth, shape (n_workers,). Both begin with O, which is
    what stands before the first as well."""
    previous = [said[0], *said[:-1]]
    return np.prod(tables[:, true, previous, said], axis=1)
