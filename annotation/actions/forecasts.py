"""What a campaign will have cost and when it will have all answers, kept with each count of it.

Pages tell the stored row, so that no two of them say something else, and a page of a hundred
campaigns reads a hundred rows.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Sum

from annotation.actions.pace import (
    NORMAL,
    RECENT,
    Forecast,
    Hours,
    NoForecast,
    daily_rate,
    forecast,
    recent_blocks,
    start_of_hour,
)
from annotation.models import Campaign, CampaignForecast, Enrollment, Rollup, Tally

FIELDS = (
    "made_at", "reason", "soonest", "likely", "latest", "pace", "pace_low", "pace_high",
    "earned_mills", "cost_mills", "cost_low_mills", "cost_high_mills",
)  # fmt: skip


def store_forecasts(tallies: Sequence[Tally]) -> None:
    """Put a forecast in the place of each campaign's last one. Three queries and a write."""
    counted = {tally.campaign_id: tally for tally in tallies}
    if not counted:
        return
    since = min(tally.counted_at for tally in tallies) - 2 * RECENT
    hours: defaultdict[int, list[tuple[datetime, int]]] = defaultdict(list)
    rows = Rollup.objects.filter(campaign__in=counted, hour__gte=since).order_by("hour")
    for campaign, hour, answers in rows.values_list("campaign", "hour", "answers"):
        hours[campaign].append((hour, answers))
    earned = dict(
        Enrollment.objects.filter(campaign__in=counted)
        .values_list("campaign")
        .annotate(total=Sum("earned_mills"))
    )
    CampaignForecast.objects.bulk_create(
        [
            CampaignForecast(
                campaign=campaign,
                made_at=counted[campaign.pk].counted_at,
                earned_mills=earned.get(campaign.pk) or 0,
                **_expected(
                    campaign, counted[campaign.pk], hours[campaign.pk], earned.get(campaign.pk) or 0
                ),
            )
            for campaign in Campaign.objects.filter(pk__in=counted)
        ],
        update_conflicts=True,
        unique_fields=["campaign"],
        update_fields=FIELDS,
    )


def _expected(campaign: Campaign, tally: Tally, hours: Hours, earned: int) -> dict[str, Any]:
    if campaign.state == Campaign.State.DRAFT or campaign.opened_at is None:
        return {"reason": NoForecast.EARLY}
    remaining = max(0, tally.wanted - tally.received)
    counts, block = recent_blocks(hours, campaign.opened_at, tally.counted_at)
    found = forecast(counts, block, remaining)
    rate = daily_rate(counts, block)
    pace = {"pace": rate.mean, "pace_low": rate.low, "pace_high": rate.high} if rate else {}
    if found is NoForecast.EARLY:
        return {"reason": found}
    least, likely, most = expected_cost(earned, tally.received, remaining, campaign.pay_mills)
    cost = {"cost_mills": likely, "cost_low_mills": least, "cost_high_mills": most}
    if not isinstance(found, Forecast):
        return {"reason": found, **pace, **cost}
    at = start_of_hour(tally.counted_at)  # up to where the hours are looked at
    return {
        "reason": "",
        "soonest": at + found.soonest,
        "likely": at + found.likely,
        "latest": None if found.latest is None else at + found.latest,
        **pace,
        **cost,
    }


def expected_cost(
    earned: int, received: int, remaining: int, pay: int, normal: float = NORMAL
) -> tuple[int, int, int]:
    """What all answers will have cost: the lower end of the interval, the mean, the upper;
    `normal` is its quantile, that of 95 % where nothing else is said.

    Each answer that is missing costs its pay. Beside those that count, answers are paid that do
    not: gold, practice, what came late. They are taken to come at random as they did so far, E with
    N that counted: R more bring E/N R, with the variance E/N R (1 + R/N), one part for the chance
    that is still to come and one for the rate that is not known.
    """
    if not remaining:  # to the mill, as it is told beside it
        return earned, earned, earned
    beside = max(0.0, earned / pay - received) if pay else 0.0
    if not received:
        return earned + remaining * pay, earned + remaining * pay, earned + remaining * pay
    more = beside / received * remaining
    half = normal * math.sqrt(more * (1 + remaining / received))
    base = earned + remaining * pay
    return (
        to_the_cent(base + max(0.0, more - half) * pay),
        to_the_cent(base + more * pay),
        to_the_cent(base + (more + half) * pay),
    )


def to_the_cent(mills: float) -> int:
    return round(mills / 10) * 10
