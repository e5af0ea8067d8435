"""Where the units of an EM live: the seam behind `em`.

An E-step sums over units, so it is done shard by shard wherever a shard lives (in this process, in
others, in files), and the sums are added up. In memory all units are one shard.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.blocks import Block
from aggregation.algorithms.categorical.em import ExpectedCounts, Parameters, Start, e_step
from aggregation.algorithms.data import UNKNOWN, CrowdLabels, checked_gold
from aggregation.algorithms.reliability import Hits
from aggregation.algorithms.shards import (
    Loader,
    LocalPool,
    OpenShards,
    Pool,
    ShardedLabels,
    joined,
    loaders_of,
    total,
)

# Beside gold, a worker without gold votes with the weight of one right label in two.
PRIOR_RIGHT, PRIOR_LABELS = 1.0, 2.0


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """What was labelled, before anything is estimated; those of several shards add up.

    Attributes
    ----------
    labels : array of shape (n_workers, n_classes)
        How often each worker gave each class.
    right, on_gold : arrays of shape (n_workers,)
        How many of a worker's labels are of units with gold, and are that gold.
    n_units, n_known : int
        All units, and those with gold.
    """

    labels: NDArray[np.int64]
    right: NDArray[np.int64]
    on_gold: NDArray[np.int64]
    n_units: int
    n_known: int

    def __add__(self, other: LabelCounts) -> LabelCounts:
        return LabelCounts(
            self.labels + other.labels,
            self.right + other.right,
            self.on_gold + other.on_gold,
            self.n_units + other.n_units,
            self.n_known + other.n_known,
        )

    @property
    def n_labels(self) -> int:
        return int(self.labels.sum())

    def judged(self) -> NDArray[np.int64]:
        """How many labels each worker gave, shape (n_workers,)."""
        return self.labels.sum(axis=1)

    def vote_weights(self) -> NDArray[np.float64]:
        """Of each worker's vote, shape (n_workers,): their accuracy on gold, or 1 without gold."""
        if not self.n_known:
            return np.ones(len(self.labels))
        return (self.right + PRIOR_RIGHT) / (self.on_gold + PRIOR_LABELS)

    def class_shares(self) -> NDArray[np.float64]:
        """Each class's share of all weighted votes, shape (n_classes,); even without a vote."""
        votes = self.vote_weights() @ self.labels
        return votes / votes.sum() if votes.any() else np.full(len(votes), 1.0 / len(votes))


@dataclass(frozen=True, slots=True)
class ShardResult:
    """What is wanted of a shard at the end: T where it is kept, and how often each was right."""

    posterior: NDArray[np.float64] | None
    hits: Hits


