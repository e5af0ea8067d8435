"""Counted answers as they stand in the rows: what the other readers begin with.

What counts is a submitted response to a plain task. A late answer is stored and paid, but its
place had been filled: it does not count. Neither do answers to gold questions, unless they are to
be learnt from: then they say what a worker is worth. Where gold is to be scored with, hidden gold
that was drawn at random from the tasks is read as if it were no gold: the first answers to it, as
many as an ordinary task would have got. The answers of a worker who was paused or blocked later
count: a method weighs them by what they said. An answer that its worker has corrected counts as
corrected. What its worker was unsure of counts too, unless the campaign leaves it out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import numpy as np
from django.db.models import Q
from numpy.typing import NDArray

from aggregation.algorithms.data import UNKNOWN, CrowdLabels, CrowdSequences
from aggregation.arrays.doubts import left_out, without
from annotation.actions.bulk import batches
from annotation.interfaces import judgments
from annotation.models import (
    Assignment,
    Campaign,
    Demand,
    Label,
    Response,
    Task,
)
from annotation.querysets.assignments import standing

READ = 5_000  # responses fetched at a time
WIDTHS: dict[int, np.dtype[Any]] = {width: np.dtype(f"<i{width}") for width in judgments.TYPECODES}

GATHERED = 20_000  # answers whose values are put into place at a time
NOTHING = np.empty(0, dtype=np.int8)

Advance = Callable[[int], None]  # told how many rows were read or written
Values = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Crowd:
    """A campaign's counted answers as arrays, and what their numbers stand for.

    Attributes
    ----------
    tasks, workers : arrays of row ids, shapes (n_tasks,) and (n_workers,)
        Those with at least one counted answer, sorted. With a `Numbering` its workers come first.
    starts : array of shape (n_tasks + 1,)
        Task i holds the units (tokens; a choice has one) starts[i] to starts[i + 1] - 1.
    classes : names of the class numbers
    answers : int
        Counted responses.
    answers_each : array of shape (n_tasks,)
        How many of them each task has.
    labels : CrowdLabels
        Tokens are units of their own here.
    sequences : CrowdSequences, or None for a choice campaign
    known_classes : `classes`, then those that gold alone knows
    gold : array of shape (n_units,)
        The class of each unit whose truth is known, in `known_classes`; -1 for the others, and
        for all where gold was not asked for.
    plain : array of shape (n_tasks,)
        False for gold questions, which get no consensus.
    sampled, differing : arrays of shape (n_tasks,)
        Whose gold was drawn at random from all tasks, and so tells how good labels are; and from
        those where a method and a vote differ.
    place : array of shape (n_labels,), or None
        Which of its task's answers, in order of arrival, each label is; from 0. Of sequences only
        where answers to gold may have to be cut.
    documents : array of row ids, shape (n_tasks,)
        A task without one has the negative of its own.
    parts : verdicts of the verify form by name, those that somebody was asked
        A relation campaign's tasks are their units; classes are 0 no, 1 yes, 2 unsure.
    interface : str
    until : datetime, or None
        Answers received after it were left out.
    kept_judged : array of shape (n_units,), or None
        `judged`, where the labels that say it were let go.
    """

    tasks: NDArray[np.int64]
    workers: NDArray[np.int64]
    starts: NDArray[np.int64]
    classes: tuple[str, ...]
    answers: int
    answers_each: NDArray[np.int64]
    labels: CrowdLabels
    sequences: CrowdSequences | None
    known_classes: tuple[str, ...]
    gold: NDArray[np.int64]
    plain: NDArray[np.bool_]
    sampled: NDArray[np.bool_]
    differing: NDArray[np.bool_]
    documents: NDArray[np.int64]
    place: NDArray[np.signedinteger[Any]] | None = None
    parts: Mapping[str, CrowdLabels] = field(default_factory=dict)
    interface: str = "choice"
    until: datetime | None = None
    kept_judged: NDArray[np.bool_] | None = None

    @property
    def judged(self) -> NDArray[np.bool_]:
        """Which units somebody judged, shape (n_units,)."""
        return self.labels.labelled() if self.kept_judged is None else self.kept_judged

    def without_labels(self) -> Crowd:
        """What is needed to write results: `judged` stays, and what each worker said is let go,
        which is most of the memory."""
        labels, sequences, none = self.labels, self.sequences, np.empty(0, dtype=np.int32)
        return replace(
            self,
            labels=CrowdLabels(
                none, none, none, labels.n_units, labels.n_workers, labels.n_classes
            ),
            sequences=None
            if sequences is None
            else CrowdSequences(
                none,
                none,
                none,
                starts=sequences.starts,
                n_workers=sequences.n_workers,
                tags=sequences.tags,
                documents=sequences.documents,
            ),
            place=None,
            kept_judged=self.judged,
        )

    def task_of_label(self) -> NDArray[np.int64]:
        """Shape (n_labels,)."""
        task = np.repeat(np.arange(len(self.tasks)), np.diff(self.starts))
        return np.asarray(task[self.labels.unit])

    @property
    def sample(self) -> NDArray[np.int64]:
        """`gold`, without that which is no sample of all tasks."""
        return np.where(np.repeat(self.sampled, np.diff(self.starts)), self.gold, UNKNOWN)


@dataclass(frozen=True, slots=True, eq=False)
class Numbering:
    """The classes and workers (row ids) of an earlier run, which keep their numbers."""

    classes: tuple[str, ...]
    workers: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Gold questions, row ids, that are read as if they were ordinary tasks, and how many of the
    answers to each are: the first ones."""

    tasks: Sequence[int]
    answers: int


