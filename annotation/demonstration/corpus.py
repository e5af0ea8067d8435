"""corpus.txt as documents with gold mentions, in the fields of a JSON-lines import."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).with_name("corpus.txt")
MENTION = re.compile(r"\[([^\[\]|]+)\|([A-Z]+)\]")


def documents() -> Iterator[dict[str, Any]]:
    for part in re.split(r"^== ", SOURCE.read_text(encoding="utf-8"), flags=re.M)[1:]:
        head, _, body = part.partition("\n")
        name, kind, title = head.split(" | ")
        text, mentions = unmarked(body.strip())
        yield {
            "id": name,
            "title": title,
            "text": text,
            "attributes": {"kind": kind},
            "gold": {"mentions": mentions, "entities": [], "unlabelled": []},
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
