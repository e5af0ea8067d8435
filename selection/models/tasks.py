"""What was found of tasks: which ask for one more answer, and how gold questions do."""

from django.db import models
from django.db.models.functions import Now


class RedundancyRound(models.Model):
    """One look at a campaign's tasks: which have answers enough, and which ask for one more."""

    needs_run_by_name = True  # its figures stand here: the run's results can be pruned

    campaign = models.ForeignKey(
        "annotation.Campaign", models.CASCADE, related_name="redundancy_rounds"
    )
    run = models.ForeignKey(
        "aggregation.AggregationRun", models.CASCADE, null=True, related_name="+"
    )  # whose confidences it went by; null: by the votes
    rule = models.CharField(max_length=10)  # confidence, majority, stable
    target = models.FloatField(null=True)
    code_version = models.CharField(max_length=40)
    at = models.DateTimeField(db_default=Now(), editable=False)
    asked = models.PositiveIntegerField()  # tasks that want one answer more
    closed = models.PositiveIntegerField()  # tasks that are given out no more, though they could be
    waiting = models.PositiveIntegerField()  # tasks with answers that no consensus holds yet
    certain = models.PositiveIntegerField()  # tasks that have answers enough, in all
    full = models.PositiveIntegerField()  # tasks that have all that they may have, and are in doubt
    received = models.PositiveBigIntegerField()  # answers so far
    saved = models.PositiveBigIntegerField()  # answers that certain tasks have less than the most

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.asked} asked, {self.closed} closed of {self.campaign}"


class GoldCheck(models.Model):
    """How a gold question does: how hard it is, and whether good workers keep failing it."""

    question = models.OneToOneField(
        "annotation.GoldQuestion", models.CASCADE, primary_key=True, related_name="check_row"
    )
    number = models.PositiveIntegerField()  # of scores
    mean = models.FloatField(null=True)
    expected = models.FloatField(null=True)  # what the same workers score elsewhere
    suspicious = models.BooleanField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"check of {self.question}"
