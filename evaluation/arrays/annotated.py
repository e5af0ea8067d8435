"""Documents annotated in full, as the campaigns that did it have found them: each claim with the
probability that both names are, by their consensus, and that the relation holds, drawn together
with what is unknown of the workers and with which systems claim it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aggregation.models import Consensus
from aggregation.queries import RunSummary, latest_run
from aggregation.queries.posteriors import largest, ranked
from annotation.formats.directions import Directions
from annotation.interfaces.schema import NONE, UNSURE
from annotation.models import Campaign, Demand, Document
from evaluation.algorithms.documents import Documents
from evaluation.algorithms.predictions import Floats, Whole
from evaluation.algorithms.recall import pool_recall
from evaluation.algorithms.sampling import Keys
from evaluation.arrays.imputation import JudgedRelations
from evaluation.arrays.pool import StandingPool, corpus_of
from evaluation.files.exhaustive import Exhaustive
from evaluation.models import RecallDocument, RecallSample

READ = 200
LEAST = 0.01  # of a posterior; what is less likely, and what nobody claims, is left out

Place = tuple[int, int, int]  # document, two ends
Found = tuple[int, int, int, int, int]  # two spans, the relation's number


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """What may hold in documents: claims as columns, and with which probability each does.

    Attributes
    ----------
    document : array of row ids, shape (n_claims,)
    key, relation, share : arrays of shape (n_claims,)
    shared : array of shape (n_draws, n_claims)
        By how much each draw of the workers moves `share`.
    """

    document: Whole
    key: Keys
    relation: Whole
    share: Floats
    shared: Floats


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


def load_annotated(sample: RecallSample, standing: StandingPool, seed: int = 0) -> Annotated | None:
    """Documents whose names, and all of whose pairs, have all answers, with what holds in them by
    the answers of the last runs. None before the first."""
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
    held = _held(sample.relations, pairs, mentions, standing, seed) if pairs else None
    documents, key, relation = _of(uniform, held, size)
    others = [row for row in whole if row.kind == RecallDocument.Kind.EXPANSION]
    expansion, their_key, _ = _of(others, held, None)
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


def _held(
    campaign: Campaign, run: RunSummary, mentions: Mapping[int, Mapping[tuple[int, int], float]],
    standing: StandingPool, seed: int,
) -> Held | None:  # fmt: skip
    """Of each pair what some system claims, what the consensus has for possible, and at least what
    it has for likeliest: what nobody says of a pair tells how seldom what nobody claims is true."""
    judged = JudgedRelations(campaign, run)
    told: list[tuple[Any, ...]] = []
    for row in _candidates(run, mentions, standing.directions):
        if row[0] in judged.tasks:
            told.append((judged.tasks[row[0]], *row[1:]))
    if not told:
        return None
    task, name, share, is_first, named, document, *claim = zip(*told, strict=True)
    places = sorted(set(document))
    names = dict(Document.objects.filter(pk__in=places).values_list("pk", "external_id"))
    number = {pk: i for i, pk in enumerate(places)}
    matching = standing.pool.matching
    assert matching is not None  # a pool of rows has one
    spans, relation = np.array(claim[:4], dtype=np.int64).T, np.array(claim[4], dtype=np.int64)
    key = matching.keys(
        [names[pk] for pk in places], np.array([number[pk] for pk in document]), spans, relation
    )
    at = standing.pool.place(key)
    used = np.flatnonzero((at >= 0) | np.array(is_first) | (np.array(share) >= LEAST))
    at = at[used]
    members = np.zeros((len(used), len(standing.submissions)))
    members[at >= 0] = standing.pool.predictions.members(at[at >= 0]).toarray().T
    row_of = np.array(task)[used]
    found = judged.impute(
        row_of, [name[i] for i in used.tolist()], members, unclaimed=at < 0, seed=seed
    )
    # A pair has one relation, though each is drawn by itself.
    sums = np.bincount(row_of, found.correct)[row_of]
    scale = np.array(named)[used] / np.maximum(sums, 1)
    return Held(
        np.array(document)[used], key[used], relation[used],
        np.clip((found.correct * scale).round(9), 0, 1), found.shared * scale,
    )  # fmt: skip


def _candidates(
    run: RunSummary, mentions: Mapping[int, Mapping[tuple[int, int], float]], directions: Directions
) -> Iterator[tuple[Any, ...]]:
    """Of each task and each relation that somebody has chosen anywhere: the task, the relation as
    workers call it, how likely the consensus has it, whether nothing is likelier, how sure both
    names are, the document, and the claim the canonical way round."""
    number = {name: i for i, name in enumerate(directions.names)}
    rows = Consensus.objects.filter(run__key=run.key, task__document__in=list(mentions))
    # Draws go row by row, so the same seed needs the same order.
    told = rows.order_by("task").values_list(
        "task", "task__document", "task__payload", "probabilities"
    )
    for task, document, payload, probabilities in told.iterator(chunk_size=READ):
        subject, object_ = payload["subject"], payload["object"]
        kinds = subject.get("type", ""), object_.get("type", "")
        ends = [(one["start"], one["end"]) for one in (subject, object_)]
        named = float(np.prod([mentions[document].get(one, 1.0) for one in ends]))
        [every] = ranked(bytes(probabilities), run.classes, -1.0) or [[]]
        seen: set[Found] = set()
        for name, share in every:
            if name in (NONE, UNSURE):
                continue
            one = directions.told(name, *kinds)
            relation, turned = (
                (one.relation, one.turned) if not one.code else (number.get(name, -1), False)
            )
            if relation < 0:
                continue
            sides = list(ends)
            if turned or (directions.symmetric[relation] and sides[0] > sides[1]):
                sides.reverse()
            claim = (*sides[0], *sides[1], relation)
            if claim not in seen:
                yield task, name, share, not seen, named, document, *claim
                seen.add(claim)


def _of(
    rows: Sequence[RecallDocument], held: Held | None, corpus: int | None
) -> tuple[Documents, Keys, Whole]:
    """These documents, and the keys and relations of what may hold in them."""
    if held is None:
        nothing = np.zeros(0, dtype=np.int64)
        documents = Documents.of(nothing, len(rows), None, corpus, np.zeros(0))
        return documents, np.zeros(0, dtype=np.uint64), nothing
    place = {row.document_id: i for i, row in enumerate(rows)}
    number = np.array([place.get(pk, -1) for pk in held.document.tolist()], dtype=np.int64)
    mine = np.lexsort((held.key, number))
    mine = mine[number[mine] >= 0]
    documents = Documents.of(
        number[mine], len(rows), None, corpus, held.share[mine], held.shared[:, mine]
    )
    return documents, held.key[mine], held.relation[mine]
