"""Recall: documents of a period are drawn evenly, and annotated in full by campaigns.

Each step goes on from the rows of the one before it: done again, or after a crash, it adds what is
missing and nothing twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max

from aggregation.actions.defaults import default_for
from aggregation.actions.runs import CannotAggregate, aggregate
from aggregation.knowledge.relation_tasks import build_pairs
from aggregation.queries import latest_run
from annotation.actions import audit, locks
from annotation.actions.campaigns import create_campaign, create_tasks_on, open_campaign
from annotation.interfaces import Product, traits
from annotation.models import Campaign, Demand, Document
from evaluation.actions.recall_requests import CannotSample
from evaluation.arrays.pool import corpus_of, load_pool
from evaluation.arrays.recall import expansion_of, size_for, uniform_order
from evaluation.models import EvaluationPeriod, RecallDocument, RecallSample


@dataclass(frozen=True, slots=True)
class Progress:
    """What a sample holds by now. `pairs` are tasks that were made in this step."""

    uniform: int
    expansion: int
    pairs: int


def sample_documents(
    period: EvaluationPeriod, *, half_width: float, names: Campaign, relations: Campaign,
    largest: int = 100, user: Any = None,
) -> RecallSample:  # fmt: skip
    """Draw as many documents as that half-width takes, at least twenty, and ask for their names.
    Asked again for a narrower interval it adds documents. Audited. Raises CannotSample, Held."""
    if not 0 < half_width < 1:
        raise CannotSample("recall.width", "half_width", found=half_width)
    for campaign, product in ((names, Product.MENTIONS), (relations, Product.RELATIONS)):
        if (
            campaign.project_id != period.project_id
            or traits(campaign.interface).product != product
        ):
            raise CannotSample("recall.campaign", campaign=campaign.slug)
    with locks.hold(f"evaluation:{period.key}"):
        standing = load_pool(period)
        order = uniform_order(corpus_of(period), period.seed)
        if not order:
            raise CannotSample("recall.no_documents", period=period.name)
        size = min(size_for(standing, half_width, period.level), len(order))
        with transaction.atomic():
            sample, _ = RecallSample.objects.update_or_create(
                period=period,
                defaults={"half_width": half_width, "largest": largest},
                create_defaults={
                    "names": names, "relations": relations,
                    "half_width": half_width, "largest": largest, "created_by": user,
                },
            )  # fmt: skip
            _add(sample, [(pk, "") for pk in order[:size]], RecallDocument.Kind.UNIFORM)
            audit.record(
                period.project, "draw documents", period.name, user=user,
                after={"documents": size, "half_width": half_width},
            )  # fmt: skip
        if names.state == Campaign.State.DRAFT:  # opened, it asks for these documents alone
            Campaign.objects.filter(pk=names.pk).update(chosen_documents=True)
        _ask_for_names(sample)
    return sample


def make_campaigns(
    period: EvaluationPeriod, *, pay_mills: int, pair_mills: int | None = None,
    redundancy: int = 3, user: Any = None,
) -> tuple[Campaign, Campaign]:  # fmt: skip
    """Drafts for names and for relations of a period that has none yet, and opens neither. A pair
    of names is paid as a document is, unless `pair_mills` says otherwise."""
    made = []
    for what, interface, name, mills in (
        ("names", "entity", "Names", pay_mills),
        ("relations", "relation", "Relations", pay_mills if pair_mills is None else pair_mills),
    ):
        slug = f"recall-{what}-{str(period.key)[:8]}"
        there = Campaign.objects.filter(slug=slug).first()
        made.append(
            there or create_campaign(
                period.project, slug=slug, name=f"{name} of {period.name}"[:100],
                interface=interface, redundancy=redundancy, pay_mills=mills, user=user,
            )
        )  # fmt: skip
    return made[0], made[1]


def advance_recall(period: EvaluationPeriod) -> Progress | None:
    """The next step that can be done by now: expand the sample once its names are known, and ask
    how the names are related. None without a sample. The caller holds the period's lock."""
    related = RecallSample.objects.select_related("period__project", "names", "relations")
    sample = related.filter(period=period).first()
    if sample is None:
        return None
    _ask_for_names(sample)
    made = 0
    if _is_answered(sample.names):
        _aggregated(sample.names)
        rows = list(sample.documents.all())
        if not any(row.kind == RecallDocument.Kind.EXPANSION for row in rows):
            more = expansion_of(
                sample, [row.document_id for row in rows], sample.largest - len(rows)
            )
            with transaction.atomic():
                _add(sample, more, RecallDocument.Kind.EXPANSION)
            _ask_for_names(sample)
        run = latest_run(sample.names)
        if run is not None:
            made = build_pairs(sample.names, sample.relations, run).made
            _open(sample.relations)
    if _is_answered(sample.relations):
        _aggregated(sample.relations)
    kinds = list(sample.documents.values_list("kind", flat=True))
    return Progress(
        kinds.count(RecallDocument.Kind.UNIFORM), kinds.count(RecallDocument.Kind.EXPANSION), made
    )


def _add(sample: RecallSample, documents: list[tuple[int, str]], kind: str) -> None:
    """Those that the sample has not. A document of the expansion that is drawn evenly now counts as
    such."""
    there = dict(sample.documents.values_list("document", "kind"))
    place = sample.documents.aggregate(most=Max("place"))["most"] or 0
    if kind == RecallDocument.Kind.UNIFORM:
        again = [pk for pk, _ in documents if there.get(pk) == RecallDocument.Kind.EXPANSION]
        sample.documents.filter(document__in=again).update(kind=kind, name="")
    RecallDocument.objects.bulk_create(
        RecallDocument(sample=sample, document_id=pk, kind=kind, name=name, place=place + i)
        for i, (pk, name) in enumerate(documents, 1)
        if pk not in there
    )


def _ask_for_names(sample: RecallSample) -> None:
    """A task for each document, in the campaign for names."""
    chosen = sample.documents.values("document")
    names = Document.objects.filter(pk__in=chosen).values_list("pk", "external_id")
    create_tasks_on(sample.names, [(pk, name, {}) for pk, name in names.order_by("pk")])
    _open(sample.names)


def _open(campaign: Campaign) -> None:
    campaign.refresh_from_db(fields=["state", "chosen_documents"])
    if campaign.state == Campaign.State.DRAFT and campaign.tasks.exists():
        open_campaign(campaign)


def _is_answered(campaign: Campaign) -> bool:
    rests = Demand.objects.plain().filter(campaign=campaign)
    waiting = rests.filter(open__gt=0) | rests.filter(leased__gt=0)
    return rests.filter(received__gt=0).exists() and not waiting.exists()


def _aggregated(campaign: Campaign) -> None:
    default = default_for(campaign)
    try:
        aggregate(campaign, default.method, parameters=default.parameters)
    except CannotAggregate:
        return
