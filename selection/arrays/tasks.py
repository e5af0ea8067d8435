"""Tasks with answers: how sure their consensus is, and the votes for each class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import F, QuerySet
from numpy.typing import NDArray

from aggregation.algorithms import expected_spans
from aggregation.interfaces import words_of
from aggregation.models import AggregationRun, Consensus
from annotation.interfaces import Material, categorical
from annotation.interfaces.doubts import doubted_in
from annotation.interfaces.tags import tags_of
from annotation.models import (
    Campaign,
    Demand,
    Response,
)
from annotation.querysets.assignments import standing

Floats = NDArray[np.float64]
READ = 2_000
TASKS = 500  # whose probabilities are in memory at once


@dataclass(frozen=True, slots=True, eq=False)
class Tasks:
    """The plain tasks of a campaign that have an answer or a lease; arrays of shape (n_tasks,).

    `judged` is how many answers its consensus holds, -1 where there is none; `sure` the confidence
    by which a task is stopped, NaN where there is none; `need` how many parts are expected to be
    wrong, for who has not the money to ask for all.
    """

    task: NDArray[np.int64]
    received: NDArray[np.int64]
    leased: NDArray[np.int64]
    open: NDArray[np.int64]
    judged: NDArray[np.int64]
    sure: Floats
    need: Floats


def load_tasks(campaign: Campaign, run: AggregationRun | None) -> Tasks:
    """A query for the demands, and two for each TASKS of the consensus of an entity campaign."""
    rows = np.array(
        list(
            Demand.objects.plain()
            .filter(campaign=campaign)
            .exclude(received=0, leased=0)
            .order_by("task")
            .values_list("task", "received", "leased", "open")
        ),
        dtype=np.int64,
    ).reshape(-1, 4)
    task = rows[:, 0]
    judged = np.full(len(task), -1, dtype=np.int64)
    sure, need = np.full(len(task), np.nan), np.full(len(task), np.nan)
    if run is not None:
        place = {number: i for i, number in enumerate(task.tolist())}
        for number, answers, confidence, errors in _confidences(campaign, run):
            if (i := place.get(number)) is not None:
                judged[i] = -1 if answers is None else answers
                sure[i] = np.nan if confidence is None else confidence
                need[i] = np.nan if errors is None else errors
    return Tasks(task, rows[:, 1], rows[:, 2], rows[:, 3], judged, sure, need)


def _confidences(
    campaign: Campaign, run: AggregationRun
) -> Iterator[tuple[int, int | None, float | None, float | None]]:
    """Task, counted answers, confidence, expected errors."""
    consensus = Consensus.objects.filter(run=run).order_by("pk")
    if words_of(campaign.interface).per_token:
        if run.facts.spans is None:  # made before spans had confidences of their own
            yield from _of_spans(consensus, run.classes)
        else:
            told = consensus.values_list("task", "answers", "confidence", "expected_errors")
            yield from told.iterator(chunk_size=2_000)
        return
    rows = consensus.values_list("task", "answers", "confidence", "confidences", "expected_errors")
    for task, answers, confidence, parts, errors in rows.iterator(chunk_size=2_000):
        sure = _least(confidence, parts)
        yield task, answers, sure, _need(errors, sure, confidence)


def _need(errors: float | None, sure: float | None, confidence: float | None) -> float | None:
    """How many parts are expected to be wrong: what the consensus says, for a card of ten mentions
    has more of them than one of two that is as sure. At least as many as the part that is least
    sure, which it does not count; of a run that did not keep it yet one less the confidence."""
    if errors is None or sure is None:
        return errors if sure is None else 1.0 - sure
    is_of_a_part = confidence is None or sure < confidence
    return max(errors, 1.0 - sure) if is_of_a_part else errors


def _least(confidence: float | None, parts: Any) -> float | None:
    """Of the parts of an answer, where each has a number of its own; else the one that there is."""
    numbers = [value for value in (parts or {}).values() if isinstance(value, int | float)]
    if confidence is not None:
        numbers.append(confidence)
    return min(numbers) if numbers else None


def _of_spans(
    consensus: QuerySet[Consensus], classes: list[str]
) -> Iterator[tuple[int, int | None, float | None, float | None]]:
    """The expected F1 of the spans found, from the marginals of each token."""
    rows = consensus.annotate(
        tokens=F("task__document__tokens"), sentences=F("task__document__sentences")
    ).values_list("task", "answers", "answer", "probabilities", "tokens", "sentences")
    batch: list[tuple[Any, ...]] = []
    for row in rows.iterator(chunk_size=TASKS):
        batch.append(row)
        if len(batch) == TASKS:
            yield from _expected(batch, classes)
            batch = []
    yield from _expected(batch, classes)


def _expected(
    batch: list[tuple[Any, ...]], classes: list[str]
) -> Iterator[tuple[int, int | None, float | None, float | None]]:
    if not batch or "O" not in classes:
        yield from ((row[0], row[1], None, None) for row in batch)
        return
    number = {name: i for i, name in enumerate(classes)}
    outside = number["O"]
    parts, chosen, starts, task, begin = [], [], [0], [], 0
    for i, (_, _, answer, probabilities, tokens, sentences) in enumerate(batch):
        material = Material(tokens=tokens, sentences=sentences)
        table = np.frombuffer(probabilities, dtype="<f2").astype(np.float64)
        table = table.reshape(len(tokens), len(classes))
        unknown = np.isnan(table).any(axis=1)
        table[unknown] = 0.0
        table[unknown, outside] = 1.0
        parts.append(table)
        chosen += [number.get(tag, outside) for tag in tags_of(answer, material)]
        starts += [begin + last for _, last in sentences]
        task += [i] * len(tokens)
        begin += len(tokens)
    found = expected_spans(
        np.concatenate(parts), chosen, tags=classes, starts=starts, task=task, n_tasks=len(batch)
    )
    for row, sure, errors in zip(batch, found.f1().tolist(), found.errors().tolist(), strict=True):
        yield row[0], row[1], sure, errors


def votes(campaign: Campaign, tasks: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many chose each class, shape (n_tasks, n_classes); campaigns with classes alone. What
    the consensus leaves out since its worker was unsure is no vote here."""
    says = categorical(campaign.interface)
    if says is None:
        raise ValueError(
            f"Answers of {campaign.interface} campaigns are not votes for classes. Stop by "
            "confidence."
        )
    place = {task: i for i, task in enumerate(tasks.tolist())}
    given: list[tuple[int, str]] = []
    counted = Response.objects.counted().filter(assignment__task__campaign=campaign)
    rows = counted.values_list("assignment__task", standing("answer"))
    for task, answer in rows.iterator(chunk_size=2_000):
        if campaign.leaves_out_doubts and None in doubted_in(answer):
            continue
        if task in place:
            given.append((place[task], says.class_of(answer)))
    names = {name: i for i, name in enumerate(sorted({name for _, name in given}))}
    counts = np.zeros((len(place), max(len(names), 1)), dtype=np.int64)
    if given:
        np.add.at(counts, ([i for i, _ in given], [names[name] for _, name in given]), 1)
    return counts
