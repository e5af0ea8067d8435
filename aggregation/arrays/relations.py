"""Relations as labels: a pair is a unit, and each verdict of the verify form a part of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.categorical.votes import MajorityVote
from aggregation.algorithms.data import CrowdLabels
from aggregation.arrays.answers import CountedAnswers, Crowd, named_task
from aggregation.arrays.labels import load_labels
from aggregation.arrays.writing import answers_of_classes
from annotation.interfaces.answers import Answer
from annotation.interfaces.relation import VERDICT_NUMBERS, VERDICTS
from annotation.models import Campaign


def load_relations(campaign: Campaign, **options: Any) -> Crowd:
    """As `load_labels`, with the parts."""
    return load_labels(campaign, vector="parts", apart=_relations_apart, **options)


def _relations_apart(answers: CountedAnswers) -> tuple[CountedAnswers, dict[str, CrowdLabels]]:
    """The relations alone as answers, and each verdict that somebody gave."""
    length = 2 + len(VERDICTS)  # the relation first, the sentence of the evidence last
    wrong = np.flatnonzero(np.diff(answers.edges) != length)
    if wrong.size:
        raise ValueError(
            f"An answer to {named_task(answers, int(wrong[0]))} holds no {length} parts. "
            "check_integrity tells more."
        )
    table = answers.values.reshape(-1, length)
    parts: dict[str, CrowdLabels] = {}
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


def answers_of_relations(
    crowd: Crowd,
    chosen: NDArray[np.int64],
    judged: NDArray[np.bool_],
    verdicts: Mapping[str, NDArray[np.int64]],
) -> Iterator[tuple[int, Answer]]:
    """With what each says of the parts; a part of which nothing was inferred is decided by vote.
    Where no relation was asked, none was found."""
    found = answers_of_classes(crowd, chosen, judged)
    rows = zip(found, judged.tolist(), _verdicts(crowd, verdicts), strict=True)
    for (task, answer), was_asked, said in rows:
        yield task, {**answer, **said, **({} if was_asked else {"relation": None})}


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
