"""What the consensus of several campaigns says, joined into entities."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from aggregation.knowledge.sources import Record, Source
from aggregation.models import Consensus
from aggregation.queries.posteriors import largest, rounded
from annotation.formats.knowledge import LONGEST_NAME
from annotation.interfaces import Product
from annotation.interfaces.claim_parts import SIDES, Part, PartName, parts_of
from annotation.interfaces.relation import VERDICTS
from annotation.interfaces.schema import NONE, UNSURE
from annotation.interfaces.values import LONGEST_LINK
from annotation.text.folding import fold

AT_ONCE = 200
DENIED: tuple[PartName, ...] = ("subject_ok", "object_ok", "subject_type_ok", "object_type_ok")
UNJUDGED: tuple[Any, Record] = (None, {})

Place = tuple[str, int, int]  # document, first and last code point


@dataclass(slots=True)
class Node:
    """What is one entity in one document, or one card of a linking task."""

    place: Place
    type: str
    value: str = ""
    confidence: float | None = None
    names: Counter[str] = field(default_factory=Counter)
    documents: set[str] = field(default_factory=set)
    mentions: int = 0
    canonical: bool = False  # workers chose this mention to stand for its entity


@dataclass(frozen=True, slots=True)
class Link:
    node: int
    target: str
    confidence: float | None
    provenance: Record


@dataclass(frozen=True, slots=True)
class Claim:
    subject: int
    relation: str
    object: int
    evidence: Record


class Graph:
    """Nodes, and which of them are one entity."""

    def __init__(self, advance: Callable[[int], None]):
        self.advance = advance
        self.nodes: list[Node] = []
        self.whole: list[int] = []  # union of nodes
        self.at: dict[Place, int] = {}  # of mentions
        self.entity_links: list[Link] = []
        self.claims: list[Claim] = []
        self.key: dict[int, str] = {}  # of a head
        self.target: dict[int, str] = {}
        self.parts: dict[tuple[str, Part], tuple[Any, Record]] = {}  # of the source that is read

    def read(self, source: Source) -> None:
        readers = {
            Product.MENTIONS: self._document,
            Product.CLUSTERS: self._piles,
            Product.RELATIONS: self._relation,
        }
        read = readers[source.product]
        if source.product is Product.RELATIONS:
            self.parts = parts_judged(source)
        for row in rows_of(source):
            read(source, row)
            self.advance(1)

    def head(self, node: int) -> int:
        while self.whole[node] != node:
            self.whole[node] = node = self.whole[self.whole[node]]
        return node

    def _one(self, a: int, b: int) -> None:
        """The node that came first stands for both."""
        a, b = sorted((self.head(a), self.head(b)))
        self.whole[b] = a

    def _node(self, place: Place, kind: str) -> int:
        """The node of a mention: a new one where nobody has found it."""
        if place not in self.at:
            self.at[place] = len(self.nodes)
            self.whole.append(len(self.nodes))
            self.nodes.append(Node(place, kind))
        return self.at[place]

    def _named(self, node: int, text: str, confidence: float | None) -> None:
        one = self.nodes[node]
        one.names[" ".join(text.split())[:LONGEST_NAME]] += 1
        one.documents.add(one.place[0])
        one.mentions += 1
        one.confidence = surest(one.confidence, confidence)

    def _document(self, source: Source, row: Consensus) -> None:
        """Mentions without entity are put together by name and type, as in linking tasks."""
        document = row.task.document
        if document is None:
            return
        entities = {entity["id"]: entity for entity in row.answer.get("entities", ())}
        first: dict[Any, int] = {}
        canonical: dict[str, int] = {}
        for mention, confidence in mentions_of(source, row):
            place = document.external_id, mention["start"], mention["end"]
            text = document.text[mention["start"] : mention["end"]]
            key = mention["entity"] or (fold(text), mention["type"])
            node = self._node(place, mention["type"])
            self._named(node, text, confidence)
            self._one(first.setdefault(key, node), node)
            canonical[mention["id"]] = node
        sure = (row.confidences or {}).get("links", {})
        for name, entity in entities.items():
            if entity["canonical"] not in canonical:
                continue
            node = canonical[entity["canonical"]]
            self.nodes[node].canonical = True
            if entity["value"]:
                self.nodes[node].value = entity["value"]
            if entity["link"]:
                provenance = source.provenance(row)
                self.entity_links.append(Link(node, entity["link"], sure.get(name), provenance))

    def _piles(self, source: Source, row: Consensus) -> None:
        cards = {card["id"]: card for card in row.task.payload.get("mentions", ())}
        sure = (row.confidences or {}).get("links", ())
        for number, cluster in enumerate(row.answer["clusters"]):
            nodes = [self._card(cards[name]) for name in cluster["mentions"] if name in cards]
            for node in nodes[1:]:
                self._one(nodes[0], node)
            if cluster["link"] and nodes:
                confidence = sure[number] if number < len(sure) else None
                provenance = source.provenance(row)
                self.entity_links.append(Link(nodes[0], cluster["link"], confidence, provenance))

    def _card(self, card: Mapping[str, Any]) -> int:
        """A card that no entity campaign of the export has found is a mention of its own."""
        document = card.get("document")
        place = (document, card["start"], card["end"]) if document else (card["id"], -1, -1)
        known = place in self.at
        node = self._node(place, card.get("type") or "")
        if not known:
            self._named(node, card.get("name") or card["id"], None)
        return node

    def _relation(self, source: Source, row: Consensus) -> None:
        answer, document, payload = row.answer, row.task.document, row.task.payload
        if document is None:
            return
        if answer["relation"] in (NONE, UNSURE, None):
            return
        parts = parts_of(payload)
        judged = {
            name: self.parts.get((document.external_id, part), UNJUDGED)
            for name, part in parts.items()
        }
        if any(judged.get(name, UNJUDGED)[0] is False for name in DENIED):
            return
        sides: dict[str, int] = {}
        for name, (_, _, link_part) in SIDES.items():
            mention = payload[name]
            place = document.external_id, mention["start"], mention["end"]
            known = place in self.at
            node = self._node(place, mention.get("type") or "")
            if not known:
                text = document.text[mention["start"] : mention["end"]]
                self._named(node, mention.get("name") or text, None)
            sides[name] = node
            link = (mention.get("link") or {}).get("key")
            right, provenance = judged.get(link_part, UNJUDGED)
            if link and right is True:
                self.entity_links.append(Link(node, link, None, provenance))
        evidence = {
            "document": document.external_id,
            "subject": key_of_place(self.nodes[sides["subject"]].place),
            "object": key_of_place(self.nodes[sides["object"]].place),
            "confidence": rounded(row.confidence),
            "provenance": source.provenance(row),
        }
        self.claims.append(Claim(sides["subject"], answer["relation"], sides["object"], evidence))

    def join(self) -> None:
        """Give each entity its link, the surest of those found, and join those with the same link
        or date."""
        best: dict[int, Link] = {}
        for link in self.entity_links:
            head = self.head(link.node)
            if head not in best or (link.confidence or 0) > (best[head].confidence or 0):
                best[head] = link
        same: dict[Any, int] = {}
        for node, one in enumerate(self.nodes):
            head = self.head(node)
            if head in best:
                key: Any = best[head].target
            elif one.value:
                key = (one.type, one.value)
            else:
                continue
            self._one(same.setdefault(key, node), node)
        for key, node in same.items():
            head = self.head(node)
            if isinstance(key, str):
                self.target[head] = key
            else:
                self.key.setdefault(head, ":".join(key))
        self.key |= self.target

    def key_of(self, node: int) -> str:
        """An entity's key: of its link, its date, or else its first mention."""
        head = self.head(node)
        if head not in self.key:
            self.key[head] = key_of_place(self.nodes[head].place)
        return self.key[head]


