"""Names of a dictionary, found in a text: at each word the longest one, in one pass.

A name is found as it is written. Written in small letters ("aspirin") it is found with a capital
too, as at the head of a sentence; one of four letters and more is found in capitals, as headlines
have it. "Apple" is never found in "apple". A name does not run over the end of a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from annotation.interfaces.answers import MentionAnswer, MentionGroup, MentionsAnswer
from annotation.text.tokeniser import tokens_of

LONGEST = 20  # words of a name
SHOUTED = 4  # letters from which on a name is known by its capitals
SEPARATOR = "\0"  # is in no token


@dataclass(frozen=True, slots=True)
class Named:
    type: str
    link: str | None = None


class Dictionary:
    """`add` every name, then `find`. A name that stands for several types is not looked for."""

    def __init__(self, tokeniser: str):
        self.tokeniser = tokeniser
        self.names = 0
        self._entries: dict[str, Named | None] = {}  # words joined → what they name; None: several
        self._longest: dict[str, int] = {}  # first word → words of the longest name

    @property
    def ambiguous(self) -> int:
        return sum(named is None for named in self._entries.values())

    def add(self, name: str, type: str, link: str | None = None) -> None:
        self.names += 1
        for written in _writings(name):
            # A text that brought its own words may be cut at blanks alone.
            for words in {self._words(written), tuple(written.split())}:
                if 0 < len(words) <= LONGEST:
                    self._keep(words, Named(type, link))

    def find(
        self, text: str, tokens: list[list[int]], sentences: list[list[int]]
    ) -> Iterator[tuple[int, int, Named]]:
        """(first token, last token + 1, what it names), in order; none overlaps another."""
        words = [text[start:end] for start, end in tokens]
        longest, entries = self._longest, self._entries
        for first, end in sentences:
            i = first
            while i < end:
                most = longest.get(words[i], 0)
                for last in range(min(i + most, end), i, -1):
                    named = entries.get(SEPARATOR.join(words[i:last]))
                    if named is not None:
                        yield i, last, named
                        i = last
                        break
                else:
                    i += 1

    def _words(self, name: str) -> tuple[str, ...]:
        return tuple(name[start:end] for start, end in tokens_of(name, self.tokeniser))

    def _keep(self, words: tuple[str, ...], named: Named) -> None:
        key = SEPARATOR.join(words)
        there = self._entries.setdefault(key, named)
        if there is not None and there != named:
            same_type = there.type == named.type
            self._entries[key] = Named(named.type) if same_type else None
        self._longest[words[0]] = max(self._longest.get(words[0], 0), len(words))


def _writings(name: str) -> Iterable[str]:
    writings = {name}
    if name.islower():
        writings.add(name[:1].upper() + name[1:])
    if sum(map(str.isalpha, name)) >= SHOUTED:
        writings.add(name.upper())
    return writings


def answer_of_names(
    matches: Iterable[tuple[int, int, Named]], text: str, tokens: list[list[int]]
) -> MentionsAnswer:
    """An entity answer in canonical form: what has one link, or else one name, is one entity."""
    mentions: list[MentionAnswer] = []
    entities: dict[tuple[str, str], MentionGroup] = {}
    for first, last, named in matches:
        start, end = tokens[first][0], tokens[last - 1][1]
        name = f"m{len(mentions) + 1}"
        entity = entities.setdefault(
            (named.type, named.link or text[start:end].casefold()),
            {
                "id": f"e{len(entities) + 1}",
                "canonical": name,
                "link": named.link,
                "value": None,
            },
        )
        mentions.append(
            {"id": name, "start": start, "end": end, "type": named.type, "entity": entity["id"]}
        )
    return {"mentions": mentions, "entities": list(entities.values()), "unlabelled": []}
