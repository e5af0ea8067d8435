"""Workers in a campaign: who has done something, and who gets no more tasks."""

from __future__ import annotations

from django.db import models

OUT = ("paused", "blocked")  # Enrollment.State; no tasks until somebody lets the worker in again


class EnrollmentQuerySet(models.QuerySet):
    def with_answers(self) -> EnrollmentQuerySet:
        """Of workers who have submitted something in time."""
        return self.filter(submitted__gt=0)
