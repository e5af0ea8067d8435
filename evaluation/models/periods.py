"""Evaluation periods: a corpus, a window in which teams submit, and the release of the labels."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from evaluation.querysets import EvaluationPeriodQuerySet


class EvaluationPeriod(models.Model):
    """Systems that were given the same documents, and are scored beside each other.

    Its documents are fixed when it is set up: what is imported later belongs to the next period.
    """

    class Match(models.TextChoices):
        EXACT = "exact", "the same first and last character"
        HEAD = "head", "the same last character"
        OVERLAP = "overlap", "a character in common"

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(
        "annotation.Project", models.CASCADE, related_name="evaluation_periods", db_index=False
    )
    name = models.CharField(max_length=200)
    documents = models.ManyToManyField("annotation.Document", related_name="+")
    follows = models.OneToOneField(  # the period before, on another corpus
        "self", models.SET_NULL, null=True, blank=True, related_name="next"
    )
    opens_at = models.DateTimeField()
    closes_at = models.DateTimeField(null=True, blank=True)  # null: nobody has said yet
    labels_released_at = models.DateTimeField(null=True, blank=True)
    # Whether a stranger sees the scores. The project's teams see them in any case.
    is_public = models.BooleanField(default=False)
    # A relation campaign of the same project, in which claims are verified.
    campaign = models.ForeignKey(
        "annotation.Campaign", models.RESTRICT, null=True, blank=True, related_name="+"
    )
    # A linking campaign of the same project, in which it is asked who of the names without a link
    # is who.
    links = models.ForeignKey(
        "annotation.Campaign", models.RESTRICT, null=True, blank=True, related_name="+"
    )
    metrics = models.JSONField(default=list)  # the first is the one that the board is ordered by
    match = models.CharField(max_length=7, choices=Match.choices, default=Match.EXACT)
    level = models.FloatField(
        default=0.9, validators=[MinValueValidator(0.5), MaxValueValidator(0.999)]
    )
    seed = models.BigIntegerField(default=0)  # of the permanent random numbers
    # What judging takes, made anew when submissions or labels come (actions.planning).
    forecast = models.JSONField(default=dict, blank=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = EvaluationPeriodQuerySet.as_manager()

    class Meta:
        ordering = ["-opens_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"], name="evaluation_period_named_once"
            ),
            models.CheckConstraint(
                condition=Q(closes_at=None) | Q(closes_at__gt=F("opens_at")),
                name="evaluation_period_closes_after_it_opens",
            ),
            models.CheckConstraint(
                condition=Q(level__gt=0, level__lt=1), name="evaluation_level_is_a_share"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def takes_submissions(self, now: datetime) -> bool:
        return self.opens_at <= now and (self.closes_at is None or now < self.closes_at)
