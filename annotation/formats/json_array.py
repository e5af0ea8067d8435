"""A JSON array of documents: one file, one list. Read as a whole, so of a limited size."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from annotation.formats.dialects import documents_of
from annotation.formats.documents import read_document
from annotation.formats.jsonl import checked_decoder, decoded
from annotation.formats.records import DocumentRecord, FormatError, Refused, Rejected, Rules
from annotation.text.storable import unstorable

LARGEST = 64 * 1024 * 1024  # bytes
BLANKS = " \t\r\n"


def read(content: bytes, name: str, rules: Rules) -> Iterator[DocumentRecord | Rejected]:
    """Raises FormatError where the list breaks off: what comes after is lost in any case."""
    if len(content) > LARGEST:
        raise FormatError("file.large_array", file=name, most=LARGEST // 2**20)
    try:
        text = decoded(content)
    except Refused as error:
        raise FormatError("file.line", file=name, line=1, why=error.problem) from error
    count = 0
    for line, item in items(text, name):
        try:
            for fields in documents_of(item, rules.dialect):
                count += 1
                if rules.ids_from and fields.get("id") is None:
                    fields["id"] = f"{rules.ids_from}-{count}"
                if problem := unstorable(fields):
                    raise Refused.of(problem)
                yield read_document(fields, line, rules)
        except Refused as refused:
            yield Rejected(line, refused.problem)


def items(text: str, name: str) -> Iterator[tuple[int, Any]]:
    """The line on which each item of the list begins, and the item."""
    at = past_blanks(text, 0)
    if text[at : at + 1] != "[":
        raise FormatError("file.no_array", file=name)
    at = past_blanks(text, at + 1)
    line, counted = 1, 0
    while text[at : at + 1] != "]":
        line += text.count("\n", counted, at)
        counted = at
        try:
            item, at = checked_decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            line += text.count("\n", counted, error.pos)
            problem = Refused("json.broken", why=error.msg, character=error.colno).problem
            raise FormatError("file.line", file=name, line=line, why=problem) from error
        except (Refused, RecursionError) as error:
            why = error.problem if isinstance(error, Refused) else Refused("json.deep").problem
            raise FormatError("file.line", file=name, line=line, why=why) from error
        yield line, item
        at = past_blanks(text, at)
        if text[at : at + 1] == ",":
            at = past_blanks(text, at + 1)
        elif text[at : at + 1] != "]":
            line += text.count("\n", counted, at)
            raise FormatError("file.array_open", file=name, line=line)


def past_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in BLANKS:
        at += 1
    return at
