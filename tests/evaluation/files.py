"""Small files of systems, and the text that they are of."""

from __future__ import annotations

import json
from typing import Any

TEXT = "Ada Lovelace was born in London and married William King on 8 July 1835 ."
ADA, LONDON, WILLIAM, DATE = (0, 12), (25, 31), (44, 56), (60, 71)


def claim(
    document: str = "d1", relation: str = "per:place_of_birth", subject: Any = ADA,
    object_: Any = LONDON, types: tuple[str, str] = ("PER", "GPE"), links: Any = ("", ""),
    **more: Any,
) -> dict[str, Any]:  # fmt: skip
    sides = [
        {"start": span[0], "end": span[1], "type": kind} | ({"link": link} if link else {})
        for span, kind, link in zip((subject, object_), types, links, strict=True)
    ]
    return {
        "document": document, "relation": relation, "subject": sides[0], "object": sides[1],
        "provenance": [[0, 31]],
    } | more  # fmt: skip


def lines(*claims: Any) -> list[bytes]:
    """Chunks, as an upload has them."""
    return [(one if isinstance(one, str) else json.dumps(one)).encode() + b"\n" for one in claims]


# --- Made documents in which somebody was born somewhere ------------------------------------------


def born_text(number: int) -> str:
    return f"Name{number:03} was born in Town{number:03} ."


def born(number: int, **more: Any) -> dict[str, Any]:
    return claim(f"d{number:03}", subject=(0, 7), object_=(20, 27), provenance=[[0, 29]], **more)
