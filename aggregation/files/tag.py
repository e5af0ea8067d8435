"""From a file of texts to a file of tags, by a model that was trained."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from aggregation.algorithms import ordered_tags
from aggregation.algorithms.sequences.crf.tagger import Tagger
from aggregation.algorithms.sequences.crf.text import Text
from aggregation.files.data import UNTYPED, BadArgument, Refused, RefusedAt, Stage, without_types
from aggregation.files.readers import LabelFile
from aggregation.files.tagged import json_type, needed, read_name, sentence_starts
from aggregation.files.targets import check_format, check_target, same_file
from aggregation.files.writers import DECIMALS
from annotation.formats.jsonl import object_of
from annotation.formats.jsonl import write as json_line
from annotation.formats.output import replaced

AT_ONCE = 50_000  # tokens in memory, in whole documents
NEEDED = "id and tokens"


@dataclass(frozen=True, slots=True)
class _Document:
    name: str
    tokens: list[str]
    starts: list[int]  # the first token of each sentence


@dataclass(slots=True)
class TaggedTally:
    documents: int = 0
    tokens: int = 0
    spans: int = 0


def tag_file(
    path: str,
    model: Path,
    out: Path,
    *,
    stage: Stage = lambda name, total: nullcontext(lambda number: None),
) -> TaggedTally:
    """Tag the documents of `path` and write them to `out`, some at a time.

    `path` "-" is the standard input. Raises ValueError (BadFile among them) or OSError with a
    sentence for people; `out` is then as it was.
    """
    check_target("--out", out, path)
    if same_file(out, model):
        raise BadArgument("targets.same_model", file=out)
    tagger = Tagger.load(model)
    with LabelFile(path) as file:
        if file.format != "jsonl":
            raise BadArgument("tag.csv", file=file.name, fields=NEEDED)
        check_format(out, file.format)
        total = os.path.getsize(path) if path != "-" else None
        with replaced(out) as text, stage("tagging, in bytes read", total) as advance:
            return file.parsed(lambda lines: _tag(lines, tagger, text), advance)


def _tag(lines: Iterable[tuple[int, bytes]], tagger: Tagger, file: TextIO) -> TaggedTally:
    tally = TaggedTally()
    for batch in _batches(_documents(lines)):
        _write(file, batch, tagger, tally)
    if not tally.documents:
        raise RefusedAt(0, "files.no_documents")
    return tally


def _documents(lines: Iterable[tuple[int, bytes]]) -> Iterator[_Document]:
    """Raises Refused at the first thing that is wrong."""
    seen: dict[str, int] = {}
    for line, content in lines:
        if not content or content.isspace():
            continue
        fields = object_of(content)
        name = read_name(fields, line, seen, NEEDED)
        tokens: list[Any] = needed(fields, "tokens", list, NEEDED)
        for number, token in enumerate(tokens, start=1):
            if type(token) is not str:
                raise Refused("token.no_text", "tokens", position=number, found=json_type(token))
        yield _Document(name, tokens, sentence_starts(fields.get("sent_starts"), len(tokens)))


def _batches(documents: Iterable[_Document]) -> Iterator[list[_Document]]:
    batch: list[_Document] = []
    size = 0
    for document in documents:
        batch.append(document)
        size += len(document.tokens)
        if size >= AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _write(file: TextIO, batch: list[_Document], tagger: Tagger, tally: TaggedTally) -> None:
    text = _text_of(batch)
    chosen, marginals = tagger.judge(text)
    sure = marginals[np.arange(text.n_tokens), chosen].round(DECIMALS)
    names = tagger.tags
    if names == ordered_tags([f"B-{UNTYPED}"]):  # it was trained on tags without types
        names = without_types(names)
    first = 0
    for document in batch:
        part = slice(first, first + len(document.tokens))
        tags = [names[number] for number in chosen[part].tolist()]
        line = {"id": document.name, "tags": tags, "confidence": sure[part].tolist()}
        file.write(json_line(line))
        tally.spans += sum(tag[0] == "B" for tag in tags)
        first = part.stop
    tally.documents += len(batch)
    tally.tokens += text.n_tokens


def _text_of(batch: list[_Document]) -> Text:
    sentences = [
        document.tokens[begin:end]
        for document in batch
        for begin, end in pairwise([*document.starts, len(document.tokens)])
    ]
    return Text.of(sentences, np.cumsum([0, *(len(document.starts) for document in batch)]))
