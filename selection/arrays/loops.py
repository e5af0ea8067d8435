"""Documents as pickers and learners see them, and what a loop knows of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.models import AggregationRun
from annotation.models import Document, GoldQuestion, ImportedAnswer, Task
from selection.algorithms import Attribute, FeatureRows, Nominal, Pool
from selection.algorithms.items.columns import Column, Value, numbers_of
from selection.arrays.learning import MATERIAL, KnownItems, known_items, labelled_items
from selection.interfaces.entries import Item, entry
from selection.models import LabellingLoop

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
READ = 2_000  # rows at a time


@dataclass(frozen=True, slots=True, eq=False)
class LoopPool:
    """The documents that a loop may learn from or pick, by row id.

    Attributes
    ----------
    documents : ids, ascending
    names : their external ids
    length : array of shape (n_documents,), tokens
    pool : Pool
        With `documents` as learners see them.
    by : "attributes" or "words": what similarity and coverage go by
    """

    documents: Integers
    names: tuple[str, ...]
    length: Floats
    pool: Pool
    by: str

    def places(self, documents: Iterable[int]) -> Integers:
        """Of those that are here, in the order given."""
        wanted = np.fromiter(documents, dtype=np.int64)
        place = np.searchsorted(self.documents, wanted)
        there = place < len(self.documents)
        there[there] = self.documents[place[there]] == wanted[there]
        return np.asarray(place[there], dtype=np.int64)


def known_documents(loop: LabellingLoop) -> set[int]:
    """Documents of the project whose answer is known by import, or by a gold question of a campaign
    of the loop: there is nothing to ask about them. Two queries."""
    imported = ImportedAnswer.objects.gold_for(loop.campaign.interface)
    asked = GoldQuestion.objects.filter(task__campaign__shared_budget=loop.budget_id)
    return {
        *imported.filter(document__project=loop.project_id).values_list("document", flat=True),
        *asked.exclude(task__document=None).values_list("task__document", flat=True),
    }


def load_pool(loop: LabellingLoop, *, without: Collection[int] = ()) -> LoopPool:
    """All visible documents of the project but those `without`. One query.

    Attributes that are lists or objects are passed over. Where no attribute tells documents apart,
    their words do.
    """
    kind = loop.campaign.interface
    documents, names, length, items = list[int](), list[str](), list[int](), list[Item]()
    columns: dict[str, Column] = {}
    rows = (
        Document.objects.visible()
        .filter(project=loop.project_id)
        .order_by("pk")
        .values_list("pk", "external_id", *MATERIAL)
        .iterator(chunk_size=READ)
    )
    kept = (row for row in rows if row[0] not in without)
    while batch := list(islice(kept, READ)):
        _extend(columns, [row[-1] for row in batch], before=len(documents))
        for pk, name, text, tokens, sentences, attributes in batch:
            documents.append(pk)
            names.append(name)
            length.append(len(tokens))
            items.append(Item(text, tokens, sentences, attributes))
    attributes = [column.attribute(name) for name, column in columns.items()]
    telling = [attribute for attribute in attributes if _tells(attribute)]
    pool = Pool.of(telling) if telling else Pool.of_counts(FeatureRows.of(_words(items)).counts)
    pool.documents = entry(kind).examples(items)
    return LoopPool(
        np.array(documents, dtype=np.int64), tuple(names), np.array(length, dtype=np.float64),
        pool, "attributes" if telling else "words",
    )  # fmt: skip


def _extend(columns: dict[str, Column], rows: Sequence[Mapping[str, Any]], before: int) -> None:
    told = [{name: _value(value) for name, value in row.items()} for row in rows]
    for name in {name: None for row in told for name, value in row.items() if value is not None}:
        if name not in columns:
            columns[name] = column = Column()
            column.extend([None] * before, np.full(before, np.nan))
    for name, column in columns.items():
        values = [row.get(name) for row in told]
        column.extend(values, numbers_of(values))


def _value(value: Any) -> Value:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str | int | float) else None


def _tells(attribute: Attribute) -> bool:
    """Whether some two documents have it in common, and some two have not."""
    if isinstance(attribute, Nominal):
        codes, counts = np.unique(attribute.codes, return_counts=True)
        return len(codes) > 1 and bool((counts[codes >= 0] > 1).any())
    known = attribute.values[~np.isnan(attribute.values)]
    return bool(known.size) and bool(
        known.min() < known.max() or known.size < len(attribute.values)
    )


def _words(items: Iterable[Item]) -> Iterator[list[str]]:
    return ([item.text[a:b].lower() for a, b in item.tokens] for item in items)


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """What a model is measured by: documents with what is true of their units, numbers of
    `classes`, -1 where it is not known."""

    examples: Any
    classes: tuple[str, ...]
    truth: Integers
    n_items: int


def truth_of_gold(
    runs: Sequence[AggregationRun], classes: Sequence[str], documents: Collection[int]
) -> Truth:
    return _truth(runs, known_items(runs, documents=documents), classes)


def _truth(runs: Sequence[AggregationRun], known: KnownItems, classes: Sequence[str]) -> Truth:
    truth, names = known.numbered(classes)
    examples = entry(runs[0].campaign.interface).examples(known.items)
    return Truth(examples, names, truth, len(known))


def truth_of_sample(
    runs: Sequence[AggregationRun], classes: Sequence[str], documents: Collection[int],
    without_tasks: Collection[int] = (),
) -> Truth:  # fmt: skip
    """What the workers agreed on, of the documents of the sample. Tasks whose label is a suggestion
    that was taken are left out."""
    learning = entry(runs[0].campaign.interface)
    found = labelled_items(runs, documents=documents)
    kept = [i for i, task in enumerate(found.tasks) if task not in without_tasks]
    items = [found.items[i] for i in kept]
    examples = learning.examples(items)
    names = tuple(dict.fromkeys((*classes, *found.classes)))
    if not items:
        return Truth(examples, names, np.zeros(0, dtype=np.int64), 0)
    targets = learning.targets(examples, [found.posteriors[i] for i in kept])
    likely = learning.likely(targets)
    number = np.array([names.index(name) for name in found.classes], dtype=np.int64)
    truth = np.where(likely >= 0, number[likely], -1)
    return Truth(examples, names, truth, len(items))


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """`items`: places in the pool of what is labelled; `targets` as learners take them."""

    items: Integers
    targets: Any
    classes: tuple[str, ...]


def labels_of(
    runs: Sequence[AggregationRun], pool: LoopPool, documents: Collection[int]
) -> Labels | None:
    """Of those of the documents that are in the pool; None where none has a label."""
    if not runs:
        return None
    found = labelled_items(runs, documents=documents)
    here = [i for i, document in enumerate(found.documents) if len(pool.places([document or 0]))]
    if not here:
        return None
    learning = entry(runs[0].campaign.interface)
    items = pool.places([found.documents[i] or 0 for i in here])
    examples = pool.pool.documents[items]
    targets = learning.targets(examples, [found.posteriors[i] for i in here])
    return Labels(items, targets, found.classes)


def documents_with_tasks(loop: LabellingLoop) -> set[int]:
    """Of any campaign of the loop, whatever they are for. One query."""
    tasks = Task.objects.filter(campaign__shared_budget=loop.budget_id).exclude(document=None)
    return set(tasks.values_list("document", flat=True))
