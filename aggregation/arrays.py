"""Rows ↔ arrays of the crowd's answers: the only place.

What counts is a submitted response to a plain task. A late answer is stored and paid, but its
place had been filled: it does not count. Neither do answers to gold questions, unless gold is asked
for: then they say what a worker is worth. The answers of a worker who was paused or blocked later
count: a method weighs them by what they said.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import repeat
from typing import Any

import numpy as np
from django.db.models import Q
from numpy.typing import NDArray

from aggregation.algorithms.categorical.gold_start import GoldCounts
from aggregation.algorithms.categorical.votes import MajorityVote
from aggregation.algorithms.data import UNKNOWN, CrowdLabels, CrowdSequences, ordered_tags
from aggregation.algorithms.measures.spans import tag_parts
from aggregation.algorithms.results import Aggregator
from aggregation.algorithms.sequences.span_errors import span_errors_of
from aggregation.models import AggregationRun, Consensus, WorkerReliability
from annotation.actions.gold import HANDED_IN
from annotation.interfaces import Material, categorical, judgments
from annotation.interfaces.entity import answer_of_tags, tags_of
from annotation.interfaces.relation import VERDICT_NUMBERS, VERDICTS
from annotation.interfaces.schema import NOT_LABELLED, UNSURE
from annotation.models import (
    Assignment,
    Campaign,
    Demand,
    Document,
    GoldQuestion,
    ImportedAnswer,
    Label,
    Response,
    Task,
)

READ = 5_000  # responses fetched at a time
WRITTEN = 500  # consensus rows inserted at a time
WIDTHS: dict[int, np.dtype[Any]] = {width: np.dtype(f"<i{width}") for width in judgments.TYPECODES}
DECIMALS = 6  # of a confusion matrix in JSON
LISTED = 256  # numbers of a worker that are stored as such
TENTHS = 10

Advance = Callable[[int], None]  # told how many rows were read or written


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
    documents : array of row ids, shape (n_tasks,)
        A task without one has the negative of its own.
    parts : verdicts of the verify form by name, those that somebody was asked
        A relation campaign's tasks are their units; classes are 0 no, 1 yes, 2 unsure.
    interface : str
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
    documents: NDArray[np.int64]
    parts: Mapping[str, CrowdLabels] = field(default_factory=dict)
    interface: str = "choice"

    def digest(self, *, with_gold: bool, gold_counts: GoldCounts | None = None) -> str:
        """SHA-256 of all that a method sees, and of whom it is about."""
        hashed = hashlib.sha256("\n".join(self.classes).encode())
        arrays: list[NDArray[Any]] = [self.tasks, self.workers, self.starts]
        arrays += [self.labels.unit, self.labels.worker, self.labels.label]
        if self.sequences is not None:
            hashed.update("\n".join(self.sequences.vocabulary).encode())
            arrays.append(self.sequences.starts)
            if self.sequences.words is not None:
                arrays.append(self.sequences.words)
        for name, part in self.parts.items():
            hashed.update(name.encode())
            arrays += [part.unit, part.worker, part.label]
        if with_gold:
            arrays.append(self.gold)
        if gold_counts is not None:
            arrays += [gold_counts.right, gold_counts.answered]
        for array in arrays:
            hashed.update(f"{array.dtype.str}{array.shape}".encode())
            hashed.update(np.ascontiguousarray(array).data)
        return hashed.hexdigest()


@dataclass(frozen=True, slots=True, eq=False)
class Numbering:
    """The classes and workers (row ids) of an earlier run, which keep their numbers."""

    classes: tuple[str, ...]
    workers: NDArray[np.int64]


class UnknownClass(ValueError):
    """An answer holds a class that the `Numbering` does not have."""


@dataclass(frozen=True, slots=True, eq=False)
class _Answers:
    """One vector of every counted response, sorted by task, then worker.

    `task` and `worker`, of shape (n_answers,), number the rows `tasks` and `workers`; answer i
    is values[edges[i]:edges[i + 1]]. `only` are the tasks that were asked for, or None.
    """

    tasks: NDArray[np.int64]
    workers: NDArray[np.int64]
    task: NDArray[np.int64]
    worker: NDArray[np.int64]
    edges: NDArray[np.int64]
    values: NDArray[np.signedinteger[Any]]
    only: Sequence[int] | None

    def in_question(self, field: str) -> Q:
        """A filter of rows whose `field` is a task, for queries that only some of them need."""
        return Q() if self.only is None else Q(**{f"{field}__in": self.only})


@dataclass(frozen=True, slots=True)
class _Known:
    """The gold of one task."""

    answer: dict[str, Any]
    material: Material


# --- Reading ------------------------------------------------------------------------------------


def load_labels(
    campaign: Campaign,
    *,
    gold: bool = False,
    clamp: bool = False,
    tasks: Sequence[int] | None = None,
    numbering: Numbering | None = None,
    advance: Advance | None = None,
) -> Crowd:
    """The classes that workers chose, or relations: a task is a unit. Three queries, five with
    gold.

    With `gold` the crowd holds what is known of the truth, to score with. With `clamp` it does so
    to learn from: answers to gold questions count too, and what only gold says is a class.

    Classes come in the order of the campaign's choices, or of the schema's relations and "none";
    those that there are no more follow by name, and "unsure", which is a class as the others are,
    is last. A value on a scale is not read.

    `tasks`, row ids, are all that is read. With `numbering` classes and workers have the numbers
    of an earlier run, and workers that it does not know come after its own; raises UnknownClass.
    """
    kind, says = campaign.interface, categorical(campaign.interface)
    if says is None:
        raise ValueError(f"An answer of {kind} campaigns is not one class.")
    vector = "parts" if kind == "relation" else kind
    answers = _read_answers(campaign, vector, clamp, tasks, numbering, advance)
    parts: dict[str, CrowdLabels] = {}
    if kind == "relation":
        answers, parts = _relations_apart(answers)
    wrong = np.flatnonzero(np.diff(answers.edges) != 1)
    if wrong.size:
        raise ValueError(
            f"An answer to {_named(answers, int(wrong[0]))} holds no choice. "
            "Only campaigns that offer choices can be aggregated, scales can't."
        )
    names = _label_names(campaign, kind, answers.values)
    known = _known(campaign, answers) if gold or clamp else {}
    truth = {i: says.class_of(row.answer) for i, row in known.items()}
    on_offer = says.classes(campaign.project.schema, campaign.options)
    offered = {name: i for i, name in enumerate(on_offer)}
    classes = sorted(
        {*names.values(), *(truth.values() if clamp else ())},
        key=lambda name: (name == UNSURE, offered.get(name, len(offered)), name),
    )
    if numbering is not None:
        classes = _numbered(classes, numbering)
    known_classes = (*classes, *sorted({*truth.values()} - {*classes}))
    place = {name: i for i, name in enumerate(known_classes)}
    given = answers.values >= 0
    return Crowd(
        tasks=answers.tasks,
        workers=answers.workers,
        starts=np.arange(len(answers.tasks) + 1),
        classes=tuple(classes),
        answers=len(answers.task),
        answers_each=_answers_each(answers),
        labels=CrowdLabels(
            answers.task[given],
            answers.worker[given],
            _renumbered(answers.values[given], names, classes),
            len(answers.tasks),
            len(answers.workers),
            max(len(classes), 1),
        ),
        sequences=None,
        known_classes=known_classes,
        gold=np.array(
            [place[truth[i]] if i in truth else UNKNOWN for i in range(len(answers.tasks))],
            dtype=np.int64,
        ),
        plain=_plain(campaign, answers),
        documents=_documents(campaign, answers),
        parts=parts,
        interface=kind,
    )


def _relations_apart(answers: _Answers) -> tuple[_Answers, dict[str, CrowdLabels]]:
    """The relations alone as answers, and each verdict that somebody gave."""
    length = 2 + len(VERDICTS)  # the relation first, the sentence of the evidence last
    wrong = np.flatnonzero(np.diff(answers.edges) != length)
    if wrong.size:
        raise ValueError(
            f"An answer to {_named(answers, int(wrong[0]))} holds no {length} parts. "
            "check_integrity tells more."
        )
    table = answers.values.reshape(-1, length)
    parts = {}
    for column, name in enumerate(VERDICTS, start=1):
        given = table[:, column] >= 0
        if given.any():
            parts[name] = CrowdLabels(
                answers.task[given],
                answers.worker[given],
                table[given, column].astype(np.int32),
                len(answers.tasks),
                len(answers.workers),
                len(VERDICT_NUMBERS) - 1,
            )
    edges = np.arange(len(table) + 1)
    return replace(answers, edges=edges, values=np.ascontiguousarray(table[:, 0])), parts


def load_sequences(
    campaign: Campaign,
    *,
    gold: bool = False,
    clamp: bool = False,
    tasks: Sequence[int] | None = None,
    numbering: Numbering | None = None,
    advance: Advance | None = None,
) -> Crowd:
    """The tags that workers gave to tokens: a sentence is a sequence, and a task a document: it
    shows the whole of one. Five queries, seven with gold; see `load_labels`.

    Classes are the tags that were used, completed to B and I of each type, by name with "O"
    last, whatever their numbers in the project's label table are.
    """
    answers = _read_answers(campaign, "tags", clamp, tasks, numbering, advance)
    n_tokens = _tokens_of_tasks(answers)
    starts = np.concatenate(([0], np.cumsum(n_tokens)))
    documents = _documents(campaign, answers)
    sentences, words, vocabulary = _read_texts(campaign, documents, answers, starts)
    names = _label_names(campaign, "tag", answers.values)
    known = _known(campaign, answers) if gold or clamp else {}
    truth = {i: tags_of(row.answer, row.material) for i, row in known.items()}
    true = {name for row in truth.values() for name in row} - {NOT_LABELLED}
    tags = ordered_tags({*names.values(), *(true if clamp else ())})
    if numbering is not None:
        tags = tuple(_numbered(tags, numbering))
    known_tags = (*tags, *sorted(true - {*tags}))

    given = np.flatnonzero(answers.values >= 0)
    length = np.diff(answers.edges)
    first = starts[answers.task] - answers.edges[:-1]  # from a place in `values` to a token
    token = given + np.repeat(first, length)[given]
    sequences = CrowdSequences(
        token,
        np.repeat(answers.worker, length)[given],
        _renumbered(answers.values[given], names, tags),
        starts=sentences,
        n_workers=len(answers.workers),
        tags=tags,
        words=words,
        vocabulary=vocabulary,
        documents=np.searchsorted(sentences, starts),
    )
    return Crowd(
        tasks=answers.tasks,
        workers=answers.workers,
        starts=starts,
        classes=tags,
        answers=len(answers.task),
        answers_each=_answers_each(answers),
        labels=sequences.token_labels(),
        sequences=sequences,
        known_classes=known_tags,
        gold=_gold_tags(answers, truth, starts, known_tags),
        plain=_plain(campaign, answers),
        documents=documents,
        interface="entity",
    )


def _numbered(classes: Sequence[str], numbering: Numbering) -> list[str]:
    if unknown := [name for name in classes if name not in numbering.classes]:
        raise UnknownClass(f"The run does not know '{unknown[0]}', which answers hold now.")
    return list(numbering.classes)


def _answers_each(answers: _Answers) -> NDArray[np.int64]:
    return np.bincount(answers.task, minlength=len(answers.tasks)).astype(np.int64)


def _read_answers(
    campaign: Campaign,
    vector: str,
    questions: bool,
    only: Sequence[int] | None,
    numbering: Numbering | None,
    advance: Advance | None,
) -> _Answers:
    """Rows come in no order, which spares the database a sort of all judgments."""
    kinds = list(Demand.Kind) if questions else [Demand.Kind.PLAIN]
    rows = Response.objects.filter(
        assignment__state=Assignment.State.SUBMITTED,
        assignment__task__campaign=campaign,
        assignment__task__demand__kind__in=kinds,
    ).values_list("assignment__task", "assignment__worker", "judgments")
    if only is not None:
        rows = rows.filter(assignment__task__in=only)
    owners: list[tuple[int, int]] = []
    vectors: list[NDArray[np.signedinteger[Any]]] = []
    nothing = np.empty(0, dtype=np.int8)
    for task_id, worker_id, data in rows.iterator(chunk_size=READ):
        place = judgments.directory(data).get(vector)
        if place is None:
            vectors.append(nothing)
        else:
            offset, width, count = place
            vectors.append(np.frombuffer(data, WIDTHS[width], count, offset))
        owners.append((task_id, worker_id))
        if advance is not None and len(owners) % READ == 0:
            advance(READ)
    if advance is not None:
        advance(len(owners) % READ)
    owner = np.array(owners, dtype=np.int64).reshape(-1, 2)
    order = np.lexsort((owner[:, 1], owner[:, 0]))
    tasks, task = np.unique(owner[order, 0], return_inverse=True)
    workers, worker = np.unique(owner[order, 1], return_inverse=True)
    if numbering is not None:
        new = np.setdiff1d(workers, numbering.workers)
        number = {pk: i for i, pk in enumerate([*numbering.workers.tolist(), *new.tolist()])}
        worker = np.array([number[pk] for pk in workers.tolist()], dtype=np.int64)[worker]
        workers = np.concatenate((numbering.workers, new))
    ordered = [vectors[i] for i in order.tolist()]
    edges = np.cumsum([0, *map(len, ordered)])
    values = np.concatenate(ordered) if ordered else nothing
    return _Answers(tasks, workers, task, worker, edges, values, only)


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
    campaign: Campaign, names: Sequence[str], advance: Advance | None = None
) -> Vectors:
    """Of plain tasks. A query for each name: an answer that comes in between is refused."""
    found = [_read_answers(campaign, name, False, None, None, advance) for name in names]
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


def _tokens_of_tasks(answers: _Answers) -> NDArray[np.int64]:
    """How many tokens each task has, shape (n_tasks,): what all of its answers have."""
    length = np.diff(answers.edges)
    _, first = np.unique(answers.task, return_index=True)
    n_tokens = length[first]
    wrong = np.flatnonzero(length != n_tokens[answers.task])
    if wrong.size:
        i = int(wrong[0])
        raise ValueError(
            f"The answers to {_named(answers, i)} judge {n_tokens[answers.task[i]]} and "
            f"{length[i]} tokens. They must judge the same; check_integrity tells more."
        )
    return n_tokens


def _documents(campaign: Campaign, answers: _Answers) -> NDArray[np.int64]:
    """The document of each task, shape (n_tasks,)."""
    rows = Task.objects.filter(answers.in_question("pk"), campaign=campaign).order_by()
    document_of = dict(rows.values_list("pk", "document").iterator(chunk_size=READ))
    return np.array([document_of[task] or -task for task in answers.tasks.tolist()], dtype=np.int64)


def _read_texts(
    campaign: Campaign,
    owners: NDArray[np.int64],
    answers: _Answers,
    starts: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int32], tuple[str, ...]]:
    """Of all tasks: where sentences start and at last their end, in numbers of tokens; the number
    of each token's word, shape (n_tokens,); and the words.

    `owners`, shape (n_tasks,), are the tasks' documents. Each is parsed once, however many
    answers it has.
    """
    edges: dict[int, list[int]] = {}
    numbered: dict[int, NDArray[np.int32]] = {}
    number: dict[str, int] = {}
    answered = Task.objects.filter(
        answers.in_question("pk"),
        campaign=campaign,
        assignments__state=Assignment.State.SUBMITTED,
    ).order_by()
    documents = Document.objects.filter(pk__in=answered.values("document"))
    for pk, text, tokens, sentences in documents.values_list(
        "pk", "text", "tokens", "sentences"
    ).iterator(chunk_size=READ):
        edges[pk] = sorted({edge for sentence in sentences for edge in sentence})
        numbered[pk] = np.array(
            [number.setdefault(text[a:b], len(number)) for a, b in tokens], dtype=np.int32
        )
    parts, words = [], [np.empty(0, dtype=np.int32)]
    for i, owner in enumerate(owners.tolist()):
        inside = edges.get(owner, [])
        said = numbered.get(owner, words[0])
        size = int(starts[i + 1] - starts[i])
        if len(said) != size or (inside and inside[-1] > size):
            raise ValueError(
                f"The answers to {_named(answers, int(np.searchsorted(answers.task, i)))} judge "
                f"{size} tokens, but its document has {len(said)}. check_integrity tells more."
            )
        parts.append(starts[i] + np.array([0, *inside], dtype=np.int64))
        words.append(said)
    parts.append(starts[-1:])
    return np.unique(np.concatenate(parts)), np.concatenate(words), tuple(number)


def _plain(campaign: Campaign, answers: _Answers) -> NDArray[np.bool_]:
    """Which tasks are no gold questions, shape (n_tasks,)."""
    others = Demand.objects.filter(answers.in_question("task"), campaign=campaign).exclude(
        kind=Demand.Kind.PLAIN
    )
    return ~np.isin(answers.tasks, np.fromiter(others.values_list("task", flat=True), np.int64))


def _known(campaign: Campaign, answers: _Answers) -> dict[int, _Known]:
    """The gold of tasks by their place: what the task's gold question says unless that was
    retired, else what was imported with its document. Two queries."""
    place = {task: i for i, task in enumerate(answers.tasks.tolist())}
    asked = GoldQuestion.objects.filter(
        answers.in_question("task"), task__campaign=campaign, retired_at=None
    )
    imported = Task.objects.filter(
        answers.in_question("pk"),
        campaign=campaign,
        document__imported_answers__interface=campaign.interface,
        document__imported_answers__source=ImportedAnswer.Source.GOLD,
    )
    rows = [  # what a gold question says comes last, and stays
        imported.values_list(
            "pk", "document__imported_answers__answer", "document__tokens", "document__sentences"
        ),
        asked.values_list("task", "answer", "task__document__tokens", "task__document__sentences"),
    ]
    return {
        place[task]: _Known(answer, Material(tokens=tokens or [], sentences=sentences or []))
        for query in rows
        for task, answer, tokens, sentences in query.iterator(chunk_size=READ)
        if task in place
    }


def gold_counts(campaign: Campaign, workers: NDArray[np.int64]) -> GoldCounts:
    """Of `workers`, sorted row ids, how often the class that they gave to a hidden gold question
    was right; verdicts and tolerances, which a score heeds, are not asked for. Practice, which
    tells what is right, and questions that were retired do not count. One query.
    """
    says = categorical(campaign.interface)
    if says is None:
        raise ValueError(f"An answer of {campaign.interface} campaigns is not one class.")
    answers = Assignment.objects.filter(
        task__campaign=campaign,
        task__demand__kind=Demand.Kind.HIDDEN,
        task__gold_question__retired_at=None,
        state__in=HANDED_IN,
        response__isnull=False,
    )
    place = {pk: i for i, pk in enumerate(workers.tolist())}
    right, told = np.zeros((2, len(workers)), dtype=np.int64)
    rows = answers.values_list("worker", "response__answer", "task__gold_question__answer")
    for worker, given, known in rows.iterator(chunk_size=READ):
        if worker in place:
            told[place[worker]] += 1
            right[place[worker]] += says.class_of(given) == says.class_of(known)
    return GoldCounts(right, told)


def _gold_tags(
    answers: _Answers,
    truth: dict[int, list[str]],
    starts: NDArray[np.int64],
    tags: Sequence[str],
) -> NDArray[np.int64]:
    """Shape (n_tokens,)."""
    number = {tag: i for i, tag in enumerate(tags)} | {NOT_LABELLED: UNKNOWN}
    gold = np.full(int(starts[-1]), UNKNOWN, dtype=np.int64)
    for i, names in truth.items():
        if len(names) != starts[i + 1] - starts[i]:
            raise ValueError(
                f"Gold of {_named(answers, int(np.searchsorted(answers.task, i)))} has "
                f"{len(names)} tags, but {starts[i + 1] - starts[i]} tokens were judged. "
                "check_integrity tells more."
            )
        gold[starts[i] : starts[i + 1]] = [number[name] for name in names]
    return gold


def _named(answers: _Answers, i: int) -> str:
    task = Task.objects.get(pk=int(answers.tasks[answers.task[i]]))
    return f"task '{task.external_id}'"


def _label_names(
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


def _renumbered(
    values: NDArray[np.signedinteger[Any]], names: dict[int, str], classes: Sequence[str]
) -> NDArray[np.int32]:
    """From the project's label numbers to places in `classes`."""
    place = {name: i for i, name in enumerate(classes)}
    table = np.zeros(max(names, default=0) + 1, dtype=np.int32)
    for number, name in names.items():
        table[number] = place[name]
    return table[values]


