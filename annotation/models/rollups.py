"""Counts that pages read in the place of a million rows; `actions.rollups` alone writes them, and
`actions.forecasts` what follows from them.

All can be made anew from what they count, and are no more than a minute old while
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


class CampaignForecast(models.Model):
    """When a campaign will have all answers and what they will have cost: the one row that every
    page tells it from. `actions.forecasts` alone writes it, with the campaign's tally.

    Intervals are those at 95 %. Moments are null where `reason` says why nobody can tell; the last
    is null too where it has no end that is worth telling. Amounts are in mills.
    """

    class Reason(models.TextChoices):
        EARLY = "early", "too early to tell"
        SILENT = "silent", "no answer in the last week"
        FAR = "far", "in more than two years"

    campaign = models.OneToOneField(
        "annotation.Campaign", models.CASCADE, primary_key=True, related_name="forecast"
    )
    made_at = models.DateTimeField()  # of the counts that it is made from
    reason = models.CharField(max_length=6, choices=Reason.choices, blank=True)
    soonest = models.DateTimeField(null=True)
    likely = models.DateTimeField(null=True)
    latest = models.DateTimeField(null=True)
    pace = models.FloatField(null=True)  # answers a day
    pace_low = models.FloatField(null=True)
    pace_high = models.FloatField(null=True)
    earned_mills = models.PositiveBigIntegerField()  # paid or owed so far
    cost_mills = models.PositiveBigIntegerField(null=True)  # of all answers, in the end
    cost_low_mills = models.PositiveBigIntegerField(null=True)
    cost_high_mills = models.PositiveBigIntegerField(null=True)

    def __str__(self) -> str:
        return self.get_reason_display() or f"{self.likely:%Y-%m-%d %H:%M}"
