"""What kind of picture a file holds and how large it is."""

from __future__ import annotations

import struct

import pytest

from annotation.formats.pictures import read_picture
from annotation.formats.records import FormatError

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 640, 480)
GIF = b"GIF89a" + struct.pack("<HH", 640, 480)
START, REST = b"\xff\xd8", b"\xff\xe0" + struct.pack(">H", 6) + b"JFIF"
SIZE = b"\xff\xc2" + struct.pack(">HBHH", 11, 8, 480, 640)
WEBP = {
    kind: b"RIFF" + bytes(4) + b"WEBP" + kind + bytes(4) + rest
    for kind, rest in {
        b"VP8X": bytes(4) + (639).to_bytes(3, "little") + (479).to_bytes(3, "little"),
        b"VP8L": b"\x2f" + struct.pack("<I", 639 | 479 << 14),
        b"VP8 ": bytes(6) + struct.pack("<HH", 640, 480),
    }.items()
}


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "png"),
        (GIF, "gif"),
        (START + REST + SIZE, "jpg"),
        (START + REST + b"\xff\xff" + SIZE, "jpg"),  # filled up between two segments
        *((data, "webp") for data in WEBP.values()),
    ],
)
def test_the_size_is_read_from_the_first_bytes(data, kind):
    assert read_picture(data) == (kind, 640, 480)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no picture that browsers show"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "Save it as PNG"),
        (b"%PDF-1.7", "no picture"),
        (PNG[:20], "damaged"),
        (START + REST, "damaged"),
        (START + REST + b"\xff\xd9", "damaged"),
        (b"RIFF" + bytes(4) + b"WAVEfmt ", "damaged"),
        (WEBP[b"VP8L"][:22], "damaged"),
        (b"GIF89a" + bytes(4), "0 pixels"),
    ],
)
def test_what_is_no_picture_is_refused(data, message):
    with pytest.raises(FormatError, match=message):
        read_picture(data)