# --- Writing ------------------------------------------------------------------------------------


def save_run(
    run: AggregationRun,
    crowd: Crowd,
    fitted: Aggregator,
    *,
    parts: Mapping[str, Aggregator] | None = None,
    advance: Advance | None = None,
) -> dict[str, Any]:
    """The consensus of each task with an answer, and each worker's reliability. `parts` are the
    fits of the crowd's parts.

    Call it inside a transaction: half of a result is none. What comes back is for the run's
    diagnostics: "confidence", how many tasks have one in each tenth from 0 to 1, and "usual", how
    workers err on spans in the middle (`algorithms.sequences.span_errors`).
    """
    rows: list[Consensus] = []
    tenths = [0] * TENTHS
    parts = parts or {}
    verdicts = {name: part.predict() for name, part in parts.items()}
    found = consensus_of(run, crowd, fitted.posterior_, fitted.predict(), verdicts=verdicts)
    for row in found:
        rows.append(row)
        if row.confidence is not None:
            tenths[tenth(row.confidence)] += 1
        if len(rows) == WRITTEN:
            _insert(rows, advance)
    _insert(rows, advance)
    tendencies = _span_errors(crowd, fitted)
    reliabilities = _reliabilities(run, crowd, fitted, tendencies, parts)
    WorkerReliability.objects.bulk_create(reliabilities, WRITTEN)
    usual = {name: round(float(np.median(of_all)), DECIMALS) for name, of_all in tendencies.items()}
    return {"confidence": tenths, "usual": usual}


