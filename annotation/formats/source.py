"""A file as numbered lines: plain or gzip, in one pass, and in memory of a fixed size."""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, BinaryIO, Self

from annotation.formats.records import FormatError, TimeOver

CHUNK = 256 * 1024
GZIP = b"\x1f\x8b"
BOMB_SIZE = 64 * 1024 * 1024  # unpacked bytes from which on the ratio is looked at
BOMB_RATIO = 200

UTF8_MARK = b"\xef\xbb\xbf"
# Longest first: the mark of UTF-16 is the beginning of UTF-32's.
OTHER_MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
ARCHIVES = {
    b"PK\x03\x04": "zip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}


class Source:
    """An open file, for one reading. `path` "-" is the standard input; `name` stands in messages
    where the file's own name says nothing.

    With `seconds` it raises TimeOver when these are over: the clock is looked at for each chunk,
    whatever a reader makes of it, so that no file, however odd, holds a process for longer.
    `taken` counts the bytes read so far, packed ones where the file is packed; `line` is the
    number of the last complete line.
    """

    def __init__(
        self, path: str | os.PathLike[str], name: str | None = None, seconds: float | None = None
    ):
        self.name = name or ("stdin" if path == "-" else Path(path).name)
        self.taken = self.line = 0
        self._deadline = None if seconds is None else monotonic() + seconds
        self._file = _opened(path, name)
        self._chunks = self._text_chunks()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        if self._file is not sys.stdin.buffer:
            self._file.close()

    def head(self) -> bytes:
        """The first bytes that are not blank, without using them up; empty for a blank file."""
        return self.beginning().strip()[:64]

    def beginning(self) -> bytes:
        """A whole chunk, from the first byte that is not blank on; it is not used up."""
        for chunk in self._chunks:
            if not chunk.isspace():
                self._chunks = chain([chunk], self._chunks)
                return chunk.lstrip()
            self.line += chunk.count(b"\n")  # and not held: there may be no end of them
        return b""

    def content(self, most: int) -> bytes:
        """The rest as a whole; no more than `most` bytes and a chunk are held."""
        found, size = [], 0
        for chunk in self._chunks:
            found.append(chunk)
            size += len(chunk)
            if size > most:
                break
        return b"".join(found)

    def check_time(self) -> None:
        """Raises TimeOver."""
        if self._deadline is not None and monotonic() > self._deadline:
            raise TimeOver(self.name, self.line)

    def lines(
        self, longest: int, *, every_blank: bool = False
    ) -> Iterator[tuple[int, bytes | None]]:
        """(number from 1, the line without its end), or None in the place of a longer line."""
        for first, run in self.runs(longest, every_blank=every_blank):
            for self.line, line in enumerate(run, first):
                yield self.line, line

    def runs(
        self, longest: int, *, every_blank: bool = False
    ) -> Iterator[tuple[int, list[bytes | None]]]:
        """The same by runs of lines that follow each other: (number of the first, the lines).

        A longer line is read past in chunks and never held. Of a whole chunk of blank lines only
        the last is given, with its number, unless `every_blank` (a cell of CSV may hold them).
        """
        begun: list[bytes] = []
        size = 0
        for chunk in self._chunks:
            if not every_blank and chunk.isspace() and (ends := chunk.count(b"\n")) > 2:
                begun.append(chunk[: chunk.index(b"\n")])
                self.line += 1
                yield self.line, [_line(begun, size + len(begun[-1]), longest)]
                begun, size = [], 0
                self.line += ends - 2
                chunk = chunk[chunk.rindex(b"\n") :]
            head, *run = chunk.split(b"\n")
            begun.append(head)
            size += len(head)
            if run:
                rest = run.pop()
                first, self.line = self.line + 1, self.line + 1 + len(run)
                whole: list[bytes | None] = [_line(begun, size, longest)]
                whole += _lines(run, longest) if longest < len(chunk) or b"\r" in chunk else run
                yield first, whole
                begun, size = [rest], len(rest)
            if size > longest:
                begun.clear()
        if size:
            self.line += 1
            yield self.line, [_line(begun, size, longest)]

    def _read(self) -> bytes:
        try:
            data = self._file.read(CHUNK)
        except OSError as error:
            raise FormatError("file.broken_off", **self._here(), why=error.strerror) from error
        self.taken += len(data)
        return data

    def _here(self) -> dict[str, Any]:
        return {"file": self.name, "line": self.line}

    def _text_chunks(self) -> Iterator[bytes]:
        """The unpacked bytes without the mark that UTF-8 may begin with."""
        chunks = self._unpacked()
        head = next(chunks, b"")
        while len(head) < 4 and (more := next(chunks, b"")):
            head += more
        for mark, name in OTHER_MARKS.items():
            if head.startswith(mark):
                raise FormatError("file.encoding", file=self.name, encoding=name)
        yield head.removeprefix(UTF8_MARK)
        for chunk in chunks:
            self.check_time()
            yield chunk

    def _unpacked(self) -> Iterator[bytes]:
        data = self._read()
        for mark, name in ARCHIVES.items():
            if data.startswith(mark):
                raise FormatError("file.packed", file=self.name, packer=name)
        if data.startswith(GZIP):
            yield from self._gunzipped(data)
            return
        while data:
            yield data
            data = self._read()

    def _gunzipped(self, data: bytes) -> Iterator[bytes]:
        """The members of a gzip file, one after the other, in chunks that are never larger."""
        unpacked = 0
        member = zlib.decompressobj(wbits=31)
        while True:
            self.check_time()  # a member may be empty, and there may be millions of them
            try:
                chunk = member.decompress(data, CHUNK)
            except zlib.error as error:
                raise FormatError("file.damaged", **self._here(), why=str(error)) from error
            unpacked += len(chunk)
            if unpacked > max(BOMB_SIZE, BOMB_RATIO * self.taken):
                sizes = {"packed": self.taken, "unpacked": unpacked, "most": BOMB_RATIO}
                raise FormatError("file.bomb", **self._here(), **sizes)
            if chunk:
                yield chunk
            if member.eof:
                data = member.unused_data.lstrip(b"\0") or self._read().lstrip(b"\0")
                if not data:
                    return
                member = zlib.decompressobj(wbits=31)
                continue
            data = member.unconsumed_tail or self._read()
            if not data and not chunk:
                raise FormatError("file.cut", **self._here())


def _lines(pieces: Iterable[bytes], longest: int) -> list[bytes | None]:
    return [_line([piece], len(piece), longest) for piece in pieces]


def _line(pieces: list[bytes], size: int, longest: int) -> bytes | None:
    """Of the pieces that a line was read in, as far as they were held."""
    return b"".join(pieces).removesuffix(b"\r") if size <= longest else None


def _opened(path: str | os.PathLike[str], name: str | None) -> BinaryIO:
    if path == "-":
        return sys.stdin.buffer
    try:
        return open(path, "rb")
    except OSError as error:
        raise FormatError("file.not_opened", file=name or path, why=error.strerror) from error
