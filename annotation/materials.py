"""The one narrow read from which an interface gets all it needs to know of a task."""

from __future__ import annotations

from typing import Any

from annotation.interfaces import Material

# Material's field → the column, seen from a task. Only these are read: the worker's cycle runs
# this query twice, and every column that it does not need costs as much as one that it does.
COLUMNS = {
    "schema": "campaign__project__schema",
    "options": "campaign__options",
    "payload": "payload",
    "text": "document__text",
    "tokens": "document__tokens",
    "sentences": "document__sentences",
    "text_direction": "campaign__project__text_direction",
    "language": "campaign__project__language",
}


def columns(prefix: str = "") -> list[str]:
    """Names for `.values(…)`; `prefix` leads from the queried row to its task."""
    return [prefix + column for column in COLUMNS.values()]


def material_of(row: dict[str, Any], prefix: str = "") -> Material:
    """The material of a row that `.values(*columns(prefix))` gave; no document: empty text."""
    given = {name: row[prefix + column] for name, column in COLUMNS.items()}
    return Material(**{name: value for name, value in given.items() if value is not None})
