"""Tables whose cells are parted by tabs: what makes their columns stand below each other."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

STOP = 8  # letters from one tab stop to the next, as browsers have it
ROOM = 5  # letters beside the widest cell: a blank, and the type of a name that is marked in it
WIDEST = 32  # letters of a column; a longer cell moves what follows it in its line alone
LEAST_TABS = 2  # of a line of a table; one alone may part a speaker from what they say
LONGEST_LINE = 30  # tokens of a line of a table


class _Tab(NamedTuple):
    gap: int
    column: int
    width: int  # of the cell before it, in letters


def column_gaps(tokens: Sequence[str], gaps: Sequence[str]) -> dict[int, str]:
    """Number of a gap → what is drawn in its place: blanks before the tab, up to the last stop
    before the next column. The tab itself takes up what a mark adds to its cell."""
    laid: dict[int, str] = {}
    if not any("\t" in gap for gap in gaps):
        return laid
    lines = [list(_tabs(line, tokens, gaps)) for line in _lines(gaps)]
    for is_table, group in groupby(lines, key=lambda tabs: len(tabs) >= LEAST_TABS):
        table = list(group)
        if not is_table or len(table) == 1:
            continue
        tabs = [tab for line in table for tab in line]
        ends: dict[int, int] = defaultdict(int)
        for tab in tabs:
            end = min(tab.width + ROOM - 1, WIDEST - 1) // STOP * STOP
            ends[tab.column] = max(ends[tab.column], end)
        for gap, column, width in tabs:
            laid.setdefault(gap, gaps[gap][: gaps[gap].rfind("\n") + 1])
            laid[gap] += " " * (ends[column] - width) + "\t"
    return laid


def _lines(gaps: Sequence[str]) -> Iterator[range]:
    """The tokens of each line."""
    count = len(gaps) - 1
    starts = [i for i in range(count) if i == 0 or "\n" in gaps[i]]
    return map(range, starts, [*starts[1:], count])


def _tabs(line: range, tokens: Sequence[str], gaps: Sequence[str]) -> Iterator[_Tab]:
    """Of a line that is short enough to be one of a table."""
    column = width = 0
    for i in line if len(line) <= LONGEST_LINE else ():
        gap = gaps[i].rpartition("\n")[2]
        for _ in range(gap.count("\t")):
            yield _Tab(i, column, width)
            column, width = column + 1, 0
        width += (0 if "\t" in gap else len(gap)) + _width(tokens[i])


def _width(token: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in token)
