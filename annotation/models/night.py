"""What the night did."""

from __future__ import annotations

from django.db import models

from annotation.querysets.night import NightStepQuerySet


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
