"""Scores of all systems of a period, made at once from one snapshot of claims and labels."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import models

from evaluation.querysets import ScoreSnapshotQuerySet


class ScoreSnapshot(models.Model):
    """One scoring of everything that stood then. Scores of two snapshots don't compare: where an
    old score moved, `changes` say why."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    period = models.ForeignKey(
        "evaluation.EvaluationPeriod", models.CASCADE, related_name="snapshots", db_index=False
    )
    number = models.PositiveIntegerField()  # from 1
    made_at = models.DateTimeField()
    digest = models.CharField(max_length=64)  # of all that it was made from
    pool_version = models.CharField(max_length=12)
    method = models.CharField(max_length=100)
    code_version = models.CharField(max_length=40)
    seed = models.BigIntegerField(default=0)
    level = models.FloatField()
    looks = models.PositiveIntegerField(default=1)
    claims = models.PositiveIntegerField()  # of the pool
    planned = models.PositiveIntegerField()  # drawn claims
    judged = models.PositiveIntegerField()  # of these
    cost_mills = models.PositiveBigIntegerField()  # of all answers about claims so far
    # Recall of the pool; null: not estimable, no documents are annotated in full.
    theta = models.FloatField(null=True)
    theta_low = models.FloatField(null=True)
    theta_high = models.FloatField(null=True)
    exhaustive_documents = models.PositiveIntegerField(default=0)
    documents_mills = models.PositiveBigIntegerField(default=0)  # what annotating them has cost
    # Recall of the pool as if the expansion had been drawn evenly too: a declared model.
    model_theta = models.FloatField(null=True)
    expansion_documents = models.PositiveIntegerField(default=0)
    notes = models.JSONField(default=list)  # sentences that a reader has to know
    # [{"code", …}]: systems that came, were replaced or withdrawn, labels that came.
    changes = models.JSONField(default=list)

    objects = ScoreSnapshotQuerySet.as_manager()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["period", "number"], name="snapshot_numbered_once"),
        ]

    def __str__(self) -> str:
        return f"scores {self.number} of {self.period}"

    @property
    def spent_mills(self) -> int:
        """On claims and on documents annotated in full."""
        return self.cost_mills + self.documents_mills


class SystemScore(models.Model):
    """Of one submission by one metric. Null values are not estimable; `…_why` says why."""

    snapshot = models.ForeignKey(
        ScoreSnapshot, models.CASCADE, related_name="scores", db_index=False
    )
    submission = models.ForeignKey("evaluation.Submission", models.CASCADE, related_name="scores")
    metric = models.CharField(max_length=10)
    precision = models.FloatField(null=True)
    precision_low = models.FloatField(null=True)
    precision_high = models.FloatField(null=True)
    precision_why = models.CharField(max_length=200, blank=True)
    recall = models.FloatField(null=True)
    recall_low = models.FloatField(null=True)
    recall_high = models.FloatField(null=True)
    recall_why = models.CharField(max_length=200, blank=True)
    f1 = models.FloatField(null=True)
    f1_low = models.FloatField(null=True)
    f1_high = models.FloatField(null=True)
    f1_why = models.CharField(max_length=200, blank=True)
    claims = models.PositiveIntegerField()
    judged = models.PositiveIntegerField()
    effective = models.FloatField(null=True)  # judgments that tell as much; null: all were judged
    cost_mills = models.PositiveBigIntegerField()  # its part: a claim's cost, shared by its systems
    # Of claims that are right with their types, and with their links too:
    # {"types": {"of_correct", "judged", "precision", "recall", "f1"}, "links": …}: which share of
    # its correct claims that is, and each score, as {"value", "low", "high"}. What nothing is known
    # of is not there.
    stricter = models.JSONField(default=dict)
    # Recall of each relation: [{"relation", "true", "value", "low", "high"}, …].
    relations = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["snapshot", "metric", "submission"], name="scored_once_in_snapshot"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.submission} by {self.metric}"

    def with_parts(self, level: str, measure: str) -> dict[str, Any] | None:
        """Its precision, recall or f1 of claims that are right with their "types", or "links"."""
        told: dict[str, Any] = self.stricter.get(level, {})
        return told.get(measure)


class ScoreComparison(models.Model):
    """All pairs of systems on the same judged claims, and the probabilities of ranks.

    `systems` are keys of submissions; `value[i][j]`, `low` and `high` the difference of the i-th
    and the j-th, `better` with which probability the i-th is the better one, `ranks[i][r]` that it
    has rank r; null where one of both is not estimable.
    """

    snapshot = models.ForeignKey(
        ScoreSnapshot, models.CASCADE, related_name="comparisons", db_index=False
    )
    measure = models.CharField(max_length=30)  # precision or F1, and the metric
    systems = models.JSONField()
    value = models.JSONField()
    low = models.JSONField()
    high = models.JSONField()
    better = models.JSONField()
    ranks = models.JSONField()
    # Of neighbours on the board that can't be told apart, what would do it:
    # [{"first", "second", "labels", "mills"}, …]; `labels` null: no number of them would.
    settling = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["snapshot", "measure"], name="measure_compared_once_in_snapshot"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.measure} in {self.snapshot}"
