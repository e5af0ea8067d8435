"""What workers handed in, for the guards against spam."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models.functions import Length
from numpy.typing import NDArray

from annotation.interfaces import categorical
from annotation.models import (
    Campaign,
    Demand,
    Label,
    Response,
    Task,
)
from annotation.querysets.assignments import standing
from selection.algorithms.workers.peers import WorkerAnswers
from selection.arrays.contents import Content, ContentReader

Floats = NDArray[np.float64]
READ = 2_000
LETTERS = 6  # of a word, with the blank
MOST_LABELS = 8_000_000  # that are compared in all; of each answer, within these bounds
FEWEST_PARTS, MOST_PARTS = 8, 64


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """What workers handed in, without practice, where they are told what was right.

    `workers` are row ids, sorted; `contents` says what the numbers of `answers.content` stand for,
    None being a pattern of its own; `seconds` and `words` have one number for each answer.
    """

    workers: NDArray[np.int64]
    answers: WorkerAnswers
    contents: list[Content | None]
    seconds: Floats
    words: NDArray[np.int64]


def load_work(campaign: Campaign) -> Work:
    """Four queries. Streams; what is kept of an answer are a few numbers."""
    words = dict(
        Task.objects.filter(campaign=campaign, document__isnull=False)
        .annotate(length=Length("document__text"))
        .values_list("pk", "length")
        .iterator(chunk_size=READ)
    )
    rows = Response.objects.filter(assignment__task__campaign=campaign).exclude(
        assignment__task__demand__kind=Demand.Kind.TRAINING
    )
    tags = Label.objects.filter(project=campaign.project_id, vocabulary="tag", name="O")
    parts = int(np.clip(MOST_LABELS // max(rows.count(), 1), FEWEST_PARTS, MOST_PARTS))
    one = categorical(campaign.interface) is not None
    reader = ContentReader(tags.values_list("number", flat=True).first(), 1 if one else parts)
    worker, task, seconds = array("q"), array("q"), array("d")
    columns = ("assignment__worker", "assignment__task", "seconds", standing("judgments"))
    for who, what, taken, data in rows.values_list(*columns).iterator(chunk_size=READ):
        worker.append(who)
        task.append(what)
        seconds.append(taken)
        reader.add(data)
    workers, of_worker = np.unique(np.array(worker, dtype=np.int64), return_inverse=True)
    tasks, of_task = np.unique(np.array(task, dtype=np.int64), return_inverse=True)
    lengths = np.array([words.get(row, 0) for row in tasks.tolist()], dtype=np.int64) // LETTERS
    content, contents = reader.contents()
    labels = reader.table()
    n_classes = int(labels.max(initial=-1)) + 1
    return Work(
        workers=workers,
        answers=WorkerAnswers(of_worker, of_task, content, labels, len(workers), n_classes),
        contents=contents,
        seconds=np.array(seconds, dtype=np.float64),
        words=lengths[of_task],
    )


def named_contents(campaign: Campaign, contents: Sequence[Content | None]) -> list[dict[str, str]]:
    """For `queries.words`: the kind of each, and its name where it has one. At most one query."""
    labels = [content for content in contents if content and content.vocabulary]
    names: dict[tuple[str, int], str] = {}
    if labels:
        rows = Label.objects.filter(
            project=campaign.project_id,
            vocabulary__in={content.vocabulary for content in labels},
            number__in={content.number for content in labels},
        )
        names = {(row.vocabulary, row.number): row.name for row in rows}
    return [_named(campaign, content, names) for content in contents]


def _named(
    campaign: Campaign, content: Content | None, names: dict[tuple[str, int], str]
) -> dict[str, str]:
    if content is None:
        return {"kind": "pattern", "name": ""}
    name = names.get((content.vocabulary, content.number), "")
    if content.kind == "everything":
        name = name.partition("-")[2]  # the type alone
    elif content.kind == "value":
        scale = campaign.options["scale"]
        name = f"{scale['min'] + content.number * scale.get('step', 1):g}"
    return {"kind": content.kind, "name": name}
