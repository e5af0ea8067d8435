"""What takes longer than a page may: asked for by a page, done by `manage.py work`."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from annotation.querysets.jobs import JobQuerySet, NightStepQuerySet


class Job(models.Model):
    """One thing to be done, its progress and what came of it; `actions.jobs` alone writes it.

    `kind` names one of the kinds that settings.JOB_KINDS brings together.
    """

    class State(models.TextChoices):
        QUEUED = "queued", "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        STOPPED = "stopped"

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    kind = models.CharField(max_length=40)
    parameters = models.JSONField(default=dict)
    digest = models.CharField(max_length=32)  # of kind, project, campaign and parameters
    project = models.ForeignKey(
        "annotation.Project", models.CASCADE, null=True, blank=True, related_name="jobs",
        db_index=False,
    )  # fmt: skip
    campaign = models.ForeignKey(
        "annotation.Campaign", models.CASCADE, null=True, blank=True, related_name="jobs"
    )
    asked_by = models.ForeignKey(  # null: the loop itself
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    state = models.CharField(max_length=7, choices=State.choices, default=State.QUEUED)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(null=True, blank=True)  # null: nobody knows
    sentence = models.CharField(max_length=200, blank=True)  # what it is at
    result = models.JSONField(default=dict, blank=True)
    error = models.TextField(blank=True)  # for people, and without any secret
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    due_at = models.DateTimeField(default=timezone.now)  # it does not start before
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    # While it runs. The token is drawn anew each time that somebody takes the job: whoever lost
    # it meanwhile writes nothing any more.
    token = models.UUIDField(null=True, blank=True, editable=False)
    process = models.CharField(max_length=120, blank=True)  # host and number
    beat_at = models.DateTimeField(null=True, blank=True)
    stop_asked_at = models.DateTimeField(null=True, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["digest"], condition=Q(state="queued"), name="equal_job_waits_once"
            ),
            models.CheckConstraint(
                condition=Q(state="running", token__isnull=False, beat_at__isnull=False)
                | (~Q(state="running") & Q(token=None)),
                name="job_held_while_it_runs",
            ),
        ]
        indexes = [
            models.Index(
                fields=["state", "id"],
                condition=Q(state__in=["queued", "running"]),
                name="job_unfinished",
            ),
            models.Index(fields=["project", "-id"], name="job_history"),
        ]

    def __str__(self) -> str:
        return f"job {self.pk}: {self.kind} ({self.state})"


class NightStep(models.Model):
    """One step of one night: a command, for one campaign or for all."""

    night = models.DateTimeField(db_index=True)  # when it began: the same for all of its steps
    step = models.CharField(max_length=200)  # as it could be given alone
    campaign = models.ForeignKey(
        "annotation.Campaign", models.CASCADE, null=True, blank=True, related_name="night_steps"
    )
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)  # null: at work, or its process ended
    error = models.TextField(blank=True)  # for people; "" where nothing failed

    objects = NightStepQuerySet.as_manager()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.step} in the night of {self.night:%Y-%m-%d}"
