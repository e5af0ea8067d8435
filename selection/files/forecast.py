"""From a file of a pilot's answers, or a stated mix of workers, to a forecast."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace

import numpy as np

from aggregation.algorithms import BSCseq, CrowdLabels, CrowdSequences, HMMCrowd
from aggregation.files.data import Repeated, Stage
from aggregation.files.readers import LabelFile
from aggregation.methods.words import WORDS_EACH
from selection.algorithms.plan.campaigns import StoppingRule
from selection.algorithms.plan.forecasts import forecast_choices
from selection.algorithms.plan.mixes import Kind, forecast_mix
from selection.algorithms.plan.results import Forecast
from selection.algorithms.plan.span_forecasts import Pilot, forecast_spans
from selection.files.errors import BadArgument

FIFTH = 5  # of a campaign's tasks one in so many is a pilot, where nothing else is said
BEYOND = 3  # answers more than the pilot has that are forecast
MOST = 50  # answers a task
MOST_NAMES = 100  # in a document of a mix
LEAST = 2  # answers before a task may stop, where nothing else is said


def forecast_file(
    path: str,
    *,
    tasks: int | None = None,
    answers: Sequence[int] = (),
    wanted: float | None = None,
    least: int = LEAST,
    repeated: Repeated = "last",
    seed: int = 0,
    stage: Stage = lambda name, total: nullcontext(lambda number: None),
) -> Forecast:
    """`path` holds the first of `tasks` tasks (five times as many, where that is not said) with all
    of their answers, and gold of some that were drawn at random among them. Raises ValueError with
    a sentence for people."""
    with LabelFile(path) as file:
        total = os.path.getsize(path) if path != "-" else None
        with stage("reading, in bytes", total) as advance:
            data = file.read(gold=True, repeated=repeated, advance=advance)
    if data.labels.weight is not None:
        raise BadArgument("forecast.each")  # campaigns are played with whole answers
    if data.sequences is None:
        found = of_labels(
            data.labels, data.gold, tasks=tasks, answers=answers, wanted=wanted, least=least,
            seed=seed,
        )  # fmt: skip
        return replace(found, repeated=data.repeated)
    pilot = Pilot(data.sequences, data.group, data.gold, data.known_classes)
    return of_sequences(pilot, tasks=tasks, answers=answers, wanted=wanted, least=least, seed=seed)


def of_labels(
    labels: CrowdLabels,
    gold: np.ndarray,
    *,
    tasks: int | None,
    answers: Sequence[int],
    seed: int,
    wanted: float | None = None,
    least: int = LEAST,
) -> Forecast:
    """`wanted`: also with tasks that stop from `least` answers on where they are so sure."""
    judged = int(labels.labelled().sum())
    if not judged:
        raise BadArgument("forecast.empty")
    if labels.n_classes < 2:
        raise BadArgument("forecast.one_class")
    return forecast_choices(
        labels,
        total=_total(tasks, judged),
        answers=_numbers(answers, labels.n_labels / judged),
        gold=gold if (gold >= 0).any() else None,
        stopping=_stopping(wanted, least),
        seed=seed,
    )


def of_sequences(
    pilot: Pilot,
    *,
    tasks: int | None,
    answers: Sequence[int],
    seed: int,
    wanted: float | None = None,
    least: int = LEAST,
) -> Forecast:
    """`wanted` and `least` as in `of_labels`. With the method that a campaign of so many tasks
    gets, but for Touchstone, which takes too long to be fitted a dozen times: BSC-seq stands
    in."""
    sequences = pilot.answers
    if not sequences.n_labels:
        raise BadArgument("forecast.empty")
    if not pilot.checked().any():
        raise BadArgument("forecast.no_gold")
    told = np.unique(pilot.document[sequences.token] * sequences.n_workers + sequences.worker)
    documents = len(np.unique(told // sequences.n_workers))
    total = _total(tasks, documents)
    workers = len(np.unique(sequences.worker))
    each = sequences.n_labels / workers * total / documents
    return forecast_spans(
        pilot,
        _bsc if each >= WORDS_EACH else _hmm,
        total=total,
        answers=_numbers(answers, len(told) / documents),
        stopping=_stopping(wanted, least),
        seed=seed,
    )


def forecast_of_mix(
    mix: Sequence[tuple[float, float]],
    *,
    classes: int,
    workers: int,
    tasks: int,
    answers: Sequence[int] = (),
    names: int = 0,
    wanted: float | None = None,
    least: int = LEAST,
    seed: int = 0,
) -> Forecast:
    """`mix` are shares of the workers with their accuracies; with `names` in a document with
    their F1 of names. `wanted` and `least` are as in `of_labels`."""
    if not 0 <= names <= MOST_NAMES:
        raise BadArgument("forecast.names", number=names, most=MOST_NAMES)
    for share, accuracy in mix:
        if not 0 < share <= 1 or not 0 <= accuracy <= 1:
            raise BadArgument("forecast.mix", share=share, accuracy=accuracy)
    kinds = [Kind(share, accuracy) for share, accuracy in mix]
    return forecast_mix(
        kinds, n_classes=classes, n_workers=workers, total=tasks,
        answers=_numbers(answers, 4), names=names, stopping=_stopping(wanted, least), seed=seed,
    )  # fmt: skip


def _stopping(wanted: float | None, least: int) -> StoppingRule | None:
    if wanted is None:
        return None
    if not 0 < wanted < 1:
        raise BadArgument("forecast.wanted", wanted=wanted)
    if not 1 <= least <= MOST:
        raise BadArgument("forecast.least", number=least, most=MOST)
    return StoppingRule(least, wanted)


def _hmm(part: CrowdSequences) -> HMMCrowd:
    return HMMCrowd().fit(part)


def _bsc(part: CrowdSequences) -> BSCseq:
    return BSCseq().fit(part)


def _total(tasks: int | None, pilot: int) -> int:
    if tasks is None:
        return FIFTH * pilot
    if tasks < pilot:
        raise BadArgument("forecast.tasks", tasks=tasks, pilot=pilot)
    return tasks


def _numbers(answers: Sequence[int], each: float) -> list[int]:
    if not answers:
        return list(range(1, min(round(each) + BEYOND, MOST) + 1))
    for number in answers:
        if not 1 <= number <= MOST:
            raise BadArgument("forecast.answers", number=number, most=MOST)
    return sorted(set(answers))
