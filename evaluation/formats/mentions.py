"""Mentions, their types, links and canonical mentions: what two of the formats build first."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from annotation.formats.directions import STRINGS, TYPES
from evaluation.formats.columns import LARGEST, Columns, hashes, string_value
from evaluation.formats.corpus import Corpus
from evaluation.formats.reserved import reserved

NONE = ("", "*")
PLACE = re.compile(r"(.+):(\d{1,10})-(\d{1,10})")


@dataclass(slots=True)
class Mentions:
    """By number, in order of appearance. -1, or "", is "not said"."""

    columns: Columns
    corpus: Corpus | None
    number: dict[tuple[int, int, int], int] = field(default_factory=dict)
    document: array[int] = field(default_factory=lambda: array("i"))
    start: array[int] = field(default_factory=lambda: array("i"))
    end: array[int] = field(default_factory=lambda: array("i"))
    kind: array[int] = field(default_factory=lambda: array("b"))
    canonical: array[int] = field(default_factory=lambda: array("i"))
    link: dict[int, str] = field(default_factory=dict)
    gloss: dict[int, str] = field(default_factory=dict)  # of dates and titles

    def place(self, line: int, text: str, field: str, last: int = 0) -> tuple[int, int, int] | None:
        """Document, start and end of Doc:begin-end; `last` is 1 where ends are inclusive."""
        found = PLACE.fullmatch(text)
        if found is None:
            self.columns.report.add("mention-without-provenance", line, field, text)
            return None
        name, start, end = found[1], int(found[2]), int(found[3]) + last
        if not start < end <= LARGEST:
            self.columns.report.add("wrong-value", line, field, text)
            return None
        if self.corpus is not None:
            known = self.corpus.get(name)
            if known is None:
                self.columns.report.add("outside-corpus", line, field, text)
                return None
            if end > len(known):
                self.columns.report.add("outside-text", line, field, text)
                return None
        return self.columns.documents[name], start, end

    def at(self, place: tuple[int, int, int]) -> int:
        """The mention's number; a new one where it is met for the first time."""
        found = self.number.get(place)
        if found is None:
            found = self.number[place] = len(self.document)
            self.document.append(place[0])
            self.start.append(place[1])
            self.end.append(place[2])
            self.kind.append(-1)
            self.canonical.append(-1)
        return found

    def type_of(self, mention: int) -> str:
        kind = self.kind[mention]
        return TYPES[kind] if kind >= 0 else ""

    def set_type(self, line: int, mention: int, kind: str) -> None:
        number = TYPES.index(kind)
        if self.kind[mention] < 0:
            self.kind[mention] = number
        elif self.kind[mention] != number:
            self.columns.report.add("inconsistent-type", line, "type", kind)
        else:
            self.columns.report.add("duplicate", line, "type", kind)

    def check_gloss(self, line: int, mention: int, name: str, gloss: str) -> None:
        if self.corpus is not None:
            text = self.corpus[name][self.start[mention] : self.end[mention]]
            if text.split() != gloss.split():
                self.columns.report.add("span-differs", line, "mention", f"{gloss} / {text}")

    def set_canonical(self, line: int, mention: int, other: int) -> None:
        if self.document[mention] != self.document[other]:
            self.columns.report.add("other-document", line, "canonical mention")
        elif self.canonical[mention] < 0:
            self.canonical[mention] = other
        elif self.canonical[mention] != other:
            self.columns.report.add("inconsistent-canonical-mention", line, "canonical mention")
        else:
            self.columns.report.add("duplicate", line, "canonical mention")

    def set_link(self, line: int, mention: int, link: str) -> None:
        if reserved(link):
            self.columns.report.add("reserved-id", line, "link", link)
        elif mention not in self.link:
            self.link[mention] = link
        elif self.link[mention] != link:
            self.columns.report.add("inconsistent-link", line, "link", link)
        else:
            self.columns.report.add("duplicate", line, "link", link)

    def link_of(self, mention: int) -> str | None:
        """Its own link, or that of its canonical mention."""
        canonical = self.canonical[mention]
        return self.link.get(mention) or self.link.get(canonical if canonical >= 0 else mention)

    def entities(self) -> Sequence[int]:
        """A key of 64 bits for each mention's entity: its own link, that of its canonical mention,
        what it says if it is a date or a title, or else where its canonical mention stands."""
        known: dict[str, int] = {}

        def of_link(link: str) -> int:
            found = known.get(link)
            if found is None:
                found = known[link] = int(hashes([link])[0])
            return found

        keys = []
        for mention, canonical in enumerate(self.canonical):
            head = canonical if canonical >= 0 else mention
            link = self.link_of(mention)
            kind = self.type_of(mention)
            if not link and kind in STRINGS and head in self.gloss:
                link = string_value(kind, self.gloss[head])
            keys.append(
                of_link(link)
                if link
                else hash((self.document[head], self.start[head], self.end[head]))
                & 0xFFFFFFFFFFFFFFFF
            )
        return keys


def weight_of(cell: str) -> float | None:
    """NaN where none is given, None where it is no number."""
    if cell.strip() in NONE:
        return math.nan
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
