"""Filters that have a name. Nothing here writes."""

from __future__ import annotations

from django.db import models


class AggregationRunQuerySet(models.QuerySet):
    def complete(self) -> AggregationRunQuerySet:
        return self.filter(state="complete")

    def latest_first(self) -> AggregationRunQuerySet:
        return self.order_by("-finished_at", "-id")
