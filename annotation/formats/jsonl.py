"""JSON lines: one document a line.

    {"id": "d1", "text": "Ada was here.", "gold": {"mentions": [{"start": 0, "end": 3, …}]}}
    {"id": "d2", "tokens": ["Ada", "was", "here", "."], "gold": ["B-PER", "O", "O", "O"]}

`id`, and `text` or `tokens` (words, or [start, end) of the text), are needed; `sentences` or
`sent_starts`, `title`, `attributes`, `metadata`, `gold`, `predictions` and `consensus` are read
where they are there. In a file whose first document has no `id`, those without are named after the
file and their line; one that is written by another tool is read as `dialects` says.
"""

from __future__ import annotations

import json
import math
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from annotation.formats.dialects import fields_of
from annotation.formats.documents import read_document, short_document
from annotation.formats.records import (
    DocumentRecord,
    Prepared,
    Refused,
    Rejected,
    Rules,
    prepared_of,
)
from annotation.sentences import shown
from annotation.text.storable import unstorable


def read(
    lines: Iterable[tuple[int, bytes | None]], name: str, rules: Rules
) -> Iterator[DocumentRecord | Rejected]:
    """`lines` are numbered; None stands for one that was too long to be held."""
    for number, line in lines:
        try:
            if line is None:
                raise Refused("line.long_document", most=rules.max_line_bytes)
            if line and not line.isspace():
                fields = object_of(line) if not rules.dialect else _of_dialect(line, rules.dialect)
                if rules.ids_from and fields.get("id") is None:
                    fields["id"] = f"{rules.ids_from}-{number}"
                yield read_document(fields, number, rules)
        except Refused as refused:
            yield Rejected(number, refused.problem)


def prepared(lines: list[bytes | None], first: int, rules: Rules) -> Iterator[Prepared | Rejected]:
    """What `read` makes of lines that follow each other from number `first` on, ready to be stored,
    in a third of the time where the documents are short."""
    found = None if rules.dialect else _objects_of(lines)
    if found is None:
        yield from map(prepared_of, read(enumerate(lines, first), "", rules))
        return
    for number, fields in enumerate(found, first):
        if rules.ids_from and fields.get("id") is None:
            fields["id"] = f"{rules.ids_from}-{number}"
        short = short_document(fields, number, rules)
        yield short or prepared_of(read_document(fields, number, rules))


# What no file knows stands between lines that are decoded at once. As a member of the outermost
# list it shows that the line before it and the one after are whole.
_BETWEEN = secrets.token_hex(16)


def _objects_of(lines: list[bytes | None]) -> list[dict[str, Any]] | None:
    """`object_of` of each line, in a fifth of the time; None where one of them has none, or what
    could be refused: they are to be looked at one by one."""
    whole = [line for line in lines if line]
    if len(whole) < len(lines):
        return None
    content = b"[" + f',"{_BETWEEN}",'.encode().join(whole) + b"]"
    if b"\0" in content:
        return None
    try:
        text = content.decode()
        found, end = checked_decoder.raw_decode(text)
    except (Refused, RecursionError, ValueError):  # that it is no UTF-8 is a ValueError too
        return None
    objects, between = found[::2], found[1::2]
    if end < len(text) or between != [_BETWEEN] * (len(lines) - 1):
        return None
    if len(objects) != len(lines) or not all(type(fields) is dict for fields in objects):
        return None
    for line, fields in zip(whole, objects, strict=True) if b"\\u" in content else ():
        if b"\\u" in line and unstorable(fields):
            return None
    return objects


def _of_dialect(line: bytes, dialect: str) -> dict[str, Any]:
    value = value_of(line)
    found = fields_of(value, dialect)
    if problem := unstorable(found):
        raise Refused.of(problem)
    return found


def write(document: dict[str, Any]) -> str:
    """A line, with its end. It is one line also for readers that know more line ends than \\n."""
    line = json.dumps(document, ensure_ascii=False, allow_nan=False)
    for separator in "\x85\u2028\u2029":
        line = line.replace(separator, f"\\u{ord(separator):04x}")
    return line + "\n"


def decoded(line: bytes) -> str:
    if b"\0" in line:
        raise Refused("line.nul", byte=line.index(0) + 1)
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        byte = error.start
        raise Refused("line.not_utf8", byte=byte + 1, value=line[byte]) from error


def value_of(line: bytes) -> Any:
    text = decoded(line)
    try:
        if text[:1] == "{":  # decode() looks for blanks around it, which takes as long again
            value, end = checked_decoder.raw_decode(text)
            if end == len(text):
                return value
        return checked_decoder.decode(text)
    except json.JSONDecodeError as error:
        raise Refused("json.broken", why=error.msg, character=error.pos + 1) from error
    except RecursionError as error:
        raise Refused("json.deep") from error
    except ValueError as error:  # a whole number of more than 4,300 digits
        raise Refused("json.long_number") from error


def object_of(line: bytes) -> dict[str, Any]:
    fields = value_of(line)
    if not isinstance(fields, dict):
        raise Refused("json.no_object")
    # Only an escape can bring in what UTF-8 and the JSON grammar keep out.
    if b"\\u" in line and (problem := unstorable(fields)):
        raise Refused.of(problem)
    return fields


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        double = shown(counts.most_common(1)[0][0])
        raise Refused("json.double", double, name=double, number=max(counts.values()))
    return members


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise Refused("json.large_number", value=shown(number))
    return value


def _no_number(name: str) -> Any:
    raise Refused("json.no_number", name=name)


checked_decoder = json.JSONDecoder(
    object_pairs_hook=_members, parse_float=_finite, parse_constant=_no_number
)
