"""The method that a campaign gets where none is named."""

from __future__ import annotations

from django.db.models import BinaryField, Count
from django.db.models.functions import Substr

from aggregation.interfaces.entries import entry
from aggregation.methods.words import (
    Default,
    default_for_classes,
    default_for_disputed,
    default_for_spans,
)
from aggregation.models.runs import IMPORTED
from aggregation.queries.runs import last_differing, latest_run
from annotation.interfaces.judgments import lengths, pack
from annotation.models import Campaign, Enrollment, Response

HEAD = len(pack({"tags": [], "clusters": [], "links": []}))  # bytes before the judgments themselves


def default_for(campaign: Campaign, *, from_gold: bool = True) -> Default:
    """The method that somebody has chosen to serve labels, with the settings of its latest run;
    else the interface's own. `from_gold` lets it begin with what workers have shown on hidden
    gold. Three queries at most. Raises ValueError where its interface has none."""
    chosen = campaign.served_method
    if chosen not in ("", IMPORTED) and (run := latest_run(campaign, chosen)):
        return Default(run.method, run.parameters, "it was chosen to serve labels")
    return entry(campaign.interface).default(campaign, from_gold)


def default_for_spans_of(campaign: Campaign) -> Default:
    words = _words_judged(campaign)
    return default_for_spans(
        words / max(len(_submitted(campaign)), 1),
        words=words,
        adaptive=campaign.wanted is not None,
        # Where a list says who does what, it says how many too.
        single=campaign.redundancy == 1 and not campaign.is_assigned,
    )


def default_for_classes_of(campaign: Campaign, from_gold: bool) -> Default:
    """The vote, where known answers of tasks on which the two differ have spoken for it. Until
    there are others: then the method is fitted again, to be compared with the vote once more."""
    found = last_differing(campaign)
    if found is not None and found.vote_taken:
        return default_for_disputed(found.known, found.method_right, found.vote_right)
    return default_for_classes(gold=from_gold and any(seen for _, seen in _submitted(campaign)))


def _words_judged(campaign: Campaign) -> int:
    """By all workers together. Answers of the same length have the same head: one query, with a
    row for each."""
    heads = (
        Response.objects.filter(assignment__enrollment__campaign=campaign)
        .values_list(Substr("judgments", 1, HEAD, output_field=BinaryField()))
        .annotate(answers=Count("pk"))
    )
    return sum(lengths(head)["tags"] * answers for head, answers in heads)


def _submitted(campaign: Campaign) -> list[tuple[int, int]]:
    """Of each worker with an answer: how many answers, and how many gold questions."""
    rows = Enrollment.objects.with_answers().filter(campaign=campaign)
    return list(rows.values_list("submitted", "gold_seen"))
