"""Filters that have a name. Nothing here writes."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Case, F, When
from django.db.models.functions import Coalesce

from aggregation.interfaces import words_of

# Of finished runs, what was made of newer answers first.
BY_ANSWERS = (Coalesce("as_of", "finished_at").desc(), F("id").desc())
# Those of the method that somebody has chosen for their campaign. A run that was made again as of
# an earlier time is never served: what it was made from is newer.
CHOSEN = Case(When(method=F("campaign__served_method"), as_of=None, then=0), default=1)


class AggregationRunQuerySet(models.QuerySet):
    def complete(self) -> AggregationRunQuerySet:
        return self.filter(state="complete")

    def kept(self) -> AggregationRunQuerySet:
        """All but those whose results are gone, or are going."""
        return self.exclude(state="pruned")

    def latest_first(self) -> AggregationRunQuerySet:
        """By the answers that they were made of."""
        return self.order_by(*BY_ANSWERS)

    def served_first(self) -> AggregationRunQuerySet:
        """The first of a campaign's complete runs is the one whose labels stand everywhere: the
        latest by the method that its managers have chosen, else, and where there is none of it
        any more, the latest of all."""
        return self.order_by(CHOSEN, *BY_ANSWERS)


class AggregationRunManager(models.Manager.from_queryset(AggregationRunQuerySet)):  # type: ignore[misc]
    """Runs without what they have learnt, which can be many megabytes."""

    def get_queryset(self) -> models.QuerySet:
        return super().get_queryset().defer("fitted")


class ConsensusQuerySet(models.QuerySet):
    def of_run(self, key: Any) -> ConsensusQuerySet:
        """Those of the run with this key. The run is looked up first, by itself: joined to its
        million rows, PostgreSQL reads and sorts all of them for the first twenty."""
        runs: Any = self.model._meta.get_field("run").related_model
        return self.filter(run=runs._default_manager.filter(key=key).values("pk")[:1])

    def disputed(self, campaign: Any) -> ConsensusQuerySet:
        """Where a decision pays: the answers that the campaign wants of each task are in, still
        so much is expected to be wrong, and nobody has decided the whole of it."""
        return self.filter(
            ~models.Exists(self.decided().filter(task=models.OuterRef("task"))),
            expected_errors__gte=words_of(campaign.interface).disputed,
            answers__gte=campaign.redundancy,
        )

    def decided(self) -> models.QuerySet:
        """The decisions that leave nothing of their task to decide."""
        task: Any = self.model._meta.get_field("task").related_model
        decisions = task._meta.get_field("adjudication").related_model._default_manager
        return decisions.filter(is_complete=True)

    def sure(self, campaign: Any) -> ConsensusQuerySet:
        """Of which less is expected to be wrong, whatever the number of their answers."""
        return self.filter(expected_errors__lt=words_of(campaign.interface).disputed)

    def most_errors_first(self) -> ConsensusQuerySet:
        """Those that are expected, where they are known."""
        return self.filter(expected_errors__gte=0).order_by("-expected_errors", "task")
