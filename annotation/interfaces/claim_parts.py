"""The parts of a claim that are judged apart, so that one judgment serves every claim that has it.

The base claim (these words, this relation, those words) is one; that a name is one, its type and
its link are others. What a task of the verify form asks stands in its payload under `asks`; a task
without it asks everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from annotation.interfaces.answers import VerdictName

PartName = Literal["relation"] | VerdictName
Part = tuple[Any, ...]  # within a document: the same for the same question
SIDES: dict[Literal["subject", "object"], tuple[VerdictName, VerdictName, VerdictName]] = {
    "subject": ("subject_ok", "subject_type_ok", "subject_link_ok"),
    "object": ("object_ok", "object_type_ok", "object_link_ok"),
}


def parts_of(payload: Mapping[str, Any]) -> dict[PartName, Part]:
    """What can be asked of a claim, in the order of the page."""
    (subject, object_) = (payload[side] for side in SIDES)
    spans = (*_span(subject), *_span(object_))
    parts: dict[PartName, Part] = {"relation": ("relation", payload.get("predicted"), *spans)}
    for side, (name, kind, link) in SIDES.items():
        mention = payload[side]
        span = _span(mention)
        parts[name] = ("name", *span)
        if mention.get("type"):
            parts[kind] = ("type", mention["type"], *span)
        if mention.get("link"):
            parts[link] = ("link", mention["link"]["key"], *span)
    return parts


def asked_parts(payload: Mapping[str, Any]) -> dict[PartName, Part]:
    """Those of them that this task asks; of a pair without a claim only how it is related."""
    parts = parts_of(payload)
    if not payload.get("predicted"):
        return {"relation": parts["relation"]}
    asks = payload.get("asks")
    return parts if asks is None else {name: parts[name] for name in parts if name in asks}


def _span(mention: Mapping[str, Any]) -> tuple[int, int]:
    return mention["start"], mention["end"]
