"""A campaign's results: its runs, what the latest says of the workers, when the next comes."""

from __future__ import annotations

from dataclasses import dataclass

from aggregation.queries.runs import RunSummary, last_runs
from annotation.models import Campaign, Tally
from dashboard.campaigns.queries import latest_of
from dashboard.results.next_run import next_run
from dashboard.results.reliabilities import Reliabilities, reliabilities

RUNS, RELIABILITIES = 10, 8  # rows that are shown


@dataclass(frozen=True, slots=True)
class ResultsPage:
    runs: list[RunSummary]
    latest: RunSummary | None  # the newest complete one
    reliabilities: Reliabilities | None  # of the latest complete run
    next_run: str


def results_page(campaign: Campaign, *, with_ids: bool) -> ResultsPage:
    """One query, and three of the workers where there is a complete run. `campaign` comes with its
    tally; `with_ids`: whether workers may be called by the ids that their platforms know."""
    counted: Tally | None = getattr(campaign, "tally", None)
    runs = last_runs(campaign, RUNS)
    latest = latest_of(runs)
    return ResultsPage(
        runs=runs,
        latest=latest,
        reliabilities=reliabilities(campaign, latest, RELIABILITIES, with_ids=with_ids)
        if latest
        else None,
        next_run=next_run(campaign, latest, counted.received if counted else 0),
    )
