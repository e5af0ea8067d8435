"""Gold: what workers score on it, how hard its questions are, what chance would score."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

from annotation.interfaces import Material, Product, categorical, traits
from annotation.interfaces.pairing import matched
from annotation.interfaces.spans import TypedSpan
from annotation.interfaces.tags import spans_of
from annotation.models import (
    Assignment,
    Campaign,
    Demand,
    Enrollment,
    GoldQuestion,
    Response,
)
from annotation.querysets.assignments import GOLD_SCORE
from selection.algorithms import chance_score

Floats = NDArray[np.float64]
READ = 2_000
MOST_ANSWERS = 300  # from which the chance score of spans is drawn


@dataclass(frozen=True, slots=True, eq=False)
class WorkerGoldScores:
    """What each worker of a campaign has shown on hidden gold and in the first test.

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


def gold_scores(enrollments: QuerySet[Enrollment]) -> WorkerGoldScores:
    """One query, from the counters of the workers' rows."""
    rows = list(enrollments.select_related("worker").order_by("pk"))
    n = np.array([row.gold_seen for row in rows], dtype=np.int64)
    total = np.array([row.gold_score_sum for row in rows], dtype=np.float64)
    squares = np.array([row.gold_score_sumsq for row in rows], dtype=np.float64)
    mean = np.divide(total, n, out=np.full(len(n), np.nan), where=n > 0)
    spread = np.maximum(squares - n * np.nan_to_num(mean) ** 2, 0.0)
    variance = np.divide(spread, n - 1, out=np.full(len(n), np.nan), where=n > 1)
    return WorkerGoldScores(rows, n, mean, variance)


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
    if traits(campaign.interface).product != Product.MENTIONS:
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
    questions = GoldQuestion.objects.measuring().standing().filter(
        task__campaign=campaign
    ).values_list(
        "task", "answer", "task__document__text", "task__document__tokens",
        "task__document__sentences",
    )  # fmt: skip
    for task, answer, text, tokens, sentences in questions.order_by("task"):
        material = Material(text=text or "", tokens=tokens or [], sentences=sentences or [])
        yield {"task": task, "answer": answer, "material": material}


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """The scores that count, of hidden gold and of the exam; arrays of shape (n_scores,)."""

    tasks: list[int]  # row ids of the questions that are not retired
    names: list[str]
    is_hidden: NDArray[np.bool_]  # of each question: not of the exam
    question: NDArray[np.int64]
    worker: NDArray[np.int64]
    score: Floats
    workers: NDArray[np.int64]  # row ids, by number

    @property
    def n_workers(self) -> int:
        return len(self.workers)


def load_gold(campaign: Campaign) -> Gold:
    """Two queries."""
    questions = GoldQuestion.objects.measuring().standing().filter(task__campaign=campaign)
    named = list(
        questions.order_by("task").values_list("task", "task__external_id", "task__demand__kind")
    )
    place = {task: i for i, (task, _, _) in enumerate(named)}
    scores = (
        Assignment.objects.filter(task__in=questions.values("task"), response__isnull=False)
        .annotate(counts=GOLD_SCORE)
        .filter(counts__isnull=False)
        .values_list("task", "worker", "counts")
    )
    rows = list(scores.iterator(chunk_size=READ))
    workers, numbers = np.unique([row[1] for row in rows], return_inverse=True)
    return Gold(
        tasks=[task for task, _, _ in named],
        names=[name for _, name, _ in named],
        is_hidden=np.array([kind == Demand.Kind.HIDDEN for _, _, kind in named], dtype=np.bool_),
        question=np.array([place[row[0]] for row in rows], dtype=np.int64),
        worker=numbers.astype(np.int64),
        score=np.array([row[2] for row in rows], dtype=np.float64),
        workers=np.asarray(workers, dtype=np.int64),
    )
