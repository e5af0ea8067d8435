"""Rows ↔ arrays of selection: workers' gold scores, tasks' confidences, votes. The only place."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import F, QuerySet
from django.db.models.functions import Length
from numpy.typing import NDArray

from aggregation.algorithms import CrowdLabels
from aggregation.arrays import load_labels, load_sequences
from aggregation.models import AggregationRun, Consensus
from annotation.interfaces import Material, categorical
from annotation.interfaces.pairing import matched
from annotation.interfaces.spans import TypedSpan
from annotation.interfaces.tags import spans_of, tags_of
from annotation.models import (
    Assignment,
    Campaign,
    Demand,
    Enrollment,
    GoldQuestion,
    Response,
    Task,
)
from annotation.querysets.assignments import GOLD_SCORE
from selection.algorithms import chance_score, expected_spans

Floats = NDArray[np.float64]
READ = 2_000
LETTERS = 6  # of a word, with the blank
TASKS = 500  # whose probabilities are in memory at once
MOST_ANSWERS = 300  # from which the chance score of spans is drawn


@dataclass(frozen=True, slots=True, eq=False)
class GoldScores:
    """What each worker of a campaign has shown on hidden gold and in his first test.

    `enrollments`, n_workers; `number`, `mean` and `variance` (of single scores, with n - 1; NaN for
    less than two), each of shape (n_workers,).
    """

    enrollments: list[Enrollment]
    number: NDArray[np.int64]
    mean: Floats
    variance: Floats

    @property
    def right(self) -> Floats:
        """How many were right, where each score is 0 or 1."""
        return np.round(np.nan_to_num(self.mean) * self.number, 9)


def gold_scores(enrollments: QuerySet[Enrollment]) -> GoldScores:
    """One query, from the counters of the workers' rows."""
    rows = list(enrollments.select_related("worker").order_by("pk"))
    n = np.array([row.gold_seen for row in rows], dtype=np.int64)
    total = np.array([row.gold_score_sum for row in rows], dtype=np.float64)
    squares = np.array([row.gold_score_sumsq for row in rows], dtype=np.float64)
    mean = np.divide(total, n, out=np.full(len(n), np.nan), where=n > 0)
    spread = np.maximum(squares - n * np.nan_to_num(mean) ** 2, 0.0)
    variance = np.divide(spread, n - 1, out=np.full(len(n), np.nan), where=n > 1)
    return GoldScores(rows, n, mean, variance)


def number_of_classes(campaign: Campaign) -> int | None:
    """L, where an answer to gold is right or wrong; None where it is graded."""
    says = categorical(campaign.interface)
    if says is None:
        return None
    classes = says.classes(campaign.project.schema, campaign.options)
    return max(len(classes), 2) if classes else None


def chance_of_spans(campaign: Campaign, rng: np.random.Generator) -> float:
    """What answers score against the gold of other questions, their words laid over each other
    from the first on. Three queries; 0 for other interfaces, whose answers can't be laid so."""
    if campaign.interface != "entity":
        return 0.0
    golds = {row["task"]: row for row in _gold_texts(campaign)}
    answered = Response.objects.filter(assignment__task__in=golds).order_by("pk")
    drawn = list(answered.values_list("pk", flat=True))
    if len(drawn) > MOST_ANSWERS:
        drawn = random.Random(int(rng.integers(2**32))).sample(drawn, MOST_ANSWERS)
    rows = list(answered.filter(pk__in=drawn).values_list("assignment__task", "answer"))
    spans = {task: spans_of(row["answer"], row["material"]) for task, row in golds.items()}
    lengths = {task: len(row["material"].tokens) for task, row in golds.items()}
    given = [spans_of(answer, golds[task]["material"]) for task, answer in rows]

    def score(answer: int, other: int) -> float:
        length = min(lengths[rows[answer][0]], lengths[other])
        mine, known = _within(given[answer], length), _within(spans[other], length)
        if not mine and not known:
            return 1.0
        return 2 * len(matched(mine, known, 0)) / (len(mine) + len(known))

    return chance_score([task for task, _ in rows], score, rng)


def _within(spans: Sequence[TypedSpan], length: int) -> list[TypedSpan]:
    return [span for span in spans if span[1] <= length]


def _gold_texts(campaign: Campaign) -> Iterator[dict[str, Any]]:
    questions = GoldQuestion.objects.filter(
        task__campaign=campaign, task__demand__kind=Demand.Kind.HIDDEN, retired_at=None
    ).values_list(
        "task", "answer", "task__document__text", "task__document__tokens",
        "task__document__sentences",
    )  # fmt: skip
    for task, answer, text, tokens, sentences in questions.order_by("task"):
        material = Material(text=text or "", tokens=tokens or [], sentences=sentences or [])
        yield {"task": task, "answer": answer, "material": material}


