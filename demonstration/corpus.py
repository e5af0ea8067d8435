"""corpus.txt as documents with gold mentions, in the fields of a JSON-lines import.

Which mentions belong together, and to which entry of knowledge_base.jsonl, follows from their
names: the corpus is written so that one name means one entity within a document.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).with_name("corpus.txt")
KNOWLEDGE_BASE = Path(__file__).with_name("knowledge_base.jsonl")
MENTION = re.compile(r"\[([^\[\]|]+)\|([A-Z]+)\]")


def documents() -> Iterator[dict[str, Any]]:
    known = keys_by_name()
    for part in re.split(r"^== ", SOURCE.read_text(encoding="utf-8"), flags=re.M)[1:]:
        head, _, body = part.partition("\n")
        name, kind, title = head.split(" | ")
        text, mentions = unmarked(body.strip())
        entities = grouped(text, mentions, known)
        yield {
            "id": name,
            "title": title,
            "text": text,
            "attributes": {"kind": kind},
            "gold": {"mentions": mentions, "entities": entities, "unlabelled": []},
        }


def unmarked(marked: str) -> tuple[str, list[dict[str, Any]]]:
    """The text without its marks, and its mentions in code points."""
    parts: list[str] = []
    mentions: list[dict[str, Any]] = []
    length = last = 0
    for found in MENTION.finditer(marked):
        before, name = marked[last : found.start()], found[1]
        start = length + len(before)
        mentions.append(
            {
                "id": f"m{len(mentions) + 1}",
                "start": start,
                "end": start + len(name),
                "type": found[2],
                "entity": None,
            }
        )
        parts += [before, name]
        length, last = start + len(name), found.end()
    parts.append(marked[last:])
    return "".join(parts), mentions


def keys_by_name() -> dict[tuple[str, str], str]:
    """(type, name or alias) → the first entry of the knowledge base that is called so."""
    keys: dict[tuple[str, str], str] = {}
    for line in KNOWLEDGE_BASE.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        for name in (entry["name"], *entry["aliases"]):
            keys.setdefault((entry["type"], name), entry["key"])
    return keys


def grouped(
    text: str, mentions: list[dict[str, Any]], known: Mapping[tuple[str, str], str]
) -> list[dict[str, Any]]:
    """The entities, which are set in the mentions: those with an entry, and those named twice."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for mention in mentions:
        name = text[mention["start"] : mention["end"]]
        key = known.get((mention["type"], name), "")
        groups.setdefault((mention["type"], f"={key}" if key else name), []).append(mention)
    entities: list[dict[str, Any]] = []
    for (_, name), group in groups.items():
        linked = name.startswith("=")
        if not linked and len(group) == 1:
            continue
        entity = f"e{len(entities) + 1}"
        for mention in group:
            mention["entity"] = entity
        entities.append(
            {
                "id": entity,
                "canonical": group[0]["id"],
                "link": name[1:] if linked else None,
                "value": None,
            }
        )
    return entities
