"""Clusters from many workers' piles: which items are the same thing.

A worker sorts some items into piles, or is unsure of one. Each pair of items that were sorted is a
judgment, "same" or "different"; of an item that was left out nothing is known. What a worker's
judgments are worth is learnt on the pairs, as in Dawid and Skene, Applied Statistics 28 (1979); the
weighted votes go to correlation clustering (Bansal, Blum and Chawla, 2004), which finds the
partition that they speak for most. Gomes, Welinder, Krause and Perona, *Crowdclustering*, NIPS
2011, gather piles of overlapping sets in the same way.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.categorical.dawid_skene import DawidSkene
from aggregation.algorithms.categorical.one_coin import OneCoin
from aggregation.algorithms.categorical.votes import MajorityVote
from aggregation.algorithms.clusters.correlation_clustering import (
    EXACT_ITEMS,
    STARTS,
    correlation_clusters,
    objective_of,
)
from aggregation.algorithms.data import CrowdLabels
from aggregation.algorithms.estimators import Estimator
from aggregation.algorithms.reliability import Reliability
from aggregation.algorithms.results import Diagnostics
from aggregation.algorithms.settings import check_choice

UNSURE = -1  # the pile of an item of which the worker was unsure
DIFFERENT, SAME = 0, 1  # the classes of a pair
DIAGONAL, OFF_DIAGONAL = 1.0, 0.5  # pseudo-counts of what a worker says where it is true, or not
EDGE = 1e-6  # of probabilities that were stored in short
SUREST = 700.0  # exp of it is a number still


class CrowdClusters:
    """Answers that sort items into piles, as triples in any order.

    Items are numbered over all answers: where the blocks of two tasks overlap, the same item has
    the same number in both, and that is how their piles are joined. A worker may give several
    answers; items that nobody sorted are allowed.

    Parameters
    ----------
    answer, item, pile : integer arrays of shape (n_sorted,)
        `answer[i]` has put `item[i]` into `pile[i]`, or is unsure of it where that is -1. Numbers
        of piles hold within an answer.
    worker : integer array of shape (n_answers,)
        Whose answer it is.
    n_items, n_workers : int
    """

    def __init__(
        self,
        answer: ArrayLike,
        item: ArrayLike,
        pile: ArrayLike,
        *,
        worker: ArrayLike,
        n_items: int,
        n_workers: int,
    ):
        self.n_items, self.n_workers = n_items, n_workers
        self.worker = _numbers(worker, "worker", 0, n_workers)
        self.answer = _numbers(answer, "answer", 0, len(self.worker))
        self.item = _numbers(item, "item", 0, n_items)
        self.pile = _numbers(pile, "pile", UNSURE, None)
        if not len(self.answer) == len(self.item) == len(self.pile):
            raise ValueError(
                f"answer, item and pile have {len(self.answer)}, {len(self.item)} and "
                f"{len(self.pile)} entries, but must have the same"
            )
        order = np.lexsort((self.item, self.answer))
        self.answer, self.item, self.pile = (
            values[order] for values in (self.answer, self.item, self.pile)
        )
        twice = np.flatnonzero((np.diff(self.answer) == 0) & (np.diff(self.item) == 0))
        if twice.size:
            i = twice[0]
            raise ValueError(f"answer {self.answer[i]} holds item {self.item[i]} twice")

    def __repr__(self) -> str:
        return (
            f"CrowdClusters({len(self.worker)} answers, {self.n_items} items, "
            f"{self.n_workers} workers)"
        )

    @property
    def n_answers(self) -> int:
        return len(self.worker)

    def judged(self) -> NDArray[np.bool_]:
        """Whether somebody put the item into a pile, shape (n_items,)."""
        some = np.zeros(self.n_items, dtype=bool)
        some[self.item[self.pile != UNSURE]] = True
        return some

    def met(self) -> NDArray[np.bool_]:
        """Whether somebody put the item into a pile or was unsure of it, shape (n_items,)."""
        some = np.zeros(self.n_items, dtype=bool)
        some[self.item] = True
        return some

    def votes(self) -> PairVotes:
        """Each pair of items of each answer, those with an unsure one left out.

        An answer with m items makes m (m - 1) / 2 of them: blocks must be bounded.
        """
        sure = self.pile != UNSURE
        answer, item, pile = self.answer[sure], self.item[sure], self.pile[sure]
        end = np.searchsorted(answer, answer, side="right")
        later = end - np.arange(len(answer)) - 1  # items that follow in the same answer
        before = np.repeat(np.cumsum(later) - later, later)
        one = np.repeat(np.arange(len(answer)), later)
        other = one + 1 + np.arange(len(one)) - before
        key = item[one] * np.int64(max(1, self.n_items)) + item[other]
        pairs, pair = np.unique(key, return_inverse=True)
        first, second = np.divmod(pairs, max(1, self.n_items))
        return PairVotes(
            first=first,
            second=second,
            pair=pair.astype(np.int64),
            worker=self.worker[answer[one]],
            answer=answer[one],
            label=np.where(pile[one] == pile[other], SAME, DIFFERENT),
            n_workers=self.n_workers,
        )


@dataclass(frozen=True, slots=True, eq=False)
class PairVotes:
    """Who said of which pair of items that they are the same.

    Attributes
    ----------
    first, second : integer arrays of shape (n_pairs,)
        Items, first < second, in order.
    pair, worker, answer, label : integer arrays of shape (n_votes,)
        A number of the pairs; the worker; their answer; 1 same, 0 different.
    n_workers : int
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    pair: NDArray[np.int64]
    worker: NDArray[np.int64]
    answer: NDArray[np.int64]
    label: NDArray[np.int64]
    n_workers: int

    @property
    def n_pairs(self) -> int:
        return len(self.first)

    def labels(self) -> CrowdLabels:
        """Pairs as units of two classes, 0 different and 1 same."""
        return CrowdLabels(self.pair, self.worker, self.label, self.n_pairs, self.n_workers, 2)