# --- Tasks --------------------------------------------------------------------------------------


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
            Demand.objects.filter(campaign=campaign, kind=Demand.Kind.PLAIN)
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
    if campaign.interface == "entity":
        yield from _of_spans(consensus, run.classes)
        return
    rows = consensus.values_list("task", "answers", "confidence", "confidences")
    for task, answers, confidence, parts in rows.iterator(chunk_size=2_000):
        sure = _least(confidence, parts)
        yield task, answers, sure, None if sure is None else 1.0 - sure


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
    """How many chose each class, shape (n_tasks, n_classes); campaigns with classes alone."""
    says = categorical(campaign.interface)
    if says is None:
        raise ValueError(
            f"Answers of {campaign.interface} campaigns are not votes for classes. Stop by "
            "confidence."
        )
    place = {task: i for i, task in enumerate(tasks.tolist())}
    given: list[tuple[int, str]] = []
    rows = Response.objects.filter(
        assignment__task__campaign=campaign, assignment__state=Assignment.State.SUBMITTED,
        assignment__task__demand__kind=Demand.Kind.PLAIN,
    ).values_list("assignment__task", "answer")  # fmt: skip
    for task, answer in rows.iterator(chunk_size=2_000):
        if task in place:
            given.append((place[task], says.class_of(answer)))
    names = {name: i for i, name in enumerate(sorted({name for _, name in given}))}
    counts = np.zeros((len(place), max(len(names), 1)), dtype=np.int64)
    if given:
        np.add.at(counts, ([i for i, _ in given], [names[name] for _, name in given]), 1)
    return counts


# --- For the guards -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """All answers that were handed in; arrays of shape (n_answers,) but for `workers`.

    `pattern` is what an answer comes to: its class, whether it holds anything at all, or the whole
    of it, where nothing else is known of its interface.
    """

    workers: NDArray[np.int64]  # row ids, sorted
    worker: NDArray[np.int64]
    seconds: Floats
    words: NDArray[np.int64]
    pattern: NDArray[np.int64]
    n_patterns: int


def load_work(campaign: Campaign) -> Work:
    """Two queries. Streams; what is kept of an answer are four numbers."""
    words = dict(
        Task.objects.filter(campaign=campaign, document__isnull=False)
        .annotate(length=Length("document__text"))
        .values_list("pk", "length")
        .iterator(chunk_size=READ)
    )
    says = categorical(campaign.interface)
    rows = Response.objects.filter(assignment__enrollment__campaign=campaign)
    found: list[tuple[int, float, int, str]] = []
    columns = ("assignment__worker", "seconds", "assignment__task", "answer")
    for worker, seconds, task, answer in rows.values_list(*columns).iterator(chunk_size=READ):
        pattern = says.class_of(answer) if says else _fullness(answer)
        found.append((worker, seconds, words.get(task, 0), pattern))
    workers = np.unique([row[0] for row in found]).astype(np.int64)
    patterns = {name: i for i, name in enumerate(sorted({row[3] for row in found}))}
    return Work(
        workers=workers,
        worker=np.searchsorted(workers, [row[0] for row in found]).astype(np.int64),
        seconds=np.array([row[1] for row in found], dtype=np.float64),
        words=np.array([row[2] for row in found], dtype=np.int64) // LETTERS,
        pattern=np.array([patterns[row[3]] for row in found], dtype=np.int64),
        n_patterns=max(len(patterns), 1),
    )


def _fullness(answer: dict[str, Any]) -> str:
    """Of an answer that is no class: whether anything was marked, or put together; else all."""
    if "tags" in answer:
        return "some" if any(tag not in ("O", "?") for tag in answer["tags"]) else "nothing"
    if "clusters" in answer:
        joined = any(len(cluster["mentions"]) > 1 for cluster in answer["clusters"])
        return "some" if joined else "nothing"
    if "mentions" in answer:
        return "some" if answer["mentions"] else "nothing"
    return json.dumps(answer, sort_keys=True)


@dataclass(frozen=True, slots=True, eq=False)
class Judgments:
    """Labels of units by workers; `workers` are their row ids, in the order of their numbers."""

    labels: CrowdLabels
    workers: NDArray[np.int64]


def load_judgments(campaign: Campaign) -> Judgments | None:
    """What agreement can be measured on; None of piles, which are no labels, and of no answers."""
    says = categorical(campaign.interface)
    if campaign.interface != "entity" and (says is None or campaign.options.get("scale")):
        return None
    crowd = load_labels(campaign) if says else load_sequences(campaign)
    return Judgments(crowd.labels, crowd.workers) if crowd.labels.n_labels else None


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """The scores of hidden gold that count; arrays of shape (n_scores,)."""

    tasks: list[int]  # row ids of the questions that are not retired
    names: list[str]
    question: NDArray[np.int64]
    worker: NDArray[np.int64]
    score: Floats
    n_workers: int


def load_gold(campaign: Campaign) -> Gold:
    """Two queries."""
    hidden = {"task__demand__kind": Demand.Kind.HIDDEN, "task__campaign": campaign}
    questions = GoldQuestion.objects.filter(**hidden, retired_at=None).order_by("task")
    named = list(questions.values_list("task", "task__external_id"))
    place = {task: i for i, (task, _) in enumerate(named)}
    scores = (
        Assignment.objects.filter(task__in=questions.values("task"), response__isnull=False)
        .annotate(counts=GOLD_SCORE)
        .filter(counts__isnull=False)
        .values_list("task", "worker", "counts")
    )
    rows = list(scores.iterator(chunk_size=READ))
    workers, numbers = np.unique([row[1] for row in rows], return_inverse=True)
    return Gold(
        tasks=[task for task, _ in named],
        names=[name for _, name in named],
        question=np.array([place[row[0]] for row in rows], dtype=np.int64),
        worker=numbers.astype(np.int64),
        score=np.array([row[2] for row in rows], dtype=np.float64),
        n_workers=len(workers),
    )
