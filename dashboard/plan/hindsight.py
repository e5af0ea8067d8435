"""Whether the forecasts of a campaign that is over were right: each as it was stored, beside what
gold says of its labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from aggregation.models.facts import Share
from annotation.models import Campaign, Job
from dashboard.plan.queries import KIND
from selection.queries.ways import Way, ways_of

NEWEST = 10


@dataclass(frozen=True, slots=True)
class Foretold:
    at: datetime | None
    way: Way  # the one that the campaign took, with the quality that was foretold of it
    by: str  # answers, or a stated crowd
    held: bool  # whether what was measured lies within the interval


def hindsight(campaign: Campaign, measured: Share | None) -> Sequence[Foretold]:
    """The newest first. One query, and none before the campaign is closed with all of its answers
    and checked against gold: what was foretold is the quality of finished tasks."""
    tally = getattr(campaign, "tally", None)
    if campaign.state != Campaign.State.CLOSED or tally is None or tally.received < tally.wanted:
        return ()
    if measured is None or measured.value is None:
        return ()
    rows = Job.objects.filter(campaign=campaign, kind=KIND, state=Job.State.DONE)
    told = []
    for job in rows.order_by("-pk")[:NEWEST]:
        found = job.result["forecast"]
        same = (found["measure"] == "F1") == (measured.name == "F1")
        way = next(
            (one for one in ways_of(found, campaign.pay_mills, campaign) if one.is_chosen), None
        )
        if way is not None and same:
            by = "the answers so far" if found["pilot"] else "a stated crowd"
            held = way.low <= measured.value <= way.high
            told.append(Foretold(job.ended_at, way, by, held))
    return told


def scale_from(told: Sequence[Foretold], measured: Share | None) -> float:
    """Where the scale of all of them begins: a tenth below which nothing lies; it ends at 1."""
    known = [one.way.low for one in told]
    if measured is not None and measured.value is not None:
        known.append(measured.value)
    return min(math.floor(10 * min(known, default=0.0)) / 10, 0.9)
