import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

POSTGRESQL = """
    CREATE TRIGGER correction_is_immutable BEFORE UPDATE OR DELETE ON annotation_correction
    FOR EACH ROW EXECUTE FUNCTION touchstone_refuse()
    """
SQLITE = """
    CREATE TRIGGER correction_is_immutable BEFORE UPDATE ON annotation_correction
    BEGIN SELECT RAISE(ABORT, 'annotation_correction rows are never changed or deleted'); END
    """


def keep_rows(apps, schema_editor):
    """As responses are kept."""
    is_sqlite = schema_editor.connection.vendor == "sqlite"
    schema_editor.execute(SQLITE if is_sqlite else POSTGRESQL, params=None)


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0019_shared_budgets"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="correction_seconds",
            field=models.PositiveSmallIntegerField(
                default=0, validators=[django.core.validators.MaxValueValidator(3600)]
            ),
        ),
        migrations.CreateModel(
            name="Correction",
            fields=[
                (
                    "response",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="correction",
                        serialize=False,
                        to="annotation.response",
                    ),
                ),
                ("answer", models.JSONField()),
                ("judgments", models.BinaryField()),
                ("answer_version", models.PositiveSmallIntegerField(default=1)),
                ("at", models.DateTimeField()),
            ],
            options={
                "indexes": [models.Index(fields=["at"], name="correction_by_time")],
            },
        ),
        # The table goes with its trigger.
        migrations.RunPython(keep_rows, migrations.RunPython.noop),
    ]
