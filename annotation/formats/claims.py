"""What systems claim of documents: one relation between two names a line, as JSON.

    {"document": "d1", "relation": "per:place_of_birth",
     "subject": {"start": 0, "end": 12, "type": "PER", "link": "Q7259"},
     "object": {"start": 25, "end": 31, "type": "GPE", "link": null},
     "provenance": [[0, 32]], "confidence": 0.87}

Offsets are code points of the document's text. `link`, a key of the knowledge base, may be missing;
so may `provenance`, the spans that the claim rests on, and `confidence`, which is not read. Whether
the spans stand on words, and the relation between those types, is not told here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from annotation.formats.jsonl import object_of
from annotation.formats.records import Refused, Rejected
from annotation.formats.source import Source
from annotation.interfaces.reading import Field
from annotation.interfaces.values import LONGEST_LINK
from annotation.sentences import Problem

LONGEST_LINE = 64 * 1024
LONGEST_ID = 200
LONGEST_NAME = 60
MOST_SPANS = 100


@dataclass(frozen=True, slots=True)
class Name:
    start: int
    end: int
    type: str
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    line: int
    document: str  # external id
    subject: Name
    relation: str
    object: Name
    provenance: tuple[tuple[int, int], ...] = ()


def read_claims(path: str | os.PathLike[str]) -> Iterator[Claim | Rejected]:
    """In the file's order. Raises FormatError where it can't be read on."""
    with Source(path) as source:
        for number, line in source.lines(LONGEST_LINE):
            if line is None:
                yield Rejected(number, Problem("line.long", most=LONGEST_LINE))
            elif line and not line.isspace():
                yield _read(line, number)


def _read(line: bytes, number: int) -> Claim | Rejected:
    try:
        body = Field(object_of(line), "claim")
    except Refused as refused:
        return Rejected(number, refused.problem)
    document = body.at("document").text(LONGEST_ID)
    relation = body.at("relation").text(LONGEST_NAME)
    subject, object_ = _name(body.at("subject")), _name(body.at("object"))
    provenance = body.optional("provenance", _spans) or ()
    if document is None or relation is None or subject is None or object_ is None or body.problems:
        return Rejected(number, body.problems[0], document or "")
    return Claim(number, document, subject, relation, object_, provenance)


def _spans(field: Field) -> tuple[tuple[int, int], ...]:
    """Pairs of a beginning and an end; what lies outside the text is cut off where it is shown."""
    found = []
    for item in field.items(most=MOST_SPANS):
        pair = item.pair()
        if pair is None:
            continue
        start, end = pair[0].whole(), pair[1].whole()
        if start is not None and end is not None:
            if start < end:
                found.append((start, end))
            else:
                item.refuse("span.empty", what="part", start=start, end=end)
    return tuple(found)


def _name(field: Field) -> Name | None:
    if not field.only("start", "end", "type", "link"):
        return None
    start, end = field.at("start").whole(), field.at("end").whole()
    kind = field.at("type").text(LONGEST_NAME)
    link: Any = field.optional("link", lambda link: link.text(LONGEST_LINK))
    if start is None or end is None or kind is None or field.problems:
        return None
    return Name(start, end, kind, link)
