"""What a system says of documents that are there: a file of JSON lines, or CoNLL.

    {"id": "d1", "mentions": [{"start": 0, "end": 12, "type": "PER"}]}
    {"id": "d2", "tags": ["B-PER", "I-PER", "O"]}
    {"id": "d3", "text": "…", "predictions": {"mentions": […]}}

Offsets are code points of the document's text. A `text` has to be the document's; whatever else a
line has, or a mention (a score), is left out. In CoNLL the words have to be the document's.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from annotation.formats.answers import with_ids
from annotation.formats.documents import read_id
from annotation.formats.jsonl import object_of
from annotation.formats.reading import Reader
from annotation.formats.records import DocumentRecord, Refused, Rejected, Rules
from annotation.interfaces import AnswerError, Material, entity
from annotation.interfaces.answers import EntityAnswer
from annotation.sentences import Problem, shown

ANSWERS = ("predictions", "consensus")  # or the line itself has the members
MEMBERS = ("mentions", "entities", "tags")
OF_A_MENTION = ("id", "start", "end", "type", "entity")


@dataclass(frozen=True, slots=True)
class Guess:
    """Not looked at yet: what it says can be read with the document alone. See `answer_of`."""

    line: int
    document: str  # external id
    raw: dict[str, Any]
    text: str | None = None  # the document's own, as the file has it
    words: list[str] | None = None


def read_guesses(path: str | os.PathLike[str], rules: Rules) -> Iterator[Guess | Rejected]:
    """In the file's order. Raises FormatError where it can't be read on."""
    with Reader(path, rules) as reader:
        if reader.format == "conll":
            yield from (_of_conll(document) for document in reader)
            return
        for number, line in reader.lines(rules.max_line_bytes):
            if line is None:
                yield Rejected(number, Problem("line.long", most=rules.max_line_bytes))
            elif line and not line.isspace():
                yield _of_json(line, number)


def _of_conll(document: DocumentRecord | Rejected) -> Guess | Rejected:
    if isinstance(document, Rejected):
        return document
    if not document.answers:
        return Rejected(document.line, Problem("tags.none"), document.external_id)
    words = [document.text[start:end] for start, end in document.tokens]
    raw = dict(document.answers[0].answer)
    return Guess(document.line, document.external_id, raw, words=words)


def _of_json(line: bytes, number: int) -> Guess | Rejected:
    name = ""
    try:
        fields = object_of(line)
        name = read_id(fields.get("id"))
        named = (fields[name] for name in ANSWERS if fields.get(name) is not None)
        raw = next(named, fields)
        if isinstance(raw, list):
            raw = {"tags": raw}
        if not isinstance(raw, dict) or not raw.keys() & {"mentions", "tags"}:
            raise Refused("answer.no_mentions")
        text = fields.get("text")
        raw = {member: raw[member] for member in MEMBERS if raw.get(member) is not None}
        return Guess(number, name, raw, text=text if isinstance(text, str) else None)
    except Refused as refused:
        return Rejected(number, refused.problem, name)


def answer_of(guess: Guess, material: Material) -> tuple[EntityAnswer, int]:
    """The answer in canonical form, and how many mentions were moved to the edges of words.

    Raises Refused.
    """
    _compare(guess, material)
    if "tags" in guess.raw:
        raw, moved = {"tags": guess.raw["tags"]}, 0
    else:
        raw, moved = _on_words(guess.raw, material)
    try:
        return entity.check(with_ids(raw), material), moved
    except AnswerError as error:
        raise Refused.of(error.problems[0]) from error


def _compare(guess: Guess, material: Material) -> None:
    if guess.text is not None and guess.text != material.text:
        raise Refused("guess.text", "text")
    if guess.words is None:
        return
    if len(guess.words) != len(material.tokens):
        raise Refused("guess.words", number=len(guess.words), there=len(material.tokens))
    for number, (word, (start, end)) in enumerate(zip(guess.words, material.tokens, strict=True)):
        if word != material.text[start:end]:
            there = shown(material.text[start:end])
            raise Refused("guess.word", position=number + 1, word=shown(word), there=there)


def _on_words(raw: dict[str, Any], material: Material) -> tuple[dict[str, Any], int]:
    """Systems cut texts as they like: a mention is widened to whole words, without blanks."""
    mentions, moved = raw["mentions"], 0
    if not isinstance(mentions, list):
        return raw, 0
    starts = [start for start, _ in material.tokens]
    kept = []
    for mention in mentions:
        if isinstance(mention, dict):
            mention = {name: mention[name] for name in OF_A_MENTION if name in mention}
            span = _widened(mention.get("start"), mention.get("end"), material, starts)
            if span and span != (mention["start"], mention["end"]):
                mention |= {"start": span[0], "end": span[1]}
                moved += 1
        kept.append(mention)
    return raw | {"mentions": kept}, moved


def _widened(start: Any, end: Any, material: Material, starts: list[int]) -> tuple[int, int] | None:
    """None where no word is touched; what is wrong then is told by the answer's own reading."""
    if type(start) is not int or type(end) is not int:
        return None
    if not 0 <= start < end <= len(material.text):
        return None
    tokens = material.tokens
    first = max(bisect_right(starts, start) - 1, 0)
    if tokens and tokens[first][1] <= start:
        first += 1
    last = bisect_right(starts, end - 1) - 1
    return (tokens[first][0], tokens[last][1]) if first <= last else None
