"""Tables, CSV or with tabs between the cells: the only place where one is written or read.

People open them in spreadsheets, and a spreadsheet runs a cell that begins with = as a formula; +,
-, @ and blanks before them may do the same. Names and answers come from strangers, so every text
cell that could be taken for one is written with an apostrophe before it. Reading takes that
apostrophe away again: a text that begins with one itself gets a second, so that each cell comes
back as it was.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from typing import Any
from unicodedata import normalize

GUARD = "'"
BEGINS = frozenset("=+-@")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
QUOTED = re.compile(r'[",\r\n]')


class BrokenTable(Exception):
    """What begins in `line` is no CSV."""

    def __init__(self, line: int, reason: str):
        self.line, self.reason = line, reason
        super().__init__(reason)


def guarded(text: str) -> str:
    return GUARD + text if _looks_like_formula(text) else text


def unguarded(cell: str) -> str:
    """The text of which `guarded` made the cell. An apostrophe that guards nothing stays."""
    if cell.startswith(GUARD) and _looks_like_formula(cell[1:]):
        return cell[1:]
    return cell


def _looks_like_formula(text: str) -> bool:
    """Or begins with the guard, or with what can't be seen: a blank, a tab, a mark of width 0.

    The wide forms of East Asian keyboards are the same to a spreadsheet as the narrow ones.
    """
    first = text[:1]
    if first.isalnum() or not first:
        return False
    if first == GUARD or first == " " or not first.isprintable():
        return True
    return normalize("NFKC", first) in BEGINS and not NUMBER.fullmatch(text)


# --- Writing ------------------------------------------------------------------------------------


def csv_row(cells: Iterable[Any]) -> str:
    """The line of a row, with its end. None is an empty cell; only texts are guarded."""
    return ",".join(map(_csv_cell, cells)) + "\n"


def _csv_cell(value: Any) -> str:
    """As csv.writer has it, which leaves a lone \\r without quotes: for readers a new row."""
    text = _written(value)
    return '"' + text.replace('"', '""') + '"' if QUOTED.search(text) else text


def tab_row(cells: Iterable[Any]) -> str:
    """Likewise. White space in a text becomes single blanks: a row is one line."""
    return (
        "\t".join(
            _written(" ".join(cell.split()) if isinstance(cell, str) else cell) for cell in cells
        )
        + "\n"
    )


def _written(value: Any) -> str:
    if isinstance(value, str):
        return guarded(value)
    return "" if value is None else str(value)


# --- Reading ------------------------------------------------------------------------------------


def csv_rows(
    lines: Iterable[str], *, skip_blanks: bool = False, delimiter: str = ","
) -> Iterator[tuple[int, list[str]]]:
    """The number of its last line and the cells of each row that is not empty.

    `skip_blanks` leaves out those after a comma. Raises BrokenTable.
    """
    rows = csv.reader(lines, strict=True, skipinitialspace=skip_blanks, delimiter=delimiter)
    good = 0  # the last line that could be read
    try:
        for row in rows:
            good = rows.line_num
            if row:
                # Nearly all rows have no apostrophe anywhere.
                yield good, [*map(unguarded, row)] if GUARD in "".join(row) else row
    except csv.Error as error:
        raise BrokenTable(good + 1, str(error)) from error


def tab_cells(line: str) -> list[str]:
    return [unguarded(cell) for cell in line.split("\t")]
