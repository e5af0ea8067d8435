"""A text seen through views of its words and of its documents: numbered values of tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.sequences.crf.documents import (
    USUAL_CASES,
    TokenAttributes,
    WordSets,
    of_others,
    of_sentences,
    usual_cases,
)
from aggregation.algorithms.sequences.crf.tables import Codes, Table, yes
from aggregation.algorithms.sequences.crf.text import Text
from aggregation.algorithms.sequences.crf.words import VIEWS
from aggregation.algorithms.sequences.tokens import first_tokens

ViewAt = tuple[str, int]  # the name of a view, and how far from the token: -1 is the one before it
Kind = tuple[ViewAt, ...]  # one part, or two whose values are taken together

MANY = {"other_before": "lower", "other_after": "lower"}  # the view whose numbers they have


class TokenViews:
    """The values of tokens by view, as numbers.

    Parameters
    ----------
    text : Text
    document : bool
        Whether to look at documents.
    usual : the usual case of words in lower case, or None to learn it from the text

    Attributes
    ----------
    of_words : dict of Table
        By view, of each word of the vocabulary.
    of_tokens : dict of Table
        By view, of each token.
    many : dict of WordSets
        Tokens with words in lower case.
    usual : dict
        Empty where documents are not looked at.
    """

    def __init__(self, text: Text, *, document: bool, usual: Mapping[str, int] | None = None):
        self.text = text
        self.of_words = {name: Table.of(map(view, text.vocabulary)) for name, view in VIEWS.items()}
        self.of_tokens = _edges(text)
        self.many: dict[str, WordSets] = {}
        self.usual: Mapping[str, int] = {}
        if document:
            lower = self.of_words["lower"]
            attributes = TokenAttributes.of(text, lower)
            self.usual = usual_cases(attributes) if usual is None else usual
            others, self.many = of_others(attributes)
            self.of_tokens |= of_sentences(attributes) | others
            number = [self.usual.get(word, -1) for word in lower.values]
            code = np.array(number, dtype=np.int32)[lower.code]
            self.of_words["usual_case"] = Table(USUAL_CASES, code)
        self._words = {0: text.words}

    def values(self, view: str) -> tuple[str, ...]:
        view = MANY.get(view, view)
        return (self.of_words[view] if view in self.of_words else self.of_tokens[view]).values

    def renumber(self, values: Mapping[str, tuple[str, ...]]) -> None:
        """Give values the numbers that they have here; what is not here has none."""
        for view, known in values.items():
            number = {value: i for i, value in enumerate(known)}
            of_old = [number.get(value, -1) for value in self.values(view)]
            place = np.array([*of_old, -1], dtype=np.int32)
            tables = self.of_words if view in self.of_words else self.of_tokens
            tables[view] = Table(known, place[tables[view].code])
            for name in [name for name, same in MANY.items() if same == view and name in self.many]:
                self.many[name] = WordSets(self.many[name].token, place[self.many[name].word])

    def codes(self, kind: Kind) -> tuple[NDArray[np.integer[Any]], NDArray[np.int64]]:
        """Tokens, rising, and the number of the value of each; a kind of `MANY` can have several
        of a token. Two values are one number: the first one's times how many the second can have,
        plus the second's.
        """
        view, offset = kind[0]
        if view in self.many:
            many = self.many[view]
            known = many.word >= 0
            return many.token[known], many.word[known].astype(np.int64)
        code = self._at(view, offset).astype(np.int64)
        for other, apart in kind[1:]:
            more = self._at(other, apart)
            code = np.where((code >= 0) & (more >= 0), code * len(self.values(other)) + more, -1)
        token = np.flatnonzero(code >= 0)
        return token, code[token]

    def _at(self, view: str, offset: int) -> Codes:
        """Shape (n_tokens,)."""
        if view in self.of_tokens:
            return self.of_tokens[view].code
        if offset not in self._words:
            self._words[offset] = self._words_at(offset)
        # The last stands for words that are not known, and for what is no token of the sentence.
        return np.append(self.of_words[view].code, np.int32(-1))[self._words[offset]]

    def _words_at(self, offset: int) -> NDArray[np.int32]:
        text = self.text
        sequence = text.sequence_of_token()
        token = np.arange(text.n_tokens) + offset
        inside = (token >= text.starts[sequence]) & (token < text.starts[sequence + 1])
        words = np.full(text.n_tokens, -1, dtype=np.int32)
        words[inside] = text.words[token[inside]]
        return words


def _edges(text: Text) -> dict[str, Table]:
    """What every token has, and the first and the last of each sentence."""
    first = first_tokens(text.starts, text.n_tokens)
    last = np.append(first[1:], True)[: text.n_tokens]  # before the first of the next one
    return {"bias": yes(np.ones(text.n_tokens, dtype=bool)), "first": yes(first), "last": yes(last)}
