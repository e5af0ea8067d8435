"""A project's knowledge as plain records: what its campaigns' consensus says, put together.

    entity    key, name, aliases, type, description, url; value; confidence, mentions, documents
    mention   id, document, start, end, text, type; entity; confidence, membership; provenance
    link      mention, entity, target; confidence; provenance
    relation  subject, relation, object; confidence; evidence, each with its mentions and provenance

Entity campaigns give mentions and the entities of a document, linking campaigns join these over
documents, and links, from either, give them the keys of the knowledge base. Entities with one link
are one entity; so are those with one date and type. Without link and date an entity's key is
"DOCUMENT:START-END", of its first mention in the order of documents' names, so that the same
consensus gives the same keys.

Relations are those that relation campaigns found to hold. One that is its own inverse, or has one
that the schema names before, is told in one direction. Where workers say that the subject or the
object is no such mention, or of another type, there is no relation; where they say that a link is
wrong, it is not used.

Confidences: of a mention the mean over its words; membership, that it belongs to its entity; of an
entity that of its surest mention; of a relation that of its surest evidence, not more, since
answers about one pair are not independent.

The nodes of all documents are held in memory, mentions are read by the hundred.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aggregation.knowledge import WrongCampaign
from aggregation.knowledge.directions import Directions
from aggregation.models import Consensus
from aggregation.queries import RunSummary, latest_run
from aggregation.queries.posteriors import largest, rounded
from aggregation.sentences import CATALOGUE
from annotation.formats.knowledge import LONGEST_NAME, LONGEST_TYPE, MOST_ALIASES
from annotation.interfaces import Product, kinds_of, traits
from annotation.interfaces.schema import NONE, UNSURE
from annotation.interfaces.values import LONGEST_LINK
from annotation.models import Campaign, Entity, Project
from annotation.sentences import CodedError
from annotation.text.folding import fold

AT_ONCE = 200
# In the order in which they build on each other.
PRODUCTS = (Product.MENTIONS, Product.CLUSTERS, Product.RELATIONS)
DENIED = ("subject_ok", "object_ok", "subject_type_ok", "object_type_ok")

Record = dict[str, Any]
Place = tuple[str, int, int]  # document, first and last code point


class NothingToExport(CodedError):
    """The project has no complete run."""

    catalogue = CATALOGUE


@dataclass(frozen=True, slots=True)
class Source:
    campaign: Campaign
    run: RunSummary

    @property
    def product(self) -> Product:
        return product_of(self.campaign)

    def provenance(self, row: Consensus) -> Record:
        return {
            "campaign": self.campaign.slug,
            "run": str(self.run.key),
            "method": self.run.method,
            "task": row.task.external_id,
            "answers": row.answers,
        }


def sources_of(project: Project, slugs: Sequence[str] = ()) -> list[Source]:
    """The latest complete runs: of the campaigns named, else of each product the campaign whose
    run is the newest. Raises NothingToExport, and ValueError for a campaign that can't be used."""
    campaigns = Campaign.objects.filter(project=project, interface__in=kinds_of(*PRODUCTS))
    campaigns = campaigns.order_by("pk").select_related("project")
    if slugs:
        found = {campaign.slug: campaign for campaign in campaigns.filter(slug__in=slugs)}
        if missing := [slug for slug in slugs if slug not in found]:
            raise WrongCampaign("export.no_campaign", project=project.slug, campaign=missing[0])
        chosen = [Source(found[slug], run) for slug in slugs if (run := latest_run(found[slug]))]
        if len(chosen) < len(slugs):
            run_of = {source.campaign.slug for source in chosen}
            lacking = next(slug for slug in slugs if slug not in run_of)
            raise WrongCampaign("export.no_run", campaign=lacking)
    else:
        newest: dict[Product, Source] = {}
        for campaign in campaigns:
            run = latest_run(campaign)
            before = newest.get(product_of(campaign))
            if run and (before is None or _ended(run) >= _ended(before.run)):
                newest[product_of(campaign)] = Source(campaign, run)
        chosen = list(newest.values())
    if not chosen:
        raise NothingToExport("export.nothing", project=project.slug)
    return sorted(chosen, key=lambda source: PRODUCTS.index(source.product))


def product_of(campaign: Campaign) -> Product:
    found = traits(campaign.interface).product
    assert found is not None  # others are not read
    return found


def _ended(run: RunSummary) -> float:
    return run.finished_at.timestamp() if run.finished_at else 0.0


