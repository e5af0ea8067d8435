"""What the document around a token says of it: no labels are looked at.

A name is often doubtful in one place and plain in another of the same text: after a title, inside a
sentence, before a verb. What stands around the other places is a feature of each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.sequences.crf.tables import Codes, Table, classes_of, yes
from aggregation.algorithms.sequences.crf.text import Text
from aggregation.algorithms.sequences.crf.words import (
    has_lower,
    has_upper,
    is_capitalised,
    is_small,
)

# Names of classes of numbers, and the least number of each.
SENTENCES = {"1": 0, "2": 1, "3": 2, "4-6": 3, "7-": 6}  # of the document, counted from 0
PLACES = {"1": 0, "2": 1, "3": 2, "4-6": 3, "7-": 6}  # of the token in its sentence, from 0
LENGTHS = {"1": 1, "2": 2, "3-5": 3, "6-10": 6, "11-20": 11, "21-40": 21, "41-": 41}  # in tokens
OTHERS = {"0": 0, "1": 1, "2": 2, "3-5": 3, "6-": 6}  # occurrences

USUAL_CASES = ("lower", "upper", "mixed")
MOSTLY = 0.8  # of the occurrences of a word have this case

# A word that stands thousands of times in one document would have as many words around each.
MOST_NEIGHBOURS = 16


@dataclass(frozen=True, slots=True, eq=False)
class WordSets:
    """Tokens, rising, with the number of a word each; a token may have several, or none."""

    token: NDArray[np.int64]
    word: NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class TokenAttributes:
    """A text's words and sentences as far as documents need them.

    Attributes
    ----------
    lowered : words in lower case, each once
    lower : array of shape (n_tokens,)
        The number of each token's word in `lowered`; -1 for a word that is not known.
    sequence, document : arrays of shape (n_tokens,)
    first, last : arrays of shape (n_tokens,), bool
        Whether the token is the first of its sentence, or the last.
    capitalised : array of shape (n_tokens,), bool
        Whether its first character is a letter in upper case.
    small : array of shape (n_tokens,), bool
        Whether it is a letter in lower case.
    all_caps : array of shape (n_sequences,), bool
        Sentences that hold upper case, and no lower case.
    """

    text: Text
    lowered: tuple[str, ...]
    lower: Codes
    sequence: Codes
    document: Codes
    first: NDArray[np.bool_]
    last: NDArray[np.bool_]
    capitalised: NDArray[np.bool_]
    small: NDArray[np.bool_]
    all_caps: NDArray[np.bool_]

    @classmethod
    def of(cls, text: Text, lower: Table) -> TokenAttributes:
        """`lower` is the vocabulary in lower case."""
        sequence, n = text.sequence_of_token(), text.n_sequences
        begins = np.diff(sequence, prepend=-1) > 0
        lows = np.bincount(sequence[_of_tokens(text, has_lower)], minlength=n) > 0
        ups = np.bincount(sequence[_of_tokens(text, has_upper)], minlength=n) > 0
        return cls(
            text=text,
            lowered=lower.values,
            lower=np.append(lower.code, np.int32(-1))[text.words],
            sequence=sequence,
            document=text.document_of_sequence()[sequence],
            first=begins,
            last=np.append(begins[1:], np.ones(len(begins[:1]), dtype=bool)),
            capitalised=_of_tokens(text, is_capitalised),
            small=_of_tokens(text, is_small),
            all_caps=ups & ~lows,
        )

    def inside(self) -> NDArray[np.bool_]:
        """Whether the case of the first letter says something, shape (n_tokens,): it does not at
        the start of a sentence, nor where all is in upper case."""
        return ~self.first & ~self.all_caps[self.sequence]


def _of_tokens(text: Text, holds: Callable[[str], bool]) -> NDArray[np.bool_]:
    return np.array([*map(holds, text.vocabulary), False])[text.words]  # the last: not known


def usual_cases(attributes: TokenAttributes) -> dict[str, int]:
    """The number in `USUAL_CASES` of each word in lower case: of its first letter, where that
    says something. Words that begin with no letter of either case have none."""
    n, inside = len(attributes.lowered), attributes.inside()
    upper = np.bincount(attributes.lower[inside & attributes.capitalised], minlength=n)
    often = upper + np.bincount(attributes.lower[inside & attributes.small], minlength=n)
    share = upper / np.maximum(often, 1)
    usual = np.where(share >= MOSTLY, 1, np.where(share <= 1 - MOSTLY, 0, 2))
    return {attributes.lowered[i]: int(usual[i]) for i in np.flatnonzero(often).tolist()}


def of_sentences(attributes: TokenAttributes) -> dict[str, Table]:
    """Of each token: where it stands, and whether its sentence is all in upper case."""
    text, sequence = attributes.text, attributes.sequence
    number = np.arange(text.n_sequences) - text.documents[text.document_of_sequence()]
    place = np.arange(text.n_tokens) - text.starts[sequence]
    return {
        "sentence": classes_of(number, SENTENCES).at(sequence),
        "length": classes_of(np.diff(text.starts), LENGTHS).at(sequence),
        "place": classes_of(place, PLACES),
        "all_caps": yes(attributes.all_caps).at(sequence),
    }


def of_others(attributes: TokenAttributes) -> tuple[dict[str, Table], dict[str, WordSets]]:
    """Of each capitalised token: the other capitalised occurrences of its word, whatever the case
    of the other letters, in the same document.

    Tables: how many there are, whether a capitalised word comes before one of them, or after one,
    and whether one stands inside a sentence that is not all in upper case. `WordSets`: the words
    before them, and after them; of the `MOST_NEIGHBOURS` most frequent ones.
    """
    token, lower = np.flatnonzero(attributes.capitalised), attributes.lower
    key = (
        attributes.document[token].astype(np.int64) * max(len(attributes.lowered), 1) + lower[token]
    )
    _, group, size = np.unique(key, return_inverse=True, return_counts=True)
    n_tokens = len(lower)

    def one_other(is_so: NDArray[np.bool_]) -> Table:
        among = np.bincount(group[is_so], minlength=len(size))[group]
        found = np.zeros(n_tokens, dtype=bool)
        found[token] = among > is_so
        return yes(found)

    others = np.full(n_tokens, -1)
    others[token] = size[group] - 1
    tables = {
        "other_count": classes_of(others, OTHERS),
        "other_inside": one_other(attributes.inside()[token]),
    }
    many = {}
    for name, step, edge in (("before", -1, attributes.first), ("after", 1, attributes.last)):
        has_one = ~edge[token]
        neighbour = np.where(has_one, token + step, token)
        tables[f"other_{name}_capitalised"] = one_other(has_one & attributes.capitalised[neighbour])
        chosen, word = _of_the_others(group, np.where(has_one, lower[neighbour], -1))
        many[f"other_{name}"] = WordSets(token[chosen], word)
    return tables, many


def _of_the_others(
    group: NDArray[np.int64], word: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Each member of a group with each word that another member of it has, once: members and
    words, by member. -1 is no word."""
    known = np.flatnonzero(word >= 0)
    n_words = int(word.max(initial=0)) + 1
    key = group[known] * n_words + word[known]
    key, place, times = np.unique(key, return_index=True, return_counts=True)
    of_group = key // n_words
    # Of equally frequent words the one that comes first: their numbers depend on other documents.
    order = np.lexsort((place, -times, of_group))
    n_groups = int(group.max(initial=-1)) + 1
    begin = np.searchsorted(of_group, np.arange(n_groups))
    order = order[np.arange(len(order)) - begin[of_group] < MOST_NEIGHBOURS]
    of_group, times = of_group[order], times[order]
    words = (key[order] % n_words).astype(np.int32)

    edge = np.searchsorted(of_group, np.arange(n_groups + 1))  # group g has edge[g]:edge[g + 1]
    each = np.diff(edge)[group]
    member = np.repeat(np.arange(len(group)), each)
    at = np.arange(len(member)) + np.repeat(edge[group] - (np.cumsum(each) - each), each)
    own = (words[at] == word[member]) & (times[at] == 1)
    return member[~own], words[at[~own]]
