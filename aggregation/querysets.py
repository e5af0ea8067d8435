"""Filters that have a name. Nothing here writes."""

from __future__ import annotations

from django.db import models


class AggregationRunQuerySet(models.QuerySet):
    def complete(self) -> AggregationRunQuerySet:
        return self.filter(state="complete")

    def latest_first(self) -> AggregationRunQuerySet:
        return self.order_by("-finished_at", "-id")


class AggregationRunManager(models.Manager.from_queryset(AggregationRunQuerySet)):  # type: ignore[misc]
    """Runs without what they have learnt, which can be many megabytes."""

    def get_queryset(self) -> models.QuerySet:
        return super().get_queryset().defer("fitted")
