"""What is known of the truth: gold answers of tasks, and how workers did on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from django.db.models import Q, QuerySet, Value
from numpy.typing import NDArray

from aggregation.algorithms.categorical.gold_start import GoldCounts
from aggregation.arrays.answers import READ, CountedAnswers, Sample
from annotation.interfaces import Material, categorical
from annotation.interfaces.answers import Answer
from annotation.models import (
    Assignment,
    Campaign,
    Demand,
    GoldQuestion,
    Task,
)


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """The gold of one task."""

    answer: Answer
    material: Material
    drawn: str  # GoldQuestion.Drawn


def known_answers(campaign: Campaign, answers: CountedAnswers) -> dict[int, KnownAnswer]:
    """The gold of tasks by their place: what the task's gold question says unless that was
    retired, else what was imported with its document. That is a random sample where no task of
    the campaign came without. Three queries."""
    place = {task: i for i, task in enumerate(answers.tasks.tolist())}
    asked = GoldQuestion.objects.standing().filter(
        answers.in_question("task"), task__campaign=campaign
    )
    imported = Task.objects.gold_for(campaign.interface).filter(
        answers.in_question("pk"), campaign=campaign
    )
    drawn = GoldQuestion.drawn_with_documents(campaign)
    rows = [  # what a gold question says comes last, and stays
        imported.values_list(
            "pk", "document__imported_answers__answer", Value(drawn),
            "document__tokens", "document__sentences",
        ),
        asked.values_list(
            "task", "answer", "drawn", "task__document__tokens", "task__document__sentences"
        ),
    ]  # fmt: skip
    return {
        place[task]: KnownAnswer(
            answer, Material(tokens=tokens or [], sentences=sentences or []), drawn
        )
        for query in rows
        for task, answer, drawn, tokens, sentences in query.iterator(chunk_size=READ)
        if task in place
    }


def gold_sample(campaign: Campaign) -> Sample | None:
    """Hidden gold that was drawn at random, with as many answers as an ordinary task gets; where
    that depends on what they say, as many as it can get. One query."""
    found = GoldQuestion.objects.sampled().filter(task__campaign=campaign)
    tasks = sorted(
        found.filter(task__demand__kind=Demand.Kind.HIDDEN).values_list("task", flat=True)
    )
    if not tasks:
        return None
    most = campaign.max_redundancy if campaign.is_adaptive else campaign.redundancy
    return Sample(tasks, most)


def drawn_as(known: Mapping[int, KnownAnswer], n_tasks: int, drawn: str) -> NDArray[np.bool_]:
    """Of which tasks, shape (n_tasks,), gold was drawn like that."""
    found = np.zeros(n_tasks, dtype=bool)
    found[[i for i, row in known.items() if row.drawn == drawn]] = True
    return found


def gold_counts(
    campaign: Campaign, workers: NDArray[np.int64], until: datetime | None = None
) -> GoldCounts:
    """Of `workers`, sorted row ids, how often the class that they gave to hidden gold or at the
    first try of the exam was right; verdicts and tolerances, which a score heeds, are not asked
    for. Practice, which tells what is right, further tries, and questions that were retired do not
    count. One query.
    """
    says = categorical(campaign.interface)
    if says is None:
        raise ValueError(f"An answer of {campaign.interface} campaigns is not one class.")
    answers = shown_on_gold(campaign, until)
    place = {pk: i for i, pk in enumerate(workers.tolist())}
    right, told = np.zeros((2, len(workers)), dtype=np.int64)
    rows = answers.values_list("worker", "response__answer", "task__gold_question__answer")
    for worker, given, known in rows.iterator(chunk_size=READ):
        if worker in place:
            told[place[worker]] += 1
            right[place[worker]] += says.class_of(given) == says.class_of(known)
    return GoldCounts(right, told)


def shown_on_gold(campaign: Campaign, until: datetime | None = None) -> QuerySet[Assignment]:
    """The answers that `gold_counts` counts."""
    answers = (
        Assignment.objects.handed_in()
        .on_measuring_gold()
        .filter(
            ~Q(task__demand__kind=Demand.Kind.EXAM, response__gold_score=None),
            task__campaign=campaign,
            task__gold_question__retired_at=None,
            response__isnull=False,
        )
    )
    return answers if until is None else answers.filter(response__received_at__lte=until)
