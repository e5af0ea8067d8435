"""Spans of a document: reading them, telling which overlap; and its text for a page.

Inside the interfaces a span is (first token, last token + 1). Code points come in and go out
through a Grid alone.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any

from annotation.interfaces import Material
from annotation.interfaces.reading import Field
from annotation.sentences import Problem, shown
from annotation.text.columns import column_gaps

Span = tuple[int, int]
TypedSpan = tuple[int, int, str]


class Grid:
    """The tokens of a document as a ruler between token numbers and code points."""

    def __init__(self, material: Material):
        self.text = material.text
        self.tokens = material.tokens

    # Made where a file is read, whose edges may be anything: an answer that is known to be right
    # looks few of them up, and would pay for all the words of its text.
    @cached_property
    def starts(self) -> dict[int, int]:
        return {start: i for i, (start, _) in enumerate(self.tokens)}

    @cached_property
    def ends(self) -> dict[int, int]:
        return {end: i + 1 for i, (_, end) in enumerate(self.tokens)}

    def characters(self, span: Span) -> list[int]:
        """[start, end) in code points of a span that is not empty."""
        return [self.tokens[span[0]][0], self.tokens[span[1] - 1][1]]

    def words(self, start: int, end: int) -> Span:
        """The token numbers of code points that are known to lie on the edges of tokens."""
        first = bisect_left(self.tokens, start, key=itemgetter(0))
        return first, bisect_left(self.tokens, end, lo=first, key=itemgetter(1)) + 1

    def covered(self, start: int, end: int) -> Span:
        """The token numbers of all that code points touch, wherever they begin and end."""
        first = bisect_right(self.tokens, start, key=itemgetter(1))
        return first, max(bisect_left(self.tokens, end, lo=first, key=itemgetter(0)), first)

    def quoted(self, span: Span) -> str:
        """The text of a span, cut to fit into a message."""
        start, end = self.characters(span)
        return shown(self.text[start:end])


# Reads the two ends of a span in one of the two units; None where it refused them. The last
# argument says of what, for the sentence: "mention", "evidence" or "part".
ReadSpan = Callable[[Field, Field, Grid, str], Span | None]


def read_words(first: Field, last: Field, grid: Grid, what: str) -> Span | None:
    """A span that a page sent: token numbers, the end exclusive."""
    start, end = first.whole(), last.whole()
    if start is None or end is None:
        return None
    count = len(grid.tokens)
    if outside := _outside(first, last, start, end, count):
        outside.refuse("span.outside_words", what=what, start=start, end=end, number=count)
        return None
    return None if _is_empty(last, start, end, what) else (start, end)


def read_characters(first: Field, last: Field, grid: Grid, what: str) -> Span | None:
    """A span of an import: code points, the end exclusive, on the edges of tokens."""
    start, end = first.whole(), last.whole()
    if start is None or end is None:
        return None
    size = len(grid.text)
    if outside := _outside(first, last, start, end, size):
        outside.refuse("span.outside_text", what=what, start=start, end=end, number=size)
        return None
    if _is_empty(last, start, end, what):
        return None
    for field, edge, edges in ((first, start, grid.starts), (last, end, grid.ends)):
        if edge not in edges:
            field.refuse_as(_off_the_grid(edge, edges, grid, what=what, start=start, end=end))
    if start in grid.starts and end in grid.ends:
        return grid.words(start, end)
    return None


def _outside(first: Field, last: Field, start: int, end: int, size: int) -> Field | None:
    """The end that is not from 0 to `size`."""
    if start >= 0 and end <= size:
        return None
    return first if start < 0 or start >= size else last


def _is_empty(last: Field, start: int, end: int, what: str) -> bool:
    if end > start:
        return False
    last.refuse("span.empty", what=what, start=start, end=end)
    return True


def _off_the_grid(edge: int, edges: dict[int, int], grid: Grid, **span: Any) -> Problem:
    after = bisect_left(grid.tokens, edge, key=itemgetter(0))  # the first that starts there or on
    near = grid.tokens[max(after - 1, 0) : after + 1]
    if not near:
        return Problem("span.no_words", **span)
    first, last = near[0]
    if first < edge < last:
        cut = shown(grid.text[first:last])
        return Problem("span.cuts_word", **span, word=cut, first=first, last=last)
    nearest = min(
        (at for token in near for at in token if at in edges), key=lambda at: abs(at - edge)
    )
    return Problem("span.between_words", **span, edge=edge, nearest=nearest)


def read_ranges(field: Field, grid: Grid, read: ReadSpan, what: str) -> list[Span]:
    """A list of [start, end] pairs, sorted, with those that touch joined."""
    joined: list[Span] = []
    found = []
    for item in field.items(most=max(len(grid.tokens), 1)):
        pair = item.pair()
        span = pair and read(*pair, grid, what)
        if span:
            found.append(span)
    for start, end in sorted(found):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def clashes(spans: Sequence[Span], nested: bool) -> Iterator[tuple[int, int]]:
    """Index pairs (the later, the earlier) of spans that must not stand together.

    With `nested` a span may lie inside another; crossing it, or covering the very same tokens,
    it may not. If nothing comes out, no two spans clash.
    """
    around: list[int] = []  # spans that the sweep is inside of, outermost first
    for i in sorted(range(len(spans)), key=lambda i: (spans[i][0], -spans[i][1])):
        start, end = spans[i]
        while around and spans[around[-1]][1] <= start:
            around.pop()
        if around:
            outer = spans[around[-1]]
            if not nested or end > outer[1] or outer == (start, end):
                yield max(i, around[-1]), min(i, around[-1])
                continue
        around.append(i)


def text_data(material: Material) -> dict[str, Any]:
    """The document for a page. `gaps` has one element more than `tokens`: the text between. It has
    a `title` where the document does, and `columns` where tabs make a table: see `column_gaps`."""
    ends = [0, *(end for _, end in material.tokens)]
    starts = [*(start for start, _ in material.tokens), len(material.text)]
    tokens = [material.text[start:end] for start, end in material.tokens]
    gaps = [material.text[end:start] for end, start in zip(ends, starts, strict=True)]
    more = {"title": material.title, "columns": column_gaps(tokens, gaps)}
    return {name: one for name, one in more.items() if one} | {
        "tokens": tokens,
        "gaps": gaps,
        "sentences": [list(sentence) for sentence in material.sentences],
        "direction": material.text_direction,
        "language": material.language,
    }
