"""Indexes of entities' names that a model can't declare for both databases."""

from django.core.management import CommandError
from django.db import DatabaseError, transaction

# Trigrams for the search, and whole numbers in the same index: another project's names are not
# even looked at.
EXTENSIONS = ("pg_trgm", "btree_gin")

# From here both exact names and those that begin with a text come out in order, by code points.
PREFIX = (
    "CREATE INDEX entity_name_prefix ON annotation_entityname "
    "(project_id, folded{collation}, number, entity_id)"
)
TRIGRAMS = (
    "CREATE INDEX entity_name_trigrams ON annotation_entityname "
    "USING gin (project_id, folded gin_trgm_ops)"
)


def add_extension(connection, name):
    """Raises CommandError in words: it is the one step that may need more rights than the rest."""
    try:
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            cursor.execute(f"CREATE EXTENSION IF NOT EXISTS {name}")
    except DatabaseError as error:
        database = connection.settings_dict["NAME"]
        raise CommandError(
            f"PostgreSQL's extension {name} can't be added ({str(error).splitlines()[0]}). "
            f"Let a superuser run 'CREATE EXTENSION {name}' in the database {database}, or GRANT "
            f"CREATE ON DATABASE {database} to this user, and migrate again; where the extension "
            "is not there at all, install postgresql-contrib."
        ) from error


def add_indexes(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for name in EXTENSIONS:
            add_extension(schema_editor.connection, name)
        schema_editor.execute(PREFIX.format(collation=' COLLATE "C"'))
        schema_editor.execute(TRIGRAMS)
    else:
        schema_editor.execute(PREFIX.format(collation=""))