class UnknownClass(ValueError):
    """An answer holds a class that the `Numbering` does not have."""


@dataclass(frozen=True, slots=True, eq=False)
class CountedAnswers:
    """One vector of every counted response, sorted by task, then worker.

    `task` and `worker`, of shape (n_answers,), number the rows `tasks` and `workers`; answer i
    is values[edges[i]:edges[i + 1]]. `place`, shape (n_answers,), is which of its task's answers it
    is in order of arrival, from 0. `only` are the tasks that were asked for, or None.
    """

    tasks: NDArray[np.int64]
    workers: NDArray[np.int64]
    task: NDArray[np.int64]
    worker: NDArray[np.int64]
    place: NDArray[np.int64]
    edges: NDArray[np.int64]
    values: Values
    only: Sequence[int] | None

    def in_question(self, field: str) -> Q:
        """A filter of rows whose `field` is a task, for queries that only some of them need."""
        return Q() if self.only is None else Q(**{f"{field}__in": self.only})


def read_answers(
    campaign: Campaign,
    vector: str,
    questions: bool,
    only: Sequence[int] | None,
    numbering: Numbering | None,
    advance: Advance | None,
    until: datetime | None = None,
    sample: Sample | None = None,
) -> CountedAnswers:
    """With `questions` those to all gold. Rows come in no order, which spares the database a sort
    of all judgments. A damaged response is refused by name."""
    too = sample.tasks if sample is not None else ()
    counted = Response.objects.submitted() if questions else Response.objects.counted_or_to(too)
    counted = counted.received_by(until).filter(assignment__task__campaign=campaign)
    if only is not None:
        counted = counted.filter(assignment__task__in=only)
    silent = left_out(campaign, counted, vector, until)
    rows = counted.values_list(
        "assignment__task", "assignment__worker", "pk", standing("judgments", until)
    )
    owners, sizes, parts = [], [], []  # of each READ rows: three numbers each; lengths; values
    for batch in batches(rows.iterator(chunk_size=READ), READ):
        owners.append(np.array([row[:3] for row in batch], dtype=np.int64))
        vectors = [
            without(_vector_of(number, data, vector), silent.get(number))
            for _, _, number, data in batch
        ]
        sizes.append(np.array([len(one) for one in vectors], dtype=np.int64))
        parts.append(np.concatenate(vectors))
        if advance is not None:
            advance(len(batch))
    owner = np.concatenate([np.empty((0, 3), dtype=np.int64), *owners])
    size = np.concatenate([np.empty(0, dtype=np.int64), *sizes])
    values = np.concatenate(parts) if parts else NOTHING
    del owners, sizes, parts
    arrival = _places(owner[:, 0], owner[:, 2])
    order = np.lexsort((owner[:, 1], owner[:, 0]))
    if sample is not None:
        beyond = np.isin(owner[:, 0], sample.tasks) & (arrival >= sample.answers)
        order = order[~beyond[order]]
    tasks, task = np.unique(owner[order, 0], return_inverse=True)
    workers, worker = np.unique(owner[order, 1], return_inverse=True)
    if numbering is not None:
        new = np.setdiff1d(workers, numbering.workers)
        number = {pk: i for i, pk in enumerate([*numbering.workers.tolist(), *new.tolist()])}
        worker = np.array([number[pk] for pk in workers.tolist()], dtype=np.int64)[worker]
        workers = np.concatenate((numbering.workers, new))
    begin = np.cumsum(size) - size
    edges = np.concatenate(([0], np.cumsum(size[order])))
    values = _gathered(values, begin[order], edges)
    return CountedAnswers(tasks, workers, task, worker, arrival[order], edges, values, only)


def _vector_of(response: int, data: bytes | memoryview, name: str) -> Values:
    try:
        place = judgments.directory(data).get(name)
    except judgments.Damaged as error:
        raise ValueError(_damaged(response, str(error))) from error
    if place is None:
        return NOTHING
    offset, width, count = place
    return np.frombuffer(data, WIDTHS[width], count, offset)


def _damaged(response: int, how: str) -> str:
    row = Assignment.objects.select_related("task").get(pk=response)
    return (
        f"The judgments of response {response} (assignment {row.key}, task "
        f"'{row.task.external_id}') are damaged. {how} The answer itself stands beside them; "
        "check_integrity --repair makes them from it anew."
    )


