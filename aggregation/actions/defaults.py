"""The method that a campaign gets where none is named."""

from __future__ import annotations

import statistics

from django.db.models import Sum
from django.db.models.functions import Length

from aggregation.interfaces.entries import entry
from aggregation.methods.words import Default, default_for_classes, default_for_spans
from annotation.interfaces import categorical
from annotation.models import Campaign, Enrollment, Response


def default_for(campaign: Campaign, *, from_gold: bool = True) -> Default:
    """`from_gold` lets it begin with what workers have shown on hidden gold. Two queries at most.
    Raises ValueError where its interface has none."""
    return entry(campaign.interface).default(campaign, from_gold)


def default_for_spans_of(campaign: Campaign) -> Default:
    answers = Response.objects.filter(assignment__enrollment__campaign=campaign)
    words = answers.aggregate(words=Sum(Length("judgments")))["words"] or 0  # a byte a word
    return default_for_spans(
        words / max(len(_submitted(campaign)), 1),
        words=words,
        adaptive=campaign.target_confidence is not None,
        # Where a list says who does what, it says how many too.
        single=campaign.redundancy == 1 and not campaign.is_assigned,
    )


def default_for_classes_of(campaign: Campaign, from_gold: bool) -> Default:
    rows = _submitted(campaign)
    says = categorical(campaign.interface)
    classes = says.classes(campaign.project.schema, campaign.options) if says else ()
    labels_each = statistics.median(number for number, _ in rows) if rows else 0
    gold = from_gold and any(seen for _, seen in rows)
    return default_for_classes(len(classes), labels_each, gold=gold)


def _submitted(campaign: Campaign) -> list[tuple[int, int]]:
    """Of each worker with an answer: how many answers, and how many gold questions."""
    rows = Enrollment.objects.with_answers().filter(campaign=campaign)
    return list(rows.values_list("submitted", "gold_seen"))
