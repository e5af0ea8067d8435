"""register.txt as documents with gold, and all that it says as a knowledge base.

Here a name is no entity: two people are called Henrik Falk, a bank like another, a village like a
part of it. So each name carries its key, and each sentence what it says of its names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.interfaces.answers import MentionAnswer, MentionGroup, MentionsAnswer

SOURCE = Path(__file__).with_name("register.txt")
KNOWLEDGE_BASE = Path(__file__).with_name("register.jsonl")
MARK = re.compile(r"\[([^\[\]|]+)\|([A-Z]+) ([^\[\]|]+)\]| *\{([^{}]*)\}")
UNGROUPED = "TITLE"  # what a person is, and no entity


@dataclass(frozen=True, slots=True)
class Name:
    start: int  # code points
    end: int
    type: str
    key: str


@dataclass(frozen=True, slots=True)
class Fact:
    """Numbers of two names of one sentence, and how the first is related to the second."""

    subject: int
    relation: str
    object: int


@dataclass(frozen=True, slots=True)
class Paper:
    name: str
    kind: str
    title: str
    text: str
    names: list[Name]
    facts: list[Fact]

    def id_of(self, name: Name) -> str:
        """As `export_knowledge_base` calls a mention."""
        return f"{self.name}:{name.start}-{name.end}"

    def entity_of(self, name: Name) -> str:
        """A title is nobody else's: each is an entity of its own."""
        return self.id_of(name) if name.type == UNGROUPED else name.key


def papers() -> Iterator[Paper]:
    for part in re.split(r"^== ", SOURCE.read_text(encoding="utf-8"), flags=re.M)[1:]:
        head, _, body = part.partition("\n")
        name, kind, title = head.split(" | ")
        yield Paper(name, kind, title, *unmarked(body.strip()))


def unmarked(marked: str) -> tuple[str, list[Name], list[Fact]]:
    """The text without its marks, its names in code points, and what it says of them."""
    parts: list[str] = []
    names: list[Name] = []
    facts: list[Fact] = []
    length = last = first = 0  # `first` is the number of the sentence's first name
    for line in marked.splitlines(keepends=True):
        for found in MARK.finditer(line):
            before = line[last : found.start()]
            parts.append(before)
            length, last = length + len(before), found.end()
            if found[4] is not None:
                facts += _facts(found[4], names, first)
                continue
            parts.append(found[1])
            names.append(Name(length, length + len(found[1]), found[2], found[3]))
            length += len(found[1])
        parts.append(line[last:])
        length, last, first = length + len(line) - last, 0, len(names)
    return "".join(parts), names, facts


def _facts(statements: str, names: list[Name], first: int) -> Iterator[Fact]:
    number = {name.key: i for i, name in enumerate(names[first:], start=first)}
    for one in filter(None, statements.split("; ")):
        subject, relation, object_ = one.split()
        yield Fact(number[subject], relation, number[object_])


def documents() -> Iterator[dict[str, Any]]:
    """In the fields of a JSON-lines import."""
    for paper in papers():
        yield {
            "id": paper.name,
            "title": paper.title,
            "text": paper.text,
            "attributes": {"kind": paper.kind},
            "gold": gold_of(paper),
        }


def gold_of(paper: Paper) -> MentionsAnswer:
    """The answer of an entity campaign. A date's value is its key."""
    entities: dict[str, MentionGroup] = {}
    mentions: list[MentionAnswer] = []
    for number, name in enumerate(paper.names, start=1):
        mention: MentionAnswer = {
            "id": f"m{number}", "start": name.start, "end": name.end, "type": name.type,
            "entity": None,
        }  # fmt: skip
        if name.type != UNGROUPED:
            dated = name.type == "DATE"
            entity = entities.setdefault(
                name.key,
                {
                    "id": f"e{len(entities) + 1}",
                    "canonical": mention["id"],
                    "link": name.key if is_known(name.key) else None,
                    "value": name.key if dated else None,
                },
            )
            mention["entity"] = entity["id"]
        mentions.append(mention)
    return {"mentions": mentions, "entities": list(entities.values()), "unlabelled": []}


def is_known(key: str) -> bool:
    """Whether it is an entry of the knowledge base: its key begins with a capital."""
    return key[0].isupper()


def knowledge() -> Iterator[dict[str, Any]]:
    """What the papers say, in the records of `export_knowledge_base`."""
    found = list(papers())
    names: dict[str, Counter[str]] = {}
    types: dict[str, str] = {}
    told: dict[tuple[str, str, str], list[dict[str, str]]] = {}
    for paper in found:
        for name in paper.names:
            key = paper.entity_of(name)
            names.setdefault(key, Counter())[paper.text[name.start : name.end]] += 1
            types[key] = name.type
        for fact in paper.facts:
            sides = paper.names[fact.subject], paper.names[fact.object]
            subject, object_ = map(paper.entity_of, sides)
            told.setdefault((subject, fact.relation, object_), []).append(
                {
                    "document": paper.name,
                    "subject": paper.id_of(sides[0]),
                    "object": paper.id_of(sides[1]),
                }
            )
    for key, called in names.items():
        longest = max(called, key=len)
        yield {"kind": "entity", "key": key, "name": longest, "type": types[key]}
    for paper in found:
        for name in paper.names:
            yield {
                "kind": "mention",
                "id": paper.id_of(name),
                "document": paper.name,
                "start": name.start,
                "end": name.end,
                "text": paper.text[name.start : name.end],
                "type": name.type,
                "entity": paper.entity_of(name),
            }
    for (subject, relation, object_), evidence in told.items():
        yield {
            "kind": "relation", "subject": subject, "relation": relation, "object": object_,
            "evidence": evidence,
        }  # fmt: skip
