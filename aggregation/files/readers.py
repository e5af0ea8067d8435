"""Read a file of labels: JSON lines of documents, or CSV of items."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from aggregation.files import data, items, tagged
from aggregation.files.data import BadFile, CrowdFile, RefusedAt
from annotation.formats.records import FormatError, Refused
from annotation.formats.source import Source

T = TypeVar("T")

ENDINGS = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl"}
READERS: dict[str, Callable[..., CrowdFile]] = {"csv": items.read, "jsonl": tagged.read}
LONGEST = 256 * 1024 * 1024  # bytes of a line: a document of some million labels


def format_of_name(path: str | os.PathLike[str]) -> str | None:
    """ "csv" or "jsonl" by the ending, .gz or not; None where it says nothing."""
    name = os.path.basename(path).lower().removesuffix(".gz")
    return ENDINGS.get(os.path.splitext(name)[1])


class LabelFile(Source):
    """An open file of labels, to be read once. Raises BadFile.

    `format` is found without reading the file: by its name, else by the first character.
    """

    format: str

    def __init__(self, path: str | os.PathLike[str]):
        try:
            super().__init__(path, None if path == "-" else os.fspath(path))
            try:
                self.format = format_of_name(path) or self._format_of_head()
            except BaseException:
                self.close()
                raise
        except FormatError as error:
            raise BadFile.of(error.problem) from error

    def read(
        self,
        *,
        gold: bool = False,
        clamp: bool = False,
        classes: Sequence[str] | None = None,
        repeated: data.Repeated = "refuse",
        advance: Callable[[int], None] | None = None,
    ) -> CrowdFile:
        """Everything in the file.

        With `gold` what is known of the truth is read too, to score with; with `clamp` to learn
        from, so that what only gold says is a class. Without either it is not looked at.
        `classes` are the only ones allowed (of tags: the types), and give the order of an item's.
        `repeated` is what counts where a worker judged an item more than once; a document has
        each worker once. `advance` is told how many bytes of the file were read.
        """
        options: dict[str, Any] = {"gold": gold or clamp, "clamp": clamp, "classes": classes}
        if self.format == "csv":
            options["repeated"] = repeated
        reader = READERS[self.format]
        return self.parsed(lambda lines: reader(lines, **options), advance)

    def parsed(
        self,
        reader: Callable[[Iterator[tuple[int, bytes]]], T],
        advance: Callable[[int], None] | None = None,
    ) -> T:
        """What `reader` makes of the numbered lines; what it refuses is told as BadFile."""
        try:
            return reader(self._lines_with_progress(advance))
        except Refused as refused:
            line = refused.line if isinstance(refused, RefusedAt) else self.line
            where = f"{self.name}, line {line}" if line else self.name
            if refused.path:
                where = f"{where}, {refused.path}"
            raise BadFile("files.refused", where=where, why=refused) from refused
        except FormatError as error:
            raise BadFile.of(error.problem) from error

    def _format_of_head(self) -> str:
        return "jsonl" if self.head().startswith((b"{", b"[")) else "csv"

    def _lines_with_progress(
        self, advance: Callable[[int], None] | None
    ) -> Iterator[tuple[int, bytes]]:
        told = 0
        for number, line in self.lines(LONGEST, every_blank=True):
            if advance is not None and self.taken != told:
                advance(self.taken - told)
                told = self.taken
            if line is None:
                raise data.Refused("line.cut", most=LONGEST)
            yield number, line


def read_file(
    path: str | os.PathLike[str],
    *,
    gold: bool = False,
    clamp: bool = False,
    classes: Sequence[str] | None = None,
    repeated: data.Repeated = "refuse",
    advance: Callable[[int], None] | None = None,
) -> CrowdFile:
    """`LabelFile.read` of a file by its name. Raises BadFile."""
    with LabelFile(path) as file:
        return file.read(
            gold=gold, clamp=clamp, classes=classes, repeated=repeated, advance=advance
        )
