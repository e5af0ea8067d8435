"""Campaigns as the lines of a table with the four answers each: going well, needs somebody, cost,
end. For any number of campaigns in a fixed number of queries, from counters and last rows alone.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, Sum
from django.urls import reverse

from aggregation.models import AggregationRun, GoldFacts, Share
from annotation.actions.rollups import RECOUNT_AFTER
from annotation.models import (
    Appeal,
    Assignment,
    Campaign,
    CampaignForecast,
    Enrollment,
    Job,
    Member,
)
from annotation.querysets.workers import OUT
from dashboard.access import Permissions
from dashboard.campaigns.forecast import cost_forecast, is_early
from dashboard.jobs.queries import TOLD
from dashboard.templatetags.figures import money
from selection.models import WorkerFlag

MEASURES = {"F1": "F1 of names", "accuracy": "accuracy"}
BEHIND = RECOUNT_AFTER + timedelta(minutes=10)  # nobody has counted an open campaign for so long


@dataclass(frozen=True, slots=True)
class Quality:
    """Of the run that is served against the gold that it was not told."""

    name: str
    share: Share
    base: str

    @property
    def low(self) -> float | None:
        return self.share.interval[0] if self.share.interval else None

    @property
    def high(self) -> float | None:
        return self.share.interval[1] if self.share.interval else None


@dataclass(frozen=True, slots=True)
class LineNeed:
    """Something that waits for a manager, and the button that leads to where it is put right."""

    text: str
    button: str
    address: str


@dataclass(frozen=True, slots=True)
class CampaignLine:
    """What a person who may not see a part finds empty: `quality`, `needs` and money."""

    campaign: Campaign
    permissions: Permissions | None  # None: no member; the name is no link
    received: int
    wanted: int  # 0 before there are tasks
    workers: int
    earned: int | None  # mills
    quality: Quality | None
    is_unchecked: bool  # there are answers, and no run was compared with gold
    needs: tuple[LineNeed, ...]
    forecast: CampaignForecast | None  # the stored one; None where there is none yet

    @property
    def is_draft(self) -> bool:
        return self.campaign.state == Campaign.State.DRAFT

    @property
    def is_closed(self) -> bool:
        return self.campaign.state == Campaign.State.CLOSED

    @property
    def is_early(self) -> bool:
        """Whether it is told nowhere how it goes, what it will cost and when it ends."""
        return is_early(self.campaign)

    @property
    def cost(self) -> CampaignForecast | None:
        """What all answers will have cost, as all pages tell it."""
        return cost_forecast(self.campaign)

    @property
    def expected(self) -> int | None:
        """Mills that all answers will probably have cost."""
        return self.cost.cost_mills if self.cost else None

    @property
    def cost_in_all(self) -> str:
        """With its interval; "" where there is nothing to tell."""
        if self.is_early and self.campaign.pay_mills:
            return "too early to tell"
        if (found := self.cost) is None:
            return ""
        low, high = money(found.cost_low_mills), money(found.cost_high_mills)
        return f"in all {low}" if low == high else f"in all {low}–{high}"

    @property
    def is_complete(self) -> bool:
        return 0 < self.wanted <= self.received

    @property
    def is_short(self) -> bool:
        """Whether all answers may cost more than the budget, by the upper end of the interval."""
        budget, found = self.campaign.budget_mills, self.cost
        high = found.cost_high_mills if found else None
        return budget is not None and high is not None and high > budget


def roles_of(user: Any, projects: Collection[int]) -> dict[int, Permissions]:
    """Project → what the person may do there; projects of which they are no member are left out.
    One query; none for a superuser."""
    if user.is_superuser:
        return dict.fromkeys(projects, Permissions(Member.Role.MANAGER))
    if not user.is_authenticated:
        return {}
    rows = Member.objects.filter(user=user, project__in=projects)
    return {project: Permissions(role) for project, role in rows.values_list("project", "role")}


OF_LINE = ("project", "tally", "forecast")  # to be read with each campaign


def campaign_lines(
    chosen: Sequence[Campaign], roles: Mapping[int, Permissions], now: datetime
) -> list[CampaignLine]:
    """Six queries, whatever the number of campaigns; one for a visitor."""
    keys = [campaign.pk for campaign in chosen]
    open_to = _those(chosen, roles, "can_manage")
    sums = {
        row["campaign"]: row
        for row in Enrollment.objects.filter(campaign__in=keys)
        .values("campaign")
        .annotate(workers=Count("pk", filter=Q(submitted__gt=0)), earned=Sum("earned_mills"))
    }
    checked = [one.pk for one in _those(chosen, roles, "sees_gold")]
    facts = _facts(checked) if checked else {}
    needs = _needs(open_to, now)
    return [
        _line(
            campaign,
            roles.get(campaign.project_id),
            sums.get(campaign.pk, {}),
            facts.get(campaign.pk),
            needs.get(campaign.pk, []),
            now,
        )
        for campaign in chosen
    ]


def quality_from(lines: Iterable[CampaignLine]) -> float:
    """Where the scale of their column of qualities begins: a tenth that none of them, with its
    interval, goes below; it ends at 1."""
    lowest = [
        one.quality.share.value if one.quality.low is None else one.quality.low
        for one in lines
        if one.quality
    ]
    least = min((low for low in lowest if low is not None), default=0.0)
    return min(math.floor(10 * least) / 10, 0.9)


def _those(
    chosen: Iterable[Campaign], roles: Mapping[int, Permissions], may: str
) -> list[Campaign]:
    return [one for one in chosen if getattr(roles.get(one.project_id), may, False)]


def _line(
    campaign: Campaign,
    permissions: Permissions | None,
    sums: Mapping[str, Any],
    gold: tuple[bool, GoldFacts | None] | None,
    needs: Sequence[LineNeed],
    now: datetime,
) -> CampaignLine:
    tally = getattr(campaign, "tally", None)
    is_draft = campaign.state == Campaign.State.DRAFT
    received = tally.received if tally and not is_draft else 0
    sees_gold = permissions is not None and permissions.sees_gold
    quality = _quality(gold[1]) if gold and sees_gold else None
    found = list(needs)
    if permissions is not None and permissions.can_manage:
        found += _of_itself(campaign, tally, sums.get("earned") or 0, gold is not None, now)
    return CampaignLine(
        campaign=campaign,
        permissions=permissions,
        received=received,
        wanted=tally.wanted if tally and tally.tasks and not is_draft else 0,
        workers=sums.get("workers", 0),
        earned=sums.get("earned") or 0 if permissions is not None else None,
        quality=quality,
        is_unchecked=sees_gold and received > 0 and quality is None,
        needs=tuple(found),
        forecast=getattr(campaign, "forecast", None),
    )


def _quality(gold: GoldFacts | None) -> Quality | None:
    if gold is None or not gold.shares or gold.shares[-1].value is None:
        return None
    last, number = gold.shares[-1], gold.documents or gold.units
    known = "document" if gold.unit == "sentence" else "task"
    base = f"{number:,} gold {known}{'' if number == 1 else 's'}"
    return Quality(MEASURES.get(last.name, last.name), last, base)


def _facts(campaigns: Sequence[int]) -> dict[int, tuple[bool, GoldFacts | None]]:
    """Campaign → what the run that it serves says of gold. One query."""
    runs = AggregationRun.objects.complete().filter(campaign=OuterRef("pk"))
    served = Campaign.objects.filter(pk__in=campaigns).values_list(
        Subquery(runs.served_first().values("pk")[:1])
    )
    rows = AggregationRun.objects.filter(pk__in=served).only("campaign_id", "diagnostics")
    return {row.campaign_id: (True, row.facts.gold) for row in rows}


def _of_itself(
    campaign: Campaign, tally: Any, earned: int, is_aggregated: bool, now: datetime
) -> list[LineNeed]:
    """What its own row and counters say; in the words of the overview."""
    here = reverse("manage:campaign", args=[campaign.slug])
    if campaign.state == Campaign.State.DRAFT:
        return [LineNeed("set-up to finish", "Finish set-up", here)]
    if tally is None or not tally.wanted:
        return []
    found = []
    if campaign.state == Campaign.State.OPEN:
        if now - tally.counted_at > BEHIND:
            found.append(LineNeed("figures not up to date", "See what is wrong", here))
        if tally.received >= tally.wanted:
            found.append(_need(campaign, "all answers are in", "Close campaign", "campaign-state"))
    if campaign.state != Campaign.State.CLOSED and campaign.budget_mills is not None:
        left = campaign.budget_mills - earned  # what is promised may come back
        if tally.wanted > tally.received and left < campaign.pay_mills:
            found.append(
                _need(campaign, "budget used up", "Raise budget", "settings", at="#budget")
            )
    if tally.received and not is_aggregated:
        found.append(_need(campaign, "nothing aggregated yet", "Run aggregation", "results"))
    return found


def _need(campaign: Campaign, text: str, button: str, page: str, *, at: str = "") -> LineNeed:
    return LineNeed(text, button, reverse(f"manage:{page}", args=[campaign.slug]) + at)


def _needs(campaigns: Sequence[Campaign], now: datetime) -> dict[int, list[LineNeed]]:
    """What lies before a manager, counted over all campaigns at once. Four queries."""
    if not campaigns:
        return {}
    of_key = {campaign.pk: campaign for campaign in campaigns}
    keys = list(of_key)
    going = [one.pk for one in campaigns if one.state != Campaign.State.CLOSED]
    again = Job.objects.filter(
        project=OuterRef("project"), digest=OuterRef("digest"), pk__gt=OuterRef("pk")
    )
    failed = Job.objects.failed().filter(~Exists(again), ended_at__gt=now - TOLD)
    reported = Assignment.objects.reported()
    flags = WorkerFlag.objects.standing().exclude(enrollment__state__in=OUT)
    counted = (
        (_counts(Appeal.objects.filter(answered_at=None), "enrollment__campaign", keys, "pk"),
         "request for a review", "requests for a review", "Read requests", "appeals", ""),
        (_counts(failed, "campaign", keys, "pk"),
         "failed job", "failed jobs", "See jobs", "", ""),
        (_counts(reported, "enrollment__campaign", going, "task"),
         "broken task", "broken tasks", "See broken tasks", "tasks", "?show=reported"),
        (_counts(flags, "enrollment__campaign", going, "enrollment"),
         "flagged worker", "flagged workers", "See evidence", "workers", "?flag=any"),
    )  # fmt: skip
    found: dict[int, list[LineNeed]] = {}
    for numbers, one, many, button, page, at in counted:
        for key, number in numbers.items():
            campaign = of_key[key]
            text = f"{number:,} {one if number == 1 else many}"
            need = (
                _need(campaign, text, button, page, at=at)
                if page
                else LineNeed(text, button, reverse("manage:jobs", args=[campaign.project.slug]))
            )
            found.setdefault(key, []).append(need)
    return found


def _counts(rows: QuerySet, campaign: str, keys: Sequence[int], what: str) -> dict[int, int]:
    grouped = rows.filter(**{f"{campaign}__in": keys}).order_by().values_list(campaign)
    return dict(grouped.annotate(number=Count(what, distinct=True)))
