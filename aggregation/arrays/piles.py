"""Rows ↔ arrays of linking campaigns, as `arrays` does for the others: workers' piles in, a
consensus for each task out. What counts is the same as there."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import CorrelationClustering, CrowdClusters, OpenVote
from aggregation.arrays import (
    DECIMALS,
    TENTHS,
    WRITTEN,
    Advance,
    Saved,
    read_vectors,
    stored,
    tenth,
)
from aggregation.arrays.expected_errors import expected_errors_of_mentions
from aggregation.models import AggregationRun, Consensus, WorkerReliability
from annotation.actions.bulk import batches, insert
from annotation.interfaces import judgments
from annotation.interfaces.answers import LinkingAnswer
from annotation.interfaces.schema import NONE
from annotation.models import Campaign, GoldQuestion, Label, Task

READ = 2_000


@dataclass(frozen=True, slots=True, eq=False)
class PileCrowd:
    """A linking campaign's counted answers. A mention that stands in several tasks is one item.

    Attributes
    ----------
    tasks, workers : arrays of row ids
        Those with at least one counted answer, sorted.
    task : array of shape (n_answers,)
        The number of each answer's task.
    mentions : ids, in the order of the item numbers
    shown : for each task the item numbers of its mentions, in the payload's order
    data : CrowdClusters
        Without what workers left undecided.
    answer, item, link : arrays of shape (n_linked,)
        Which answer gave the pile of which item which of `links`; items in no pile are left out.
    links : names
        "none" stands for no link.
    """

    tasks: NDArray[np.int64]
    workers: NDArray[np.int64]
    task: NDArray[np.int64]
    mentions: tuple[str, ...]
    task_items: tuple[NDArray[np.int64], ...]
    data: CrowdClusters
    answer: NDArray[np.int64]
    item: NDArray[np.int64]
    link: NDArray[np.int64]
    links: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KnownPiles:
    """The gold of one task, or of a gold question: the cluster of each mention that it knows."""

    name: str
    cluster: dict[str, int]


def load_piles(
    campaign: Campaign, *, advance: Advance | None = None, until: datetime | None = None
) -> PileCrowd:
    """Four queries. Answers to gold questions don't count, nor what was received after `until`."""
    read = read_vectors(campaign, ("piles", "links"), advance, until)
    payloads = Task.objects.filter(pk__in=read.tasks.tolist(), campaign=campaign)
    shown_of: dict[int, list[str]] = {
        task: [mention["id"] for mention in payload.get("mentions", ())]
        for task, payload in payloads.values_list("pk", "payload").iterator(chunk_size=READ)
    }
    number: dict[str, int] = {}
    task_items = tuple(
        np.array([number.setdefault(m, len(number)) for m in shown_of[task]], dtype=np.int64)
        for task in read.tasks.tolist()
    )
    sizes = np.array([len(items) for items in task_items], dtype=np.int64)
    piles, links = read.vectors["piles"], read.vectors["links"]
    lengths = np.diff(read.edges["piles"])
    if (lengths != sizes[read.task]).any() or (lengths != np.diff(read.edges["links"])).any():
        raise ValueError(
            f"Answers of '{campaign.slug}' judge other mentions than their tasks hold. "
            "check_integrity tells more."
        )
    answer = np.repeat(np.arange(len(read.task)), lengths)
    item = np.concatenate(
        [np.zeros(0, dtype=np.int64), *(task_items[t] for t in read.task.tolist())]
    )
    linked, said = links >= 0, piles != judgments.UNDECIDED
    used, link = np.unique(links[linked], return_inverse=True)
    labels = Label.objects.filter(project=campaign.project_id, vocabulary="link")
    names = dict(labels.filter(number__in=used.tolist()).values_list("number", "name"))
    # Of equals the lowest wins: an entry rather than none.
    order = sorted(range(len(used)), key=lambda i: (names[used[i]] == NONE, used[i]))
    rank = np.argsort(np.array(order, dtype=np.int64))
    return PileCrowd(
        tasks=read.tasks,
        workers=read.workers,
        task=read.task,
        mentions=tuple(number),
        task_items=task_items,
        data=CrowdClusters(
            answer[said],
            item[said],
            piles[said].astype(np.int64),
            worker=read.worker,
            n_items=len(number),
            n_workers=len(read.workers),
        ),
        answer=answer[linked],
        item=item[linked],
        link=rank[link],
        links=tuple(names[used[i]] for i in order),
    )


def links_of(crowd: PileCrowd, cluster: NDArray[np.int64]) -> OpenVote:
    """The link of each cluster. A worker has one vote on a cluster: each of its mentions that they
    linked is a part of it."""
    unit, worker = cluster[crowd.item], crowd.data.worker[crowd.answer]
    key = unit * np.int64(max(1, crowd.data.n_workers)) + worker
    _, place, number = np.unique(key, return_inverse=True, return_counts=True)
    return OpenVote().fit(
        unit,
        worker,
        crowd.link,
        1.0 / number[place],
        n_units=int(cluster.max(initial=-1)) + 1,
        n_workers=crowd.data.n_workers,
    )


