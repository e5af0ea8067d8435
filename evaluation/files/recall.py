"""Recall from documents annotated in full, beside the judged pool."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from evaluation.algorithms.documents import DocumentRatio
from evaluation.algorithms.intervals import Interval, logit_interval
from evaluation.algorithms.predictions import Floats
from evaluation.algorithms.recall import (
    PoissonPooledRecall,
    exhaustive_recall,
    hybrid_recall,
    pool_recall,
    product_estimates,
    recall_by_group,
)
from evaluation.files.exhaustive import Exhaustive
from evaluation.files.pool import Pool
from evaluation.files.scores import RelationRecall, Score


class RecallScores:
    """What the documents annotated in full say, beside the judged pool."""

    def __init__(
        self, pool: Pool, exhaustive: Exhaustive, pooled: PoissonPooledRecall, level: float
    ):
        self.level, self.pooled = level, pooled
        self.relation, self.documents = exhaustive.relation, exhaustive.documents
        documents = exhaustive.documents
        at = pool.place(exhaustive.key)
        self.in_pool = (at >= 0).astype(np.float64)
        self.theta: DocumentRatio = pool_recall(self.in_pool, documents)
        inside = np.flatnonzero(at >= 0)
        table = pool.predictions.members(np.unique(at[inside]))
        column = np.searchsorted(np.unique(at[inside]), at[inside])
        members = table[:, column].tocoo()
        self.found = csr_array(
            (members.data, (members.row, inside[members.col])),
            shape=(len(pool.systems), len(at)),
        )
        self.exhaustive = exhaustive_recall(self.found, documents)
        self.estimates = product_estimates(self.theta, pooled.estimates)
        self.noise = self.theta.value**2 * pooled.noise

    def interval(self) -> Interval:
        return logit_interval(
            self.estimates.value, self.estimates.variance + self.noise, self.level, self.theta.df,
            self.estimates.effective,
        )  # fmt: skip

    def theta_score(self) -> Score:
        open_share = self.documents.open_share
        n = np.maximum(self.theta.df, 1) / open_share if open_share else np.inf
        low, high = logit_interval(
            self.theta.value, self.theta.variance, self.level, self.theta.df, np.array([n])
        )
        return Score("recall of the pool", self.theta.value, low, high, ("",))

    def by_relation(self) -> tuple[RelationRecall, ...]:
        """Off the documents alone; NaN where one of them alone has the relation."""
        m = self.found.shape[0]
        told = []
        for number, true, one in recall_by_group(self.found, self.relation, self.documents):
            value = low = high = np.full(m, np.nan)
            if one is not None:
                value = one.value
                low, high = logit_interval(
                    value, one.variance, self.level, one.df, np.full(m, one.df)
                )
            told.append(RelationRecall(number, true, value, low, high))
        return tuple(told)

    def others(self) -> tuple[tuple[Score, Floats], ...]:
        """Exhaustive, pooled and hybrid recall, with the relative efficiency of each."""
        hybrid = hybrid_recall(self.exhaustive, self.theta, self.pooled.estimates)
        base = self.exhaustive.variance
        rows = (
            ("exhaustive", self.exhaustive.value, base),
            ("pool × documents", self.estimates.value, self.estimates.variance),
            ("hybrid", hybrid.value, hybrid.variance),
        )
        told = []
        for name, value, variance in rows:
            low, high = logit_interval(value, variance, self.level, self.theta.df)
            with np.errstate(divide="ignore", invalid="ignore"):
                efficiency = np.where(variance > 0, base / variance, np.nan)
            score = Score(name, value, low, high, ("",) * len(value))
            told.append((score, efficiency))
        return tuple(told)
