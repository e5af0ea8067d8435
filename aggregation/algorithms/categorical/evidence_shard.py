"""A shard that judges its units with tables that they had no part in (`evidence`)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.blocks import Block
from aggregation.algorithms.categorical.em_shards import KeepingShard, ShardedUnits, ShardResult
from aggregation.algorithms.categorical.evidence import (
    Evidence,
    Foretold,
    Judgments,
    Tables,
    UnitEvidence,
    tempered,
)
from aggregation.algorithms.data import UNKNOWN, CrowdLabels
from aggregation.algorithms.reliability import Hits
from aggregation.algorithms.shards import InMemoryShard, Loader, total


class EvidenceShard(KeepingShard):
    """Only units with a label are kept: all others have the prevalence, whatever it is, and must
    not have a say in it. What is asked for at the end is of the T of the last E-step."""

    unchanged_by = KeepingShard.unchanged_by | {
        "vote_shares",
        "has_pairs",
        "foretold",
        "evidence",
        "judged",
    }

    def __init__(self, load: Loader, n_workers: int, n_classes: int):
        labels, gold = load()
        some = labels.labelled()
        self.n_all = labels.n_units
        self.place = np.flatnonzero(some)
        known = None if gold is None else np.asarray(gold, dtype=np.int64)
        self.all_known = known
        if len(self.place) < self.n_all:
            number = np.cumsum(some) - 1
            labels = CrowdLabels(
                number[labels.unit],
                labels.worker,
                labels.label,
                len(self.place),
                labels.n_workers,
                labels.n_classes,
                labels.weight,
            )
            known = None if known is None else known[self.place]
        super().__init__(InMemoryShard(labels, known), n_workers, n_classes)

    def vote_shares(self) -> NDArray[np.float64]:
        """The sum of the units' shares of votes, shape (n_classes,)."""
        found = np.zeros(self.n_classes)
        for block in self.blocks:
            counts = block.counts
            each = np.repeat(np.asarray(counts.sum(axis=1)).ravel(), np.diff(counts.indptr))
            said = counts.indices % self.n_classes
            found += np.bincount(said, counts.data / each, minlength=self.n_classes)
        return found

    def has_pairs(self) -> bool:
        """Whether two workers judged the same unit."""
        for block in self.blocks:
            worker, edges = block.counts.indices // self.n_classes, block.counts.indptr
            size = np.diff(edges)
            some = size > 0
            if (worker != np.repeat(worker[edges[:-1][some]], size[some])).any():
                return True
        return False

    def foretold(self, tables: Tables) -> Foretold:
        return sum((evidence.foretold() for _, evidence in self._evidence(tables)), Foretold.none())

    def evidence(self, tables: Tables) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """L and n of all units, shapes (n_units, n_classes) and (n_units,)."""
        log_posterior = np.tile(np.log(tables.prevalence), (self.n_all, 1))
        given = np.zeros(self.n_all, dtype=np.int64)
        for block, evidence in self._evidence(tables):
            units = self.place[block.units]
            log_posterior[units], given[units] = evidence.log_posterior, evidence.given
        return log_posterior, given

    def judged(self, tables: Tables, rho: float, keep: bool) -> ShardResult:
        """Tempered posteriors of all units, if they are to be kept, and who was right by them.
        Units with gold have it."""
        kept = np.tile(tables.prevalence, (self.n_all, 1)) if keep else None
        hits = Hits.none(self.n_workers)
        for block, evidence in self._evidence(tables):
            posterior = tempered(evidence.log_posterior, evidence.given, rho)
            self._clamp(block, posterior)
            worker, label = np.divmod(block.counts.indices, np.int32(self.n_classes))
            row = np.repeat(np.arange(len(posterior)), np.diff(block.counts.indptr))
            hits += Hits.of(worker, posterior[row, label], self.n_workers)
            if kept is not None:
                kept[self.place[block.units]] = posterior
        if kept is not None and self.all_known is not None:
            known = np.flatnonzero(self.all_known != UNKNOWN)
            kept[known] = np.eye(self.n_classes)[self.all_known[known]]
        return ShardResult(kept, hits)

    def posterior_of(self, tables: Tables, rho: float) -> NDArray[np.float64]:
        posterior = self.judged(tables, rho, True).posterior
        assert posterior is not None
        return posterior

    def _evidence(self, tables: Tables) -> Iterator[tuple[Block, Evidence]]:
        for block in self.blocks:
            judgments = Judgments.of(block, self.n_classes)
            yield block, judgments.evidence(tables, self.last[block.units])


def evidence_of(units: ShardedUnits, tables: Tables) -> UnitEvidence:
    """Of all units, in memory, by the T of their last E-step."""
    found = list(units.shards.each("evidence", tables))
    log_posterior, given = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return UnitEvidence(log_posterior, given, total(units.shards.each("foretold", tables)))
