"""A name that a person cuts by hand: which words it may have, and what was sent of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotation.interfaces import Material
from annotation.interfaces.spans import Span, TypedSpan

REACH = 12  # words on each side


class NoCut(ValueError):
    """What was sent is no name here; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Words:
    """Those that a name may begin and end with, by their numbers in the text; `first` and `last`
    are offered, with `type`."""

    words: Sequence[tuple[int, str]]
    types: Sequence[str]
    first: int
    last: int
    type: str

    def name_of(self, sent: Mapping[str, str]) -> TypedSpan:
        """Raises NoCut."""
        numbers = [number for number, _ in self.words]
        try:
            first, last = int(sent.get("first", "")), int(sent.get("last", ""))
        except ValueError:
            first = last = -1
        if first not in numbers or last not in numbers or sent.get("type") not in self.types:
            raise NoCut("Choose the first word, the last word and the type among those offered.")
        if last < first:
            raise NoCut(
                "The last word stands before the first one. Choose a last word that is the same "
                "or comes after it."
            )
        return first, last + 1, sent["type"]


def words_around(
    part: Span, taken: Iterable[Span], offered: TypedSpan | None, material: Material
) -> Words | None:
    """The words near `part` of its sentence up to what is `taken` by other names and disputes.
    None where the project has no types."""
    types = [kind["name"] for kind in material.schema.get("entity_types", ())]
    start, end = part
    low = max((first for first, last in material.sentences if first <= start), default=0)
    high = min((last for first, last in material.sentences if last >= end), default=end)
    others = [one for one in taken if one[1] <= start or one[0] >= end]
    low = max([low, start - REACH, *(one[1] for one in others if one[1] <= start)])
    high = min([high, end + REACH, *(one[0] for one in others if one[0] >= end)])
    if not types:
        return None
    words = [(i, material.text[slice(*material.tokens[i])]) for i in range(low, high)]
    first, last, kind = offered or (start, end, types[0])
    return Words(words, types, first, last - 1, kind)


def widened(part: Span, name: TypedSpan) -> Span:
    """What is decided: the place, and the words beside it that the name takes."""
    return min(part[0], name[0]), max(part[1], name[1])
