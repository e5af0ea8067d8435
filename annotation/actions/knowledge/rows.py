"""Entries and the names by which they are found, in and out of their two tables."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db import connection

from annotation.formats.knowledge import EntryRecord
from annotation.models import EntityName, Project
from annotation.models.knowledge import LONGEST_FOLDED
from annotation.text.folding import fold

# A batch travels as one JSON text: a parameter for each value would take as long as the insert.
PUT_ENTRIES = """
    INSERT INTO annotation_entity (project_id, key, name, aliases, description, url, type)
    SELECT %s, {0}, {1}, CAST({2} AS {json}), {3}, {4}, {5} FROM {rows} WHERE true
    ON CONFLICT (project_id, key) DO UPDATE SET name = excluded.name, aliases = excluded.aliases,
        description = excluded.description, url = excluded.url, type = excluded.type
    RETURNING id, key
"""
PUT_NAMES = """
    INSERT INTO annotation_entityname (project_id, entity_id, number, folded)
    SELECT %s, CAST({0} AS bigint), CAST({1} AS smallint), {2} FROM {rows}
"""
KNOWN_ENTRIES = """
    SELECT id, key, name, aliases, description, url, type FROM annotation_entity
    WHERE project_id = %s AND key IN (SELECT {0} FROM {rows})
"""


class Entry(NamedTuple):
    record: EntryRecord
    names: dict[str, int]  # as `folded_names` gives them


def known_entries(project: Project, batch: list[Entry]) -> dict[str, tuple[int, tuple]]:
    """Key → (id, content) of the entries that are there already."""
    known = {}
    keys = [[item.record.key] for item in batch]
    for pk, key, name, aliases, *others in _run(KNOWN_ENTRIES, project, keys):
        names = json.loads(aliases) if isinstance(aliases, str) else aliases
        known[key] = pk, (name, names, *others)
    return known


def put_entries(project: Project, batch: list[Entry]) -> None:
    rows = [(item.record.key, *item.record.content()) for item in batch]
    ids = {key: pk for pk, key in _run(PUT_ENTRIES, project, rows)}
    names = [
        (ids[item.record.key], number, folded)
        for item in batch
        for folded, number in item.names.items()
    ]
    _run(PUT_NAMES, project, names)


def remove_names(entities: list[int]) -> None:
    EntityName.objects.filter(entity__in=entities).delete()


def folded_names(name: str, aliases: Iterable[str]) -> dict[str, int]:
    """Each name that is searched → its number: 0 is the name, n the n-th alias."""
    names: dict[str, int] = {}
    for number, text in enumerate((name, *aliases)):
        names.setdefault(fold(text)[:LONGEST_FOLDED], number)
    return names


def _run(sql: str, project: Project, rows: list[Any]) -> list[Any]:
    """A statement over `rows`, which stand for {rows}; {0}, {1}, … are the elements of one."""
    if connection.vendor == "postgresql":
        source, place = "jsonb_array_elements(%s) AS item(value)", "(value ->> {})"
        json_type = "jsonb"
    else:
        source, place = "json_each(%s) AS item", "json_extract(value, '$[{}]')"
        json_type = "text"
    places = [place.format(number) for number in range(len(rows[0]))]
    with connection.cursor() as cursor:
        statement = sql.format(*places, rows=source, json=json_type)
        cursor.execute(statement, [project.pk, json.dumps(rows, ensure_ascii=False)])
        return cursor.fetchall() if cursor.description else []


def refresh_statistics() -> None:
    """Or the first searches get a plan for an empty table, and read a list not yet sorted in."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT gin_clean_pending_list('entity_name_trigrams')")
        cursor.execute("ANALYZE annotation_entity")
        cursor.execute("ANALYZE annotation_entityname")
