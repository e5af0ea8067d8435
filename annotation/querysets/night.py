"""The steps of nights."""

from __future__ import annotations

from django.db import models
from django.db.models import Subquery


class NightStepQuerySet(models.QuerySet):
    def failed(self) -> NightStepQuerySet:
        return self.exclude(error="")

    def of_last_night(self) -> NightStepQuerySet:
        newest = self.model._base_manager.order_by("-night").values("night")
        return self.filter(night=Subquery(newest[:1]))
