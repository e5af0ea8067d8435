"""Models: trained on the consensus of runs, stored, taken up again.

A model is a row with a file beside it. The file is written first, under a name of its own, so a row
always has one; files that have no row, of which a process ended in between, go with those of
deleted rows.
"""

from __future__ import annotations

import copy
import hashlib
import inspect
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from django.db import transaction
from numpy.typing import NDArray

from aggregation.algorithms import bootstrap_interval
from aggregation.methods.version import code_version
from aggregation.models import AggregationRun
from annotation.sentences import CodedError
from selection.algorithms import StoredLearner, choose_learner
from selection.algorithms.learners.scoring import counts_out_of_fold
from selection.arrays.learning import (
    KnownItems,
    LabelledItems,
    digest_of_inputs,
    known_documents,
    known_items,
    labelled_items,
)
from selection.interfaces import BEST, REGISTRY
from selection.interfaces.entries import Entry, entry
from selection.models import LoopRound, ModelScore, TrainedModel
from selection.models.trained import models_folder
from selection.queries.suggested import tasks_taken_from_models
from selection.sentences import CATALOGUE

GOLD, CROSS_VALIDATION = "gold", "cross-validation"
FOLDS = 5
SETTLED = timedelta(days=1)  # a file without a row that is younger may be getting one

Floats = NDArray[np.float64]


class CannotTrain(CodedError, ValueError):
    """There is nothing to learn from, or not in this way."""

    catalogue = CATALOGUE


class CannotLoad(CodedError, ValueError):
    """The file of a model is gone, damaged, or of another version."""

    catalogue = CATALOGUE


@dataclass(frozen=True, slots=True)
class _Lesson:
    """What is learnt from, as learners take it."""

    learning: Entry
    examples: Any
    targets: Any
    names: tuple[str, ...]
    folds: int
    seed: int


def train(
    runs: Sequence[AggregationRun],
    *,
    learner: str = BEST,
    parameters: Mapping[str, Any] | None = None,
    documents: Collection[int] | None = None,
    gold: Collection[int] | None = None,
    hold_out: float = 1.0,
    folds: int = FOLDS,
    seed: int = 0,
    loop_round: LoopRound | None = None,
    user: Any = None,
) -> TrainedModel:
    """Learn from the consensus of complete runs of one interface, each label as much as it is
    probable, and store what was learnt.

    Learnt from are `documents` (row ids; None: all), but never those of `gold` (None: all whose
    answer is known, if no documents are named), by which the model is scored. Of those whose answer
    is known the share `hold_out` is gold, drawn by the seed; the others teach what workers said of
    them. Cross-validation in
    `folds` (0: none) is not scored on tasks where workers took what a model suggested: there it
    would agree with itself. With `learner` "best" it chooses.

    Equal inputs, settings, seed and version give the model that there is. Raises CannotTrain.
    """
    every = _checked(runs)
    learning = entry(every[0].campaign.interface)
    held_out = _held_out(every, documents, hold_out, seed) if gold is None else gold
    labelled = labelled_items(every, documents=documents, without=held_out)
    if not len(labelled):
        raise CannotTrain("model.nothing")
    known = known_items(every, documents=held_out)
    unscored = tasks_taken_from_models(run.campaign_id for run in every)
    made = _made(learning, every[0].campaign.interface, labelled.classes, learner, parameters or {})
    row = TrainedModel(
        project=every[0].campaign.project,
        interface=every[0].campaign.interface,
        wanted=learner,
        parameters=dict(parameters or {}),
        seed=seed,
        code_version=code_version(),
        input_digest=digest_of_inputs(labelled, known, folds=folds, unscored=sorted(unscored)),
        classes=list(labelled.classes),
        items=len(labelled),
        loop_round=loop_round,
        made_by=user,
    )
    if (stands := _equal(row)) is not None:
        return stands
    examples = learning.examples(labelled.items)
    lesson = _Lesson(
        learning, examples, learning.targets(examples, labelled.posteriors), labelled.classes,
        folds, seed,
    )  # fmt: skip
    row.learner, row.problems = _best(lesson, made) if len(made) > 1 else (next(iter(made)), {})
    fitted = copy.copy(made[row.learner])
    try:
        fitted.fit(lesson.examples, lesson.targets)
    except ValueError as error:
        raise CannotTrain("model.taught_nothing", why=error) from error
    row.figures = (
        *_scored_by_gold(lesson, fitted, known, row.learner),
        *_cross_validated(lesson, made[row.learner], labelled, unscored, row),
    )
    _store(row, fitted, every)
    return row


