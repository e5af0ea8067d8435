"""Judgments as bytes: named integer vectors, read back as buffers and not as parsed JSON.

Layout, all little-endian: one byte, how many vectors; for each vector one byte with the length of
its name, the name in ASCII, one byte with the width of an integer (1, 2 or 4 bytes, signed), four
bytes with their number; then the integers of each vector in the same order.
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Mapping, Sequence

from annotation.sentences import CodedError

MISSING = -1  # the unit was not judged
UNDECIDED = -2  # and the worker has not said so: the card was never decided on
TYPECODES = {1: "b", 2: "h", 4: "i"}
LIMITS = {1: 2**7, 2: 2**15, 4: 2**31}


def pack(vectors: Mapping[str, Sequence[int]]) -> bytes:
    """Each vector in the narrowest width that holds it."""
    head, body = [struct.pack("<B", len(vectors))], []
    for name, values in vectors.items():
        widest = max(max(values, default=0), -min(values, default=0) - 1)
        width = next(width for width, limit in LIMITS.items() if widest < limit)
        numbers = array(TYPECODES[width], values)
        if sys.byteorder == "big":
            numbers.byteswap()
        head.append(struct.pack(f"<B{len(name)}sBI", len(name), name.encode(), width, len(values)))
        body.append(numbers.tobytes())
    return b"".join(head + body)


class Damaged(CodedError):
    """The bytes are not what `pack` writes; the code says how."""


def directory(data: bytes | memoryview) -> dict[str, tuple[int, int, int]]:
    """name → (offset in bytes, width in bytes, number of integers). Raises Damaged."""
    buffer = memoryview(data).cast("B")  # psycopg2 hands out characters
    position, entries = _entries(buffer)
    found = {}
    for name, width, count in entries:
        if width not in TYPECODES:
            raise Damaged("judgments.width", name=name, width=width)
        found[name] = (position, width, count)
        position += width * count
    if position != len(buffer):
        raise Damaged("judgments.size", expected=position, found=len(buffer))
    return found


def lengths(head: bytes | memoryview) -> dict[str, int]:
    """name → number of integers, by the first bytes alone, without the integers themselves. Raises
    Damaged."""
    _, entries = _entries(memoryview(head).cast("B"))
    return {name: count for name, _, count in entries}


def _entries(buffer: memoryview) -> tuple[int, list[tuple[str, int, int]]]:
    """Where the integers begin, and name, width and number of each vector."""
    position, entries = 1, []
    try:
        for _ in range(buffer[0]):
            length = buffer[position]
            name = bytes(buffer[position + 1 : position + 1 + length]).decode()
            position += 1 + length
            width, count = struct.unpack_from("<BI", buffer, position)
            position += 5
            entries.append((name, width, count))
    except (IndexError, struct.error, UnicodeDecodeError):
        raise Damaged("judgments.directory", found=len(buffer)) from None
    return position, entries


def unpack(data: bytes | memoryview) -> dict[str, list[int]]:
    """The vectors of `pack`; for tests and single rows. Bulk readers use `directory`."""
    buffer = memoryview(data).cast("B")  # psycopg2 hands out characters
    vectors = {}
    for name, (offset, width, count) in directory(buffer).items():
        numbers = array(TYPECODES[width], bytes(buffer[offset : offset + width * count]))
        if sys.byteorder == "big":
            numbers.byteswap()
        vectors[name] = numbers.tolist()
    return vectors
