"""What systems claim of documents: one relation between two names a line, as JSON.

    {"document": "d1", "relation": "per:place_of_birth",
     "subject": {"start": 0, "end": 12, "type": "PER", "link": "Q7259"},
     "object": {"start": 25, "end": 31, "type": "GPE", "link": null}}

Offsets are code points of the document's text. `link`, a key of the knowledge base, may be
missing. Whether the spans stand on words, and the relation between those types, is not told here.
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
    if document is None or relation is None or subject is None or object_ is None:
        return Rejected(number, body.problems[0], document or "")
    return Claim(number, document, subject, relation, object_)


def _name(field: Field) -> Name | None:
    if not field.only("start", "end", "type", "link"):
        return None
    start, end = field.at("start").whole(), field.at("end").whole()
    kind = field.at("type").text(LONGEST_NAME)
    link: Any = field.optional("link", lambda link: link.text(LONGEST_LINK))
    if start is None or end is None or kind is None or field.problems:
        return None
    return Name(start, end, kind, link)
