"""Documents annotated in full, as the campaigns that did it have found them: each claim with its
posterior."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aggregation.models import Consensus
from aggregation.queries import RunSummary, latest_run
from aggregation.queries.posteriors import largest, ranked
from annotation.formats.directions import Directions
from annotation.interfaces.schema import NONE, UNSURE
from annotation.models import Campaign, Demand
from evaluation.algorithms.documents import Documents
from evaluation.algorithms.predictions import Floats, Whole
from evaluation.algorithms.recall import pool_recall
from evaluation.algorithms.sampling import Keys
from evaluation.arrays.pool import StandingPool, corpus_of
from evaluation.files.exhaustive import Exhaustive
from evaluation.models import RecallDocument, RecallSample

READ = 200
LEAST = 0.01  # of a posterior; what is less likely to be true is left out

Place = tuple[int, int, int]  # document, two ends
Found = tuple[int, int, int, int, int]  # two spans, the relation's number
True_ = dict[int, dict[Found, float]]  # document → claims with the probability that they hold


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
        first, more = one.documents, one.expansion
        key = np.concatenate([one.key, one.expansion_key])
        document = np.concatenate([first.document, more.document + first.n_documents])
        share = np.concatenate([_shares(first), _shares(more)])
        number = first.n_documents + more.n_documents
        inside = (standing.pool.place(key) >= 0).astype(np.float64)
        together = Documents.of(document, number, share=share)
        value = float(pool_recall(inside, together).value[0])
        return value if np.isfinite(value) else None


def _shares(documents: Documents) -> Floats:
    return np.ones(len(documents.document)) if documents.share is None else documents.share


def load_annotated(sample: RecallSample, standing: StandingPool) -> Annotated | None:
    """Documents whose names, and all of whose pairs, have all answers, with what holds in them by
    the last runs. None before the first."""
    names, pairs = latest_run(sample.names), latest_run(sample.relations)
    rows = list(sample.documents.select_related("document"))
    at_work = _at_work(sample.names) | _at_work(sample.relations)
    if names is None or not rows:
        return None
    mentions = _mentions(names, [row.document_id for row in rows])
    there = set(corpus_of(sample.period).values())
    size = len(there)
    whole = [
        row for row in rows
        if row.document_id in mentions
        and row.document_id not in at_work
        and row.document_id in there
    ]  # fmt: skip
    uniform = [row for row in whole if row.kind == RecallDocument.Kind.UNIFORM]
    if not uniform or (pairs is None and sample.relations.tasks.exists()):
        return None
    claims = _claims(pairs, mentions, standing.directions) if pairs else {}
    documents, key, relation = _of(uniform, claims, standing, size)
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


def _mentions(run: RunSummary, documents: Sequence[int]) -> dict[int, dict[tuple[int, int], float]]:
    """Of each document that the run knows, how sure it is of the names in it: the mean of their
    words."""
    found: dict[int, dict[tuple[int, int], float]] = {}
    rows = Consensus.objects.filter(run__key=run.key, task__document__in=documents)
    told = rows.values_list("task__document", "task__document__tokens", "answer", "probabilities")
    for document, tokens, answer, probabilities in told.iterator(chunk_size=READ):
        sure = largest(bytes(probabilities), len(run.classes))
        first = {start: i for i, (start, _) in enumerate(tokens)}
        after = {end: i + 1 for i, (_, end) in enumerate(tokens)}
        mine = found.setdefault(document, {})
        for one in answer.get("mentions", ()):
            words = sure[first[one["start"]] : after[one["end"]]]
            known = [value for value in words if value is not None]
            mine[one["start"], one["end"]] = sum(known) / len(known) if known else 1.0
    return found


def _claims(
    run: RunSummary, mentions: Mapping[int, Mapping[tuple[int, int], float]], directions: Directions
) -> True_:
    """The canonical way round, with the probability that both are names and the relation holds."""
    found: True_ = {}
    number = {name: i for i, name in enumerate(directions.names)}
    rows = Consensus.objects.filter(run__key=run.key, task__document__in=list(mentions))
    told = rows.values_list("task__document", "task__payload", "probabilities")
    for document, payload, probabilities in told.iterator(chunk_size=READ):
        subject, object_ = payload["subject"], payload["object"]
        kinds = subject.get("type", ""), object_.get("type", "")
        ends = [(one["start"], one["end"]) for one in (subject, object_)]
        named = np.prod([mentions[document].get(one, 1.0) for one in ends])
        for name, probability in _held(bytes(probabilities), run.classes):
            one = directions.told(name, *kinds)
            relation, turned = (
                (one.relation, one.turned) if not one.code else (number.get(name, -1), False)
            )
            if relation < 0:
                continue
            sides = list(ends)
            if turned or (directions.symmetric[relation] and sides[0] > sides[1]):
                sides.reverse()
            mine = found.setdefault(document, {})
            claim = (*sides[0], *sides[1], relation)
            mine[claim] = max(mine.get(claim, 0.0), float(named * probability))
    return found


def _held(probabilities: bytes, classes: Sequence[str]) -> list[tuple[str, float]]:
    """The relations of a pair; of "can't tell" the likeliest has half, as a judged claim has."""
    [every] = ranked(probabilities, classes, 0.0) or [[]]
    unsure = dict(every).get(UNSURE, 0.0)
    held = [(name, share) for name, share in every if name not in (NONE, UNSURE)]
    if held:
        held[0] = held[0][0], min(1.0, held[0][1] + unsure / 2)
    return [(name, share) for name, share in held if share >= LEAST]


def _of(
    rows: Sequence[RecallDocument], claims: True_, standing: StandingPool, corpus: int | None
) -> tuple[Documents, Keys, Whole]:
    """These documents, and the keys and relations of what holds in them."""
    names = [row.document.external_id for row in rows]
    told: list[Any] = [
        (i, *claim, probability)
        for i, row in enumerate(rows)
        for claim, probability in sorted(claims.get(row.document_id, {}).items())
    ]
    table = np.array([one[:6] for one in told], dtype=np.int64).reshape(-1, 6)
    share = np.array([one[6] for one in told], dtype=np.float64)
    documents = Documents.of(table[:, 0], len(rows), None, corpus, share)
    if not len(table):
        return documents, np.zeros(0, dtype=np.uint64), table[:, 5]
    matching = standing.pool.matching
    assert matching is not None  # a pool of rows has one
    key = matching.keys(names, table[:, 0], table[:, 1:5], table[:, 5])
    return documents, key, table[:, 5]
