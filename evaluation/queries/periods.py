"""Periods as commands and pages read them."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from evaluation.models import ClaimPart, EvaluationPeriod


def periods_at_rest() -> QuerySet[EvaluationPeriod]:
    """Those in which the last answer that was needed has come: what was asked is neither open nor
    leased any more, and some of it has no label yet."""
    asked = ClaimPart.objects.filter(
        claim__period=OuterRef("pk"), task__campaign=OuterRef("campaign")
    )
    at_work = asked.filter(Q(task__demand__ready=True) | Q(task__demand__leased__gt=0))
    answered = asked.filter(task__demand__received__gt=0, labels=None)
    return EvaluationPeriod.objects.filter(Exists(answered)).exclude(Exists(at_work))
