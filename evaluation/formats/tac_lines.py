"""Knowledge bases as in TAC's cold start of 2015; columns with tabs between:

    My system
    :E1    type                 PER
    :E1    mention              "Ada Lovelace"    d1:0-11           1.0
    :E1    canonical_mention    "Ada Lovelace"    d1:0-11           1.0
    :E1    per:place_of_birth   :E2               d1:0-30           0.87
    :E1    per:title            "countess"        d1:40-47,d1:0-60  0.5

(tabs drawn as blanks). Ends are inclusive. A relation holds between entities: each of its
provenances is one claim, of the first mention of the subject, then of the object, that begins at
or after it. Where the object is a string, the first provenance is the object itself.
"""

from __future__ import annotations

import math
import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from annotation.formats.directions import TYPES
from evaluation.formats.columns import Columns, Interned, hashes, string_value
from evaluation.formats.corpus import Corpus
from evaluation.formats.mentions import Mentions, weight_of
from evaluation.formats.reserved import reserved

MENTION = ("mention", "canonical_mention", "nominal_mention", "pronominal_mention")
ENTITY = re.compile(r":\S+")
STRING = re.compile(r'"(.*)"')
MASK = 0xFFFFFFFFFFFFFFFF
Place = tuple[int, int, int]


class _Base:
    """Entities by number, with their types, links and mentions in each document."""

    def __init__(self, columns: Columns, corpus: Corpus | None):
        self.mentions = Mentions(columns, corpus)
        self.number = Interned()
        self.kind: dict[int, str] = {}
        self.link: dict[int, str] = {}
        self.canonical: dict[tuple[int, int], Place] = {}  # of an entity in a document
        self.starts: dict[tuple[int, int], list[tuple[int, int]]] = {}  # (start, end)

    def first_at(self, entity: int, document: int, begin: int) -> tuple[int, int] | None:
        spans = self.starts.get((entity, document), [])
        at = bisect_left(spans, (begin, 0))
        return spans[at] if at < len(spans) else None

    def key(self, entity: int) -> int:
        link = self.link.get(entity)
        return int(hashes([link])[0]) if link else hash((-1, entity)) & MASK


def read(lines: Iterable[tuple[int, str]], columns: Columns, corpus: Corpus | None) -> None:
    base, report = _Base(columns, corpus), columns.report
    relations, strings = Interned(), Interned()
    # line, subject, relation, object (an entity, or a string below 0), first and number of places
    claims, places, sure = array("q"), array("q"), array("d")
    named = False
    for number, line in lines:
        cells = [cell.strip() for cell in line.split("\t")]
        if not named and len(cells) == 1:
            named = True
            continue
        named = True
        if not 3 <= len(cells) <= 5 or not ENTITY.fullmatch(cells[0]):
            report.add("wrong-columns", number, "", cells[0] if len(cells) > 2 else line)
            continue
        entity, what, value = base.number[cells[0]], cells[1], cells[2]
        weight = weight_of(cells[4]) if len(cells) > 4 else math.nan
        if weight is None:
            report.add("wrong-value", number, "confidence", cells[4])
            continue
        if what == "type":
            _type(base, number, entity, value)
        elif what == "link":
            _link(base, number, entity, value)
        elif what in MENTION:
            _mention(base, number, entity, what, value, cells[3] if len(cells) > 3 else "")
        elif ":" not in what:
            report.add("unsupported-relation", number, "relation", what)
        else:
            string = STRING.fullmatch(value)
            if string is None and not ENTITY.fullmatch(value):
                report.add("wrong-columns", number, "object", value)
                continue
            if cells[0] == value:
                report.add("self-relation", number, "object", value)
                continue
            found = list(_places(base, number, cells[3] if len(cells) > 3 else ""))
            if not found:
                report.add("missing-provenance", number, "provenance")
                continue
            object_ = -1 - strings[string[1]] if string else base.number[value]
            claims.extend((number, entity, relations[what], object_, len(places), len(found)))
            for place in found:
                places.extend(place)
            sure.append(weight)
    for spans in base.starts.values():
        spans.sort()
    _add_claims(base, (tuple(relations), tuple(strings), tuple(base.number)), claims, places, sure)


