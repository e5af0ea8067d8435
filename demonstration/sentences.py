"""The sentences of the demonstration's papers, each a document of its own, and whether it is
about people: what a labelling loop has people choose (`demonstration.loop`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from demonstration import corpus, register

END = re.compile(r"[.!?][\"”]?\s+")
PERSONS = re.compile(
    r"\b(I|me|my|we|us|our|you|your|he|him|his|she|her|they|them|their|who)\b", re.IGNORECASE
)
FEWEST_WORDS = 4


class Sentence(NamedTuple):
    name: str
    kind: str  # of the paper
    text: str
    people: bool


def sentences() -> Iterator[Sentence]:
    """Of the papers in English."""
    for document in corpus.documents():
        yield from _cut(document["id"], document["attributes"]["kind"], document["text"])
    for paper in register.papers():
        yield from _cut(f"register-{paper.name}", paper.kind, paper.text)


def _cut(paper: str, kind: str, text: str) -> Iterator[Sentence]:
    edges = [0, *(found.end() for found in END.finditer(text)), len(text)]
    for number, (begin, end) in enumerate(pairwise(edges), start=1):
        sentence = text[begin:end].strip()
        if len(sentence.split()) >= FEWEST_WORDS and sentence.isprintable() and _is_latin(sentence):
            people = bool(PERSONS.search(sentence))
            yield Sentence(f"{paper}-{number}", kind, sentence, people)


def _is_latin(text: str) -> bool:
    return all(ord(character) < 0x0250 or not character.isalpha() for character in text)
