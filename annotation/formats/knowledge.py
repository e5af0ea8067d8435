"""Entries of a knowledge base: JSON lines, or a table with its columns named in the first line.

    {"key": "Q7259", "name": "Ada Lovelace", "aliases": ["Ada Byron"], "type": "PER",
     "description": "English mathematician", "url": "https://…"}

`key` and `name` are needed. A line whose `kind` is given and not "entity" is passed over: what
`export_knowledge_base` writes can be read again. In a table (tab-separated, or CSV with quotes
where they are needed) aliases stand in one column with | between them, and an entry is one line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, NoReturn

from annotation.formats.jsonl import decoded, object_of
from annotation.formats.records import FormatError, Refused, Rejected
from annotation.formats.source import Source
from annotation.formats.tables import BrokenTable, csv_rows, tab_cells
from annotation.interfaces.schema import NONE
from annotation.interfaces.values import LONGEST_LINK
from annotation.sentences import shown

LONGEST_NAME = 300
LONGEST_DESCRIPTION = 1_000
LONGEST_URL = 1_000
LONGEST_TYPE = 100
MOST_ALIASES = 100
WEB_ADDRESS = re.compile(r"https?://[^\s/?#:@\[\]<>\"\\][^\s<>\"\\]*")
ALIAS_SEPARATOR = "|"
FIELDS = ("key", "name", "aliases", "description", "url", "type")
KIND, ENTITY = "kind", "entity"
KNOWN = frozenset((KIND, *FIELDS))
FORMATS = ("jsonl", "tsv", "csv")
ENDINGS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".tsv": "tsv", ".csv": "csv"}


@dataclass(frozen=True, slots=True)
class EntryRecord:
    line: int
    key: str
    name: str
    aliases: list[str]
    description: str
    url: str
    type: str
    unused: tuple[str, ...] = ()  # fields of the file that no reader knows

    def content(self) -> tuple[str, list[str], str, str, str]:
        """All but the key: what decides whether an entry has changed."""
        return self.name, self.aliases, self.description, self.url, self.type


class EntryReader(Source):
    """An open file that yields its entries. Raises FormatError where it can't be read on.

    `format` "auto" goes by the file's name, else by how the file begins.
    """

    def __init__(self, path: str | os.PathLike[str], max_line_bytes: int, format: str = "auto"):
        super().__init__(path)
        self.max_line_bytes = max_line_bytes
        self.format = self._detected_format() if format == "auto" else format

    def __iter__(self) -> Iterator[EntryRecord | Rejected]:
        fields_of: Callable[[bytes], dict[str, Any]] | None = None
        if self.format == "jsonl":
            fields_of = object_of
        for number, line in self.lines(self.max_line_bytes):
            if line is not None and (not line or line.isspace()):
                continue
            if fields_of is None:
                fields_of = self._table(number, line)
                continue
            try:
                if line is None:
                    raise Refused("line.long", most=self.max_line_bytes)
                fields = fields_of(line)
            except Refused as refused:
                yield Rejected(number, refused.problem)
            else:
                if fields.get(KIND, ENTITY) == ENTITY:
                    yield read_entry(fields, number)

    def _detected_format(self) -> str:
        name = self.name.lower().removesuffix(".gz")
        for ending, format in ENDINGS.items():
            if name.endswith(ending):
                return format
        head = self.head()
        if head.startswith(b"{"):
            return "jsonl"
        return "tsv" if b"\t" in head else "csv"

    def _table(self, number: int, header: bytes | None) -> Callable[[bytes], dict[str, Any]]:
        """What reads a row of the table that `header` begins."""
        cells = _tab_cells if self.format == "tsv" else _csv_cells
        try:
            columns = [] if header is None else [name.strip().lower() for name in cells(header)]
        except Refused as refused:
            where = {"file": self.name, "line": number}
            raise FormatError("file.line", **where, why=refused) from refused
        if not {"key", "name"} <= set(columns) or len(set(columns)) < len(columns):
            raise FormatError("table.columns", file=self.name, names=FIELDS)

        def row(line: bytes) -> dict[str, Any]:
            values = cells(line)
            if len(values) > len(columns):
                raise Refused("table.cells", cells=len(values), number=len(columns))
            fields: dict[str, Any] = dict(zip_longest(columns, values, fillvalue=""))
            if aliases := fields.get("aliases"):
                fields["aliases"] = aliases.split(ALIAS_SEPARATOR)
            return {name: value for name, value in fields.items() if value}

        return row


def _tab_cells(line: bytes) -> list[str]:
    return tab_cells(decoded(line))


def _csv_cells(line: bytes) -> list[str]:
    """One line by itself, so that a quote that is never closed takes no other line with it."""
    try:
        _, cells = next(csv_rows([decoded(line)]), (0, []))
        return cells
    except BrokenTable as error:
        raise Refused("table.row", why=error.reason) from error


def read_entry(fields: dict[str, Any], line: int) -> EntryRecord | Rejected:
    key = ""
    try:
        key = _key(fields.get("key"))
        return EntryRecord(
            line=line,
            key=key,
            name=_name("name", fields.get("name")),
            aliases=_aliases(fields.get("aliases")),
            description=_text("description", fields.get("description"), LONGEST_DESCRIPTION),
            url=_url(fields.get("url")),
            type=_text("type", fields.get("type"), LONGEST_TYPE),
            unused=()
            if fields.keys() <= KNOWN
            else tuple(name for name in fields if name not in KNOWN),
        )
    except Refused as refused:
        return Rejected(line, refused.problem, key)


def _key(value: Any) -> str:
    if type(value) is int:
        value = str(value)
    if value is None or value == "":
        raise Refused("entry.no_key", "key")
    if not isinstance(value, str):
        raise Refused("id.type", "key")
    if len(value) > LONGEST_LINK:
        _too_long("key", value, LONGEST_LINK)
    if not value.isprintable() or value != value.strip():
        raise Refused("id.unseen", "key", id=shown(value))
    if value == NONE:
        raise Refused("entry.key_none", "key", key=NONE)
    return value


def _name(field: str, value: Any) -> str:
    name = _text(field, value, LONGEST_NAME)
    if not name:
        raise Refused("entry.no_name", field)
    return name


def _aliases(value: Any) -> list[str]:
    """Without blank ones and doubles, in the file's order."""
    if not value:
        return []
    if not isinstance(value, list):
        raise Refused("entry.no_list", "aliases")
    names = [
        name
        for number, item in enumerate(value)
        if (name := _text(f"aliases[{number}]", item, LONGEST_NAME))
    ]
    if len(names) > MOST_ALIASES:
        raise Refused("entry.many_aliases", "aliases", number=len(names), most=MOST_ALIASES)
    return list(dict.fromkeys(names))


def _text(field: str, value: Any, longest: int) -> str:
    """On one line: white space becomes single blanks."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Refused("value.no_text", field)
    text = " ".join(value.split())
    if len(text) > longest:
        _too_long(field, text, longest)
    if not text.isprintable() and any(char < " " or "\x7f" <= char <= "\x9f" for char in text):
        raise Refused("entry.control", field, text=shown(text))
    return text


def _url(value: Any) -> str:
    """Workers will follow it, so it has to lead to a web page and can't be a script."""
    url = _text("url", value, LONGEST_URL)
    if not url:
        return ""
    if not WEB_ADDRESS.fullmatch(url):
        raise Refused("entry.url", "url", url=shown(url))
    return url


def _too_long(field: str, value: str, longest: int) -> NoReturn:
    raise Refused("entry.long", field, member=field, number=len(value), most=longest)
