import django.db.models.deletion
from django.db import migrations, models

from annotation.migrations._name_indexes import add_indexes


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
