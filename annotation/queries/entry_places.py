"""What tells an entry without a description from others of its name: the sentence of its first
mention, and the title of the document that it stands in.

An entry that came from `export_knowledge_base` has that place as its key, "DOCUMENT:START-END". The
sentence is shown only where its document still has one of the entry's names there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Value
from django.db.models.functions import Substr

from annotation.models import Document, Entity
from annotation.text.folding import fold
from annotation.text.tokeniser import sentences_of

KEY = re.compile(r"(?P<document>.+):(?P<start>\d{1,9})-(?P<end>\d{1,9})")
AROUND = 150  # characters before and after a name: of a longer sentence, no more is read
LONGEST_NAMED = 300


@dataclass(frozen=True, slots=True)
class Seen:
    sentence: str
    document: str  # its title; "" where it has none but its id, of which no worker is told


def seen_in_text(project_id: int, entries: Iterable[Entity]) -> dict[str, Seen]:
    """Key → where it was seen, of those entries that have no description and a place. One query,
    none where there are no such entries; of a text only the part around the name is read."""
    places = [
        (entry, found["document"], int(found["start"]), int(found["end"]))
        for entry in entries
        if not entry.description and (found := KEY.fullmatch(entry.key))
    ]
    parts = [
        Document.objects.filter(project=project_id, external_id=document)
        .annotate(key=Value(entry.key), part=_part(start, end))
        .values_list("key", "external_id", "title", "part")
        for entry, document, start, end in places
        if start < end <= start + LONGEST_NAMED
    ]
    rows = {} if not parts else {row[0]: row[1:] for row in parts[0].union(*parts[1:], all=True)}
    seen = {}
    for entry, _, start, end in places:
        if entry.key not in rows:
            continue
        external_id, title, part = rows[entry.key]
        at = min(start, AROUND)
        names = {fold(name) for name in (entry.name, *entry.aliases)}
        if fold(part[at : at + end - start]) in names:
            sentence = _sentence(part, at, at + end - start, is_begun=start > AROUND)
            seen[entry.key] = Seen(sentence, "" if title == external_id else title)
    return seen


def _part(start: int, end: int) -> Substr:
    first = max(0, start - AROUND)
    return Substr("text", first + 1, end + AROUND - first)


def _sentence(part: str, start: int, end: int, *, is_begun: bool) -> str:
    """The sentence of `part` around a name, in one line, cut between words where it is longer."""
    words = [list(word.span()) for word in re.finditer(r"\S+", part)]
    sentences = sentences_of(part, words)
    spans = [(words[first][0], words[last - 1][1]) for first, last in sentences]
    left = max((first for first, _ in spans if first <= start), default=start)
    right = min((last for _, last in spans if last >= end), default=end)
    is_cut = is_begun and left == words[0][0]
    if is_cut and (blank := part.find(" ", left, start)) >= 0:
        left = blank
    goes_on = right == len(part.rstrip()) and len(part) - end >= AROUND
    if goes_on and (blank := part.rfind(" ", end, right)) >= 0:
        right = blank
    return ("… " if is_cut else "") + " ".join(part[left:right].split()) + (" …" if goes_on else "")
