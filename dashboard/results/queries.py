"""A campaign's results: its runs, what the served one says of the workers, when the next comes."""

from __future__ import annotations

from dataclasses import dataclass

from aggregation.queries.runs import RunSummary, last_runs, latest_run
from annotation.models import Campaign, Tally
from dashboard.access import Permissions
from dashboard.jobs.queries import JobRow, job_row, visible_jobs
from dashboard.results.methods import Methods, methods_of
from dashboard.results.next_run import next_run
from dashboard.results.reliabilities import Reliabilities, reliabilities

RUNS, RELIABILITIES, JOBS = 10, 8, 3  # rows that are shown
# Jobs that have their place there.
KINDS = ("aggregate", "compare_methods", "refit_workers", "export_annotations")


@dataclass(frozen=True, slots=True)
class ResultsPage:
    runs: list[RunSummary]
    latest: RunSummary | None  # the one that is served
    methods: Methods | None  # None where there are not two
    reliabilities: Reliabilities | None  # of the run that is served
    next_run: str


def results_page(campaign: Campaign, *, with_ids: bool) -> ResultsPage:
    """Two queries, and five more where there is a complete run: two of the methods, three of the
    workers. `campaign` comes with its tally; `with_ids`: whether workers may be
    called by the ids that their platforms know."""
    counted: Tally | None = getattr(campaign, "tally", None)
    runs = last_runs(campaign, RUNS)
    latest = latest_run(campaign)
    return ResultsPage(
        runs=runs,
        latest=latest,
        methods=methods_of(campaign, latest) if latest else None,
        reliabilities=reliabilities(campaign, latest, RELIABILITIES, with_ids=with_ids)
        if latest
        else None,
        next_run=next_run(campaign, latest, counted.received if counted else 0),
    )


def jobs_of(campaign: Campaign, permissions: Permissions) -> list[JobRow]:
    """What makes, compares and writes labels, the newest first. One query; none for who may not
    see jobs."""
    if not permissions.sees_gold:
        return []
    found = visible_jobs(campaign.project, permissions).filter(campaign=campaign, kind__in=KINDS)
    return [job_row(job) for job in found.order_by("-id")[:JOBS]]
