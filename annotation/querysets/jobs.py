"""What jobs are waiting, at work, over; and whose turn it is."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Count, F, Max, Min, OuterRef, Subquery
from django.db.models.functions import Coalesce


class JobQuerySet(models.QuerySet):
    def queued(self) -> JobQuerySet:
        return self.filter(state="queued")

    def running(self) -> JobQuerySet:
        return self.filter(state="running")

    def unfinished(self) -> JobQuerySet:
        return self.filter(state__in=("queued", "running"))

    def ended(self) -> JobQuerySet:
        return self.filter(state__in=("done", "failed", "stopped"))

    def failed(self) -> JobQuerySet:
        return self.filter(state="failed")

    def alive_since(self, moment: datetime) -> JobQuerySet:
        """At work, with a sign of life since then."""
        return self.running().filter(beat_at__gt=moment)

    def held_by(self, token: object) -> JobQuerySet:
        """The one that is at work under this token: every write of a runner goes through here."""
        return self.running().filter(token=token)

    def by_turn(self, now: datetime) -> JobQuerySet:
        """Of each project the job that has waited longest, of those that may start; the next one
        first: projects take turns. First comes the one that has the fewest at work, then the one
        that has waited longest since its last job began."""
        owner = Coalesce("project_id", 0, output_field=models.BigIntegerField())
        every = type(self)(self.model).order_by().annotate(owner=owner)
        same = every.filter(owner=OuterRef("owner"))
        running = same.running().values("owner").annotate(number=Count("pk")).values("number")
        last = same.values("owner").annotate(last=Max("started_at")).values("last")
        due = every.queued().filter(due_at__lte=now)
        first = due.values("owner").annotate(first=Min("pk")).values("first")
        return (
            self.filter(pk__in=first)
            .annotate(owner=owner)
            .annotate(at_work=Coalesce(Subquery(running), 0), last=Subquery(last))
            .order_by("at_work", F("last").asc(nulls_first=True), "id")
        )


class NightStepQuerySet(models.QuerySet):
    def failed(self) -> NightStepQuerySet:
        return self.exclude(error="")

    def of_last_night(self) -> NightStepQuerySet:
        newest = self.model._base_manager.order_by("-night").values("night")
        return self.filter(night=Subquery(newest[:1]))
