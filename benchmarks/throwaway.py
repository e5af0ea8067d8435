"""What benchmarks share: their smallest sizes, and a fresh, migrated database, dropped at the end.

SQLite in a temporary folder, or a new database on the server that DATABASE_URL names. Import this
before anything of Django: it sets the environment.
"""

from __future__ import annotations

import argparse
import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))


def parsed(parser: argparse.ArgumentParser, **smallest: object) -> argparse.Namespace:
    """The options. With --smoke those that are not named are `smallest`: sizes at which everything
    is still done, to see that the benchmark starts. Its figures mean nothing then."""
    parser.add_argument("--smoke", action="store_true", help="the smallest size: does it start?")
    if parser.parse_known_args()[0].smoke:
        parser.set_defaults(**smallest)
    return parser.parse_args()


def set_up() -> str:
    """Make the database and set Django up; the vendor's name.

    BENCH_TEMPLATE may name a migrated SQLite file, which is copied then: migrating takes longer
    than most smoke runs.
    """
    folder = tempfile.mkdtemp(prefix="touchstone-bench-")
    owner = os.getpid()

    def remove() -> None:
        if os.getpid() == owner:  # forked children leave it alone
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    os.environ["DATA_DIR"] = folder
    os.environ["SECRET_KEY"] = "only-for-benchmarks-" + "0123456789abcdef" * 4
    os.environ["SUBMIT_RATE"] = "100000/sec"  # no person is as quick as a benchmark's worker
    url = os.environ.get("DATABASE_URL", "")
    if url.startswith("postgres"):
        os.environ["DATABASE_URL"] = _new_postgresql_database(url, owner)
    else:
        os.environ["DATABASE_URL"] = f"sqlite:///{folder}/bench.sqlite3"
        if template := os.environ.get("BENCH_TEMPLATE"):
            shutil.copy(template, f"{folder}/bench.sqlite3")
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"

    import django
    from django.core.management import call_command
    from django.db import connection

    django.setup()
    if not os.environ.get("BENCH_TEMPLATE") or connection.vendor != "sqlite":
        call_command("migrate", verbosity=0)
    return connection.vendor


def collect_static() -> None:
    """What pages link to, as `./run` does before it serves.

    BENCH_STATIC may name the folder of files that were collected before.
    """
    from django.conf import settings
    from django.core.management import call_command

    if collected := os.environ.get("BENCH_STATIC"):
        Path(settings.STATIC_ROOT).symlink_to(collected)
        return
    call_command("collectstatic", interactive=False, verbosity=0)


def insert_documents(run, number: int, words: list[str]) -> None:
    """`number` documents of the same words, in one statement on both databases."""
    from annotation.models import Document

    spans, position = [], 0
    for word in words:
        spans.append([position, position + len(word)])
        position += len(word) + 1
    document = Document(
        project_id=run.project_id, import_run=run, text=" ".join(words), tokens=spans,
        sentences=[[0, len(words)]],
    )  # fmt: skip
    insert_numbered(document, number, external_id="'d' || i", line="i")


def insert_numbered(row, number: int, **columns: str) -> int:
    """`number` rows like `row`, past its model, in one statement on both databases; the first one's
    primary key, from which the others count on.

    `columns`: name of a column → SQL that makes its value of `i`, which counts from 0.
    """
    from django.db import connection
    from django.db.models.expressions import Expression

    fields = []
    for field in row._meta.concrete_fields:
        value = field.pre_save(row, add=True)
        if field.column in columns or not (
            field.generated
            or (value is None and field.primary_key)
            or isinstance(value, Expression)
        ):
            fields.append((field, value))
    parameters, made = [], []
    for field, value in fields:
        if field.column in columns:
            made.append(columns[field.column].replace("%", "%%"))
        else:  # a cast would change how SQLite keeps a value
            is_sqlite = connection.vendor == "sqlite"
            made.append("%s" if is_sqlite else f"CAST(%s AS {field.db_type(connection)})")
            parameters.append(field.get_db_prep_save(value, connection))
    table, key = row._meta.db_table, row._meta.pk.column
    names = ", ".join(field.column for field, _ in fields)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({names}) "
            "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %s) "
            f"SELECT {', '.join(made)} FROM n",
            [number - 1, *parameters],
        )
        cursor.execute(f"SELECT max({key}) - %s FROM {table}", [number - 1])
        return cursor.fetchone()[0]


def random_key() -> str:
    """SQL of a UUID."""
    from django.db import connection

    is_sqlite = connection.vendor == "sqlite"
    return "lower(hex(randomblob(16)))" if is_sqlite else "gen_random_uuid()"


def moments(start, seconds: float) -> str:
    """SQL of the moment that is `i` times `seconds` after `start`."""
    from django.db import connection

    at = f"{start.timestamp():.3f} + i * {seconds:.9f}"
    if connection.vendor == "sqlite":
        return f"strftime('%Y-%m-%d %H:%M:%f', {at}, 'unixepoch')"
    return f"to_timestamp({at})"


def _new_postgresql_database(url: str, owner: int) -> str:
    import psycopg2

    name = f"touchstone_bench_{owner}"

    def run(statement: str) -> None:
        server = psycopg2.connect(url)
        server.autocommit = True
        with server.cursor() as cursor:
            cursor.execute(statement)
        server.close()

    run(f"CREATE DATABASE {name}")

    def drop() -> None:
        if os.getpid() == owner:
            run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    atexit.register(drop)
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))
