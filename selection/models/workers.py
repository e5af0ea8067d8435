"""Which workers were kept and why, and what about a worker deserves a look."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotation.sentences import Problem
from selection.querysets import WorkerFlagQuerySet
from selection.sentences import CATALOGUE


class NightlySelection(models.Model):
    """Of a campaign whose workers are selected each night; without it a person selects."""

    campaign = models.OneToOneField(
        "annotation.Campaign", models.CASCADE, primary_key=True, related_name="nightly_selection"
    )
    keep_workers = models.PositiveIntegerField()  # at most

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(keep_workers__gte=1), name="nightly_selection_keeps"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.keep_workers}"


class WorkerSelection(models.Model):
    """One choice of the workers that a campaign goes on with; a newer one never erases it."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    campaign = models.ForeignKey(
        "annotation.Campaign", models.CASCADE, related_name="worker_selections"
    )
    budget = models.PositiveIntegerField()  # K: at most so many are kept
    estimator = models.CharField(max_length=8)  # unbiased, plug-in
    # n_classes, above_chance, graded, chance: what the scores were made with.
    parameters = models.JSONField(default=dict)
    seed = models.BigIntegerField(default=0)
    code_version = models.CharField(max_length=40)
    made_at = models.DateTimeField(db_default=Now(), editable=False)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )  # null: a command
    tested = models.PositiveIntegerField()  # workers with two scores at least
    kept = models.PositiveIntegerField()
    crowd = models.FloatField()  # F of those who are kept, by the answers that chose them
    # F of sets chosen from half the gold, by the other half, and its 95 % interval; null where
    # there is too little gold. A row made before `held_out` was has another interval: a bound over
    # all sets that could have been chosen.
    held_out = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    # Why nobody is kept, as a code; an older row holds the sentence itself.
    empty = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.kept} of {self.tested} workers of {self.campaign}"

    @property
    def why_empty(self) -> Problem | None:
        if not self.empty:
            return None
        if " " in self.empty:
            return Problem("told.sentence", sentence=self.empty)
        return Problem(self.empty, "", CATALOGUE)


class SelectedWorker(models.Model):
    """What a selection says of one worker, whether it kept them or not."""

    selection = models.ForeignKey(
        WorkerSelection, models.CASCADE, related_name="workers", db_index=False
    )
    enrollment = models.ForeignKey(
        "annotation.Enrollment", models.CASCADE, related_name="selections"
    )
    number = models.PositiveIntegerField()  # of scores
    accuracy = models.FloatField(null=True)  # graded scores: mapped above chance
    low = models.FloatField(null=True)  # the 95 % interval of the mean score
    high = models.FloatField(null=True)
    score = models.FloatField(null=True)  # q
    chosen = models.BooleanField()
    reason = models.CharField(max_length=20)
    state_before = models.CharField(max_length=9)
    state_after = models.CharField(max_length=9)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["selection", "enrollment"], name="worker_once_in_selection"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.enrollment}: {self.reason}"


class WorkerFlag(models.Model):
    """Something about a worker that deserves a person's look; by itself it changes nothing."""

    class Kind(models.TextChoices):
        FAST = "fast", "much faster than the others"
        SAME = "same", "the same answer nearly always"
        CHANCE = "chance", "agrees with the others no more than by chance"

    enrollment = models.ForeignKey(
        "annotation.Enrollment", models.CASCADE, related_name="flags", db_index=False
    )
    kind = models.CharField(max_length=6, choices=Kind.choices)
    evidence = models.JSONField()  # share, usual, number: see algorithms.guards
    at = models.DateTimeField()  # when it was seen last
    dismissed_at = models.DateTimeField(null=True, blank=True)
    dismissed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = WorkerFlagQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["enrollment", "kind"], name="flag_once_of_a_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.enrollment}: {self.get_kind_display()}"
