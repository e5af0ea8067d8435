"""Cohen's kappa, the agreement of two workers beyond chance, over all pairs of a crowd.

Cohen, Educational and Psychological Measurement 20 (1960).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.data import CrowdLabels
from aggregation.algorithms.measures.agreement import Agreement, PairTable, checked_groups, defined
from aggregation.algorithms.measures.resampling import REPLICATES, draws, percentiles, share

if TYPE_CHECKING:
    from scipy.sparse import csr_array

BLOCK_PAIRS = 2**20  # pairs of labels looked at together
BLOCK_SUMS = 2**22  # sums of replicates kept together


def cohen_kappa(
    labels: CrowdLabels,
    *,
    groups: ArrayLike | None = None,
    seed: int = 0,
    replicates: int = REPLICATES,
) -> Agreement:
    """The mean of Cohen's kappa over pairs of workers, weighted by the units that they share.

    Weighted, because in a crowd most pairs share a unit or two, and their kappas are noise; with
    complete data it is the plain mean (Light, Psychological Bulletin 76, 1971). Pairs without a
    kappa are left out: both said one and the same class of all units they share. Parameters as
    for `krippendorff_alpha`. The time goes with the pairs of labels, and that of the bootstrap
    with `replicates` times these, unless they fall into few groups.
    """
    table = _PairCounts.of(labels, groups)
    kappas, weights = table.kappas(np.ones((table.n_groups, 1)))
    value = defined(_weighted(kappas, weights)[0])
    low = high = None
    if value is not None and replicates and table.n_groups > 1:
        low, high = (defined(end[0]) for end in percentiles(table.means(seed, replicates)))
    judged = np.bincount(labels.unit, minlength=labels.n_units)
    return Agreement(value, low, high, int((judged > 1).sum()), len(table.pair))


def cohen_kappas(labels: CrowdLabels) -> PairTable:
    """Cohen's kappa for each pair of workers: (p_o - p_e) / (1 - p_e) over the units they share.

    p_o is the share of units of which both say the same, p_e = sum_c p_c q_c with p_c and q_c how
    often the one and the other says c of these units.
    """
    table = _PairCounts.of(labels, np.zeros(labels.n_units, dtype=np.int64))
    kappas, weights = table.kappas(np.ones((table.n_groups, 1)))
    defined = ~np.isnan(kappas[:, 0])
    first, second = np.divmod(table.pair[defined], labels.n_workers)
    return PairTable(first, second, weights[defined, 0].astype(np.int64), kappas[defined, 0])


@dataclass(frozen=True, slots=True)
class _PairCounts:
    """What the kappas of all pairs of workers are made of, by group.

    `counts`, sparse, shape (n_pairs * (1 + 2 * n_classes), n_groups): for each pair how often
    they agree, then how often the first says each class, then the second. `pair` is first *
    n_workers + second.
    """

    counts: csr_array
    pair: NDArray[np.int64]
    n_classes: int
    n_groups: int

    @classmethod
    def of(cls, labels: CrowdLabels, groups: ArrayLike | None) -> _PairCounts:
        from scipy.sparse import csr_array

        # Units that only one has judged tell nothing, so they are not drawn either.
        compared = np.flatnonzero(np.bincount(labels.unit, minlength=labels.n_units) > 1)
        given = checked_groups(
            np.arange(labels.n_units) if groups is None else groups, labels.n_units, "units"
        )
        numbers, place_of = np.unique(given[compared], return_inverse=True)
        group, n_groups = np.zeros(labels.n_units, dtype=np.int64), len(numbers)
        group[compared] = place_of
        k = labels.n_classes
        width = 1 + 2 * k
        found = [np.empty((2, 0), dtype=np.int64)]
        for unit, first, second, said, answered in _pairs_of_labels(labels):
            row = (first * labels.n_workers + second) * width
            agreed = said == answered
            cell = np.concatenate([
                row[agreed] * n_groups + group[unit[agreed]],
                (row + 1 + said) * n_groups + group[unit],
                (row + 1 + k + answered) * n_groups + group[unit],
            ])  # fmt: skip
            found.append(np.stack(np.unique(cell, return_counts=True)))
        cell, amount = np.concatenate(found, axis=1)
        row, place = np.divmod(cell, max(1, n_groups))
        pair, at = np.unique(row // width, return_inverse=True)
        counts = csr_array(
            (amount.astype(np.float64), (at * width + row % width, place)),
            shape=(len(pair) * width, n_groups),
        )
        return cls(counts, pair, k, n_groups)

    def kappas(self, drawn: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Kappa (or NaN) and shared units of each pair, shape (n_pairs, n_replicates).

        `drawn`, shape (n_groups, n_replicates), says how often each group counts.
        """
        k = self.n_classes
        sums = (self.counts @ drawn).reshape(len(self.pair), 1 + 2 * k, drawn.shape[1])
        agree, said, answered = sums[:, 0], sums[:, 1 : 1 + k], sums[:, 1 + k :]
        n = said.sum(axis=1)
        chance = np.einsum("pcr,pcr->pr", said, answered)
        # Whole numbers throughout, so "never by chance alone" is n^2 = chance exactly.
        return 1.0 - share(n * (n - agree), n * n - chance), n

    def means(self, seed: int, replicates: int) -> NDArray[np.float64]:
        """Of bootstrap samples, shape (replicates, 1)."""
        rng = np.random.default_rng(seed)
        means = []
        step = max(1, BLOCK_SUMS // max(1, len(self.pair) * (1 + 2 * self.n_classes)))
        for begin in range(0, replicates, step):
            size = min(step, replicates - begin)
            drawn = np.stack([draws(self.n_groups, rng) for _ in range(size)], axis=1)
            means.append(_weighted(*self.kappas(drawn.astype(np.float64))))
        return np.concatenate(means)[:, None]


def _weighted(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of each column over rows that are not NaN; NaN where there is none."""
    there = ~np.isnan(values)
    return share(np.where(there, values * weights, 0.0).sum(axis=0), (there * weights).sum(axis=0))


def _pairs_of_labels(labels: CrowdLabels) -> Iterator[tuple[NDArray[np.int64], ...]]:
    """Blocks of (unit, first worker, second worker, what the first said, what the second said).

    Each pair of labels of a unit by two different workers is there once, first < second.
    """
    order = np.lexsort((labels.worker, labels.unit))
    worker, label = labels.worker[order].astype(np.int64), labels.label[order].astype(np.int64)
    judged = np.bincount(labels.unit, minlength=labels.n_units)
    edge = np.concatenate(([0], np.cumsum(judged)))
    for m in np.unique(judged[judged > 1]).tolist():
        alike = np.flatnonzero(judged == m)
        one, other = np.triu_indices(m, 1)
        step = max(1, BLOCK_PAIRS // len(one))
        for begin in range(0, len(alike), step):
            unit = alike[begin : begin + step]
            left, right = edge[unit][:, None] + one, edge[unit][:, None] + other
            different = worker[left] != worker[right]
            left, right = left[different], right[different]
            yield (
                np.repeat(unit, different.sum(axis=1)),
                worker[left],
                worker[right],
                label[left],
                label[right],
            )
