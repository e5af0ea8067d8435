"""Documents whose tokens are tagged: JSON lines.

    {"id": "d1", "tokens": ["Ada", "was", "here"], "sent_starts": [0],
     "workers": {"w1": ["B-PER", "O", "O"], "w2": ["?", "O", "O"]}, "gold": null}

Tags are O, B-x and I-x, or B and I without a type in the whole file; ? is not labelled. A document
without `sent_starts` is one sentence. Other fields are not looked at.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import CrowdSequences, ordered_tags
from aggregation.files.data import (
    NOT_LABELLED,
    UNTYPED,
    CrowdFile,
    Numbered,
    Refused,
    RefusedAt,
    renumbered,
)
from aggregation.sentences import CATALOGUE
from annotation.formats.jsonl import object_of
from annotation.sentences import Problem, shown

OUTSIDE = "O"
NEEDED = "id, tokens and workers"
JSON_TYPES = {
    dict: Problem("word.object", "", CATALOGUE),
    list: Problem("word.list", "", CATALOGUE),
    str: Problem("word.text", "", CATALOGUE),
    bool: Problem("word.flag", "", CATALOGUE),
    int: Problem("word.number", "", CATALOGUE),
    float: Problem("word.number", "", CATALOGUE),
    type(None): Problem("word.null", "", CATALOGUE),
}
SOMEWHERE = 0  # the place of a token that its list alone knows: `extend` puts it in


def read(
    lines: Iterable[tuple[int, bytes]],
    *,
    gold: bool,
    clamp: bool,
    classes: Sequence[str] | None,
) -> CrowdFile:
    """Raises Refused at the first thing that is wrong."""
    begun = _Begun(TagNumbers(classes))
    for line, content in lines:
        if content and not content.isspace():
            begun.add(line, object_of(content), gold)
    if not begun.lines:
        raise RefusedAt(0, "files.no_documents")
    return begun.whole(clamp)


class TagNumbers(dict[str, int]):
    """The number of each tag; -1 for ?. A tag is checked when it is met for the first time."""

    def __init__(self, types: Sequence[str] | None):
        super().__init__({NOT_LABELLED: -1})
        self.types = types
        self.line = 0  # that is being read
        self.names: list[str] = []  # with a type, by number
        self.untyped = False
        self._first: tuple[str, int] | None = None  # the first B or I, and its line

    def __missing__(self, tag: Any) -> int:
        name = self._checked(tag)
        self.names.append(name)
        number = self[tag] = len(self.names) - 1
        return number

    def _checked(self, tag: Any) -> str:
        if type(tag) is not str:
            raise Refused("token.no_text", position=SOMEWHERE, found=json_type(tag))
        edge, dash, kind = tag.partition("-")
        if tag == OUTSIDE:
            return tag
        if edge not in ("B", "I") or bool(dash) != bool(kind):
            raise Refused("tag.form", position=SOMEWHERE, tag=shown(tag))
        if self._first is None:
            self._first, self.untyped = (tag, self.line), not dash
        elif self.untyped == bool(dash):
            first, line = self._first
            there = {"first": shown(first), "line": line}
            raise Refused("tag.typed", position=SOMEWHERE, tag=shown(tag), **there)
        if self.types is not None and kind not in self.types:
            types = list(self.types)
            raise Refused("tag.type", position=SOMEWHERE, tag=shown(tag), types=types)
        return tag if dash else f"{edge}-{UNTYPED}"


class _Words(Numbered):
    """The number of each word, checked when it is met for the first time."""

    def __missing__(self, word: Any) -> int:
        if type(word) is not str:
            raise Refused("token.no_text", position=SOMEWHERE, found=json_type(word))
        return super().__missing__(word)


@dataclass(slots=True)
class _Begun:
    """The documents so far, as flat arrays: no object of a label or token is kept."""

    tags: TagNumbers
    lines: dict[str, int] = field(default_factory=dict)  # of each document's id
    first_token: array[int] = field(default_factory=lambda: array("i", [0]))
    first_of_sentence: array[int] = field(default_factory=lambda: array("i"))
    first_sentence: array[int] = field(default_factory=lambda: array("i", [0]))  # of documents
    vocabulary: _Words = field(default_factory=_Words)
    words: array[int] = field(default_factory=lambda: array("i"))
    gold: array[int] = field(default_factory=lambda: array("i"))
    has_gold: bool = False
    workers: Numbered = field(default_factory=Numbered)
    # An answer is what one worker said of one document.
    worker_of: array[int] = field(default_factory=lambda: array("i"))
    document_of: array[int] = field(default_factory=lambda: array("i"))
    labels: array[int] = field(default_factory=lambda: array("i"))  # of each of its tokens

    def add(self, line: int, fields: dict[str, Any], gold: bool) -> None:
        read_name(fields, line, self.lines)
        self.tags.line = line
        document, first = len(self.lines) - 1, self.first_token[-1]

        tokens = needed(fields, "tokens", list)
        extend(self.words, self.vocabulary, tokens, "tokens")
        self.first_token.append(first + len(tokens))
        starts = sentence_starts(fields.get("sent_starts"), len(tokens))
        self.first_of_sentence.extend(first + start for start in starts)
        self.first_sentence.append(len(self.first_of_sentence))

        for worker, tags in needed(fields, "workers", dict).items():
            if not worker:
                raise Refused("tagged.no_worker", "workers")
            path = f"workers.{shown(worker)}"
            check_tags(tags, len(tokens), path)
            self.worker_of.append(self.workers[worker])
            self.document_of.append(document)
            extend(self.labels, self.tags, tags, path)
        if not gold:
            return
        if fields.get("gold") is None:
            self.gold.extend(repeat(-1, len(tokens)))
            return
        check_tags(fields["gold"], len(tokens), "gold")
        extend(self.gold, self.tags, fields["gold"], "gold")
        self.has_gold = True

    def whole(self, clamp: bool) -> CrowdFile:
        if clamp and not self.has_gold:
            raise RefusedAt(0, "tagged.no_gold")
        first_token = np.asarray(self.first_token, dtype=np.int64)
        n_tokens = int(first_token[-1])
        token, worker, labels = self._labels(first_token)
        names = self.tags.names
        used = {names[i] for i in np.flatnonzero(np.bincount(labels, minlength=len(names)))}
        known = np.asarray(self.gold, dtype=np.int32)
        in_gold = {names[i] for i in np.unique(known[known >= 0]).tolist()}
        named = {f"B-{kind}" for kind in self.tags.types or ()}
        classes = ordered_tags(used | named | (in_gold if clamp else set()))
        known_classes = (*classes, *sorted(in_gold - {*classes}))
        number = renumbered(names, known_classes)

        sequences = CrowdSequences(
            token,
            worker,
            number[labels],
            starts=np.append(np.asarray(self.first_of_sentence, dtype=np.int64), n_tokens),
            n_workers=len(self.workers),
            tags=classes,
            words=np.asarray(self.words, dtype=np.int32),
            vocabulary=tuple(self.vocabulary),
            documents=np.asarray(self.first_sentence),
        )
        gold = np.full(n_tokens, -1)
        if len(known):
            gold[known >= 0] = number[known[known >= 0]]
        return CrowdFile(
            names=tuple(self.lines),
            starts=first_token,
            workers=tuple(self.workers),
            labels=sequences.token_labels(),
            sequences=sequences,
            classes=classes,
            known_classes=known_classes,
            gold=gold,
            untyped=self.tags.untyped,
        )

    def _labels(
        self, first_token: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        """Token, worker and number of the tag of each label, each of shape (n_labels,)."""
        labels = np.asarray(self.labels, dtype=np.int32)
        document = np.asarray(self.document_of, dtype=np.int32)
        length = np.diff(first_token)[document]
        given = labels >= 0
        # The tokens of an answer are those of its document, so the place among all that was said
        # is off by as much as its answer's first.
        off = (first_token[document] - (np.cumsum(length) - length)).astype(np.int32)
        token = np.arange(len(labels), dtype=np.int32) + np.repeat(off, length)
        worker = np.repeat(np.asarray(self.worker_of, dtype=np.int32), length)
        return token[given], worker[given], labels[given]


def extend(numbers: array[int], number: Mapping[Any, int], values: list[Any], path: str) -> None:
    """Add the number of each value; Refused names the token whose value has none."""
    before = len(numbers)
    try:
        numbers.extend(map(number.__getitem__, values))
    except Refused as refused:
        i = len(numbers) - before
        raise Refused.of(refused.problem.at(path, position=i + 1)) from refused
    except TypeError as error:  # a list or an object can't be looked up
        i = len(numbers) - before
        found = json_type(values[i])
        raise Refused("token.no_text", path, position=i + 1, found=found) from error


def json_type(value: Any) -> Problem:
    """What a value is, for a sentence."""
    return JSON_TYPES[type(value)]


def read_name(
    fields: dict[str, Any], line: int, lines: dict[str, int], wanted: str = NEEDED
) -> str:
    """The document's id, which is added to `lines`, those of the ids so far."""
    name: str = needed(fields, "id", str, wanted)
    if not name:
        raise Refused("tagged.no_id", "id")
    if name in lines:
        raise Refused("tagged.id_double", "id", id=shown(name), line=lines[name])
    lines[name] = line
    return name


