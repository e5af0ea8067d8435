"""A document's answers laid under its text: each answer a lane, cut where the text may break.

The text is cut into segments of a few tokens that never cross a sentence; a segment holds its
words and, for every lane, the pieces of the marks that lie in it. So lines can break between
segments, whatever the width, and each lane stays under its words. Plain data, no rows.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

SEGMENT_TOKENS = 8  # the style sheet knows as many columns
SEGMENT_WIDTH = 18  # characters; a wide one counts twice
PASSAGE_TOKENS = 400  # a paragraph that is longer is told in several
PART_TOKENS = 3_000  # of a long document that a page shows
DEEPEST = 4  # rows that a lane has for marks inside marks; deeper ones share the last


@dataclass(frozen=True, slots=True)
class Mark:
    """A span [start, end) of tokens in one lane."""

    start: int
    end: int
    type: str
    colour: int  # 0: what was not looked at
    note: str = ""  # short, beside the type: a confidence, or the number of the entity
    title: str = ""  # all that is known, on hover
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Lane:
    key: str  # "consensus", "gold" or "worker"
    name: str
    marks: Sequence[Mark]

    @property
    def depth(self) -> int:
        """The most marks that lie over one token, up to DEEPEST."""
        most, open_ends = 1, list[int]()
        for mark in sorted(self.marks, key=lambda mark: (mark.start, -mark.end)):
            open_ends = [end for end in open_ends if end > mark.start] + [mark.end]
            most = max(most, len(open_ends))
        return min(most, DEEPEST)


@dataclass(frozen=True, slots=True)
class Word:
    text: str  # with the blanks behind it, so that it can be copied
    title: str = ""  # what the consensus is in doubt between
    doubt: int = 0  # 0: sure; 1: less so; 2: hardly


@dataclass(frozen=True, slots=True)
class Piece:
    """What of a mark lies in a segment: columns [first, last), counted from 1."""

    mark: Mark
    first: int
    last: int
    starts: bool
    ends: bool


@dataclass(frozen=True, slots=True)
class LaneRow:
    lane: Lane
    depth: int
    pieces: Sequence[Piece]


@dataclass(frozen=True, slots=True)
class Segment:
    words: Sequence[Word]
    above: Sequence[LaneRow]
    below: Sequence[LaneRow]


@dataclass(frozen=True, slots=True)
class LaneText:
    """`gaps` has one element more than `tokens`: the text between, before and after them."""

    tokens: Sequence[str]
    gaps: Sequence[str]
    sentences: Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """What of a long document a page shows; `number` counts from 1."""

    passages: list[list[Segment]]
    start: int  # the first token
    end: int  # after the last
    number: int = 1
    parts: int = 1


class _Cursor:
    """Hands out a lane's pieces, segment after segment in the order of the text."""

    def __init__(self, lane: Lane):
        self.lane, self.depth = lane, lane.depth
        self.marks = sorted(lane.marks, key=lambda mark: (mark.start, -mark.end))
        self.after = 0  # the first that no segment has reached
        self.open: list[Mark] = []

    def row(self, start: int, end: int) -> LaneRow:
        self.open = [mark for mark in self.open if mark.end > start]
        while self.after < len(self.marks) and self.marks[self.after].start < end:
            if self.marks[self.after].end > start:
                self.open.append(self.marks[self.after])
            self.after += 1
        pieces = [_piece(mark, start, end) for mark in self.open]
        return LaneRow(self.lane, self.depth, pieces)


def lay_out(
    text: LaneText,
    words: Sequence[Word],
    above: Sequence[Lane],
    below: Sequence[Lane],
    part: int = 1,
) -> DocumentPart:
    """The part's passages, each a list of segments. A part that is not there is the last."""
    passages = list(_passages(text))
    parts = list(_parts(passages))
    number = min(max(part, 1), len(parts))
    shown = parts[number - 1]
    over, under = [_Cursor(lane) for lane in above], [_Cursor(lane) for lane in below]
    joined = {
        i
        for lane in (*above, *below)
        if lane.key != "worker"
        for mark in lane.marks
        for i in range(mark.start + 1, mark.end)
    }
    laid = [
        [
            Segment(
                words[start:end],
                [cursor.row(start, end) for cursor in over],
                [cursor.row(start, end) for cursor in under],
            )
            for start, end in _segments(text, *passage, joined)
        ]
        for passage in shown
    ]
    start, end = (shown[0][0], shown[-1][1]) if shown else (0, 0)
    return DocumentPart(laid, start, end, number, len(parts))


def plain_words(text: LaneText) -> list[Word]:
    """Line breaks are kept as one blank: a passage ends there."""
    return [
        Word(f"{token} " if gap.isspace() else f"{token}{gap}")
        for token, gap in zip(text.tokens, text.gaps[1:], strict=True)
    ]


def _piece(mark: Mark, start: int, end: int) -> Piece:
    return Piece(
        mark,
        first=max(mark.start, start) - start + 1,
        last=min(mark.end, end) - start + 1,
        starts=mark.start >= start,
        ends=mark.end <= end,
    )


# --- Cutting ------------------------------------------------------------------------------------


def _passages(text: LaneText) -> Iterator[tuple[int, int]]:
    """[first token, after the last) of each paragraph; long ones end early, with a sentence."""
    count = len(text.tokens)
    breaks = {i for i, gap in enumerate(text.gaps) if "\n" in gap and 0 < i < count}
    ends = {end for _, end in text.sentences}
    start = 0
    for i in range(1, count + 1):
        full = i - start >= PASSAGE_TOKENS and (i in ends or i - start >= 2 * PASSAGE_TOKENS)
        if i == count or i in breaks or full:
            yield start, i
            start = i


def _parts(passages: Sequence[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """At least one, though it may be empty."""
    part: list[tuple[int, int]] = []
    for passage in passages:
        if part and passage[1] - part[0][0] > PART_TOKENS:
            yield part
            part = []
        part.append(passage)
    yield part


def _segments(text: LaneText, start: int, end: int, joined: Set[int]) -> Iterator[tuple[int, int]]:
    """A passage in pieces of a few tokens, cut where a sentence begins or the room is used up.

    Where there is a choice, what no blank divides stays together (a comma with its word), and so
    does a span of the consensus or of gold: `joined` are the tokens that go on one.
    """
    begins = {first for first, _ in text.sentences}
    first, width, better = start, 0, start  # `better`: the last good place for a cut
    for i in range(start, end):
        wide = _width(text.tokens[i])
        if i > first and text.gaps[i] and i not in joined:
            better = i
        full = i - first == SEGMENT_TOKENS or width + wide > SEGMENT_WIDTH
        if i > first and (full or i in begins):
            cut = i if i in begins or better == first else better
            yield first, cut
            first = better = cut
            width = sum(_room(text, j) for j in range(cut, i))
        width += _room(text, i)
    if first < end:
        yield first, end


def _room(text: LaneText, i: int) -> int:
    return _width(text.tokens[i]) + len(text.gaps[i + 1])


def _width(token: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in token)
