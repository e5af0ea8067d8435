"""Large changes in short transactions: SQLite has one writer, and it must not wait long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db import connection

from annotation.collector import uncollected

ROWS = 1_000  # of one batch that passes through Python
# Of one transaction, so that on SQLite it holds the writers' lock for less than 50 ms
# (`./run bench bench_locks`):
CHANGED = 100  # rows, each by values of its own
DELETED = 250  # with what hangs on them
SET_BASED_ROWS = 15_000  # that stay in the database


def batches(items: Iterable[Any], size: int = ROWS) -> Iterator[list[Any]]:
    """Lists of at most `size`, whatever the length of `items`."""
    batch: list[Any] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def insert(rows: Sequence[Any]) -> None:
    """Some rows of one model in a transaction of their own, in which nothing is collected."""
    if rows:
        with uncollected():
            type(rows[0])._base_manager.bulk_create(rows)


def id_ranges(table: str, owner: str, owner_id: int) -> Iterator[tuple[int, int]]:
    """(after, up to) ids of the rows of `table` whose column `owner` is `owner_id`, in order."""
    after = 0
    while True:
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT max(id) FROM (SELECT id FROM {table} "
                f"WHERE {owner} = %s AND id > %s ORDER BY id LIMIT %s) AS batch",
                [owner_id, after, SET_BASED_ROWS],
            )
            (end,) = cursor.fetchone()
        if end is None:
            return
        yield after, end
        after = end
