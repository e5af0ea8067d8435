"""A claim in words: the question that it is, and the text around it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

AROUND = 200  # characters of the text on both sides


def question(relation: Mapping[str, Any], subject: str, object_: str) -> str:
    sentence = relation.get("sentence") or f"{{subject}} – {relation['name']} – {{object}}"
    return str(sentence).replace("{subject}", subject).replace("{object}", object_)


def passage(text: str, spans: tuple[int, int, int, int]) -> str:
    """In one line, with both mentions in it, and no word that is cut."""
    a, b, c, d = spans
    first, last = max(0, min(a, c) - AROUND), max(b, d) + AROUND
    before, after = text[first : min(a, c)], text[max(b, d) : last]
    left = right = ""
    if first:
        before, left = before[before.find(" ") + 1 :], "… "
    if last < len(text):
        after, right = after[: after.rfind(" ") + 1].rstrip(), " …"
    return left + " ".join(f"{before}{text[min(a, c) : max(b, d)]}{after}".split()) + right
