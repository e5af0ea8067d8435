"""Which mentions of an entity campaign's consensus are the same entity, and what it is linked to.

The spans come first, by whatever method the run has. Then each mention of a task's consensus is
matched to the mention of each worker that it overlaps most, if they share at least half of what
either covers; what the worker said of theirs, they are taken to have said of the consensus's.
Groups are voted on by pairs (`algorithms.clusters`), links and dates of a group by weighted vote,
and its canonical mention is the one that most workers chose.

A worker's mention without an entity says nothing, and a mention that no worker's matches stays
without an entity.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from aggregation.actions.cluster_scores import METRIC_NAMES, metric_shares
from aggregation.actions.scores import agreement_share
from aggregation.algorithms import (
    CorrelationClustering,
    CrowdClusters,
    OpenVote,
    pair_alpha,
    pairwise_cluster_f1,
)
from aggregation.algorithms.measures.cluster_scores import cluster_counts
from aggregation.arrays import DECIMALS
from aggregation.arrays.piles import rounded
from aggregation.models import (
    AggregationRun,
    Consensus,
    CoreferenceFacts,
    Share,
    WorkerReliability,
)
from annotation.interfaces.answers import MentionsAnswer
from annotation.interfaces.doubts import doubted_in
from annotation.models import GoldQuestion, Label, Response, Task
from annotation.querysets.assignments import standing

AT_ONCE = 500  # tasks
ALIKE = 0.5  # part of what two mentions cover together that they have in common, at least

Edges = tuple[int, int]


def corefer(
    run: AggregationRun, tasks: Sequence[int] | None = None, *, until: datetime | None = None
) -> CoreferenceFacts | None:
    """Add entities to the stored consensus of `run`; of `tasks` alone (row ids) with what the run
    has learnt of workers before. Answers received after `until` are left out. Call it inside a
    transaction.

    What comes back is for the run's facts; None where nobody has made entities, and of `tasks`.
    """
    labels = Label.objects.filter(project=run.campaign.project_id, vocabulary="link")
    if not labels.exists():  # an entity has a link, and be it none
        return None
    collected = _read(run, tasks, until)
    if not collected.answers:
        return None
    data, workers = collected.clusters()
    fitted = CorrelationClustering(seed=run.seed)
    if tasks is None:
        fitted.fit(data)
    else:
        fitted.judge(data, **_learnt(run, workers))
    _write(collected, data, fitted)
    if tasks is not None:
        return None
    _keep(run, fitted, workers)
    agreement = (
        agreement_share(
            "Krippendorff's alpha of coreferent pairs", pair_alpha(data, groups=collected.task)
        ),
        agreement_share(
            "F1 of coreferent pairs between two workers",
            pairwise_cluster_f1(data, groups=collected.task),
        ),
    )
    judged = data.judged()
    return CoreferenceFacts(
        mentions=int(judged.sum()),
        entities=len(np.unique(fitted.cluster_[judged])),
        same=round(float(fitted.prevalence_), DECIMALS),
        agreement=agreement,
        gold=coreference_score(run.key, seed=run.seed),
    )


# --- Reading --------------------------------------------------------------------------------------


@dataclass(slots=True)
class _MatchedMentions:
    """What workers said of the consensus's mentions, which are numbered over all tasks.

    `rows` are consensus rows with the number of their first mention. Of each answer: its task's
    number and its worker. Of each matched mention with an entity, in `judgments`: (answer, item,
    number of the entity in the answer, link or "", date or "", whether it is the canonical one).
    """

    rows: list[tuple[Consensus, int]] = field(default_factory=list)
    task: list[int] = field(default_factory=list)
    workers: list[int] = field(default_factory=list)
    judgments: list[tuple[int, int, int, str, str, bool]] = field(default_factory=list)
    n_items: int = 0

    @property
    def answers(self) -> int:
        return len(self.task)

    def clusters(self) -> tuple[CrowdClusters, NDArray[np.int64]]:
        """The groups as piles, and the workers' row ids in the order of their numbers."""
        workers, worker = np.unique(np.array(self.workers, dtype=np.int64), return_inverse=True)
        answer, item, pile = np.array([row[:3] for row in self.judgments], dtype=np.int64).T
        data = CrowdClusters(
            answer, item, pile, worker=worker, n_items=self.n_items, n_workers=len(workers)
        )
        return data, workers


