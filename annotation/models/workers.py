from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.querysets.workers import EnrollmentQuerySet
from annotation.sentences import Problem
from annotation.sentences.reasons import reason_of

ANONYMOUS = "anonymous:"  # an external id that nobody gave: the rest was drawn at random


class Worker(models.Model):
    """One person on one platform. No address and no e-mail is kept."""

    platform = models.CharField(max_length=8)
    external_id = models.CharField(max_length=200)  # a name; knowing it lets nobody in
    display_name = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    blocked_at = models.DateTimeField(null=True, blank=True)
    block_reason = models.TextField(blank=True)
    # Of the secret that the browser of an anonymous worker keeps (actions.devices).
    device_digest = models.CharField(max_length=64, blank=True)
    # Of the phrase that finds the worker on another device (actions.recovery); '' until they ask.
    phrase_digest = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["platform", "external_id"], name="worker_named_once_on_platform"
            ),
            models.UniqueConstraint(
                fields=["device_digest"],
                condition=~Q(device_digest=""),
                name="device_finds_one_worker",
            ),
            models.UniqueConstraint(
                fields=["phrase_digest"],
                condition=~Q(phrase_digest=""),
                name="phrase_finds_one_worker",
            ),
        ]

    def __str__(self) -> str:
        return self.display_name or self.external_id


class Enrollment(models.Model):
    """A worker in a campaign, with the engine's own state for them.

    Every action of a worker locks this row first, so two tabs of one worker take turns.
    """

    # The live lease, as `actions.assignments.turn.lock` found it; no columns.
    lease_id: int | None
    lease_key: uuid.UUID | None
    lease_task_id: int
    lease_pay_mills: int
    # What this very action brought them, for their page: (kind, a sentence each); no column.
    milestone: tuple[str, list[Problem]] | None = None

    class State(models.TextChoices):
        INVITED = "invited"
        TRAINING = "training"
        EXAM = "exam"
        QUALIFIED = "qualified"
        SELECTED = "selected"
        PAUSED = "paused"
        BLOCKED = "blocked"
        DONE = "done"

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    campaign = models.ForeignKey(
        "annotation.Campaign", models.CASCADE, related_name="enrollments", db_index=False
    )
    worker = models.ForeignKey(Worker, models.CASCADE, related_name="enrollments")
    joined_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=9, choices=State.choices, default=State.INVITED)
    state_reason = models.TextField(blank=True)  # as a person wrote it
    coded_reason = models.JSONField(null=True, blank=True)  # a rule's: {"code", "params"}
    state_by = models.CharField(max_length=150, blank=True)
    # A person decided the state: rules leave it as it is.
    overruled = models.BooleanField(default=False)
    state_until = models.DateTimeField(null=True, blank=True)
    consent = models.ForeignKey(  # the version that they agreed to last
        "annotation.ConsentVersion", models.PROTECT, null=True, blank=True, related_name="+",
        db_index=False,
    )  # fmt: skip

    submitted = models.PositiveIntegerField(default=0)
    skipped = models.PositiveIntegerField(default=0)
    earned_mills = models.PositiveBigIntegerField(default=0)
    seconds = models.FloatField(default=0)  # active time of all submitted tasks
    # Of the try that they are at; `tries` are those that they have failed.
    training_seen = models.PositiveIntegerField(default=0)
    training_score_sum = models.FloatField(default=0)
    exam_seen = models.PositiveIntegerField(default=0)
    exam_score_sum = models.FloatField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)
    gold_seen = models.PositiveIntegerField(default=0)
    gold_score_sum = models.FloatField(default=0)
    gold_score_sumsq = models.FloatField(default=0)

    # The engine's place in the rank order: up to here this worker has held whatever was ready; -1
    # is before the head. And what the last claim saw behind it (actions.assignments.ahead).
    cursor = models.BigIntegerField(default=-1)
    ahead = models.JSONField(default=dict, blank=True)
    epoch = models.PositiveIntegerField(default=0)
    rest_until = models.DateTimeField(null=True, blank=True)  # nothing was found; ask later
    # Money taken out of the campaign's budget for this worker's next tasks.
    allowance_mills = models.PositiveBigIntegerField(default=0)
    seen_at = models.DateTimeField(null=True, blank=True)

    objects = EnrollmentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "worker"], name="worker_enrolled_once"),
            models.CheckConstraint(
                condition=Q(allowance_mills__gte=0), name="enrollment_allowance_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.worker} in {self.campaign}"

    @property
    def reason(self) -> Problem | None:
        """Why they are in their state, for whoever it is shown to."""
        return reason_of(self.coded_reason, self.state_reason)


class Allotment(models.Model):
    """In an assigned campaign: this worker does this task. Worked through in the order of ids."""

    enrollment = models.ForeignKey(
        Enrollment, models.CASCADE, related_name="allotments", db_index=False
    )
    task = models.ForeignKey("annotation.Task", models.CASCADE, related_name="allotments")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["enrollment", "task"], name="task_allotted_once"),
        ]
        indexes = [models.Index(fields=["enrollment", "id"], name="allotment_in_order")]

    def __str__(self) -> str:
        return f"{self.task} for {self.enrollment}"
