"""Every write of this app, and what is computed from its rows: one verb a function."""

from aggregation.actions.compare import compare
from aggregation.actions.refresh import Refreshed, refresh
from aggregation.actions.runs import aggregate
from aggregation.actions.scores import score_run

__all__ = ["Refreshed", "aggregate", "compare", "refresh", "score_run"]
