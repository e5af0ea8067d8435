"""Claims that were drawn, what is judged of them, and the labels that every submission shares.

A submission's claims are columns in a file (Submission.columns); a row is made of those alone that
somebody is asked about.
"""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from evaluation.querysets import ClaimPartQuerySet, ClaimQuerySet


class Claim(models.Model):
    """A base claim: a relation between two spans of a document, the canonical way round. It is one
    row, whatever systems make it, in whatever submission."""

    period = models.ForeignKey(
        "evaluation.EvaluationPeriod", models.CASCADE, related_name="claims", db_index=False
    )
    code = models.CharField(max_length=16)  # the key of its columns (claim_keys), hexadecimal
    # Null: it was removed. The claim then counts for nobody.
    document = models.ForeignKey(
        "annotation.Document", models.SET_NULL, null=True, related_name="+"
    )
    document_name = models.CharField(max_length=200)  # its external id
    relation = models.CharField(max_length=60)
    subject_start = models.PositiveIntegerField()
    subject_end = models.PositiveIntegerField()
    object_start = models.PositiveIntegerField()
    object_end = models.PositiveIntegerField()
    number = models.FloatField()  # its permanent random number

    objects = ClaimQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["period", "code"], name="claim_once_in_period"),
            models.CheckConstraint(
                condition=Q(subject_start__lt=F("subject_end"), object_start__lt=F("object_end")),
                name="claim_spans_hold_something",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.document_name}: {self.relation}"


class ClaimPart(models.Model):
    """What is judged by itself of a claim, as interfaces.claim_parts names it: that the relation
    holds, that one of the two is a name, has this type, or this link. Systems that say the same
    share it; one that differs in a link alone has that part of its own, and nothing else."""

    class Part(models.TextChoices):
        RELATION = "relation"
        SUBJECT = "subject_ok", "the subject is a name"
        OBJECT = "object_ok", "the object is a name"
        SUBJECT_TYPE = "subject_type_ok", "the subject's type"
        OBJECT_TYPE = "object_type_ok", "the object's type"
        SUBJECT_LINK = "subject_link_ok", "the subject's link"
        OBJECT_LINK = "object_link_ok", "the object's link"

    BASE = (Part.RELATION, Part.SUBJECT, Part.OBJECT)  # of every system that makes the claim

    claim = models.ForeignKey(Claim, models.CASCADE, related_name="parts", db_index=False)
    part = models.CharField(max_length=15, choices=Part.choices)
    value = models.CharField(max_length=200, blank=True)  # the type or the link; else ""
    # That asks for it. Null: nobody was asked yet, or the task is gone.
    task = models.ForeignKey(
        "annotation.Task", models.SET_NULL, null=True, blank=True, related_name="claim_parts"
    )

    objects = ClaimPartQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["claim", "part", "value"], name="claim_part_once"),
            models.CheckConstraint(
                condition=Q(part__in=["relation", "subject_ok", "object_ok"], value="")
                | (~Q(part__in=["relation", "subject_ok", "object_ok"]) & ~Q(value="")),
                name="claim_part_has_its_value",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.part} of {self.claim}"


class PartLabel(models.Model):
    """What the crowd says of a part, under one version of the instructions. The newest version
    counts; a label is not asked for again where another submission has the part too."""

    part = models.ForeignKey(ClaimPart, models.CASCADE, related_name="labels", db_index=False)
    instructions = models.ForeignKey(
        "annotation.InstructionsVersion", models.CASCADE, null=True, related_name="+"
    )  # null: the campaign had none
    probability = models.FloatField()  # that it is true, by the consensus; "can't tell" is half
    answers = models.PositiveIntegerField()
    run = models.ForeignKey(
        "aggregation.AggregationRun", models.SET_NULL, null=True, related_name="+"
    )
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["part", "instructions"], name="part_labelled_once"),
            models.UniqueConstraint(
                fields=["part"],
                condition=Q(instructions=None),
                name="part_labelled_once_without_instructions",
            ),
            models.CheckConstraint(
                condition=Q(probability__gte=0, probability__lte=1), name="label_is_a_probability"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.part}: {self.probability:.2f}"


class SubmissionClaim(models.Model):
    """A submission makes a claim that has a row: where in its file, and how it puts it."""

    submission = models.ForeignKey(
        "evaluation.Submission", models.CASCADE, related_name="judged_claims", db_index=False
    )
    claim = models.ForeignKey(Claim, models.CASCADE, related_name="made_by")
    line = models.PositiveIntegerField()
    confidence = models.FloatField(null=True)
    subject_type = models.CharField(max_length=60)
    object_type = models.CharField(max_length=60)
    subject_link = models.CharField(max_length=200, blank=True)
    object_link = models.CharField(max_length=200, blank=True)
    provenance = models.JSONField(default=list)  # [[start, end], …]

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["submission", "claim"], name="claim_once_in_submission"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.claim} by {self.submission}"
