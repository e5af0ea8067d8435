"""What an evaluation finds: scores of each system, comparisons, and what a reader has to know."""

from __future__ import annotations

from dataclasses import dataclass, field

from evaluation.algorithms.bootstrap import Differences
from evaluation.algorithms.predictions import Floats, Whole
from evaluation.algorithms.settling import Settling
from evaluation.files.pool import Pool


@dataclass(frozen=True, slots=True, eq=False)
class Score:
    """Of each system; NaN where `why` says why it is not estimable."""

    name: str
    value: Floats
    low: Floats
    high: Floats
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class MetricScores:
    """`effective` is the number of judgments that would tell as much of this metric; infinite
    where all of the system's claims were judged."""

    metric: str
    precision: Score
    recall: Score
    f1: Score
    effective: Floats
    share: Floats  # of the system's output that the sample stands for, by expectation 1


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Paired; `of` is "precision" or "F1"."""

    of: str
    differences: Differences
    ranks: Floats
    settling: tuple[Settling, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class RelationRecall:
    """What each system has of the true claims of one relation; NaN where that is not estimable."""

    relation: int
    true: float  # claims of the documents annotated in full, by expectation
    value: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """`notes` are sentences that a reader of the scores has to know. The intervals of as many
    `looks` as were meant all hold together with probability `level`."""

    pool: Pool
    level: float
    looks: int
    judged: Whole  # of each system
    judged_claims: int  # of the pool
    planned: int
    outside: int
    metrics: tuple[MetricScores, ...]
    comparisons: tuple[Comparison, ...]
    theta: Score | None
    other_recalls: tuple[tuple[Score, Floats], ...]  # with the relative efficiency
    method: str
    notes: tuple[str, ...] = field(default=())
    relations: tuple[RelationRecall, ...] = ()
