"""Filters that have a name. Nothing here writes."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import F
from django.db.models.functions import Coalesce

from aggregation.interfaces import words_of

# Of finished runs, what was made of newer answers first.
BY_ANSWERS = (Coalesce("as_of", "finished_at").desc(), F("id").desc())


class AggregationRunQuerySet(models.QuerySet):
    def complete(self) -> AggregationRunQuerySet:
        return self.filter(state="complete")

    def kept(self) -> AggregationRunQuerySet:
        """All but those whose results are gone, or are going."""
        return self.exclude(state="pruned")

    def latest_first(self) -> AggregationRunQuerySet:
        """By the answers that they were made of."""
        return self.order_by(*BY_ANSWERS)


class AggregationRunManager(models.Manager.from_queryset(AggregationRunQuerySet)):  # type: ignore[misc]
    """Runs without what they have learnt, which can be many megabytes."""

    def get_queryset(self) -> models.QuerySet:
        return super().get_queryset().defer("fitted")


class ConsensusQuerySet(models.QuerySet):
    def disputed(self, campaign: Any) -> ConsensusQuerySet:
        """Where a decision pays: the answers that the campaign wants of each task are in, and
        still so much is expected to be wrong."""
        return self.filter(
            expected_errors__gte=words_of(campaign.interface).disputed,
            answers__gte=campaign.redundancy,
        )

    def sure(self, campaign: Any) -> ConsensusQuerySet:
        """Of which less is expected to be wrong, whatever the number of their answers."""
        return self.filter(expected_errors__lt=words_of(campaign.interface).disputed)

    def most_errors_first(self) -> ConsensusQuerySet:
        """Those that are expected, where they are known."""
        return self.filter(expected_errors__gte=0).order_by("-expected_errors", "task")
