"""What was learnt, in a file: a zip of plain arrays (`npz`) in which nothing is pickled, so that to
load one from anywhere runs nothing. Each says what it is, and of which version.
"""

from __future__ import annotations

import os
import secrets
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.fitted_state import State

Found = TypeVar("Found")

# What zipfile and NumPy raise for a file that is none of theirs, cut short, or made up.
UNREADABLE = (
    ValueError,
    EOFError,
    KeyError,
    MemoryError,
    RuntimeError,
    SyntaxError,
    TypeError,
    struct.error,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)


@dataclass(frozen=True, slots=True)
class ArrayFiles:
    """Files of one format, which go up to `version`. In errors one is a `noun`, and `written_by`
    says what to give instead of a file that is none."""

    format: str
    version: int
    noun: str
    written_by: str

    def save(self, file: str | os.PathLike[str] | BinaryIO, state: Mapping[str, Any]) -> None:
        """At a path, whole or not at all, or in an open file."""
        whole: dict[str, Any] = {
            "format": np.array(self.format), "version": np.array(self.version), **state
        }  # fmt: skip
        if not isinstance(file, str | os.PathLike):
            np.savez_compressed(file, allow_pickle=False, **whole)
            return
        path = Path(file)
        draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            with open(draft, "xb") as opened:
                np.savez_compressed(opened, allow_pickle=False, **whole)
                opened.flush()
                os.fsync(opened.fileno())
            os.replace(draft, path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise

    def load(
        self,
        file: str | os.PathLike[str] | BinaryIO,
        restored: Callable[[Mapping[str, NDArray[Any]]], Found],
    ) -> Found:
        """What `restored` makes of the arrays that `save` has stored.

        Raises OSError where the file can't be read, and ValueError where it is of another format,
        is damaged, or is of a newer version.
        """
        name = "the file"
        if isinstance(file, str | os.PathLike):
            name = Path(file).name
            with open(file, "rb") as opened:
                state = self._arrays(opened, name)
        else:
            state = self._arrays(file, name)
        if str(state.get("format")) != self.format or "version" not in state:
            raise ValueError(f"{name} is no {self.noun}: {self.written_by}")
        version = state["version"]
        if version.shape != () or version.dtype.kind not in "iu" or version < 1:
            raise ValueError(f"{name} is a damaged {self.noun}: it has no version")
        if version > self.version:
            raise ValueError(
                f"{name} is a {self.noun} of version {version}, but this program reads up to "
                f"{self.version}: use a newer one"
            )
        try:
            return restored(state)
        except UNREADABLE as e:
            raise ValueError(f"{name} is a damaged {self.noun}: {e}") from e

    def _arrays(self, file: BinaryIO, name: str) -> State:
        """Everything that the file holds. Raises ValueError where it can't be read as arrays."""
        try:
            opened = np.load(file, allow_pickle=False)
            if not isinstance(opened, np.lib.npyio.NpzFile):
                raise ValueError("it is a single array")
            with opened:
                return {key: opened[key] for key in opened.files}
        except UNREADABLE as e:
            raise ValueError(
                f"{name} is no {self.noun}, or was cut short: {self.written_by}"
            ) from e
