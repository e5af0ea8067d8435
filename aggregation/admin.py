from __future__ import annotations

from typing import Any

from annotation.admin.raw_tables import RawTable, register_tables


class Runs(RawTable):
    searched = ("method", "campaign__slug")
    page_of = staticmethod(lambda row: ("run", (row.campaign.slug, row.key)))


class PartsOfARun(RawTable):
    grows = True
    page_needs = ("run__campaign",)

    @staticmethod
    def page_of(row: Any) -> tuple[str, tuple[Any, ...]]:
        return "run", (row.run.campaign.slug, row.run.key)


register_tables(
    "aggregation",
    {
        "AggregationRun": Runs,
        "Consensus": PartsOfARun,
        "RunDifference": PartsOfARun,
        "WorkerReliability": PartsOfARun,
    },
)
