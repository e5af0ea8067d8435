"""How well two partitions of items agree, and how well workers do on clusters.

Pairwise F1; B-cubed (Bagga and Baldwin, *Entity-based cross-document coreferencing*, 1998);
CEAF-e and CEAF-m (Luo, *On coreference resolution performance metrics*, 2005, with phi_4 and
phi_3); MUC (Vilain and others, *A model-theoretic coreference scoring scheme*, 1995); LEA (Moosavi
and Strube, *Which coreference evaluation metric do you trust?*, 2016); BLANC (Recasens and Hovy,
*BLANC: Implementing the Rand index for coreference evaluation*, 2011, as Luo and others, *An
extension of BLANC to system mentions*, 2014, have it); and the average of the CoNLL-2012 shared
task.

With clusters K of the gold, R of what was predicted, and k(n) = n (n - 1) / 2 pairs of n items,

    pairwise  recall = sum over K, R of k(|K & R|) / sum over K of k(|K|)
    B-cubed   recall = sum over K, R of |K & R|^2 / |K|, over the items of the gold
    CEAF-e    recall = sum over the best one-to-one matching of 2 |K & R| / (|K| + |R|), over the
              number of K
    CEAF-m    recall = sum over the best one-to-one matching of |K & R| / sum over K of |K|
    MUC       recall = sum over K of |K| - (the parts that the R cut K into) / sum of |K| - 1
    LEA       recall = sum over K of |K| (sum over R of k(|K & R|) / k(|K|)) / sum of |K|; of one
              item alone k is 1, and it is found only where R is that item alone too
    apart     recall = pairs of items that both sides hold in different clusters, over the pairs
              that the gold does
    BLANC     the mean of pairwise and apart, of recalls, of precisions and of F1; the one alone
              where the other is a share of nothing on both sides
    CoNLL     the mean of MUC, B-cubed and CEAF-e

and precision is the same with the sides changed. An item may stand on one side alone (-1 on the
other): it counts in the sizes of its cluster, for MUC it is a part of its own. What is a share of
nothing, as MUC where all items are alone, is NaN, never 0 or 1; so is CoNLL's mean with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.clusters.crowd_clusters import SAME, CrowdClusters, PairVotes
from aggregation.algorithms.measures.agreement import (
    Agreement,
    agreement,
    checked_groups,
    krippendorff_alpha,
)
from aggregation.algorithms.measures.resampling import REPLICATES, share

COUNTED = ("pairwise", "b_cubed", "ceaf_e", "muc", "lea", "ceaf_m", "apart")
METRICS = ("pairwise", "b_cubed", "ceaf_e", "ceaf_m", "muc", "blanc", "conll", "lea")
CONLL = ("muc", "b_cubed", "ceaf_e")


class Score(NamedTuple):
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class ClusterScores:
    """NaN where something is a share of nothing."""

    pairwise: Score
    b_cubed: Score
    ceaf_e: Score
    ceaf_m: Score
    muc: Score
    blanc: Score
    conll: Score
    lea: Score


def score_clusters(predicted: ArrayLike, gold: ArrayLike) -> ClusterScores:
    """Scores of a partition.

    Parameters
    ----------
    predicted, gold : integer arrays of shape (n_items,)
        The cluster of each item, by any numbers; -1 where the item does not stand on that side.
    """
    counts = cluster_counts(predicted, gold)
    shares = cluster_shares(counts.sum(axis=0, keepdims=True))[0].reshape(len(METRICS), 3)
    scores = (Score(*row) for row in shares.tolist())
    return ClusterScores(**dict(zip(METRICS, scores, strict=True)))


def cluster_counts(
    predicted: ArrayLike, gold: ArrayLike, group: ArrayLike | None = None
) -> NDArray[np.float64]:
    """What scores are shares of, for each group, shape (n_groups, 4 * 7): for each of `COUNTED`
    the numerator and denominator of precision, then those of recall. They add up.

    `group`, shape (n_items,), are numbers from 0 of documents or tasks: clusters do not reach from
    one into another, their numbers may come again. Without it all items are one group.
    """
    ours, theirs = _checked(predicted), _checked(gold)
    if ours.shape != theirs.shape:
        raise ValueError(f"predicted has {len(ours)} items, but gold has {len(theirs)}")
    of = np.zeros(len(ours), dtype=np.int64)
    if group is not None:
        of = checked_groups(group, len(ours), "items")
    table = _Overlaps.of(ours, theirs, of)
    counts = np.zeros((table.n_groups, len(COUNTED), 2, 2))
    for side, sums in enumerate((table.one_sided(), table.turned().one_sided())):
        for metric, (top, bottom) in sums.items():
            counts[:, COUNTED.index(metric), side, 0] = top
            counts[:, COUNTED.index(metric), side, 1] = bottom
    for metric, alike in (("ceaf_e", table.phi_4()), ("ceaf_m", table.common.astype(np.float64))):
        counts[:, COUNTED.index(metric), :, 0] = table.matched(alike)[:, None]
    return counts.reshape(table.n_groups, -1)


def cluster_shares(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """From sums of the columns of `cluster_counts` to P, R and F1 of each of `METRICS`, shape
    (n_rows, 3 * 8): a statistic for `bootstrap_interval`."""
    parts = sums.reshape(len(sums), len(COUNTED), 2, 2)
    precision = share(parts[:, :, 0, 0], parts[:, :, 0, 1])
    recall = share(parts[:, :, 1, 0], parts[:, :, 1, 1])
    # Nothing right is F1 0, also where there was nothing to be right about on one side.
    both = np.nan_to_num(precision) + np.nan_to_num(recall)
    product = np.nan_to_num(precision) * np.nan_to_num(recall)
    f1 = np.divide(2 * product, both, out=np.zeros_like(both), where=both > 0)
    f1[np.isnan(precision) & np.isnan(recall)] = np.nan
    known = np.stack([precision, recall, f1], axis=2)
    scores = {name: known[:, i] for i, name in enumerate(COUNTED)}
    scores["blanc"] = _blanc(scores["pairwise"], scores["apart"])
    scores["conll"] = np.mean([scores[name] for name in CONLL], axis=0)
    return np.stack([scores[name] for name in METRICS], axis=1).reshape(len(sums), -1)


def _blanc(together: NDArray[np.float64], apart: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of two scores, shapes (n, 3) of P, R, F1; one of them alone where the other has
    nothing on either side. What is a share of nothing on one side counts as 0."""
    of = [~np.isnan(each[:, 2]) for each in (together, apart)]
    total = np.nan_to_num(together) * of[0][:, None] + np.nan_to_num(apart) * of[1][:, None]
    return share(total, np.broadcast_to((of[0] + 0.0 + of[1])[:, None], total.shape))


