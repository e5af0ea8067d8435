"""What an answer comes to, so that equal answers to different tasks can be told: its class, that
nothing is marked, or the same words by their place. From judgments alone; no rows."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.interfaces import judgments
from annotation.interfaces.judgments import MISSING

Numbers = NDArray[np.signedinteger[Any]]
NO_CONTENT = -1
# Above all numbers of classes, and below what PATTERN sets apart.
NOTHING, EVERYTHING, ONE_PILE, ALONE = (kind << 40 for kind in (1, 2, 3, 4))
PATTERN = 1 << 62  # and the hash of the answer


@dataclass(frozen=True, slots=True)
class Content:
    """`kind`, as in `queries.words`, is class, value, nothing, everything, pile, alone or pattern;
    `number` that of the label, or of the step."""

    kind: str
    vocabulary: str = ""
    number: int = 0


class ContentReader:
    """Answers of one campaign as a key of what they come to, and as labels that can be compared
    within a task: at most `parts` of them, the same parts for all answers to it.

    `outside` is the number of the tag of words that are not marked.
    """

    def __init__(self, outside: int | None, parts: int):
        self.outside = outside
        self.parts = parts
        self.by_key: dict[int, Content] = {}
        self.keys = array("q")
        self.labels = array("i")
        self._places: dict[int, NDArray[np.int64]] = {}
        self._couples: dict[int, NDArray[np.int64]] = {}

    def add(self, data: bytes | memoryview) -> None:
        buffer = memoryview(data).cast("B")  # psycopg2 hands out characters
        vectors = judgments.directory(buffer)
        if "tags" in vectors:
            self._tags(_numbers(buffer, vectors["tags"]))
        elif "piles" in vectors:
            self._piles(_numbers(buffer, vectors["piles"]))
        else:
            self._class(buffer, vectors)

    def table(self) -> NDArray[np.int64]:
        """The labels, of shape (n_answers, parts), numbered anew from 0; MISSING where none is."""
        raw = np.array(self.labels, dtype=np.int64)
        used, place = np.unique(raw, return_inverse=True)
        none = int(np.searchsorted(used, 0))  # those below are MISSING
        return np.maximum(place.astype(np.int64) - none, MISSING).reshape(-1, self.parts)

    def _keep(self, key: int, labels: Numbers | list[int]) -> None:
        self.keys.append(key)
        if isinstance(labels, list):
            self.labels.extend(labels)
        else:
            self.labels.frombytes(labels[: self.parts].astype(np.intc).tobytes())
        self.labels.extend([MISSING] * (self.parts - len(labels)))

    def _class(self, buffer: memoryview, vectors: Mapping[str, tuple[int, int, int]]) -> None:
        """One number, or the first of a relation's parts; of a class with a value both count."""
        numbers = {name: _first(buffer, place) for name, place in vectors.items() if place[2]}
        if "parts" in numbers:
            numbers = {"relation": numbers["parts"]}
        if not numbers:
            self._keep(NO_CONTENT, [])
            return
        name, number = next(iter(numbers.items()))
        if len(numbers) > 1 or (vectors.get(name, (0, 0, 1))[2] > 1):
            key = _hashed(bytes(buffer))
            self.by_key[key] = Content("pattern")
        elif number < 0:  # a value that the worker was unsure of
            key = NO_CONTENT
        else:
            key = number
            self.by_key[key] = Content("value" if name == "value" else "class", name, number)
        self._keep(key, [number])

    def _tags(self, tags: Numbers) -> None:
        """Nothing, the whole text as one thing, or the places of what is marked. An answer that
        leaves words out without having marked any has no content: nobody said "nothing" there."""
        marked = np.flatnonzero((tags != self.outside) & (tags >= 0))
        if not marked.size:
            key = NOTHING if tags.size and (tags >= 0).all() else NO_CONTENT
            self.by_key[NOTHING] = Content("nothing")
        elif len(tags) > 1 and marked.size == len(tags) and (tags[1:] == tags[1]).all():
            key = EVERYTHING + int(tags[0])
            self.by_key[key] = Content("everything", "tag", int(tags[0]))
        else:  # the text's length is no part of it
            key = _hashed(tags[: marked[-1] + 1].astype("<i4").tobytes())
        self._keep(key, tags if len(tags) <= self.parts else tags[self._spread(len(tags))])

    def _spread(self, length: int) -> NDArray[np.int64]:
        """Places of a text that are compared, evenly over it."""
        if length not in self._places:
            self._places[length] = np.linspace(0, length - 1, self.parts).astype(np.int64)
        return self._places[length]

    def _piles(self, piles: Numbers) -> None:
        """One pile, each card alone, or which cards lie together. Each part is a pair of cards."""
        cards = self._pairs(len(piles))
        mine, theirs = piles[cards[0]], piles[cards[1]]
        known = (mine >= 0) & (theirs >= 0)
        together = np.where(known, mine == theirs, MISSING)
        different = len(np.unique(piles))
        if len(piles) < 2 or (piles < 0).all():
            key = NO_CONTENT
        elif (piles >= 0).all() and different in (1, len(piles)):
            key, kind = (ONE_PILE, "pile") if different == 1 else (ALONE, "alone")
            self.by_key[key] = Content(kind)
        else:
            key = _hashed(piles.astype("<i4").tobytes())
        self._keep(key, together)

    def _pairs(self, cards: int) -> NDArray[np.int64]:
        if cards not in self._couples:
            pairs = np.array([*combinations(range(cards), 2)], dtype=np.int64).reshape(-1, 2)
            chosen = np.linspace(0, len(pairs) - 1, min(len(pairs), self.parts)).astype(np.int64)
            self._couples[cards] = pairs[chosen].T
        return self._couples[cards]

    def contents(self) -> tuple[NDArray[np.int64], list[Content | None]]:
        """The number of each answer's content, NO_CONTENT without, and what each number stands
        for; None is a pattern of its own."""
        keys = np.array(self.keys, dtype=np.int64)
        some = keys != NO_CONTENT
        used, place = np.unique(keys[some], return_inverse=True)
        numbers = np.full(len(keys), NO_CONTENT, dtype=np.int64)
        numbers[some] = place
        return numbers, list(self._named(used))

    def _named(self, keys: NDArray[np.int64]) -> Iterator[Content | None]:
        return (self.by_key.get(key) for key in keys.tolist())


def _numbers(buffer: memoryview, place: tuple[int, int, int]) -> Numbers:
    offset, width, count = place
    return np.frombuffer(buffer, np.dtype(f"<i{width}"), count, offset)


def _first(buffer: memoryview, place: tuple[int, int, int]) -> int:
    offset, width, _ = place
    return int.from_bytes(buffer[offset : offset + width], "little", signed=True)


def _hashed(data: bytes) -> int:
    return (hash(data) & (PATTERN - 1)) | PATTERN
