"""A run against a file of what is known: relations, and who is who over the documents. Nothing is
written.

Relation and linking tasks are made of what a crowd has found, so nobody can have their answers
before. What can be known is the knowledge base itself, in the form that `export_knowledge_base`
writes: where the names stand, which of them are one, and how they are related.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from aggregation.actions.cluster_scores import cluster_score
from aggregation.actions.coreference import matched
from aggregation.actions.scores import (
    ConsensusScore,
    NoGold,
    score_run,
    span_shares,
)
from aggregation.algorithms.measures.spans import SpanScore
from aggregation.arrays.piles import KnownPiles, stored_clusters
from aggregation.knowledge import WrongCampaign
from aggregation.knowledge.files import Knowledge
from aggregation.models import Consensus, Share
from aggregation.queries import RunSummary
from annotation.formats.directions import Directions
from annotation.interfaces import Product, traits
from annotation.interfaces.answers import RelationAnswer
from annotation.interfaces.relation import VERDICTS
from annotation.interfaces.schema import NONE, UNSURE
from annotation.models import Campaign, Task

AT_ONCE = 500
Edges = tuple[int, int]
Fact = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class RelationScore:
    """Relations of the consensus against those that are known, in one direction each.

    A relation is right where both names and what relates them are known. `unasked` of the known
    ones no task asked about: their names were not found, or were cut otherwise.
    """

    shares: tuple[Share, ...]  # P, R and F1; documents are drawn for the intervals
    counts: SpanScore
    unasked: int
    documents: int


class _Places:
    """The known mentions by their place in the documents."""

    def __init__(self, known: Knowledge, overlap: bool):
        self.overlap = overlap
        self.exact: dict[str, dict[Edges, str]] = {}
        for name, mention in known.mentions.items():
            in_document = self.exact.setdefault(mention.document, {})
            in_document[mention.start, mention.end] = name

    def of(self, document: str, place: Edges) -> str:
        """The known mention that stands there, or what stands for none."""
        known = self.exact.get(document, {})
        if place in known:
            return known[place]
        if self.overlap:
            ours = sorted(known)
            for _, number in matched([place], ours):
                return known[ours[number]]
        return f"?{document}:{place[0]}-{place[1]}"


def score_against(
    campaign: Campaign, run: RunSummary, known: Knowledge, *, overlap: bool = False, seed: int = 0
) -> tuple[ConsensusScore, RelationScore | None]:
    """How good the consensus of a relation or linking campaign is; of a linking campaign there is
    no RelationScore. `seed` is the bootstrap's.

    A name is the known one that begins and ends where it does; with `overlap` it may be the one
    that it has at least half in common with. Raises NoGold, and ValueError for another campaign.
    """
    product = traits(campaign.interface).product
    if product is Product.CLUSTERS:
        return _score_piles(campaign, run, known, overlap, seed), None
    if product is not Product.RELATIONS:
        raise WrongCampaign("score.no_file", campaign=campaign.slug, interface=campaign.interface)
    asked = _Asked(campaign, run, known, overlap)
    answers = score_run(campaign, run, seed=seed, gold=asked.answers)
    return answers, asked.score()


# --- Relations ------------------------------------------------------------------------------------


class _Asked:
    """What the tasks of a run ask and say, and what is known of it."""

    def __init__(self, campaign: Campaign, run: RunSummary, known: Knowledge, overlap: bool):
        schema = campaign.project.schema
        self.directions = Directions(schema.get("relation_types", ()))
        self.names = [relation["name"] for relation in schema.get("relation_types", ())]
        self.places = _Places(known, overlap)
        self.known = self._facts_of(known)  # document → facts
        self.predicted: dict[str, set[Fact]] = {}
        self.pairs: set[frozenset[str]] = set()
        self.answers: dict[str, dict[str, Any]] = {}  # task → what would be right
        for task, document, payload, answer in _rows(run):
            if document not in self.places.exact or answer["relation"] is None:
                continue
            self._add(task, document, payload, answer)

    def _facts_of(self, known: Knowledge) -> dict[str, set[Fact]]:
        facts: dict[str, set[Fact]] = {}
        for one in known.facts:
            document = known.mentions[one.subject].document
            fact = self.directions.fact(one.subject, one.relation, one.object)
            facts.setdefault(document, set()).add(fact)
        return facts

    def _add(
        self, task: str, document: str, payload: Mapping[str, Any], answer: RelationAnswer
    ) -> None:
        subject, object_ = (
            self.places.of(document, (payload[side]["start"], payload[side]["end"]))
            for side in ("subject", "object")
        )
        known = self.known.get(document, set())
        facts = self.predicted.setdefault(document, set())
        self.pairs.add(frozenset((subject, object_)))
        only = payload.get("only")
        right = (
            name
            for name in self.names
            if (only is None or name in only)
            and self.directions.fact(subject, name, object_) in known
        )
        predicted, held = payload.get("predicted"), next(right, NONE)
        if predicted and held != NONE:  # the verify form asks about one relation alone
            asked = self.directions.fact(subject, predicted, object_)
            held = predicted if asked in known else NONE
        self.answers[task] = {"relation": held}
        relation = answer["relation"]
        if relation is None or relation in (NONE, UNSURE):
            return
        if all(answer[name] is not False for name in VERDICTS):
            facts.add(self.directions.fact(subject, relation, object_))

    def score(self) -> RelationScore:
        counts = np.zeros((len(self.predicted), 5))
        unasked = 0
        for row, (document, facts) in zip(counts, self.predicted.items(), strict=True):
            known = self.known.get(document, set())
            row[:3] = len(facts & known), len(facts), len(known)
            unasked += sum(frozenset((s, o)) not in self.pairs for s, _, o in known)
        right, n_predicted, gold = counts.sum(axis=0)[:3].astype(int).tolist()
        return RelationScore(
            shares=span_shares(counts),
            counts=SpanScore(right, n_predicted, gold),
            unasked=unasked,
            documents=len(counts),
        )


def _rows(run: RunSummary) -> Iterator[tuple[str, str, dict[str, Any], RelationAnswer]]:
    rows = Consensus.objects.filter(run__key=run.key, task__document__isnull=False)
    return (
        rows.order_by("task")
        .values_list("task__external_id", "task__document__external_id", "task__payload", "answer")
        .iterator(chunk_size=AT_ONCE)
    )


# --- Piles ----------------------------------------------------------------------------------------


def _score_piles(
    campaign: Campaign, run: RunSummary, known: Knowledge, overlap: bool, seed: int
) -> ConsensusScore:
    """All cards as one whole, since piles go over documents and tasks."""
    places = _Places(known, overlap)
    number: dict[str, int] = {}
    piles: dict[str, int] = {}
    payloads = Task.objects.filter(campaign=campaign).values_list("payload", flat=True)
    for payload in payloads.iterator(chunk_size=AT_ONCE):
        for card in payload.get("mentions", ()):
            if "document" not in card:
                continue
            name = places.of(card["document"], (card["start"], card["end"]))
            if name in known.mentions:
                entity = known.mentions[name].entity
                piles[card["id"]] = number.setdefault(entity, len(number))
    cluster, sure = stored_clusters(run.key)
    summary = cluster_score(cluster, sure, [KnownPiles("the file", piles)], seed=seed)
    if summary is None:
        raise NoGold("score.unknown_to_file", run=run.key)
    return ConsensusScore(
        **{one.name: getattr(summary, one.name) for one in fields(summary)},
        without_gold=sorted(cluster.keys() - piles.keys()),
    )
