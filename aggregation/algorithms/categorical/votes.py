"""Majority vote, and what all votes share. A vote knows nothing of who is good."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Self

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.data import BLOCK_LABELS, CrowdLabels, CrowdSequences
from aggregation.algorithms.estimators import CategoricalEstimator
from aggregation.algorithms.reliability import Hits, Reliability, reliability_of
from aggregation.algorithms.results import Diagnostics


class MajorityVote(CategoricalEstimator):
    """The class with most votes; of equals the lowest number.

    Attributes
    ----------
    posterior_ : array of shape (n_units, n_classes)
        Shares of the votes: no probabilities, but what a vote has in their place. A unit without
        labels gets the shares of all labels.
    reliability_ : Reliability
        Agreement with the majority of the others, and its interval: not the accuracy's. See
        `agreement_with_others`.
    diagnostics_ : Diagnostics
    """

    posterior_: NDArray[np.float64]
    reliability_: Reliability
    diagnostics_: Diagnostics
    weighs = True

    def fit(self, labels: CrowdLabels) -> Self:
        began = time.perf_counter()
        labels = self._read(labels)
        self.posterior_ = vote_shares(labels)
        self.reliability_ = agreement_with_others(labels)
        self.diagnostics_ = Diagnostics.of_vote(began)
        return self


def vote_shares(labels: CrowdLabels) -> NDArray[np.float64]:
    """Each class's share of a unit's votes, shape (n_units, n_classes); rows sum to 1.

    A unit without labels gets the shares of all labels; without any label at all, even shares.
    """
    return shares_of(labels.weighted_votes())


def shares_of(votes: NDArray[np.float64]) -> NDArray[np.float64]:
    """`vote_shares` of votes that are counted already, in their place."""
    total = votes.sum(axis=1)
    unjudged = total == 0
    if unjudged.any():
        overall = votes.sum(axis=0)
        votes[unjudged] = overall if overall.any() else 1.0
        total = votes.sum(axis=1)
    votes /= total[:, None]
    return votes


def agreement_with_others(labels: CrowdLabels | CrowdSequences) -> Reliability:
    """How often each worker says what most of the others say of the unit (the token, of sequences).

    Their own vote is left out, so nobody agrees with themselves. Where the others are tied between
    c classes and theirs is one of them, they are right with 1/c. Units that nobody else judged are
    not compared, but count as judged. The others err too, so this is below the accuracy as a rule,
    and the interval is one of this agreement: it need not hold the accuracy. What a worker says of
    the tokens of one sequence hangs together, which widens the interval.
    """
    pieces: Iterable[tuple[NDArray[np.int64] | slice, NDArray[np.int64] | None]]
    if isinstance(labels, CrowdSequences):
        pieces, labels = labels.pieces(), labels.token_labels()
    else:
        starts = range(0, labels.n_labels, BLOCK_LABELS)
        pieces = ((slice(start, start + BLOCK_LABELS), None) for start in starts)
    votes = labels.votes()
    top = votes.max(axis=1, keepdims=True)
    n_top = (votes == top).sum(axis=1)
    below = np.where(votes == top, -1, votes)
    second = below.max(axis=1, keepdims=True)  # -1 where all classes are level
    n_second = (below == second).sum(axis=1)

    total = votes.sum(axis=1)

    hits = Hits.none(labels.n_workers)
    for part, cluster in pieces:  # in parts, for memory
        unit = labels.unit[part]
        mine = votes[unit, labels.label[part]]
        at_top = mine == top[unit, 0]
        alone = at_top & (n_top[unit] == 1)
        # The best of the other classes, and how many of them are that good.
        rival = np.where(alone, second[unit, 0], top[unit, 0])
        n_rivals = np.where(alone, n_second[unit], n_top[unit] - at_top)
        others = mine - 1
        right = np.where(others == rival, 1.0 / (1.0 + n_rivals), others > rival)
        compared = total[unit] > 1
        hits += Hits.of(
            labels.worker[part][compared],
            right[compared],
            labels.n_workers,
            cluster=None if cluster is None else cluster[compared],
        )
    return reliability_of(hits, labels.judged())
