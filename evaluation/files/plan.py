"""Which claims to judge so that each system's interval is as narrow as asked, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from aggregation.files.data import Stage
from aggregation.files.targets import check_target
from annotation.formats.relations import RELATION_TYPES, read_relation_types
from evaluation.algorithms.intervals import LEVEL
from evaluation.algorithms.metrics import effective_share
from evaluation.algorithms.predictions import Floats, Whole
from evaluation.algorithms.sampling import coordinated_sample, permanent_numbers
from evaluation.algorithms.sizes import Plan, documents_needed, least_draws, plan_draws
from evaluation.files.labels import PlannedRows, read_labels, write_plan
from evaluation.files.pool import (
    Pool,
    Told,
    check_match,
    check_metrics,
    read_directions,
    read_pool,
    silent,
)
from evaluation.formats.corpus import Corpus
from evaluation.formats.errors import BadFile
from evaluation.formats.matching import EXACT, OVERLAP

SAME = 1e-9  # a permanent number as the file has it


@dataclass(frozen=True, slots=True)
class Prices:
    """Dollars. A claim that is verified costs 20 seconds and $.15 for three workers; a document
    annotated in full about $15."""

    answer: float = 0.05
    answers: float = 3.0
    fee: float = 0.0  # of the platform, as a share
    document: float = 15.0

    @property
    def claim(self) -> float:
        return self.answer * self.answers * (1 + self.fee)


@dataclass(frozen=True, slots=True, eq=False)
class Planned:
    """Arrays of shape (n_systems,).

    Attributes
    ----------
    alone : judgments that the system would take without the others
    added : judgments that it is expected to add when it comes
    new, known : how many claims the file asks for, and how many were judged before
    documents : to annotate in full, for theta as exactly
    """

    pool: Pool
    metrics: list[str]
    width: float
    level: float
    plan: Plan
    alone: Floats
    new: int
    known: int
    documents: int
    effective: dict[str, Floats]


def plan_file(
    paths: Sequence[str],
    out: Path,
    *,
    width: float,
    level: float = LEVEL,
    metrics: Sequence[str] = (),
    labels: str | None = None,
    corpus: Corpus | None = None,
    relations: str | None = None,
    match: str = EXACT,
    seed: int = 0,
    stage: Stage = silent,
    told: Told = lambda name, issue: None,
) -> Planned:
    """Write the plan to `out`. Raises BadFile, ValueError or OSError with a sentence for people;
    `out` is then as it was."""
    for path in [*paths, *([labels] if labels else [])]:
        check_target("--out", out, path)
    names = check_metrics(metrics)
    check_match(match)
    directions = read_directions(relations)
    pool = read_pool(paths, directions, corpus=corpus, match=match, stage=stage, told=told)
    if not len(pool.predictions.claim):
        raise BadFile("evaluation.no_claims")
    metric = pool.mixed(names)
    numbers = permanent_numbers(pool.keys, seed)
    given, correct = np.zeros(pool.predictions.n_claims), np.full(pool.predictions.n_claims, np.nan)
    if labels is not None:
        before = read_labels(labels, directions, pool.matching)
        at = pool.place(before.key)
        inside = at >= 0
        draws = before.draw[inside]
        strange = ~(np.abs(draws - numbers[at[inside]]) < SAME)
        # A later system can join groups of mentions that overlap: the judgment stays, the draw is
        # another claim's.
        if len(draws) and (strange.all() if match == OVERLAP else strange.any()):
            raise BadFile("evaluation.seed", file=labels, seed=seed)
        given[at[inside]] = np.where(strange, 0, before.probability[inside])
        correct[at[inside]] = before.correct[inside]
        # What was eligible but not drawn is not in the file: its probability is not known, so an
        # earlier plan counts with what it drew.
    plan = plan_draws(pool.predictions, metric, width, level, given=given)
    sample = coordinated_sample(plan.inclusion, numbers)
    rows = _rows(pool, metric, plan, sample.claims, sample.inclusion, numbers, correct)
    kinds = read_relation_types(relations or RELATION_TYPES)
    write_plan(out, pool, directions, names, rows, corpus, kinds)
    starts = pool.predictions.starts
    alone = [
        _labels(metric[starts[i] : starts[i + 1]], width, level) for i in range(len(pool.systems))
    ]
    known = int((~np.isnan(rows.correct)).sum())
    per_document = max(float(np.median(pool.predictions.sizes)) / max(len(pool.documents), 1), 1.0)
    return Planned(
        pool, names, width, level, plan, np.array(alone), len(rows.claims) - known, known,
        documents_needed(width, per_document, level=level),
        {name: effective_share(pool.predictions, pool.metric(name), metric) for name in names},
    )  # fmt: skip


def _labels(metric: Floats, width: float, level: float) -> float:
    """How many judgments a system takes alone."""
    n = least_draws(metric, width, level)
    return float(np.minimum(1.0, n * metric).sum())


def _rows(
    pool: Pool, metric: Floats, plan: Plan, claims: Whole, inclusion: Floats, numbers: Floats,
    correct: Floats,
) -> PlannedRows:  # fmt: skip
    """In the order of u / tau: given that they were drawn, these are even and independent, so
    that any beginning of the file is a sample of it by chance."""
    p = pool.predictions
    wanted = np.repeat(plan.sizes, p.sizes) * metric
    order = np.lexsort((p.system, -wanted, p.claim))
    first = order[np.concatenate(([0], np.flatnonzero(np.diff(p.claim[order])) + 1))]
    system = np.zeros(p.n_claims, dtype=np.int64)
    system[p.claim[first]] = p.system[first]
    order = np.argsort(numbers[claims] / inclusion, kind="stable")
    chosen = claims[order]
    return PlannedRows(chosen, system[chosen], inclusion[order], numbers[chosen], correct[chosen])
