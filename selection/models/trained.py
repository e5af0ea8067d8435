"""What was learnt from labels: a model, whence it comes, and how good it is."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

SOURCE = "model "  # before the key, where suggestions tell whose they are


@dataclass(frozen=True, slots=True)
class ModelScore:
    """`on` "gold", answers that are known and were not learnt from; or "cross-validation", on the
    labels that it learnt from, which compares learners and is no estimate of how good one is.

    `low` and `high` are the 95 % interval of a bootstrap over the `items`; None of fewer than two.
    """

    on: str
    measure: str
    value: float
    low: float | None
    high: float | None
    items: int
    learner: str

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        return cls(**{name: stored.get(name) for name in cls.__slots__})  # type: ignore[arg-type]


class TrainedModel(models.Model):
    """What a learner has learnt from the consensus of runs. A newer one never erases an older one.

    What it has learnt stands in `path`, arrays alone; rows without their file can't be used.
    """

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="trained_models")
    # Whose consensus it has learnt from. They are not pruned while it stands.
    runs = models.ManyToManyField("aggregation.AggregationRun", related_name="trained_models")
    loop_round = models.ForeignKey(  # that it was trained for
        "selection.LoopRound", models.SET_NULL, null=True, blank=True, related_name="trained_models"
    )
    interface = models.CharField(max_length=30)
    wanted = models.CharField(max_length=24)  # the learner that was asked for, or "best"
    learner = models.CharField(max_length=24)
    parameters = models.JSONField(default=dict)
    seed = models.BigIntegerField(default=0)
    code_version = models.CharField(max_length=40)
    input_digest = models.CharField(max_length=64)  # of all that it read
    classes = models.JSONField(default=list)
    items = models.PositiveIntegerField()  # tasks that it learnt from
    scores = models.JSONField(default=list)  # read as `figures`
    problems = models.JSONField(default=dict)  # why a learner, or a score, is not there
    digest = models.CharField(max_length=64)  # of its file
    bytes = models.PositiveBigIntegerField()
    made_at = models.DateTimeField(db_default=Now(), editable=False)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )  # null: a command

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.learner} of {self.project} ({self.items})"

    @property
    def path(self) -> Path:
        return models_folder() / f"{self.key}.npz"

    @property
    def source(self) -> str:
        """As the suggestions of tasks name it."""
        return f"{SOURCE}{self.key}"

    @property
    def figures(self) -> tuple[ModelScore, ...]:
        return tuple(map(ModelScore.from_json, self.scores))

    @figures.setter
    def figures(self, scores: tuple[ModelScore, ...]) -> None:
        self.scores = [asdict(score) for score in scores]


def models_folder() -> Path:
    """Machines that share a database have to share DATA_DIR."""
    return Path(settings.DATA_DIR, "models")
