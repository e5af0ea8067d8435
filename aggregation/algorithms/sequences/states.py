"""What the tags of a text are drawn from: states, of which several can have the same tag.

*O in two.* Workers say something else of the first token after a span, which many take for its last
one, than of all other tokens outside. If both are the one state O, the table of a worker for "O is
true" mixes them, an end is worth too little, and spans grow into each other. So the first O after a
span has a state of its own, E: B-x and I-x are followed by E and never by O, E by O or the next
B-y, and nothing else leads to E. Which state it is follows from the tags, so tags have neither more
nor fewer paths through them than before.

*Subtypes.* Some names are overlooked by most, others are taken for another type by most, and some
words are tempting: workers err together. So B-x is a sure one, a missed one or a confused one, and
O is a plain or a tempting one. All have the moves and the words of their state, and a share of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.measures.spans import tag_parts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class States:
    """The tags come first, in their order, then E, then the subtypes.

    Parameters
    ----------
    tags : names of the tags, O last
    end : bool
        Whether the first O after a span is a state of its own. Without types nothing is.
    subtypes : bool
        Whether B-x and O have subtypes.

    Attributes
    ----------
    tag : integer array of shape (n_states,)
        What each is seen as.
    base : integer array of shape (n_states,)
        What each is a subtype of; itself, where it is none.
    forbidden : bool array of shape (n_base, n_base)
        Moves (from, to) that are illegal in BIO, or that E forbids.
    """

    def __init__(self, tags: Sequence[str], *, end: bool = False, subtypes: bool = False):
        self.tags = tuple(tags)
        self.n_tags, self.outside = len(self.tags), len(self.tags) - 1
        begins, kind, _ = tag_parts(self.tags)
        self._begins = np.flatnonzero(begins)
        self._of_type = [np.flatnonzero(kind == kind[b]) for b in self._begins]
        self.end = self.n_tags if end and len(self._begins) else None
        base_tag = [*range(self.n_tags), *([self.outside] if self.end is not None else [])]
        self.n_base = len(base_tag)
        parts: list[int] = []
        if subtypes:
            parts = [*self._begins, *self._begins, self.outside]  # missed, confused, tempting
        self.base = np.array([*range(self.n_base), *parts], dtype=np.int64)
        self.tag = np.array(base_tag, dtype=np.int64)[self.base]
        self.forbidden = illegal_moves(self.tags)[np.ix_(base_tag, base_tag)]
        if self.end is not None:
            self.forbidden[: self.outside, self.outside] = True
            self.forbidden[[self.outside, self.end], self.end] = True

    def __len__(self) -> int:
        return len(self.tag)

    @property
    def has_subtypes(self) -> bool:
        return len(self) > self.n_base

    @property
    def are_tags(self) -> bool:
        return len(self) == self.n_tags

    def by_tag(self, values: Floats) -> Floats:
        """Summed over the states of each tag: shape (..., n_tags) of (..., n_states)."""
        return values if self.are_tags else _summed(values, self.tag, self.n_tags)

    def by_base(self, values: Floats) -> Floats:
        """Summed over the subtypes of each state: shape (..., n_base)."""
        return _summed(values, self.base, self.n_base) if self.has_subtypes else values

    def moves_by_tag(self, pairs: Floats) -> Floats:
        return self.by_tag(self.by_tag(pairs).T).T

    def moves_by_base(self, pairs: Floats) -> Floats:
        return self.by_base(self.by_base(pairs).T).T

    def allowed(self, known: Ints) -> NDArray[np.bool_]:
        """The states that each known tag can be, shape (n_known, n_states)."""
        return np.asarray(self.tag == known[:, None])

    def with_ends(self, r: Floats, first: Ints) -> Floats:
        """r of tags as one of states without subtypes, as if neighbours were independent: E is O
        after no O. `first` are the first tokens of the sequences, before which there is O."""
        if self.end is None:
            return r
        before = np.concatenate(([1.0], r[:-1, self.outside]))[: len(r)]
        before[first] = 1.0
        found = np.empty((len(r), self.n_base))
        found[:, : self.n_tags] = r
        found[:, self.end] = r[:, self.outside] * (1.0 - before)
        found[:, self.outside] *= before
        return found

    def with_subtypes(self, r: Floats, votes: NDArray[np.integer[Any]]) -> Floats:
        """r of states without subtypes, split by what workers said: `votes`, (n_tokens, n_tags).
        Of a token of which nobody said anything nothing is split."""
        found = np.zeros((len(r), len(self)))
        found[:, : self.n_base] = r
        if not self.has_subtypes:
            return found
        said = votes.sum(axis=1)
        share = votes / np.maximum(said, 1.0)[:, None]
        missed = share[:, self.outside]
        parts = [missed] * len(self._begins)
        parts += [1.0 - missed - share[:, tags].sum(axis=1) for tags in self._of_type]
        parts.append(1.0 - missed)
        for state, part in enumerate(parts, start=self.n_base):
            base = self.base[state]
            found[:, state] = r[:, base] * np.clip(part, 0.0, 1.0) * (said > 0)
            found[:, base] -= found[:, state]
        return np.maximum(found, 0.0, out=found)

    def log_shares(self, tokens: Floats) -> Floats:
        """ln of each subtype's share of its state, shape (n_states,), 0 where there are none, from
        the expected number of tokens in each state; one more counts for each."""
        more = tokens + 1.0
        return np.asarray(np.log(more / self.by_base(more)[self.base]))


def _summed(values: Floats, place: Ints, n: int) -> Floats:
    return np.asarray(values @ np.eye(n)[place])


def illegal_moves(tags: Sequence[str]) -> NDArray[np.bool_]:
    """Shape (from, to): from O, or from a tag of another type, to I-x."""
    begins, kind, _ = tag_parts(tags)
    goes_on = ~begins & (kind >= 0)
    return np.asarray(goes_on & (kind != kind[:, None]))
