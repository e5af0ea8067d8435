"""The documents that systems were given: JSON lines as the import takes them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from annotation.formats.documents import read_id
from annotation.formats.jsonl import object_of
from annotation.formats.records import FormatError, Refused
from annotation.formats.source import Source

LONGEST = 64 * 1024 * 1024  # bytes of a line
Corpus = Mapping[str, str]  # texts by the documents' ids


def read_corpus(
    path: str | os.PathLike[str], advance: Callable[[int], None] = lambda number: None
) -> dict[str, str]:
    """Raises FormatError, in one sentence with the line, at the first thing that is wrong."""
    texts: dict[str, str] = {}
    told = 0
    with Source(path) as source:
        for number, line in source.lines(LONGEST):
            advance(source.taken - told)
            told = source.taken
            if line is not None and (not line or line.isspace()):
                continue
            try:
                if line is None:
                    raise Refused("", f"The line is longer than {LONGEST:,} bytes.")
                fields = object_of(line)
                name = read_id(fields.get("id"))
                if name in texts:
                    raise Refused("id", f"'{name}' stands in an earlier line. Give it once.")
                texts[name] = _text(fields)
            except Refused as refused:
                where = f", {refused.field}" if refused.field else ""
                raise FormatError(f"{path}, line {number}{where}: {refused.reason}") from refused
    if not texts:
        raise FormatError(f"{path} holds no documents. Write one a line, with id and text.")
    return texts


def _text(fields: dict[str, object]) -> str:
    """As the import makes it: `text`, or the words of `tokens` joined by blanks."""
    text, tokens = fields.get("text"), fields.get("tokens")
    if isinstance(text, str):
        return text
    if text is None and isinstance(tokens, list) and all(isinstance(t, str) for t in tokens):
        return " ".join(tokens)
    raise Refused("text", "Expected a text, or tokens that are words. Give one of the two.")
