"""Spans of BIO tags, and how well two sets of them agree.

A span is a B-x and the I-x that follow it in the same sentence. An I-x without an open x span
makes none, and so does anything that is neither B-x nor I-x. The script of the CoNLL shared tasks,
conlleval, lets such an I-x begin a span: `conlleval=True` does so too, for tables that stand beside
published ones.

Strict scores count a span as right if its start, its end and its type are. Relaxed ones count the
share of a span's tokens that the other side has in a span of the same type, as Simpson and
Gurevych (EMNLP 2019, section 5) and Nguyen and others (ACL 2017) do where parts of a span are of
use too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.measures.resampling import share


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


def find_spans(
    labels: NDArray[np.int64],
    tags: Sequence[str],
    first: NDArray[np.bool_],
    *,
    conlleval: bool = False,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Start, end and number of the type (as in `tag_parts`) of each span, in order.

    `first`, shape (n_tokens,), marks tokens at which no span goes on: the first of a sentence. With
    `conlleval` an I-x without an open x begins a span.
    """
    begins, kind, head = _runs(labels, tags, first)
    end = np.append(head[1:], len(labels))
    real = kind[head] >= 0 if conlleval else begins[head]
    return head[real], end[real], kind[head[real]]


def stray_tags(
    labels: NDArray[np.int64], tags: Sequence[str], first: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """The tokens, in order, whose I-x follows neither a B-x nor an I-x: what conlleval takes for
    the beginning of a span. `first` as in `find_spans`."""
    begins, kind, head = _runs(labels, tags, first)
    return head[(kind[head] >= 0) & ~begins[head]]


def _runs(
    labels: NDArray[np.int64], tags: Sequence[str], first: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.int64], NDArray[np.int64]]:
    """Whether each token has a B, the number of its type, and the first tokens of runs: a token
    and the tokens that could go on with it, which are a span if there is a B first."""
    begins, kind, _ = tag_parts(tags)
    begins, kind = begins[labels], kind[labels]
    goes_on = np.zeros(len(labels), dtype=bool)
    goes_on[1:] = (kind[1:] >= 0) & ~begins[1:] & (kind[1:] == kind[:-1]) & ~first[1:]
    return begins, kind, np.flatnonzero(~goes_on)


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
    start, end, kind = find_spans(numbers, tags, sentence_heads(starts, len(numbers)))
    types = tag_parts(tags)[2]
    return [
        Span(a, b, types[t])
        for a, b, t in zip(start.tolist(), end.tolist(), kind.tolist(), strict=True)
    ]


def sentence_heads(starts: ArrayLike | None, n_tokens: int) -> NDArray[np.bool_]:
    """Whether each token is the first of its sentence, shape (n_tokens,)."""
    heads = np.zeros(n_tokens, dtype=bool)
    if starts is None:
        return heads
    edges = np.asarray(starts, dtype=np.int64)
    if edges[0] != 0 or edges[-1] != n_tokens:
        raise ValueError(
            f"starts run from {edges[0]} to {edges[-1]}, but there are {n_tokens} tokens"
        )
    heads[edges[:-1][edges[:-1] < n_tokens]] = True
    return heads


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


