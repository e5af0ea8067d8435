"""What an entity holds beside its mentions: a link to the knowledge base, a normalised date."""

from __future__ import annotations

import re
from datetime import date

from annotation.interfaces.reading import Field
from annotation.interfaces.schema import NONE
from annotation.sentences import Problem, shown

LONGEST_LINK = 200
LONGEST_DATE = len("2015-04-25")

DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
WEEK = re.compile(r"([0-9]{4})-W([0-9]{2})")
DAY = re.compile(r"([0-9]{4}|XXXX)-([0-9]{2}|XX)-([0-9]{2}|XX)")


def read_link(field: Field) -> str | None:
    """The key of an entry of the knowledge base."""
    link = field.text(LONGEST_LINK)
    if link == NONE:
        field.refuse("link.none", name=NONE)
    return link


def link_label(link: str | None) -> str:
    """The name of a link in the project's labels."""
    return NONE if link is None else link


def read_date(field: Field) -> str | None:
    """A date as `2015-04-25`, `2015-W17`, or with X for what is not known: `2015-XX-XX`."""
    value = field.text(LONGEST_DATE)
    if value is not None and (problem := _date_problem(value)):
        field.refuse_as(problem)
    return value


def _date_problem(value: str) -> Problem | None:
    if week := WEEK.fullmatch(value):
        return _week_problem(int(week[1]), int(week[2]))
    if not (parts := DAY.fullmatch(value)):
        return Problem("date.form", value=shown(value))
    year, month, day = (None if "X" in part else int(part) for part in parts.groups())
    if year is None and month is None and day is None:
        return Problem("date.empty", value=value)
    if year == 0:
        return Problem("date.year_0")
    if month is not None and not 1 <= month <= 12:
        return Problem("date.month", month=month)
    days = DAYS[month - 1] if month else 31
    if month == 2 and year and not _is_leap(year):
        days = 28
    if day is not None and not 1 <= day <= days:
        return Problem("date.day", day=day, days=days)
    return None


def _week_problem(year: int, week: int) -> Problem | None:
    try:
        date.fromisocalendar(year, week, 1)
    except ValueError:
        return Problem("date.week", year=year, week=week)
    return None


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
