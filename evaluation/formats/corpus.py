"""The documents that systems were given: JSON lines as the import takes them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from annotation.formats.documents import read_id
from annotation.formats.jsonl import object_of
from annotation.formats.records import Refused
from annotation.formats.source import Source
from annotation.sentences import shown
from evaluation.formats.errors import BadFile

LONGEST = 64 * 1024 * 1024  # bytes of a line
Corpus = Mapping[str, str]  # texts by the documents' ids


def read_corpus(
    path: str | os.PathLike[str], advance: Callable[[int], None] = lambda number: None
) -> dict[str, str]:
    """Raises BadFile or FormatError at the first thing that is wrong."""
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
                    raise BadFile("corpus.line_long", most=LONGEST)
                fields = object_of(line)
                name = read_id(fields.get("id"))
                if name in texts:
                    raise BadFile("corpus.double", "id", name=shown(name))
                texts[name] = _text(fields)
            except (Refused, BadFile) as refused:
                where = f"{path}, line {number}" + (f", {refused.path}" if refused.path else "")
                raise BadFile("evaluation.refused", where=where, why=refused) from refused
    if not texts:
        raise BadFile("corpus.empty", file=str(path))
    return texts


def _text(fields: dict[str, object]) -> str:
    """As the import makes it: `text`, or the words of `tokens` joined by blanks."""
    text, tokens = fields.get("text"), fields.get("tokens")
    if isinstance(text, str):
        return text
    if text is None and isinstance(tokens, list) and all(isinstance(t, str) for t in tokens):
        return " ".join(tokens)
    raise BadFile("corpus.text", "text")
