"""What readers yield: a document as plain data, or why there is none."""

from __future__ import annotations

import hashlib
import json
import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

from annotation.interfaces.answers import EntityAnswer
from annotation.sentences import CodedError, Problem

MOST_TOKENS = 200_000  # of one document; a page can't show more, and memory has a bound


class FormatError(CodedError):
    """The file can't be read, or no further: what came of it so far is worth nothing."""


class TimeOver(FormatError):
    """The time that a reader was given ended in or after `line`, before the file did."""

    def __init__(self, name: str, line: int):
        self.line = line
        super().__init__("file.time_over", file=name, line=line)


class Refused(CodedError):
    """Why a document is rejected; the path is that of what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What a reader has to know of the project that the documents are for."""

    schema: dict[str, Any] = field(default_factory=dict)
    tokeniser: str = "words"
    # A line of JSON, or all the lines of one CoNLL document.
    max_line_bytes: int = 8 * 1024 * 1024
    # What a Reader has found out of the file.
    stem: str = "document"  # its name, after which documents without an id are called
    ids_from: str = ""  # the same in a JSON file whose documents have no ids; "": they have to
    dialect: str = ""  # whose JSON it is (formats.dialects); "": our own
    paragraphs: bool = False  # of plain text: empty lines part the documents
    columns: tuple[tuple[str, str], ...] = ()  # of CSV: (use, column); empty: they are guessed


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that came with a document, as its interface's `check` returned it."""

    interface: str
    source: str  # "gold" or "prediction"
    answer: EntityAnswer


class DocumentRecord(NamedTuple):
    """Offsets are code points; `line` is where in the file it begins, counted from 1."""

    line: int
    external_id: str
    title: str
    text: str
    tokens: list[list[int]]
    sentences: list[list[int]]
    attributes: dict[str, Any]
    metadata: dict[str, Any]
    answers: list[Answer]
    split_tokens: int = 0  # tokens that were cut because a mention begins or ends inside
    unused: tuple[str, ...] = ()  # fields of the file that no reader knows

    def digest(self) -> str:
        """The same for everything that makes the same document, whatever the file's form."""
        answers = [(one.interface, one.source, _plain(one.answer)) for one in self.answers]
        answers.sort()
        return digest_of(
            self.title,
            self.text,
            f"{_plain(self.attributes)},{_plain(self.metadata)},{_plain(answers)}"
            if answers or self.attributes or self.metadata
            else NOTHING_ELSE,
            len(self.tokens),
            bytes_of(chain(self.tokens, self.sentences)),
        )

    def prepared(self) -> Prepared:
        """As it is stored: what takes longest of an import, and needs no database."""
        return Prepared(
            self.line,
            self.external_id,
            self.title,
            self.text,
            repr(self.tokens),  # whole numbers in lists: their JSON, in half the time
            repr(self.sentences),
            json.dumps(self.attributes) if self.attributes else "{}",
            json.dumps(self.metadata) if self.metadata else "{}",
            self.digest(),
            self.answers,
            len(self.tokens),
            self.split_tokens,
            self.unused,
        )


class Prepared(NamedTuple):
    """A DocumentRecord whose lists and members are JSON already."""

    line: int
    external_id: str
    title: str
    text: str
    tokens: str
    sentences: str
    attributes: str
    metadata: str
    digest: str
    answers: list[Answer]
    n_tokens: int
    split_tokens: int
    unused: tuple[str, ...]


def prepared_of(item: DocumentRecord | Rejected) -> Prepared | Rejected:
    return item if isinstance(item, Rejected) else item.prepared()


class Columns(NamedTuple):
    """Prepared documents, one list for each of their members: handed from process to process and
    into the database in a fraction of the time that as many rows take."""

    line: list[int]
    external_id: list[str]
    title: list[str]
    text: list[str]
    tokens: list[str]
    sentences: list[str]
    attributes: list[str]
    metadata: list[str]
    digest: list[str]
    answers: list[list[Answer]]
    n_tokens: list[int]
    split_tokens: list[int]
    unused: list[tuple[str, ...]]

    @classmethod
    def of(cls, rows: list[Prepared]) -> Columns:
        return cls(*map(list, zip(*rows, strict=True))) if rows else cls(*([] for _ in cls._fields))

    def rows(self) -> list[Prepared]:
        return list(map(Prepared._make, zip(*self, strict=True)))


NOTHING_ELSE = "{},{},[]"  # neither attributes nor metadata nor answers, as digests have it


def digest_of(title: str, text: str, more: str, n_tokens: int, offsets: bytes) -> str:
    """`more` is the JSON of attributes, metadata and answers, with commas between; `offsets` are
    those of tokens and then sentences."""
    content = f"[{_quoted(title)},{_quoted(text)},{more},{n_tokens}]"  # the JSON of a list
    return hashlib.blake2b(content.encode() + offsets, digest_size=16).hexdigest()


def bytes_of(pairs: Iterable[Sequence[int]]) -> bytes:
    """Offsets as bytes: as JSON they would take half the time of an import."""
    offsets = array("I", chain.from_iterable(pairs))
    if sys.byteorder == "big":
        offsets.byteswap()
    return offsets.tobytes()


_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode
_quoted = json.encoder.encode_basestring


def _plain(value: Mapping[str, Any] | list[Any]) -> str:
    return _encode(value) if value else "[]" if isinstance(value, list) else "{}"


@dataclass(frozen=True, slots=True)
class Rejected:
    """A document that was not taken. The path is empty where it is the whole line."""

    line: int
    problem: Problem
    external_id: str = ""

    @property
    def field(self) -> str:
        return self.problem.path

    @property
    def place(self) -> str:
        """For a terminal."""
        parts = (f"line {self.line}", self.external_id, self.field)
        return ", ".join(part for part in parts if part)

    @property
    def reason(self) -> str:
        """The sentence for a manager."""
        return str(self.problem)
