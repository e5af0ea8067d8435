"""What the methods take: who said what of which unit, as index arrays.

A label that was not given is not stored; there is no number for "missing" in here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.blocks import Block, counted
from aggregation.algorithms.checks import (
    UNKNOWN,
    check_lengths,
    checked_documents,
    checked_indices,
    checked_starts,
    checked_weights,
    checked_words,
)

OUTSIDE = "O"
BLOCK_LABELS = 2**18  # of a block, at least
SOUGHT = 2**14  # labels of which the least and the largest token are known where some are sought


class CrowdLabels:
    """Labels of units by workers, as triples in any order.

    A worker may judge a unit more than once (observer 1 of Dawid and Skene did); each judgment
    counts. Units and workers without a label are allowed, and so are classes that nobody used.

    Parameters
    ----------
    unit, worker, label : integer arrays of shape (n_labels,)
        `label[i]` is what `worker[i]` said of `unit[i]`. Kept as read-only views where they are
        int32 already, else copied; never changed.
    n_units, n_workers, n_classes : int
    weight : array of shape (n_labels,), or None where each label counts as one
        As how many labels each counts, above 0: less than 1 where a worker judged a unit several
        times. Votes and the methods with a table of each worker heed it, the others refuse it.
    """

    def __init__(
        self,
        unit: ArrayLike,
        worker: ArrayLike,
        label: ArrayLike,
        n_units: int,
        n_workers: int,
        n_classes: int,
        weight: ArrayLike | None = None,
    ):
        if n_classes < 1:
            raise ValueError(f"there must be at least 1 class, but n_classes is {n_classes}")
        self.n_units, self.n_workers, self.n_classes = n_units, n_workers, n_classes
        self.unit = checked_indices(unit, "unit", n_units)
        self.worker = checked_indices(worker, "worker", n_workers)
        self.label = checked_indices(label, "label", n_classes)
        check_lengths(unit=self.unit, worker=self.worker, label=self.label)
        self.weight = None if weight is None else checked_weights(weight, self.n_labels)

    def __repr__(self) -> str:
        return (
            f"CrowdLabels({self.n_labels} labels, {self.n_units} units, "
            f"{self.n_workers} workers, {self.n_classes} classes)"
        )

    @property
    def n_labels(self) -> int:
        return len(self.label)

    def votes(self) -> NDArray[np.int64]:
        """How often each class was said of each unit, shape (n_units, n_classes)."""
        cell = self.unit.astype(np.int64) * self.n_classes + self.label
        counts = np.bincount(cell, minlength=self.n_units * self.n_classes)
        return counts.astype(np.int64, copy=False).reshape(self.n_units, self.n_classes)

    def weighted_votes(self) -> NDArray[np.float64]:
        """The same, each label counting by its weight."""
        if self.weight is None:
            return self.votes().astype(np.float64)
        cell = self.unit.astype(np.int64) * self.n_classes + self.label
        counts = np.bincount(cell, self.weight, minlength=self.n_units * self.n_classes)
        return counts.astype(np.float64, copy=False).reshape(self.n_units, self.n_classes)

    def labelled(self) -> NDArray[np.bool_]:
        """Whether somebody judged the unit, shape (n_units,)."""
        some = np.zeros(self.n_units, dtype=bool)
        for first in range(0, self.n_labels, BLOCK_LABELS):  # each index is made one of 8 bytes
            some[self.unit[first : first + BLOCK_LABELS]] = True
        return some

    def judged(self) -> NDArray[np.int64]:
        """How many labels each worker gave, shape (n_workers,)."""
        return counted(self.worker, self.n_workers)

    def split(self, n: int) -> list[CrowdLabels]:
        """At most `n` shards of consecutive units, with about as many labels in each.

        Workers and classes keep their numbers; units are numbered anew in each shard, from 0, so
        that its first unit is the sum of `n_units` of those before it.
        """
        return list(self.shards(n))

    def shards(self, n: int) -> Iterator[CrowdLabels]:
        """Those of `split` one by one, so that one of them is in memory where no more are kept."""
        load = np.zeros(1, dtype=np.int64) if n == 1 else _load(self.unit, self.n_units)
        cuts = _cuts(load, n)
        if len(cuts) <= 2:
            yield self
            return
        for (first, last), labels in zip(pairwise(cuts), _between(self.unit, cuts), strict=True):
            yield CrowdLabels(
                self.unit[labels] - np.int32(first),
                self.worker[labels],
                self.label[labels],
                last - first,
                self.n_workers,
                self.n_classes,
                None if self.weight is None else self.weight[labels],
            )

    def blocks(self) -> list[Block]:
        """The labels as sparse counts, cut by units.

        With these an E-step is one product for each block, and so is an M-step. A block is small
        enough for the processor's cache, unless there are so many workers that the sums over
        blocks would cost more than the products.
        """
        n_columns = self.n_workers * self.n_classes
        if n_columns >= 2**31:
            raise ValueError(
                f"{self.n_workers} workers x {self.n_classes} classes are {n_columns} columns, "
                f"but there can be {2**31 - 1}"
            )
        column = self.worker * np.int32(self.n_classes)
        column += self.label
        weight = self.weight
        if (np.diff(self.unit) < 0).any():
            order = np.argsort(self.unit, kind="stable")
            column, weight = column[order], None if weight is None else weight[order]
        edge = np.concatenate(([0], np.cumsum(np.bincount(self.unit, minlength=self.n_units))))
        step = max(BLOCK_LABELS, n_columns)
        # The unit that holds each step-th label begins a block.
        cut = np.searchsorted(edge, np.arange(0, self.n_labels, step), side="right") - 1
        cuts = np.unique([0, *cut.tolist(), self.n_units]).tolist()
        ones = np.ones(max((int(edge[b] - edge[a]) for a, b in pairwise(cuts)), default=0))
        return [
            Block.cut(
                slice(a, b),
                edge,
                column,
                ones if weight is None else weight[int(edge[a]) : int(edge[b])],
                n_columns,
            )
            for a, b in pairwise(cuts)
        ]


def checked_gold(gold: ArrayLike | None, labels: CrowdLabels) -> NDArray[np.int64]:
    """The known class of each unit or UNKNOWN, shape (n_units,); a copy. None: all are unknown."""
    if gold is None:
        return np.full(labels.n_units, UNKNOWN)
    known = np.asarray(gold)
    if known.shape != (labels.n_units,):
        raise ValueError(f"gold has the shape {known.shape}, but there are {labels.n_units} units")
    if known.size and known.dtype.kind not in "iu":
        raise ValueError(f"gold holds {known.dtype}, but must hold integers")
    if known.size and not (known.min() >= UNKNOWN and known.max() < labels.n_classes):
        raise ValueError(
            f"gold runs from {known.min()} to {known.max()}, but there are {labels.n_classes} "
            f"classes, numbered from 0; {UNKNOWN} is not known"
        )
    return known.astype(np.int64)


class CrowdSequences:
    """Tags of tokens by workers; the tokens stand in sequences (sentences).

    Parameters
    ----------
    token, worker, label : integer arrays of shape (n_labels,)
        `label[i]` is the number of the tag that `worker[i]` gave to `token[i]`; at most one for
        each worker and token. Tokens are numbered through all sequences.
    starts : integer array of shape (n_sequences + 1,)
        Sequence s holds the tokens starts[s] to starts[s + 1] - 1, as in CSR; empty ones are
        allowed.
    n_workers : int
    tags : names of the classes, as `ordered_tags` gives them
        Both B-x and I-x of each type x, then "O", which is last.
    words : integer array of shape (n_tokens,), or None where the text is not known
        The number of each token's word in `vocabulary`; UNKNOWN for a word that is not in it.
    vocabulary : the words, each once, as they are written (case and all)
        `numbered_words` makes both.
    documents : integer array of shape (n_documents + 1,), or None
        Document d (a text, or what is known of one) holds the sequences documents[d] to
        documents[d + 1] - 1. None: each sequence is a document of its own.
    """

    def __init__(
        self,
        token: ArrayLike,
        worker: ArrayLike,
        label: ArrayLike,
        *,
        starts: ArrayLike,
        n_workers: int,
        tags: Sequence[str],
        words: ArrayLike | None = None,
        vocabulary: Sequence[str] = (),
        documents: ArrayLike | None = None,
    ):
        self.tags = _checked_tags(tags)
        self.starts = checked_starts(starts)
        self.documents = checked_documents(documents, self.n_sequences)
        self.n_workers = n_workers
        self.vocabulary = tuple(vocabulary)
        if words is None and self.vocabulary:
            raise ValueError("vocabulary without words: pass both or neither")
        self.words = None if words is None else checked_words(words, self.vocabulary, self.n_tokens)
        self.token = checked_indices(token, "token", self.n_tokens)
        self.worker = checked_indices(worker, "worker", n_workers)
        self.label = checked_indices(label, "label", self.n_classes)
        check_lengths(token=self.token, worker=self.worker, label=self.label)
        self._check_unique_labels()

    def __repr__(self) -> str:
        return (
            f"CrowdSequences({self.n_labels} labels, {self.n_tokens} tokens in "
            f"{self.n_sequences} sequences, {self.n_workers} workers, {self.n_classes} tags)"
        )

    @property
    def n_labels(self) -> int:
        return len(self.label)

    @property
    def n_tokens(self) -> int:
        return int(self.starts[-1])

    @property
    def n_sequences(self) -> int:
        return len(self.starts) - 1

    @property
    def n_documents(self) -> int:
        return len(self.documents) - 1

    @property
    def n_classes(self) -> int:
        return len(self.tags)

    def token_labels(self) -> CrowdLabels:
        """Each token as a unit of its own. Shares the arrays."""
        return CrowdLabels(
            self.token, self.worker, self.label, self.n_tokens, self.n_workers, self.n_classes
        )

    def sequence_of_token(self) -> NDArray[np.int32]:
        """Shape (n_tokens,)."""
        return np.repeat(np.arange(self.n_sequences, dtype=np.int32), np.diff(self.starts))

    def document_of_sequence(self) -> NDArray[np.int32]:
        """Shape (n_sequences,)."""
        return np.repeat(np.arange(self.n_documents, dtype=np.int32), np.diff(self.documents))

    def judged(self) -> NDArray[np.int64]:
        """How many labels each worker gave, shape (n_workers,)."""
        return counted(self.worker, self.n_workers)

    def pieces(self) -> Iterator[tuple[NDArray[np.int64] | slice, NDArray[np.int64]]]:
        """Which labels, and the sequence of each: in pieces of whole sequences, each of about
        `BLOCK_LABELS` labels unless a sequence is longer.
        """
        token = self.token
        order = np.argsort(token, kind="stable") if (np.diff(token) < 0).any() else None
        if order is not None:
            token = token[order]
        edge = np.searchsorted(token, self.starts)  # sequence s has labels edge[s]:edge[s + 1]
        inner = np.searchsorted(edge, np.arange(BLOCK_LABELS, self.n_labels, BLOCK_LABELS))
        for first, last in pairwise(np.unique([0, *inner.tolist(), self.n_sequences]).tolist()):
            labels = slice(int(edge[first]), int(edge[last]))
            sequence = np.repeat(np.arange(first, last), np.diff(edge[first : last + 1]))
            yield labels if order is None else order[labels], sequence

    def split(self, n: int) -> list[CrowdSequences]:
        """At most `n` shards of consecutive sequences, with about as many labels in each.

        Workers, tags and words keep their numbers; tokens are numbered anew in each shard, from
        0, so that its first token is the sum of `n_tokens` of those before it. A document may be
        cut, and is one in each of its shards then.
        """
        return list(self.shards(n))

    def shards(self, n: int) -> Iterator[CrowdSequences]:
        """Those of `split` one by one, so that one of them is in memory where no more are kept."""
        load = (
            np.zeros(1, dtype=np.int64) if n == 1 else _load(self.token, self.n_tokens)[self.starts]
        )
        cuts = _cuts(load, n)
        if len(cuts) <= 2:
            yield self
            return
        places = _between(self.token, self.starts[cuts].tolist())
        for (first, last), labels in zip(pairwise(cuts), places, strict=True):
            yield self._shard(labels, slice(first, last))

    def _shard(self, labels: NDArray[np.int64] | slice, sequences: slice) -> CrowdSequences:
        starts = self.starts[sequences.start : sequences.stop + 1]
        first = np.searchsorted(self.documents, sequences.start, side="right")
        inner = self.documents[first : np.searchsorted(self.documents, sequences.stop)]
        documents = np.array([sequences.start, *inner, sequences.stop]) - sequences.start
        return CrowdSequences(
            self.token[labels] - np.int32(starts[0]),
            self.worker[labels],
            self.label[labels],
            starts=starts - starts[0],
            n_workers=self.n_workers,
            tags=self.tags,
            words=None if self.words is None else self.words[starts[0] : starts[-1]],
            vocabulary=self.vocabulary,
            documents=documents,
        )

    def _check_unique_labels(self) -> None:
        key = self.token.astype(np.int64)  # each step in place: there may be many
        key *= self.n_workers
        key += self.worker
        key.sort()
        again = np.flatnonzero(key[1:] == key[:-1])
        if again.size:
            token, worker = divmod(int(key[again[0]]), self.n_workers)
            raise ValueError(
                f"worker {worker} gave token {token} more than one tag, but must give at most 1"
            )


def _load(place: NDArray[np.int32], size: int) -> NDArray[np.int64]:
    """Of units or tokens how many labels come before each, at last of all, shape (size + 1,). One
    without labels counts as one, or many of them would make one large shard."""
    load = np.zeros(size + 1, dtype=np.int64)
    each = load[1:]
    for begin in range(0, len(place), BLOCK_LABELS):  # bincount makes each one of 8 bytes
        some = place[begin : begin + BLOCK_LABELS]
        least = int(some.min())
        count = np.bincount(some - least)
        each[least : least + len(count)] += count
    np.maximum(each, 1, out=each)
    np.cumsum(each, out=each)
    return load


def _cuts(load: NDArray[np.int64], n: int) -> list[int]:
    """Where to cut into at most `n` shards of about as many labels each: numbers of what `load` is
    of, from 0 to their number."""
    if n < 1:
        raise ValueError(f"there must be at least 1 shard, but n is {n}")
    inner = np.searchsorted(load, load[-1] * np.arange(1, n) / n)
    return np.unique([0, *inner.tolist(), len(load) - 1]).tolist()


def _between(place: NDArray[np.int32], cuts: Sequence[int]) -> Iterator[NDArray[np.int64] | slice]:
    """Which labels lie between two neighbouring cuts, in the order of the whole; a slice where they
    stand together."""
    blocks = np.arange(0, len(place), SOUGHT)
    some = len(place) > 0
    low = np.minimum.reduceat(place, blocks) if some else blocks
    high = np.maximum.reduceat(place, blocks) if some else blocks
    for begin, end in pairwise(cuts):
        # Labels come by task, so that those of a shard stand close together.
        near = blocks[(high >= begin) & (low < end)]
        least = int(near[0]) if near.size else 0
        sought = place[least : int(near[-1]) + SOUGHT if near.size else 0]
        labels = least + np.flatnonzero((sought >= begin) & (sought < end))
        together = labels.size and labels[-1] - labels[0] == labels.size - 1
        yield slice(int(labels[0]), int(labels[-1]) + 1) if together else labels


def numbered_words(tokens: Iterable[str]) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """The number of each token's word, shape (n_tokens,), and the words in order of appearance.

    For `CrowdSequences`. Words are told apart by each character, so "May" and "may" are two.
    """
    number: dict[str, int] = {}
    words = np.fromiter((number.setdefault(token, len(number)) for token in tokens), dtype=np.int32)
    return words, tuple(number)


def ordered_tags(names: Iterable[str]) -> tuple[str, ...]:
    """The tags of a set of names: B-x and I-x of each type by name, "O" last.

    Both tags of a type are there even where only one of them is among the names. The order
    decides ties, which are settled in favour of the first.
    """
    types = {_type_of(name) for name in names if name != OUTSIDE}
    return (*sorted(f"{edge}-{kind}" for edge in "BI" for kind in types), OUTSIDE)


def _type_of(tag: str) -> str:
    edge, dash, kind = tag.partition("-")
    if edge not in ("B", "I") or not dash or not kind:
        raise ValueError(f"'{tag}' is no tag: a tag is 'O', or 'B-' or 'I-' and a type")
    return kind


def _checked_tags(tags: Sequence[str]) -> tuple[str, ...]:
    tags = tuple(tags)
    if not tags or tags[-1] != OUTSIDE:
        raise ValueError(f"the last tag must be 'O', but the tags are {', '.join(tags) or 'none'}")
    if sorted(tags[:-1]) != sorted(ordered_tags(tags)[:-1]):
        raise ValueError(
            f"the tags must be {', '.join(ordered_tags(tags))}, each once, "
            f"but they are {', '.join(tags)}"
        )
    return tags
