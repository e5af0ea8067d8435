"""Filters that have a name. Nothing here writes."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Max, OuterRef, Q, Subquery


class EvaluationPeriodQuerySet(models.QuerySet):
    def open_at(self, now: datetime) -> EvaluationPeriodQuerySet:
        """Those that take submissions."""
        still = Q(closes_at=None) | Q(closes_at__gt=now)
        return self.filter(still, opens_at__lte=now)

    def opened_by(self, now: datetime) -> EvaluationPeriodQuerySet:
        """Those whose documents a team may see."""
        return self.filter(opens_at__lte=now)


class TeamQuerySet(models.QuerySet):
    def of_user(self, user: Any) -> TeamQuerySet:
        """Those in whose name `user` may submit."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(members__user=user)

    def visible_to(self, user: Any) -> TeamQuerySet:
        """A team sees itself alone; the project's members see all."""
        if user.is_superuser:
            return self
        if not user.is_authenticated:
            return self.none()
        mine = Q(members__user=user) | Q(project__members__user=user)
        return self.filter(mine).distinct()


class SystemQuerySet(models.QuerySet):
    def of_teams(self, teams: Any) -> SystemQuerySet:
        return self.filter(team__in=teams)


class SubmissionQuerySet(models.QuerySet):
    def standing(self) -> SubmissionQuerySet:
        """Valid, and not withdrawn."""
        return self.filter(state="valid", withdrawn_at=None)

    def current(self) -> SubmissionQuerySet:
        """Of each system in each period the newest that stands: what is drawn from and scored."""
        rows = SubmissionQuerySet(self.model).standing()
        same = rows.filter(system=OuterRef("system"), period=OuterRef("period"))
        newest = same.order_by("-version").values("pk")[:1]
        return self.standing().filter(pk=Subquery(newest))

    def visible_to(self, user: Any) -> SubmissionQuerySet:
        """A team sees its own; the project's members see all."""
        if user.is_superuser:
            return self
        if not user.is_authenticated:
            return self.none()
        mine = Q(system__team__members__user=user)
        return self.filter(mine | Q(period__project__members__user=user)).distinct()

    def managed_by(self, user: Any) -> SubmissionQuerySet:
        """Those that `user` may withdraw: of their own team, or of a project that they manage."""
        if user.is_superuser:
            return self
        if not user.is_authenticated:
            return self.none()
        manages = Q(period__project__members__user=user, period__project__members__role="manager")
        return self.filter(Q(system__team__members__user=user) | manages).distinct()


class ClaimQuerySet(models.QuerySet):
    def in_corpus(self) -> ClaimQuerySet:
        """Those whose document is still there."""
        return self.filter(document__import_run__state="complete")

    def drawn(self) -> ClaimQuerySet:
        """With `inclusion`, the probability with which each was to be drawn for any submission."""
        return self.filter(draws__isnull=False).annotate(inclusion=Max("draws__probability"))


class ClaimPartQuerySet(models.QuerySet):
    def unlabelled(self, instructions: Any) -> ClaimPartQuerySet:
        """Those that nobody has judged under this version of the instructions."""
        return self.exclude(labels__instructions=instructions)


class DrawQuerySet(models.QuerySet):
    def of_period(self, period: Any) -> DrawQuerySet:
        return self.filter(plan__period=period)


class ScoreSnapshotQuerySet(models.QuerySet):
    def latest_of(self, period: Any) -> Any:
        """The scores that stand; None before the first."""
        return self.filter(period=period).order_by("-number").first()