class CorrelationClustering(Estimator):
    """The partition of all items that the weighted votes on pairs speak for most.

    A vote of worker w who says v of a pair weighs

        e[w, v] = ln P(w says v | same) - ln P(w says v | different),

    and the pair of items i and j weighs

        s[i, j] = ln p / (1 - p) + sum over w of the mean of e[w, v] over their votes on (i, j)

    with p the share of pairs that are the same: the log-odds of "same" were votes independent. Who
    judged a pair twice, in overlapping blocks, has one vote; contradicting themselves, they have
    about none. An unsure worker has no vote. Pairs without a vote weigh 0: they are together where
    others join them. Wanted is the partition with the largest sum of s within clusters; on a tie
    items stay apart. See `correlation_clusters` for how it is found.

    `weights` says how p and e are learnt on all judged pairs:

        two-coin  by `DawidSkene`: P(says same | same) and P(says different | different), so that
                  somebody who splits too much is believed where they join. Most pairs differ, and
                  "same" is the rarer and weightier word, which one number can't say.
        one-coin  by `OneCoin`: one accuracy each, e = +-ln a / (1 - a)
        votes     e = +-1, and p = 1/2: the majority of each pair

    Votes of one answer hang together (a wrong item in a pile of ten makes ten wrong pairs). They
    learn as if they did not, so the intervals of reliabilities are too narrow. The confidence of
    a member takes them together, and each worker once: with

        S[i, C] = ln p / (1 - p) + sum over w of the mean of w's e over their votes on (i, j), j in
        C

    P(i belongs to C) is exp S[i, C] over 1 + sum of exp S[i, D] over all clusters D that i was
    compared with, where 1 is for i belonging to none of them, and C is without i itself.

    Takes no gold and works in one process. What was learnt of workers can judge other answers, see
    `judge`.

    Parameters
    ----------
    weights : "two-coin", "one-coin" or "votes"
    exact : int
        Parts with at most so many items are solved exactly; the others by local search.
    starts : int
        Of the local search.
    seed : int
        Of the local search.

    Attributes
    ----------
    cluster_ : array of shape (n_items,)
        Numbered by first item. An item that nobody sorted has a cluster of its own.
    confidence_ : array of shape (n_items,)
        P that the item belongs where it is, see above; NaN where it was compared with none.
    first_, second_ : arrays of shape (n_pairs,)
        The pairs that were judged.
    weight_ : array of shape (n_pairs,)
        s.
    same_ : array of shape (n_pairs,)
        1 / (1 + exp -s): the probability of "same" by the votes on the pair alone.
    prevalence_ : float
        p.
    evidence_ : array of shape (n_workers, 2)
        e, for "different" and "same".
    reliability_ : Reliability
        Of pairs. Parameters `same` and `different`: P(says it | it is true); none where `weights`
        is "votes".
    diagnostics_ : Diagnostics
        Of the learning; the objective is that of the last step: the sum of s within clusters.
    """

    cluster_: NDArray[np.int64]
    confidence_: NDArray[np.float64]
    first_: NDArray[np.int64]
    second_: NDArray[np.int64]
    weight_: NDArray[np.float64]
    same_: NDArray[np.float64]
    prevalence_: float
    evidence_: NDArray[np.float64]
    reliability_: Reliability
    diagnostics_: Diagnostics

    def __init__(
        self,
        *,
        weights: Literal["two-coin", "one-coin", "votes"] = "two-coin",
        exact: int = EXACT_ITEMS,
        starts: int = STARTS,
        seed: int = 0,
    ):
        check_choice(("two-coin", "one-coin", "votes"), weights=weights)
        correlation_clusters([], [], [], 0, exact=exact, starts=starts)  # refuses what is no size
        self.weights, self.exact, self.starts, self.seed = weights, exact, starts, seed

    def fit(self, data: CrowdClusters) -> Self:
        began = time.perf_counter()
        votes = data.votes()
        learnt = self._learnt(votes)
        self._solve(data, votes)
        reached = objective_of(self.cluster_, self.first_, self.second_, self.weight_)
        self.diagnostics_ = Diagnostics(
            objective=(reached,),
            converged=learnt.converged,
            iterations=learnt.iterations,
            seconds=time.perf_counter() - began,
        )
        return self

    def judge(
        self,
        data: CrowdClusters,
        *,
        prevalence: float,
        same: ArrayLike,
        different: ArrayLike,
    ) -> Self:
        """The clusters of other answers, with what a fit has learnt: its `prevalence_`, and the
        parameters of its reliability, both of shape (n_workers,) with NaN for those whom it did
        not know: they get what is known of nobody in particular. There is no `reliability_`.
        """
        right = np.column_stack([different, same]).astype(np.float64)
        unknown = np.isnan(right).any(axis=1)
        right[unknown] = DIAGONAL / (DIAGONAL + OFF_DIAGONAL)
        right = np.clip(right, EDGE, 1.0 - EDGE)
        self.prevalence_ = min(max(float(prevalence), EDGE), 1.0 - EDGE)
        self.evidence_ = np.column_stack(
            [
                np.log(1.0 - right[:, SAME]) - np.log(right[:, DIFFERENT]),
                np.log(right[:, SAME]) - np.log(1.0 - right[:, DIFFERENT]),
            ]
        )
        self._solve(data, data.votes())
        return self

    def predict(self) -> NDArray[np.int64]:
        """The cluster of each item, shape (n_items,)."""
        return self.cluster_.copy()

    def _solve(self, data: CrowdClusters, votes: PairVotes) -> None:
        """What the votes come to, with what they weigh."""
        said = self.evidence_[votes.worker, votes.label]
        self.first_, self.second_ = votes.first, votes.second
        bias = float(np.log(self.prevalence_) - np.log1p(-self.prevalence_))
        self.weight_ = bias + _means_of_workers(votes.pair, votes.worker, said, votes.n_pairs)
        self.same_ = 1.0 / (1.0 + np.exp(-np.clip(self.weight_, -SUREST, SUREST)))
        self.cluster_ = correlation_clusters(
            self.first_,
            self.second_,
            self.weight_,
            data.n_items,
            exact=self.exact,
            starts=self.starts,
            seed=self.seed,
        )
        self.confidence_ = _memberships(votes, said, bias, self.cluster_)

    def _learnt(self, votes: PairVotes) -> Diagnostics:
        """Set `prevalence_`, `evidence_` and `reliability_`."""
        labels = votes.labels()
        if self.weights == "votes":
            vote = MajorityVote().fit(labels)
            self.prevalence_ = 0.5
            self.evidence_ = np.tile([-1.0, 1.0], (votes.n_workers, 1))
            self.reliability_ = vote.reliability_
            return vote.diagnostics_
        kind = DawidSkene if self.weights == "two-coin" else OneCoin
        model = kind(diagonal=DIAGONAL, off_diagonal=OFF_DIAGONAL).fit(labels)
        table = model.confusion_  # (n_workers, truth, said)
        self.prevalence_ = float(model.prevalence_[SAME])
        self.evidence_ = np.log(table[:, SAME]) - np.log(table[:, DIFFERENT])
        found = model.reliability_
        self.reliability_ = Reliability(
            accuracy=found.accuracy,
            low=found.low,
            high=found.high,
            judged=found.judged,
            parameters={
                "same": table[:, SAME, SAME],
                "different": table[:, DIFFERENT, DIFFERENT],
            },
        )
        return model.diagnostics_