def knowledge(
    project: Project,
    sources: Sequence[Source],
    *,
    advance: Callable[[int], None] = lambda number: None,
) -> Iterator[Record]:
    """Entities, then mentions, links and relations. `advance` is told how many rows were read."""
    graph = _Graph(advance)
    for source in sources:
        graph.read(source)
    graph.join()
    yield from graph.entities(project)
    yield from graph.mentions(sources)
    yield from graph.links()
    yield from graph.relations(project)


# --- Gathering ------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Node:
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
class _Link:
    node: int
    target: str
    confidence: float | None
    provenance: Record


@dataclass(frozen=True, slots=True)
class _Claim:
    subject: int
    relation: str
    object: int
    evidence: Record


class _Graph:
    def __init__(self, advance: Callable[[int], None]):
        self.advance = advance
        self.nodes: list[_Node] = []
        self.whole: list[int] = []  # union of nodes
        self.at: dict[Place, int] = {}  # of mentions
        self.entity_links: list[_Link] = []
        self.claims: list[_Claim] = []
        self.key: dict[int, str] = {}  # of a head
        self.target: dict[int, str] = {}

    def read(self, source: Source) -> None:
        readers = {
            Product.MENTIONS: self._document,
            Product.CLUSTERS: self._piles,
            Product.RELATIONS: self._relation,
        }
        read = readers[source.product]
        for row in _rows(source):
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
            self.nodes.append(_Node(place, kind))
        return self.at[place]

    def _named(self, node: int, text: str, confidence: float | None) -> None:
        one = self.nodes[node]
        one.names[" ".join(text.split())[:LONGEST_NAME]] += 1
        one.documents.add(one.place[0])
        one.mentions += 1
        one.confidence = _surest(one.confidence, confidence)

    def _document(self, source: Source, row: Consensus) -> None:
        """Mentions without entity are put together by name and type, as in linking tasks."""
        document = row.task.document
        if document is None:
            return
        entities = {entity["id"]: entity for entity in row.answer.get("entities", ())}
        first: dict[Any, int] = {}
        canonical: dict[str, int] = {}
        for mention, confidence in _mentions(source, row):
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
                self.entity_links.append(_Link(node, entity["link"], sure.get(name), provenance))

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
                self.entity_links.append(_Link(nodes[0], cluster["link"], confidence, provenance))

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
        if document is None or answer["relation"] in (NONE, UNSURE):
            return
        if any(answer[name] is False for name in DENIED):
            return
        sides = {}
        for name in ("subject", "object"):
            mention = payload[name]
            place = document.external_id, mention["start"], mention["end"]
            known = place in self.at
            node = self._node(place, mention.get("type") or "")
            if not known:
                text = document.text[mention["start"] : mention["end"]]
                self._named(node, mention.get("name") or text, None)
            sides[name] = node
            link = (mention.get("link") or {}).get("key")
            if link and answer[f"{name}_link_ok"] is True:
                self.entity_links.append(_Link(node, link, None, source.provenance(row)))
        evidence = {
            "document": document.external_id,
            "subject": _id(self.nodes[sides["subject"]].place),
            "object": _id(self.nodes[sides["object"]].place),
            "confidence": rounded(row.confidence),
            "provenance": source.provenance(row),
        }
        self.claims.append(_Claim(sides["subject"], answer["relation"], sides["object"], evidence))

    # --- Putting together -------------------------------------------------------------------------

    def join(self) -> None:
        """Give each entity its link, the surest of those found, and join those with the same link
        or date."""
        best: dict[int, _Link] = {}
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
            self.key[head] = _id(self.nodes[head].place)
        return self.key[head]

    # --- Records ----------------------------------------------------------------------------------

    def entities(self, project: Project) -> Iterator[Record]:
        members: dict[int, list[int]] = {}
        for node in range(len(self.nodes)):
            members.setdefault(self.head(node), []).append(node)
        heads = sorted(members, key=self.key_of)
        for begin in range(0, len(heads), AT_ONCE):
            batch = heads[begin : begin + AT_ONCE]
            keys = [self.key_of(head) for head in batch]
            entries = Entity.objects.filter(project=project, key__in=keys)
            known = {entry.key: entry for entry in entries}
            for key, head in zip(keys, batch, strict=True):
                yield self._entity(key, [self.nodes[n] for n in members[head]], known.get(key))

    def _entity(self, key: str, nodes: list[_Node], entry: Entity | None) -> Record:
        names: Counter[str] = Counter()
        chosen: Counter[str] = Counter()
        for node in nodes:
            names.update(node.names)
            if node.canonical:
                chosen.update(node.names)
        ordered = sorted(names, key=lambda name: (-chosen[name], -names[name], name))
        documents = set().union(*(node.documents for node in nodes))
        value = next((node.value for node in nodes if node.value), "")
        confidence = None
        for node in nodes:
            confidence = _surest(confidence, node.confidence)
        if entry is not None:  # as it was imported, so that it stays what it is
            record = {
                "name": entry.name,
                "aliases": entry.aliases,
                "type": entry.type,
                "description": entry.description,
                "url": entry.url,
            }
        else:
            record = {
                "name": ordered[0],
                "aliases": ordered[1 : 1 + MOST_ALIASES],
                "type": nodes[0].type[:LONGEST_TYPE],
                "description": "",
                "url": "",
            }
        return (
            {"kind": "entity", "key": key}
            | record
            | {
                "value": value,
                "seen_as": ordered,
                "mentions": sum(node.mentions for node in nodes),
                "documents": len(documents),
                "confidence": rounded(confidence),
            }
        )

    def mentions(self, sources: Sequence[Source]) -> Iterator[Record]:
        """Those of entity campaigns are read once more; the rest are known from tasks alone."""
        exported: set[Place] = set()
        for source in sources:
            if source.product is not Product.MENTIONS:
                continue
            for row in _rows(source):
                document = row.task.document
                if document is None:
                    continue
                belongs = (row.confidences or {}).get("mentions", {})
                for mention, confidence in _mentions(source, row):
                    place = document.external_id, mention["start"], mention["end"]
                    if place in exported:
                        continue
                    exported.add(place)
                    text = document.text[mention["start"] : mention["end"]]
                    yield self._mention(place, text, mention["type"]) | {
                        "confidence": rounded(confidence),
                        "membership": belongs.get(mention["id"]),
                        "provenance": source.provenance(row),
                    }
        for place, node in self.at.items():
            if place not in exported:
                one = self.nodes[node]
                yield self._mention(place, next(iter(one.names)), one.type)

    def _mention(self, place: Place, text: str, kind: str) -> Record:
        known = place[1] >= 0
        return {
            "kind": "mention",
            "id": _id(place),
            "document": place[0] if known else None,
            "start": place[1] if known else None,
            "end": place[2] if known else None,
            "text": " ".join(text.split()),
            "type": kind,
            "entity": self.key_of(self.at[place]),
        }

    def links(self) -> Iterator[Record]:
        for link in self.entity_links:
            yield {
                "kind": "link",
                "mention": _id(self.nodes[link.node].place),
                "entity": self.key_of(link.node),
                "target": link.target,
                "confidence": link.confidence,
                "provenance": link.provenance,
            }

    def relations(self, project: Project) -> Iterator[Record]:
        directions = Directions(project.schema)
        exported: dict[tuple[str, str, str], list[Record]] = {}
        for claim in self.claims:
            subject, object_ = self.key_of(claim.subject), self.key_of(claim.object)
            evidence = claim.evidence
            name, turns = directions.canonical(subject, claim.relation, object_)
            if turns:
                subject, object_ = object_, subject
                evidence = evidence | {
                    "subject": evidence["object"],
                    "object": evidence["subject"],
                }
            if subject != object_:  # what turned out to be one is not related to itself
                exported.setdefault((subject, name, object_), []).append(evidence)
        for (subject, name, object_), evidence_of in sorted(exported.items()):
            evidence_of.sort(key=lambda one: -(one["confidence"] or 0))
            yield {
                "kind": "relation",
                "subject": subject,
                "relation": name,
                "object": object_,
                "confidence": evidence_of[0]["confidence"],
                "evidence": evidence_of,
            }


def _rows(source: Source) -> Iterator[Consensus]:
    """By the names of documents and tasks; one query."""
    rows = Consensus.objects.filter(run__key=source.run.key).select_related("task__document")
    return (
        rows.defer("task__document__metadata", "task__document__attributes")
        .order_by("task__document__external_id", "task__external_id")
        .iterator(chunk_size=AT_ONCE)
    )


def _mentions(source: Source, row: Consensus) -> Iterator[tuple[Record, float | None]]:
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


def _surest(one: float | None, other: float | None) -> float | None:
    return max((value for value in (one, other) if value is not None), default=None)


def _id(place: Place) -> str:
    """DOCUMENT:START-END; of a name that is no key, or would be too long for one, what tells it
    apart."""
    document, start, end = place
    name = document if start < 0 else f"{document}:{start}-{end}"
    if len(name) > LONGEST_LINK or not name.isprintable() or name != name.strip() or name == NONE:
        digest = hashlib.blake2b(name.encode(), digest_size=16).hexdigest()
        return f"mention:{digest}"
    return name
