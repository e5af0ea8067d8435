"""Claims as JSON lines: one relation between two mentions a line.

    {"document": "d1", "relation": "per:place_of_birth",
     "subject": {"start": 0, "end": 12, "type": "PER", "link": "Q7259"},
     "object": {"start": 25, "end": 31, "type": "GPE"},
     "provenance": [[0, 31]], "confidence": 0.87}

Offsets are code points, ends exclusive. `link`, `provenance` and `confidence` may be missing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

from annotation.formats.directions import STRINGS
from evaluation.formats.columns import LARGEST, Columns, hashes, string_value
from evaluation.formats.corpus import Corpus
from evaluation.formats.reserved import reserved

LONGEST_NAME = 200
RESERVED = -1  # in the place of a key
Name = tuple[int, int, str, str]  # start, end, type, link or ""


class _Bad(Exception):
    """The code, the field, and what was found."""


def read(lines: Iterable[tuple[int, str]], columns: Columns, corpus: Corpus | None) -> None:
    entities = _Entities()
    report, directions = columns.report, columns.directions
    decode = json.JSONDecoder().raw_decode  # json.loads, for lines as short as these, takes longer
    for number, line in lines:
        try:
            body, end = decode(line.lstrip())
        except (ValueError, RecursionError) as error:
            report.add("bad-json", number, "", getattr(error, "msg", "nested too deep"))
            continue
        if type(body) is not dict or line.lstrip()[end:].strip():
            report.add("bad-json", number, "", line)
            continue
        try:
            document = body.get("document")
            if type(document) is not str or not 0 < len(document) <= LONGEST_NAME:
                raise _Bad("wrong-value", "document", document)
            relation = body.get("relation")
            if type(relation) is not str:
                raise _Bad("wrong-value", "relation", relation)
            text = None
            if corpus is not None:
                text = corpus.get(document)
                if text is None:
                    raise _Bad("outside-corpus", "document", document)
            size = LARGEST if text is None else len(text)
            subject = _name(body.get("subject"), "subject", size)
            object_ = _name(body.get("object"), "object", size)
            if subject[:2] == object_[:2]:
                raise _Bad("self-relation", "object", f"{subject[0]}-{subject[1]}")
            told = directions.told(relation, subject[2], object_[2])
            if told.code:
                found = relation
                if told.code == "types-not-allowed":
                    found = f"{subject[2]} {relation} {object_[2]}"
                raise _Bad(told.code, "relation", found)
            evidence = _provenance(body.get("provenance"), size)
            confidence = _confidence(body.get("confidence"))
        except _Bad as bad:
            code, field, found = bad.args
            report.add(code, number, field, found)
            continue
        if not evidence:
            report.add("missing-provenance", number, "provenance")
        row = columns.documents[document]
        a, b, kind, link = subject
        one = entities.linked(link) if link else None
        if one == RESERVED:
            report.add("reserved-id", number, "subject.link", link)
        if one is None or one == RESERVED:
            one = entities.placed(kind, row, a, b, text)
        c, d, kind, link = object_
        other = entities.linked(link) if link else None
        if other == RESERVED:
            report.add("reserved-id", number, "object.link", link)
        if other is None or other == RESERVED:
            other = entities.placed(kind, row, c, d, text)
        columns.add(
            number, row, told.relation, told.turned, (a, b, c, d), one, other, evidence,
            confidence, (subject[2], object_[2]), (subject[3], object_[3]),
        )  # fmt: skip


class _Entities:
    """A key of 64 bits for what has a link, says something, or stands somewhere."""

    def __init__(self) -> None:
        self._links: dict[str, int] = {}

    def linked(self, link: str) -> int:
        found = self._links.get(link)
        if found is None:
            found = RESERVED if reserved(link) else int(hashes([link])[0])
            self._links[link] = found
        return found

    def placed(self, kind: str, row: int, start: int, end: int, text: str | None) -> int:
        if kind in STRINGS and text is not None:
            return self.linked(string_value(kind, text[start:end]))
        # Places differ from one another, and from the hash of a link but for one case in 2^64.
        return hash((row, start, end)) & 0xFFFFFFFFFFFFFFFF


def _name(value: Any, field: str, size: int) -> Name:
    if type(value) is not dict:
        raise _Bad("wrong-value", field, value)
    start, end, kind, link = (
        value.get("start"), value.get("end"), value.get("type"), value.get("link")
    )  # fmt: skip
    if type(start) is not int or start < 0:
        raise _Bad("wrong-value", f"{field}.start", start)
    if type(end) is not int or end <= start:
        raise _Bad("wrong-value", f"{field}.end", end)
    if end > size:
        raise _Bad("outside-text", f"{field}.end", end)
    if type(kind) is not str:
        raise _Bad("wrong-value", f"{field}.type", kind)
    if link is None:
        link = ""
    elif type(link) is not str or len(link) > LONGEST_NAME:
        raise _Bad("wrong-value", f"{field}.link", link)
    return start, end, kind, link


def _provenance(value: Any, size: int) -> tuple[int, ...]:
    if value is None:
        return ()
    if type(value) is not list:
        raise _Bad("wrong-value", "provenance", value)
    flat: list[int] = []
    for span in value:
        if type(span) is not list or len(span) != 2:
            raise _Bad("wrong-value", "provenance", span)
        start, end = span
        if type(start) is not int or type(end) is not int or not 0 <= start < end:
            raise _Bad("wrong-value", "provenance", span)
        if end > size:
            raise _Bad("outside-text", "provenance", span)
        flat += span
    return tuple(flat)


def _confidence(value: Any) -> float:
    if value is None:
        return math.nan
    if type(value) not in (int, float) or not math.isfinite(value):
        raise _Bad("wrong-value", "confidence", value)
    return float(value)