def tenth(confidence: float) -> int:
    return min(int(confidence * TENTHS), TENTHS - 1)


def save_refreshed(rows: Sequence[Consensus]) -> None:
    """In the place of what their run says of these tasks, if it says anything. Call it inside a
    transaction."""
    Consensus.objects.bulk_create(
        rows,
        WRITTEN,
        update_conflicts=True,
        unique_fields=["run", "task"],
        update_fields=[
            "answer",
            "confidence",
            "probabilities",
            "confidences",
            "answers",
            "refreshed_at",
        ],
    )


def _insert(rows: list[Consensus], advance: Advance | None) -> None:
    Consensus.objects.bulk_create(rows)
    if advance is not None:
        advance(len(rows))
    rows.clear()


def consensus_of(
    run: AggregationRun,
    crowd: Crowd,
    posterior: NDArray[np.float64],
    chosen: NDArray[np.int64],
    refreshed_at: datetime | None = None,
    verdicts: Mapping[str, NDArray[np.int64]] | None = None,
) -> Iterator[Consensus]:
    """Unsaved rows, in the order of the tasks, from what was inferred of each unit, and of the
    crowd's parts; a part of which nothing is said is decided by vote."""
    judged = np.zeros(crowd.labels.n_units, dtype=bool)
    judged[crowd.labels.unit] = True
    sure = np.take_along_axis(posterior, chosen[:, None], axis=1)[:, 0]
    for i, (task, answer) in enumerate(_answers(crowd, chosen, judged, verdicts or {})):
        if not crowd.plain[i]:
            continue
        part = slice(crowd.starts[i], crowd.starts[i + 1])
        known = judged[part]
        probabilities = posterior[part].astype("<f2")
        probabilities[~known] = np.nan
        yield Consensus(
            run=run,
            task_id=task,
            answer=answer,
            confidence=float(sure[part][known].mean()) if known.any() else None,
            probabilities=probabilities.tobytes(),
            answers=int(crowd.answers_each[i]),
            refreshed_at=refreshed_at,
        )


