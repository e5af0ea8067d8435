"""The records of `knowledge.export` as lines of a file: JSON, or a table for all kinds.

JSON lines are read again as what is known, for scores.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from aggregation.sentences import CATALOGUE
from annotation.formats import jsonl
from annotation.formats.knowledge import ALIAS_SEPARATOR
from annotation.formats.records import FormatError, Refused
from annotation.formats.source import Source
from annotation.formats.tables import tab_row
from annotation.interfaces.reading import Field
from annotation.sentences import shown

LONGEST_LINE = 16 * 1024 * 1024
LONGEST_ID = 500
MOST_EVIDENCE = 1_000_000

# Of a relation document, task and the two mentions are those of its surest evidence; `target` is
# the entry that a link leads to; `count` is the number of mentions of an entity and of pieces of
# evidence of a relation.
COLUMNS = (
    "kind", "key", "name", "aliases", "type", "description", "url", "value",
    "entity", "document", "start", "end", "mention", "target",
    "subject", "relation", "object", "confidence", "membership", "count",
    "campaign", "run", "method", "task", "answers",
)  # fmt: skip
HEADER = tab_row(COLUMNS)


def as_json(record: dict[str, Any]) -> str:
    return jsonl.write(record)


def as_row(record: dict[str, Any]) -> str:
    cells = {name: record[name] for name in COLUMNS if name in record}
    provenance = record.get("provenance", {})
    kind = record["kind"]
    if kind == "entity":
        cells["count"] = record["mentions"]
        # A name with the separator in it would come back as two.
        names = [name for name in record["aliases"] if ALIAS_SEPARATOR not in name]
        cells["aliases"] = ALIAS_SEPARATOR.join(names)
    elif kind == "mention":
        cells |= {"key": record["id"], "name": record["text"]}
    elif kind == "relation":
        best = record["evidence"][0]
        provenance = best["provenance"]
        cells["count"] = len(record["evidence"])
        cells["document"] = best["document"]
    cells |= {name: value for name, value in provenance.items() if name in COLUMNS}
    return tab_row(cells.get(name) for name in COLUMNS)


# --- In again -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class KnownMention:
    document: str
    start: int
    end: int
    entity: str


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A piece of evidence: two mentions, by their ids."""

    subject: str
    relation: str
    object: str
    line: int


class BadKnowledge(FormatError):
    """A file of a knowledge base that can't be read, with the line and what to do."""

    catalogue = CATALOGUE


@dataclass(slots=True)
class Knowledge:
    mentions: dict[str, KnownMention] = field(default_factory=dict)
    facts: list[KnownFact] = field(default_factory=list)


def read_knowledge(path: str | os.PathLike[str]) -> Knowledge:
    """Mentions and relations of a file as `export_knowledge_base` writes it; the rest is passed
    over. Raises FormatError, naming the line: gold that was half read would give wrong scores."""
    found = Knowledge()
    with Source(path) as source:
        for number, line in source.lines(LONGEST_LINE):
            if line is not None and (not line or line.isspace()):
                continue
            try:
                if line is None:
                    raise Refused("line.long", most=LONGEST_LINE)
                body = Field(jsonl.object_of(line), "record")
            except Refused as refused:
                where = f"{source.name}, line {number}"
                raise BadKnowledge("knowledge.refused", where=where, why=refused) from refused
            if body.value.get("kind") == "mention":
                _add_mention(found, body)
            elif body.value.get("kind") == "relation":
                found.facts += _facts(body, number)
            if body.problems:
                first = body.problems[0]
                where = f"{source.name}, line {number}, {first.path}"
                raise BadKnowledge("knowledge.refused", where=where, why=first)
        for fact in found.facts:
            for name in (fact.subject, fact.object):
                if name not in found.mentions:
                    where = f"{source.name}, line {fact.line}"
                    raise BadKnowledge("knowledge.no_mention", where=where, mention=shown(name))
    return found


def _add_mention(found: Knowledge, body: Field) -> None:
    if body.maybe("document") is None:
        return  # a card of which nobody knows where it stands
    name, entity = (body.at(member).text(LONGEST_ID) for member in ("id", "entity"))
    document = body.at("document").text(LONGEST_ID)
    start, end = body.at("start").whole(), body.at("end").whole()
    if name and entity and document and start is not None and end is not None:
        found.mentions[name] = KnownMention(document, start, end, entity)


def _facts(body: Field, line: int) -> Iterator[KnownFact]:
    relation = body.at("relation").text(LONGEST_ID)
    for item in body.at("evidence").items(MOST_EVIDENCE):
        if not isinstance(item.value, dict):
            item.refuse("evidence.no_object")
            continue
        subject, object_ = (item.at(side).text(LONGEST_ID) for side in ("subject", "object"))
        if relation and subject and object_:
            yield KnownFact(subject, relation, object_, line)
