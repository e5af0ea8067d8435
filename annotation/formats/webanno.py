"""WebAnno TSV 3, as WebAnno and INCEpTION export it: one document a file.

    #FORMAT=WebAnno TSV 3.3
    #T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value

    #Text=Ada was here.
    1-1  0-3    Ada  *  PER[1]
    1-2  4-7    was  _  _

The layer of named entities is read, or else the first layer of spans: its last feature, or the one
called `value`. `[1]` tells two names apart that touch; a stacked annotation (`PER[1]|LOC[2]`) keeps
its first. Offsets count UTF-16 code units.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from annotation.formats.documents import read_document
from annotation.formats.jsonl import decoded
from annotation.formats.offsets import CodeUnits
from annotation.formats.records import DocumentRecord, Refused, Rejected, Rules

HEAD = b"#FORMAT=WebAnno TSV 3"
LAYERS = ("#T_SP=", "#T_RL=", "#T_CH=")
STACKED = re.compile(r"(?<!\\)\|")
OFFSETS = re.compile(r"(\d+)-(\d+)")
FIRST_LAYER = 3  # the column of the first feature
LAYER = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
ESCAPES = {"\\\\": "\\", "\\n": "\n", "\\t": "\t", "\\r": "\r"}
SPECIAL = "\\[]|_->;*"


@dataclass(slots=True)
class _Draft:
    """What was read so far. Offsets are code units until the end."""

    column: int = -1  # of the feature that is read
    named: bool = False  # it is the layer of named entities
    width: int = FIRST_LAYER  # columns of the layers so far
    texts: list[str] = field(default_factory=list)  # of the sentence that begins, one a line
    text: str = ""
    tokens: list[list[int]] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)

    def add_layer(self, written: str) -> None:
        kind, _, told = written.partition("=")
        layer, *features = told.split("|")
        is_named = "NamedEntity" in layer
        if kind == "#T_SP" and (self.column < 0 or (is_named and not self.named)):
            self.named = is_named
            at = features.index("value") if "value" in features else len(features) - 1
            self.column = self.width + at
        self.width += len(features) + (kind == "#T_RL")  # a relation names the other end too

    def add_token(self, written: str) -> None:
        cells = written.split("\t")
        offsets = OFFSETS.fullmatch(cells[1]) if len(cells) >= FIRST_LAYER else None
        if offsets is None:
            raise Refused("webanno.columns", number=len(cells))
        if "." in cells[0]:  # a part of a token
            return
        start, end = int(offsets[1]), int(offsets[2])
        if self.texts:
            self._begin_sentence(start)
        self.tokens.append([start, end])
        inside = FIRST_LAYER <= self.column < len(cells)
        self.marks.append(STACKED.split(cells[self.column])[0] if inside else "_")

    def _begin_sentence(self, start: int) -> None:
        sentence = "\n".join(self.texts)
        blanks = start - (len(sentence) - len(sentence.lstrip())) - _units(self.text)
        self.text += " " * blanks + sentence
        self.starts.append(len(self.tokens))
        self.texts = []

    def fields(self, name: str) -> dict[str, Any]:
        units = CodeUnits(self.text)
        tokens = [[units.code_point(start), units.code_point(end)] for start, end in self.tokens]
        found: dict[str, Any] = {
            "id": name, "text": self.text, "tokens": tokens, "sent_starts": self.starts,
        }  # fmt: skip
        if self.column >= 0:
            found["gold"] = {"mentions": _mentions(tokens, self.marks)}
        return found


def read(
    lines: Iterable[tuple[int, bytes | None]], name: str, rules: Rules
) -> Iterator[DocumentRecord | Rejected]:
    draft, last = _Draft(), 1
    try:
        for number, line in lines:
            last = number
            if line is None:
                raise Refused("line.long", most=rules.max_line_bytes)
            written = decoded(line).rstrip("\r")
            if written.startswith(LAYERS):
                draft.add_layer(written)
            elif written.startswith("#Text="):
                draft.texts.append(_unescaped(written.removeprefix("#Text=")))
            elif written.strip() and not written.startswith("#"):
                draft.add_token(written)
        if not draft.tokens:
            raise Refused("words.none")
        yield read_document(draft.fields(rules.stem), 1, rules)
    except Refused as refused:
        yield Rejected(last, refused.problem, rules.stem)


def write(text: str, tokens: list[list[int]], sentences: list[list[int]],
          mentions: list[tuple[int, int, str]]) -> str:  # fmt: skip
    """A file of one document; `mentions` are [first, last) tokens with types, none in another."""
    units = CodeUnits(text)
    marks = ["_"] * len(tokens)
    for number, (first, last, name) in enumerate(sorted(mentions), start=1):
        for i in range(first, last):
            marks[i] = f"{_escaped(name)}[{number}]"
    parts = ["#FORMAT=WebAnno TSV 3.3\n", f"#T_SP={LAYER}|identifier|value\n", "\n"]
    for number, (first, last) in enumerate(sentences, start=1):
        start = tokens[first][0]
        # What stands between two sentences goes with the first, so that no character is lost.
        end = tokens[last][0] if last < len(tokens) else len(text)
        inside = text[start:end].rstrip()
        parts.append("\n#Text=" + _escaped_text(inside) + "\n")
        for i in range(first, last):
            start, end = (units.unit(place) for place in tokens[i])
            word = text[tokens[i][0] : tokens[i][1]]
            identifier = "_" if marks[i] == "_" else "*" + marks[i][marks[i].rindex("[") :]
            parts.append(
                f"{number}-{i - first + 1}\t{start}-{end}\t{word}\t{identifier}\t{marks[i]}\t\n"
            )
    return "".join(parts)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _mentions(tokens: list[list[int]], marks: list[str]) -> list[dict[str, Any]]:
    """A name goes on while its mark, number and all, does; one without a number is one token."""
    found: list[dict[str, Any]] = []
    before = ""
    for (start, end), mark in zip(tokens, marks, strict=True):
        if mark not in ("_", "*", ""):
            if mark == before and mark.endswith("]"):
                found[-1]["end"] = end
            else:
                name = _unescaped(mark[: mark.rindex("[")] if mark.endswith("]") else mark)
                if name == "*":
                    raise Refused("webanno.no_type")
                found.append({"start": start, "end": end, "type": name})
        before = mark
    return found


def _escaped(name: str) -> str:
    return "".join(f"\\{one}" if one in SPECIAL else one for one in name)


def _escaped_text(text: str) -> str:
    for after, before in ESCAPES.items():
        text = text.replace(before, after)
    return text


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    parts, at = [], 0
    while at < len(text):
        pair = text[at : at + 2]
        if pair in ESCAPES:
            parts.append(ESCAPES[pair])
            at += 2
        elif text[at] == "\\" and pair[1:] in SPECIAL:
            parts.append(pair[1:])
            at += 2
        else:
            parts.append(text[at])
            at += 1
    return "".join(parts)
