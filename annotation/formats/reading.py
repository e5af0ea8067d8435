"""Open a file of documents in whatever format, and read it to its end."""

from __future__ import annotations

import os
from collections.abc import Iterator

from annotation.formats import conll, jsonl
from annotation.formats.records import DocumentRecord, Rejected, Rules
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
    ):
        super().__init__(path, name)
        self.rules = rules
        try:
            self.format = self._found_format() if format == "auto" else format
        except BaseException:
            self.close()
            raise

    def __iter__(self) -> Iterator[DocumentRecord | Rejected]:
        lines = self.lines(self.rules.max_line_bytes)
        return READERS[self.format](lines, self.name, self.rules)

    def _found_format(self) -> str:
        name = self.name.lower().removesuffix(".gz")
        for ending, format in ENDINGS.items():
            if name.endswith(ending):
                return format
        return "jsonl" if self.head().startswith(b"{") else "conll"
