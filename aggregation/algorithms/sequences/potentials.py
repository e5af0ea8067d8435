"""What a fit believes of sequences as a chain: a weight for each state of each token, and for each
move. All that can be asked of the tags follows from it: how sure a token is, and how sure a span.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.measures.spans import tag_parts
from aggregation.algorithms.sequences.chains import Chains
from aggregation.algorithms.sequences.tokens import first_tokens, tokens_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Moves:
    """Sequences that have the same weights of moves, all in nats.

    `sequences`, shape (n_own,), are their numbers, `between` has the shape (n_states, n_states),
    `firsts` (n_states,).
    """

    sequences: Ints
    between: Floats
    firsts: Floats


@dataclass(frozen=True, slots=True)
class Potentials:
    """Logarithms of the weights of a chain.

    Attributes
    ----------
    starts : array of shape (n_sequences + 1,)
    tag : array of shape (n_states,)
        The tag of each state.
    tags : names of the tags
    emission : array of shape (n_tokens, n_states)
    moves : the moves of all sequences, each in one of them
    """

    starts: Ints
    tag: Ints
    tags: tuple[str, ...]
    emission: Floats
    moves: tuple[Moves, ...]

    @classmethod
    def apart(cls, posterior: Floats, starts: Ints, tags: Sequence[str]) -> Potentials:
        """Of tokens that know nothing of each other."""
        n_tags = len(tags)
        everything = np.arange(len(starts) - 1)
        nothing = Moves(everything, np.zeros((n_tags, n_tags)), np.zeros(n_tags))
        with np.errstate(divide="ignore"):
            return cls(starts, np.arange(n_tags), tuple(tags), np.log(posterior), (nothing,))

    def of(self, sequences: Ints) -> Potentials:
        """Those of some sequences, in ascending order."""
        tokens, starts = tokens_of(self.starts, sequences)
        moves = tuple(
            replace(group, sequences=np.flatnonzero(np.isin(sequences, group.sequences)))
            for group in self.moves
        )
        return replace(self, starts=starts, emission=self.emission[tokens], moves=moves)

    def tempered(self, temperature: float) -> Potentials:
        """All divided by `temperature`: above 1 they are less sure."""
        if temperature == 1.0:
            return self
        moves = tuple(
            replace(group, between=group.between / temperature, firsts=group.firsts / temperature)
            for group in self.moves
        )
        return replace(self, emission=self.emission / temperature, moves=moves)

    def posterior(self) -> Floats:
        """P(tag) of each token, shape (n_tokens, n_tags)."""
        found = np.empty(self.emission.shape)
        for group in self.moves:
            tokens, starts = tokens_of(self.starts, group.sequences)
            chains = Chains(starts)
            found[tokens] = chains.beliefs(
                self.emission[tokens], group.between, group.firsts
            ).marginals
        return self._by_tag(found)

    def spans(self, start: Ints, end: Ints, kind: Ints) -> tuple[Floats, Floats]:
        """How probable spans are, shape (n_spans,), and `posterior`.

        A span is right where its first token is, its last one, and its type: all paths in which
        `start` has B-x, the tokens after it I-x up to `end` (exclusive), and `end` no I-x, of all
        paths. `kind` are numbers of the types by name. It is exact: with alpha and beta of
        forward-backward, alpha_start(B-x) times moves and weights of I-x times beta_(end − 1), less
        what goes on with I-x, divided by Z.
        """
        begins, kinds, types = tag_parts(self.tags)
        of_type = kinds[self.tag] == np.arange(len(types))[:, None]  # (n_types, n_states)
        begin, inside = of_type & begins[self.tag], of_type & ~begins[self.tag]
        sequence = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        group_of = np.empty(len(self.starts) - 1, dtype=np.int64)
        for i, group in enumerate(self.moves):
            group_of[group.sequences] = i
        is_first = np.append(first_tokens(self.starts, len(self.emission)), True)
        sure, posterior = np.zeros(len(start)), np.empty(self.emission.shape)
        for i, group in enumerate(self.moves):
            tokens, starts = tokens_of(self.starts, group.sequences)
            place = np.empty(len(self.emission), dtype=np.int64)
            place[tokens] = np.arange(len(tokens))
            own = np.flatnonzero(group_of[sequence[start]] == i)
            walk = _Walk.of(self.emission[tokens], group, starts)
            posterior[tokens] = np.exp(walk.forward + walk.backward - walk.log_z[:, None])
            sure[own] = walk.probability(
                place[start[own]],
                (end - start)[own],
                begin[kind[own]],
                inside[kind[own]],
                ~is_first[end[own]],
            )
        posterior /= posterior.sum(axis=1, keepdims=True)
        return np.clip(sure, 0.0, 1.0), self._by_tag(posterior)

    def _by_tag(self, values: Floats) -> Floats:
        return np.asarray(values @ np.eye(len(self.tags))[self.tag])


@dataclass(frozen=True, slots=True)
class _Walk:
    """Forward and backward messages of one group, in nats; `log_z`, shape (n_tokens,), is that of
    the token's sequence."""

    emission: Floats
    between: Floats
    forward: Floats
    backward: Floats
    log_z: Floats

    @classmethod
    def of(cls, emission: Floats, group: Moves, starts: Ints) -> _Walk:
        forward, backward = Chains(starts).messages(emission, group.between, group.firsts)
        log_z = _log_sum(forward + backward)
        return cls(emission, group.between, forward, backward, log_z)

    def probability(
        self,
        start: Ints,
        length: Ints,
        begin: NDArray[np.bool_],
        inside: NDArray[np.bool_],
        is_followed: NDArray[np.bool_],
    ) -> Floats:
        """`begin` and `inside`, (n_spans, n_states), say which states each span has; `is_followed`
        whether a token of its sequence comes after it."""
        found = np.zeros(len(start))
        live = np.arange(len(start))
        so_far = np.where(begin, self.forward[start], -np.inf)
        step = 0
        while live.size:
            token = start[live] + step
            done = length[live] == step + 1
            ends = live[done]
            found[ends] = self._share(so_far[done], token[done])
            longer = ~done | is_followed[live]
            live, token, was_done = live[longer], token[longer], done[longer]
            moved = _log_sum(so_far[longer][:, :, None] + self.between, axis=1)
            so_far = np.where(inside[live], moved + self.emission[token + 1], -np.inf)
            found[live[was_done]] -= self._share(so_far[was_done], token[was_done] + 1)
            live, so_far = live[~was_done], so_far[~was_done]
            step += 1
        return found

    def _share(self, so_far: Floats, token: Ints) -> Floats:
        """Of all paths, those that came this way."""
        return np.asarray(np.exp(_log_sum(so_far + self.backward[token]) - self.log_z[token]))


def _log_sum(logs: Floats, axis: int = 1) -> Floats:
    top = logs.max(axis=axis, keepdims=True, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        total = np.log(np.exp(logs - top).sum(axis=axis))
    return np.asarray(total + top.squeeze(axis))
