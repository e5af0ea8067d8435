"""A project's way from mentions to a knowledge base: its campaigns, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import OuterRef, Subquery

from aggregation.models import AggregationRun
from annotation.interfaces import Product, kinds_of, traits
from annotation.models import Campaign, Project
from dashboard.interfaces import pages_of
from dashboard.results.findings import Findings

STEPS = (Product.MENTIONS, Product.RELATIONS, Product.CLUSTERS)
CAMPAIGNS = 100  # the newest


@dataclass(frozen=True, slots=True)
class StepCampaign:
    slug: str
    name: str
    state: str
    tasks: int | None  # None before they are counted
    received: int
    wanted: int
    method: str  # of the latest complete run; "" where there is none
    run_at: datetime | None
    documents: int  # or tasks, of that run
    findings: Findings | None
    is_newest: bool  # of its product: what is exported where nothing else is chosen


def chain(project: Project, *, with_gold: bool) -> dict[str, list[StepCampaign]]:
    """Product → campaigns, the newest first. Two queries. Without `with_gold` runs that were
    told gold are left out."""
    runs = AggregationRun.objects.complete()
    if not with_gold:
        runs = runs.exclude(diagnostics__clamped=True)
    latest = runs.filter(campaign=OuterRef("pk")).served_first().values("pk")[:1]
    campaigns = list(
        Campaign.objects.filter(project=project, interface__in=kinds_of(*STEPS))
        .select_related("tally")
        .annotate(run=Subquery(latest))[:CAMPAIGNS]
    )
    of_campaign: dict[Any, AggregationRun] = {
        run.campaign_id: run
        for run in AggregationRun.objects.filter(pk__in=[row.run for row in campaigns if row.run])
    }
    newest = {
        step: max(
            (of_campaign[row.pk] for row in campaigns
             if traits(row.interface).product is step and row.pk in of_campaign),
            key=lambda run: run.finished_at or run.started_at,
            default=None,
        )
        for step in STEPS
    }  # fmt: skip
    steps: dict[str, list[StepCampaign]] = {step: [] for step in STEPS}
    for row in campaigns:
        run = of_campaign.get(row.pk)
        step = traits(row.interface).product
        assert step is not None  # others are not read
        is_newest = run is not None and run == newest[step]
        steps[step].append(_step(row, project, run, is_newest))
    return steps


def _step(
    row: Campaign, project: Project, run: AggregationRun | None, is_newest: bool
) -> StepCampaign:
    tally = getattr(row, "tally", None)
    return StepCampaign(
        slug=row.slug,
        name=row.name,
        state=row.state,
        tasks=tally.tasks if tally else None,
        received=tally.received if tally else 0,
        wanted=tally.wanted if tally else 0,
        method=run.method if run else "",
        run_at=run.finished_at if run else None,
        documents=run.facts.tasks if run else 0,
        findings=pages_of(row.interface).findings(project.schema, run.facts) if run else None,
        is_newest=is_newest,
    )
