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
MOST_MARKS = 4  # of which more sentences are shown
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


def some(options: Sequence[Option]) -> list[Option]:
    """The first of what there is to choose, and what is right; "…" says that there is more."""
    shown = [one for i, one in enumerate(options) if i < MOST_OPTIONS or one.is_right]
    return shown if len(shown) == len(options) else [*shown, Option("…")]


def beginning(text: str) -> str:
    """Of a whole text as much as one can judge it by: up to a word's end where it is long."""
    text, most = text.lstrip(), 2 * LONGEST
    return text if len(text) <= most else f"{text[:most].rsplit(maxsplit=1)[0]}…"


def marked(
    material: Material, marks: Sequence[Mark], reasons: Sequence[Sequence[int]] | None = None
) -> tuple[Piece, ...]:
    """The sentences around the first marks, as long as they are short; nothing where none fits.

    Where what is shown has to follow from the text, `reasons` are the spans that say so, perhaps
    none: then a short text is shown whole, and of a long one their sentences, or what follows.
    """
    chosen: list[Mark] = []
    first = last = -1
    for mark in sorted(marks):
        if chosen and mark[0] < chosen[-1][1]:
            continue
        start, end = _around(material, mark[0], mark[1])
        if not chosen:
            first, last = start, end
        elif len(chosen) < MOST_MARKS and max(last, end) - first <= LONGEST:
            last = max(last, end)
        elif mark[1] > last:
            break  # what is shown has all of its marks: a name without one would look wrong
        chosen.append(mark)
    if not chosen:
        return ()
    parts = [(first, last)] if reasons is None else _reasoned(material, (first, last), reasons)
    pieces: list[Piece] = []
    for number, (at, end_of) in enumerate(parts):
        pieces.append(Piece(" … " if number else ""))
        for start, end, label, look in chosen:
            if at <= start and end <= end_of:
                pieces += [
                    Piece(material.text[at:start]), Piece(material.text[start:end], label, look)
                ]  # fmt: skip
                at = end
        pieces.append(Piece(material.text[at:end_of]))
    return tuple(piece for piece in pieces if piece.text)


Part = tuple[int, int]  # of the text, in code points


def _reasoned(material: Material, part: Part, reasons: Sequence[Sequence[int]]) -> Sequence[Part]:
    """A part of the text with what lets one judge it."""
    text = material.text
    whole = (len(text) - len(text.lstrip()), len(text.rstrip()))
    if whole[1] - whole[0] <= LONGEST:
        return [whole]
    if not reasons:
        start, end = part
        for first, after in material.sentences:
            if after > first and material.tokens[first][0] >= end:
                end_of = material.tokens[after - 1][1]
                if end_of - start > LONGEST:
                    break
                end = end_of
        return [(start, end)]
    parts = [part]
    for start, end in reasons:
        more = _joined(text, [*parts, _around(material, start, end)])
        if sum(end - start for start, end in more) <= 2 * LONGEST:
            parts = more
    return parts


def _joined(text: str, parts: Sequence[Part]) -> list[Part]:
    """In the order of the text; between two that become one there is nothing but blanks."""
    joined: list[Part] = []
    for start, end in sorted(parts):
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


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
