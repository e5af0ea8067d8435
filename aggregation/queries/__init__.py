"""Reads: plain data out."""

from aggregation.queries.runs import (
    RunSummary,
    ScoredTask,
    gold_without_consensus,
    last_runs,
    latest_run,
    run_by_key,
    scored_tasks,
)

__all__ = [
    "RunSummary",
    "ScoredTask",
    "gold_without_consensus",
    "last_runs",
    "latest_run",
    "run_by_key",
    "scored_tasks",
]