def _gathered(values: Values, begin: NDArray[np.int64], edges: NDArray[np.int64]) -> Values:
    """The vectors of `values` that begin at `begin`, one after the other with these edges. Some at
    a time, for memory: the places of all values take eight times as much as they do."""
    found = np.empty(edges[-1], dtype=values.dtype)
    for first in range(0, len(begin), GATHERED):
        last = min(first + GATHERED, len(begin))
        size = np.diff(edges[first : last + 1])
        place = np.repeat(begin[first:last] - edges[first:last], size)
        place += np.arange(edges[first], edges[last])
        found[edges[first] : edges[last]] = values[place]
    return found


def _places(group: NDArray[np.int64], number: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of each row its place in its group, from 0, in the order of the numbers."""
    order = np.lexsort((number, group))
    first = np.r_[True, np.diff(group[order]) != 0] if len(group) else np.zeros(0, dtype=bool)
    start = np.maximum.accumulate(np.where(first, np.arange(len(group)), 0))
    place = np.empty(len(group), dtype=np.int64)
    place[order] = np.arange(len(group)) - start
    return place


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """Several vectors of every counted response, sorted by task, then worker.

    `task` and `worker` are as in a `Crowd`'s answers: numbers of the rows `tasks` and `workers`.
    Answer i is vectors[name][edges[name][i]:edges[name][i + 1]].
    """

    tasks: NDArray[np.int64]
    workers: NDArray[np.int64]
    task: NDArray[np.int64]
    worker: NDArray[np.int64]
    edges: dict[str, NDArray[np.int64]]
    vectors: dict[str, NDArray[np.signedinteger[Any]]]


def read_vectors(
    campaign: Campaign,
    names: Sequence[str],
    advance: Advance | None = None,
    until: datetime | None = None,
) -> Vectors:
    """Of plain tasks. A query for each name: an answer that comes in between is refused."""
    found = [read_answers(campaign, name, False, None, None, advance, until) for name in names]
    first = found[0]
    if any(not np.array_equal(first.task, other.task) for other in found):
        raise ValueError("Answers came in while they were read. Aggregate again.")
    return Vectors(
        tasks=first.tasks,
        workers=first.workers,
        task=first.task,
        worker=first.worker,
        edges={name: answers.edges for name, answers in zip(names, found, strict=True)},
        vectors={name: answers.values for name, answers in zip(names, found, strict=True)},
    )


def answers_each(answers: CountedAnswers) -> NDArray[np.int64]:
    return np.bincount(answers.task, minlength=len(answers.tasks)).astype(np.int64)


def numbered_as(classes: Sequence[str], numbering: Numbering) -> list[str]:
    if unknown := [name for name in classes if name not in numbering.classes]:
        raise UnknownClass(f"The run does not know '{unknown[0]}', which answers hold now.")
    return list(numbering.classes)


def documents_of_tasks(campaign: Campaign, answers: CountedAnswers) -> NDArray[np.int64]:
    """The document of each task, shape (n_tasks,)."""
    rows = Task.objects.filter(answers.in_question("pk"), campaign=campaign).order_by()
    document_of = dict(rows.values_list("pk", "document").iterator(chunk_size=READ))
    return np.array([document_of[task] or -task for task in answers.tasks.tolist()], dtype=np.int64)


def plain_tasks(campaign: Campaign, answers: CountedAnswers) -> NDArray[np.bool_]:
    """Which tasks are no gold questions, shape (n_tasks,)."""
    others = Demand.objects.gold().filter(answers.in_question("task"), campaign=campaign)
    return ~np.isin(answers.tasks, np.fromiter(others.values_list("task", flat=True), np.int64))


def named_task(answers: CountedAnswers, i: int) -> str:
    task = Task.objects.get(pk=int(answers.tasks[answers.task[i]]))
    return f"task '{task.external_id}'"


def label_names(
    campaign: Campaign, vocabulary: str, values: NDArray[np.signedinteger[Any]]
) -> dict[int, str]:
    """The project's names of the numbers that occur in `values`."""
    used = np.flatnonzero(np.bincount(values[values >= 0])).tolist() if values.size else []
    labels = Label.objects.filter(project=campaign.project_id, vocabulary=vocabulary)
    names = dict(labels.values_list("number", "name"))
    if unknown := [number for number in used if number not in names]:
        raise ValueError(
            f"Answers of '{campaign.slug}' hold the {vocabulary} number {unknown[0]}, which "
            f"project '{campaign.project.slug}' does not know. check_integrity tells more."
        )
    return {number: names[number] for number in used}


def renumbered(
    values: NDArray[np.signedinteger[Any]], names: dict[int, str], classes: Sequence[str]
) -> NDArray[np.int32]:
    """From the project's label numbers to places in `classes`."""
    place = {name: i for i, name in enumerate(classes)}
    table = np.zeros(max(names, default=0) + 1, dtype=np.int32)
    for number, name in names.items():
        table[number] = place[name]
    return table[values]
