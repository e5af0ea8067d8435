"""Relation types as a table: CSV with its columns named in the first line.

    name,subject,object,inverse,symmetric,button,sentence,icon
    per:place_of_birth,PER,GPE,,no,born in,{subject} was born in {object},per-place-of-birth

`name`, `subject` and `object` are needed; types stand in one column with blanks between them.
Where there is no icon, the name with hyphens is its name. Relations of one `group` stand together
on the worker's page.
"""

from __future__ import annotations

import os
import re
from itertools import zip_longest
from pathlib import Path
from typing import Any

from annotation.formats.records import FormatError
from annotation.formats.tables import BrokenTable, csv_rows

RELATION_TYPES = Path(__file__).with_name("relations.csv")  # 25 of people, firms and places
COLUMNS = (
    "name", "subject", "object", "inverse", "symmetric", "button", "sentence", "icon", "group",
)  # fmt: skip
NEEDED = COLUMNS[:3]
YES_OR_NO = {"yes": True, "true": True, "no": False, "false": False, "": False}
LARGEST = 1_000_000  # bytes; 200 relations with long wordings are a tenth of it


def read_relation_types(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """What a schema has under "relation_types"; `check_schema` says whether it can stand.

    Raises FormatError where the file is no such table, naming the line.
    """
    return [relation for _, relation in numbered_relation_types(path)]


def numbered_relation_types(path: str | os.PathLike[str]) -> list[tuple[int, dict[str, Any]]]:
    """The same, each with the line on which it stands."""
    name = Path(path).name
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise FormatError("file.unreadable", file=name, why=error.strerror) from error
    except UnicodeDecodeError as error:
        raise FormatError("file.not_utf8", file=name, byte=error.start) from error
    if len(content) > LARGEST:
        raise FormatError("relations.large", file=name, most=LARGEST)
    rows = csv_rows(text.splitlines())
    try:
        _, header = next(rows, (0, []))
        columns = [column.strip() for column in header]
        _check_columns(name, columns)
        return [(line, _relation(name, line, columns, cells)) for line, cells in rows]
    except BrokenTable as error:
        where = {"file": name, "line": error.line}
        raise FormatError("table.broken", **where, why=error.reason) from error


def _check_columns(name: str, columns: list[str]) -> None:
    if missing := [column for column in NEEDED if column not in columns]:
        columns_known = ",".join(COLUMNS)
        raise FormatError(
            "relations.column_missing", file=name, column=missing[0], columns=columns_known
        )
    if strange := [column for column in columns if column not in COLUMNS]:
        raise FormatError("relations.column_unknown", file=name, column=strange[0], names=COLUMNS)


def _relation(name: str, line: int, columns: list[str], row: list[str]) -> dict[str, Any]:
    if len(row) > len(columns):
        raise FormatError("relations.cells", file=name, line=line)
    cells = dict(zip_longest(columns, map(str.strip, row), fillvalue=""))
    symmetric = cells.get("symmetric", "").lower()
    if symmetric not in YES_OR_NO:
        raise FormatError("relations.symmetric", file=name, line=line, value=symmetric)
    icon = cells.get("icon") or re.sub(r"[^a-z0-9]+", "-", cells["name"].lower()).strip("-")
    return {
        "name": cells["name"],
        "subject": cells["subject"].split(),
        "object": cells["object"].split(),
        "inverse": cells.get("inverse", ""),
        "symmetric": YES_OR_NO[symmetric],
        "button": cells.get("button", ""),
        "sentence": cells.get("sentence", ""),
        "icon": icon,
        **({"group": cells["group"]} if cells.get("group") else {}),
    }
