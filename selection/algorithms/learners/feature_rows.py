"""Items as what they have, by name: a text its words, a pair of mentions the words around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

NEAR = 2  # words before and after a pair
LONGEST = 10  # tokens between the mentions of a pair, of which more are not told apart


@dataclass(frozen=True, slots=True, eq=False)
class FeatureRows:
    """How often each item has each of many features: examples that can be taken.

    Attributes
    ----------
    counts : CSR of shape (n_items, n_features)
    names : of each column
    """

    counts: Any
    names: tuple[str, ...]

    @classmethod
    def of(cls, items: Iterable[Iterable[str]]) -> Self:
        """Of the features of each item, each as often as it has it."""
        number: dict[str, int] = {}
        columns, ends = list[int](), [0]
        for item in items:
            columns.extend(number.setdefault(name, len(number)) for name in item)
            ends.append(len(columns))
        shape = len(ends) - 1, len(number)
        counts = sparse.csr_array((np.ones(len(columns)), columns, ends), shape=shape)
        counts.sum_duplicates()
        return cls(counts, tuple(number))

    @property
    def shape(self) -> tuple[int, int]:
        return self.counts.shape[0], self.counts.shape[1]

    def __len__(self) -> int:
        return int(self.counts.shape[0])

    def __getitem__(self, items: ArrayLike) -> FeatureRows:
        return FeatureRows(self.counts[np.asarray(items, dtype=np.int64)], self.names)

    def in_columns(self, names: Sequence[str]) -> sparse.csr_array:
        """The counts of these features, shape (n_items, len(names)); those of others are left
        out."""
        if tuple(names) == self.names:
            return self.counts
        place = {name: i for i, name in enumerate(names)}
        column = np.array([place.get(name, -1) for name in self.names], dtype=np.int64)
        found = self.counts.tocoo()
        there = column[found.col] >= 0
        places = found.row[there], column[found.col[there]]
        return sparse.csr_array((found.data[there], places), shape=(len(self), len(names)))


def text_features(words: Iterable[str], attributes: Iterable[tuple[str, str]] = ()) -> list[str]:
    """The words, whatever their case, and attributes with their values."""
    return [
        *(f"word={word.lower()}" for word in words),
        *(f"attribute={name}={value}" for name, value in attributes),
    ]


class PairMention(NamedTuple):
    """Tokens `begin` to `end - 1`."""

    begin: int
    end: int
    type: str


def pair_features(words: Sequence[str], subject: PairMention, object: PairMention) -> list[str]:
    """Of two mentions among the words of a text: their types and last words, which comes first and
    how far away the other one is, the words between them, alone and in twos, and those next to
    them."""
    first, second = sorted((subject, object), key=lambda mention: mention.begin)
    way = ">" if first is subject else "<"
    lower = [word.lower() for word in words]
    between = lower[first.end : second.begin]
    before = lower[max(first.begin - NEAR, 0) : first.begin]
    after = lower[second.end : second.end + NEAR]
    return [
        f"types={subject.type}{way}{object.type}",
        f"subject={subject.type}",
        f"object={object.type}",
        f"last of subject={_last(lower, subject)}",
        f"last of object={_last(lower, object)}",
        f"apart={min(len(between), LONGEST)}",
        *(f"between{way}{word}" for word in between[: 2 * LONGEST]),
        *(f"between{way}{a} {b}" for a, b in pairwise(["^", *between[: 2 * LONGEST], "$"])),
        *(f"before{way}{word}" for word in before),
        *(f"after{way}{word}" for word in after),
    ]


def _last(words: Sequence[str], mention: PairMention) -> str:
    return words[mention.end - 1] if mention.end > mention.begin else ""
