"""How narrow the interval of a quality that is named can be, with the random gold that there is,
and whether it can be had. Plain Python: a web process imports no numerics."""

from __future__ import annotations

import math

from django.db.models import Exists, OuterRef

from annotation.actions.pace import NORMAL
from annotation.interfaces import Product, traits
from annotation.models import Campaign, Document, GoldQuestion, ImportedAnswer, Project, Task
from annotation.queries.intervals import score_interval
from dashboard.campaigns.reach import reach_words
from dashboard.templatetags.figures import share

USUAL = 0.9  # the quality that is spoken of where none is named
ASKED = 20  # known answers that are asked for
SPANS = 6  # of a document, where no known answer tells
READ = 200  # known answers in which spans are counted
LEAST_DOCUMENTS, LEAST_TASKS = 5, 10  # as runs have it (aggregation.models.facts)


def promise_words(project: Project, interface: str, campaign: Campaign | None = None) -> str:
    """For the form: how narrow the promise can be, and whether the quality can be had at all, where
    something tells. At most five queries."""
    quality = (campaign.target_quality if campaign else None) or USUAL
    told = _narrowness(project, interface, campaign, quality)
    if campaign is None or not campaign.pk:
        return told
    return f"{told} {reach_words(campaign, quality, campaign.max_redundancy)}".rstrip()


def _narrowness(project: Project, interface: str, campaign: Campaign | None, quality: float) -> str:
    spans = traits(interface).product is Product.MENTIONS
    known = _known(project, interface, campaign)
    thing = "document" if spans else "task"
    if len(known) < (LEAST_DOCUMENTS if spans else LEAST_TASKS):
        told = f"{len(known):,} known answers" if known else "no known answers"
        low, high = interval_of(quality, ASKED, ASKED * SPANS if spans else None)
        return (
            f"There are {told} of {thing}s drawn at random: a quality can be aimed at, but not "
            f"promised, and pages say “not checked against gold”. {ASKED} known answers of "
            f"{thing}s drawn at random would show a quality of {share(quality)} as "
            f"{share(low)} to {share(high)}{', at best' if spans else ''}."
        )
    low, high = interval_of(quality, len(known), sum(known) if spans else None)
    return (
        f"With the {len(known):,} known answers of {thing}s drawn at random, the promise can be as "
        f"narrow as this: a quality of {share(quality)} would show as {share(low)} to "
        f"{share(high)}, 95 %{', at best: documents that differ make it wider' if spans else ''}."
    )


def interval_of(quality: float, known: int, spans: int | None = None) -> tuple[float, float]:
    """The interval of a run on gold that came out like that: of accuracy Wilson's; of the F1 of
    documents with so many `spans` the narrowest there can be, where documents do not differ."""
    if spans is None:
        return score_interval(quality, known) or (0.0, 1.0)
    if known < 2:
        return 0.0, 1.0
    centre = (2 * quality * spans + 1) / (2 * spans + 2)
    doubt = centre * (1 - centre)
    half = NORMAL * math.sqrt((1 - centre / 2) / (doubt * (spans + 1)))
    logit = math.log(centre / (1 - centre))
    return 1 / (1 + math.exp(half - logit)), 1 / (1 + math.exp(-half - logit))


def _known(project: Project, interface: str, campaign: Campaign | None) -> list[int]:
    """Spans of each known answer of a task drawn at random; 0 where an answer is one class."""
    documents = Document.objects.visible().filter(project=project)
    gold = ImportedAnswer.objects.gold_for(interface)
    imported = gold.filter(Exists(documents.filter(pk=OuterRef("document"))))
    found = list(imported.values_list("answer", flat=True)[:READ])
    if found and documents.exclude(pk__in=gold.values("document")).exists():
        found = []  # others came without: nobody has said that these were drawn at random
    if campaign is not None:
        own = GoldQuestion.objects.sampled().filter(task__campaign=campaign)
        if found:
            own = own.exclude(task__in=Task.objects.gold_for(interface).filter(campaign=campaign))
        found += own.values_list("answer", flat=True)[:READ]
    return [_spans(answer) for answer in found]


def _spans(answer: dict[str, list[object]]) -> int:
    return len(answer.get("mentions", ())) or sum(
        str(tag).startswith("B-") for tag in answer.get("tags", ())
    )
