"""Spans of BIO tags, and how well two sets of them agree.

Strict: a span is a B-x and the I-x that follow it in the same sentence. An I-x without an open x
span makes none, and so does anything that is neither B-x nor I-x.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Span(NamedTuple):
    """Tokens `start` to `end - 1`."""

    start: int
    end: int
    type: str


def tag_parts(
    tags: Sequence[str],
) -> tuple[NDArray[np.bool_], NDArray[np.int64], tuple[str, ...]]:
    """Whether each tag is a B, the number of its type (-1: none), and the types by name."""
    types = tuple(sorted({tag[2:] for tag in tags if tag[:2] in ("B-", "I-")}))
    number = {name: i for i, name in enumerate(types)}
    begins = np.array([tag.startswith("B-") for tag in tags], dtype=bool)
    kind = np.array(
        [number[tag[2:]] if tag[:2] in ("B-", "I-") else -1 for tag in tags], dtype=np.int64
    )
    return begins, kind, types


def spans_of_labels(
    labels: ArrayLike, tags: Sequence[str], starts: ArrayLike | None = None
) -> list[Span]:
    """Spans of tag numbers, in order.

    Parameters
    ----------
    labels : integer array of shape (n_tokens,)
        Numbers of `tags`.
    tags : names of the classes
    starts : integer array of shape (n_sentences + 1,), or None for one sentence
        As in CSR.
    """
    numbers = np.asarray(labels, dtype=np.int64)
    if numbers.size == 0:
        return []
    begins, kind, types = tag_parts(tags)
    begins, kind = begins[numbers], kind[numbers]
    # A run is a token and the tokens that could go on with it; it is a span if it has a B first.
    goes_on = np.zeros(len(numbers), dtype=bool)
    goes_on[1:] = (kind[1:] >= 0) & ~begins[1:] & (kind[1:] == kind[:-1])
    if starts is not None:
        edges = np.asarray(starts, dtype=np.int64)
        if edges[0] != 0 or edges[-1] != len(numbers):
            raise ValueError(
                f"starts run from {edges[0]} to {edges[-1]}, but there are {len(numbers)} tokens"
            )
        goes_on[edges[:-1][edges[:-1] < len(numbers)]] = False
    head = np.flatnonzero(~goes_on)
    end = np.append(head[1:], len(numbers))
    real = begins[head]
    return [
        Span(a, b, types[t])
        for a, b, t in zip(
            head[real].tolist(), end[real].tolist(), kind[head[real]].tolist(), strict=True
        )
    ]


def spans_of_tags(tags: Sequence[str], starts: ArrayLike | None = None) -> list[Span]:
    """Spans of tags by name, in order; `starts` as in `spans_of_labels`."""
    names = sorted(set(tags))
    number = {name: i for i, name in enumerate(names)}
    return spans_of_labels([number[tag] for tag in tags], names, starts)


@dataclass(frozen=True, slots=True)
class SpanScore:
    """Counts of spans. A share of nothing is None, never 0 and never NaN.

    F1 is 0 where there are spans but none is right, and None only where there are none at all.
    """

    right: int
    predicted: int
    gold: int

    @property
    def precision(self) -> float | None:
        return self.right / self.predicted if self.predicted else None

    @property
    def recall(self) -> float | None:
        return self.right / self.gold if self.gold else None

    @property
    def f1(self) -> float | None:
        spans = self.predicted + self.gold
        return 2 * self.right / spans if spans else None

    def __add__(self, other: SpanScore) -> SpanScore:
        return SpanScore(
            self.right + other.right, self.predicted + other.predicted, self.gold + other.gold
        )


def score_spans(predicted: Iterable[Span], gold: Iterable[Span]) -> SpanScore:
    """Exact matches of start, end and type. A span given twice counts once."""
    ours, theirs = set(predicted), set(gold)
    return SpanScore(right=len(ours & theirs), predicted=len(ours), gold=len(theirs))