def needed(fields: dict[str, Any], name: str, kind: type, wanted: str = NEEDED) -> Any:
    if name not in fields:
        raise Refused("tagged.field_missing", name, wanted=wanted)
    value = fields[name]
    if type(value) is not kind:
        wanted_type = JSON_TYPES[kind]
        raise Refused("value.type", name, found=json_type(value), wanted=wanted_type)
    return value


def check_tags(tags: Any, n_tokens: int, path: str) -> None:
    if type(tags) is not list:
        raise Refused("tags.no_list", path, found=json_type(tags))
    if len(tags) != n_tokens:
        has = Problem("word.tags", "", CATALOGUE, number=len(tags))
        wanted = Problem("word.tokens", "", CATALOGUE, number=n_tokens)
        raise Refused("tagged.tags", path, has=has, wanted=wanted)


def sentence_starts(starts: Any, n_tokens: int) -> list[int]:
    if starts is None:
        return [0] if n_tokens else []
    if type(starts) is not list or any(type(start) is not int for start in starts):
        raise Refused("starts.no_list", "sent_starts")
    if not n_tokens and starts in ([], [0]):
        return []
    if not starts or starts[0] != 0:
        if not starts:
            raise Refused("starts.empty", "sent_starts")
        raise Refused("starts.begin", "sent_starts", start=starts[0])
    for one, following in pairwise(starts):
        if following <= one:
            raise Refused("tagged.starts", "sent_starts", following=following, start=one)
    if starts[-1] >= n_tokens:
        raise Refused("starts.outside", "sent_starts", start=starts[-1], number=n_tokens)
    return starts
