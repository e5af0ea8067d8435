"""What a person can decide between in a task: plain data from answers, no rows.

Of names in a text each place where answers differ is a dispute of its own; of everything else the
task is one. A candidate is told by a digest of what it says, so that a page which has grown old
can't decide for something that it did not show.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from annotation.interfaces import Material, categorical
from annotation.interfaces.answers import Answer, EntityAnswer
from annotation.interfaces.schema import UNSURE
from annotation.interfaces.spans import Span, TypedSpan
from annotation.interfaces.tags import spans_of, tags_of
from dashboard.interfaces import in_full, verdict_in_words

MOST = 9  # that have a key
Given = tuple[str, Answer]  # who, and what they said


@dataclass(frozen=True, slots=True)
class Name:
    """As a candidate shows it."""

    text: str
    type: str
    colour: int


@dataclass(slots=True)
class Candidate:
    key: str  # what is pressed
    digest: str
    value: Any  # typed spans of tokens, or an answer
    words: str = ""
    names: Sequence[Name] = ()
    workers: list[str] = field(default_factory=list)
    is_consensus: bool = False
    confidence: float | None = None
    is_decided: bool = False  # what stands


@dataclass(slots=True)
class Dispute:
    """`part` is in tokens; None: the whole task."""

    part: Span | None
    candidates: list[Candidate]
    is_decided: bool = False
    is_agreed: bool = False  # nobody differs: what is asked is whether all of it is right

    @property
    def id(self) -> str:
        return f"{self.part[0]}-{self.part[1]}" if self.part else ""


def disputes_of_names(
    consensus: EntityAnswer,
    given: Sequence[tuple[str, EntityAnswer]],
    material: Material,
    *,
    sure: Mapping[TypedSpan, float],
    decided: Sequence[Span] = (),
) -> list[Dispute]:
    """Where the names of the consensus and the workers' are not the same, in the order of the
    text. What was decided stays a dispute, with what stands. `sure`: of the consensus's names."""
    first = spans_of(consensus, material)
    lanes = [(who, spans_of(answer, material), tags_of(answer, material)) for who, answer in given]
    found = []
    every = {span[:2] for span in first} | {span[:2] for _, spans, _ in lanes for span in spans}
    for start, end in _joined([*every, *decided]):
        said: dict[tuple[TypedSpan, ...], list[str]] = {}
        chosen = _within(first, start, end)
        said[chosen] = []
        for who, spans, tags in lanes:
            if "?" not in tags[start:end]:  # they looked at it
                said.setdefault(_within(spans, start, end), []).append(who)
        is_decided = any(a < end and start < b for a, b in decided)
        if len(said) == 1 and not is_decided:
            continue
        said.setdefault((), [])
        known = [sure[span] for span in chosen if span in sure]
        found.append(
            Dispute(
                (start, end),
                _keyed(
                    Candidate(
                        key="" if spans else "0",
                        digest=digest_of([start, end, *spans]),
                        value=spans,
                        words="" if spans else "no name here",
                        names=[_name(span, material) for span in spans],
                        workers=who,
                        is_consensus=spans == chosen,
                        confidence=min(known) if spans == chosen and known else None,
                        is_decided=is_decided and spans == chosen,
                    )
                    for spans, who in said.items()
                ),
                is_decided,
            )
        )
    return found


def agreement_on_names(
    consensus: EntityAnswer, workers: Iterable[str], material: Material
) -> Dispute:
    """Where nobody differs, all names of the text at once: a task that was reported or doubted
    waits for a decision nevertheless."""
    whole, spans = (0, len(material.tokens)), tuple(spans_of(consensus, material))
    names = [_name(span, material) for span in spans]
    candidate = Candidate(
        "1", digest_of([*whole, *spans]), spans, "no names", names, list(workers), is_consensus=True
    )
    return Dispute(whole, [candidate], is_agreed=True)


def dispute_of_answers(
    kind: str,
    consensus: Answer,
    given: Sequence[Given],
    material: Material,
    *,
    ranked: Sequence[tuple[str, float]] = (),
    is_decided: bool = False,
    offered: Sequence[Answer] = (),
) -> Dispute:
    """Between classes where an answer is one, those on offer that nobody chose last; else between
    the answers that were given. `ranked`: classes with their probability. With answers `offered`,
    as of a claim, it is between whole answers, these last."""
    says = categorical(kind)
    shares = dict(ranked)
    said: dict[str, Candidate] = {}

    def add(answer: Answer, who: str = "", *, of_consensus: bool = False) -> None:
        plain = {k: v for k, v in answer.items() if k not in ("doubts", "note")}
        name = says.class_of(answer) if says is not None and by_class else ""
        digest = digest_of(name or {k: v for k, v in plain.items() if k not in beside})
        if digest not in said:
            value = says.answer_of(name) if says is not None and name else plain
            words = _class_words(name) if name else _words_of(kind, answer, material)
            said[digest] = Candidate("", digest, value, words=words)
        one = said[digest]
        if who:
            one.workers.append(who)
        if of_consensus:
            one.is_consensus, one.is_decided = True, is_decided
            one.confidence = shares.get(says.class_of(answer) if says and offered else name)

    beside = ("evidence",) if offered else ()  # who chose other words says the same of a claim
    by_class = (
        not offered
        and says is not None
        and any(
            says.class_of(answer) != UNSURE for answer in (consensus, *(row for _, row in given))
        )
    )
    add(consensus, of_consensus=True)
    for who, answer in given:
        add(answer, who)
    if says is not None and by_class:
        for name in says.classes(material.schema, material.options)[:MOST]:
            add(says.answer_of(name))
        for one in said.values():
            one.confidence = shares.get(says.class_of(one.value))
    for answer in offered:
        add(answer)
    return Dispute(None, _keyed(said.values()), is_decided)


def digest_of(value: Any) -> str:
    told = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return blake2b(told.encode(errors="surrogatepass"), digest_size=8).hexdigest()


def _keyed(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The consensus first, then by the number of workers; "no name" keeps its 0."""
    ordered = sorted(candidates, key=lambda one: (not one.is_consensus, -len(one.workers)))
    number = 0
    for one in ordered:
        if not one.key and number < MOST:
            number += 1
            one.key = str(number)
    return sorted((one for one in ordered if one.key), key=lambda one: one.key == "0")


def _joined(spans: Sequence[Span]) -> list[Span]:
    """Spans that overlap are one place."""
    found: list[Span] = []
    for start, end in sorted(set(spans)):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _within(spans: Sequence[TypedSpan], start: int, end: int) -> tuple[TypedSpan, ...]:
    return tuple(span for span in spans if start <= span[0] and span[1] <= end)


def _name(span: TypedSpan, material: Material) -> Name:
    start, end, kind = span
    text = material.text[material.tokens[start][0] : material.tokens[end - 1][1]]
    colours = {one["name"]: one["colour"] for one in material.schema.get("entity_types", ())}
    return Name(" ".join(text.split()), kind, colours.get(kind, 0))


def _words_of(kind: str, answer: Answer, material: Material) -> str:
    return verdict_in_words(kind, answer, material.payload) or in_full(kind, answer, material.text)


def _class_words(name: str) -> str:
    return "can’t tell" if name == UNSURE else name