def _read(
    run: AggregationRun, tasks: Sequence[int] | None, until: datetime | None
) -> _MatchedMentions:
    """Two queries for each batch of tasks."""
    rows = Consensus.objects.filter(run=run).order_by("task")
    if tasks is not None:
        rows = rows.filter(task__in=tasks)
    collected, leaves_out = _MatchedMentions(), run.campaign.leaves_out_doubts
    for batch in _batches(rows.defer("probabilities").iterator(chunk_size=AT_ONCE)):
        place: dict[int, tuple[int, int, list[Edges]]] = {}
        for row in batch:
            spans = [(mention["start"], mention["end"]) for mention in row.answer["mentions"]]
            place[row.task_id] = len(collected.rows), collected.n_items, spans
            collected.rows.append((row, collected.n_items))
            collected.n_items += len(spans)
        responses = (
            Response.objects.submitted()
            .received_by(until)
            .filter(assignment__task__in=place)
            .order_by("assignment__task", "assignment__worker")
        )
        for task, worker, answer in responses.values_list(
            "assignment__task", "assignment__worker", standing("answer", until)
        ).iterator(chunk_size=AT_ONCE):
            if leaves_out:
                answer = _without_doubted(answer)
            if answer.get("entities"):
                _add(collected, answer, worker, *place[task])
    return collected


def _without_doubted(answer: Any) -> Any:
    """Mentions that the worker was unsure of have no entity, and an answer that is doubted as a
    whole says nothing: their words are left out of the tags too (`arrays.doubts`)."""
    doubted = doubted_in(answer)
    if None in doubted:
        return {}
    if not doubted:
        return answer
    mentions = [
        {**mention, "entity": None} if mention["id"] in doubted else mention
        for mention in answer["mentions"]
    ]
    return {**answer, "mentions": mentions}


def _batches(rows: Iterable[Consensus]) -> Iterator[list[Consensus]]:
    batch: list[Consensus] = []
    for row in rows:
        batch.append(row)
        if len(batch) == AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def _add(
    collected: _MatchedMentions,
    answer: MentionsAnswer,
    worker: int,
    task: int,
    first: int,
    spans: list[Edges],
) -> None:
    """One worker's entities, as far as their mentions are the consensus's."""
    entities = {entity["id"]: (n, entity) for n, entity in enumerate(answer["entities"])}
    mentions = answer["mentions"]
    pairs = matched([(mention["start"], mention["end"]) for mention in mentions], spans)
    rows = []
    for theirs, ours in pairs:
        mention = mentions[theirs]
        if mention["entity"] in entities:
            number, entity = entities[mention["entity"]]
            rows.append(
                (
                    collected.answers,
                    first + ours,
                    number,
                    entity["link"] or "",
                    entity["value"] or "",
                    entity["canonical"] == mention["id"],
                )
            )
    if rows:
        collected.judgments += rows
        collected.task.append(task)
        collected.workers.append(worker)


def matched(theirs: Sequence[Edges], ours: Sequence[Edges]) -> list[tuple[int, int]]:
    """Places of mentions that are taken for the same, the most alike first; each in one pair.

    `ours` begin in the order of the text, and do not cover one another's beginnings.
    """
    begins = [start for start, _ in ours]
    collected = []
    for i, (start, end) in enumerate(theirs):
        # All that could overlap: from the last that begins at or before the start on.
        for j in range(max(0, bisect_right(begins, start) - 1), len(ours)):
            first, last = ours[j]
            if first >= end:
                break
            common = min(end, last) - max(start, first)
            both = max(end, last) - min(start, first)
            if common >= ALIKE * both:
                collected.append((-common / both, i, j))
    mine: set[int] = set()
    taken: set[int] = set()
    pairs = []
    for _, i, j in sorted(collected):
        if i not in mine and j not in taken:
            mine.add(i)
            taken.add(j)
            pairs.append((i, j))
    return pairs


def _learnt(run: AggregationRun, workers: NDArray[np.int64]) -> dict[str, Any]:
    """What the run knows of these workers, as `CorrelationClustering.judge` wants it."""
    facts = run.facts.coreference or CoreferenceFacts()
    rows = WorkerReliability.objects.filter(run=run, worker__in=workers.tolist())
    known = {
        worker: parameters["coreference"]
        for worker, parameters in rows.values_list("worker", "parameters")
        if "coreference" in parameters
    }
    same, different = (
        [known[w][name] if w in known else np.nan for w in workers.tolist()]
        for name in ("same", "different")
    )
    return {"prevalence": facts.same, "same": same, "different": different}


# --- Writing --------------------------------------------------------------------------------------


def _write(collected: _MatchedMentions, data: CrowdClusters, fitted: CorrelationClustering) -> None:
    """Entities into the answers, and how sure they are into `confidences`: "mentions", that each
    belongs to its entity (null: it was compared with none), and "links" and "values" of entities.
    """
    cluster, judged = fitted.cluster_, data.judged()
    links, values = (_voted(collected, data, cluster, column) for column in (3, 4))
    chosen = np.bincount(
        np.array([row[1] for row in collected.judgments if row[5]], dtype=np.int64),
        minlength=data.n_items,
    )
    changed = []
    for row, first in collected.rows:
        mentions = row.answer["mentions"]
        members: dict[int, list[int]] = {}
        for n in range(len(mentions)):
            if judged[first + n]:
                members.setdefault(int(cluster[first + n]), []).append(n)
        if not members:
            continue
        name = {c: f"e{n}" for n, c in enumerate(members, start=1)}
        of = {n: name[c] for c, group in members.items() for n in group}
        row.answer = {
            **row.answer,
            "mentions": [mention | {"entity": of.get(n)} for n, mention in enumerate(mentions)],
            "entities": [
                {
                    "id": name[c],
                    "canonical": mentions[max(group, key=lambda n: (chosen[first + n], -n))]["id"],
                    "link": links.name(c),
                    "value": values.name(c),
                }
                for c, group in members.items()
            ],
        }
        row.confidences = (row.confidences or {}) | {
            "mentions": {mentions[n]["id"]: rounded(fitted.confidence_[first + n]) for n in of},
            "links": {name[c]: rounded(links.sure[c]) for c in members},
            "values": {name[c]: rounded(values.sure[c]) for c in members if values.name(c)},
        }
        changed.append(row)
    Consensus.objects.bulk_update(changed, ["answer", "confidences"], batch_size=200)