class Shard:
    """Some of the units with their labels, as sparse counts.

    `prevalence`, shape (n_classes,), is p; `log_confusion`, shape (n_workers * n_classes,
    n_classes), is ln E at (w * n_classes + l, k). Nothing here changes an open shard, except where
    it is asked to keep T.
    """

    unchanged_by = frozenset({"label_counts", "initial_counts", "e_step", "result", "posterior"})

    def __init__(self, load: Loader, n_workers: int, n_classes: int):
        labels, gold = load()
        if (labels.n_workers, labels.n_classes) != (n_workers, n_classes):
            raise ValueError(
                f"a shard has {labels.n_workers} workers and {labels.n_classes} classes, but the "
                f"whole has {n_workers} and {n_classes}"
            )
        self.n_units, self.n_workers, self.n_classes = labels.n_units, n_workers, n_classes
        self.known = None if gold is None else checked_gold(gold, labels)
        self.weighted = labels.weight is not None
        self.blocks = labels.blocks()

    def __getstate__(self) -> dict[str, Any]:
        # Without the ones, which are two thirds of a block and the same in all.
        bare = [
            (
                block.units,
                block.counts.indices,
                block.counts.indptr,
                block.counts.data if self.weighted else None,
            )
            for block in self.blocks
        ]
        return {**self.__dict__, "blocks": bare}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        ones = np.ones(max((len(column) for _, column, _, _ in state["blocks"]), default=0))
        n_columns = self.n_workers * self.n_classes
        self.blocks = [
            Block.of(units, column, place, ones if weight is None else weight, n_columns)
            for units, column, place, weight in state["blocks"]
        ]

    def label_counts(self) -> LabelCounts:
        n_workers, n_classes = self.n_workers, self.n_classes
        labels = np.zeros(n_workers * n_classes, dtype=np.int64)
        right, on_gold = np.zeros((2, n_workers), dtype=np.int64)
        for block in self.blocks:
            column = block.counts.indices
            labels += np.bincount(column, minlength=len(labels))
            if self.known is None:
                continue
            truth = np.repeat(self.known[block.units], np.diff(block.counts.indptr))
            worker, label = column // n_classes, column % n_classes
            right += np.bincount(worker[truth == label], minlength=n_workers)
            on_gold += np.bincount(worker[truth != UNKNOWN], minlength=n_workers)
        n_known = 0 if self.known is None else int(np.count_nonzero(self.known != UNKNOWN))
        return LabelCounts(
            labels.reshape(n_workers, n_classes), right, on_gold, self.n_units, n_known
        )

    def initial_counts(
        self, weight: NDArray[np.float64], shares: NDArray[np.float64], start: Start
    ) -> ExpectedCounts:
        """Those of the first T: the shares of votes that count by the `weight` of each worker.

        A unit without labels gets `shares`, shape (n_classes,). With the start "mode" all others
        are wholly in the class with most votes.
        """
        ballots = np.kron(weight[:, None], np.eye(self.n_classes))  # (workers * labels, class)
        counts = ExpectedCounts.zeros(self.n_workers, self.n_classes)
        for block in self.blocks:
            posterior = block.counts @ ballots
            judged = np.diff(block.counts.indptr) > 0
            posterior[~judged] = shares
            posterior /= posterior.sum(axis=1, keepdims=True)
            if start == "mode":
                posterior[judged] = np.eye(self.n_classes)[posterior[judged].argmax(axis=1)]
            self._clamp(block, posterior)
            self._keep(block, posterior)
            counts.add(block, posterior, np.ones(self.n_classes))
        return counts

    def e_step(
        self, prevalence: NDArray[np.float64], log_confusion: NDArray[np.float64]
    ) -> ExpectedCounts:
        """An E-step, and the sums that the next M-step needs."""
        counts = ExpectedCounts.zeros(self.n_workers, self.n_classes)
        for block in self.blocks:
            ratio, log_likelihood = self._e_step(block, prevalence, log_confusion)
            counts.log_likelihood += log_likelihood
            counts.add(block, ratio, prevalence)
            counts.change = max(counts.change, self._keep(block, ratio, prevalence))
        return counts

    def posterior(
        self, prevalence: NDArray[np.float64], log_confusion: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """T, shape (n_units, n_classes)."""
        kept = self.result(prevalence, log_confusion, True).posterior
        assert kept is not None
        return kept

    def result(
        self, prevalence: NDArray[np.float64], log_confusion: NDArray[np.float64], keep: bool
    ) -> ShardResult:
        """Of the last T. A label is right with the posterior of its class."""
        kept = np.empty((self.n_units, self.n_classes)) if keep else None
        hits = Hits.none(self.n_workers)
        for block in self.blocks:
            posterior, _ = self._e_step(block, prevalence, log_confusion)
            posterior *= prevalence
            self._clamp(block, posterior)  # to the last bit
            worker, label = np.divmod(block.counts.indices, np.int32(self.n_classes))
            row = np.repeat(np.arange(len(posterior)), np.diff(block.counts.indptr))
            hits += Hits.of(worker, posterior[row, label], self.n_workers)
            if kept is not None:
                kept[block.units] = posterior
        return ShardResult(kept, hits)

    def _e_step(
        self, block: Block, prevalence: NDArray[np.float64], log_confusion: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], float]:
        known = None if self.known is None else self.known[block.units]
        return e_step(block.counts, prevalence, log_confusion, known)

    def _clamp(self, block: Block, posterior: NDArray[np.float64]) -> None:
        """Units with gold are wholly in its class."""
        if self.known is not None:
            known = self.known[block.units]
            units = np.flatnonzero(known != UNKNOWN)
            posterior[units] = np.eye(self.n_classes)[known[units]]

    def _keep(
        self,
        block: Block,
        ratio: NDArray[np.float64],
        prevalence: NDArray[np.float64] | float = 1.0,
    ) -> float:
        """The largest change of T in the block; here nothing is kept."""
        return 0.0


