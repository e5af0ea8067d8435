"""The runs that a knowledge base is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from aggregation.knowledge import WrongCampaign
from aggregation.models import Consensus
from aggregation.queries import RunSummary, latest_run
from aggregation.sentences import CATALOGUE
from annotation.interfaces import Product, kinds_of, traits
from annotation.models import Campaign, Project
from annotation.sentences import CodedError

# In the order in which they build on each other.
PRODUCTS = (Product.MENTIONS, Product.CLUSTERS, Product.RELATIONS)

Record = dict[str, Any]


class NothingToExport(CodedError):
    """The project has no complete run."""

    catalogue = CATALOGUE


@dataclass(frozen=True, slots=True)
class Source:
    campaign: Campaign
    run: RunSummary

    @property
    def product(self) -> Product:
        return product_of(self.campaign)

    def provenance(self, row: Consensus) -> Record:
        return {
            "campaign": self.campaign.slug,
            "run": str(self.run.key),
            "method": self.run.method,
            "task": row.task.external_id,
            "answers": row.answers,
        }


def sources_of(project: Project, slugs: Sequence[str] = ()) -> list[Source]:
    """The latest complete runs: of the campaigns named, else of each product the campaign whose
    run is the newest. Raises NothingToExport, and ValueError for a campaign that can't be used."""
    campaigns = Campaign.objects.filter(project=project, interface__in=kinds_of(*PRODUCTS))
    campaigns = campaigns.order_by("pk").select_related("project")
    if slugs:
        found = {campaign.slug: campaign for campaign in campaigns.filter(slug__in=slugs)}
        if missing := [slug for slug in slugs if slug not in found]:
            raise WrongCampaign("export.no_campaign", project=project.slug, campaign=missing[0])
        chosen = [Source(found[slug], run) for slug in slugs if (run := latest_run(found[slug]))]
        if len(chosen) < len(slugs):
            run_of = {source.campaign.slug for source in chosen}
            lacking = next(slug for slug in slugs if slug not in run_of)
            raise WrongCampaign("export.no_run", campaign=lacking)
    else:
        newest: dict[Product, Source] = {}
        for campaign in campaigns:
            run = latest_run(campaign)
            before = newest.get(product_of(campaign))
            if run and (before is None or _ended(run) >= _ended(before.run)):
                newest[product_of(campaign)] = Source(campaign, run)
        chosen = list(newest.values())
    if not chosen:
        raise NothingToExport("export.nothing", project=project.slug)
    return sorted(chosen, key=lambda source: PRODUCTS.index(source.product))


def product_of(campaign: Campaign) -> Product:
    found = traits(campaign.interface).product
    assert found is not None  # others are not read
    return found


def _ended(run: RunSummary) -> float:
    return run.finished_at.timestamp() if run.finished_at else 0.0
