"""JSON lines: one document a line.

    {"id": "d1", "text": "Ada was here.", "gold": {"mentions": [{"start": 0, "end": 3, …}]}}
    {"id": "d2", "tokens": ["Ada", "was", "here", "."], "gold": ["B-PER", "O", "O", "O"]}

`id`, and `text` or `tokens` (words, or [start, end) of the text), are needed; `sentences` or
`sent_starts`, `title`, `attributes`, `metadata`, `gold`, `predictions` and `consensus` are read
where they are there.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from annotation.formats.documents import read_document
from annotation.formats.records import DocumentRecord, Refused, Rejected, Rules
from annotation.sentences import shown
from annotation.text.storable import unstorable


def read(
    lines: Iterable[tuple[int, bytes | None]], name: str, rules: Rules
) -> Iterator[DocumentRecord | Rejected]:
    """`lines` are numbered; None stands for one that was too long to be held."""
    for number, line in lines:
        try:
            if line is None:
                raise Refused(
                    "",
                    f"The line is longer than {rules.max_line_bytes:,} bytes. Cut the document "
                    "into parts.",
                )
            if line and not line.isspace():
                yield read_document(object_of(line), number, rules)
        except Refused as refused:
            yield Rejected(number, refused.reason, field=refused.field)


def write(document: dict[str, Any]) -> str:
    """A line, with its end. It is one line also for readers that know more line ends than \\n."""
    line = json.dumps(document, ensure_ascii=False, allow_nan=False)
    for separator in "\x85\u2028\u2029":
        line = line.replace(separator, f"\\u{ord(separator):04x}")
    return line + "\n"


def decoded(line: bytes) -> str:
    if b"\0" in line:
        raise Refused("", f"Byte {line.index(0) + 1} of the line is NUL. Save the file as UTF-8.")
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise Refused(
            "",
            f"Byte {error.start + 1} of the line, 0x{line[error.start]:02X}, is no UTF-8. "
            "Save the file as UTF-8.",
        ) from error


def object_of(line: bytes) -> dict[str, Any]:
    text = decoded(line)
    try:
        fields = _decoder.decode(text)
    except json.JSONDecodeError as error:
        raise Refused("", f"This is no JSON: {error.msg} (character {error.pos + 1}).") from error
    except RecursionError as error:
        raise Refused("", "This is nested too deep to be read. Make it flatter.") from error
    except ValueError as error:  # a whole number of more than 4,300 digits
        raise Refused("", "A number has too many digits.") from error
    if not isinstance(fields, dict):
        raise Refused("", "This is no object. Write one object a line, as {…}.")
    # Only an escape can bring in what UTF-8 and the JSON grammar keep out.
    if "\\u" in text and (reason := unstorable(fields)):
        raise Refused("", str(reason))
    return fields


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        double = shown(counts.most_common(1)[0][0])
        raise Refused(double, f"'{double}' stands {max(counts.values())} times in one object.")
    return members


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise Refused("", f"{shown(number)} is too large a number.")
    return value


def _no_number(name: str) -> Any:
    raise Refused("", f"{name} is no number in JSON. Write null.")


_decoder = json.JSONDecoder(
    object_pairs_hook=_members, parse_float=_finite, parse_constant=_no_number
)
