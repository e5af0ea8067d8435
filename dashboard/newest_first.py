"""Lists whose newest row comes first, a page at a time: an address names the row before which the
older ones are shown, so that the last page of a million costs what the first one does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest


@dataclass(frozen=True, slots=True)
class NewestFirst:
    rows: list[Any]
    older: int | None  # the row id for `before` of the next page; None: this is the last
    is_first: bool


def before_of(request: HttpRequest, name: str = "before") -> int | None:
    """What an address asks for; what is no row id is taken as not given."""
    given = request.GET.get(name, "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 18 else None


def newest_first(rows: QuerySet[Any], before: int | None, number: int) -> NewestFirst:
    """At most `number` rows older than the one of this id. One query."""
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows.order_by("-pk")[: number + 1])
    shown = found[:number]
    return NewestFirst(shown, shown[-1].pk if len(found) > number else None, before is None)
