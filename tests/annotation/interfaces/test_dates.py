"""Normalised dates: which can be, and what is said of the others."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.interfaces.reading import Field
from annotation.interfaces.values import read_date


def problem(value):
    field = Field(value)
    taken = read_date(field)
    assert taken == value
    return str(field.problems[0]) if field.problems else ""


@pytest.mark.parametrize(
    "value",
    [
        "2015-04-25", "2015-W17", "2015-W53", "2015-XX-XX", "2015-04-XX", "XXXX-04-25",
        "XXXX-XX-25", "XXXX-02-29", "2000-02-29", "0001-01-01",
    ],
)  # fmt: skip
def test_a_date_that_can_be_is_taken(value):
    assert problem(value) == ""


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("2015-02-29", "There is no day 29 in that month. Write 01 to 28, or XX."),
        ("1900-02-29", "There is no day 29"),
        ("XXXX-04-31", "There is no day 31 in that month. Write 01 to 30"),
        ("2015-00-01", "There is no month 0. Write 01 to 12, or XX."),
        ("2015-13-XX", "There is no month 13"),
        ("2015-XX-32", "There is no day 32"),
        ("2015-XX-00", "There is no day 0"),
        ("0000-01-01", "There is no year 0"),
        ("2014-W53", "The year 2014 has no week 53"),
        ("2015-W00", "has no week 0"),
        ("0000-W01", "The year 0 has no week 1"),
        ("XXXX-XX-XX", "says nothing. Send null."),
        ("2015", "'2015' is not written as a date. Write it as 2015-04-25"),
        ("2015-4-5", "not written as a date"),
        ("２０１５-04-25", "not written as a date"),
        ("2015-04-2X", "not written as a date"),
        ("2015-04-2\n", "not written as a date"),
    ],
)
def test_a_date_that_can_not_be_is_told(value, message):
    assert message in problem(value)


@given(st.dates())
def test_every_day_of_the_calendar_is_taken(day):
    year, week, _ = day.isocalendar()

    assert problem(day.isoformat()) == ""
    if date.min.year <= year <= date.max.year:
        assert problem(f"{year:04}-W{week:02}") == ""
