"""Rows → what a model learns from, and what it is scored on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.models import AggregationRun, Consensus
from annotation.models import GoldQuestion, ImportedAnswer
from selection.interfaces.entries import Entry, Item, entry

READ = 500
MATERIAL = ("text", "tokens", "sentences", "attributes")
OF_TASKS = tuple(f"task__document__{name}" for name in MATERIAL)


@dataclass(slots=True)
class LabelledItems:
    """Tasks with their labels, in the order of the tasks.

    Attributes
    ----------
    items : what a model sees of each
    tasks, documents : row ids; of a task without a document None
    posteriors : P(class) of the units of each task, (n_units, n_classes); NaN where nobody judged
    classes : names
    """

    classes: tuple[str, ...]
    items: list[Item] = field(default_factory=list)
    tasks: list[int] = field(default_factory=list)
    documents: list[int | None] = field(default_factory=list)
    posteriors: list[NDArray[np.float64]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.items)


@dataclass(slots=True)
class KnownItems:
    """Tasks or documents with their known answers: the class of each unit, None where it is not
    known."""

    items: list[Item] = field(default_factory=list)
    names: list[Sequence[str | None]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.items)

    def numbered(self, classes: Sequence[str]) -> tuple[NDArray[np.int64], tuple[str, ...]]:
        """The class of each unit, -1 where it is not known, and the names of the classes: the
        given ones, and after them those that are known alone."""
        number = {name: i for i, name in enumerate(classes)}
        truth = [
            -1 if name is None else number.setdefault(name, len(number))
            for names in self.names
            for name in names
        ]
        return np.array(truth, dtype=np.int64), tuple(number)


def labelled_items(
    runs: Iterable[AggregationRun],
    *,
    documents: Collection[int] | None = None,
    without: Collection[int] = (),
) -> LabelledItems:
    """The consensus of complete runs; of a document that is in several runs the last one's. A query
    for each run.

    `documents`, row ids, are those that are read, and tasks without one; `without` those that are
    not.
    """
    every = [*runs]
    learning = entry(every[0].campaign.interface)
    found: dict[tuple[str, int], tuple[int, int | None, Item, NDArray[np.float64]]] = {}
    classes = learning.classes([run.classes for run in every])
    for run in every:
        columns = [run.classes.index(name) if name in run.classes else -1 for name in classes]
        rows = Consensus.objects.filter(run=run).order_by("task")
        for task, document, payload, data, *material in rows.values_list(
            "task", "task__document", "task__payload", "probabilities", *OF_TASKS
        ).iterator(chunk_size=READ):
            if document is not None and (
                document in without or (documents is not None and document not in documents)
            ):
                continue
            key = ("task", task) if _is_of_task(payload) else ("document", document)
            item = _item(material, payload)
            found[key] = task, document, item, _probabilities(data, len(run.classes), columns)
    labelled = LabelledItems(classes)
    for task, document, item, posterior in sorted(found.values(), key=lambda row: row[0]):
        if len(posterior):
            labelled.items.append(item)
            labelled.tasks.append(task)
            labelled.documents.append(document)
            labelled.posteriors.append(posterior)
    return labelled


def known_documents(runs: Iterable[AggregationRun]) -> set[int]:
    """Documents whose answer is known: by a gold question of the campaigns, or by import. Two
    queries."""
    every = [*runs]
    asked = GoldQuestion.objects.standing().filter(task__campaign__in=_campaigns(every))
    imported = _imported(every)
    return {
        *asked.exclude(task__document=None).values_list("task__document", flat=True),
        *imported.values_list("document", flat=True),
    }


def known_items(
    runs: Iterable[AggregationRun], *, documents: Collection[int] | None = None
) -> KnownItems:
    """What is known of the truth: gold questions that stand, of documents without one what was
    imported. Three queries."""
    every = [*runs]
    learning = entry(every[0].campaign.interface)
    known, seen = KnownItems(), set[int]()
    asked = GoldQuestion.objects.filter(task__campaign__in=_campaigns(every)).order_by("task")
    for answer, retired_at, document, payload, *material in asked.values_list(
        "answer", "retired_at", "task__document", "task__payload", *OF_TASKS
    ).iterator(chunk_size=READ):
        if documents is None or document is None or document in documents:
            if retired_at is None and not (document in seen and not _is_of_task(payload)):
                _add(known, learning, _item(material, payload), answer)
            if document is not None:
                seen.add(document)  # of a question that was retired the import is wrong too
    for answer, document, *material in (
        _imported(every)
        .order_by("document")
        .values_list("answer", "document", *(f"document__{name}" for name in MATERIAL))
        .iterator(chunk_size=READ)
    ):
        if document not in seen and (documents is None or document in documents):
            _add(known, learning, _item(material, {}), answer)
    return known


def digest_of_inputs(labelled: LabelledItems, known: KnownItems, **settings: Any) -> str:
    """Of all that a model is made from and scored on; equal ones make the same model."""
    hashed = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())

    def add(*values: Any) -> None:
        hashed.update(f"{values!r}\n".encode(errors="surrogatepass"))

    add(labelled.classes, len(labelled))
    for item, posterior in zip(labelled.items, labelled.posteriors, strict=True):
        add(*item)
        hashed.update(posterior.astype("<f8").tobytes())
    for item, names in zip(known.items, known.names, strict=True):
        add(*item, names)
    return hashed.hexdigest()


def _campaigns(runs: Iterable[AggregationRun]) -> list[int]:
    return [run.campaign_id for run in runs]


def _imported(runs: Sequence[AggregationRun]) -> Any:
    first = runs[0].campaign
    return ImportedAnswer.objects.gold_for(first.interface).filter(
        document__project=first.project_id
    )


def _add(known: KnownItems, learning: Entry, item: Item, answer: Any) -> None:
    names = learning.names(answer, item)
    if len(names):
        known.items.append(item)
        known.names.append(names)


def _is_of_task(payload: dict[str, Any]) -> bool:
    """Whether a task asks of something else than its document: a pair of mentions, or a text of its
    own. Suggestions change nothing."""
    return bool({*payload} & {"subject", "object", "text", "pair", "image", "question"})


def _item(material: Sequence[Any], payload: dict[str, Any]) -> Item:
    text, tokens, sentences, attributes = material
    own = {name: value for name, value in payload.items() if not name.startswith("suggest")}
    return Item(text or "", tokens or (), sentences or (), attributes or {}, own)


def _probabilities(data: bytes, width: int, columns: list[int]) -> NDArray[np.float64]:
    """In the columns of all classes; those that the run does not know have 0."""
    if not width:
        return np.zeros((0, len(columns)))
    stored = np.frombuffer(bytes(data), dtype="<f2").astype(np.float64).reshape(-1, width)
    padded = np.column_stack((stored, np.zeros(len(stored))))
    return np.asarray(padded[:, columns])
