"""Pictures that tasks show: kept in DATA_DIR under the digest of what they hold.

Whoever knows the digest may see the picture: a worker's page has no cookie to be known by. It can't
be guessed but by somebody who has the picture already.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from django.conf import settings

from annotation.formats.pictures import KINDS, read_picture
from annotation.formats.records import FormatError

MOST_BYTES = 8 * 1024 * 1024
NAME = re.compile(rf"[0-9a-f]{{32}}\.({'|'.join(KINDS)})")


def looked_at(path: Path) -> tuple[bytes, str, int, int]:
    """(content, kind, width, height) of a file. Raises FormatError."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise FormatError("picture.unreadable", why=error.strerror) from error
    if len(data) > MOST_BYTES:
        raise FormatError("picture.large", most=MOST_BYTES // 1024**2)
    return (data, *read_picture(data))


def keep_picture(path: Path) -> dict[str, str | int]:
    """`file`, its name from now on, with `width` and `height`. Raises FormatError, OSError."""
    data, kind, width, height = looked_at(path)
    name = f"{hashlib.blake2b(data, digest_size=16).hexdigest()}.{kind}"
    target = _folder() / name
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_name(f"{name}.{os.getpid()}")  # whole at any moment, or not there
        draft.write_bytes(data)
        draft.replace(target)
    return {"file": name, "width": width, "height": height}


def find_picture(name: str) -> Path | None:
    path = _folder() / name
    return path if NAME.fullmatch(name) and path.is_file() else None


def _folder() -> Path:
    return Path(settings.DATA_DIR, "pictures")
