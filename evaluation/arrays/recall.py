"""Documents annotated in full: drawn, expanded, and read back from the campaigns that did it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aggregation.models import Consensus
from aggregation.queries import latest_run
from annotation.formats.directions import Directions
from annotation.interfaces.schema import NONE, UNSURE
from annotation.models import Campaign, Demand, Document
from annotation.text.folding import fold
from evaluation.algorithms.predictions import Whole
from evaluation.algorithms.recall import Documents, pool_recall
from evaluation.algorithms.sampling import permanent_numbers
from evaluation.algorithms.sizes import documents_needed
from evaluation.arrays.pool import StandingPool, corpus_of
from evaluation.files.exhaustive import Exhaustive
from evaluation.formats.columns import hashes
from evaluation.models import RecallDocument, RecallSample

LEAST = 20
MOST_MORE = 4  # documents for one name
READ = 200


def size_for(standing: StandingPool, width: float, level: float) -> int:
    """How many documents the interval wanted takes, by how many claims a document has."""
    pool = standing.pool
    sizes = pool.predictions.sizes
    per_document = float(np.median(sizes)) / max(len(pool.documents), 1) if len(sizes) else 1.0
    return max(LEAST, documents_needed(width, max(per_document, 1.0), level=level))


def uniform_order(corpus: dict[str, int], seed: int) -> list[int]:
    """Rows of documents in an order by chance that stays: a larger sample holds a smaller one."""
    names = sorted(corpus)
    if not names:
        return []
    numbers = permanent_numbers(hashes(names), seed)
    return [corpus[names[i]] for i in np.argsort(numbers, kind="stable").tolist()]


# --- The expansion --------------------------------------------------------------------------------


def expansion_of(sample: RecallSample, there: Sequence[int], room: int) -> list[tuple[int, str]]:
    """(document, the name that it mentions): of the names in the uniform sample one after another
    by chance, for each up to four documents more that mention it, until there is no room."""
    run = latest_run(sample.names)
    if run is None or room <= 0:
        return []
    names: dict[str, str] = {}  # folded → as it stands
    uniform = [one.document_id for one in sample.documents.all()
               if one.kind == RecallDocument.Kind.UNIFORM]  # fmt: skip
    rows = Consensus.objects.filter(run__key=run.key, task__document__in=uniform)
    for row in rows.select_related("task__document").order_by("task__document__external_id"):
        document = row.task.document
        assert document is not None  # by the filter
        for mention in row.answer.get("mentions", ()):
            text = document.text[mention["start"] : mention["end"]]
            names.setdefault(fold(text), text)
    rng = np.random.default_rng(sample.period.seed)
    waiting = [names[key] for key in sorted(names)]
    order = rng.permutation(len(waiting)).tolist()
    corpus = uniform_order(corpus_of(sample.period), sample.period.seed + 1)
    taken = set(there)
    found: list[tuple[int, str]] = []
    texts = {
        pk: fold(text)
        for pk, text in Document.objects.filter(pk__in=corpus).values_list("pk", "text")
    }
    for i in order:
        name = fold(waiting[i])
        more = [pk for pk in corpus if pk not in taken and name in texts.get(pk, "")]
        for pk in more[: min(MOST_MORE, room - len(found))]:
            taken.add(pk)
            found.append((pk, waiting[i][:200]))
        if len(found) >= room:
            break
    return found


# --- What was annotated ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Annotated:
    """`missing` of the documents that were drawn are not annotated to the end yet."""

    exhaustive: Exhaustive
    missing: int

    def model(self, standing: StandingPool) -> float | None:
        """Recall of the pool, as if the expansion had been drawn evenly too: a declared model, and
        no estimate. None where there is no expansion."""
        one = self.exhaustive
        if not one.expansion.n_documents:
            return None
        key = np.concatenate([one.key, one.expansion_key])
        document = np.concatenate(
            [one.documents.document, one.expansion.document + one.documents.n_documents]
        )
        number = one.documents.n_documents + one.expansion.n_documents
        inside = (standing.pool.place(key) >= 0).astype(np.float64)
        value = float(pool_recall(inside, Documents.of(document, number)).value[0])
        return value if np.isfinite(value) else None


def load_annotated(sample: RecallSample, standing: StandingPool) -> Annotated | None:
    """Documents whose names, and all of whose pairs, have all answers, with what holds in them by
    the last runs. None before the first. Of a pair that is likelier related than not."""
    names, pairs = latest_run(sample.names), latest_run(sample.relations)
    rows = list(sample.documents.select_related("document"))
    at_work = _at_work(sample.names) | _at_work(sample.relations)
    if names is None or not rows:
        return None
    seen = set(
        Consensus.objects.filter(run__key=names.key, task__document__isnull=False).values_list(
            "task__document", flat=True
        )
    )
    corpus = corpus_of(sample.period)
    there = set(corpus.values())
    whole = [
        row for row in rows
        if row.document_id in seen and row.document_id not in at_work and row.document_id in there
    ]  # fmt: skip
    uniform = [row for row in whole if row.kind == RecallDocument.Kind.UNIFORM]
    if not uniform or (pairs is None and _has_tasks(sample.relations)):
        return None
    claims = _claims(pairs.key, standing.directions) if pairs else {}
    documents, key, relation = _of(uniform, claims, standing, len(corpus))
    others = [row for row in whole if row.kind == RecallDocument.Kind.EXPANSION]
    expansion, their_key, _ = _of(others, claims, standing, None)
    found = Exhaustive(documents, key, relation, expansion, their_key)
    drawn = sum(row.kind == RecallDocument.Kind.UNIFORM for row in rows)
    return Annotated(found, drawn - len(uniform))


def _at_work(campaign: Campaign) -> set[int]:
    """Documents of tasks that want answers still."""
    rests = Demand.objects.plain().filter(campaign=campaign)
    waiting = rests.filter(open__gt=0) | rests.filter(leased__gt=0)
    return set(waiting.values_list("task__document", flat=True)) - {None}


def _has_tasks(campaign: Campaign) -> bool:
    return campaign.tasks.exists()


Found = tuple[int, int, int, int, int]  # two spans, the relation's number


def _claims(run: Any, directions: Directions) -> dict[int, set[Found]]:
    """By document, the canonical way round."""
    found: dict[int, set[Found]] = {}
    number = {name: i for i, name in enumerate(directions.names)}
    rows = Consensus.objects.filter(run__key=run, task__document__isnull=False).values_list(
        "task__document", "task__payload", "answer"
    )
    for document, payload, answer in rows.iterator(chunk_size=READ):
        name = answer.get("relation")
        if name in (None, NONE, UNSURE):
            continue
        subject, object_ = payload["subject"], payload["object"]
        told = directions.told(name, subject.get("type", ""), object_.get("type", ""))
        relation, turned = (
            (told.relation, told.turned) if not told.code else (number.get(name, -1), False)
        )
        if relation < 0:
            continue
        sides = [(one["start"], one["end"]) for one in (subject, object_)]
        if turned or (directions.symmetric[relation] and sides[0] > sides[1]):
            sides.reverse()
        found.setdefault(document, set()).add((*sides[0], *sides[1], relation))
    return found


def _of(
    rows: Sequence[RecallDocument], claims: dict[int, set[Found]], standing: StandingPool,
    corpus: int | None,
) -> tuple[Documents, Any, Whole]:  # fmt: skip
    """These documents, and the keys and relations of what holds in them."""
    names = [row.document.external_id for row in rows]
    told = [(i, *one) for i, row in enumerate(rows) for one in sorted(claims.get(row.document_id,
            ()))]  # fmt: skip
    table = np.array(told, dtype=np.int64).reshape(-1, 6)
    documents = Documents.of(table[:, 0], len(rows), None, corpus)
    if not len(table):
        return documents, np.zeros(0, dtype=np.uint64), table[:, 5]
    matching = standing.pool.matching
    assert matching is not None  # a pool of rows has one
    key = matching.keys(names, table[:, 0], table[:, 1:5], table[:, 5])
    return documents, key, table[:, 5]
