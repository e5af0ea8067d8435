"""Write a file whole or not at all."""

from __future__ import annotations

import gzip
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO, TextIO, cast


@contextmanager
def replaced(path: Path) -> Iterator[TextIO]:
    """A text file that takes the name `path` at the end of the block, packed where it ends in .gz.

    It is written beside. After an error what was there before is still there, and nothing else.
    """
    with replaced_bytes(path) as file, _text(file, packed=path.suffix == ".gz") as text:
        yield text


@contextmanager
def replaced_bytes(path: Path) -> Iterator[BinaryIO]:
    """As `replaced`, but of bytes, as they are."""
    descriptor, draft = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(draft, 0o666 & ~_umask())  # mkstemp lets nobody else read it
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise


@contextmanager
def standard_output(stream: Any) -> Iterator[TextIO]:
    """`stream`, a command's own, as UTF-8 whatever the locale says."""
    binary = getattr(stream, "buffer", None)
    if binary is None:  # what a test gives
        yield stream
        return
    text = TextIOWrapper(binary, encoding="utf-8", newline="\n")
    try:
        yield text
        text.flush()
    finally:
        text.detach()


@contextmanager
def _text(file: BinaryIO, packed: bool) -> Iterator[TextIO]:
    """`file` as UTF-8, whose end is written but which is not closed."""
    with ExitStack() as stack:
        if packed:
            # No time and no name inside: the same documents make the same bytes.
            file = cast(
                BinaryIO,
                stack.enter_context(
                    gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=0)
                ),
            )
        text = TextIOWrapper(file, encoding="utf-8", newline="\n")
        yield text
        text.detach()


def _umask() -> int:
    """The process's own, which can only be read by setting it."""
    umask = os.umask(0o077)
    os.umask(umask)
    return umask
