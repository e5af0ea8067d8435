"""Cells that a spreadsheet would run: guarded where they are written, bare again when read."""

from __future__ import annotations

import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.formats.tables import (
    BrokenTable,
    csv_row,
    csv_rows,
    guarded,
    tab_cells,
    tab_row,
    unguarded,
)
from tests.spreadsheet import is_run, nasty_texts


@pytest.mark.parametrize(
    "text",
    [
        "=1+1", "+1+1", "-1+1", "-", "@SUM(1)", "\t=1", "\r=1", "\n=1", " =1", "\u3000=1",
        "\u00a0+1+1", "\ufeff=1", "\u200b@A1", "＝1+1", "＋1", "－1", "＠A1", "﹦1", "-1e", "+-1",
        "-1,5", "-٣", "=cmd|'/c calc'!A0", " -3", "'", "'=1", "'tis", "''", "-3'",
    ],
)  # fmt: skip
def test_a_text_that_could_be_run_is_guarded_and_comes_back(text):
    assert guarded(text) == "'" + text
    assert unguarded(guarded(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "Ada", "-3", "+1e5", "-0.5", "-.5", "+3.", "−3", "1-2", "a=b", "(=1)", "é", "…", "d'or"],
)
def test_numbers_and_plain_texts_stay_as_they_are(text):
    assert guarded(text) == text
    assert unguarded(text) == text


@pytest.mark.parametrize("cell", ["'tis", "'", "'-3", "'90s"])
def test_an_apostrophe_that_guards_nothing_is_the_file_s_own(cell):
    assert unguarded(cell) == cell


@given(nasty_texts)
def test_a_guarded_cell_is_not_run_and_comes_back_as_it_was(text):
    assert unguarded(guarded(text)) == text
    assert not is_run(guarded(text))


@given(st.lists(nasty_texts, min_size=2))
def test_a_row_of_csv_is_one_row_to_every_reader(cells):
    line = csv_row(cells)
    assert list(csv.reader(StringIO(line, newline=""), strict=True)) == [[*map(guarded, cells)]]
    assert [row for _, row in csv_rows(StringIO(line, newline=""), skip_blanks=True)] == [cells]


def test_harmless_rows_of_csv_are_as_the_standard_library_writes_them():
    rows = [["a", 'b "c"', "d,e", "f\ng"], [1, -2.5, None, 0.1 + 0.2], ["", "-3", "x y", "é"]]
    expected = StringIO()
    csv.writer(expected, lineterminator="\n").writerows(rows)
    assert "".join(map(csv_row, rows)) == expected.getvalue()


@given(st.lists(nasty_texts, min_size=1))
def test_a_row_with_tabs_is_one_line_of_as_many_cells(cells):
    line = tab_row(cells)
    assert line.splitlines(keepends=True) == [line]
    assert not any(map(is_run, line[:-1].split("\t")))
    assert tab_cells(line[:-1]) == [" ".join(cell.split()) for cell in cells]


def test_a_table_that_is_none_says_from_which_line_on():
    with pytest.raises(BrokenTable, match="unexpected end of data") as error:
        list(csv_rows(["a,b\n", "\n", '"c,d\n', "e,f\n"]))
    assert error.value.line == 3
