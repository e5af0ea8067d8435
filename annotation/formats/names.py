"""A list of names that are to be found in texts: a name and its type a line, a tab between them.

    Ada Lovelace	PER	Q7259
    London	LOC

The third column, a key of the knowledge base, may be missing. Lines that begin with # are notes.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from annotation.formats.jsonl import decoded
from annotation.formats.records import Refused, Rejected
from annotation.formats.source import Source
from annotation.formats.tables import tab_cells
from annotation.interfaces.values import LONGEST_LINK
from annotation.sentences import shown

LONGEST_LINE = 4096
COLUMNS = (2, 3)


@dataclass(frozen=True, slots=True)
class ListedName:
    line: int
    name: str
    type: str
    link: str | None = None


def read_names(
    path: str | os.PathLike[str], types: Collection[str]
) -> Iterator[ListedName | Rejected]:
    """In the file's order. Raises FormatError where it can't be read on."""
    first: dict[str, ListedName] = {}
    with Source(path) as source:
        for number, line in source.lines(LONGEST_LINE):
            if line is not None and (not line.strip() or line.startswith(b"#")):
                continue
            try:
                found = _read(line, number, types)
                before = first.setdefault(found.name, found)
                if before.type != found.type:
                    there = {"type": before.type, "line": before.line}
                    raise Refused("names.two_types", "type", name=shown(found.name), **there)
            except Refused as refused:
                yield Rejected(number, refused.problem)
            else:
                yield found


def _read(line: bytes | None, number: int, types: Collection[str]) -> ListedName:
    if line is None:
        raise Refused("line.long", most=LONGEST_LINE)
    cells = [" ".join(cell.split()) for cell in tab_cells(decoded(line))]
    if len(cells) not in COLUMNS:
        raise Refused("names.columns", number=len(cells))
    name, kind = cells[:2]
    if not name:
        raise Refused("names.missing", "name")
    if kind not in types:
        raise Refused("names.type", "type", type=shown(kind), types=list(types))
    link = cells[2] if len(cells) > 2 else ""
    if len(link) > LONGEST_LINK:
        raise Refused("names.key_long", "key", number=len(link), most=LONGEST_LINK)
    return ListedName(number, name, kind, link or None)
