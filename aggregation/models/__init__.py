"""What statistics leave behind: runs, the consensus of each task, what each worker is worth."""

from aggregation.models.decisions import Adjudication
from aggregation.models.facts import (
    AGREEMENT_TASKS,
    ClusterFacts,
    CoreferenceFacts,
    DifferingFacts,
    GoldFacts,
    LiveFacts,
    RunFacts,
    Share,
    SpanFacts,
    TypeFacts,
)
from aggregation.models.runs import AggregationRun, Consensus, RunDifference, WorkerReliability

__all__ = [
    "AGREEMENT_TASKS",
    "Adjudication",
    "AggregationRun",
    "ClusterFacts",
    "Consensus",
    "CoreferenceFacts",
    "DifferingFacts",
    "GoldFacts",
    "LiveFacts",
    "RunDifference",
    "RunFacts",
    "Share",
    "SpanFacts",
    "TypeFacts",
    "WorkerReliability",
]
