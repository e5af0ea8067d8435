"""Which events are to be sent."""

from __future__ import annotations

from datetime import datetime

from django.db import models


class DeliveryQuerySet(models.QuerySet):
    def waiting(self) -> DeliveryQuerySet:
        return self.filter(state="waiting")

    def due(self, now: datetime) -> DeliveryQuerySet:
        return self.waiting().filter(due_at__lte=now)