@dataclass(frozen=True, slots=True, eq=False)
class _Overlaps:
    """Which clusters of either side share how many items: sparse, one entry for each such pair.

    `predicted_size` and `gold_size`, shapes (n_predicted,) and (n_gold,), are the sizes of the
    clusters; `predicted_group` and `gold_group` their groups; `row`, `column` and `common` are of
    the entries.
    """

    predicted_size: NDArray[np.int64]
    gold_size: NDArray[np.int64]
    predicted_group: NDArray[np.int64]
    gold_group: NDArray[np.int64]
    row: NDArray[np.int64]
    column: NDArray[np.int64]
    common: NDArray[np.int64]
    n_groups: int

    @classmethod
    def of(
        cls, predicted: NDArray[np.int64], gold: NDArray[np.int64], group: NDArray[np.int64]
    ) -> _Overlaps:
        row, predicted_size, predicted_group = _clusters(predicted, group)
        column, gold_size, gold_group = _clusters(gold, group)
        both = (row >= 0) & (column >= 0)
        width = max(1, len(gold_size))
        cells, common = np.unique(row[both] * width + column[both], return_counts=True)
        return cls(
            predicted_size,
            gold_size,
            predicted_group,
            gold_group,
            *np.divmod(cells, width),
            common,
            int(group.max(initial=0)) + 1,
        )

    def turned(self) -> _Overlaps:
        return _Overlaps(
            self.gold_size,
            self.predicted_size,
            self.gold_group,
            self.predicted_group,
            self.column,
            self.row,
            self.common,
            self.n_groups,
        )

    def one_sided(self) -> dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """Numerators and denominators of precision by group, but CEAF's numerators, which are of
        both sides: `matched`."""
        size, n = self.predicted_size, len(self.predicted_size)
        pairs = _pairs(size)
        common_pairs = np.bincount(self.row, _pairs(self.common), minlength=n)
        covered = np.bincount(self.row, self.common, minlength=n)
        pieces = np.bincount(self.row, minlength=n) + (size - covered)
        squares = np.bincount(self.row, self.common.astype(np.float64) ** 2, minlength=n)
        alone = (size[self.row] == 1) & (self.gold_size[self.column] == 1)
        predicted_alone = np.bincount(self.row, alone.astype(np.float64), minlength=n)
        resolved = np.where(size == 1, predicted_alone, common_pairs / np.maximum(pairs, 1))
        clusters, items = self._grouped(np.ones(n)), self._grouped(size)
        there = self._grouped(covered)  # items that stand on both sides
        gold_covered = np.bincount(self.column, self.common, minlength=len(self.gold_size))
        joined = np.bincount(self.gold_group, _pairs(gold_covered), minlength=self.n_groups)
        joined_by_either = self._grouped(_pairs(covered) - common_pairs) + joined
        nothing = np.zeros(self.n_groups)
        return {
            "pairwise": (self._grouped(common_pairs), self._grouped(pairs)),
            "b_cubed": (self._grouped(squares / size), items),
            "muc": (self._grouped(size - pieces), self._grouped(size - 1)),
            "lea": (self._grouped(size * resolved), items),
            "ceaf_e": (nothing, clusters),
            "ceaf_m": (nothing, items),
            "apart": (_pairs(there) - joined_by_either, _pairs(items) - self._grouped(pairs)),
        }

    def _grouped(self, values: NDArray[Any]) -> NDArray[np.float64]:
        return np.bincount(self.predicted_group, values, minlength=self.n_groups).astype(np.float64)

    def phi_4(self) -> NDArray[np.float64]:
        """How similar the clusters of each entry are, by Luo (2005)."""
        return 2.0 * self.common / (self.predicted_size[self.row] + self.gold_size[self.column])

    def matched(self, alike: NDArray[np.float64]) -> NDArray[np.float64]:
        """The similarity of the best matching, by group; `alike` is that of each entry.

        Clusters that no chain of common items connects can't be matched with profit, so that each
        connected part is matched by itself; most are two clusters, which need no search.
        """
        from scipy.optimize import linear_sum_assignment
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        if not len(alike):
            return np.zeros(self.n_groups)
        n_predicted = len(self.predicted_size)
        size = n_predicted + len(self.gold_size)
        graph = coo_array((alike, (self.row, n_predicted + self.column)), shape=(size, size))
        n_parts, part = connected_components(graph, directed=False)
        of = part[self.row]
        entries = np.bincount(of, minlength=n_parts)
        total = np.where(entries == 1, np.bincount(of, alike, minlength=n_parts), 0.0)
        order = np.argsort(of, kind="stable")
        end = np.cumsum(entries)
        for p in np.flatnonzero(entries > 1).tolist():
            mine = order[end[p] - entries[p] : end[p]]
            rows, i = np.unique(self.row[mine], return_inverse=True)
            columns, j = np.unique(self.column[mine], return_inverse=True)
            table = np.zeros((len(rows), len(columns)))
            table[i, j] = alike[mine]
            total[p] = table[linear_sum_assignment(table, maximize=True)].sum()
        group = np.zeros(n_parts, dtype=np.int64)
        group[of] = self.predicted_group[self.row]
        return np.bincount(group, total, minlength=self.n_groups).astype(np.float64)


