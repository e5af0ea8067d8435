"""A campaign's page: going well? what needs somebody? what will it cost? when is it done?

Everything comes from counters, from rolled-up hours and from a few last rows, in a fixed number
of queries that do not grow with the answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, FloatField, Q, Sum
from django.db.models.functions import Cast, Coalesce

from aggregation.queries.runs import RunSummary, last_runs, latest_run
from annotation.actions import completion
from annotation.models import Assignment, Campaign, CampaignForecast, Enrollment, Tally
from annotation.models.pseudonyms import public_name
from annotation.queries.intervals import score_interval
from annotation.queries.worker_names import worker_name
from dashboard.campaigns.estimates import clustered_interval
from dashboard.campaigns.pace import Pace, pace

RUNS = 12  # that are drawn
BY_GOLD = frozenset({"qualification", "selection"})  # as `state_by`: known answers decided


@dataclass(frozen=True, slots=True)
class GoldMean:
    """The mean of gold scores, each an F1 or 0 or 1, with its 95 % interval where it has one."""

    mean: float
    interval: tuple[float, float] | None
    number: int


@dataclass(frozen=True, slots=True)
class WorkerRow:
    enrollment: Enrollment
    name: str
    public_name: str  # as exports have it
    submitted: int
    seconds_each: float | None
    earned_mills: int
    mills_an_hour: int | None
    gold: GoldMean | None
    state: str
    state_reason: str
    reason_tells_gold: bool
    code: str | None  # of completion; None: nothing was submitted


@dataclass(frozen=True, slots=True)
class Money:
    """In mills. What is left may still be promised; what is promised is at work with workers."""

    earned: int  # paid or owed
    promised: int
    left: int | None  # None: no budget
    budget: int | None
    an_answer: float | None  # what a counted answer has cost so far, gold included
    affordable: int | None  # answers that the budget still holds


@dataclass(frozen=True, slots=True)
class CampaignPage:
    campaign: Campaign
    tally: Tally | None
    forecast: CampaignForecast | None  # None: nothing was counted yet
    pace: Pace
    money: Money
    gold: GoldMean | None
    runs: list[RunSummary]
    latest: RunSummary | None  # the one that is served
    worker_count: int  # who have submitted something
    paused_count: int
    at_work: int  # live leases


def campaign_page(campaign: Campaign, now: datetime) -> CampaignPage:
    """Five queries; `campaign` comes with its project, tally and forecast."""
    counted, expected = getattr(campaign, "tally", None), getattr(campaign, "forecast", None)
    enrollments = Enrollment.objects.filter(campaign=campaign)
    sums = enrollments.aggregate(
        workers=Count("pk", filter=Q(submitted__gt=0)),
        paused=Count("pk", filter=Q(state=Enrollment.State.PAUSED)),
        earned=Coalesce(Sum("earned_mills"), 0),
        **_gold_sums(),
    )
    return CampaignPage(
        campaign=campaign,
        tally=counted,
        forecast=expected,
        pace=pace(campaign, expected, now),
        money=_money(campaign, counted, sums["earned"]),
        gold=_score_of_all(sums),
        runs=last_runs(campaign, RUNS),
        latest=latest_run(campaign),
        worker_count=sums["workers"],
        paused_count=sums["paused"],
        at_work=Assignment.objects.live()
        .filter(enrollment__campaign=campaign, expires_at__gt=now)
        .count(),
    )


def _money(campaign: Campaign, counted: Tally | None, earned: int) -> Money:
    received = counted.received if counted else 0
    each = earned / received if received else None
    left = None
    if campaign.budget_mills is not None:
        left = campaign.budget_mills - campaign.committed_mills
    promised = campaign.committed_mills - earned
    affordable = None
    if left is not None and each:
        affordable = int((left + max(promised, 0)) / each)
    return Money(
        earned=earned,
        promised=max(promised, 0),
        left=left,
        budget=campaign.budget_mills,
        an_answer=each,
        affordable=affordable,
    )


def worker_row(row: Enrollment, *, with_ids: bool) -> WorkerRow:
    return WorkerRow(
        enrollment=row,
        name=worker_name(row, with_ids=with_ids),
        public_name=public_name(row),
        submitted=row.submitted,
        seconds_each=row.seconds / row.submitted if row.submitted else None,
        earned_mills=row.earned_mills,
        mills_an_hour=per_hour(row.earned_mills, row.seconds),
        gold=score_of(row.gold_score_sum, row.gold_seen),
        state=row.state,
        state_reason=str(row.reason or ""),
        reason_tells_gold=row.state_by in BY_GOLD,
        code=completion.code_of(row),
    )


def per_hour(mills: int, seconds: float) -> int | None:
    """To the cent: active time is not known better."""
    return round(mills / seconds * 360) * 10 if seconds else None


def score_of(total: float, number: int) -> GoldMean | None:
    if not number:
        return None
    mean = total / number
    return GoldMean(mean, score_interval(mean, number), number)


def _gold_sums() -> dict[str, Any]:
    """Aggregates over enrollments, from which the spread between the workers comes as well."""
    seen = Cast("gold_seen", FloatField())  # squares of integers would overflow
    return {
        "tested": Count("pk", filter=Q(gold_seen__gt=0)),
        "seen": Coalesce(Sum("gold_seen"), 0),
        "scored": Coalesce(Sum("gold_score_sum"), 0.0),
        "seen_squared": Coalesce(Sum(seen * seen), 0.0),
        "scored_squared": Coalesce(Sum(F("gold_score_sum") * F("gold_score_sum")), 0.0),
        "both": Coalesce(Sum(F("gold_score_sum") * seen), 0.0),
    }


def gold_score_of_all(campaign: Campaign) -> GoldMean | None:
    """Of single answers to hidden gold, before aggregation. One query."""
    return _score_of_all(Enrollment.objects.filter(campaign=campaign).aggregate(**_gold_sums()))


def _score_of_all(sums: dict[str, Any]) -> GoldMean | None:
    number = sums["seen"]
    if not number:
        return None
    mean = sums["scored"] / number
    squared_error = (
        sums["scored_squared"] - 2 * mean * sums["both"] + mean**2 * sums["seen_squared"]
    )
    interval = clustered_interval(mean, squared_error, number, sums["tested"])
    return GoldMean(mean, interval, number)