def load(model: TrainedModel) -> StoredLearner:
    """What it has learnt, ready to predict. Raises CannotLoad."""
    path = model.path
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        learner = entry(model.interface).load(path)
    except FileNotFoundError as error:
        raise CannotLoad("model.no_file", model=model.key, folder=path.parent) from error
    except (ValueError, KeyError, OSError) as error:
        raise CannotLoad("model.unreadable", model=model.key, why=error) from error
    if digest != model.digest or list(learner.classes) != model.classes:
        raise CannotLoad("model.damaged", model=model.key)
    return learner


def clear_files(now: datetime) -> int:
    """Remove the files whose rows are gone; how many."""
    files = [path for path in models_folder().glob("*.npz") if _is_settled(path, now)]
    keys = {path: _key(path.stem) for path in files}
    known = set(
        TrainedModel.objects.filter(key__in=[key for key in keys.values() if key]).values_list(
            "key", flat=True
        )
    )
    gone = [path for path, key in keys.items() if key not in known]
    for path in gone:
        path.unlink(missing_ok=True)
    return len(gone)


# --- What is learnt from ------------------------------------------------------------------------


def _checked(runs: Sequence[AggregationRun]) -> list[AggregationRun]:
    every = [*runs]
    if not every:
        raise CannotTrain("model.no_run")
    kinds = {(run.campaign.project_id, run.campaign.interface) for run in every}
    if len(kinds) > 1:
        raise CannotTrain("model.several")
    interface = every[0].campaign.interface
    if interface not in REGISTRY:
        raise CannotTrain("model.kind", interface=interface, interfaces=list(REGISTRY))
    for run in every:
        if run.state != AggregationRun.State.COMPLETE:
            raise CannotTrain("model.not_complete", run=run.key, state=run.state)
        if run.facts.clamped:
            raise CannotTrain("model.clamped", run=run.key)
    return every


def _held_out(
    runs: Sequence[AggregationRun], documents: Collection[int] | None, part: float, seed: int
) -> set[int]:
    if not 0 <= part <= 1:
        raise CannotTrain("model.hold_out", found=part)
    known = known_documents(runs)
    free = np.array(sorted(known if documents is None else known - {*documents}), dtype=np.int64)
    drawn = np.random.default_rng(seed).permutation(free)
    return set(drawn[: round(part * len(free))].tolist())


def _made(
    learning: Entry,
    interface: str,
    classes: tuple[str, ...],
    wanted: str,
    parameters: Mapping[str, Any],
) -> dict[str, StoredLearner]:
    """The learners that are tried: the one that is wanted, or all."""
    known = learning.learners(classes)
    if wanted != BEST and wanted not in known:
        raise CannotTrain(
            "model.learner", learner=wanted, interface=interface, known=[*known, BEST]
        )
    names = [*known] if wanted == BEST else [wanted]
    return {name: _with(name, known[name], parameters) for name in names}


def _with(name: str, learner: StoredLearner, parameters: Mapping[str, Any]) -> StoredLearner:
    fixed = ("tags", "classes", "kind")
    takes = [one for one in inspect.signature(type(learner)).parameters if one not in fixed]
    for one in parameters:
        if one not in takes:
            raise CannotTrain("model.parameter", learner=name, name=one, known=takes)
    settings = {
        one: getattr(learner, one)
        for one in inspect.signature(type(learner)).parameters
    } | {**parameters}  # fmt: skip
    try:
        return type(learner)(**settings)
    except (ValueError, TypeError) as error:
        names = ", ".join(parameters)
        raise CannotTrain("model.parameter_value", learner=name, name=names, why=error) from error


