"""The share of Bayesian sequence combination that lives where the labels are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.categorical.dawid_skene import DawidSkene
from aggregation.algorithms.data import UNKNOWN, CrowdLabels, CrowdSequences
from aggregation.algorithms.reliability import Hits
from aggregation.algorithms.sequences.chains import Chains, apart
from aggregation.algorithms.sequences.potentials import Moves, Potentials
from aggregation.algorithms.sequences.states import States
from aggregation.algorithms.shards import Pool

Floats = NDArray[np.float64]

START_SMOOTHING = 0.1
START_ITERATIONS = 10


@dataclass(frozen=True, slots=True)
class Tables:
    """Logarithms of all that a token's probability is made of.

    Attributes
    ----------
    labels : array of shape (n_workers * n_labels, n_states true)
        ln A; n_labels is n_tags, or n_tags * n_tags (previously said, said).
    words : array of shape (n_words + 1, n_tags), or None without a text model
        ln rho; the last row is for words that are not in the vocabulary, and 0.
    moves : array of shape (n_states, n_states), or (1, n_states) without a model of transitions
        ln T: from the state of the row to that of the column.
    """

    labels: Floats
    words: Floats | None
    moves: Floats

    def for_words(self, known: Sequence[str], needed: Sequence[str]) -> Tables:
        """The words `needed` instead of `known`; the new ones say nothing of the tag."""
        if self.words is None:
            return self
        number = {word: i for i, word in enumerate(known)}
        places = [number.get(word, UNKNOWN) for word in needed]  # UNKNOWN, -1, is the last row
        return Tables(self.labels, self.words[[*places, UNKNOWN]], self.moves)


@dataclass(frozen=True, slots=True)
class Statistics:
    """All that an M-step needs; those of parts add up. Shapes as in `Tables`, counts for ln, but
    `moves` are those between states without subtypes, (n_base, n_base).

    `tokens`, shape (n_states,), are the expected numbers of those that somebody labelled.
    `log_evidence` (nats) and `change`, the largest of |r - r before|, are those of the E-step.
    """

    labels: Floats
    words: Floats | None
    moves: Floats
    tokens: Floats
    log_evidence: float
    change: float

    def __add__(self, other: Statistics) -> Statistics:
        words = None
        if self.words is not None and other.words is not None:
            words = self.words + other.words
        return Statistics(
            labels=self.labels + other.labels,
            words=words,
            moves=self.moves + other.moves,
            tokens=self.tokens + other.tokens,
            log_evidence=self.log_evidence + other.log_evidence,
            change=max(self.change, other.change),
        )


class TokenLabels:
    """What was said of each token, and what is known of it.

    Parameters
    ----------
    sequences : CrowdSequences
    known : integer array of shape (n_tokens,)
        The tag of each token whose truth is known, or UNKNOWN.
    sequential : bool
        Whether what the worker said before counts: columns are (worker, previously said, said),
        else (worker, said), in this order.
    """

    def __init__(self, sequences: CrowdSequences, known: NDArray[np.int64], *, sequential: bool):
        self.labelled = np.zeros(sequences.n_tokens)  # 1 for a token with a label
        self.labelled[sequences.token] = 1.0
        labels = labels_with_previous(sequences) if sequential else sequences.token_labels()
        self._n_columns = labels.n_workers * labels.n_classes
        self._blocks = labels.blocks()
        self._known_tokens = np.flatnonzero(known != UNKNOWN)
        self._truth = known[self._known_tokens]

    def add_to(self, evidence: Floats, table: Floats, states: States) -> Floats:
        """`evidence`, (n_tokens, n_states), with the rows of `table`, (n_columns, n_states), of
        each token's labels added; -inf for what a token is known not to be. It is changed in
        place."""
        for block in self._blocks:
            evidence[block.units] += block.counts @ table
        if len(self._truth):
            possible = states.allowed(self._truth)
            evidence[self._known_tokens] = np.where(possible, evidence[self._known_tokens], -np.inf)
        return evidence

    def counts(self, r: Floats) -> Floats:
        """Expected number of labels in each column where each state is true, (n_columns,
        n_states)."""
        found = np.zeros((self._n_columns, r.shape[1]))
        for block in self._blocks:
            found += block.counts.T @ r[block.units]
        return found


class SequenceShard:
    """Some sequences with all of their labels, and r, the posterior of their tags.

    Parameters
    ----------
    sequences : CrowdSequences
    known : integer array of shape (n_tokens,)
        The tag of each token whose truth is known, or UNKNOWN.
    first : array of shape (n_tokens, n_tags), or None
        The first r; None if the first step is an E-step. It is not changed.
    sequential, text, transitions : bool
        Which model.
    states : States, or None for the tags
        What the tags are drawn from. r is of these, `posterior` of tags.
    """

    unchanged_by = frozenset({"posterior", "decode", "hits"})

    def __init__(
        self,
        sequences: CrowdSequences,
        known: NDArray[np.int64],
        first: Floats | None,
        *,
        sequential: bool,
        text: bool,
        transitions: bool,
        states: States | None = None,
    ):
        self._sequences = sequences
        self._states = States(sequences.tags) if states is None else states
        self._transitions = transitions
        self._chains = Chains(sequences.starts)
        self._token_labels = TokenLabels(sequences, known, sequential=sequential)
        self._words = sequences.words if text else None
        self._r = first
        self._moves = np.zeros(0)

    def first(self) -> Statistics:
        """The statistics of the first r, as if states of neighbours were independent.

        Which they are not: so illegal moves are seen. They are left out, for a transition model
        that has once allowed them stays with them and takes short spans for insides.
        """
        r = self._r = self._states.with_ends(self._marginals(), self._chains.first_tokens())
        if not self._transitions:
            return self._statistics(r.sum(axis=0)[None], log_evidence=0.0, change=np.inf)
        outside = np.eye(r.shape[1])[self._states.outside]
        before = np.concatenate((outside[None], r[:-1]))[: len(r)]
        before[self._chains.first_tokens()] = outside
        moves = np.where(self._states.forbidden, 0.0, before.T @ r)
        return self._statistics(moves, log_evidence=0.0, change=np.inf)

    def step(self, tables: Tables) -> Statistics:
        """The E-step."""
        evidence = self._log_likelihood(tables)
        if self._transitions:
            found = self._chains.beliefs(evidence, tables.moves, self._firsts(tables))
            r, moves, log_evidence = found.marginals, found.pairs, float(found.log_evidence.sum())
            moves[self._states.outside] += found.firsts
        else:
            evidence += tables.moves
            r, log_evidence = apart(evidence)
            moves = r.sum(axis=0)[None]
        moves = self._states.moves_by_base(moves)
        change = np.inf
        if self._r is not None and self._r.shape == r.shape:
            np.subtract(r, self._r, out=evidence)
            change = float(np.abs(evidence, out=evidence).max(initial=0.0))
        self._r, self._moves = r, moves
        return self._statistics(moves, log_evidence, change)

    def split(self, states: States) -> Statistics:
        """From now on with the subtypes of `states`; the statistics as if the last r had had
        them."""
        votes = self._sequences.token_labels().votes()
        self._r = states.with_subtypes(self._marginals(), votes)
        self._states = states
        return self._statistics(self._moves, log_evidence=0.0, change=np.inf)

    def posterior(self) -> Floats:
        return self._states.by_tag(self._marginals())

    def decode(self, tables: Tables) -> NDArray[np.int64]:
        """The most probable tags, shape (n_tokens,), of each sequence as a whole."""
        evidence = self._log_likelihood(tables)
        if self._transitions:
            path = self._chains.best_paths(evidence, tables.moves, self._firsts(tables))
            return self._states.tag[path]
        evidence += tables.moves
        return np.asarray(evidence.argmax(axis=1), dtype=np.int64)

    def potentials(self, tables: Tables) -> Potentials:
        """What `step` makes r of."""
        moves = tables.moves
        firsts = self._firsts(tables) if self._transitions else moves[0]
        if not self._transitions:  # the same for each token, whatever comes before it
            moves = np.repeat(moves, moves.shape[1], axis=0)
        group = Moves(np.arange(self._sequences.n_sequences), moves, firsts)
        emission = self._log_likelihood(tables)
        states, starts = self._states, self._sequences.starts
        return Potentials(starts, states.tag, states.tags, emission, (group,))

    def hits(self) -> Hits:
        return hits_of(self._sequences, self.posterior())

    def _firsts(self, tables: Tables) -> Floats:
        """ln of the weight of each state at the start of a sequence: O was before, and no span
        ended."""
        firsts = tables.moves[self._states.outside].copy()
        if self._states.end is not None:
            firsts[self._states.end] = -np.inf
        return firsts

    def _marginals(self) -> Floats:
        if self._r is None:
            raise RuntimeError("there is no posterior before the first step")
        return self._r

    def _log_likelihood(self, tables: Tables) -> Floats:
        """ln of what each token's labels and word say of each state, shape (n_tokens, n_states)."""
        if self._words is not None and tables.words is not None:
            words = tables.words if self._states.are_tags else tables.words[:, self._states.tag]
            evidence = words[self._words]  # UNKNOWN, -1, is the last row
        else:
            evidence = np.zeros((self._sequences.n_tokens, tables.labels.shape[1]))
        return self._token_labels.add_to(evidence, tables.labels, self._states)

    def _statistics(self, moves: Floats, log_evidence: float, change: float) -> Statistics:
        r = self._marginals()
        words = None
        tokens = self._token_labels.labelled @ r
        if self._words is not None:
            n_words = len(self._sequences.vocabulary) + 1
            place = np.where(self._words < 0, n_words - 1, self._words)
            words = np.stack(
                [np.bincount(place, weights=column, minlength=n_words) for column in r.T], axis=1
            ).astype(np.float64)[:-1]
            words = self._states.by_tag(words)
        labels = self._token_labels.counts(r)
        return Statistics(labels, words, moves, tokens, log_evidence, change)


