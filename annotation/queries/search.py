"""Search in a project's knowledge base while a worker types: a fixed number of queries.

Exact names come first, then exact aliases, then names and aliases that begin with the text, in
the order of code points: one walk of one index gives all three in this order. Where they are too
few, and the text has three letters or more, names that hold it follow, the most similar first;
and where nothing was found, on PostgreSQL, names that resemble it, so that a slip of the finger
does no harm. There each step looks at a bounded number of rows: a text of one letter, or one that
half of the names hold, costs no more than another. An entry that nothing describes comes with the
sentence that it was found in; see `entry_places`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import connection, transaction

from annotation.formats.knowledge import MOST_ALIASES
from annotation.models import Entity
from annotation.models.knowledge import LONGEST_FOLDED
from annotation.queries.entry_places import Seen, seen_in_text
from annotation.text.folding import fold

RESULTS = 8
LONGEST_QUERY = 100
SHORTEST_INSIDE = 3  # letters from which on the text is also looked for inside names
HOLDING = 1_000  # names that hold the text and are looked at: the best of them are taken
RESEMBLING = 300  # of those that resemble it: to compare them takes longer
# One entity may have all of its names side by side in the order of names.
WALKED = (RESULTS + 1) * (MOST_ALIASES + 1)
NOT_SEEN = Seen("", "")
LAST = "\U0010ffff"  # sorts behind whatever continues a text

# How much of the text has to be found again in one piece of a name. A slip of the finger spoils
# four trigrams, half of those of a word of eight letters. The second share, for short texts, is
# tried where the first finds nothing: the less is asked for, the more names have to be compared.
# A long text is looked up by its beginning, and what comes of it is sorted by the whole.
LIKENESS = (0.6, 0.45)
LONG = 16  # letters
LOOKED_UP = 32

PREFIX = """
    SELECT entity_id, number FROM annotation_entityname
    WHERE project_id = %s AND folded{binary} >= %s AND folded{binary} < %s
    ORDER BY folded{binary}, number, entity_id LIMIT %s
"""
INSIDE = {
    "postgresql": """
        SELECT entity_id, number FROM (
            SELECT * FROM annotation_entityname
            WHERE project_id = %s AND folded LIKE '%%' || %s || '%%' LIMIT %s
        ) AS held
        ORDER BY similarity(folded, %s) DESC, folded COLLATE "C", number, entity_id
    """,
    # Reads every name of the project: right, and quick enough for some ten thousand of them.
    "sqlite": """
        SELECT entity_id, number FROM annotation_entityname
        WHERE project_id = %s AND instr(folded, %s) > 0
        ORDER BY length(folded), folded, number, entity_id LIMIT %s
    """,
}
LIKE_IT = """
    SELECT entity_id, number FROM (
        SELECT * FROM annotation_entityname
        WHERE project_id = %s AND %s <%% folded LIMIT %s
    ) AS near
    ORDER BY word_similarity(%s, folded) DESC, similarity(folded, %s) DESC,
             folded COLLATE "C", number, entity_id
"""
# Compiling such a query takes longer than running it; and the planner, which knows nothing of how
# rare a trigram is, would rather walk another index and compare every name.
PLANNING = """
    SELECT set_config('pg_trgm.word_similarity_threshold', %s, true),
           set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true),
           set_config('jit', 'off', true)
"""

BestNames = dict[int, int]  # entity → the number of its name that was found, best first


def search_entities(project_id: int, text: str) -> tuple[list[dict[str, Any]], bool]:
    """At most eight entries, and whether there are more. At most eight queries."""
    query = fold(text)[:LONGEST_FOLDED]
    best_names: BestNames = {}
    if not query:
        return [], False
    _add(
        best_names, _rows(PREFIX.format(binary=_binary()), project_id, query, query + LAST, WALKED)
    )
    if len(best_names) <= RESULTS and len(query) >= SHORTEST_INSIDE:
        _add(best_names, _inside(project_id, query))
    if not best_names and len(query) >= SHORTEST_INSIDE and connection.vendor == "postgresql":
        _add(best_names, _resembling(project_id, query))
    best = dict(list(best_names.items())[:RESULTS])
    return _entries(project_id, best), len(best_names) > RESULTS


def entities_of_keys(project_id: int, keys: list[str]) -> list[dict[str, Any]]:
    """The entries that are there, in the order of `keys`. One query."""
    rows = {
        entity.key: entity for entity in Entity.objects.filter(project=project_id, key__in=keys)
    }
    return [_entry(rows[key], 0, NOT_SEEN) for key in dict.fromkeys(keys) if key in rows]


def _inside(project_id: int, query: str) -> list[tuple[int, int]]:
    sql = INSIDE[connection.vendor]
    if connection.vendor == "postgresql":
        return _rows(sql, project_id, _escaped(query), HOLDING, query)
    return _rows(sql, project_id, query, HOLDING)


def _resembling(project_id: int, query: str) -> list[tuple[int, int]]:
    """Names with most of the text's trigrams, in spite of a slip or two."""
    rows: list[tuple[int, int]] = []
    with transaction.atomic():  # the settings end with it
        for share in LIKENESS if len(query) < LONG else LIKENESS[:-1]:
            _rows(PLANNING, str(share))
            rows = _rows(LIKE_IT, project_id, query[:LOOKED_UP], RESEMBLING, query, query)
            if rows:
                break
    return rows


def _binary() -> str:
    """Code points decide, whatever the database's language; SQLite knows no other order."""
    return ' COLLATE "C"' if connection.vendor == "postgresql" else ""


def _escaped(query: str) -> str:
    for sign in "\\%_":
        query = query.replace(sign, f"\\{sign}")
    return query


def _rows(sql: str, *parameters: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return cursor.fetchall()


def _add(best_names: BestNames, rows: Iterable[tuple[int, int]]) -> None:
    """The first name of an entity is its best one; enough is one more than are shown."""
    for entity, number in rows:
        best_names.setdefault(entity, number)
        if len(best_names) > RESULTS:
            return


def _entries(project_id: int, best_names: BestNames) -> list[dict[str, Any]]:
    rows = Entity.objects.in_bulk(best_names)
    seen = seen_in_text(project_id, rows.values())
    # One that an import took away in between is left out.
    return [
        _entry(rows[pk], number, seen.get(rows[pk].key, NOT_SEEN))
        for pk, number in best_names.items()
        if pk in rows
    ]


def _entry(entity: Entity, number: int, seen: Seen) -> dict[str, Any]:
    """`alias` is the name by which it was found, where that is not its own."""
    return {
        "key": entity.key,
        "name": entity.name,
        "description": entity.description,
        "type": entity.type,
        "url": entity.url,
        "alias": entity.aliases[number - 1] if 0 < number <= len(entity.aliases) else None,
        "sentence": seen.sentence,
        "document": seen.document,
    }
