"""The ways to go on that a forecast tells of: what each costs and when it is done.

Plain numbers of what `forecast` has printed, so that a page says the same as the command.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from annotation.actions.forecasts import expected_cost, to_the_cent
from annotation.models import Campaign, CampaignForecast

LONGEST = timedelta(days=3_650)
NORMAL_95, NORMAL_90 = 1.959964, 1.644854
# Pace and its ends are stored at 95 %, on a scale of ratios; here all is told at 90 %.
NARROWER = NORMAL_90 / NORMAL_95


@dataclass(frozen=True, slots=True)
class Way:
    """`number` answers to each task, or where tasks may stop at most so many; `answers` are given
    on average. Quality, cost and end have 90 % intervals."""

    number: int
    is_adaptive: bool
    answers: float
    mean: float
    low: float
    high: float
    mills: int
    least_mills: int
    most_mills: int
    soonest: datetime | None = None  # by the pace that was measured; None: no pace is known
    likely: datetime | None = None
    latest: datetime | None = None
    is_chosen: bool = False  # what the campaign asks for

    @property
    def name(self) -> str:
        return f"at most {self.number}" if self.is_adaptive else f"{self.number} each"

    @property
    def is_done(self) -> bool:
        return self.soonest is not None and self.soonest == self.latest

    @property
    def is_cost_sure(self) -> bool:
        return self.least_mills == self.most_mills


def ways_of(
    found: Mapping[str, Any], pay_mills: float, campaign: Campaign | None = None
) -> list[Way]:
    """Of a printed forecast, those with a fixed number of answers first. `campaign` comes with its
    tally and its forecast: what it has paid so far and its pace are in its costs and ends."""
    fixed = [
        _way(found, one, one["answers"], one["answers"], one["answers"], pay_mills, campaign)
        for one in found["points"]
    ]
    adaptive = [
        _way(found, one, one["most"], one["fewest"], one["highest"], pay_mills, campaign)
        for one in found.get("adaptive", ())
    ]
    return fixed + adaptive


def _way(
    found: Mapping[str, Any],
    point: Mapping[str, Any],
    number: int,
    fewest: float,
    highest: float,
    pay: float,
    campaign: Campaign | None,
) -> Way:
    tasks = found["tasks"]
    is_adaptive = "most" in point
    wanted = [tasks * each for each in (fewest, point["answers"], highest)]
    costs = [to_the_cent(total * pay) for total in wanted]
    ends: list[datetime | None] = [None, None, None]
    chosen = False
    if campaign is not None:
        costs, ends = _of_campaign(campaign, wanted)
        chosen = campaign.is_adaptive == is_adaptive and number == (
            campaign.max_redundancy if is_adaptive else campaign.redundancy
        )
    return Way(
        number, is_adaptive, point["answers"], point["mean"], point["low"], point["high"],
        costs[1], costs[0], costs[2], ends[0], ends[1], ends[2], chosen,
    )  # fmt: skip


def _of_campaign(
    campaign: Campaign, wanted: list[float]
) -> tuple[list[int], list[datetime | None]]:
    """What so many answers in all will have cost and when they are in: the least, what is likely,
    and the most."""
    tally = getattr(campaign, "tally", None)
    pace = getattr(campaign, "forecast", None)
    received = tally.received if tally else 0
    earned = pace.earned_mills if pace else 0
    missing = [max(0, round(total - received)) for total in wanted]
    if not received:
        costs = [to_the_cent(total * campaign.pay_mills) for total in wanted]
    else:
        costs = [
            expected_cost(earned, received, one, campaign.pay_mills, NORMAL_90)[place]
            for place, one in enumerate(missing)
        ]
    return costs, _ends(pace, missing)


def _ends(pace: CampaignForecast | None, missing: list[int]) -> list[datetime | None]:
    if pace is None or not pace.pace:
        return [None, None, None]
    low, high = (
        pace.pace * (end / pace.pace) ** NARROWER if end else None
        for end in (pace.pace_low, pace.pace_high)
    )
    return [
        _end(pace.made_at, number, a_day)
        for number, a_day in zip(missing, (high, pace.pace, low), strict=True)
    ]


def _end(now: datetime, missing: int, a_day: float | None) -> datetime | None:
    if not missing:
        return now
    if not a_day or missing / a_day > LONGEST.days:
        return None
    return now + timedelta(days=missing / a_day)
