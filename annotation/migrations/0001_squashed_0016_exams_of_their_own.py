"""Migrations 0001 to 0016 as one, for new databases; older ones go through them and then count as
being here. What 0009 to 0016 did to rows has nothing to do in a database without rows."""

import uuid

import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import annotation.models.campaigns
from annotation.migrations._immutable_rows import drop_triggers, keep_rows
from annotation.migrations._name_indexes import add_indexes


class Migration(migrations.Migration):
    initial = True
    replaces = [
        ("annotation", "0001_initial"),
        ("annotation", "0002_immutable_rows"),
        ("annotation", "0003_knowledge_base"),
        ("annotation", "0004_rollups"),
        ("annotation", "0005_reported_at"),
        ("annotation", "0006_the_journey"),
        ("annotation", "0007_gold_and_redundancy"),
        ("annotation", "0008_registered_interfaces"),
        ("annotation", "0009_no_password_kept"),
        ("annotation", "0010_demonstration_is_no_staff"),
        ("annotation", "0011_device_digest"),
        ("annotation", "0012_ahead"),
        ("annotation", "0013_campaign_secrets"),
        ("annotation", "0014_campaign_links"),
        ("annotation", "0015_exam_questions"),
        ("annotation", "0016_exams_of_their_own"),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Assignment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("leased", "Leased"),
                            ("submitted", "Submitted"),
                            ("returned", "Returned"),
                            ("expired", "Expired"),
                            ("late", "Late"),
                        ],
                        default="leased",
                        max_length=9,
                    ),
                ),
                ("pay_mills", models.PositiveIntegerField(default=0)),
                ("leased_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("submitted_at", models.DateTimeField(blank=True, null=True)),
                ("draft", models.JSONField(blank=True, null=True)),
                ("return_reason", models.CharField(blank=True, max_length=500)),
                ("reported_at", models.DateTimeField(blank=True, null=True)),
                ("platform_ref", models.CharField(blank=True, default="", max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name="Campaign",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(max_length=80, unique=True)),
                ("name", models.CharField(max_length=200)),
                (
                    "interface",
                    models.CharField(
                        choices=annotation.models.campaigns.registered_interfaces, max_length=30
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("open", "Open"),
                            ("paused", "Paused"),
                            ("closed", "Closed"),
                        ],
                        default="draft",
                        max_length=6,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("opened_at", models.DateTimeField(blank=True, null=True)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                ("content_warning", models.CharField(blank=True, max_length=500)),
                ("examples", models.JSONField(blank=True, default=list)),
                ("options", models.JSONField(blank=True, default=dict)),
                (
                    "assignment",
                    models.CharField(
                        choices=[
                            ("open", "the engine picks"),
                            ("assigned", "a list says who does what"),
                        ],
                        default="open",
                        max_length=8,
                    ),
                ),
                (
                    "spread",
                    models.CharField(
                        choices=[
                            ("complete", "finish tasks one after the other"),
                            ("broad", "give every task a first answer early"),
                        ],
                        default="complete",
                        max_length=8,
                    ),
                ),
                (
                    "redundancy",
                    models.PositiveSmallIntegerField(
                        default=3,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(1000),
                        ],
                    ),
                ),
                (
                    "max_redundancy",
                    models.PositiveSmallIntegerField(
                        default=10,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(1000),
                        ],
                    ),
                ),
                (
                    "target_confidence",
                    models.FloatField(
                        blank=True,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(1),
                        ],
                    ),
                ),
                (
                    "lease_minutes",
                    models.PositiveIntegerField(
                        default=30,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(43200),
                        ],
                    ),
                ),
                ("skip_limit", models.PositiveSmallIntegerField(default=10)),
                (
                    "open_to",
                    models.CharField(
                        choices=[
                            ("qualified", "everyone who qualifies"),
                            ("selected", "the selected workers only"),
                        ],
                        default="qualified",
                        max_length=9,
                    ),
                ),
                (
                    "platform",
                    models.CharField(choices=[("link", "Link")], default="link", max_length=8),
                ),
                ("gold_every", models.PositiveSmallIntegerField(default=0)),
                ("training_size", models.PositiveSmallIntegerField(default=0)),
                ("exam_size", models.PositiveSmallIntegerField(default=0)),
                ("exam_is_hidden", models.BooleanField(default=False, editable=False)),
                (
                    "tries",
                    models.PositiveSmallIntegerField(
                        default=2,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(10),
                        ],
                    ),
                ),
                (
                    "pass_score",
                    models.FloatField(
                        default=0.7,
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(1),
                        ],
                    ),
                ),
                ("currency", models.CharField(default="USD", max_length=3)),
                (
                    "pay_mills",
                    models.PositiveIntegerField(
                        default=0, validators=[django.core.validators.MaxValueValidator(1000000000)]
                    ),
                ),
                ("budget_mills", models.PositiveBigIntegerField(blank=True, null=True)),
                ("committed_mills", models.PositiveBigIntegerField(default=0)),
                ("epoch", models.PositiveIntegerField(default=0)),
                (
                    "secret",
                    models.CharField(
                        default=annotation.models.campaigns.new_secret,
                        editable=False,
                        max_length=32,
                    ),
                ),
                (
                    "excludes",
                    models.ManyToManyField(blank=True, related_name="+", to="annotation.campaign"),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="CommandLock",
            fields=[
                ("name", models.CharField(max_length=120, primary_key=True, serialize=False)),
                ("token", models.UUIDField()),
                ("holder", models.CharField(max_length=120)),
                ("beat_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Task",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("external_id", models.CharField(max_length=200)),
                ("payload", models.JSONField(default=dict)),
            ],
        ),
        migrations.CreateModel(
            name="Document",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("external_id", models.CharField(max_length=200)),
                ("title", models.CharField(blank=True, max_length=500)),
                ("text", models.TextField()),
                ("tokens", models.JSONField()),
                ("sentences", models.JSONField()),
                ("attributes", models.JSONField(default=dict)),
                ("metadata", models.JSONField(default=dict)),
                ("line", models.PositiveIntegerField(default=0)),
                ("digest", models.CharField(max_length=32)),
            ],
        ),
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
            ],
            options={
                "verbose_name_plural": "entities",
            },
        ),
        migrations.CreateModel(
            name="ImportRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("file_name", models.CharField(max_length=255)),
                ("format", models.CharField(max_length=12)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("running", "Running"),
                            ("complete", "Complete"),
                            ("failed", "Failed"),
                            ("undone", "Undone"),
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
                ("added", models.PositiveIntegerField(default=0)),
                ("unchanged", models.PositiveIntegerField(default=0)),
                ("rejected", models.PositiveIntegerField(default=0)),
                ("split_tokens", models.PositiveIntegerField(default=0)),
                ("error", models.TextField(blank=True)),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="GoldScore",
            fields=[
                (
                    "assignment",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="rescored",
                        serialize=False,
                        to="annotation.assignment",
                    ),
                ),
                ("score", models.FloatField(null=True)),
                ("parts", models.JSONField(default=dict)),
                ("scored_at", models.DateTimeField()),
            ],
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
            options={
                "verbose_name_plural": "tallies",
            },
        ),
        migrations.CreateModel(
            name="ConsentVersion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("text", models.TextField()),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="consent_versions",
                        to="annotation.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.AddField(
            model_name="campaign",
            name="consent",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="annotation.consentversion",
            ),
        ),
        migrations.CreateModel(
            name="Demand",
            fields=[
                (
                    "task",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="demand",
                        serialize=False,
                        to="annotation.task",
                    ),
                ),
                (
                    "kind",
                    models.PositiveSmallIntegerField(
                        choices=[(0, "Plain"), (1, "Training"), (2, "Hidden"), (3, "Exam")],
                        default=0,
                    ),
                ),
                ("priority", models.PositiveIntegerField(default=0)),
                ("rank", models.BigIntegerField()),
                ("wanted", models.PositiveSmallIntegerField()),
                ("open", models.PositiveSmallIntegerField()),
                ("leased", models.PositiveSmallIntegerField(default=0)),
                ("received", models.PositiveSmallIntegerField(default=0)),
                ("ready", models.BooleanField()),
            ],
        ),
        migrations.CreateModel(
            name="GoldQuestion",
            fields=[
                (
                    "task",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="gold_question",
                        serialize=False,
                        to="annotation.task",
                    ),
                ),
                ("answer", models.JSONField()),
                ("explanation", models.TextField(blank=True)),
                ("tolerance", models.PositiveSmallIntegerField(default=0)),
                ("retired_at", models.DateTimeField(blank=True, null=True)),
                ("retired_because", models.TextField(blank=True)),
                ("changed_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.AddField(
            model_name="task",
            name="campaign",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="tasks",
                to="annotation.campaign",
            ),
        ),
        migrations.AddField(
            model_name="assignment",
            name="task",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="assignments",
                to="annotation.task",
            ),
        ),
        migrations.AddField(
            model_name="task",
            name="document",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="tasks",
                to="annotation.document",
            ),
        ),
        migrations.CreateModel(
            name="Enrollment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("joined_at", models.DateTimeField(blank=True, null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("invited", "Invited"),
                            ("training", "Training"),
                            ("exam", "Exam"),
                            ("qualified", "Qualified"),
                            ("selected", "Selected"),
                            ("paused", "Paused"),
                            ("blocked", "Blocked"),
                            ("done", "Done"),
                        ],
                        default="invited",
                        max_length=9,
                    ),
                ),
                ("state_reason", models.TextField(blank=True)),
                ("state_by", models.CharField(blank=True, max_length=150)),
                ("overruled", models.BooleanField(default=False)),
                ("state_until", models.DateTimeField(blank=True, null=True)),
                ("submitted", models.PositiveIntegerField(default=0)),
                ("skipped", models.PositiveIntegerField(default=0)),
                ("earned_mills", models.PositiveBigIntegerField(default=0)),
                ("seconds", models.FloatField(default=0)),
                ("training_seen", models.PositiveIntegerField(default=0)),
                ("training_score_sum", models.FloatField(default=0)),
                ("exam_seen", models.PositiveIntegerField(default=0)),
                ("exam_score_sum", models.FloatField(default=0)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("gold_seen", models.PositiveIntegerField(default=0)),
                ("gold_score_sum", models.FloatField(default=0)),
                ("gold_score_sumsq", models.FloatField(default=0)),
                ("cursor", models.BigIntegerField(default=-1)),
                ("ahead", models.JSONField(blank=True, default=dict)),
                ("epoch", models.PositiveIntegerField(default=0)),
                ("rest_until", models.DateTimeField(blank=True, null=True)),
                ("allowance_mills", models.PositiveBigIntegerField(default=0)),
                ("seen_at", models.DateTimeField(blank=True, null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="enrollments",
                        to="annotation.campaign",
                    ),
                ),
                (
                    "consent",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotation.consentversion",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Consent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("given_at", models.DateTimeField()),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="consents",
                        to="annotation.consentversion",
                    ),
                ),
                (
                    "enrollment",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="consents",
                        to="annotation.enrollment",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="assignment",
            name="enrollment",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="assignments",
                to="annotation.enrollment",
            ),
        ),
        migrations.CreateModel(
            name="Allotment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="allotments",
                        to="annotation.task",
                    ),
                ),
                (
                    "enrollment",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="allotments",
                        to="annotation.enrollment",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                ("kind", models.CharField(max_length=40)),
                ("data", models.JSONField(default=dict)),
                (
                    "assignment",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="events",
                        to="annotation.assignment",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ImportedAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("interface", models.CharField(max_length=30)),
                (
                    "source",
                    models.CharField(
                        choices=[("gold", "Gold"), ("prediction", "Prediction")], max_length=10
                    ),
                ),
                ("answer", models.JSONField()),
                (
                    "document",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="imported_answers",
                        to="annotation.document",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="document",
            name="import_run",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="documents",
                to="annotation.importrun",
            ),
        ),
        migrations.CreateModel(
            name="InstructionsVersion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("text", models.TextField()),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="instructions_versions",
                        to="annotation.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.AddField(
            model_name="campaign",
            name="instructions",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="annotation.instructionsversion",
            ),
        ),
        migrations.AddField(
            model_name="assignment",
            name="instructions",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="annotation.instructionsversion",
            ),
        ),
        migrations.CreateModel(
            name="Project",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(max_length=80, unique=True)),
                ("name", models.CharField(max_length=200)),
                ("schema", models.JSONField(blank=True, default=dict)),
                ("language", models.CharField(default="en", max_length=35)),
                (
                    "text_direction",
                    models.CharField(
                        choices=[
                            ("ltr", "Left To Right"),
                            ("rtl", "Right To Left"),
                            ("auto", "By Text"),
                        ],
                        default="auto",
                        max_length=4,
                    ),
                ),
                (
                    "tokeniser",
                    models.CharField(
                        choices=[
                            ("words", "words and punctuation"),
                            ("whitespace", "what stands between blanks"),
                            ("characters", "single characters, as a reader counts them"),
                        ],
                        default="words",
                        max_length=12,
                    ),
                ),
                ("guidelines", models.TextField(blank=True)),
                ("listed", models.BooleanField(default=False)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "owner",
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
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="Member",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("manager", "Manager"),
                            ("reviewer", "Reviewer"),
                            ("viewer", "Viewer"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="annotation.project",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Label",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("vocabulary", models.CharField(max_length=24)),
                ("number", models.PositiveIntegerField()),
                ("name", models.CharField(max_length=255)),
                (
                    "project",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="labels",
                        to="annotation.project",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="importrun",
            name="project",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="imports",
                to="annotation.project",
            ),
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
        migrations.AddField(
            model_name="entity",
            name="project",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="entities",
                to="annotation.project",
            ),
        ),
        migrations.AddField(
            model_name="document",
            name="project",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="documents",
                to="annotation.project",
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="project",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="campaigns",
                to="annotation.project",
            ),
        ),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("action", models.CharField(max_length=60)),
                ("subject", models.CharField(max_length=200)),
                ("before", models.JSONField(default=dict)),
                ("after", models.JSONField(default=dict)),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="audit",
                        to="annotation.project",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "audit entries",
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="Rollup",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("hour", models.DateTimeField()),
                ("answers", models.PositiveIntegerField()),
                ("gold", models.PositiveIntegerField()),
                ("late", models.PositiveIntegerField()),
                ("counted_at", models.DateTimeField()),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rollups",
                        to="annotation.campaign",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Worker",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("platform", models.CharField(max_length=8)),
                ("external_id", models.CharField(max_length=200)),
                ("display_name", models.CharField(blank=True, max_length=200)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("blocked_at", models.DateTimeField(blank=True, null=True)),
                ("block_reason", models.TextField(blank=True)),
                ("device_digest", models.CharField(blank=True, max_length=64)),
                ("phrase_digest", models.CharField(blank=True, max_length=64)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("platform", "external_id"), name="worker_named_once_on_platform"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("device_digest", ""), _negated=True),
                        fields=("device_digest",),
                        name="device_finds_one_worker",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("phrase_digest", ""), _negated=True),
                        fields=("phrase_digest",),
                        name="phrase_finds_one_worker",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Payment",
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
                            ("base", "Base"),
                            ("bonus", "Bonus"),
                            ("correction", "Correction"),
                            ("fee", "Fee"),
                        ],
                        max_length=10,
                    ),
                ),
                ("mills", models.BigIntegerField()),
                ("currency", models.CharField(max_length=3)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("earned", "owed to the worker, within the budget"),
                            (
                                "unfunded",
                                "earned late, when the budget was used up; a manager decides",
                            ),
                            ("sent", "Sent"),
                            ("paid", "Paid"),
                            ("failed", "Failed"),
                            ("rejected", "the answer was rejected; its money stays reserved"),
                        ],
                        default="earned",
                        max_length=8,
                    ),
                ),
                ("platform_ref", models.CharField(blank=True, max_length=64)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "assignment",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="payments",
                        to="annotation.assignment",
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="payments",
                        to="annotation.campaign",
                    ),
                ),
                (
                    "worker",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="payments",
                        to="annotation.worker",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="enrollment",
            name="worker",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="enrollments",
                to="annotation.worker",
            ),
        ),
        migrations.CreateModel(
            name="CampaignLink",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("note", models.CharField(blank=True, max_length=200)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("ends_at", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="links",
                        to="annotation.campaign",
                    ),
                ),
                (
                    "ended_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "worker",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="links",
                        to="annotation.worker",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.AddField(
            model_name="assignment",
            name="worker",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="assignments",
                to="annotation.worker",
            ),
        ),
        migrations.CreateModel(
            name="Rejection",
            fields=[
                (
                    "assignment",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="rejection",
                        serialize=False,
                        to="annotation.assignment",
                    ),
                ),
                ("reason", models.TextField()),
                (
                    "at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("overturned_at", models.DateTimeField(blank=True, null=True)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Appeal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("about", models.TextField()),
                ("text", models.TextField()),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                ("answer", models.TextField(blank=True)),
                ("granted", models.BooleanField(blank=True, null=True)),
                (
                    "answered_by",
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
                        related_name="appeals",
                        to="annotation.enrollment",
                    ),
                ),
                (
                    "rejection",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="appeals",
                        to="annotation.rejection",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Response",
            fields=[
                (
                    "assignment",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="response",
                        serialize=False,
                        to="annotation.assignment",
                    ),
                ),
                ("answer", models.JSONField()),
                ("judgments", models.BinaryField()),
                ("answer_version", models.PositiveSmallIntegerField(default=1)),
                ("seconds", models.FloatField(default=0)),
                ("received_at", models.DateTimeField()),
                ("gold_score", models.FloatField(blank=True, null=True)),
            ],
            options={
                "indexes": [models.Index(fields=["received_at"], name="response_by_time")],
            },
        ),
        migrations.AddConstraint(
            model_name="consentversion",
            constraint=models.UniqueConstraint(
                fields=("campaign", "number"), name="consent_numbered_once"
            ),
        ),
        migrations.AddField(
            model_name="demand",
            name="campaign",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="demands",
                to="annotation.campaign",
            ),
        ),
        migrations.AddConstraint(
            model_name="task",
            constraint=models.UniqueConstraint(
                fields=("campaign", "external_id"), name="task_named_once_in_campaign"
            ),
        ),
        migrations.AddConstraint(
            model_name="consent",
            constraint=models.UniqueConstraint(
                fields=("enrollment", "version"), name="consent_given_once"
            ),
        ),
        migrations.AddIndex(
            model_name="allotment",
            index=models.Index(fields=["enrollment", "id"], name="allotment_in_order"),
        ),
        migrations.AddConstraint(
            model_name="allotment",
            constraint=models.UniqueConstraint(
                fields=("enrollment", "task"), name="task_allotted_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="event",
            constraint=models.UniqueConstraint(
                fields=("assignment", "number"), name="event_numbered_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="importedanswer",
            constraint=models.UniqueConstraint(
                fields=("document", "interface", "source"), name="one_imported_answer_per_source"
            ),
        ),
        migrations.AddConstraint(
            model_name="instructionsversion",
            constraint=models.UniqueConstraint(
                fields=("campaign", "number"), name="instructions_numbered_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="member",
            constraint=models.UniqueConstraint(
                fields=("project", "user"), name="one_role_per_member"
            ),
        ),
        migrations.AddConstraint(
            model_name="label",
            constraint=models.UniqueConstraint(
                fields=("project", "vocabulary", "name"), name="label_named_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="label",
            constraint=models.UniqueConstraint(
                fields=("project", "vocabulary", "number"), name="label_numbered_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="entity",
            constraint=models.UniqueConstraint(
                fields=("project", "key"), name="entity_keyed_once_in_project"
            ),
        ),
        migrations.AddConstraint(
            model_name="document",
            constraint=models.UniqueConstraint(
                fields=("project", "external_id"), name="document_named_once_in_project"
            ),
        ),
        migrations.AddConstraint(
            model_name="campaign",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("budget_mills", None),
                    ("committed_mills__lte", models.F("budget_mills")),
                    _connector="OR",
                ),
                name="campaign_committed_within_budget",
            ),
        ),
        migrations.AddConstraint(
            model_name="campaign",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("redundancy__gte", 1), ("max_redundancy__gte", models.F("redundancy"))
                ),
                name="campaign_redundancy_within_maximum",
            ),
        ),
        migrations.AddConstraint(
            model_name="campaign",
            constraint=models.CheckConstraint(
                condition=models.Q(("pass_score__gte", 0), ("pass_score__lte", 1)),
                name="campaign_pass_score_is_a_share",
            ),
        ),
        migrations.AddConstraint(
            model_name="campaign",
            constraint=models.CheckConstraint(
                condition=models.Q(("lease_minutes__gte", 1)), name="campaign_lease_lasts_a_minute"
            ),
        ),
        migrations.AddIndex(
            model_name="rollup",
            index=models.Index(fields=["hour"], name="rollup_latest"),
        ),
        migrations.AddConstraint(
            model_name="rollup",
            constraint=models.UniqueConstraint(
                fields=("campaign", "hour"), name="hour_rolled_up_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.UniqueConstraint(
                fields=("assignment", "kind"), name="assignment_paid_once_per_kind"
            ),
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind", "correction"), ("mills__gte", 0), _connector="OR"),
                name="payment_not_negative",
            ),
        ),
        migrations.AddConstraint(
            model_name="enrollment",
            constraint=models.UniqueConstraint(
                fields=("campaign", "worker"), name="worker_enrolled_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="enrollment",
            constraint=models.CheckConstraint(
                condition=models.Q(("allowance_mills__gte", 0)),
                name="enrollment_allowance_not_negative",
            ),
        ),
        migrations.AddConstraint(
            model_name="campaignlink",
            constraint=models.UniqueConstraint(
                fields=("campaign", "number"), name="link_numbered_once"
            ),
        ),
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(
                condition=models.Q(("state", "leased")),
                fields=["expires_at"],
                name="assignment_expiry",
            ),
        ),
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(fields=["enrollment", "id"], name="assignment_history"),
        ),
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(
                condition=models.Q(("reported_at__isnull", False)),
                fields=["reported_at"],
                name="assignment_reported",
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.UniqueConstraint(
                fields=("task", "worker"), name="task_given_once_to_worker"
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "leased")),
                fields=("enrollment", "platform_ref"),
                name="one_live_lease_per_ticket",
            ),
        ),
        migrations.AddIndex(
            model_name="appeal",
            index=models.Index(fields=["enrollment", "id"], name="appeal_history"),
        ),
        migrations.AddConstraint(
            model_name="appeal",
            constraint=models.UniqueConstraint(
                condition=models.Q(("answered_at", None), ("rejection", None)),
                fields=("enrollment",),
                name="one_open_appeal_against_a_pause",
            ),
        ),
        migrations.AddConstraint(
            model_name="appeal",
            constraint=models.UniqueConstraint(
                condition=models.Q(("answered_at", None)),
                fields=("rejection",),
                name="one_open_appeal_against_a_rejection",
            ),
        ),
        migrations.AddConstraint(
            model_name="appeal",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("answered_at", None), ("granted", None)),
                    models.Q(("answered_at__isnull", False), ("granted__isnull", False)),
                    _connector="OR",
                ),
                name="appeal_answered_whole",
            ),
        ),
        migrations.AddIndex(
            model_name="demand",
            index=models.Index(
                condition=models.Q(("ready", True)),
                fields=["campaign", "kind", "rank"],
                name="demand_ready",
            ),
        ),
        migrations.AddConstraint(
            model_name="demand",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("leased__gte", 0),
                    ("open__gte", 0),
                    ("received__gte", 0),
                    (
                        "wanted",
                        django.db.models.expressions.CombinedExpression(
                            django.db.models.expressions.CombinedExpression(
                                models.F("open"), "+", models.F("leased")
                            ),
                            "+",
                            models.F("received"),
                        ),
                    ),
                ),
                name="demand_counts_balance",
            ),
        ),
        migrations.AddConstraint(
            model_name="demand",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("open__gt", 0), ("ready", True)),
                    models.Q(("open", 0), ("ready", False)),
                    _connector="OR",
                ),
                name="demand_ready_while_open",
            ),
        ),
        migrations.AddConstraint(
            model_name="demand",
            constraint=models.CheckConstraint(
                condition=models.Q(("priority__lt", 65536)), name="demand_priority_within_16_bits"
            ),
        ),
        migrations.RunPython(keep_rows, drop_triggers),
        migrations.RunPython(add_indexes, migrations.RunPython.noop),
    ]
