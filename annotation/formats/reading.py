"""Open a file of documents in whatever format, and read it to its end."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterator

from annotation.formats import conll, jsonl
from annotation.formats.records import DocumentRecord, FormatError, Rejected, Rules
from annotation.formats.source import Source

READERS = {"jsonl": jsonl.read, "conll": conll.read}
ENDINGS = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".conll": "conll",
    ".iob": "conll",
    ".iob2": "conll",
    ".bio": "conll",
    ".tsv": "conll",
}
TABLE_HEADER = re.compile(rb"[\"\w .-]+([,;][\"\w .-]*)+", re.ASCII)
TABLE_COLUMNS = {b"id", b"text", b"title", b"document"}


class Reader(Source):
    """An open file that yields its documents. Raises FormatError where it can't be read on.

    `format` "auto" goes by the file's name, else by its first byte that is not blank.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        rules: Rules,
        format: str = "auto",
        name: str | None = None,
        seconds: float | None = None,
    ):
        super().__init__(path, name, seconds)
        self.rules = rules
        try:
            self.format = self._detected_format() if format == "auto" else format
        except BaseException:
            self.close()
            raise

    def __iter__(self) -> Iterator[DocumentRecord | Rejected]:
        lines = self.lines(self.rules.max_line_bytes)
        return READERS[self.format](lines, self.name, self.rules)

    def _detected_format(self) -> str:
        name = self.name.lower().removesuffix(".gz")
        for ending, format in ENDINGS.items():
            if name.endswith(ending):
                return format
        head = self.head()
        if name.endswith(".csv") or _is_table(head):
            raise FormatError("file.table", file=self.name)
        return "jsonl" if head.startswith(b"{") else "conll"


def _is_table(head: bytes) -> bool:
    """Whether a file begins with the header of a CSV table."""
    first = head.removeprefix(codecs.BOM_UTF8).splitlines()[:1]
    if not first or not TABLE_HEADER.fullmatch(first[0]):
        return False
    names = {name.strip(b' "').lower() for name in re.split(rb"[,;]", first[0])}
    return bool(names & TABLE_COLUMNS)
