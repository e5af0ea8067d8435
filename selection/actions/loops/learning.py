"""The third component of a loop: the model, trained on what its rounds have labelled."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from aggregation.models import AggregationRun
from annotation.models import Campaign
from selection.actions.models import CannotLoad, load, train
from selection.algorithms import StoredLearner
from selection.arrays.loops import Labels, known_documents
from selection.interfaces import BEST
from selection.interfaces.entries import entry
from selection.models import LabellingLoop, LoopItem, LoopRound, TrainedModel

FOLDS = 5  # to choose among learners by


def runs_of(loop: LabellingLoop) -> list[AggregationRun]:
    """The run that each of the loop's campaigns serves, the newest campaign last. A query for
    each."""
    found = []
    for campaign in Campaign.objects.filter(shared_budget=loop.budget_id).order_by("pk"):
        runs = AggregationRun.objects.complete().filter(campaign=campaign)
        run = runs.exclude(diagnostics__clamped=True).served_first().first()
        if run is not None:
            found.append(run)
    return found


def training_documents(loop: LabellingLoop) -> set[int]:
    """Never those of the random sample."""
    items = loop.items.filter(use=LoopItem.Use.TRAINING).exclude(document=None)
    return set(items.values_list("document", flat=True))


def sample_documents(loop: LabellingLoop) -> set[int]:
    items = loop.items.filter(use=LoopItem.Use.SAMPLE).exclude(document=None)
    return set(items.values_list("document", flat=True))


def train_round(
    loop: LabellingLoop, row: LoopRound, runs: Sequence[AggregationRun]
) -> TrainedModel:
    """Broken off and asked again, it is the same model. Raises CannotTrain.

    Nothing of the sample, and no gold, is learnt from. Cross-validation is done where it has
    learners to choose from, and says nothing else.
    """
    by_gold = loop.evaluation == LabellingLoop.Evaluation.GOLD
    return train(
        runs,
        learner=loop.learner,
        documents=training_documents(loop),
        gold=known_documents(loop) if by_gold else (),
        folds=FOLDS if loop.learner == BEST else 0,
        seed=loop.seed,
        loop_round=row,
        user=loop.created_by,
    )


def fitted_model(row: LoopRound) -> StoredLearner | None:
    """What the round's model has learnt. Where its file is gone, or of another version, it is
    trained again from the run that it was made of; None where that is gone, too."""
    model = TrainedModel.objects.filter(loop_round=row).order_by("-pk").first()
    if model is None:
        return None
    try:
        return load(model)
    except CannotLoad:
        runs = list(model.runs.all())
        return load(train_round(row.loop, row, runs)) if runs else None


def learners_of(
    loop: LabellingLoop, runs: Sequence[AggregationRun], labels: Labels | None
) -> list[Any]:
    """For pickers: the one that the last round was trained with first, and then the others."""
    classes = labels.classes if labels else ()
    known = entry(loop.campaign.interface).learners(classes)
    last = loop.rounds.filter(step=LoopRound.Step.DONE).order_by("-number").first()
    first = last.learner if last is not None and last.learner in known else next(iter(known))
    return [copy.copy(known[name]) for name in sorted(known, key=lambda name: name != first)]
