"""What was right and wrong in an answer to an entity task, span by span and entity by entity.

A finding of a span is "right" (also where its edges are off within the tolerance: its problem
says so), "edge", "type", "missed" or "extra". Each span of the answer and of the known one is in
exactly one of them, and all are "right" where `score_gold` is 1. Spans that touch what either of
the two leaves out are in none; where an answer looked at so little that its score counts for less,
"unread" says so.

A finding of an entity is "group" (a mention that belongs to another entity), "link" or "date",
each only where the known answer says anything of the kind. No score counts these.

Beside its problem a finding has `given` and `known`, [first token, last token + 1] or None, `type`,
which is the known span's where there is one, and `given_type`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from annotation.interfaces import Material
from annotation.interfaces.answers import EntityAnswer, MentionAnswer, MentionGroup
from annotation.interfaces.coverage import worth
from annotation.interfaces.entity_options import is_on
from annotation.interfaces.pairing import Pair, alike, matched
from annotation.interfaces.spans import Grid, Span, TypedSpan
from annotation.interfaces.tags import compared, spans_of
from annotation.interfaces.wording import finding, quoted, shortened
from annotation.sentences import Problem

Finding = dict[str, Any]
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def feedback(
    answer: EntityAnswer, gold: EntityAnswer, material: Material, tolerance: int
) -> list[Finding]:
    both = compared(answer, gold, material)
    if both is None:
        return _nothing_findings(gold, material)
    spans = _SpanFindings(both.given, both.known, material, tolerance)
    findings = [*spans.findings(), *_EntityFindings(answer, gold, material, spans).findings()]
    if worth(both.covered, both.asked) < 1:
        unread = Problem("entity.unread", read=both.covered, number=both.asked)
        findings.insert(0, _without_place("unread", unread))
    return findings


def _nothing_findings(gold: EntityAnswer, material: Material) -> list[Finding]:
    """Of an answer that leaves out all that the known one looked at."""
    findings = _SpanFindings([], spans_of(gold, material), material, 0).findings()
    return findings or [_without_place("missed", Problem("entity.left_out"))]


def _without_place(kind: str, problem: Problem) -> Finding:
    return finding(kind, problem, given=None, known=None, type=None, given_type=None)


class _SpanFindings:
    """Each span with its partner; see the top of this file."""

    def __init__(
        self,
        given: Sequence[TypedSpan],
        known: Sequence[TypedSpan],
        material: Material,
        tolerance: int,
    ):
        self.given, self.known, self.grid = given, known, Grid(material)
        self.kinds: dict[Pair, str] = dict.fromkeys(matched(given, known, tolerance), "right")
        for kind, typed in (("edge", True), ("type", False)):
            self.kinds |= dict.fromkeys(alike(given, known, list(self.kinds), typed), kind)

    def findings(self) -> list[Finding]:
        """In the order of the text."""
        left = {i for i, _ in self.kinds}
        found = {j for _, j in self.kinds}
        findings = [self._pair_finding(kind, *pair) for pair, kind in self.kinds.items()]
        findings += [
            self._finding("missed", Problem("entity.missed", name=self.named(span)), None, span)
            for j, span in enumerate(self.known)
            if j not in found
        ]
        findings += [
            self._finding("extra", self._too_much(span), span, None)
            for i, span in enumerate(self.given)
            if i not in left
        ]
        return sorted(findings, key=lambda each: each["known"] or each["given"])

    def name(self, span: Sequence[Any]) -> Problem:
        start, end = self.grid.characters((span[0], span[1]))
        name = shortened(self.grid.text[start:end])
        # Or it would draw a full stop or a figure beside it to its own side.
        return quoted(f"\u2068{name}\u2069" if RIGHT_TO_LEFT.search(name) else name)

    def named(self, span: TypedSpan) -> Problem:
        return Problem("word.name_typed", name=self.name(span), type=span[2])

    def _pair_finding(self, kind: str, i: int, j: int) -> Finding:
        one, other = self.given[i], self.known[j]
        is_whole = one[:2] == other[:2]
        if kind == "right" and is_whole:
            problem = Problem("entity.right", name=self.named(other))
        elif kind == "right" and one[0] <= other[0] and other[1] <= one[1]:
            problem = Problem("entity.wider", given=self.named(one), known=self.name(other))
        elif kind == "right":
            problem = Problem("entity.narrower", given=self.named(one), known=self.name(other))
        elif kind == "edge":
            problem = Problem("entity.edge", given=self.named(one), known=self.name(other))
        elif is_whole:
            problem = Problem("entity.type", name=self.name(other), known=other[2], given=one[2])
        else:
            problem = Problem("entity.other", given=self.named(one), known=self.named(other))
        return self._finding(kind, problem, one, other)

    def _too_much(self, span: TypedSpan) -> Problem:
        around = next(
            (each for each in self.known if each[0] <= span[0] and span[1] <= each[1]), None
        )
        if around and around[:2] != span[:2]:
            return Problem("entity.part", name=self.name(span), whole=self.named(around))
        return Problem("entity.extra", name=self.name(span), given=span[2])

    def _finding(
        self, kind: str, problem: Problem, given: TypedSpan | None, known: TypedSpan | None
    ) -> Finding:
        return finding(
            kind, problem,
            given=given and list(given[:2]), known=known and list(known[:2]),
            type=(known or given or ("",))[-1], given_type=given and given[2],
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Twins:
    """A known mention and the given one that stands for it, whatever its edges or its type.

    `own` is the known entity, `place` the given one. A mention without an entity is its own, and
    so is each where the task asks for no coreference.
    """

    known: MentionAnswer
    given: MentionAnswer
    known_span: Span
    given_span: Span
    own: Hashable
    place: Hashable


class _EntityFindings:
    """What the pairs of mentions say of the entities; nothing where one answer is tags alone."""

    def __init__(
        self,
        answer: EntityAnswer,
        gold: EntityAnswer,
        material: Material,
        spans: _SpanFindings,
    ):
        self.spans = spans
        self.has_groups = is_on(material.options, "coreference")
        self.has_links = is_on(material.options, "linking")
        self.given = {entity["id"]: entity for entity in _groups(answer)}
        self.known = {entity["id"]: entity for entity in _groups(gold)}
        self.twins = list(self._twins(_by_span(answer, spans.grid), _by_span(gold, spans.grid)))
        self.place_of = _places([(twins.own, twins.place) for twins in self.twins])
        self.first: dict[Hashable, dict[Hashable, _Twins]] = {}  # place → own → the first there
        for twins in self.twins:
            self.first.setdefault(twins.place, {}).setdefault(twins.own, twins)

    def findings(self) -> Iterator[Finding]:
        for twins in self.twins:
            if not self._is_in_place(twins):
                yield self._finding("group", self._group_problem(twins), twins)
        # Where no entity has a link, links were not asked for.
        if self.has_links and any(entity["link"] is not None for entity in self.known.values()):
            yield from self._link_findings()
        yield from self._date_findings()

    def _twins(
        self, given: dict[Span, MentionAnswer], known: dict[Span, MentionAnswer]
    ) -> Iterator[_Twins]:
        spans = self.spans
        for right, said in sorted((spans.known[j][:2], spans.given[i][:2]) for i, j in spans.kinds):
            one, other = known.get(right), given.get(said)
            if one is None or other is None or one["entity"] is None:
                continue
            own: Hashable = one["entity"] if self.has_groups else right
            place: Hashable = other["entity"] if self.has_groups else said
            yield _Twins(one, other, right, said, own, said if place is None else place)

    def _is_in_place(self, twins: _Twins) -> bool:
        return self.place_of.get(twins.own) == twins.place

    def _group_problem(self, twins: _Twins) -> Problem:
        name, place = self._name(twins), self.place_of.get(twins.own)
        at_place = self.first[twins.place]
        other = next((each for own, each in at_place.items() if own != twins.own), None)
        fellow = self.first.get(place, {}).get(twins.own)
        if fellow is None and other is not None:
            return Problem("entity.together", name=name, other=self._name(other))
        assert fellow is not None  # or the place would be free, and its own
        same = self._name(fellow)
        if other is None:
            return Problem("entity.apart", name=name, same=same)
        return Problem("entity.elsewhere", name=name, same=same, other=self._name(other))

    def _link_findings(self) -> Iterator[Finding]:
        for twins, right, said in self._differences("link"):
            name = self._name(twins)
            if right is None:
                problem = Problem("entity.link_extra", name=name)
            elif said is None:
                problem = Problem("entity.link_missed", name=name)
            else:
                problem = Problem("entity.link_other", name=name)
            yield self._finding("link", problem, twins)

    def _date_findings(self) -> Iterator[Finding]:
        for twins, right, said in self._differences("value"):
            if right is None:
                continue
            name = self._name(twins)
            if said is None:
                problem = Problem("entity.date_missed", name=name, known=right)
            else:
                problem = Problem("entity.date_other", name=name, known=right, given=said)
            yield self._finding("date", problem, twins)

    def _differences(
        self, member: Literal["link", "value"]
    ) -> Iterator[tuple[_Twins, str | None, str | None]]:
        """Each entity whose `member` is not the known one, by the mention that it is called by.

        Without mentions in another's place: they have that one's link and date.
        """
        done: set[Hashable] = set()
        for twins in sorted(self.twins, key=self._is_called_otherwise):
            if twins.own in done or not self._is_in_place(twins):
                continue
            done.add(twins.own)
            given = self.given.get(twins.given["entity"] or "")
            right, said = self._group_of(twins)[member], given[member] if given else None
            if right != said:
                yield twins, right, said

    def _is_called_otherwise(self, twins: _Twins) -> bool:
        return self._group_of(twins)["canonical"] != twins.known["id"]

    def _group_of(self, twins: _Twins) -> MentionGroup:
        return self.known[twins.known["entity"] or ""]

    def _name(self, twins: _Twins) -> Problem:
        return self.spans.name(twins.known_span)

    def _finding(self, kind: str, problem: Problem, twins: _Twins) -> Finding:
        return finding(
            kind, problem,
            given=list(twins.given_span), known=list(twins.known_span),
            type=twins.known["type"], given_type=twins.given["type"],
        )  # fmt: skip


def _groups(answer: EntityAnswer) -> list[MentionGroup]:
    return [] if "tags" in answer else answer["entities"]


def _by_span(answer: EntityAnswer, grid: Grid) -> dict[Span, MentionAnswer]:
    mentions = [] if "tags" in answer else answer["mentions"]
    return {grid.words(mention["start"], mention["end"]): mention for mention in mentions}


def _places(pairs: list[tuple[Hashable, Hashable]]) -> dict[Hashable, Hashable]:
    """The given entity that stands for each known one: those first that share most mentions."""
    places: dict[Hashable, Hashable] = {}
    taken: set[Hashable] = set()
    for (own, place), _ in Counter(pairs).most_common():  # of equals, the first in the text
        if own not in places and place not in taken:
            places[own] = place
            taken.add(place)
    return places
