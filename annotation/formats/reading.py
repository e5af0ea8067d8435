"""Open a file of documents in whatever format, and read it to its end."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from annotation.formats import brat, columns, conll, conllu, json_array, jsonl, plain, webanno
from annotation.formats.dialects import dialect_of, documents_of
from annotation.formats.records import DocumentRecord, FormatError, Refused, Rejected, Rules
from annotation.formats.source import Source

Lines = Iterable[tuple[int, bytes | None]]
READERS: dict[str, Callable[[Lines, str, Rules], Iterator[DocumentRecord | Rejected]]] = {
    "jsonl": jsonl.read,
    "conll": conll.read,
    "conllu": conllu.read,
    "webanno": webanno.read,
    "text": plain.read,
}
# These are read as a whole, and so of a limited size.
WHOLE: dict[str, Callable[[bytes, str, Rules], Iterator[DocumentRecord | Rejected]]] = {
    "json": json_array.read,
    "csv": columns.read,
}
LARGEST = max(json_array.LARGEST, columns.LARGEST)
FORMATS = (*READERS, *WHOLE, "brat")
ENDINGS = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".conllu": "conllu",
    ".conll": "conll",
    ".iob": "conll",
    ".iob2": "conll",
    ".bio": "conll",
    ".csv": "csv",
}
ZIP = b"PK\x03\x04"
LOOKED_AT = 20  # lines by which plain text is told from CoNLL
FIRST_LINE = re.compile(rb"[^\r\n]*[^\s][^\r\n]*")
UNITS = re.compile(r"\d+(-\d+|\.\d+)?")


class Reader(Source):
    """An open file that yields its documents. Raises FormatError where it can't be read on.

    `format` "auto" goes by the file's name and by how it begins. `uses` says which columns of a
    table are the text, the id and the title; without, they are guessed.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        rules: Rules,
        format: str = "auto",
        name: str | None = None,
        seconds: float | None = None,
        uses: Mapping[str, str] | None = None,
    ):
        self._path = path
        chosen = uses or {}
        with suppress(OSError):
            if path != "-" and format in ("auto", "brat"):
                with open(path, "rb") as file:
                    format = "brat" if file.read(4) == ZIP else format
        super().__init__(path, name, seconds)
        stem = self.name.removesuffix(".gz")
        stem = stem.rpartition(".")[0] or stem
        self.rules = replace(rules, stem=stem, columns=tuple(chosen.items()))
        try:
            self.format = self._detected_format() if format == "auto" else format
            self._look()
        except BaseException:
            self.close()
            raise

    def __iter__(self) -> Iterator[DocumentRecord | Rejected]:
        if self.format == "brat":
            if self._path == "-":
                raise FormatError("file.zip_from_pipe", file=self.name)
            return brat.read(self._path, self.name, self.rules)
        if self.format in WHOLE:
            return WHOLE[self.format](self.content(LARGEST), self.name, self.rules)
        lines = self.lines(self.rules.max_line_bytes, every_blank=self.format == "text")
        return READERS[self.format](lines, self.name, self.rules)

    def column_names(self) -> list[str]:
        """Of a table; else none."""
        return columns.header_of(self.beginning())[0] if self.format == "csv" else []

    def guessed_uses(self) -> dict[str, str]:
        """Use → column of a table, as it is read where nobody chooses."""
        return columns.guessed_uses(self.beginning()) if self.format == "csv" else {}

    def _detected_format(self) -> str:
        beginning = self.beginning()
        if beginning.startswith(webanno.HEAD):
            return "webanno"
        name = self.name.lower().removesuffix(".gz")
        for ending, format in ENDINGS.items():
            if name.endswith(ending):
                return "conllu" if format == "conll" and _is_conllu(beginning) else format
        if beginning.startswith(b"["):
            return "json"
        if beginning.startswith(b"{"):
            return "jsonl"
        if _is_conllu(beginning):
            return "conllu"
        if name.endswith(".tsv"):
            return "conll" if _is_conll(beginning) else "csv"
        if columns.is_table(beginning):
            return "csv"
        return "conll" if _is_conll(beginning) and not name.endswith(".txt") else "text"

    def _look(self) -> None:
        """What the first document says of the others."""
        if self.format == "text":
            whole = b"\n".join(line.strip() for line in self.beginning().split(b"\n"))
            self.rules = replace(self.rules, paragraphs=b"\n\n" in whole)
        first = self._first_document() if self.format in ("json", "jsonl") else None
        if first is None:
            return
        dialect = dialect_of(first)
        with suppress(Refused, StopIteration):
            fields = next(documents_of(first, dialect))
            ids_from = self.rules.stem if fields.get("id") is None else ""
            self.rules = replace(self.rules, dialect=dialect, ids_from=ids_from)

    def _first_document(self) -> Any:
        """None where it can't be told: reading says what is wrong with it."""
        beginning = self.beginning()
        try:
            if self.format == "json":
                text = beginning.decode(errors="ignore")
                start = json_array.past_blanks(text, 1)
                return json.JSONDecoder().raw_decode(text, start)[0]
            found = FIRST_LINE.search(beginning)
            return json.loads(found[0]) if found else None
        except (ValueError, RecursionError):
            return None


def _lines_of(beginning: bytes) -> list[str]:
    """The first whole lines that say something."""
    text = beginning.decode(errors="replace")
    lines = text.splitlines()[: None if len(beginning) < 200_000 else -1]
    told = [line for line in lines if line.strip() and not line.startswith("#")]
    return told[:LOOKED_AT]


def _is_conllu(beginning: bytes) -> bool:
    lines = _lines_of(beginning)
    cells = [line.split("\t") for line in lines]
    return bool(cells) and all(
        len(row) == conllu.COLUMNS and UNITS.fullmatch(row[0]) for row in cells
    )


def _is_conll(beginning: bytes) -> bool:
    """A word a line: alone, or with its tag in the last column."""
    lines = _lines_of(beginning)
    if not lines:
        return True
    if any(line.startswith("-DOCSTART-") for line in lines):
        return True
    rows = [line.split() for line in lines]
    return all(len(row) == 1 or conll.TAG.fullmatch(row[-1]) for row in rows)