def rows_of(source: Source) -> Iterator[Consensus]:
    """By the names of documents and tasks; one query."""
    rows = Consensus.objects.filter(run__key=source.run.key).select_related("task__document")
    return (
        rows.defer("task__document__metadata", "task__document__attributes")
        .order_by("task__document__external_id", "task__external_id")
        .iterator(chunk_size=AT_ONCE)
    )


def parts_judged(source: Source) -> dict[tuple[str, Part], tuple[Any, Record]]:
    """What was said of each part of a claim, whichever task asked, and of which row it is known.
    Where tasks contradict each other, no counts. One query."""
    found: dict[tuple[str, Part], tuple[Any, Record]] = {}
    rows = Consensus.objects.filter(run__key=source.run.key, task__document__isnull=False)
    rows = rows.select_related("task__document").only(
        "answer", "task__external_id", "task__payload", "task__document__external_id"
    )
    for row in rows.iterator(chunk_size=AT_ONCE):
        assert row.task.document is not None  # by the filter
        for name, part in parts_of(row.task.payload).items():
            said = row.answer.get(name)
            place = row.task.document.external_id, part
            is_side = name in VERDICTS
            if is_side and said is not None and found.get(place, UNJUDGED)[0] is not False:
                found[place] = said, source.provenance(row)
    return found


def mentions_of(source: Source, row: Consensus) -> Iterator[tuple[Record, float | None]]:
    """With the mean confidence of each one's words."""
    document = row.task.document
    assert document is not None  # by the caller
    sure = largest(bytes(row.probabilities), len(source.run.classes))
    token = {start: i for i, (start, _) in enumerate(document.tokens)}
    after = {end: i + 1 for i, (_, end) in enumerate(document.tokens)}
    for mention in row.answer.get("mentions", ()):
        words = sure[token[mention["start"]] : after[mention["end"]]]
        known = [value for value in words if value is not None]
        yield mention, sum(known) / len(known) if known else None


def surest(one: float | None, other: float | None) -> float | None:
    return max((value for value in (one, other) if value is not None), default=None)


def key_of_place(place: Place) -> str:
    """DOCUMENT:START-END; of a name that is no key, or would be too long for one, what tells it
    apart."""
    document, start, end = place
    name = document if start < 0 else f"{document}:{start}-{end}"
    if len(name) > LONGEST_LINK or not name.isprintable() or name != name.strip() or name == NONE:
        digest = hashlib.blake2b(name.encode(), digest_size=16).hexdigest()
        return f"mention:{digest}"
    return name
