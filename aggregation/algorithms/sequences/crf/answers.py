"""Answers of workers as training data of a conditional random field.

An answer is what one worker said of one sequence. Most are complete; of the others, the missing
tags are summed over, as a conditional random field sums over tags that it does not know.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.data import CrowdSequences
from aggregation.algorithms.measures.spans import GOLD, PREDICTED, RIGHT, score_labels
from aggregation.algorithms.sequences.chains import Chains
from aggregation.algorithms.sequences.crf.objective import Targets
from aggregation.algorithms.sequences.tokens import tokens_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MISSING = -1  # the tag of a token that an answer leaves out


class Answers:
    """All answers to `sequences`, those of each worker together.

    Attributes
    ----------
    judged : array of shape (n_workers,)
        How many sequences each worker labelled, at least in part.
    n_labels : array of shape (n_workers,)
        How many tokens each worker labelled.
    n_partial : int
        How many answers leave tokens out.
    """

    judged: Ints
    n_labels: Ints
    n_partial: int

    def __init__(self, sequences: CrowdSequences):
        self._starts, self._tags = sequences.starts, sequences.tags
        self._n_workers, self._n_tags = sequences.n_workers, sequences.n_classes
        order = np.lexsort((sequences.token, sequences.worker))
        self._token = sequences.token[order].astype(np.int64)
        self._worker = sequences.worker[order].astype(np.int64)
        self._label = sequences.label[order].astype(np.int64)
        sequence = sequences.sequence_of_token()[self._token].astype(np.int64)
        turn = (np.diff(sequence) != 0) | (np.diff(self._worker) != 0)
        gap = np.diff(self._token) != 1
        edge = _edges(turn, len(order))  # answer a has labels edge[a]:edge[a + 1]
        self._runs = _edges(turn | gap, len(order))  # labels of neighbours in one answer

        whose, about = self._worker[edge[:-1]], sequence[edge[:-1]]
        length = np.diff(self._starts)[about]
        complete = np.diff(edge) == length
        self.judged = np.bincount(whose, minlength=self._n_workers).astype(np.int64)
        self.n_labels = np.bincount(self._worker, minlength=self._n_workers).astype(np.int64)
        self.n_partial = int((~complete).sum())

        in_complete = np.repeat(complete, np.diff(edge))
        self._keep_complete(whose[complete], about[complete], in_complete)
        self._keep_partial(whose[~complete], about[~complete], ~in_complete)

    def log_likelihood(
        self, scores: Floats, moves: Floats, firsts: Floats, log_partition: Floats
    ) -> Floats:
        """Sum over each worker's answers of ln p(answer | text), shape (n_workers,), in nats.

        Parameters
        ----------
        scores : array of shape (n_tokens, n_tags)
        moves, firsts : arrays of shape (n_tags, n_tags) and (n_tags,)
        log_partition : array of shape (n_sequences,)
            ln Z of the same.
        """
        said = scores.ravel()[self._cell]
        total = _sums(self._cell_worker, said, self._n_workers)
        total += self._firsts @ firsts + self._pairs @ moves.ravel()
        total -= _sums(self._whose, log_partition[self._about], self._n_workers)
        if self.n_partial:
            # Z of the paths that agree with the answer, over Z of all.
            agreeing = self._chains.beliefs(self._constrained(scores), moves, firsts).log_evidence
            agreeing -= log_partition[self._partial_about]
            total += _sums(self._partial_whose, agreeing, self._n_workers)
        return total

    def expected(self, weight: Floats, scores: Floats, moves: Floats, firsts: Floats) -> Targets:
        """All answers, each counting as its worker's `weight`, shape (n_workers,), says.

        What partial answers leave out is as the field of `scores`, `moves` and `firsts` expects it
        of the text and the tags that were given.
        """
        if not self.n_partial:
            return self._complete(weight)
        of_answer = weight[self._partial_whose]
        found = self._chains.beliefs(self._constrained(scores), moves, firsts, weights=of_answer)
        return self._complete(weight) + self._from_partial(
            found.marginals * np.repeat(of_answer, np.diff(self._chains.starts))[:, None],
            found.firsts,
            found.pairs,
            of_answer,
        )

    def completed(self, weight: Floats, tags: Ints) -> Targets:
        """As `expected`, but what partial answers leave out is as in `tags`, shape (n_tokens,)."""
        if not self.n_partial:
            return self._complete(weight)
        filled = np.where(
            self._partial_label == MISSING, tags[self._partial_token], self._partial_label
        )
        of_answer = weight[self._partial_whose]
        counts = Targets.of_tags(filled, self._chains.starts, self._n_tags, of_answer)
        return self._complete(weight) + self._from_partial(
            counts.states, counts.firsts, counts.pairs, of_answer
        )

    def f1(self, tags: Ints) -> Floats:
        """Strict span F1 of each worker against `tags` on the tokens that they labelled, shape
        (n_workers,); NaN where neither has a span there.
        """
        score = score_labels(
            self._label, tags[self._token], self._tags, self._runs, groups=self._worker
        )
        counts = np.zeros((self._n_workers, score.counts.shape[2]))
        counts[: len(score.counts)] = score.counts.sum(axis=1)
        spans = counts[:, PREDICTED] + counts[:, GOLD]
        return np.divide(
            2 * counts[:, RIGHT], spans, out=np.full(self._n_workers, np.nan), where=spans > 0
        )

    def _keep_complete(self, whose: Ints, about: Ints, mine: NDArray[np.bool_]) -> None:
        """Firsts and pairs by worker, so that a weighted sum of them is one product."""
        k, label = self._n_tags, self._label[mine]
        self._whose, self._about = whose, about
        self._cell, self._cell_worker = self._token[mine] * k + label, self._worker[mine]
        first = np.zeros(len(label), dtype=bool)
        lengths = np.diff(self._starts)[about]
        first[np.cumsum(lengths) - lengths] = True
        cell = self._cell_worker[first] * k + label[first]
        self._firsts = _counts(cell, self._n_workers * k).reshape(-1, k)
        later = np.flatnonzero(~first)
        cell = (self._cell_worker[later] * k + label[later - 1]) * k + label[later]
        self._pairs = _counts(cell, self._n_workers * k * k).reshape(-1, k * k)

    def _keep_partial(self, whose: Ints, about: Ints, mine: NDArray[np.bool_]) -> None:
        """Each with a place for all tokens of its sequence."""
        self._partial_whose, self._partial_about = whose, about
        self._partial_token, starts = tokens_of(self._starts, about)
        self._chains = Chains(starts)
        self._partial_label = np.full(starts[-1], MISSING)
        # Places of an answer, and tokens of a worker, both rise: so do the two together.
        n_tokens = int(self._starts[-1])
        place = np.repeat(whose, np.diff(starts)) * n_tokens + self._partial_token
        given = self._worker[mine] * n_tokens + self._token[mine]
        self._partial_label[np.searchsorted(place, given)] = self._label[mine]

    def _complete(self, weight: Floats) -> Targets:
        k, n_tokens, n_sequences = self._n_tags, int(self._starts[-1]), len(self._starts) - 1
        states = _sums(self._cell, weight[self._cell_worker], n_tokens * k)
        return Targets(
            states.reshape(n_tokens, k),
            weight @ self._firsts,
            (weight @ self._pairs).reshape(k, k),
            _sums(self._about, weight[self._whose], n_sequences),
        )

    def _from_partial(
        self, states: Floats, firsts: Floats, pairs: Floats, weight: Floats
    ) -> Targets:
        """Their counts as those of the tokens; `states` and `weight` have a row for each place
        and for each partial answer."""
        n_tokens, n_sequences = int(self._starts[-1]), len(self._starts) - 1
        by_token = np.stack(
            [_sums(self._partial_token, column, n_tokens) for column in states.T], axis=1
        )
        return Targets(by_token, firsts, pairs, _sums(self._partial_about, weight, n_sequences))

    def _constrained(self, scores: Floats) -> Floats:
        """Scores at all places, -inf off the tag that was given."""
        given = self._partial_label[:, None]
        allowed = (given == MISSING) | (given == np.arange(self._n_tags))
        return np.where(allowed, scores[self._partial_token], -np.inf)


def _edges(turn: NDArray[np.bool_], n: int) -> Ints:
    """Where groups start, as in CSR; `turn`, shape (n - 1,), marks the last of each."""
    if n == 0:
        return np.zeros(1, dtype=np.int64)
    return np.concatenate(([0], np.flatnonzero(turn) + 1, [n]))


def _sums(group: Ints, values: Floats, n_groups: int) -> Floats:
    return np.bincount(group, values, minlength=n_groups).astype(np.float64, copy=False)


def _counts(cell: Ints, n_cells: int) -> Floats:
    return np.bincount(cell, minlength=n_cells).astype(np.float64)
