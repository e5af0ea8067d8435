"""Sparse features of tokens: what a conditional random field sees of a text.

The usual set for tagging names and phrases (Rodrigues, Pereira and Ribeiro, *Sequence labeling
with multiple annotators*, Machine Learning 95 (2014), section 4), with more of it on demand.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.fitted_state import State, packed_names, unpacked_names
from aggregation.algorithms.sequences.crf.documents import USUAL_CASES
from aggregation.algorithms.sequences.crf.text import Text
from aggregation.algorithms.sequences.crf.views import MANY, Kind, TokenViews
from aggregation.algorithms.sequences.crf.words import AFFIXES
from aggregation.algorithms.settings import check_choice, check_whole

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Values = dict[str, tuple[str, ...]]  # by view

AFFIX_VIEWS = tuple(f"{edge}{n}" for edge in ("prefix", "suffix") for n in AFFIXES)
OWN = ("lower", "shape", "long_shape", "case", "digits", "marks", *AFFIX_VIEWS)
BIGRAMS: tuple[Kind, ...] = (
    (("shape", -1), ("shape", 0)),
    (("flags", -1), ("flags", 0)),
    (("flags", 0), ("flags", 1)),
)
OF_DOCUMENTS = (
    "usual_case",
    "all_caps",
    "sentence",
    "length",
    "place",
    "other_count",
    "other_before_capitalised",
    "other_after_capitalised",
    "other_inside",
)
SETTINGS = ("window", "outer", "bigrams", "document", "minimum")


class Features:
    """Which features there are is learnt from a text; then they are found in any text.

    A feature is a kind and its value, such as `suffix3[+1]=ing`: the next word ends in "ing". A
    kind gives a token one value or none, beyond the edges of a sentence none. Without its word
    (number -1 in the text) a token has the bias, its place in the sentence, and what its
    neighbours are.

    Always: `bias`; `first` and `last` of the sentence; the token's `word`, `lower` case, `shape`
    ("Xx"), `long_shape` ("Xxxx"), `case`, `digits`, `marks`, `prefix2` to `prefix4` and `suffix2`
    to `suffix4` (in characters).

    Parameters
    ----------
    window : int
        The words of so many tokens before and after.
    outer : 0 or 1
        1: all that is seen of a token also of the one before and the one after; word and shape of
        those two away.
    bigrams : 0 or 1
        1: the shapes of the token before and the token together; the flags (case, digits and
        marks) of both, and those of the token and the next one.
    document : 0 or 1
        1: what the whole text and the token's document say of it (`documents`): `usual_case` of
        the word in the text of the fit; `all_caps` sentence; classes of the number of the
        `sentence` in its document, of its `length` and of the token's `place` in it; for a
        capitalised token `other_count`, `other_before`, `other_after`, whether those are
        capitalised, and `other_inside`, of the other capitalised occurrences of its word.
    minimum : int
        How many tokens of the text of the fit must have a feature, for it to be one.

    Attributes
    ----------
    n_features : int
    names : tuple of str
        Of each column; put together each time that it is asked for.
    """

    _values: Values  # those that a feature has
    _kept: list[NDArray[np.int64]]  # of each kind: codes, rising, one for each of its columns
    _usual: Mapping[str, int]

    def __init__(
        self,
        *,
        window: int = 1,
        outer: int = 0,
        bigrams: int = 0,
        document: int = 0,
        minimum: int = 1,
    ):
        check_whole(0, window=window)
        check_whole(1, minimum=minimum)
        check_choice((0, 1), outer=outer, bigrams=bigrams, document=document)
        self.window, self.outer, self.bigrams = int(window), int(outer), int(bigrams)
        self.document, self.minimum = int(document), int(minimum)

    def __repr__(self) -> str:
        return f"Features({', '.join(f'{name}={getattr(self, name)}' for name in SETTINGS)})"

    def fit(self, text: Text) -> Self:
        """Learn which features there are."""
        self._fit(TokenViews(text, document=bool(self.document)))
        return self

    def transform(self, text: Text) -> csr_array:
        """1 where a token has a feature, shape (n_tokens, n_features); indices are sorted int32.

        What was not seen in the fit is left out.
        """
        self._check_fitted()
        return self._transform(TokenViews(text, document=bool(self.document), usual=self._usual))

    def fit_transform(self, text: Text) -> csr_array:
        """The same as both, in less time."""
        views = TokenViews(text, document=bool(self.document))
        self._fit(views)
        return self._transform(views)

    @property
    def n_features(self) -> int:
        self._check_fitted()
        return sum(map(len, self._kept))

    @property
    def names(self) -> tuple[str, ...]:
        self._check_fitted()
        pairs = zip(self._kinds(), self._kept, strict=True)
        return tuple(name for kind, kept in pairs for name in _names(kind, self._values, kept))

    def state(self) -> State:
        """The settings and what was learnt, as flat arrays."""
        self._check_fitted()
        values = list(self._values.values())
        return {
            "settings": np.array([getattr(self, name) for name in SETTINGS]),
            **_packed("values", [value for row in values for value in row]),
            "values_each": np.array([len(row) for row in values]),
            "codes": np.concatenate(self._kept),
            "codes_each": np.array([len(kept) for kept in self._kept]),
            **_packed("usual", self._usual),
            "usual_case": np.array(list(self._usual.values()), dtype=np.int8),
        }

    @classmethod
    def restore(cls, state: Mapping[str, NDArray[Any]]) -> Self:
        """Raises ValueError where the arrays are not those of `state`."""
        settings = _integers(state, "settings").tolist()
        if len(settings) != len(SETTINGS):
            raise ValueError(f"the state has {len(settings)} settings, not {len(SETTINGS)}")
        features = cls(**dict(zip(SETTINGS, settings, strict=True)))
        if 2 * features.window >= len(_integers(state, "codes_each")):  # it may fill the memory
            raise ValueError(f"the state has fewer kinds than a window of {features.window} takes")
        kinds = features._kinds()
        views = _all_views(kinds)
        values, codes = _strings(state, "values"), _integers(state, "codes")
        cuts = _cut(_integers(state, "values_each"), len(views), len(values), "values")
        features._values = {view: values[cut] for view, cut in zip(views, cuts, strict=True)}
        cuts = _cut(_integers(state, "codes_each"), len(kinds), len(codes), "codes")
        features._kept = [codes[cut] for cut in cuts]
        for kind, kept in zip(kinds, features._kept, strict=True):
            size = math.prod(len(features._values[view]) for view in _views(kind))
            if (np.diff(kept, prepend=-1, append=size) <= 0).any():
                raise ValueError("the codes of the state do not rise, or have no values")
        words, usual = _strings(state, "usual"), _integers(state, "usual_case")
        if len(words) != len(usual) or not np.isin(usual, range(len(USUAL_CASES))).all():
            raise ValueError("the usual cases of words in the state can't be read")
        features._usual = dict(zip(words, usual.tolist(), strict=True))
        return features

    def _fit(self, views: TokenViews) -> None:
        kinds, kept = self._kinds(), []
        for kind in kinds:
            code, count = np.unique(views.codes(kind)[1], return_counts=True)
            kept.append(code[count >= self.minimum])
        values = {view: views.values(view) for view in _all_views(kinds)}
        self._values, self._kept = _only_used(kinds, values, kept)
        self._usual = views.usual

    def _transform(self, views: TokenViews) -> csr_array:
        from scipy.sparse import csr_array

        views.renumber(self._values)
        n_tokens = views.text.n_tokens
        each = np.zeros(n_tokens, dtype=np.int64)
        for token, _ in self._columns(views):
            each += np.bincount(token, minlength=n_tokens)
        ends = np.concatenate(([0], np.cumsum(each)))
        # Kinds are looked at twice, which takes less memory than to keep what was seen.
        index, free = np.empty(ends[-1], dtype=np.int32), ends[:-1].copy()
        for token, column in self._columns(views):
            times = np.bincount(token, minlength=n_tokens)
            begin = np.cumsum(times) - times  # of each token's columns
            index[(free - begin)[token] + np.arange(len(token))] = column
            free += times
        if len(index) < 2**31:  # else SciPy makes both wide
            ends = ends.astype(np.int32)
        return csr_array((np.ones(len(index)), index, ends), shape=(n_tokens, self.n_features))

    def _columns(self, views: TokenViews) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Of each kind the tokens, rising, with a column each, rising for each token."""
        first = 0
        for kind, kept in zip(self._kinds(), self._kept, strict=True):
            token, code = views.codes(kind)
            place = np.searchsorted(kept, code)
            known = np.append(kept, -1)[place] == code
            token, column = token[known], place[known] + first
            if kind[0][0] in MANY:
                order = np.lexsort((column, token))
                token, column = token[order], column[order]
            yield token, column
            first += len(kept)

    def _kinds(self) -> list[Kind]:
        """In the order of their columns."""
        kinds: list[Kind] = [(("bias", 0),), (("first", 0),), (("last", 0),)]
        around = range(-self.window, self.window + 1)
        kinds += [(("word", offset),) for offset in around]
        kinds += [((view, 0),) for view in OWN]
        if self.outer:
            kinds += [((view, offset),) for offset in (-1, 1) for view in OWN]
            kinds += [((view, offset),) for offset in (-2, 2) for view in ("word", "shape")]
            kinds += [(("word", offset),) for offset in (-1, 1)]
        if self.bigrams:
            kinds += BIGRAMS
        if self.document:
            kinds += [((view, 0),) for view in (*OF_DOCUMENTS, *MANY)]
        return list(dict.fromkeys(kinds))  # the words of a wide window are there once

    def _check_fitted(self) -> None:
        if not hasattr(self, "_kept"):
            raise ValueError("the features were not fitted yet: call fit with a text first")


