"""How fast answers come, and when they will all be there: from rolled-up hours alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from annotation.models import Campaign, Rollup, Tally
from annotation.queries.pace import (
    DAY,
    HOUR,
    Forecast,
    Hours,
    NoForecast,
    forecast,
    recent_blocks,
    start_of_hour,
)
from dashboard.charts import Chart, bar_chart

HOURS, DAYS = 24, 14  # of the two charts


@dataclass(frozen=True, slots=True)
class Pace:
    by_hour: Chart
    by_day: Chart
    last_answer: datetime | None  # the hour of it; None: none within the days of the chart
    forecast: Forecast | NoForecast | None  # None: nothing is given out, or counted yet


def pace(campaign: Campaign, counted: Tally | None, now: datetime) -> Pace:
    """One query. `counted` says how many answers are still wanted, and how new the hours are."""
    since = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    since = since - (DAYS - 1) * DAY
    hours = list(
        Rollup.objects.filter(campaign=campaign, hour__gte=since)
        .order_by("hour")
        .values_list("hour", "answers")
    )
    expected: Forecast | NoForecast | None = None
    if campaign.state == Campaign.State.OPEN and campaign.opened_at and counted is not None:
        counts, block = recent_blocks(hours, campaign.opened_at, counted.counted_at)
        expected = forecast(counts, block, counted.wanted - counted.received)
    return Pace(
        by_hour=_by_hour(hours, now),
        by_day=_by_day(hours, since),
        last_answer=max((hour for hour, answers in hours if answers), default=None),
        forecast=expected,
    )


def _by_hour(hours: Hours, now: datetime) -> Chart:
    counts = dict(hours)
    last = start_of_hour(now)
    shown = [last - n * HOUR for n in reversed(range(HOURS))]
    points = [(f"{timezone.localtime(hour):%a %H:%M}", counts.get(hour, 0)) for hour in shown]
    return bar_chart("Last 24 hours", "Hour", points, note="answers an hour")


def _by_day(hours: Hours, since: datetime) -> Chart:
    first = timezone.localdate(since)
    counts = {first + n * DAY: 0 for n in range(DAYS)}
    for hour, answers in hours:
        day = timezone.localdate(hour)
        counts[day] = counts.get(day, 0) + answers
    points = [(f"{day:%a} {day.day} {day:%b}", answers) for day, answers in counts.items()]
    return bar_chart("Last 14 days", "Day", points, note="answers a day")