def _means_of_workers(
    unit: NDArray[np.int64], worker: NDArray[np.int64], value: NDArray[np.float64], n_units: int
) -> NDArray[np.float64]:
    """For each unit the sum, over its workers, of a worker's mean value; shape (n_units,)."""
    n_workers = int(worker.max(initial=0)) + 1
    keys, place = np.unique(unit * n_workers + worker, return_inverse=True)
    mean = np.bincount(place, value, minlength=len(keys)) / np.bincount(place, minlength=len(keys))
    return np.bincount(keys // n_workers, mean, minlength=n_units).astype(np.float64)


def _memberships(
    votes: PairVotes,
    said: NDArray[np.float64],
    bias: float,
    cluster: NDArray[np.int64],
) -> NDArray[np.float64]:
    """How probably each item belongs to its cluster; see the class."""
    n_items = len(cluster)
    one, other = votes.first[votes.pair], votes.second[votes.pair]
    # Each vote speaks of either item and the cluster of the other.
    item = np.concatenate([one, other])
    beside = cluster[np.concatenate([other, one])]
    n_clusters = int(cluster.max(initial=-1)) + 1
    places, place = np.unique(item * n_clusters + beside, return_inverse=True)
    score = bias + _means_of_workers(
        place.astype(np.int64), np.tile(votes.worker, 2), np.tile(said, 2), len(places)
    )
    of, near = np.divmod(places, max(1, n_clusters))
    top = np.zeros(n_items)  # of belonging to none
    np.maximum.at(top, of, score)
    total = np.exp(-top) + np.bincount(of, np.exp(score - top[of]), minlength=n_items)
    mine = near == cluster[of]
    chosen = np.zeros(n_items)  # alone, unless there is a score for the cluster
    chosen[of[mine]] = score[mine]
    compared = np.bincount(of, minlength=n_items) > 0
    alone = np.bincount(cluster, minlength=n_clusters)[cluster] == 1
    known = np.zeros(n_items, dtype=bool)
    known[of[mine]] = True
    sure = np.exp(chosen - top) / total
    # A member that was compared with none of the others is there by none of their own votes.
    return np.where(compared & (alone | known), sure, np.nan)


def _numbers(values: ArrayLike, name: str, lowest: int, end: int | None) -> NDArray[np.int64]:
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"{name} must have one dimension, but has {array.ndim}")
    if not array.size:
        return np.zeros(0, dtype=np.int64)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} must hold whole numbers, but holds {array.dtype}")
    if array.min() < lowest or (end is not None and array.max() >= end):
        span = f"{lowest} or more" if end is None else f"{lowest} to {end - 1}"
        raise ValueError(f"{name} must be {span}, but one is {array.min()} and one {array.max()}")
    return array.astype(np.int64)