def _clusters(
    numbers: NDArray[np.int64], group: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The cluster of each item counted over all groups (-1: none), and sizes and groups of
    clusters."""
    there = numbers >= 0
    width = int(numbers.max(initial=0)) + 1
    keys, place, size = np.unique(
        group[there] * width + numbers[there], return_inverse=True, return_counts=True
    )
    cluster = np.full(len(numbers), -1)
    cluster[there] = place
    return cluster, size, keys // width


def _pairs(size: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(size * (size - 1) / 2.0)


def _checked(numbers: ArrayLike) -> NDArray[np.int64]:
    array = np.asarray(numbers)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ValueError("predicted and gold must be whole numbers, one for each item")
    if array.size and array.min() < -1:
        raise ValueError(f"clusters must have the numbers from 0, or -1, but one is {array.min()}")
    # Only which are equal matters, and large numbers would make large keys.
    known, place = np.unique(array, return_inverse=True)
    return np.asarray(place - int(known.size > 0 and known[0] == -1), dtype=np.int64)


# --- Agreement between workers --------------------------------------------------------------------


def pairwise_cluster_f1(
    data: CrowdClusters,
    *,
    groups: ArrayLike | None = None,
    seed: int = 0,
    replicates: int = REPLICATES,
) -> Agreement:
    """Pairwise F1 of one worker's piles against another's, over all pairs of workers.

    Only pairs of items are compared that both have put into piles. With s of the m votes on a pair
    of items being "same", F1 = sum over pairs of s (s - 1) / sum of s (m - 1): each couple of
    votes counts alike. None where nobody says "same" of a pair that two have judged. A worker's
    own votes on one pair, from two tasks, are not compared.

    Parameters
    ----------
    data : CrowdClusters
    groups : integer array of shape (n_answers,), or None for each answer's task unknown
        The number of each answer's task or document, from 0, the same for all answers to it; the
        bootstrap draws them. A pair of items counts in the group of its first vote. Without
        `groups` pairs of items are drawn, which are alike, so that the interval is too narrow.
    seed, replicates : int
        Of the bootstrap.
    """
    votes = _one_each(data.votes())
    said = np.bincount(votes.pair[votes.label == SAME], minlength=votes.n_pairs)
    judged = np.bincount(votes.pair, minlength=votes.n_pairs)
    compared = judged > 1
    rows = np.column_stack([said * (said - 1.0), said * (judged - 1.0)])[compared]
    return agreement(
        rows,
        _groups_of_pairs(data, votes, groups, compared),
        lambda sums: share(sums[:, 0], sums[:, 1]),
        seed=seed,
        replicates=replicates,
        units=int(compared.sum()),
        pairs=int(_pairs(judged).sum()),
    )


def pair_alpha(
    data: CrowdClusters,
    *,
    groups: ArrayLike | None = None,
    seed: int = 0,
    replicates: int = REPLICATES,
) -> Agreement:
    """Krippendorff's alpha of "same" and "different" on pairs of items; as above."""
    votes = _one_each(data.votes())
    everything = np.ones(votes.n_pairs, dtype=bool)
    return krippendorff_alpha(
        votes.labels(),
        groups=_groups_of_pairs(data, votes, groups, everything),
        seed=seed,
        replicates=replicates,
    )


def _one_each(votes: PairVotes) -> PairVotes:
    """Of a worker's votes on one pair the first alone."""
    key = votes.pair * np.int64(max(1, votes.n_workers)) + votes.worker
    _, kept = np.unique(key, return_index=True)
    return PairVotes(
        first=votes.first,
        second=votes.second,
        pair=votes.pair[kept],
        worker=votes.worker[kept],
        answer=votes.answer[kept],
        label=votes.label[kept],
        n_workers=votes.n_workers,
    )


def _groups_of_pairs(
    data: CrowdClusters,
    votes: PairVotes,
    groups: ArrayLike | None,
    compared: NDArray[np.bool_],
) -> NDArray[np.int64] | None:
    if groups is None:
        return None
    of_answer = checked_groups(groups, data.n_answers, "answers")
    _, first = np.unique(votes.pair, return_index=True)  # each pair has a vote
    return of_answer[votes.answer[first]][compared]
