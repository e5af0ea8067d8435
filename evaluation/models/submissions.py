"""Systems, and what they submit: the file as it came, and its claims as columns beside it."""

from __future__ import annotations

import uuid
from pathlib import Path

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.models.teams import Team
from evaluation.querysets import SubmissionQuerySet, SystemQuerySet


class System(models.Model):
    """What is scored. Of each period its newest valid submission stands for it."""

    class Kind(models.TextChoices):
        SYSTEM = "system"
        ANNOTATORS = "annotators", "human annotators"

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(
        "annotation.Project", models.CASCADE, related_name="systems", db_index=False
    )
    # Null: the organisers' own, such as human annotators.
    team = models.ForeignKey(Team, models.RESTRICT, null=True, blank=True, related_name="systems")
    name = models.CharField(max_length=100)
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.SYSTEM)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = SystemQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"], name="system_named_once_in_project"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Submission(models.Model):
    """One version of what a system claims of a period's documents. A later one takes its place;
    none is deleted, for claims that were drawn for it keep the probability of their draw.

    In its folder stand `content`, the file as it came, and once it is valid `claims.npz`, its
    claims as columns (arrays.columns), `issues.csv`, what is wrong with its lines, and
    `annotated.tsv.gz`, the lines with what became of each.
    """

    class State(models.TextChoices):
        RECEIVED = "received", "being validated"
        VALID = "valid"
        REFUSED = "refused"

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    period = models.ForeignKey(
        "evaluation.EvaluationPeriod", models.CASCADE, related_name="submissions"
    )
    system = models.ForeignKey(System, models.CASCADE, related_name="submissions", db_index=False)
    version = models.PositiveIntegerField()  # from 1
    state = models.CharField(max_length=8, choices=State.choices, default=State.RECEIVED)
    problem = models.TextField(blank=True)  # why it was refused, for people
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    note = models.CharField(max_length=200, blank=True)  # the team's own

    submitted_at = models.DateTimeField(db_default=Now(), editable=False)
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )  # null: a program, by `upload_token`
    upload_token = models.ForeignKey(
        "evaluation.UploadToken", models.SET_NULL, null=True, blank=True, related_name="+"
    )
    file_name = models.CharField(max_length=255)
    bytes = models.PositiveBigIntegerField()
    digest = models.CharField(max_length=64)  # of the file
    job = models.ForeignKey(
        "annotation.Job", models.SET_NULL, null=True, blank=True, related_name="+"
    )

    # When it was validated.
    validated_at = models.DateTimeField(null=True, blank=True)
    claims = models.PositiveIntegerField(null=True, blank=True)  # each once
    lines = models.PositiveIntegerField(null=True, blank=True)  # of the file, without blank ones
    # {"counts": {code: number}, "kept": {code: [[line, field, found], …]},
    #  "relations": {name: claims}, "preview": [[line, sentence, passage], …]}
    report = models.JSONField(default=dict, blank=True)

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["system", "period", "version"], name="submission_versioned_once"
            ),
            models.CheckConstraint(
                condition=~Q(state="valid") | Q(claims__isnull=False),
                name="valid_submission_counts_its_claims",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.system}, version {self.version}"

    @property
    def folder(self) -> Path:
        """Machines that share a database have to share DATA_DIR."""
        return Path(settings.DATA_DIR, "submissions", str(self.key))

    @property
    def content(self) -> Path:
        return self.folder / "content"

    @property
    def columns(self) -> Path:
        return self.folder / "claims.npz"

    @property
    def issues(self) -> Path:
        return self.folder / "issues.csv"

    @property
    def annotated(self) -> Path:
        return self.folder / "annotated.tsv.gz"
