"""A submission, whichever of the three formats it has; plain or gzip, streaming."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import chain, islice
from pathlib import Path

from annotation.formats.directions import Directions
from annotation.formats.jsonl import decoded
from annotation.formats.records import Refused
from annotation.formats.source import Source
from evaluation.formats import claim_lines, mention_lines, tac_lines
from evaluation.formats.columns import Columns, Submission
from evaluation.formats.corpus import Corpus
from evaluation.formats.issues import Report

LONGEST_LINE = 64 * 1024
FORMATS = {"claims": claim_lines, "mentions": mention_lines, "tac": tac_lines}
Lines = Iterator[tuple[int, str]]


def read_submission(
    path: str | os.PathLike[str],
    directions: Directions,
    report: Report,
    *,
    corpus: Corpus | None = None,
    advance: Callable[[int], None] = lambda number: None,
) -> Submission:
    """Everything that is valid in the file; what is not is told to `report`, by line and code.

    Raises FormatError where the file can't be read on: what came of it so far is worth nothing.
    """
    columns = Columns(directions, report)
    with Source(path, os.fspath(path)) as source:
        lines = _lines(source, report, advance)
        first = list(islice(lines, 1))
        if first:
            FORMATS[_format(first[0][1])].read(chain(first, lines), columns, corpus)
    return columns.whole(report.name)


def system_name(path: str | os.PathLike[str]) -> str:
    """A system is called as its file, without its endings."""
    name = Path(path).name
    for ending in (".gz", ".jsonl", ".ndjson", ".json", ".tsv", ".txt", ".tac", ".kb"):
        name = name.removesuffix(ending)
    return name or "system"


def _format(first: str) -> str:
    """By the first line: an object, columns that begin with a mention, or a line without a tab,
    which names the system as TAC's files do."""
    if first.lstrip().startswith(("{", "[")):
        return "claims"
    return "mentions" if "\t" in first and not first.startswith(":") else "tac"


def _lines(source: Source, report: Report, advance: Callable[[int], None]) -> Lines:
    told = 0
    for number, line in source.lines(LONGEST_LINE):
        if source.taken != told:
            advance(source.taken - told)
            told = source.taken
        if line is None:
            report.add("line-too-long", number)
            continue
        if not line or line.isspace():
            continue
        try:
            yield number, decoded(line)
        except Refused as refused:
            report.add("not-utf8", number, "", refused)
