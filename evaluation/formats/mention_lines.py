"""Mentions and relations between them, in at most five columns with tabs between:

    d1:0-12    PER                   Ada Lovelace    *    1.0
    d1:0-12    canonical_mention     d1:0-12         *    1.0
    d1:0-12    link                  Ada_Lovelace    *    1.0
    d1:0-12    per:place_of_birth    d1:25-31        d1:0-31    0.87

(tabs drawn as blanks). Offsets are code points, ends exclusive; the fourth column is the
provenance, several with commas between, or *. Lines may stand in any order.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable

from annotation.formats.directions import STRINGS, TYPES
from evaluation.formats.columns import Columns, Interned
from evaluation.formats.corpus import Corpus
from evaluation.formats.mentions import NONE, Mentions, weight_of


def read(lines: Iterable[tuple[int, str]], columns: Columns, corpus: Corpus | None) -> None:
    mentions = Mentions(columns, corpus)
    report = columns.report
    relations = Interned()
    # line, two mentions, relation, where its provenance ends: all relations, until the last line
    # has been read
    claims, places, sure = array("q"), array("q"), array("d")
    for number, line in lines:
        cells = line.split("\t")
        if not 3 <= len(cells) <= 5:
            report.add("wrong-columns", number, "", f"{len(cells)} columns")
            continue
        first, what, value = cells[0].strip(), cells[1].strip(), cells[2].strip()
        weight = weight_of(cells[4]) if len(cells) > 4 else math.nan
        if weight is None:
            report.add("wrong-value", number, "weight", cells[4])
            continue
        place = mentions.place(number, first, "mention")
        if place is None:
            continue
        mention = mentions.at(place)
        if what in TYPES:
            mentions.set_type(number, mention, what)
            mentions.check_gloss(number, mention, first.rpartition(":")[0], value)
            if what in STRINGS:
                mentions.gloss.setdefault(mention, value)
        elif what == "canonical_mention":
            other = mentions.place(number, value, "canonical mention")
            if other is not None:
                mentions.set_canonical(number, mention, mentions.at(other))
        elif what == "link":
            mentions.set_link(number, mention, value)
        elif ":" in what:
            other = mentions.place(number, value, "object")
            if other is None:
                continue
            if other[0] != place[0]:
                report.add("other-document", number, "object", value)
                continue
            if other == place:
                report.add("self-relation", number, "object", value)
                continue
            provenance = cells[3] if len(cells) > 3 else ""
            places.extend(_provenance(mentions, number, provenance, place[0]))
            claims.extend((number, mention, mentions.at(other), relations[what], len(places)))
            sure.append(weight)
        else:
            report.add("unsupported-relation" if what.islower() else "types-not-allowed", number,
                       "relation", what)  # fmt: skip
    _add_claims(mentions, tuple(relations), claims, places, sure)


def _add_claims(
    mentions: Mentions, relations: tuple[str, ...], claims: array[int], places: array[int],
    sure: array[float],
) -> None:  # fmt: skip
    columns = mentions.columns
    report, directions, entities = columns.report, columns.directions, mentions.entities()
    for at in range(0, len(claims), 5):
        line, subject, object_, relation, ends = claims[at : at + 5]
        begins = claims[at - 1] if at else 0
        kinds = mentions.type_of(subject), mentions.type_of(object_)
        if not all(kinds):
            missing = object_ if kinds[0] else subject
            report.add("undefined-mention", line, "subject" if missing == subject else "object",
                       f"{mentions.start[missing]}-{mentions.end[missing]}")  # fmt: skip
            continue
        told = directions.told(relations[relation], *kinds)
        if told.code:
            found = relations[relation]
            if told.code == "types-not-allowed":
                found = f"{kinds[0]} {found} {kinds[1]}"
            report.add(told.code, line, "relation", found)
            continue
        spans = (
            mentions.start[subject], mentions.end[subject],
            mentions.start[object_], mentions.end[object_],
        )  # fmt: skip
        columns.add(
            line, mentions.document[subject], told.relation, told.turned, spans,
            entities[subject], entities[object_], tuple(places[begins:ends]), sure[at // 5],
            kinds, (mentions.link_of(subject), mentions.link_of(object_)),
        )  # fmt: skip


def _provenance(mentions: Mentions, line: int, text: str, document: int) -> list[int]:
    """The ends of the spans that are valid; without any a warning."""
    report = mentions.columns.report
    spans: list[int] = []
    if text.strip() not in NONE:
        for part in text.split(","):
            place = mentions.place(line, part.strip(), "provenance")
            if place is None:
                continue
            if place[0] != document:
                report.add("other-document", line, "provenance", part)
                continue
            spans += place[1:]
    if not spans:
        report.add("missing-provenance", line, "provenance")
    return spans