def _type(base: _Base, line: int, entity: int, kind: str) -> None:
    report = base.mentions.columns.report
    if kind not in TYPES:
        report.add("types-not-allowed", line, "type", kind)
    elif entity not in base.kind:
        base.kind[entity] = kind
    else:
        code = "duplicate" if base.kind[entity] == kind else "inconsistent-type"
        report.add(code, line, "type", kind)


def _link(base: _Base, line: int, entity: int, value: str) -> None:
    report = base.mentions.columns.report
    string = STRING.fullmatch(value)
    link = string[1] if string else value
    if reserved(link):
        report.add("reserved-id", line, "link", link)
    elif entity not in base.link:
        base.link[entity] = link
    else:
        code = "duplicate" if base.link[entity] == link else "inconsistent-link"
        report.add(code, line, "link", link)


def _mention(base: _Base, line: int, entity: int, what: str, value: str, provenance: str) -> None:
    report = base.mentions.columns.report
    string = STRING.fullmatch(value)
    if string is None:
        report.add("wrong-columns", line, "mention", value)
        return
    place = base.mentions.place(line, provenance, "mention", last=1)
    if place is None:
        return
    mention = base.mentions.at(place)
    base.mentions.check_gloss(line, mention, provenance.rpartition(":")[0], string[1])
    if what == "canonical_mention":
        first = base.canonical.setdefault((entity, place[0]), place)
        if first != place:
            report.add("inconsistent-canonical-mention", line, "mention", value)
    span = (place[1], place[2])
    spans = base.starts.setdefault((entity, place[0]), [])
    if what == "canonical_mention" and span in spans:
        return  # which is a mention as well, and is often written as both
    if spans and spans[-1] == span:
        report.add("duplicate", line, "mention", value)
    else:
        spans.append(span)


def _places(base: _Base, line: int, text: str) -> Iterator[Place]:
    for part in filter(None, map(str.strip, re.split(r"[,;]", text))):
        if place := base.mentions.place(line, part, "provenance", last=1):
            yield place


def _add_claims(
    base: _Base, names: tuple[tuple[str, ...], ...], claims: array[int], places: array[int],
    sure: array[float],
) -> None:  # fmt: skip
    relations, strings, entities = names
    columns = base.mentions.columns
    report, directions = columns.report, columns.directions
    keys = [base.key(entity) for entity in range(len(entities))]
    for at in range(0, len(claims), 6):
        line, subject, relation, object_, first, count = claims[at : at + 6]
        name, weight = relations[relation], sure[at // 6]
        found = [
            (places[i], places[i + 1], places[i + 2]) for i in range(first, first + 3 * count, 3)
        ]
        if subject not in base.kind or (object_ >= 0 and object_ not in base.kind):
            missing = object_ if subject in base.kind else subject
            report.add("undefined-mention", line, "entity", f"{entities[missing]} has no type")
            continue
        if object_ < 0:
            kind = directions.string_type(name) if directions.takes_string(name) else "TITLE"
            key = int(hashes([string_value(kind, strings[-1 - object_])])[0])
        else:
            kind, key = base.kind[object_], keys[object_]
        told = directions.told(name, base.kind[subject], kind)
        if told.code:
            if told.code == "types-not-allowed":
                name = f"{base.kind[subject]} {name} {kind}"
            report.add(told.code, line, "relation", name)
            continue
        itself = found[0] if object_ < 0 else None
        for document, begin, end in found[1:] or found if itself else found:
            one = base.first_at(subject, document, begin)
            other = itself[1:] if itself else base.first_at(object_, document, begin)
            if itself and itself[0] != document:
                report.add("other-document", line, "provenance")
                continue
            if one is None or other is None:
                who = entities[object_] if one else entities[subject]
                report.add("undefined-mention", line, "provenance",
                           f"{who} has no mention at or after {begin}")  # fmt: skip
                continue
            spans = (one[0], one[1], other[0], other[1])
            columns.add(
                line, document, told.relation, told.turned, spans, keys[subject], key,
                (begin, end), weight, (base.kind[subject], kind),
                (base.link.get(subject), base.link.get(object_)),
            )  # fmt: skip
