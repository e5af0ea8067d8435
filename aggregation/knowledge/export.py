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

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from aggregation.knowledge.graph import (
    AT_ONCE,
    Graph,
    Node,
    Place,
    key_of_place,
    mentions_of,
    rows_of,
    surest,
)
from aggregation.knowledge.sources import Record, Source
from aggregation.queries.posteriors import rounded
from annotation.formats.directions import Directions
from annotation.formats.knowledge import LONGEST_TYPE, MOST_ALIASES
from annotation.interfaces import Product
from annotation.models import Entity, Project


def knowledge(
    project: Project,
    sources: Sequence[Source],
    *,
    advance: Callable[[int], None] = lambda number: None,
) -> Iterator[Record]:
    """Entities, then mentions, links and relations. `advance` is told how many rows were read."""
    graph = Graph(advance)
    for source in sources:
        graph.read(source)
    graph.join()
    yield from _entities(graph, project)
    yield from _mentions(graph, sources)
    yield from _links(graph)
    yield from _relations(graph, project)


def _entities(graph: Graph, project: Project) -> Iterator[Record]:
    members: dict[int, list[int]] = {}
    for node in range(len(graph.nodes)):
        members.setdefault(graph.head(node), []).append(node)
    heads = sorted(members, key=graph.key_of)
    for begin in range(0, len(heads), AT_ONCE):
        batch = heads[begin : begin + AT_ONCE]
        keys = [graph.key_of(head) for head in batch]
        entries = Entity.objects.filter(project=project, key__in=keys)
        known = {entry.key: entry for entry in entries}
        for key, head in zip(keys, batch, strict=True):
            yield _entity(key, [graph.nodes[n] for n in members[head]], known.get(key))


def _entity(key: str, nodes: list[Node], entry: Entity | None) -> Record:
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
        confidence = surest(confidence, node.confidence)
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


def _mentions(graph: Graph, sources: Sequence[Source]) -> Iterator[Record]:
    """Those of entity campaigns are read once more; the rest are known from tasks alone."""
    exported: set[Place] = set()
    for source in sources:
        if source.product is not Product.MENTIONS:
            continue
        for row in rows_of(source):
            document = row.task.document
            if document is None:
                continue
            belongs = (row.confidences or {}).get("mentions", {})
            for mention, confidence in mentions_of(source, row):
                place = document.external_id, mention["start"], mention["end"]
                if place in exported:
                    continue
                exported.add(place)
                text = document.text[mention["start"] : mention["end"]]
                yield _mention(graph, place, text, mention["type"]) | {
                    "confidence": rounded(confidence),
                    "membership": belongs.get(mention["id"]),
                    "provenance": source.provenance(row),
                }
    for place, node in graph.at.items():
        if place not in exported:
            one = graph.nodes[node]
            yield _mention(graph, place, next(iter(one.names)), one.type)


def _mention(graph: Graph, place: Place, text: str, kind: str) -> Record:
    known = place[1] >= 0
    return {
        "kind": "mention",
        "id": key_of_place(place),
        "document": place[0] if known else None,
        "start": place[1] if known else None,
        "end": place[2] if known else None,
        "text": " ".join(text.split()),
        "type": kind,
        "entity": graph.key_of(graph.at[place]),
    }


def _links(graph: Graph) -> Iterator[Record]:
    for link in graph.entity_links:
        yield {
            "kind": "link",
            "mention": key_of_place(graph.nodes[link.node].place),
            "entity": graph.key_of(link.node),
            "target": link.target,
            "confidence": link.confidence,
            "provenance": link.provenance,
        }


def _relations(graph: Graph, project: Project) -> Iterator[Record]:
    directions = Directions(project.schema.get("relation_types", ()))
    exported: dict[tuple[str, str, str], list[Record]] = {}
    for claim in graph.claims:
        subject, object_ = graph.key_of(claim.subject), graph.key_of(claim.object)
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