class KeepingShard(Shard):
    """A shard that keeps T, to say how far it changed in a step."""

    unchanged_by = Shard.unchanged_by - {"initial_counts", "e_step"}

    def __init__(self, load: Loader, n_workers: int, n_classes: int):
        super().__init__(load, n_workers, n_classes)
        self.last = np.full((self.n_units, n_classes), np.inf)  # before the first, far away

    def _keep(
        self,
        block: Block,
        ratio: NDArray[np.float64],
        prevalence: NDArray[np.float64] | float = 1.0,
    ) -> float:
        now = ratio * prevalence
        last = self.last[block.units]
        last -= now
        change = float(np.abs(last, out=last).max(initial=0.0))
        last[:] = now
        return change


@dataclass(frozen=True, slots=True)
class ShardedUnits:
    """All units, as shards that were opened in a pool: what a fit works on (`em.Units`)."""

    shards: OpenShards
    labels: LabelCounts
    n_units: int | None  # of data in memory

    @classmethod
    def open(
        cls,
        data: CrowdLabels | ShardedLabels,
        gold: ArrayLike | None,
        pool: Pool | None,
        shard: type[Shard] = Shard,
    ) -> Self:
        pool = pool or LocalPool()
        size = (data.n_workers, data.n_classes)
        shards = pool.open(shard, ((load, *size) for load in loaders_of(data, gold, pool.size)))
        n_units = data.n_units if isinstance(data, CrowdLabels) else None
        return cls(shards, total(shards.each("label_counts")), n_units)

    @property
    def n_workers(self) -> int:
        return len(self.labels.labels)

    @property
    def n_classes(self) -> int:
        return self.labels.labels.shape[1]

    @property
    def keeps(self) -> bool:
        """Whether posteriors are put together at the end."""
        return self.n_units is not None

    def initial_counts(self, start: Start = "shares") -> ExpectedCounts:
        """`Shard.initial_counts` of all units."""
        weight, shares = self.labels.vote_weights(), self.labels.class_shares()
        return total(self.shards.each("initial_counts", weight, shares, start))

    def e_step(self, parameters: Parameters) -> ExpectedCounts:
        """`Shard.e_step` of all units."""
        return total(self.shards.each("e_step", *parameters.for_shards()))

    def result(self, parameters: Parameters) -> ShardResult:
        """`Shard.result` of all units; their T only of data that are in memory."""
        results = self.shards.each("result", *parameters.for_shards(), self.keeps)
        if self.n_units is None:
            return ShardResult(None, total(result.hits for result in results))
        hits: list[Hits] = []

        def posteriors() -> Iterator[NDArray[np.float64]]:
            for result in results:
                hits.append(result.hits)
                yield result.posterior

        posterior = joined(posteriors(), self.n_units)
        return ShardResult(posterior, total(hits))

    def posteriors(self, parameters: Parameters) -> Iterator[NDArray[np.float64]]:
        """T of each shard in turn, shape (units of the shard, n_classes)."""
        return self.shards.each("posterior", *parameters.for_shards())
