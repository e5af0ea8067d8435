"""Migrations 0001 and 0002 as one, for new databases."""

import uuid

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    replaces = [
        ("selection", "0001_initial"),
        ("selection", "0002_flags_found_anew"),
    ]

    dependencies = [
        ("aggregation", "0001_squashed_0004_confidences_of_parts"),
        ("annotation", "0001_squashed_0016_exams_of_their_own"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="GoldCheck",
            fields=[
                (
                    "question",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="check_row",
                        serialize=False,
                        to="annotation.goldquestion",
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("mean", models.FloatField(null=True)),
                ("expected", models.FloatField(null=True)),
                ("suspicious", models.BooleanField()),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="RedundancyRound",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("rule", models.CharField(max_length=10)),
                ("target", models.FloatField(null=True)),
                ("code_version", models.CharField(max_length=40)),
                (
                    "at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("asked", models.PositiveIntegerField()),
                ("closed", models.PositiveIntegerField()),
                ("waiting", models.PositiveIntegerField()),
                ("certain", models.PositiveIntegerField()),
                ("full", models.PositiveIntegerField()),
                ("received", models.PositiveBigIntegerField()),
                ("saved", models.PositiveBigIntegerField()),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="redundancy_rounds",
                        to="annotation.campaign",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="aggregation.aggregationrun",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="WorkerSelection",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("budget", models.PositiveIntegerField()),
                ("estimator", models.CharField(max_length=8)),
                ("parameters", models.JSONField(default=dict)),
                ("seed", models.BigIntegerField(default=0)),
                ("code_version", models.CharField(max_length=40)),
                (
                    "made_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("tested", models.PositiveIntegerField()),
                ("kept", models.PositiveIntegerField()),
                ("crowd", models.FloatField()),
                ("low", models.FloatField()),
                ("high", models.FloatField()),
                ("empty", models.CharField(blank=True, max_length=200)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="worker_selections",
                        to="annotation.campaign",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="WorkerFlag",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("fast", "much faster than the others"),
                            ("same", "the same answer nearly always"),
                            ("chance", "agrees with the others no more than by chance"),
                        ],
                        max_length=6,
                    ),
                ),
                ("evidence", models.JSONField()),
                ("at", models.DateTimeField()),
                ("dismissed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "dismissed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "enrollment",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="flags",
                        to="annotation.enrollment",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("enrollment", "kind"), name="flag_once_of_a_kind"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SelectedWorker",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("accuracy", models.FloatField(null=True)),
                ("low", models.FloatField(null=True)),
                ("high", models.FloatField(null=True)),
                ("score", models.FloatField(null=True)),
                ("chosen", models.BooleanField()),
                ("reason", models.CharField(max_length=20)),
                ("state_before", models.CharField(max_length=9)),
                ("state_after", models.CharField(max_length=9)),
                (
                    "enrollment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="selections",
                        to="annotation.enrollment",
                    ),
                ),
                (
                    "selection",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="workers",
                        to="selection.workerselection",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("selection", "enrollment"), name="worker_once_in_selection"
                    )
                ],
            },
        ),
    ]
