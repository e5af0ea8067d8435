"""Plain text: a document a paragraph where empty lines stand between them, else one a line.

They are named after the file and their place in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from annotation.formats.documents import read_document
from annotation.formats.jsonl import decoded
from annotation.formats.records import DocumentRecord, Refused, Rejected, Rules


def read(
    lines: Iterable[tuple[int, bytes | None]], name: str, rules: Rules
) -> Iterator[DocumentRecord | Rejected]:
    """`rules.paragraphs`: empty lines part the documents."""
    for number, (line, text) in enumerate(_texts(lines, rules), start=1):
        if isinstance(text, Rejected):
            yield text
        else:
            yield read_document({"id": f"{rules.stem}-{number}", "text": text}, line, rules)


def _texts(
    lines: Iterable[tuple[int, bytes | None]], rules: Rules
) -> Iterator[tuple[int, str | Rejected]]:
    begun: list[str] = []
    first = size = 0
    for number, line in lines:
        try:
            if line is None or size > rules.max_line_bytes:
                begun, size = [], 0
                raise Refused("line.long_document", most=rules.max_line_bytes)
            text = decoded(line).rstrip()
        except Refused as refused:
            yield number, Rejected(number, refused.problem)
            continue
        if text.strip():
            first = first if begun else number
            begun.append(text)
            size += len(line)
        if begun and not (rules.paragraphs and text.strip()):
            yield first, "\n".join(begun)
            begun, size = [], 0
    if begun:
        yield first, "\n".join(begun)
