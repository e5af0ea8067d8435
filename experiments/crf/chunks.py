"""A synthetic corpus with noun-phrase chunks: a stand-in for the chunking data of CoNLL, which is
not ours to give.

A probabilistic grammar writes documents of English-like sentences. Chunks are those of CoNLL 2000:
flat noun phrases up to their head, pronouns and "who" among them; "'s" begins the chunk of what is
owned; a prepositional phrase is none. They touch each other ("gave [her] [boats]", "gave [her
boats] to …"), words have several parts of speech, and many words of one half of the documents are
not in the other, so nobody can tag it all right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from experiments.crf.lexicon import (
    ADVERBS,
    DEGREES,
    OBJECTS,
    PLURAL,
    PREPOSITIONS,
    SINGULAR,
    SPEECH,
    SUBJECTS,
    TIMES,
    Lexicon,
    adverb,
    past,
    plural,
    progressive,
    third_person,
)

TYPE = "NP"
BEGIN, INSIDE, OUTSIDE = f"B-{TYPE}", f"I-{TYPE}", "O"
INVENTED = 300  # nouns; of the other kinds there are fewer
SENTENCES = (6, 14)  # of a document, from the least to the most
HEADLINES = 0.3  # of the documents
DEEPEST = 2  # clauses within clauses
TOPIC = 20  # words of each kind that a document is about
ON_TOPIC = 0.2  # of its words

Pairs = list[tuple[str, str]]  # tokens with their tags
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sentence:
    """Tokens, and the tag of each."""

    tokens: tuple[str, ...]
    tags: tuple[str, ...]


def chunk_corpus(n_documents: int, *, seed: int = 0) -> list[list[Sentence]]:
    """Documents of 6 to 14 sentences, the first of some a headline. A longer corpus begins with
    the shorter one of the same seed.
    """
    if n_documents < 1:
        raise ValueError(f"there must be at least 1 document, but n_documents is {n_documents}")
    lexicon = Lexicon(INVENTED, np.random.default_rng(seed))
    return [_document(lexicon, np.random.default_rng([seed, i])) for i in range(n_documents)]


def _document(lexicon: Lexicon, rng: np.random.Generator) -> list[Sentence]:
    writer = _Writer(lexicon, rng)
    n = int(rng.integers(SENTENCES[0], SENTENCES[1] + 1))
    begin = writer.headline() if rng.random() < HEADLINES else writer.sentence()
    written = [begin, *(writer.sentence() for _ in range(n - 1))]
    return [Sentence(*map(tuple, zip(*pairs, strict=True))) for pairs in written]


def _chunk(*tokens: str) -> Pairs:
    return [(token, INSIDE if i else BEGIN) for i, token in enumerate(tokens)]


def _outside(*tokens: str) -> Pairs:
    return [(token, OUTSIDE) for token in tokens]


class _Writer:
    """Writes the sentences of one document. `one` is 1 for a singular, 0 for a plural."""

    def __init__(self, lexicon: Lexicon, rng: np.random.Generator):
        self._rng = rng
        self._words = {
            kind: (words, [words[i] for i in rng.integers(len(words), size=TOPIC)])
            for kind, words in (
                ("noun", lexicon.nouns),
                ("verb", lexicon.verbs),
                ("adjective", lexicon.adjectives),
                ("name", lexicon.names),
            )
        }

    def sentence(self) -> Pairs:
        pairs = self._question() if self._chance(0.04) else [*self._opening(), *self._clause(0)]
        end = "?" if pairs[0][0] in ("did", "will") else "."
        (first, tag), *rest = pairs
        return [(first[:1].upper() + first[1:], tag), *rest, *_outside(end)]

    def headline(self) -> Pairs:
        """Without determiners, each word capitalised."""
        one = self._number()
        verb = self._word("verb")
        pairs = [
            *_chunk(*self._nominal(one)),
            *_outside(third_person(verb) if one else verb),
            *_chunk(*self._nominal(self._number())),
        ]
        if self._chance(0.4):
            pairs += [*_outside(self._of(PREPOSITIONS)), *_chunk(*self._nominal(self._number()))]
        return [(token[:1].upper() + token[1:], tag) for token, tag in pairs]

    # --- Clauses --------------------------------------------------------------------------------

    def _opening(self) -> Pairs:
        kind = self._rng.random()
        if kind < 0.1:
            return [*self._prepositional(1), *_outside(",")]
        if kind < 0.15:
            return _outside(self._manner(), ",")
        if kind < 0.2:
            return [*self._time(), *_outside(*([","] if self._chance(0.6) else []))]
        if kind < 0.25:
            since = self._of(("when", "before", "after", "since", "because"))
            return [*_outside(since), *self._clause(1), *_outside(",")]
        return []

    def _question(self) -> Pairs:
        one = self._number()
        return [
            *_outside(self._of(("did", "will"))),
            *self._noun_phrase(one, 1, subject=True),
            *_outside(self._word("verb")),
            *self._noun_phrase(self._number(), 1),
        ]

    def _clause(self, depth: int) -> Pairs:
        one = self._number()
        if self._chance(0.12):
            subject, one = self._of(SUBJECTS)
            pairs = _chunk(subject)
        else:
            pairs = self._noun_phrase(one, depth, subject=True)
        pairs += self._predicate(one, depth)
        if depth == 0 and self._chance(0.12):
            conjunction = self._of(("and", "and", "but"))
            more = self._clause(1) if self._chance(0.5) else self._predicate(one, 1)
            pairs += [*_outside(conjunction), *more]
        return pairs

    def _predicate(self, one: int, depth: int) -> Pairs:
        kind = self._rng.random()
        if kind < 0.12:
            return self._copula(one, depth)
        pairs = self._verb(one)
        if kind < 0.16:
            pairs += _outside(self._of(("up", "down", "over", "off", "in", "out")))
        elif 0.25 <= kind < 0.31:
            pairs += self._two_objects(depth)
        elif 0.31 <= kind < 0.37 and depth < DEEPEST:
            pairs = self._reported_speech(one, depth)
        elif 0.37 <= kind < 0.41:
            pairs += [*_outside(progressive(self._word("verb"))), *self._object(depth)]
        elif 0.41 <= kind < 0.46:
            pairs += [*_outside("to", self._word("verb")), *self._object(depth)]
        elif kind >= 0.46:
            pairs += self._object(depth)
        return pairs + self._adjuncts(depth)

    def _verb(self, one: int) -> Pairs:
        verb, tense = self._word("verb"), self._rng.random()
        before = [self._manner()] if self._chance(0.08) else []
        if tense < 0.5:
            return _outside(*before, past(verb))
        if tense < 0.65:
            return _outside(*before, third_person(verb) if one else verb)
        if tense < 0.76:
            return _outside(self._of(("is", "was") if one else ("are", "were")), progressive(verb))
        if tense < 0.84:
            return _outside("has" if one else "have", past(verb))
        if tense < 0.91:
            return _outside(self._of(("is", "was") if one else ("are", "were")), past(verb))
        return _outside(self._of(("will", "can", "may", "must")), *before, verb)

    def _copula(self, one: int, depth: int) -> Pairs:
        verb = _outside(self._of(("is", "was") if one else ("are", "were")))
        if self._chance(0.35):
            return [*verb, *self._noun_phrase(one, depth + 1)]
        degree = [self._of(DEGREES)] if self._chance(0.3) else []
        pairs = [*verb, *_outside(*degree, self._word("adjective"))]
        return pairs + (self._prepositional(depth + 1) if self._chance(0.3) else [])

    def _two_objects(self, depth: int) -> Pairs:
        """Two objects, one beside the other."""
        first = (
            _chunk(self._of(OBJECTS))
            if self._chance(0.5)
            else _chunk(*self._common(self._number()))
        )
        return [*first, *self._noun_phrase(self._number(), depth + 1)]

    def _reported_speech(self, one: int, depth: int) -> Pairs:
        verb = self._of(SPEECH)
        said = past(verb) if verb not in ("say", "know") else {"say": "said", "know": "knew"}[verb]
        present = third_person(verb) if one else verb
        that = ["that"] if self._chance(0.6) else []
        told = said if self._chance(0.7) else present
        return [*_outside(told, *that), *self._clause(depth + 1)]

    def _object(self, depth: int) -> Pairs:
        if self._chance(0.14):
            return _chunk(self._of(OBJECTS))
        return self._noun_phrase(self._number(), depth + 1)

    def _adjuncts(self, depth: int) -> Pairs:
        pairs: Pairs = []
        if self._chance(0.32 if depth == 0 else 0.15):
            pairs += self._prepositional(depth + 1)
        if self._chance(0.1):
            pairs += self._time()
        if self._chance(0.12):
            pairs += _outside(self._manner())
        return pairs

    def _prepositional(self, depth: int) -> Pairs:
        preposition = _outside(self._of(PREPOSITIONS))
        if self._chance(0.08):  # by planting trees
            verb = progressive(self._word("verb"))
            return [*preposition, *_outside(verb), *_chunk(*self._common(self._number()))]
        return [*preposition, *self._noun_phrase(self._number(), depth + 1)]

    def _time(self) -> Pairs:
        kind = self._rng.random()
        if kind < 0.3:
            return _chunk(self._of(("yesterday", "today", "tomorrow")))
        return _chunk(self._of(("last", "next", "this", "every", "one")), self._of(TIMES))

    # --- Noun phrases ---------------------------------------------------------------------------

    def _noun_phrase(self, one: int, depth: int, *, subject: bool = False) -> Pairs:
        kind = self._rng.random()
        if kind < 0.1 and one:
            pairs = _chunk(*self._name())
        elif kind < 0.16:
            owner = self._name() if self._chance(0.5) else self._common(1)
            return [*_chunk(*owner), *_chunk("'s", *self._nominal(one))]
        elif kind < 0.21 and not one:
            pairs = self._pair()
        else:
            pairs = _chunk(*self._common(one))
        if depth >= DEEPEST:
            return pairs
        after = self._rng.random()
        if after < 0.16:
            return pairs + self._prepositional(depth + 1)
        if after < 0.21:
            who = self._of(("who", "which", "that"))
            return [*pairs, *_chunk(who), *self._predicate(one, DEEPEST)]
        if after < 0.24:  # the boat the farmers painted
            relative = [*_chunk(*self._common(self._number())), *_outside(past(self._word("verb")))]
            return pairs + relative
        if after < 0.26 and not subject:
            return [*pairs, *_outside(progressive(self._word("verb")))]
        return pairs

    def _pair(self) -> Pairs:
        """One chunk where neither has a determiner, two where they have."""
        if self._chance(0.6):
            first, second = plural(self._word("noun")), plural(self._word("noun"))
            return _chunk(first, "and", second)
        return [*_chunk(*self._common(0)), *_outside("and"), *_chunk(*self._common(0))]

    def _name(self) -> list[str]:
        return [self._word("name") for _ in range(1 + self._chance(0.4))]

    def _common(self, one: int) -> list[str]:
        determined = self._chance(0.96 if one else 0.8)
        nominal = self._nominal(one)
        if not determined:
            return nominal
        determiner = self._of(SINGULAR if one else PLURAL)
        if determiner == "a" and nominal[0][0] in "aeiou":
            determiner = "an"
        return [determiner, *nominal]

    def _nominal(self, one: int) -> list[str]:
        """Adjectives and nouns, the last of them the head."""
        words: list[str] = []
        while self._chance(0.3) and len(words) < 3:
            if self._chance(0.1):
                words.append(self._of(DEGREES))
            words.append(self._attribute())
        if self._chance(0.16):
            words.append(self._word("noun"))
        head = self._word("noun")
        return [*words, head if one else plural(head)]

    def _attribute(self) -> str:
        kind = self._rng.random()
        if kind < 0.07:
            return past(self._word("verb"))
        if kind < 0.12:
            return progressive(self._word("verb"))
        return self._word("adjective")

    def _manner(self) -> str:
        return self._of(ADVERBS) if self._chance(0.5) else adverb(self._word("adjective"))

    # --- Chance ---------------------------------------------------------------------------------

    def _word(self, kind: str) -> str:
        words, topic = self._words[kind]
        if self._chance(ON_TOPIC):
            return self._of(topic)
        return words[int(len(words) * self._rng.random() ** 3)]

    def _number(self) -> int:
        return int(self._chance(0.6))

    def _chance(self, share: float) -> bool:
        return bool(self._rng.random() < share)

    def _of(self, options: Sequence[T]) -> T:
        return options[int(self._rng.random() * len(options))]