def _all_views(kinds: list[Kind]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(view for kind in kinds for view in _views(kind)))


def _views(kind: Kind) -> list[str]:
    """Whose values each part of the kind has."""
    return [MANY.get(view, view) for view, _ in kind]


def _split(kind: Kind, values: Values, codes: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The number of the value of each part: `TokenViews.codes` taken apart."""
    numbers = [codes]
    for view in _views(kind)[1:]:
        numbers[-1:] = divmod(numbers[-1], max(len(values[view]), 1))
    return numbers


def _only_used(
    kinds: list[Kind], values: Values, kept: list[NDArray[np.int64]]
) -> tuple[Values, list[NDArray[np.int64]]]:
    """Without the values that no feature has; numbers keep their order."""
    used = {view: np.zeros(len(names), dtype=bool) for view, names in values.items()}
    split = [_split(kind, values, codes) for kind, codes in zip(kinds, kept, strict=True)]
    for kind, numbers in zip(kinds, split, strict=True):
        for view, number in zip(_views(kind), numbers, strict=True):
            used[view][number] = True
    fewer = {
        view: tuple(names[i] for i in np.flatnonzero(used[view]).tolist())
        for view, names in values.items()
    }
    again = []
    for kind, numbers in zip(kinds, split, strict=True):
        code = np.zeros(len(numbers[0]), dtype=np.int64)
        for view, number in zip(_views(kind), numbers, strict=True):
            code = code * len(fewer[view]) + (np.cumsum(used[view]) - 1)[number]
        again.append(code)
    return fewer, again


def _names(kind: Kind, values: Values, codes: NDArray[np.int64]) -> Iterator[str]:
    name = "|".join(f"{view}[{offset:+d}]" if offset else view for view, offset in kind)
    rows = [
        [values[view][i] for i in number.tolist()]
        for view, number in zip(_views(kind), _split(kind, values, codes), strict=True)
    ]
    for row in zip(*rows, strict=True):
        yield f"{name}={'|'.join(row)}"


def _packed(name: str, strings: Iterable[str]) -> State:
    return {f"{name}_{part}": array for part, array in packed_names(strings).items()}


def _strings(state: Mapping[str, NDArray[Any]], name: str) -> tuple[str, ...]:
    return unpacked_names(_array(state, f"{name}_bytes"), _array(state, f"{name}_ends"))


def _integers(state: Mapping[str, NDArray[Any]], name: str) -> NDArray[np.int64]:
    array = _array(state, name)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError(f"'{name}' of the state must be whole numbers in one dimension")
    return array.astype(np.int64)


def _array(state: Mapping[str, NDArray[Any]], name: str) -> NDArray[Any]:
    if name not in state:
        raise ValueError(f"the state has no '{name}'; it has {', '.join(state) or 'nothing'}")
    return np.asarray(state[name])


def _cut(each: NDArray[np.int64], n_parts: int, n: int, name: str) -> list[slice]:
    """One slice of each part; `each` says how long they are, together `n`."""
    if len(each) != n_parts or (each < 0).any() or each.sum() != n:
        raise ValueError(f"'{name}_each' of the state must be {n_parts} lengths that add up to {n}")
    edges = [0, *np.cumsum(each).tolist()]
    return [slice(a, b) for a, b in pairwise(edges)]