def _answers(
    crowd: Crowd,
    chosen: NDArray[np.int64],
    judged: NDArray[np.bool_],
    verdicts: Mapping[str, NDArray[np.int64]],
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each task's row id with its canonical answer, in the order of the tasks."""
    if says := categorical(crowd.interface):
        said = _verdicts(crowd, verdicts) if crowd.interface == "relation" else repeat({})
        for i, (task, verdict) in enumerate(zip(crowd.tasks.tolist(), said, strict=False)):
            yield task, says.answer_of(crowd.classes[chosen[i]] if judged[i] else UNSURE) | verdict
        return
    names = np.array([*crowd.classes, NOT_LABELLED], dtype=object)
    tags = np.where(judged, chosen, len(crowd.classes))
    for begin in range(0, len(crowd.tasks), WRITTEN):
        batch = crowd.tasks[begin : begin + WRITTEN].tolist()
        materials = _materials(batch)
        for i, task in enumerate(batch, start=begin):
            part = tags[crowd.starts[i] : crowd.starts[i + 1]]
            yield task, answer_of_tags(names[part].tolist(), materials[task])


def _verdicts(
    crowd: Crowd, found: Mapping[str, NDArray[np.int64]]
) -> Iterator[dict[str, bool | str | None]]:
    """What each task's answer says of the parts: None where nobody was asked."""
    said: dict[int, Any] = {number: verdict for verdict, number in VERDICT_NUMBERS.items()}
    chosen = np.full((len(crowd.tasks), len(VERDICTS)), VERDICT_NUMBERS[None])
    for column, name in enumerate(VERDICTS):
        if name in crowd.parts:
            labels = crowd.parts[name]
            numbers = found[name] if name in found else MajorityVote().fit(labels).predict()
            asked = labels.labelled()
            chosen[asked, column] = numbers[asked]
    for row in chosen.tolist():
        yield {name: said[number] for name, number in zip(VERDICTS, row, strict=True)}


def _materials(tasks: list[int]) -> dict[int, Material]:
    """Tokens and sentences alone: an answer made of tags needs no more."""
    rows = Task.objects.filter(pk__in=tasks).values_list(
        "pk", "document__tokens", "document__sentences"
    )
    return {task: Material(tokens=tokens, sentences=sentences) for task, tokens, sentences in rows}


def _reliabilities(
    run: AggregationRun,
    crowd: Crowd,
    fitted: Aggregator,
    tendencies: dict[str, NDArray[np.float64]],
    parts: Mapping[str, Aggregator],
) -> Iterator[WorkerReliability]:
    """Unsaved rows; a worker who judged nothing has no accuracy."""
    found = fitted.reliability_
    estimated = dict(found.parameters)
    if found.confusion is not None:
        estimated["confusion"] = found.confusion
    for i, worker in enumerate(crowd.workers.tolist()):
        some = bool(found.judged[i])
        yield WorkerReliability(
            run=run,
            worker_id=worker,
            judged=int(found.judged[i]),
            accuracy=float(found.accuracy[i]) if some else None,
            low=float(found.low[i]) if some else None,
            high=float(found.high[i]) if some else None,
            parameters={name: stored(values[i]) for name, values in estimated.items()}
            | (
                {"tendencies": {name: stored(values[i]) for name, values in tendencies.items()}}
                if tendencies
                else {}
            )
            | ({"parts": _accuracies(parts, i)} if parts else {}),
        )


def _accuracies(parts: Mapping[str, Aggregator], worker: int) -> dict[str, float]:
    """How often they are probably right, of the parts that they judged."""
    return {
        name: round(float(part.reliability_.accuracy[worker]), DECIMALS)
        for name, part in parts.items()
        if part.reliability_.judged[worker]
    }


def _span_errors(crowd: Crowd, fitted: Aggregator) -> dict[str, NDArray[np.float64]]:
    """How workers err on spans, where the method knows what they say; types weigh by how common
    the method takes them to be. "spans" is how many of them each worker probably saw."""
    found = fitted.reliability_
    tables = found.parameters.get("sequential", found.confusion)
    if crowd.sequences is None or tables is None:
        return {}
    begins, kind, types = tag_parts(crowd.classes)
    common = fitted.posterior_[:, begins].sum(axis=0)
    order = np.argsort(kind[begins])
    ways = span_errors_of(tables, crowd.classes, common[order] if types else None)
    if ways and (weight := found.parameters.get("sequential_weight")) is not None:
        ways["spans"] = weight[:, begins].sum(axis=(1, 2))
    return ways


def stored(values: NDArray[np.float64]) -> Any:
    """Numbers of a worker as JSON: lists, or half-precision bytes where there are many."""
    if values.size <= LISTED:
        return values.round(DECIMALS).tolist()
    data = base64.b64encode(values.astype("<f2").tobytes()).decode()
    return {"shape": list(values.shape), "float16": data}
