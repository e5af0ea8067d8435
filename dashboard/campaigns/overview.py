"""What an overview shows beside the four answers: quality over time, jobs, events."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.urls import reverse
from django.utils import timezone

from aggregation.models import Share
from aggregation.queries.runs import RunSummary
from annotation.models import AuditEntry, Campaign
from dashboard.access import Permissions
from dashboard.campaigns.changes import changes_of
from dashboard.campaigns.forecast import cost_forecast
from dashboard.campaigns.queries import CampaignPage
from dashboard.charts import Chart, Limit, Reading, Scale, Tick, bar_chart, share_ticks, trend_chart
from dashboard.jobs.queries import JobRow, job_row, visible_jobs
from dashboard.templatetags.figures import money, share

EVENTS, JOBS = 4, 3  # that are shown
SURE = 0.9  # a confidence, where the campaign names none
NAMES = {"F1": "F1 of names", "accuracy": "accuracy"}


@dataclass(frozen=True, slots=True)
class Quality:
    """The consensus of a run beside gold that the run was not told."""

    name: str  # of the measure
    share: Share
    base: str  # what it is measured on
    is_checked: bool = True  # whether that is gold enough


def progress_words(page: CampaignPage) -> str:
    if page.tally is None:
        return ""
    return f"{page.tally.received:,} of {page.tally.wanted:,} answers received"


def spending_words(page: CampaignPage) -> str:
    cost = cost_forecast(page.campaign)
    coming = f", {money(cost.cost_mills)} in all expected" if cost else ""
    return f"{money(page.money.earned)} earned{coming}, of {money(page.money.budget)}"


def quality_of(run: RunSummary | None) -> Quality | None:
    """None: there is no run, or none that was checked against gold."""
    gold = run.facts.gold if run else None
    if gold is None or not gold.shares:
        return None
    last = gold.shares[-1]
    known = "document" if gold.unit == "sentence" else "task"
    number = gold.documents or gold.units
    return Quality(
        NAMES.get(last.name, last.name),
        last,
        f"{number:,} gold {known}{'' if number == 1 else 's'}",
        gold.is_checked,
    )


def quality_chart(
    runs: Sequence[RunSummary], latest: RunSummary | None, wanted: float | None = None
) -> Chart | None:
    """The measure of each run that was checked against gold, by the method of `latest`, which is
    served; None where there are fewer than two. `runs` come newest first; `wanted`, of the
    campaign, is a dashed line."""
    checked = [
        (run, quality)
        for run in reversed(runs)
        if latest is not None
        and run.method == latest.method
        and run.state == "complete"
        and run.as_of is None
        and (quality := quality_of(run))
    ]
    if len(checked) < 2:
        return None
    name = checked[-1][1].name
    readings = [
        Reading(
            f"{timezone.localtime(run.started_at):%-d %b}",
            run.started_at.timestamp(),
            quality.share.value or 0.0,
            *(quality.share.interval or (None, None)),
        )
        for run, quality in checked
        if quality.name == name
    ]
    least = min(one.low if one.low is not None else one.value for one in readings)
    least = least if wanted is None else min(least, wanted)
    scale = Scale(min(0.8, int(10 * least) / 10), 1.0)
    return trend_chart(
        "Quality",
        f"{name} of the consensus against gold, run by run of {checked[-1][0].method}",
        readings,
        scale=scale,
        up=share_ticks(scale, 0.1 if scale.low >= 0.5 else 0.25),
        heads=("Run of", name, "95 %"),
        note=f"{name} on gold, run by run",
        explanation="consensus-spans" if name == "F1 of names" else "consensus-gold",
        limits=() if wanted is None else (Limit(scale.down(wanted), f"wanted {share(wanted)}"),),
    )


@dataclass(frozen=True, slots=True)
class Doubt:
    """Of `tasks` so many whose confidence is below `threshold`, which is a tenth."""

    below: int
    tasks: int
    threshold: float


def doubt_of(campaign: Campaign, run: RunSummary | None) -> Doubt | None:
    """Below the confidence at which the campaign closes a task, rounded down to a tenth, since
    tenths are what is kept of a run; below .9 where it names none. None for a run made before that
    was kept."""
    tenths = run.facts.confidence if run else None
    if not tenths or not sum(tenths):
        return None
    wanted = SURE if campaign.wanted is None else campaign.wanted
    first = min(max(math.floor(len(tenths) * wanted + 1e-9), 1), len(tenths) - 1)
    return Doubt(sum(tenths[:first]), sum(tenths), first / len(tenths))


def confidence_chart(run: RunSummary | None, doubt: Doubt | None) -> Chart | None:
    """How many tasks are how sure, those below the threshold in the colour of doubt."""
    tenths = run.facts.confidence if run else None
    if run is None or not tenths or doubt is None:
        return None
    size = len(tenths)
    points = [
        (f"{share(i / size)}–{share((i + 1) / size)}", count) for i, count in enumerate(tenths)
    ]
    chart = bar_chart("Confidence", "Confidence", points, counted="tasks")
    edge = 100 * doubt.threshold
    checked = "calibrated on gold" if run.facts.is_checked else "not checked against gold"
    return replace(
        chart,
        label=f"{chart.label}, {doubt.below:,} of them below {share(doubt.threshold)}",
        note=f"tasks, {checked}",
        explanation="confidence",
        across=(
            Tick(0, "0", "start"),
            Tick(50, share(0.5)),
            Tick(edge, share(doubt.threshold)),
            Tick(100, "1", "end"),
        ),
        bars=tuple(
            replace(bar, tone="k-warn" if bar.x + bar.width / 2 < edge else "")
            for bar in chart.bars
        ),
        now=edge,
    )


@dataclass(frozen=True, slots=True)
class Event:
    at: datetime
    text: str
    by: str  # who did it; "" for what came by itself
    link: str = ""


def events(campaign: Campaign, runs: Sequence[RunSummary], permissions: Permissions) -> list[Event]:
    """The newest changes and runs. One query, and none for who may not read the record."""
    found = [_run_event(campaign, run, permissions) for run in runs[:EVENTS]]
    if permissions.can_manage:
        found += [_change_event(campaign, entry) for entry in changes_of(campaign)[:EVENTS]]
    return sorted(found, key=lambda event: event.at, reverse=True)[:EVENTS]


def _run_event(campaign: Campaign, run: RunSummary, permissions: Permissions) -> Event:
    quality = quality_of(run) if permissions.sees_gold else None
    text = f"Aggregation by {run.method}"
    if run.state != "complete":
        text = f"{text}: {run.state}"
    elif quality and quality.share.value is not None:
        text = f"{text}: {quality.name} {quality.share.value:.2f}".replace(" 0.", " .")
    address = reverse("manage:run", args=[campaign.slug, run.key])
    return Event(run.finished_at or run.started_at, text, "", address)


def _change_event(campaign: Campaign, entry: AuditEntry) -> Event:
    text = entry.action.capitalize()
    mills = (entry.after or {}).get("mills")
    if mills is not None:
        text = f"{text}: {money(mills)} {campaign.currency}"
    return Event(entry.at, text, entry.user.get_username() if entry.user else "a command")


def newest_jobs(campaign: Campaign, permissions: Permissions) -> list[JobRow]:
    """Those of the campaign, the newest first. One query; none for who may not see jobs."""
    if not permissions.sees_gold:
        return []
    found = visible_jobs(campaign.project, permissions).filter(campaign=campaign)
    return [job_row(job) for job in found.order_by("-id")[:JOBS]]