def known_piles(campaign: Campaign) -> list[KnownPiles]:
    """Of gold questions that were drawn at random and are not retired; where no task's document
    came without gold, of that too. Others tell nothing of all tasks. Two or three queries."""
    asked = GoldQuestion.objects.sampled().filter(task__campaign=campaign)
    imported = Task.objects.gold_for(campaign.interface).filter(
        campaign=campaign, gold_question=None
    )
    if not campaign.tasks.all_have_gold_for(campaign.interface):
        imported = imported.none()
    rows = [
        *asked.order_by("task").values_list("task__external_id", "answer"),
        *imported.order_by("pk").values_list("external_id", "document__imported_answers__answer"),
    ]
    return [KnownPiles(name, clusters_of(answer)) for name, answer in rows]


def clusters_of(answer: LinkingAnswer) -> dict[str, int]:
    """The number of each mention's pile; mentions in none are left out."""
    return {
        mention: number
        for number, cluster in enumerate(answer["clusters"])
        for mention in cluster["mentions"]
    }


def stored_clusters(run: uuid.UUID) -> tuple[dict[str, int], dict[str, float]]:
    """The cluster of each mention of a complete run, and its confidence (NaN: not known). One
    query.

    What is stored of each task is its part of one partition of all mentions. The parts are put
    together again by the mentions that they share.
    """
    whole: dict[str, str] = {}  # a mention → another of its cluster, and at last the first

    def head(mention: str) -> str:
        while whole[mention] != mention:
            whole[mention] = mention = whole[whole[mention]]
        return mention

    sure: dict[str, float] = {}
    rows = Consensus.objects.filter(run__key=run).order_by("task")
    for answer, confidences in rows.values_list("answer", "confidences").iterator(chunk_size=READ):
        for mention, value in (confidences or {}).get("mentions", {}).items():
            sure[mention] = np.nan if value is None else value
        for cluster in answer["clusters"]:
            first, *others = cluster["mentions"]
            whole.setdefault(first, first)
            for other in others:
                whole.setdefault(other, other)
                whole[head(other)] = head(first)
    number: dict[str, int] = {}
    return {m: number.setdefault(head(m), len(number)) for m in whole}, sure


# --- Writing --------------------------------------------------------------------------------------


def save_piles(
    run: AggregationRun,
    crowd: PileCrowd,
    fitted: CorrelationClustering,
    links: OpenVote,
    *,
    advance: Advance | None = None,
) -> Saved:
    """The part of the clusters that each task shows, and each worker's reliability: some rows at a
    time, as `writing.save_run` does."""
    tenths, errors = [0] * TENTHS, 0.0
    rows: list[Consensus] = []
    for row in _consensus(run, crowd, fitted, links):
        rows.append(row)
        if row.confidence is not None:
            tenths[tenth(row.confidence)] += 1
        errors += row.expected_errors or 0.0
    for batch in batches(rows, WRITTEN):
        insert(batch)
        if advance is not None:
            advance(len(batch))
    for batch in batches(_reliabilities(run, crowd, fitted, links), WRITTEN):
        insert(batch)
    return Saved(tuple(tenths), errors, {})


def _consensus(
    run: AggregationRun, crowd: PileCrowd, fitted: CorrelationClustering, links: OpenVote
) -> Iterator[Consensus]:
    """`confidences` holds "mentions", how probably each belongs to its pile (null: nobody
    compared it), and "links", of each pile in the order of the answer. In no pile are mentions
    that some were unsure of, and those that nobody decided."""
    judged, met = crowd.data.judged(), crowd.data.met()
    answers = np.bincount(crowd.task, minlength=len(crowd.tasks))
    for i, task in enumerate(crowd.tasks.tolist()):
        items = crowd.task_items[i]
        piles: dict[int, list[int]] = {}
        for item in items[judged[items]].tolist():
            piles.setdefault(int(fitted.cluster_[item]), []).append(item)
        sure = fitted.confidence_[items]
        known = ~np.isnan(sure)
        yield Consensus(
            run=run,
            task_id=task,
            answer={
                "clusters": [
                    {
                        "link": link_name(crowd.links, int(links.label_[cluster])),
                        "mentions": [crowd.mentions[item] for item in members],
                    }
                    for cluster, members in piles.items()
                ],
                **{
                    name: [crowd.mentions[item] for item in items[left[items]].tolist()]
                    for name, left in (("unsure", met & ~judged), ("undecided", ~met))
                },
            },
            confidence=float(sure[known].mean()) if known.any() else None,
            expected_errors=expected_errors_of_mentions(sure),
            confidences={
                "mentions": {
                    crowd.mentions[item]: rounded(fitted.confidence_[item])
                    for item in items.tolist()
                },
                "links": [rounded(links.confidence_[cluster]) for cluster in piles],
            },
            probabilities=b"",
            answers=int(answers[i]),
        )


def _reliabilities(
    run: AggregationRun, crowd: PileCrowd, fitted: CorrelationClustering, links: OpenVote
) -> Iterator[WorkerReliability]:
    found = fitted.reliability_
    for i, worker in enumerate(crowd.workers.tolist()):
        some = bool(found.judged[i])
        parameters = {name: stored(values[i]) for name, values in found.parameters.items()}
        yield WorkerReliability(
            run=run,
            worker_id=worker,
            judged=int(found.judged[i]),
            accuracy=float(found.accuracy[i]) if some else None,
            low=float(found.low[i]) if some else None,
            high=float(found.high[i]) if some else None,
            parameters=parameters | {"links": round(float(links.accuracy_[i]), DECIMALS)},
        )


def link_name(links: Sequence[str], number: int) -> str | None:
    """None where there is no link, or nobody said anything of one."""
    return None if number < 0 or links[number] == NONE else links[number]


def rounded(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 4)