@dataclass(frozen=True, slots=True)
class _Voted:
    """What each cluster has most votes for; the name "" is None."""

    names: list[str]
    label: NDArray[np.int64]
    sure: NDArray[np.float64]

    def name(self, cluster: int) -> str | None:
        return self.names[self.label[cluster]] or None


def _voted(
    collected: _MatchedMentions, data: CrowdClusters, cluster: NDArray[np.int64], column: int
) -> _Voted:
    """By a weighted vote in which each worker has one vote on a cluster. Of equals the name that
    comes first wins, and none at all comes last."""
    said = [str(row[column]) for row in collected.judgments]
    names = sorted(set(said), key=lambda name: (not name, name))
    number = {name: i for i, name in enumerate(names)}
    answer = np.array([row[0] for row in collected.judgments], dtype=np.int64)
    unit = cluster[np.array([row[1] for row in collected.judgments], dtype=np.int64)]
    worker = data.worker[answer]
    _, place, times = np.unique(
        unit * np.int64(data.n_workers) + worker, return_inverse=True, return_counts=True
    )
    vote = OpenVote().fit(
        unit,
        worker,
        [number[name] for name in said],
        1.0 / times[place],
        n_units=int(cluster.max(initial=-1)) + 1,
        n_workers=data.n_workers,
    )
    return _Voted(names, vote.label_, vote.confidence_)


def _keep(run: AggregationRun, fitted: CorrelationClustering, workers: NDArray[np.int64]) -> None:
    """What workers are worth on pairs, for answers that come later."""
    learnt = fitted.reliability_.parameters
    place = {worker: i for i, worker in enumerate(workers.tolist())}
    rows = list(WorkerReliability.objects.filter(run=run, worker__in=place))
    for row in rows:
        i = place[row.worker_id]
        known = {name: round(float(values[i]), DECIMALS) for name, values in learnt.items()}
        row.parameters = row.parameters | {"coreference": known}
    WorkerReliability.objects.bulk_update(rows, ["parameters"], batch_size=200)


# --- Against gold ---------------------------------------------------------------------------------


def coreference_score(run: UUID, *, seed: int = 0) -> tuple[Share, ...] | None:
    """Entities of a run's consensus against those of gold, document by document; None where no
    gold has any.

    Mentions are the same if their spans are. One that stands on one side alone counts against the
    other, as it does in the CoNLL scores; one without an entity does not count.
    """
    ours: list[int] = []
    theirs: list[int] = []
    group: list[int] = []
    for number, (answer, gold) in enumerate(_with_gold(run)):
        collected, known = _spans(answer), _spans(gold)
        for span in collected.keys() | known.keys():
            ours.append(collected.get(span, -1))
            theirs.append(known.get(span, -1))
            group.append(number)
    if not group:
        return None
    counts = cluster_counts(ours, theirs, group)
    return metric_shares(counts, [f"coreference: {name}" for name in METRIC_NAMES.values()], seed)


def _with_gold(run: UUID) -> Iterator[tuple[MentionsAnswer, MentionsAnswer]]:
    """Answers of the consensus beside gold with entities. Two queries."""
    rows = Consensus.objects.filter(run__key=run)
    asked = GoldQuestion.objects.filter(task__consensus__run__key=run)
    gold = {
        task: (answer if not at else {})
        for task, answer, at in asked.values_list("task", "answer", "retired_at")
    }
    imported = Task.objects.gold_for("entity").filter(consensus__run__key=run)
    for task, answer in imported.values_list("pk", "document__imported_answers__answer"):
        gold.setdefault(task, answer)
    gold = {task: answer for task, answer in gold.items() if answer.get("entities")}
    for task, answer in rows.filter(task__in=gold).values_list("task", "answer"):
        yield answer, gold[task]


def _spans(answer: MentionsAnswer) -> dict[Edges, int]:
    """The number of each mention's entity."""
    number = {entity["id"]: n for n, entity in enumerate(answer["entities"])}
    return {
        (mention["start"], mention["end"]): number[mention["entity"]]
        for mention in answer["mentions"]
        if mention["entity"] in number
    }
