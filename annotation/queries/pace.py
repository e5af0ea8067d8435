"""When so many answers more will be there, for whoever asks with another number than is missing."""

from __future__ import annotations

from annotation.actions.pace import (
    RECENT,
    Forecast,
    NoForecast,
    forecast,
    recent_blocks,
    start_of_hour,
)
from annotation.models import Campaign, Rollup, Tally


def expected_wait(campaign: Campaign, answers: int) -> Forecast | NoForecast:
    """When so many answers more will be there, at the pace of the last week. Two queries."""
    counted = Tally.objects.filter(campaign=campaign).first()
    if campaign.opened_at is None or counted is None:
        return NoForecast.EARLY
    since = start_of_hour(counted.counted_at) - RECENT
    hours = Rollup.objects.filter(campaign=campaign, hour__gte=since).order_by("hour")
    rows = list(hours.values_list("hour", "answers"))
    counts, block = recent_blocks(rows, campaign.opened_at, counted.counted_at)
    return forecast(counts, block, answers)
