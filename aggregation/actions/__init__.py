"""Every write of this app, and what is computed from its rows: one verb a function."""

from aggregation.actions.compare import compare
from aggregation.actions.runs import aggregate
from aggregation.actions.scores import score_run

__all__ = ["aggregate", "compare", "score_run"]
