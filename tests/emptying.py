"""How the tables are emptied after a test that had transactions of its own.

Django's way empties all tables and makes the content types and permissions anew: 35 ms on SQLite
after each test of a page. Here only what has rows is emptied, and those two stay as they are.
"""

from __future__ import annotations

from functools import cache

from django.db import DatabaseError, connection, transaction
from django.test import TransactionTestCase

FILLED_BY_MIGRATE = {"django_content_type", "auth_permission"}


def empty_tables(*_: TransactionTestCase) -> None:
    """Takes the place of TransactionTestCase._fixture_teardown.

    A page that is closed may still be saving. PostgreSQL then ends one of the two as a deadlock,
    and it is done once more.
    """
    for last in (False, False, False, True):
        try:
            return _empty()
        except DatabaseError:
            if last:
                raise


def _empty() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"LOCK TABLE {', '.join(_tables())}")
            cursor.execute("SET LOCAL touchstone.erase = 'on'")  # answers, which are kept otherwise
        rows = (f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {table})" for table in _tables())
        cursor.execute(" UNION ALL ".join(rows))
        for (table,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {table}")


@cache
def _tables() -> tuple[str, ...]:
    names = set(connection.introspection.django_table_names(only_existing=True))
    return tuple(sorted(connection.ops.quote_name(name) for name in names - FILLED_BY_MIGRATE))
