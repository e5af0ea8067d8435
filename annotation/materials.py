"""The one narrow read from which an interface gets all it needs to know of a task."""

from __future__ import annotations

from typing import Any

from annotation.interfaces import Material

# Material's field → the column, seen from a task. Only these are read: the worker's cycle runs
# this query twice, and every column that it does not need costs as much as one that it does.
FIELDS = {
    "schema": "campaign__project__schema",
    "options": "campaign__options",
    "payload": "payload",
    "text": "document__text",
    "tokens": "document__tokens",
    "sentences": "document__sentences",
    "text_direction": "campaign__project__text_direction",
    "language": "campaign__project__language",
}
MATERIAL_COLUMNS = list(FIELDS.values())


def material_of(row: dict[str, Any], before: str = "") -> Material:
    """The material of a row of `Task.objects.values(*MATERIAL_COLUMNS)`; no document: no text.

    `before` stands before every column where the row is read from another table, as "task__".
    """
    given = {name: row[before + column] for name, column in FIELDS.items()}
    return Material(**{name: value for name, value in given.items() if value is not None})
