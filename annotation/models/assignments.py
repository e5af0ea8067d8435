import uuid
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Q

from annotation.querysets.assignments import AssignmentQuerySet, HasDoubts, ResponseQuerySet
from annotation.querysets.immutable import ImmutableQuerySet, ImmutableRow


class Assignment(models.Model):
    """One task given to one worker under a lease. Born at the lease and never deleted.

    The row is the worker's history: it keeps a task from being offered to them twice, and a late
    answer has something to hang on to.
    """

    class State(models.TextChoices):
        LEASED = "leased"
        SUBMITTED = "submitted"
        RETURNED = "returned"
        EXPIRED = "expired"
        LATE = "late"

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    # No index of its own on task, worker or enrollment: see Meta.
    task = models.ForeignKey(
        "annotation.Task", models.PROTECT, related_name="assignments", db_index=False
    )
    worker = models.ForeignKey(
        "annotation.Worker", models.PROTECT, related_name="assignments", db_index=False
    )
    enrollment = models.ForeignKey(
        "annotation.Enrollment", models.PROTECT, related_name="assignments", db_index=False
    )
    instructions = models.ForeignKey(
        "annotation.InstructionsVersion", models.PROTECT, null=True, related_name="+",
        db_index=False,
    )  # fmt: skip
    state = models.CharField(max_length=9, choices=State.choices, default=State.LEASED)
    pay_mills = models.PositiveIntegerField(default=0)  # as promised; once submitted, as due
    leased_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    submitted_at = models.DateTimeField(null=True, blank=True)
    draft = models.JSONField(null=True, blank=True)  # autosaved, in the page's own token numbers
    return_reason = models.CharField(max_length=500, blank=True)
    reported_at = models.DateTimeField(null=True, blank=True)  # given back as broken
    platform_ref = models.CharField(max_length=64, blank=True, default="")

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        constraints = [
            # The probe of every claim: (task, worker) in this order, and no second index that
            # starts with task, or PostgreSQL takes that one and filters (assignment-engine.md).
            models.UniqueConstraint(fields=["task", "worker"], name="task_given_once_to_worker"),
            models.UniqueConstraint(
                fields=["enrollment", "platform_ref"],
                condition=Q(state="leased"),
                name="one_live_lease_per_ticket",
            ),
        ]
        indexes = [
            models.Index(
                fields=["expires_at"], condition=Q(state="leased"), name="assignment_expiry"
            ),
            models.Index(fields=["enrollment", "id"], name="assignment_history"),
            models.Index(
                fields=["reported_at"],
                condition=Q(reported_at__isnull=False),
                name="assignment_reported",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key} ({self.state})"


class Response(models.Model):
    """What the worker submitted. Written once, never changed, never deleted.

    PostgreSQL and SQLite refuse a change by a trigger; the model refuses it on both.
    """

    assignment = models.OneToOneField(
        Assignment, models.PROTECT, primary_key=True, related_name="response"
    )
    answer = models.JSONField()  # the interface's canonical answer, in code points
    judgments = models.BinaryField()  # interfaces.judgments packs and names the vectors
    answer_version = models.PositiveSmallIntegerField(default=1)
    seconds = models.FloatField(default=0)  # active time, idle gaps excluded
    received_at = models.DateTimeField()
    gold_score = models.FloatField(null=True, blank=True)

    objects = ResponseQuerySet.as_manager()

    class Meta:
        # What came in within an hour is counted each minute (actions.rollups).
        indexes = [
            models.Index(fields=["received_at"], name="response_by_time"),
            models.Index(
                fields=["assignment"], condition=Q(HasDoubts("answer")), name="response_doubted"
            ),
        ]

    def __str__(self) -> str:
        return f"response of {self.assignment}"

    def save(self, *args, **kwargs):  # an override for once: the rule has no other place
        if not self._state.adding:
            raise ImmutableRow("A response is never changed. Write an adjudication instead.")
        super().save(*args, **kwargs)

    def delete(self, *args, **kwargs):
        raise ImmutableRow("A response is never deleted while its project lives.")

    @property
    def standing(self) -> Any:
        """The answer that counts: as it was corrected, else as it was given. Read it with
        `select_related("correction")`."""
        correction = getattr(self, "correction", None)
        return self.answer if correction is None else correction.answer

    @property
    def corrected_at(self) -> datetime | None:
        """When its worker corrected it. Read it with `select_related("correction")`."""
        correction = getattr(self, "correction", None)
        return by_worker(self.received_at, correction.at if correction else None)


def by_worker(received_at: datetime, at: datetime | None) -> datetime | None:
    """The time of a correction that the worker made. A repair stands at the time of the response
    itself, which no correction by hand can: it says nothing anew."""
    return at if at is not None and at > received_at else None


class Correction(models.Model):
    """A worker's corrected last answer, which counts in the place of the response's; or the same
    answer with its judgments repaired, at the time of the response (`by_worker`).

    The response, its lease, demand and payment stay as they are, and gold is scored on the first
    answer. Written once, never changed, never deleted.
    """

    response = models.OneToOneField(
        Response, models.PROTECT, primary_key=True, related_name="correction"
    )
    answer = models.JSONField()
    judgments = models.BinaryField()
    answer_version = models.PositiveSmallIntegerField(default=1)
    at = models.DateTimeField()

    objects = ImmutableQuerySet.as_manager()

    class Meta:
        # What was corrected within an hour is looked for each minute.
        indexes = [models.Index(fields=["at"], name="correction_by_time")]

    def __str__(self) -> str:
        return f"correction of {self.response_id}"

    def save(self, *args, **kwargs):
        if not self._state.adding:
            raise ImmutableRow("A correction is never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args, **kwargs):
        raise ImmutableRow("A correction is never deleted while its project lives.")


class GoldScore(models.Model):
    """A score of an answer to gold in the place of the response's, which is never changed.

    Written when a question is corrected or retired, and by `score_gold`, which also tells the
    parts of the answer apart.
    """

    assignment = models.OneToOneField(
        Assignment, models.CASCADE, primary_key=True, related_name="rescored"
    )
    score = models.FloatField(null=True)  # null: it proves nothing, for the question is retired
    parts = models.JSONField(default=dict)  # name → score, where the interface has more than one
    scored_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.score} of {self.assignment_id}"


class Event(models.Model):
    """One thing that a worker did on the page, in the page's own order."""

    assignment = models.ForeignKey(
        Assignment, models.CASCADE, related_name="events", db_index=False
    )
    number = models.PositiveIntegerField()  # counted by the page, so a batch sent twice is one
    at = models.DateTimeField()
    kind = models.CharField(max_length=40)
    data = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "number"], name="event_numbered_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} at {self.at:%H:%M:%S}"
