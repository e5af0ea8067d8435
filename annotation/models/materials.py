"""The one narrow read from which an interface gets all it needs to know of a task."""

from __future__ import annotations

from typing import Any

from annotation.interfaces import Material
from annotation.models import Campaign

# Material's field → the column, seen from a task. Only these are read: the worker's cycle runs
# this query twice, and every column that it does not need costs as much as one that it does.
FIELDS = {
    "schema": "campaign__project__schema",
    "options": "campaign__options",
    "payload": "payload",
    "text": "document__text",
    "tokens": "document__tokens",
    "sentences": "document__sentences",
    "title": "document__title",
    "text_direction": "campaign__project__text_direction",
    "language": "campaign__project__language",
}
# Those of an open campaign see no names; where a list says who does what, tasks go by name.
MODE, KEY = "campaign__assignment", "campaign__secret"
DOCUMENT = "document__external_id"
MATERIAL_COLUMNS = [*FIELDS.values(), MODE, KEY, DOCUMENT]


def material_of(row: dict[str, Any], before: str = "") -> Material:
    """The material of a row of `Task.objects.values(*MATERIAL_COLUMNS)`; no document: no text.

    `before` stands before every column where the row is read from another table, as "task__".
    """
    given = {name: row[before + column] for name, column in FIELDS.items()}
    if given["title"] == row[before + DOCUMENT]:  # the id again: no worker is told it
        given["title"] = ""
    given["alias_key"] = alias_key(row[before + MODE], row[before + KEY])
    return Material(**{name: value for name, value in given.items() if value is not None})


def alias_key(assignment_mode: str, secret: str) -> str:
    """The key of `text.aliases.alias` for what a campaign's workers see; "": they see names."""
    return "" if assignment_mode == Campaign.AssignmentMode.ASSIGNED else secret
