"""Whether a file may be written, asked before anything is computed."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from aggregation.files.data import BadArgument
from aggregation.files.readers import format_of_name

FORMAT_WORDS = {"jsonl": "JSON lines", "csv": "CSV"}


def check_target(option: str, target: Path, source: str = "-") -> None:
    """`source` is the input's name, or "-". Raises ValueError with what to do."""
    if str(target) == "-":
        raise BadArgument("targets.no_file", option=option)
    if target.is_dir():
        raise BadArgument("targets.folder", option=option, file=target)
    if not target.parent.is_dir():
        raise BadArgument("targets.no_folder", folder=target.parent, option=option)
    if not os.access(target.parent, os.W_OK):
        raise BadArgument("targets.locked_folder", folder=target.parent, option=option)
    if source != "-" and same_file(Path(source), target):
        raise BadArgument("targets.input", option=option, file=target)
    # The superuser could write it all the same; whoever made it read-only did not want that.
    if target.exists() and not target.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        raise BadArgument("targets.read_only", option=option, file=target)


def check_format(out: Path, format: str) -> None:
    """The name must not promise another format than the input has."""
    if (format_of_name(out) or format) != format:
        raise BadArgument("targets.format", file=out, format=FORMAT_WORDS[format], ending=format)


def same_file(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve() or (
        one.exists() and other.exists() and one.samefile(other)
    )
