"""One document out of the fields that a file has for it: the same rules for every format."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from annotation.formats.answers import SOURCES, Segmented, read_answers
from annotation.formats.records import (
    NOTHING_ELSE,
    DocumentRecord,
    Prepared,
    Refused,
    Rejected,
    Rules,
    bytes_of,
    digest_of,
)
from annotation.formats.segments import read_sentences, read_text
from annotation.sentences import shown
from annotation.text.tokeniser import sentences_of, spans_of

LONGEST_ID = 200
LONGEST_TITLE = 500
DEEPEST = 20  # levels of lists and objects in attributes and metadata

SHORT = 500  # characters of a text
PAIRS = 2**13  # [start, end) that are kept in writing
PLAIN = frozenset({"id", "title", "text"})
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
        return DocumentRecord(  # by position, in half the time
            line,
            external_id,
            "" if (title := fields.get("title")) is None else _title(title),
            text,
            document.tokens,
            document.sentences,
            {} if (given := fields.get("attributes")) is None else _members("attributes", given),
            {} if (given := fields.get("metadata")) is None else _members("metadata", given),
            answers,
            document.split_tokens,
            _unused(fields, document),
        )
    except Refused as refused:
        return Rejected(line, refused.problem, external_id)


def short_document(fields: dict[str, Any], line: int, rules: Rules) -> Prepared | None:
    """`read_document(…).prepared()` of an id, a title and a short text, which is all that the
    documents of most files of millions have, in a third of the time. None of all others, and of
    what is refused."""
    text, title = fields.get("text"), fields.get("title")
    if type(text) is not str or len(text) > SHORT or not PLAIN.issuperset(fields):
        return None
    try:
        external_id = read_id(fields.get("id"))
        title = "" if title is None else _title(title)
    except Refused:
        return None
    tokens = spans_of(text, rules.tokeniser)
    if not tokens:
        return None
    sentences = list(map(tuple, sentences_of(text, tokens)))
    offsets = b"".join(map(_bytes_of, tokens + sentences))
    return Prepared(
        line, external_id, title, text, f"[{', '.join(map(_json_of, tokens))}]",
        f"[{', '.join(map(_json_of, sentences))}]", "{}", "{}",
        digest_of(title, text, NOTHING_ELSE, len(tokens), offsets), [], len(tokens), 0, (),
    )  # fmt: skip


# The same few pairs are in all short texts.
@lru_cache(PAIRS)
def _json_of(pair: tuple[int, int]) -> str:
    return f"[{pair[0]}, {pair[1]}]"


@lru_cache(PAIRS)
def _bytes_of(pair: tuple[int, int]) -> bytes:
    return bytes_of([pair])


def _unused(fields: dict[str, Any], document: Segmented) -> tuple[str, ...]:
    if KNOWN.issuperset(fields) and not document.unused:  # of nearly all
        return ()
    return (*(name for name in fields if name not in KNOWN), *document.unused)


def read_id(value: Any) -> str:
    if type(value) is int:
        value = str(value)
    if value is None:
        raise Refused("id.missing", "id")
    if not isinstance(value, str):
        raise Refused("id.type", "id")
    if not 1 <= len(value) <= LONGEST_ID:
        raise Refused("id.length", "id", number=len(value), most=LONGEST_ID)
    if not value.isprintable() or value != value.strip():
        raise Refused("id.unseen", "id", id=shown(value))
    if "." in value and not {".", ".."}.isdisjoint(value.split("/")):
        raise Refused("id.dots", "id", id=shown(value))
    return value


def _title(value: Any) -> str:
    """On one line: white space becomes single blanks."""
    if not isinstance(value, str):
        raise Refused("value.no_text", "title")
    title = " ".join(value.split())
    if len(title) > LONGEST_TITLE:
        raise Refused("title.long", "title", number=len(title), most=LONGEST_TITLE)
    return title


def _members(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Refused("value.no_object", name)
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
    raise Refused("value.deep", name, most=DEEPEST)
