"""Documents that were annotated in full, and the claims in them: JSON lines.

    {"document": "d1"}
    {"document": "d2", "weight": 4.0}
    {"document": "d9", "sample": "expansion"}
    {"document": "d1", "relation": "per:spouse", "subject": {…}, "object": {…}}

A line without a relation says that the document was annotated in full; those without a claim have
one too. `weight` is one over the probability with which the document was drawn, where these
differ. Documents of the expansion were chosen for their links: they are told apart, and serve no
estimate.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from annotation.formats.directions import Directions
from annotation.formats.jsonl import object_of
from annotation.formats.records import FormatError, Refused
from annotation.formats.source import Source
from annotation.sentences import shown
from evaluation.algorithms.documents import Documents
from evaluation.algorithms.predictions import Floats, Whole
from evaluation.algorithms.sampling import Keys
from evaluation.formats import claim_lines
from evaluation.formats.columns import Columns
from evaluation.formats.corpus import Corpus
from evaluation.formats.errors import BadFile
from evaluation.formats.issues import CODES, ERROR, Issue, Report
from evaluation.formats.matching import Matching

LONGEST = 64 * 1024
EXAMPLE = '{"document": …}'
SAMPLES = ("uniform", "expansion")


@dataclass(frozen=True, slots=True, eq=False)
class Exhaustive:
    """Claims of the uniform sample, with their keys and relations; and of the expansion, apart."""

    documents: Documents
    key: Keys
    relation: Whole
    expansion: Documents
    expansion_key: Keys


def read_exhaustive(
    path: str | os.PathLike[str], directions: Directions, corpus: Corpus | None = None,
    matching: Matching | None = None,
) -> Exhaustive:  # fmt: skip
    """Raises BadFile at the first thing that is wrong: this file is the organiser's own."""
    weights: dict[str, float] = {}
    expanded: set[str] = set()
    listed_in: dict[str, int] = {}

    def told(issue: Issue) -> None:
        code = CODES[issue.code]
        if code.severity == ERROR:
            where = f"{path}, line {issue.line}" + (f", {issue.field}" if issue.field else "")
            raise BadFile(
                "exhaustive.claim",
                where=where,
                what=code.what,
                found=issue.found,
                mend=code.mend,
            )

    def claims(source: Source) -> Iterator[tuple[int, str]]:
        for number, line in source.lines(LONGEST):
            where = f"{path}, line {number}"
            if line is None:
                raise BadFile("evaluation.line_long", where=where, most=LONGEST)
            if not line or line.isspace():
                continue
            try:
                fields = object_of(line)
            except Refused as refused:
                raise BadFile("evaluation.refused", where=where, why=refused) from refused
            if "relation" in fields:
                yield number, json.dumps(fields)
            else:
                _document(path, number, fields, weights, expanded, listed_in, corpus)

    report = Report(str(path), told)
    columns = Columns(directions, report)
    try:
        with Source(path, os.fspath(path)) as source:
            claim_lines.read(claims(source), columns, corpus)
    except FormatError as error:
        raise BadFile.of(error.problem) from error
    if not listed_in:
        raise BadFile("exhaustive.none", file=str(path), example=EXAMPLE)
    found = columns.whole(str(path))
    for row, line in zip(found.document, found.lines, strict=True):
        if found.documents[row] not in listed_in:
            raise BadFile(
                "exhaustive.not_listed",
                file=str(path),
                line=line,
                name=shown(found.documents[row]),
                example=EXAMPLE,
            )
    if matching is not None:
        found = matching.merged(found)
    uniform = [name for name in listed_in if name not in expanded]
    documents, mine = _of(found.documents, found.document, uniform, weights)
    others, theirs = _of(found.documents, found.document, sorted(expanded), weights)
    return Exhaustive(documents, found.key[mine], found.relation[mine], others, found.key[theirs])


def _document(
    path: str | os.PathLike[str], line: int, fields: dict[str, object], weights: dict[str, float],
    expanded: set[str], listed_in: dict[str, int], corpus: Corpus | None,
) -> None:  # fmt: skip
    file = str(path)
    name, weight = fields.get("document"), fields.get("weight", 1.0)
    sample = fields.get("sample", "uniform")
    if not isinstance(name, str) or not name:
        raise BadFile("exhaustive.document", file=file, line=line, found=shown(repr(name)))
    if corpus is not None and name not in corpus:
        raise BadFile("exhaustive.outside", file=file, line=line, name=shown(name))
    if name in listed_in:
        raise BadFile(
            "exhaustive.double", file=file, line=line, name=shown(name), first=listed_in[name]
        )
    if type(weight) not in (int, float) or not 0 < weight < math.inf:  # type: ignore[operator]
        raise BadFile("exhaustive.weight", file=file, line=line, found=shown(repr(weight)))
    if sample not in SAMPLES:
        raise BadFile("exhaustive.sample", file=file, line=line, found=shown(repr(sample)))
    listed_in[name] = line
    weights[name] = float(weight)  # type: ignore[arg-type]
    if sample == "expansion":
        expanded.add(name)


def _of(
    names: tuple[str, ...], document: Whole, chosen: list[str], weights: dict[str, float]
) -> tuple[Documents, Whole]:
    """These documents, and which claims stand in them."""
    number = {name: i for i, name in enumerate(chosen)}
    row = np.array([number.get(name, -1) for name in names], dtype=np.int64)
    of_claim = row[document] if len(document) else np.zeros(0, dtype=np.int64)
    mine = np.flatnonzero(of_claim >= 0)
    weight: Floats = np.array([weights[name] for name in chosen], dtype=np.float64)
    return Documents.of(of_claim[mine], len(chosen), weight), mine
