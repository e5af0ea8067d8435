"""A claim in words: the question that it is, and the text around it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

AROUND = 200  # characters of the text on both sides


def question(relation: Mapping[str, Any], subject: str, object_: str) -> str:
    sentence = relation.get("sentence") or f"{{subject}} – {relation['name']} – {{object}}"
    return str(sentence).replace("{subject}", subject).replace("{object}", object_)


def passage(text: str, spans: tuple[int, int, int, int]) -> str:
    """In one line, with both mentions in it."""
    a, b, c, d = spans
    return " ".join(text[max(0, min(a, c) - AROUND) : max(b, d) + AROUND].split())
