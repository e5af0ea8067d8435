"""Migrations 0001 to 0004 as one, for new databases."""

import uuid

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    replaces = [
        ("aggregation", "0001_initial"),
        ("aggregation", "0002_consensus_by_confidence"),
        ("aggregation", "0003_live_updates"),
        ("aggregation", "0004_confidences_of_parts"),
    ]

    dependencies = [
        ("annotation", "0001_squashed_0016_exams_of_their_own"),
    ]

    operations = [
        migrations.CreateModel(
            name="AggregationRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("method", models.CharField(max_length=40)),
                ("parameters", models.JSONField(default=dict)),
                ("seed", models.BigIntegerField(default=0)),
                ("code_version", models.CharField(max_length=40)),
                ("input_digest", models.CharField(max_length=64)),
                ("classes", models.JSONField(default=list)),
                ("diagnostics", models.JSONField(default=dict)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("running", "Running"),
                            ("complete", "Complete"),
                            ("failed", "Failed"),
                        ],
                        default="running",
                        max_length=8,
                    ),
                ),
                (
                    "started_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("error", models.TextField(blank=True)),
                ("fitted", models.BinaryField(null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="aggregation_runs",
                        to="annotation.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="Consensus",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("answer", models.JSONField()),
                ("confidence", models.FloatField(null=True)),
                ("probabilities", models.BinaryField()),
                ("confidences", models.JSONField(null=True)),
                ("answers", models.PositiveIntegerField(null=True)),
                ("refreshed_at", models.DateTimeField(null=True)),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="consensus",
                        to="aggregation.aggregationrun",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="consensus",
                        to="annotation.task",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "consensus",
                "indexes": [
                    models.Index(
                        fields=["run", "confidence", "task"], name="consensus_by_confidence"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("run", "task"), name="one_consensus_per_run_and_task"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="WorkerReliability",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("judged", models.PositiveIntegerField()),
                ("accuracy", models.FloatField(null=True)),
                ("low", models.FloatField(null=True)),
                ("high", models.FloatField(null=True)),
                ("parameters", models.JSONField(default=dict)),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reliabilities",
                        to="aggregation.aggregationrun",
                    ),
                ),
                (
                    "worker",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reliabilities",
                        to="annotation.worker",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "worker reliabilities",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("run", "worker"), name="one_reliability_per_run_and_worker"
                    )
                ],
            },
        ),
    ]
