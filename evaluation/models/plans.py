"""What is to be judged, planned before money is spent, and drawn once for ever."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.querysets import DrawQuerySet


class SamplingPlan(models.Model):
    """A version of the draws: which half-width was asked for, and what it takes.

    Draws of later plans add to those of earlier ones; permanent random numbers make them nest.
    """

    class State(models.TextChoices):
        DRAWING = "drawing"
        ASKING = "asking", "tasks are being made"
        ASKED = "asked", "all of its tasks are made"

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    period = models.ForeignKey(
        "evaluation.EvaluationPeriod", models.CASCADE, related_name="plans", db_index=False
    )
    number = models.PositiveIntegerField()  # the version of its draws, from 1
    state = models.CharField(max_length=7, choices=State.choices, default=State.DRAWING)
    metrics = models.JSONField()  # of whose mixture it draws
    half_width = models.FloatField()
    # Wide enough whatever the precision; else by what is believed of it.
    is_conservative = models.BooleanField(default=True)
    level = models.FloatField()
    pool_version = models.CharField(max_length=12, blank=True)  # when it was drawn
    submissions = models.ManyToManyField("evaluation.Submission", related_name="plans")
    drawn = models.PositiveIntegerField(default=0)  # claims
    known = models.PositiveIntegerField(default=0)  # of them, judged or asked before
    lost = models.PositiveIntegerField(default=0)  # that could not be asked about
    made = models.PositiveIntegerField(default=0)  # tasks
    expected_mills = models.PositiveBigIntegerField(default=0)
    most_mills = models.PositiveBigIntegerField(default=0)  # the conservative case
    code_version = models.CharField(max_length=40)
    problem = models.TextField(blank=True)  # why it can't go on, for people
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    asked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["period", "number"], name="plan_numbered_once"),
            models.UniqueConstraint(
                fields=["period"], condition=~Q(state="asked"), name="period_has_one_plan_at_work"
            ),
            models.CheckConstraint(
                condition=Q(half_width__gt=0, half_width__lt=1), name="half_width_is_a_share"
            ),
        ]

    def __str__(self) -> str:
        return f"plan {self.number} of {self.period}"


class Draw(models.Model):
    """A claim that was drawn for a submission. `probability` is that with which it was to be drawn
    for this one; that with which it is judged at all is the largest of its draws."""

    plan = models.ForeignKey(SamplingPlan, models.CASCADE, related_name="draws", db_index=False)
    submission = models.ForeignKey("evaluation.Submission", models.CASCADE, related_name="draws")
    claim = models.ForeignKey("evaluation.Claim", models.CASCADE, related_name="draws")
    metric = models.CharField(max_length=50)  # those of a mixture with + between
    probability = models.FloatField()

    objects = DrawQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["plan", "submission", "claim", "metric"], name="drawn_once_in_plan"
            ),
            models.CheckConstraint(
                condition=Q(probability__gt=0, probability__lte=1),
                name="draw_has_a_probability",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.claim} for {self.submission}"
