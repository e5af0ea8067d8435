"""Choices and relations as labels: a task is a unit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

import numpy as np

from aggregation.algorithms.data import UNKNOWN, CrowdLabels
from aggregation.arrays.answers import (
    Advance,
    CountedAnswers,
    Crowd,
    Numbering,
    answers_each,
    documents_of_tasks,
    label_names,
    named_task,
    numbered_as,
    plain_tasks,
    read_answers,
    renumbered,
)
from aggregation.arrays.gold import drawn_as, gold_sample, known_answers
from annotation.interfaces import categorical
from annotation.interfaces.schema import UNSURE
from annotation.models import Campaign, GoldQuestion

Apart = Callable[[CountedAnswers], tuple[CountedAnswers, dict[str, CrowdLabels]]]


def load_labels(
    campaign: Campaign,
    *,
    gold: bool = False,
    clamp: bool = False,
    tasks: Sequence[int] | None = None,
    numbering: Numbering | None = None,
    advance: Advance | None = None,
    until: datetime | None = None,
    vector: str = "",
    apart: Apart | None = None,
) -> Crowd:
    """The classes that workers chose, or relations: a task is a unit. Four queries, eight with
    gold.

    With `gold` the crowd holds what is known of the truth, to score with, and the first answers to
    hidden gold that was drawn at random (`gold_sample`). With `clamp` it does so
    to learn from: answers to gold questions count too, and what only gold says is a class.

    Classes come in the order of the campaign's choices, or of the schema's relations and "none";
    those that there are no more follow by name, and "unsure", which is a class as the others are,
    is last. A value on a scale is not read.

    `tasks`, row ids, are all that is read. With `numbering` classes and workers have the numbers
    of an earlier run, and workers that it does not know come after its own; raises UnknownClass.

    `vector` holds the class, where that is not named as the interface is; `apart` takes one class
    and the parts out of a longer one.
    """
    kind, says = campaign.interface, categorical(campaign.interface)
    if says is None:
        raise ValueError(f"An answer of {kind} campaigns is not one class.")
    sample = gold_sample(campaign) if gold else None
    answers = read_answers(
        campaign, vector or kind, clamp, tasks, numbering, advance, until, sample
    )
    parts: dict[str, CrowdLabels] = {}
    if apart is not None:
        answers, parts = apart(answers)
    wrong = np.flatnonzero(np.diff(answers.edges) != 1)
    if wrong.size:
        raise ValueError(
            f"An answer to {named_task(answers, int(wrong[0]))} holds no choice. "
            "Only campaigns that offer choices can be aggregated, scales can't."
        )
    names = label_names(campaign, kind, answers.values)
    known = known_answers(campaign, answers) if gold or clamp else {}
    truth = {i: says.class_of(row.answer) for i, row in known.items()}
    on_offer = says.classes(campaign.project.schema, campaign.options)
    offered = {name: i for i, name in enumerate(on_offer)}
    classes = sorted(
        {*names.values(), *(truth.values() if clamp else ())},
        key=lambda name: (name == UNSURE, offered.get(name, len(offered)), name),
    )
    if numbering is not None:
        classes = numbered_as(classes, numbering)
    known_classes = (*classes, *sorted({*truth.values()} - {*classes}))
    place = {name: i for i, name in enumerate(known_classes)}
    given = answers.values >= 0
    return Crowd(
        tasks=answers.tasks,
        workers=answers.workers,
        starts=np.arange(len(answers.tasks) + 1),
        classes=tuple(classes),
        answers=len(answers.task),
        answers_each=answers_each(answers),
        labels=CrowdLabels(
            answers.task[given],
            answers.worker[given],
            renumbered(answers.values[given], names, classes),
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
        plain=plain_tasks(campaign, answers),
        sampled=drawn_as(known, len(answers.tasks), GoldQuestion.Drawn.RANDOM),
        differing=drawn_as(known, len(answers.tasks), GoldQuestion.Drawn.DIFFERING),
        place=answers.place[given],
        documents=documents_of_tasks(campaign, answers),
        parts=parts,
        interface=kind,
        until=until,
    )
