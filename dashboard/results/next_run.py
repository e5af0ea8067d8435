"""When a campaign's consensus comes next by itself, in words."""

from __future__ import annotations

from datetime import timedelta

from django.template.defaultfilters import pluralize
from django.utils import timezone

from aggregation.queries.runs import NEW_ANSWERS, RunSummary
from annotation.models import Campaign

HOUR = timedelta(hours=1)  # from a run that can't follow new answers to the next that has some
FIRST = (
    "The first aggregation comes by itself when a tenth of the tasks have an answer, or an hour "
    "after the first answer."
)
ENDED = "What workers still send in is added by itself; else nothing more comes."


def next_run(campaign: Campaign, run: RunSummary | None, received: int) -> str:
    """ "" where nothing comes by itself. `received` may be a minute old, and the run newer."""
    is_open = campaign.state == Campaign.State.OPEN
    if run is None:
        return FIRST if is_open or received else ""
    live = run.facts.live
    if live is None:
        return ""
    judged = live.counted + live.answers
    received = max(received, judged)
    beside = run.facts.answers - live.counted  # what a run reads of gold is no answer of a task
    of_gold = f", and {beside:,} to gold questions" if beside > 0 else ""
    state = f"{judged:,} of {received:,} answer{pluralize(received)} are in it{of_gold}."
    if not is_open:
        return f"{state} {ENDED}"
    missing = max(int(NEW_ANSWERS * live.counted) + 1 - live.answers - (received - judged), 1)
    after = f"after {missing:,} more answer{pluralize(missing)}"
    if live.how:
        return f"{state} New ones are added each minute; the next run comes by itself {after}."
    at = timezone.localtime((run.finished_at or run.started_at) + HOUR)
    return f"{state} The next run comes by itself at {at:%H:%M} if there are new ones, or {after}."
