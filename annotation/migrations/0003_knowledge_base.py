import django.db.models.deletion
from django.core.management import CommandError
from django.db import DatabaseError, migrations, models, transaction

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


class Migration(migrations.Migration):
    dependencies = [("annotation", "0002_immutable_rows")]

    operations = [
        migrations.CreateModel(
            name="Entity",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=200)),
                ("name", models.CharField(max_length=300)),
                ("aliases", models.JSONField(default=list)),
                ("description", models.CharField(blank=True, max_length=1000)),
                ("url", models.CharField(blank=True, max_length=1000)),
                ("type", models.CharField(blank=True, max_length=100)),
                (
                    "project",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entities",
                        to="annotation.project",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "entities",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "key"), name="entity_keyed_once_in_project"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="EntityName",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "entity_id",
                        "number",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("folded", models.CharField(max_length=200)),
                (
                    "entity",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="names",
                        to="annotation.entity",
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="annotation.project",
                    ),
                ),
            ],
        ),
        migrations.RunPython(add_indexes, migrations.RunPython.noop),
    ]
