"""Filters that have a name. Nothing here writes."""

from __future__ import annotations

from django.db import models


class WorkerFlagQuerySet(models.QuerySet):
    def standing(self) -> WorkerFlagQuerySet:
        """Those that no person has dismissed."""
        return self.filter(dismissed_at=None)
