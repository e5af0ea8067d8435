"""Whether a file may be written, asked before anything is computed."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from aggregation.files.readers import format_of_name

FORMAT_WORDS = {"jsonl": "JSON lines", "csv": "CSV"}


def check_target(option: str, target: Path, source: str = "-") -> None:
    """`source` is the input's name, or "-". Raises ValueError with what to do."""
    if str(target) == "-":
        raise ValueError(f"{option} - is no file. Name one.")
    if target.is_dir():
        raise ValueError(f"{option} {target} is a folder. Name a file.")
    if not target.parent.is_dir():
        raise ValueError(f"The folder {target.parent} of {option} is not there. Make it first.")
    if not os.access(target.parent, os.W_OK):
        raise ValueError(f"Nothing can be written to the folder {target.parent} of {option}.")
    if source != "-" and same_file(Path(source), target):
        raise ValueError(f"{option} {target} is the input. Name another file.")
    # The superuser could write it all the same; whoever made it read-only did not want that.
    if target.exists() and not target.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        raise ValueError(f"{option} {target} is there and read-only. Name another file.")


def check_format(out: Path, format: str) -> None:
    """The name must not promise another format than the input has."""
    if (format_of_name(out) or format) != format:
        raise ValueError(
            f"--out {out} would hold {FORMAT_WORDS[format]}, as the input does. End its name in "
            f".{format}."
        )


def same_file(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve() or (
        one.exists() and other.exists() and one.samefile(other)
    )