def _equal(row: TrainedModel) -> TrainedModel | None:
    """The model that would be made again, unless its file can't be used."""
    rows = TrainedModel.objects.filter(
        project=row.project, interface=row.interface, wanted=row.wanted, seed=row.seed,
        code_version=row.code_version, input_digest=row.input_digest, loop_round=row.loop_round,
    )  # fmt: skip
    for stands in rows:
        if stands.parameters == row.parameters:
            try:
                load(stands)
            except CannotLoad:
                continue
            return stands
    return None


# --- How good it is -----------------------------------------------------------------------------


def _best(lesson: _Lesson, made: Mapping[str, StoredLearner]) -> tuple[str, dict[str, str]]:
    examples = {learner.sees: lesson.examples for learner in made.values()}
    try:
        choice = choose_learner(
            made, examples, lesson.targets, folds=lesson.folds or FOLDS, seed=lesson.seed
        )
    except ValueError as error:  # too little is labelled to compare: the usual one
        return next(iter(made)), {"choice": str(error)}
    return choice.name, choice.refused


def _scored_by_gold(
    lesson: _Lesson, fitted: StoredLearner, known: KnownItems, name: str
) -> list[ModelScore]:
    if not len(known):
        return []
    learning = lesson.learning
    truth, names = known.numbered(lesson.names)
    counts = learning.counts(fitted, learning.examples(known.items), truth, names)
    return _scores(learning, counts, GOLD, name, lesson.seed)


def _cross_validated(
    lesson: _Lesson,
    learner: StoredLearner,
    labelled: LabelledItems,
    unscored: Collection[int],
    row: TrainedModel,
) -> list[ModelScore]:
    if not lesson.folds:
        return []
    try:
        counts = counts_out_of_fold(
            learner, lesson.examples, lesson.targets, lesson.learning.counts,
            lesson.learning.likely, lesson.names, folds=lesson.folds, seed=lesson.seed,
        )  # fmt: skip
    except ValueError as error:
        row.problems = {**row.problems, CROSS_VALIDATION: str(error)}
        return []
    scored = [place for place, task in enumerate(labelled.tasks) if task not in unscored]
    return _scores(lesson.learning, counts[scored], CROSS_VALIDATION, row.learner, lesson.seed)


def _scores(learning: Entry, counts: Floats, on: str, learner: str, seed: int) -> list[ModelScore]:
    """None of what can't be told, such as F1 where there is no span."""
    if not len(counts):
        return []
    values = learning.shares(counts.sum(axis=0, keepdims=True))[0]
    low = high = np.full(len(values), np.nan)
    if len(counts) > 1:
        low, high = bootstrap_interval(counts, learning.shares, seed=seed)
    return [
        ModelScore(on, measure, float(value), _known(low[i]), _known(high[i]), len(counts), learner)
        for i, (measure, value) in enumerate(zip(learning.MEASURES, values, strict=True))
        if np.isfinite(value)
    ]


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


# --- Files --------------------------------------------------------------------------------------


def _store(row: TrainedModel, fitted: StoredLearner, runs: Sequence[AggregationRun]) -> None:
    row.path.parent.mkdir(parents=True, exist_ok=True)
    try:
        fitted.save(row.path)
    except ValueError as error:
        raise CannotTrain("model.taught_nothing", why=error) from error
    data = row.path.read_bytes()
    row.digest, row.bytes = hashlib.sha256(data).hexdigest(), len(data)
    try:
        with transaction.atomic():
            row.save()
            row.runs.set(runs)
    except BaseException:
        row.path.unlink(missing_ok=True)
        raise


def _is_settled(path: Any, now: datetime) -> bool:
    try:
        return bool(path.stat().st_mtime < (now - SETTLED).timestamp())
    except FileNotFoundError:
        return False


def _key(stem: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(stem)
    except ValueError:
        return None
