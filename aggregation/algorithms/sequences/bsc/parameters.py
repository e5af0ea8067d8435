"""What a Bayesian sequence combination believes of its parameters."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.sequences.bsc.annotators import Annotators
from aggregation.algorithms.sequences.bsc.dirichlet import Dirichlets
from aggregation.algorithms.sequences.bsc.shard import Tables
from aggregation.algorithms.sequences.states import States

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Parameters:
    """The posterior of all parameters.

    `tokens`, shape (n_states,), are the expected numbers of those that somebody labelled, of which
    subtypes have their shares. `kappa` is what annotators count for.
    """

    annotators: Annotators
    moves: Dirichlets  # between states without subtypes
    words: Dirichlets | None
    states: States
    tokens: Floats
    kappa: float

    def expected_logs(self) -> Tables:
        words = None
        if self.words is not None:
            words = np.pad(self.words.expected_log(), ((0, 1), (0, 0)))
        return self._tables(words, self.moves.expected_log())

    def divergence(self, tables: Tables) -> float:
        """KL(posterior || prior) of all parameters; `tables` are the `expected_logs`."""
        moves = tables.moves
        if self.states.has_subtypes:
            moves = self.moves.expected_log()
        found = self.annotators.divergence() + self.moves.divergence(moves)
        if self.words is not None and tables.words is not None:
            found += self.words.divergence(tables.words[:-1])
        return found

    def transition(self) -> Floats:
        """Expected T, shape (n_tags, n_tags); all rows alike without a model of transitions."""
        if len(self.moves.counts) == 1:
            return np.repeat(self.moves.mean(), self.states.n_tags, axis=0)
        whole = States(self.states.tags, end=self.states.end is not None)
        pairs = whole.moves_by_tag(self.moves.prior + self.moves.counts)
        return np.asarray(pairs / pairs.sum(axis=1, keepdims=True))

    def for_workers(self, n: int) -> Parameters:
        return replace(self, annotators=self.annotators.for_workers(n))

    def _tables(self, words: Floats | None, moves: Floats) -> Tables:
        labels = self.annotators.expected_log()
        if self.kappa != 1.0:
            labels = self.kappa * labels
        if self.states.has_subtypes:
            base = self.states.base
            moves = moves[np.ix_(base, base)] + self.states.log_shares(self.tokens)
        return Tables(labels.reshape(-1, labels.shape[-1]), words, moves)
