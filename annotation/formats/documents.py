"""One document out of the fields that a file has for it: the same rules for every format."""

from __future__ import annotations

from typing import Any

from annotation.formats.answers import SOURCES, Segmented, read_answers
from annotation.formats.records import DocumentRecord, Refused, Rejected, Rules
from annotation.formats.segments import read_sentences, read_text
from annotation.sentences import shown

LONGEST_ID = 200
LONGEST_TITLE = 500
DEEPEST = 20  # levels of lists and objects in attributes and metadata

KNOWN = frozenset(
    {
        "id",
        "title",
        "text",
        "tokens",
        "sentences",
        "sent_starts",
        "attributes",
        "metadata",
        *SOURCES,
    }
)


def read_document(fields: dict[str, Any], line: int, rules: Rules) -> DocumentRecord | Rejected:
    external_id = ""
    try:
        external_id = read_id(fields.get("id"))
        text, tokens = read_text(fields, rules)
        document = Segmented(text, tokens, read_sentences(fields, text, tokens))
        answers = read_answers(fields, document, rules.schema)
        return DocumentRecord(
            line=line,
            external_id=external_id,
            title=_title(fields.get("title")),
            text=text,
            tokens=document.tokens,
            sentences=document.sentences,
            attributes=_members("attributes", fields.get("attributes")),
            metadata=_members("metadata", fields.get("metadata")),
            answers=answers,
            split_tokens=document.split_tokens,
            unused=(*(name for name in fields if name not in KNOWN), *document.unused),
        )
    except Refused as refused:
        return Rejected(line, refused.reason, external_id, refused.field)


def read_id(value: Any) -> str:
    if type(value) is int:
        value = str(value)
    if value is None:
        raise Refused("id", "There is no id. Give each document its own.")
    if not isinstance(value, str):
        raise Refused("id", "This is neither a text nor a whole number.")
    if not 1 <= len(value) <= LONGEST_ID:
        raise Refused("id", f"The id has {len(value)} characters. Use 1 to {LONGEST_ID}.")
    if not value.isprintable() or value != value.strip():
        raise Refused(
            "id",
            f"'{shown(value)}' has a blank at an end, or a character that can't be seen. "
            "Leave it out.",
        )
    if not {".", ".."}.isdisjoint(value.split("/")):
        raise Refused(
            "id",
            f"'{shown(value)}' is '.' or '..', or has one of them between slashes: browsers drop "
            "them from the address of the document's page. Choose another id.",
        )
    return value


def _title(value: Any) -> str:
    """On one line: white space becomes single blanks."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Refused("title", "This is no text.")
    title = " ".join(value.split())
    if len(title) > LONGEST_TITLE:
        raise Refused(
            "title", f"The title has {len(title)} characters. Use at most {LONGEST_TITLE}."
        )
    return title


def _members(name: str, value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Refused(name, "This is no object. Give names with values.")
    level: list[Any] = [value]
    for _ in range(DEEPEST):
        level = [
            child
            for item in level
            if isinstance(item, dict | list)
            for child in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            return value
    raise Refused(name, f"This is nested more than {DEEPEST} levels deep. Make it flatter.")
