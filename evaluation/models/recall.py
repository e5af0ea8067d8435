"""Documents that are annotated in full, from which recall is estimated."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class RecallSample(models.Model):
    """Of a period: which documents, and in which campaigns they are annotated. Names first, then
    how those of a sentence are related. Who of them is who is asked in the period's `links`."""

    period = models.OneToOneField(
        "evaluation.EvaluationPeriod", models.CASCADE, related_name="recall_sample"
    )
    names = models.ForeignKey("annotation.Campaign", models.RESTRICT, related_name="+")
    relations = models.ForeignKey("annotation.Campaign", models.RESTRICT, related_name="+")
    half_width = models.FloatField()  # of recall, that its size was chosen for
    largest = models.PositiveIntegerField(default=100)  # documents, with the expansion
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(half_width__gt=0, half_width__lt=1), name="recall_width_is_a_share"
            ),
        ]

    def __str__(self) -> str:
        return f"documents of {self.period} annotated in full"


class RecallDocument(models.Model):
    """One of them. Those of the expansion name somebody of the uniform sample again: with which
    probability they were chosen is not known, so that they serve no estimate."""

    class Kind(models.TextChoices):
        UNIFORM = "uniform"
        EXPANSION = "expansion"

    sample = models.ForeignKey(
        RecallSample, models.CASCADE, related_name="documents", db_index=False
    )
    document = models.ForeignKey("annotation.Document", models.CASCADE, related_name="+")
    kind = models.CharField(max_length=9, choices=Kind.choices)
    place = models.PositiveIntegerField()  # in the order of the draw
    name = models.CharField(max_length=200, blank=True)  # that an expansion mentions

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["sample", "document"], name="recall_document_once"),
            models.CheckConstraint(
                condition=Q(kind="uniform", name="") | Q(kind="expansion") & ~Q(name=""),
                name="expansion_has_its_name",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.document} ({self.kind})"
