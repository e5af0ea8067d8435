"""What kind of picture a file holds and how large it is drawn, from its own first bytes."""

from __future__ import annotations

import struct

from annotation.formats.records import FormatError

# What every browser shows. No SVG: it can hold scripts.
KINDS = {"png": "image/png", "jpg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"}
SIZES = frozenset({0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF})


def read_picture(data: bytes) -> tuple[str, int, int]:
    """(kind, width, height), the kind as a file's ending. Raises FormatError."""
    for begins, kind, size in (
        (b"\x89PNG\r\n\x1a\n", "png", _size_of_png),
        (b"\xff\xd8\xff", "jpg", _size_of_jpeg),
        (b"GIF8", "gif", _size_of_gif),
        (b"RIFF", "webp", _size_of_webp),
    ):
        if data.startswith(begins):
            try:
                width, height = size(data)
            except (struct.error, IndexError, ValueError) as error:
                raise FormatError("picture.damaged", kind=kind) from error
            if width and height:
                return kind, width, height
            raise FormatError("picture.empty")
    raise FormatError("picture.unknown")


def _size_of_png(data: bytes) -> tuple[int, int]:
    return struct.unpack_from(">II", data, 16)


def _size_of_gif(data: bytes) -> tuple[int, int]:
    return struct.unpack_from("<HH", data, 6)


def _size_of_jpeg(data: bytes) -> tuple[int, int]:
    """Segment by segment up to the one that names the size."""
    at = 2
    while True:
        while data[at] != 0xFF or data[at + 1] in (0x00, 0xFF):
            at += 1
        marker = data[at + 1]
        if marker in SIZES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        if marker == 0xD9:
            raise ValueError("the picture ends before it begins")
        at += 2 if 0xD0 <= marker <= 0xD8 else 2 + struct.unpack_from(">H", data, at + 2)[0]


def _size_of_webp(data: bytes) -> tuple[int, int]:
    if data[8:12] != b"WEBP":
        raise ValueError("RIFF, but no WebP")
    kind = data[12:16]
    if kind == b"VP8X":
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
        return (width, height) if len(data) >= 30 else (0, 0)
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    raise ValueError("no known kind of WebP")
