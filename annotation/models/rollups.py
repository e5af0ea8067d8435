"""Counts that pages read in the place of a million rows; `actions.rollups` alone writes them.

Both can be made anew from what they count, and are no more than a minute old while
`manage.py work` runs.
"""

from django.db import models


class Rollup(models.Model):
    """How many answers a campaign received within one hour. Hours without any have no row."""

    campaign = models.ForeignKey(
        "annotation.Campaign", models.CASCADE, related_name="rollups", db_index=False
    )
    hour = models.DateTimeField()  # when it begins, in UTC
    answers = models.PositiveIntegerField()  # counted ones, to plain tasks
    gold = models.PositiveIntegerField()  # to gold questions of both kinds
    late = models.PositiveIntegerField()  # stored, but the task was full
    counted_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "hour"], name="hour_rolled_up_once"),
        ]
        indexes = [models.Index(fields=["hour"], name="rollup_latest")]

    def __str__(self) -> str:
        return f"{self.answers} answers from {self.hour:%Y-%m-%d %H:%M}"


class Tally(models.Model):
    """What the demands of a campaign's plain tasks add up to."""

    campaign = models.OneToOneField(
        "annotation.Campaign", models.CASCADE, primary_key=True, related_name="tally"
    )
    tasks = models.PositiveIntegerField()
    complete = models.PositiveIntegerField()  # tasks that want no more answers
    wanted = models.PositiveBigIntegerField()
    received = models.PositiveBigIntegerField()
    gold = models.PositiveIntegerField()  # questions of both kinds
    epoch = models.PositiveIntegerField()  # the campaign's, when it was counted
    counted_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "tallies"

    def __str__(self) -> str:
        return f"{self.received} of {self.wanted} answers"
