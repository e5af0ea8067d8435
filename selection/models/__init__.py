"""What selection leaves behind, one file a family."""

from selection.models.loops import LabellingLoop, LoopItem, LoopRound
from selection.models.tasks import GoldCheck, RedundancyRound
from selection.models.trained import ModelScore, TrainedModel
from selection.models.workers import NightlySelection, SelectedWorker, WorkerFlag, WorkerSelection

__all__ = [
    "GoldCheck",
    "LabellingLoop",
    "LoopItem",
    "LoopRound",
    "ModelScore",
    "NightlySelection",
    "RedundancyRound",
    "SelectedWorker",
    "TrainedModel",
    "WorkerFlag",
    "WorkerSelection",
]
