from __future__ import annotations

from typing import Any

from annotation.admin import PartsOfACampaign, PartsOfAnEnrollment
from annotation.admin.raw_tables import RawTable, register_tables


class Selections(PartsOfACampaign):
    page_of = staticmethod(lambda row: ("selection", (row.campaign.slug,)))


class Flags(PartsOfAnEnrollment):
    searched = ("enrollment__worker__external_id",)


class GoldChecks(RawTable):
    searched = ("question__task__external_id",)
    page_needs = ("question__task__campaign",)

    @staticmethod
    def page_of(row: Any) -> tuple[str, tuple[Any, ...]]:
        task = row.question.task
        return "gold-question", (task.campaign.slug, task.external_id)


register_tables(
    "selection",
    {
        "GoldCheck": GoldChecks,
        "NightlySelection": Selections,
        "RedundancyRound": PartsOfACampaign,
        "SelectedWorker": PartsOfAnEnrollment,
        "WorkerFlag": Flags,
        "WorkerSelection": Selections,
    },
)