@dataclass(frozen=True, slots=True)
class RelaxedScore:
    """Parts of spans. As in `SpanScore`, a share of nothing is None.

    Attributes
    ----------
    predicted_right : float
        Sum, over the predicted spans, of the share of their tokens that are in a gold span of
        the same type.
    gold_found : float
        Sum, over the gold spans, of the share of their tokens that are in a predicted span of the
        same type.
    predicted, gold : int
        How many spans there are.
    """

    predicted_right: float
    gold_found: float
    predicted: int
    gold: int

    @property
    def precision(self) -> float | None:
        return self.predicted_right / self.predicted if self.predicted else None

    @property
    def recall(self) -> float | None:
        return self.gold_found / self.gold if self.gold else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of the two; 0 where one of them is 0 or a share of nothing."""
        if not self.predicted and not self.gold:
            return None
        precision, recall = self.precision, self.recall
        return 2 * precision * recall / (precision + recall) if precision and recall else 0.0

    def __add__(self, other: RelaxedScore) -> RelaxedScore:
        return RelaxedScore(
            self.predicted_right + other.predicted_right,
            self.gold_found + other.gold_found,
            self.predicted + other.predicted,
            self.gold + other.gold,
        )


RIGHT, PREDICTED, GOLD, PREDICTED_RIGHT, GOLD_FOUND = range(5)


@dataclass(frozen=True, slots=True)
class SpanCounts:
    """What strict and relaxed scores are made of.

    Attributes
    ----------
    counts : array of shape (n_groups, n_types, 5)
        Of each group of sentences and type: spans that match exactly, predicted spans, gold
        spans, and the two sums of `RelaxedScore`. Sums over groups or types are those of the
        whole, so `bootstrap_interval` can take `counts.sum(axis=1)`.
    types : names of the types, sorted
    """

    counts: NDArray[np.float64]
    types: tuple[str, ...]

    def strict(self) -> SpanScore:
        return _strict(self.counts.sum(axis=(0, 1)))

    def relaxed(self) -> RelaxedScore:
        return _relaxed(self.counts.sum(axis=(0, 1)))

    def strict_by_type(self) -> dict[str, SpanScore]:
        return dict(zip(self.types, map(_strict, self.counts.sum(axis=0)), strict=True))

    def relaxed_by_type(self) -> dict[str, RelaxedScore]:
        return dict(zip(self.types, map(_relaxed, self.counts.sum(axis=0)), strict=True))


def score_labels(
    predicted: ArrayLike,
    gold: ArrayLike,
    tags: Sequence[str],
    starts: ArrayLike | None = None,
    *,
    groups: ArrayLike | None = None,
    conlleval: bool = False,
) -> SpanCounts:
    """Compare two taggings of the same tokens; one pass over arrays, no object per span.

    Parameters
    ----------
    predicted, gold : integer arrays of shape (n_tokens,)
        Numbers of `tags`. Sentences that do not count are set to "O" on both sides.
    tags : names of the classes
    starts : integer array of shape (n_sentences + 1,), or None for one sentence
    groups : integer array of shape (n_tokens,), or None for one group
        The number of each token's document, from 0; a span counts where its first token is.
    conlleval : bool
        An I-x without an open x begins a span, on both sides.
    """
    ours, theirs = _numbers(predicted, tags, "predicted"), _numbers(gold, tags, "gold")
    if ours.shape != theirs.shape:
        raise ValueError(f"there are {len(ours)} predicted tags, but {len(theirs)} gold ones")
    n_tokens, types = len(ours), tag_parts(tags)[2]
    group = np.zeros(n_tokens, dtype=np.int64) if groups is None else np.asarray(groups)
    if group.shape != (n_tokens,):
        raise ValueError(f"groups has the shape {group.shape}, but there are {n_tokens} tokens")
    n_groups = int(group.max(initial=-1 if groups is not None else 0)) + 1
    if n_tokens == 0 or not types:
        return SpanCounts(np.zeros((n_groups, len(types), 5)), types)

    first = sentence_heads(starts, n_tokens)
    start, end, kind = find_spans(ours, tags, first, conlleval=conlleval)
    gold_start, gold_end, gold_kind = find_spans(theirs, tags, first, conlleval=conlleval)
    # A token begins at most one span of each side.
    end_from, kind_from = np.zeros(n_tokens, dtype=np.int64), np.zeros(n_tokens, dtype=np.int64)
    end_from[gold_start], kind_from[gold_start] = gold_end, gold_kind
    exact = (end_from[start] == end) & (kind_from[start] == kind)

    inside = span_types(start, end, kind, n_tokens)
    both = (inside == span_types(gold_start, gold_end, gold_kind, n_tokens)) & (inside >= 0)
    shared = np.concatenate(([0], np.cumsum(both)))

    cell, gold_cell = group[start] * len(types) + kind, group[gold_start] * len(types) + gold_kind
    counts = np.empty((n_groups * len(types), 5))
    for column, where, weight in (
        (RIGHT, cell, exact),
        (PREDICTED, cell, None),
        (GOLD, gold_cell, None),
        (PREDICTED_RIGHT, cell, (shared[end] - shared[start]) / (end - start)),
        (GOLD_FOUND, gold_cell, (shared[gold_end] - shared[gold_start]) / (gold_end - gold_start)),
    ):
        counts[:, column] = np.bincount(where, weight, minlength=len(counts))
    return SpanCounts(counts.reshape(n_groups, len(types), 5), types)


def span_types(
    start: NDArray[np.int64], end: NDArray[np.int64], kind: NDArray[np.int64], n_tokens: int
) -> NDArray[np.int64]:
    """The number of the type of the span around each token, -1 outside; shape (n_tokens,)."""
    change = np.zeros(n_tokens + 1, dtype=np.int64)
    change[start] += kind + 1
    change[end] -= kind + 1  # spans don't overlap, so an end is there once; it may be a start too
    return np.cumsum(change[:-1]) - 1


def _numbers(labels: ArrayLike, tags: Sequence[str], name: str) -> NDArray[np.int64]:
    numbers = np.asarray(labels)
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < len(tags):
        raise ValueError(
            f"{name} runs from {numbers.min()} to {numbers.max()}, but there are {len(tags)} tags, "
            "numbered from 0"
        )
    return numbers.astype(np.int64, copy=False)


def _strict(sums: NDArray[np.float64]) -> SpanScore:
    return SpanScore(int(sums[RIGHT]), int(sums[PREDICTED]), int(sums[GOLD]))


def _relaxed(sums: NDArray[np.float64]) -> RelaxedScore:
    return RelaxedScore(
        float(sums[PREDICTED_RIGHT]),
        float(sums[GOLD_FOUND]),
        int(sums[PREDICTED]),
        int(sums[GOLD]),
    )


def strict_shares(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Precision, recall, F1 from rows of `SpanCounts`, (n, 5) to (n, 3); NaN: of nothing.

    For `bootstrap_interval`.
    """
    right, predicted, gold = sums[:, RIGHT], sums[:, PREDICTED], sums[:, GOLD]
    return np.stack(
        [share(right, predicted), share(right, gold), share(2 * right, predicted + gold)], axis=1
    )


def relaxed_shares(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """As `strict_shares`, of relaxed scores."""
    predicted, gold = sums[:, PREDICTED], sums[:, GOLD]
    precision = share(sums[:, PREDICTED_RIGHT], predicted)
    recall = share(sums[:, GOLD_FOUND], gold)
    p, r = np.nan_to_num(precision), np.nan_to_num(recall)
    f1 = np.divide(2 * p * r, p + r, out=np.zeros_like(p), where=p + r > 0)
    f1[predicted + gold == 0] = np.nan
    return np.stack([precision, recall, f1], axis=1)