def hits_of(sequences: CrowdSequences, r: Floats) -> Hits:
    """A label is right with the posterior of the tag that it says; those of a sequence hang
    together. In pieces, for memory.
    """
    hits = Hits.none(sequences.n_workers)
    for piece, sequence in sequences.pieces():
        right = r[sequences.token[piece], sequences.label[piece]]
        hits += Hits.of(sequences.worker[piece], right, sequences.n_workers, cluster=sequence)
    return hits


def labels_with_previous(sequences: CrowdSequences) -> CrowdLabels:
    """As `token_labels`, but the class of a label is (previously said, said), in this order.

    Previously said is O at the start of a sequence, and where the worker did not label the token
    before.
    """
    from scipy.sparse import coo_array

    n_tags = sequences.n_classes
    if n_tags**2 * max(sequences.n_workers, 1) >= 2**31:
        raise ValueError(
            f"{sequences.n_workers} workers x {n_tags} tags x {n_tags} are too many columns: "
            f"there can be {2**31 - 1}"
        )
    # Counting sorts, there and back, by worker and by token; much faster than a sort by both.
    shape = (sequences.n_tokens, sequences.n_workers)
    by_worker = coo_array((sequences.label, (sequences.token, sequences.worker)), shape).tocsc()
    token, said = by_worker.indices, by_worker.data
    first = np.zeros(sequences.n_tokens + 1, dtype=bool)
    first[sequences.starts] = True
    goes_on = np.diff(token, prepend=np.int32(-2)) == 1
    goes_on &= ~first[token]
    # The first label of each worker goes on from nothing. (A worker without labels has none.)
    first_of_worker = by_worker.indptr[:-1]
    goes_on[first_of_worker[first_of_worker < len(token)]] = False
    pair = said.copy()
    pair[~goes_on] += (n_tags - 1) * n_tags
    pair[1:][goes_on[1:]] += said[:-1][goes_on[1:]] * n_tags
    by_worker.data = pair
    by_token = by_worker.tocsr()
    return CrowdLabels(
        np.repeat(np.arange(shape[0], dtype=np.int32), np.diff(by_token.indptr)),
        by_token.indices,
        by_token.data,
        *shape,
        n_tags**2,
    )


def shards_of(
    sequences: CrowdSequences, known: NDArray[np.int64], pool: Pool, *, start: bool
) -> Iterator[tuple[CrowdSequences, NDArray[np.int64], Floats | None]]:
    """What the parts are made of. With `start` they get a first r, that of Dawid and Skene, to whom
    each token stands for itself.
    """
    first = None
    if start:
        labels = sequences.token_labels()
        method = DawidSkene(
            diagonal=START_SMOOTHING,
            off_diagonal=START_SMOOTHING,
            class_prior=START_SMOOTHING * sequences.n_classes,
            max_iter=START_ITERATIONS,
            tol=0.0,
        )
        first = method.fit(labels, gold=known, pool=pool).posterior_
    begin = 0
    for shard in sequences.shards(pool.size):
        tokens = slice(begin, begin + shard.n_tokens)
        yield shard, known[tokens], None if first is None else first[tokens]
        begin += shard.n_tokens
