"""One task with its answer, as small as it can be, for the page that comes before all tasks.

It is made of the first practice task: what its feedback would tell anyway. Plain data, which a page
draws without knowing the interface: a passage in pieces, of which some are marked, and what there
is to choose from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation.interfaces import Material
from annotation.sentences import Problem

LONGEST = 280  # characters of a passage, about; a whole sentence is longer where it has to be
MOST_MARKS = 4
MOST_OPTIONS = 4


@dataclass(frozen=True, slots=True)
class Piece:
    """Of a passage; `label` says what a marked one is, `look` are the classes of its colour."""

    text: str
    label: str = ""
    look: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """What there is to choose, with its key; `is_right`: what is chosen here. A name that is no
    text of the campaign is a problem, for the page to write."""

    name: str | Problem
    key: str = ""
    look: str = ""
    is_right: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    pieces: tuple[Piece, ...]
    options: tuple[Option, ...]
    question: str | Problem = ""
    texts: tuple[Piece, ...] = ()  # that are compared, each with its title as label
    picture: dict[str, Any] | None = None  # {"src", "alt"}, perhaps with "width" and "height"
    scale: tuple[Option, ...] = ()  # its values, or of a long one the ends and what is chosen
    rows: tuple[Option, ...] = ()  # what is judged part by part; `is_right`: what is not true

    @property
    def shows_something(self) -> bool:
        return bool(self.pieces or self.texts or self.picture)

    @property
    def draws_itself(self) -> bool:
        return any(piece.label for piece in self.pieces)


Mark = tuple[int, int, str, str]  # start and end in code points, label, look


def beginning(text: str) -> str:
    """Of a whole text as much as one can judge it by: up to a word's end where it is long."""
    text, most = text.lstrip(), 2 * LONGEST
    return text if len(text) <= most else f"{text[:most].rsplit(maxsplit=1)[0]}…"


def marked(material: Material, marks: Sequence[Mark]) -> tuple[Piece, ...]:
    """The sentences around the first marks, as long as they are short; nothing where none fits."""
    chosen: list[Mark] = []
    first = last = -1
    for mark in sorted(marks):
        if chosen and (mark[0] < chosen[-1][1] or len(chosen) == MOST_MARKS):
            continue
        start, end = _around(material, mark[0], mark[1])
        if not chosen:
            first, last = start, end
        elif max(last, end) - first > LONGEST:
            break
        last = max(last, end)
        chosen.append(mark)
    if not chosen:
        return ()
    pieces, at = [], first
    for start, end, label, look in chosen:
        pieces += [Piece(material.text[at:start]), Piece(material.text[start:end], label, look)]
        at = end
    pieces.append(Piece(material.text[at:last]))
    return tuple(piece for piece in pieces if piece.text)


def _around(material: Material, start: int, end: int) -> tuple[int, int]:
    """The sentence of a span, or of a long one what is near."""
    for first, after in material.sentences:
        if after > first and material.tokens[after - 1][1] >= end:
            start_of = material.tokens[first][0]
            if start_of > start:
                break
            end_of = material.tokens[after - 1][1]
            if end_of - start_of <= 2 * LONGEST:
                return start_of, end_of
            break
    return max(0, start - LONGEST // 2), min(len(material.text), end + LONGEST // 2)
