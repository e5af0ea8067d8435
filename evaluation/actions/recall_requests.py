"""Recall is asked for: what it takes is known from the forecast, and is looked at before anything
is drawn. Nothing here computes; jobs draw and ask (actions.recall, actions.links)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from annotation.actions.campaigns import create_campaign
from annotation.actions.jobs import enqueue
from annotation.interfaces import Product, traits
from annotation.models import Campaign, Job
from annotation.sentences import CodedError
from evaluation.models import EvaluationPeriod, RecallSample
from evaluation.sentences import CATALOGUE

ANNOTATE, LINK = "annotate_documents", "ask_who_is_who"
LARGEST = 100  # documents, with the expansion
PAY, PAIR_PAY, ANSWERS = 500, 50, 3  # before the campaigns exist: mills for a document, for a pair


class CannotSample(CodedError, ValueError):
    """No documents can be drawn so; the message says why and what to do."""

    catalogue = CATALOGUE


@dataclass(frozen=True, slots=True)
class RecallCost:
    """What annotating documents in full takes, in mills. Names are known beforehand; pairs of them
    are `pairs` a document, as measured, or at least so many, by what systems claim. `most` is with
    the expansion."""

    documents: int  # drawn evenly
    new: int  # of them, not asked for yet
    largest: int  # with the expansion
    pairs: float
    is_measured: bool
    names_mills: int
    pairs_mills: int
    most_mills: int

    @property
    def mills(self) -> int:
        return self.names_mills + self.pairs_mills


def recall_costs(
    period: EvaluationPeriod, sample: RecallSample | None, sizes: Sequence[int], *,
    pay_mills: int, pair_mills: int, answers: int, largest: int = LARGEST,
) -> list[RecallCost]:  # fmt: skip
    """Of samples of these sizes. Two queries where documents were drawn before."""
    there = sample.documents.count() if sample else 0
    measured = _pairs_measured(sample)
    pairs = period.forecast.get("pairs_claimed", 0.0) if measured is None else measured
    in_all = period.forecast.get("documents_in_all", 0)

    def mills(number: int) -> tuple[int, int]:
        return number * answers * pay_mills, round(number * pairs * answers * pair_mills)

    found = []
    for documents in sizes:
        new, most = max(documents - there, 0), max(min(largest, in_all), documents)
        found.append(
            RecallCost(
                documents, new, most, pairs, measured is not None, *mills(new),
                sum(mills(max(most - there, 0))),
            )
        )  # fmt: skip
    return found


def prices_of(sample: RecallSample | None) -> dict[str, int]:
    """As `recall_costs` takes them: those of its campaigns, or what is proposed before these are
    there."""
    if sample is None:
        return {"pay_mills": PAY, "pair_mills": PAIR_PAY, "answers": ANSWERS}
    names, relations = sample.names, sample.relations
    return {"pay_mills": names.pay_mills, "pair_mills": relations.pay_mills,
            "answers": names.redundancy}  # fmt: skip


def _pairs_measured(sample: RecallSample | None) -> float | None:
    """Pairs of names in a document, by those of which they are known."""
    if sample is None:
        return None
    told = sample.relations.tasks.filter(
        document__in=sample.documents.values("document")
    ).aggregate(tasks=Count("pk"), documents=Count("document", distinct=True))  # fmt: skip
    return told["tasks"] / told["documents"] if told["documents"] else None


def size_told(period: EvaluationPeriod, width: float) -> int | None:
    """How many documents the forecast says that this half-width takes."""
    told = period.forecast.get("recall", ())
    return next((one["documents"] for one in told if abs(one["width"] - width) < 1e-9), None)


def start_recall(
    period: EvaluationPeriod, *, width: float, pay_mills: int, pair_mills: int, answers: int,
    largest: int = LARGEST, user: Any = None,
) -> Job:  # fmt: skip
    """Draw what the forecast says, and ask for the names in it, by a job. Raises CannotSample."""
    if size_told(period, width) is None:
        raise CannotSample("recall.no_forecast", "width", width=width)
    parameters = {
        "period": str(period.key), "half_width": width, "pay_mills": pay_mills,
        "pair_mills": pair_mills, "answers": answers, "largest": largest,
    }  # fmt: skip
    return enqueue(ANNOTATE, parameters, project=period.project, user=user)


def start_links(
    period: EvaluationPeriod, campaign: Campaign | None, *, pay_mills: int, answers: int,
    user: Any = None,
) -> Job:  # fmt: skip
    """In `campaign`, or in a new one where none is named, by a job. Raises CannotSample."""
    if campaign is None:
        slug = f"links-{str(period.key)[:8]}"
        campaign = Campaign.objects.filter(slug=slug).first() or create_campaign(
            period.project, slug=slug, name=f"Who is who in {period.name}"[:100],
            interface="linking", redundancy=answers, pay_mills=pay_mills, user=user,
        )  # fmt: skip
    check_links(period, campaign)
    EvaluationPeriod.objects.filter(pk=period.pk).update(links=campaign)
    period.links = campaign
    return enqueue(LINK, {"period": str(period.key)}, project=period.project, user=user)


def check_links(period: EvaluationPeriod, campaign: Campaign | None) -> Campaign:
    if campaign is None:
        raise CannotSample("links.no_campaign", "campaign", period=period.name)
    fits = traits(campaign.interface).product == Product.CLUSTERS
    if campaign.project_id != period.project_id or not fits:
        raise CannotSample("links.campaign", "campaign", campaign=campaign.slug)
    if campaign.state == Campaign.State.CLOSED:
        raise CannotSample("links.closed", "campaign", campaign=campaign.slug)
    return campaign
