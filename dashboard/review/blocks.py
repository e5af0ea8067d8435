"""The text of a reviewed document: lanes for the sentence in dispute, the rest to be read as it is.

A block is a run of segments of one passage. Where workers differ it is shown as lanes; elsewhere
its words flow, with the names of the consensus marked among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from dashboard.documents.lanes import DocumentPart, Mark, Segment, Word

Range = tuple[int, int]  # [first token, after the last)


@dataclass(frozen=True, slots=True)
class Piece:
    """A segment, and whether the dispute itself lies in it."""

    segment: Segment
    is_here: bool


@dataclass(frozen=True, slots=True)
class Run:
    """Words that flow: a name of the consensus, or what stands between two; `after` is a blank."""

    text: str
    mark: Mark | None = None
    after: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    pieces: Sequence[Piece]
    runs: Sequence[Run]
    is_disputed: bool


def passages_of(
    shown: DocumentPart,
    words: Sequence[Word],
    marks: Sequence[Mark],
    sentences: Sequence[Sequence[int]],
    dispute: Range,
) -> list[list[Block]]:
    """An empty `dispute` leaves the whole text to be read."""
    around = _sentences_around(sentences, dispute)
    outer = sorted((mark for mark in marks if mark.colour), key=lambda one: (one.start, -one.end))
    passages, first = [], shown.start
    for passage in shown.passages:
        placed = []
        for segment in passage:
            placed.append((first, segment))
            first += len(segment.words)
        blocks = []
        for is_disputed, group in groupby(placed, lambda one: _meets(one, around)):
            own = list(group)
            start, end = own[0][0], own[-1][0] + len(own[-1][1].words)
            pieces = [Piece(one[1], _meets(one, dispute)) for one in own]
            blocks.append(Block(pieces, list(_runs(words, outer, start, end)), is_disputed))
        passages.append(blocks)
    return passages


def _sentences_around(sentences: Sequence[Sequence[int]], dispute: Range) -> Range:
    met = [one for one in sentences if one[0] < dispute[1] and dispute[0] < one[1]]
    return (met[0][0], met[-1][1]) if met else dispute


def _meets(placed: tuple[int, Segment], part: Range) -> bool:
    first, segment = placed
    return first < part[1] and part[0] < first + len(segment.words)


def _runs(words: Sequence[Word], marks: Sequence[Mark], start: int, end: int) -> Iterator[Run]:
    """`marks` in order. A name inside a name is left to the lanes, and so is the part of a name
    that another block has."""
    at = start
    for mark in marks:
        if not at <= mark.start < mark.end <= end:
            continue
        if at < mark.start:
            yield Run(_joined(words, at, mark.start))
        text = _joined(words, mark.start, mark.end)
        yield Run(text.rstrip(), mark, text[len(text.rstrip()) :])
        at = mark.end
    if at < end:
        yield Run(_joined(words, at, end))


def _joined(words: Sequence[Word], start: int, end: int) -> str:
    return "".join(word.text for word in words[start:end])
