"""Gold and predictions that come with a document, and the tokens that their mentions cut."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from annotation.formats.records import Answer, Refused
from annotation.interfaces import AnswerError, Material, entity
from annotation.interfaces.answers import EntityAnswer

# Field → source of the answer. A consensus is one more prediction: the first of the two is taken.
SOURCES = {"gold": "gold", "predictions": "prediction", "consensus": "prediction"}
# Answers that need more than a document to be read: a pair of mentions, a campaign's options.
BEYOND_A_DOCUMENT = {"relation", "clusters", "choice"}


@dataclass(slots=True)
class Segmented:
    """A text with its tokens and sentences, which mentions may still cut."""

    text: str
    tokens: list[list[int]]
    sentences: list[list[int]]
    split_tokens: int = 0
    unused: list[str] = field(default_factory=list)


def read_answers(
    fields: dict[str, Any], document: Segmented, schema: dict[str, Any]
) -> list[Answer]:
    """The entity answers among the fields. Changes `document` where a mention cuts a token."""
    if SOURCES.keys().isdisjoint(fields):  # of most
        return []
    found: dict[str, tuple[str, Any]] = {}
    for name, source in SOURCES.items():
        raw = fields.get(name)
        if raw is None:
            continue
        if isinstance(raw, dict) and not raw.keys() & {"mentions", "tags"}:
            if not raw.keys() & BEYOND_A_DOCUMENT:
                raise Refused("answer.no_mentions", name)
            document.unused.append(name)
        elif not isinstance(raw, dict | list):
            raise Refused("answer.form", name)
        elif source in found:
            document.unused.append(name)
        else:
            found[source] = name, raw
    if not found:
        return []
    tags = [raw if isinstance(raw, list) else raw.get("tags") for _, raw in found.values()]
    _split(document, [edge for _, raw in found.values() for edge in _edges(raw)], tags)
    material = Material(
        schema=schema,
        text=document.text,
        tokens=document.tokens,
        sentences=document.sentences,
    )
    return [
        Answer("entity", source, _checked(name, raw, material))
        for source, (name, raw) in found.items()
    ]


def _checked(name: str, raw: Any, material: Material) -> EntityAnswer:
    bare = isinstance(raw, list)
    try:
        return entity.check({"tags": raw} if bare else with_ids(raw), material)
    except AnswerError as error:
        first = error.problems[0]
        # In the words of the file, where a bare list of tags has no member `tags`.
        within = first.path.removeprefix("tags") if bare else f".{first.path}"
        raise Refused.of(first.at(f"{name}{within}")) from error


def with_ids(raw: dict[str, Any]) -> dict[str, Any]:
    """Mentions need an id only where something refers to them; the file may leave it out."""
    mentions = raw.get("mentions")
    if not isinstance(mentions, list) or raw.get("entities"):
        return raw
    numbered = [
        {"id": f"m{number}"} | mention if isinstance(mention, dict) else mention
        for number, mention in enumerate(mentions, start=1)
    ]
    return raw | {"mentions": numbered}


# --- Tokens that a mention cuts -----------------------------------------------------------------


def _edges(raw: Any) -> Iterator[int]:
    """Where mentions and unlabelled parts begin and end, as far as that can be read."""
    if not isinstance(raw, dict):
        return
    for name in ("mentions", "unlabelled"):
        spans = raw.get(name)
        for span in spans if isinstance(spans, list) else ():
            if isinstance(span, dict):
                span = [span.get("start"), span.get("end")]
            if isinstance(span, list):
                yield from (edge for edge in span if type(edge) is int)


def _split(document: Segmented, edges: list[int], tag_lists: list[Any]) -> None:
    """Cut tokens at the edges inside of them; sentences and lists of tags are moved along."""
    starts = [start for start, _ in document.tokens]
    cuts: dict[int, set[int]] = {}
    for edge in edges:
        i = bisect_right(starts, edge) - 1
        if i >= 0 and starts[i] < edge < document.tokens[i][1]:
            cuts.setdefault(i, set()).add(edge)
    if not cuts:
        return
    tokens: list[list[int]] = []
    first = []  # the new number of each token, or of its first piece
    for i, token in enumerate(document.tokens):
        first.append(len(tokens))
        tokens += _pieces(document.text, token, cuts[i]) if i in cuts else [token]
    first.append(len(tokens))
    for tags in tag_lists:
        if isinstance(tags, list) and len(tags) == len(document.tokens):
            tags[:] = [
                tag if piece == 0 else _continued(tag)
                for i, tag in enumerate(tags)
                for piece in range(first[i + 1] - first[i])
            ]
    document.split_tokens = len(cuts)
    document.tokens = tokens
    document.sentences = [[first[start], first[end]] for start, end in document.sentences]


def _pieces(text: str, token: list[int], cuts: set[int]) -> list[list[int]]:
    """The parts of a token, without the blanks around them."""
    pieces = []
    for start, end in pairwise([token[0], *sorted(cuts), token[1]]):
        part = text[start:end]
        if part.strip():
            start += len(part) - len(part.lstrip())
            pieces.append([start, start + len(part.strip())])
    return pieces


def _continued(tag: Any) -> Any:
    return f"I-{tag[2:]}" if isinstance(tag, str) and tag.startswith("B-") else tag
