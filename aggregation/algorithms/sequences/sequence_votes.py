"""Votes on tag sequences: by token, by sentence, by segment.

Named by Rodrigues, Pereira and Ribeiro, *Sequence labeling with multiple annotators*, Machine
Learning 95 (2014), 165-181. In each `posterior_` holds shares of votes, shape (n_tokens,
n_classes), where a token without labels gets the shares of all labels; and `reliability_` is per
token, the agreement with the majority of the others (`votes.agreement_with_others`) and its 95 %
interval, which is none of the accuracy.
"""

from __future__ import annotations

import time
from typing import Self

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.categorical.votes import agreement_with_others, vote_shares
from aggregation.algorithms.data import CrowdLabels, CrowdSequences
from aggregation.algorithms.estimators import Estimator
from aggregation.algorithms.measures.spans import tag_parts
from aggregation.algorithms.reliability import Reliability
from aggregation.algorithms.results import Diagnostics


class MVtoken(Estimator):
    """Majority vote for each token apart; of equals the first in the order of tags, so O last.

    The tags chosen may be no legal sequence: an I-x can follow an O.
    """

    posterior_: NDArray[np.float64]
    reliability_: Reliability
    diagnostics_: Diagnostics

    def fit(self, sequences: CrowdSequences) -> Self:
        began = time.perf_counter()
        labels = sequences.token_labels()
        self.posterior_ = vote_shares(labels)
        self.reliability_ = agreement_with_others(sequences)
        self.diagnostics_ = Diagnostics.of_vote(began)
        return self

    def predict(self) -> NDArray[np.int64]:
        """The tag of each token, shape (n_tokens,)."""
        return np.asarray(self.posterior_.argmax(axis=1), dtype=np.int64)


class MVseq(Estimator):
    """The whole tag sequence that most workers gave to a sentence.

    Of equals the first in the order of tags, compared token by token. Only the workers who
    labelled most of the sentence vote (as a rule, all of it). Tokens that the chosen sequence
    leaves out are settled as in MVtoken. `posterior_` counts the sequences that competed.
    """

    posterior_: NDArray[np.float64]
    reliability_: Reliability
    diagnostics_: Diagnostics
    _choice: NDArray[np.int64]

    def fit(self, sequences: CrowdSequences) -> Self:
        began = time.perf_counter()
        labels = sequences.token_labels()
        competing, chosen = _sequence_votes(sequences)
        everyone = vote_shares(labels)
        self.posterior_ = vote_shares(
            CrowdLabels(
                labels.unit[competing],
                labels.worker[competing],
                labels.label[competing],
                labels.n_units,
                labels.n_workers,
                labels.n_classes,
            )
        )
        left_out = np.ones(labels.n_units, dtype=bool)
        left_out[labels.unit[competing]] = False
        self.posterior_[left_out] = everyone[left_out]
        self._choice = np.asarray(everyone.argmax(axis=1), dtype=np.int64)
        self._choice[labels.unit[chosen]] = labels.label[chosen]
        self.reliability_ = agreement_with_others(sequences)
        self.diagnostics_ = Diagnostics.of_vote(began)
        return self

    def predict(self) -> NDArray[np.int64]:
        """The tag of each token, shape (n_tokens,)."""
        return self._choice.copy()


class MVseg(Estimator):
    """Majority vote by segment: first where, then what.

    1. A token belongs to an entity where at least half of its votes are B or I of any type.
    2. Neighbouring tokens of a sentence that both belong to one form a segment; it is cut before
       a token where more than half of the votes are B.
    3. The segment's type is the one with most votes over all of its tokens; of equals the first
       by name.
    """

    posterior_: NDArray[np.float64]
    reliability_: Reliability
    diagnostics_: Diagnostics
    _choice: NDArray[np.int64]

    def fit(self, sequences: CrowdSequences) -> Self:
        began = time.perf_counter()
        labels = sequences.token_labels()
        self.posterior_ = vote_shares(labels)
        self._choice = _segment_votes(sequences, labels.votes())
        self.reliability_ = agreement_with_others(sequences)
        self.diagnostics_ = Diagnostics.of_vote(began)
        return self

    def predict(self) -> NDArray[np.int64]:
        """The tag of each token, shape (n_tokens,); always a legal sequence."""
        return self._choice.copy()


def _sequence_votes(sequences: CrowdSequences) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Numbers of the labels whose answers compete, and of those of the chosen answers.

    An answer is what one worker said of one sentence.
    """
    if sequences.n_labels == 0:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    sentence = sequences.sequence_of_token()[sequences.token]
    order = np.lexsort((sequences.token, sequences.worker, sentence))
    sentence, worker = sentence[order], sequences.worker[order]
    turn = (np.diff(sentence) != 0) | (np.diff(worker) != 0)
    start = np.concatenate(([0], np.flatnonzero(turn) + 1, [len(order)]))
    length, sentence = np.diff(start), sentence[start[:-1]]  # of each answer
    longest = np.zeros(sequences.n_sequences, dtype=np.int64)
    np.maximum.at(longest, sentence, length)
    competes = length == longest[sentence]

    # Big-endian, so that bytes compare as tag numbers do. Which tokens were labelled belongs to
    # the ballot too, and comes last.
    said = sequences.label[order].astype(">u2")
    which = sequences.token[order].astype(">u4")
    ballots: dict[int, dict[tuple[bytes, bytes], list[int]]] = {}
    for answer in np.flatnonzero(competes).tolist():
        part = slice(start[answer], start[answer + 1])
        ballot = said[part].tobytes(), which[part].tobytes()
        ballots.setdefault(int(sentence[answer]), {}).setdefault(ballot, []).append(answer)
    wins = np.zeros(len(length), dtype=bool)
    for votes in ballots.values():
        best = min(votes, key=lambda ballot: (-len(votes[ballot]), ballot))
        wins[votes[best][0]] = True
    return order[np.repeat(competes, length)], order[np.repeat(wins, length)]


def _segment_votes(sequences: CrowdSequences, votes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The tag of each token, shape (n_tokens,), from votes of shape (n_tokens, n_classes)."""
    begins, kind, types = tag_parts(sequences.tags)
    outside = sequences.n_classes - 1
    choice = np.full(sequences.n_tokens, outside, dtype=np.int64)
    if not types:
        return choice
    total = votes.sum(axis=1)
    inside = (2 * votes[:, outside] <= total) & (total > 0)
    cut = 2 * votes[:, begins].sum(axis=1) > total

    token = np.flatnonzero(inside)
    sentence = sequences.sequence_of_token()[token]
    first = np.ones(len(token), dtype=bool)
    first[1:] = (np.diff(token) > 1) | (np.diff(sentence) > 0) | cut[token[1:]]
    segment = np.cumsum(first) - 1

    pooled = np.zeros((np.count_nonzero(first), len(types)), dtype=np.int64)
    for t in range(len(types)):
        np.add.at(pooled[:, t], segment, votes[:, kind == t].sum(axis=1)[token])
    winner = pooled.argmax(axis=1)[segment]
    number = {tag: i for i, tag in enumerate(sequences.tags)}
    begin = np.array([number[f"B-{name}"] for name in types])
    within = np.array([number[f"I-{name}"] for name in types])
    choice[token] = np.where(first, begin[winner], within[winner])
    return choice
