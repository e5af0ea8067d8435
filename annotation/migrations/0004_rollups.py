import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0003_knowledge_base")]

    operations = [
        migrations.CreateModel(
            name="Rollup",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rollups",
                        to="annotation.campaign",
                    ),
                ),
                ("hour", models.DateTimeField()),
                ("answers", models.PositiveIntegerField()),
                ("gold", models.PositiveIntegerField()),
                ("late", models.PositiveIntegerField()),
                ("counted_at", models.DateTimeField()),
            ],
            options={
                "indexes": [models.Index(fields=["hour"], name="rollup_latest")],
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "hour"), name="hour_rolled_up_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Tally",
            fields=[
                (
                    "campaign",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="tally",
                        serialize=False,
                        to="annotation.campaign",
                    ),
                ),
                ("tasks", models.PositiveIntegerField()),
                ("complete", models.PositiveIntegerField()),
                ("wanted", models.PositiveBigIntegerField()),
                ("received", models.PositiveBigIntegerField()),
                ("gold", models.PositiveIntegerField()),
                ("epoch", models.PositiveIntegerField()),
                ("counted_at", models.DateTimeField()),
            ],
        ),
        migrations.AddIndex(
            model_name="response",
            index=models.Index(fields=["received_at"], name="response_by_time"),
        ),
    ]
