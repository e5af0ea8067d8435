"""Scores of systems from judged claims and documents annotated in full."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from aggregation.files.data import Stage
from annotation.sentences import shown
from evaluation.algorithms.bootstrap import (
    REPLICATES,
    bootstrap,
    f1_of,
    paired_differences,
    percentile_interval,
    rank_probabilities,
)
from evaluation.algorithms.intervals import LEVEL, Interval, logit_interval, precision_interval
from evaluation.algorithms.precision import PoissonPrecision, agreement_proxy, folds_of
from evaluation.algorithms.predictions import Floats, Whole
from evaluation.algorithms.recall import PoissonPooledRecall, macro_recall
from evaluation.algorithms.sampling import PoissonSample
from evaluation.algorithms.settling import (
    PairedInfluence,
    Settling,
    labels_to_settle,
    neighbours_level,
    paired_f1,
    paired_precision,
)
from evaluation.files.exhaustive import Exhaustive, read_exhaustive
from evaluation.files.labels import Labels, read_labels
from evaluation.files.notes import (
    ALL_WRONG,
    FEW_RELATIONS,
    NO_CLAIMS,
    NO_CORRECT,
    NO_EXHAUSTIVE,
    NO_FILLS,
    notes_of,
    reasons_of,
)
from evaluation.files.pool import (
    INSTANCE,
    RELATION,
    Pool,
    Told,
    check_match,
    check_metrics,
    read_directions,
    read_pool,
    silent,
)
from evaluation.files.recall import RecallScores
from evaluation.files.scores import Comparison, Evaluation, MetricScores, Score
from evaluation.formats.corpus import Corpus
from evaluation.formats.errors import BadFile
from evaluation.formats.matching import EXACT

FOLDS = 5
MOST_TEAMS = 6
BEYOND = 10  # replicates that lie outside an interval on either side, or its ends are noise


def evaluate_files(
    paths: Sequence[str],
    labels: str,
    *,
    corpus: Corpus | None = None,
    exhaustive: str | None = None,
    metrics: Sequence[str] = (),
    relations: str | None = None,
    match: str = EXACT,
    level: float = LEVEL,
    looks: int = 1,
    seed: int = 0,
    teams: dict[str, str] | None = None,
    control_variate: bool = False,
    replicates: int = REPLICATES,
    stage: Stage = silent,
    told: Told = lambda name, issue: None,
) -> Evaluation:
    """Raises BadFile or OSError with a sentence for people."""
    names = check_metrics(metrics)
    check_match(match)
    directions = read_directions(relations)
    pool = read_pool(paths, directions, corpus=corpus, match=match, stage=stage, told=told)
    team = _teams(pool, teams or {})
    judged = read_labels(labels, directions, pool.matching)
    whole = None
    if exhaustive is not None:
        whole = read_exhaustive(exhaustive, directions, corpus, pool.matching)
    if whole is not None and corpus is not None:
        whole = _in_corpus(whole, len(corpus))
    with stage("scoring", None):
        return evaluate(
            pool, judged, whole, metrics=names, level=level, looks=looks, seed=seed, team=team,
            control_variate=control_variate, replicates=replicates,
        )  # fmt: skip


def evaluate(
    pool: Pool,
    labels: Labels,
    exhaustive: Exhaustive | None = None,
    *,
    metrics: Sequence[str] = (INSTANCE,),
    level: float = LEVEL,
    looks: int = 1,
    seed: int = 0,
    team: Whole | None = None,
    control_variate: bool = False,
    replicates: int = REPLICATES,
) -> Evaluation:
    """Whoever means to look `looks` times, as labels come in, gets intervals that all hold at once
    with probability `level`: each of them misses a share of what may be missed in all."""
    rng = np.random.default_rng(seed)
    together, level = level, 1 - (1 - level) / looks
    replicates = max(replicates, math.ceil(2 * BEYOND / (1 - level)))
    p, m = pool.predictions, len(pool.systems)
    at = pool.place(labels.key)
    inside, known = at >= 0, ~np.isnan(labels.correct)
    used = np.flatnonzero(inside & known)
    if not len(used):
        raise BadFile("labels.none_judged", file=labels.name)
    rate = len(used) / int(inside.sum())
    order = used[np.argsort(at[used])]
    sample = PoissonSample(at[order], labels.probability[order] * rate)
    correct = np.zeros(p.n_claims)
    correct[at[order]] = labels.correct[order]
    shared = None if labels.shared is None else labels.shared[:, order]
    proxy = None
    if control_variate:
        team = np.arange(m) if team is None else team
        stratum = np.minimum(p.teams_per_claim(team), MOST_TEAMS)
        proxy = agreement_proxy(stratum, correct, sample, folds_of(pool.document, FOLDS, rng))
    held = p.members(sample.claims)
    judged = np.asarray(held.sum(axis=1)).ravel().astype(np.int64)
    all_wrong = (held @ correct[sample.claims] == 0) & (judged > 0) & (judged < p.sizes)
    pooled = PoissonPooledRecall(p, sample, correct, proxy=proxy, shared=shared)
    recall_of = None if exhaustive is None else RecallScores(pool, exhaustive, pooled, level)
    found: list[MetricScores] = []
    comparisons: list[Comparison] = []
    for name in metrics:
        precision = PoissonPrecision(
            p, pool.metric(name), sample, correct, proxy=proxy, shared=shared
        )
        replicated = bootstrap(
            precision, pooled, rng, replicates=replicates,
            theta=None if recall_of is None else recall_of.theta,
            in_pool=None if recall_of is None else recall_of.in_pool,
            documents=None if exhaustive is None else exhaustive.documents,
        )  # fmt: skip
        why = reasons_of(precision, p.sizes, judged, all_wrong, level)
        covered = np.array([not reason for reason in why])
        one = _scores(
            name, pool, precision, why, recall_of, pooled, replicated.f1, level, exhaustive, rng,
            replicated.precision,
        )  # fmt: skip
        found.append(one)
        hidden = np.where(covered, 0.0, np.nan)
        values = one.precision.value
        comparisons.append(
            _comparison(
                f"precision ({name})", values, replicated.precision + hidden, level,
                partial(paired_precision, precision),
            )
        )  # fmt: skip
        if name == INSTANCE and recall_of is not None:
            comparisons.append(
                _comparison(
                    f"F1 ({name})", one.f1.value, replicated.f1 + hidden, level,
                    partial(paired_f1, precision, pooled, recall_of.theta),
                )
            )  # fmt: skip
    return Evaluation(
        pool, together, looks, judged, len(used), int(inside.sum()), int((~inside).sum()),
        tuple(found), tuple(comparisons), None if recall_of is None else recall_of.theta_score(),
        () if recall_of is None else recall_of.others(),
        "control variate, coordinated draws" if control_variate else "coordinated draws",
        tuple(notes_of(pool, labels, inside, known, rate, exhaustive, correct[at[order]], looks)),
        () if recall_of is None else recall_of.by_relation(),
    )  # fmt: skip


def _scores(
    name: str, pool: Pool, precision: PoissonPrecision, why: list[str], recall: RecallScores | None,
    pooled: PoissonPooledRecall, f1_replicates: Floats, level: float,
    exhaustive: Exhaustive | None, rng: np.random.Generator, precision_replicates: Floats,
) -> MetricScores:  # fmt: skip
    m = len(pool.systems)
    hidden = np.where([not reason for reason in why], 0.0, np.nan)
    low, high = precision_interval(precision.estimates, level, precision.noise)
    value = precision.estimates.value + hidden
    p_score = Score("precision", value, low + hidden, high + hidden, tuple(why))
    nothing = np.full(m, np.nan)
    if recall is None or exhaustive is None:
        reason: tuple[str, ...] = (NO_EXHAUSTIVE,) * m
        r_score = Score("recall", nothing, nothing, nothing, reason)
        f_score = Score("F1", nothing, nothing, nothing, reason)
    elif name == INSTANCE:
        reasons = tuple(
            NO_CLAIMS
            if why[i] == NO_CLAIMS
            else NO_CORRECT
            if np.isnan(pooled.value[i])
            else ALL_WRONG
            if not pooled.value[i]
            else ""
            for i in range(m)
        )
        shown = np.where([not reason for reason in reasons], 0.0, np.nan)
        r_low, r_high = recall.interval()
        r = recall.estimates.value + shown
        r_score = Score("recall", r, r_low + shown, r_high + shown, reasons)
        f_score = _f1(value, r, percentile_interval(f1_replicates + hidden + shown, level), why,
                      reasons)  # fmt: skip
    elif name == RELATION:
        found = macro_recall(recall.found, exhaustive.relation, exhaustive.documents)
        few = bool(np.isnan(found.value).all())
        reasons = (FEW_RELATIONS if few else "",) * m
        r_low, r_high = logit_interval(
            found.value, found.variance, level, found.df, np.full(m, found.df)
        )
        r_score = Score("recall", found.value, r_low, r_high, reasons)
        draws = found.value + np.sqrt(found.variance) * rng.normal(size=precision_replicates.shape)
        replicates = f1_of(precision_replicates + hidden, np.clip(draws, 0, 1))
        f_score = _f1(value, found.value, percentile_interval(replicates, level), why, reasons)
    else:
        r_score = Score("recall", nothing, nothing, nothing, (NO_FILLS,) * m)
        f_score = Score("F1", nothing, nothing, nothing, (NO_FILLS,) * m)
    return MetricScores(
        name, p_score, r_score, f_score, precision.estimates.effective + hidden, precision.total
    )


def _f1(
    precision: Floats,
    recall: Floats,
    interval: Interval,
    why: Sequence[str],
    reasons: Sequence[str],
) -> Score:
    value = f1_of(precision, recall)
    told = tuple(
        a or b or ("" if not np.isnan(v) else NO_CORRECT)
        for a, b, v in zip(why, reasons, value, strict=True)
    )
    shown = np.where(np.isnan(value), np.nan, 0.0)
    return Score("F1", value, interval[0] + shown, interval[1] + shown, told)


def _comparison(
    of: str, value: Floats, replicates: Floats, level: float,
    paired: Callable[[int, int], PairedInfluence],
) -> Comparison:  # fmt: skip
    apart = paired_differences(value, replicates, level)
    settling = tuple(
        Settling(i, j, labels_to_settle(paired(i, j), ahead, level))
        for i, j, ahead in neighbours_level(value, apart)
    )
    return Comparison(of, apart, rank_probabilities(replicates), settling)


def _teams(pool: Pool, teams: dict[str, str]) -> Whole:
    for name in teams:
        if name not in pool.systems:
            raise BadFile("evaluation.team", name=shown(name))
    names = [teams.get(name, f"\0{name}") for name in pool.systems]
    return np.array([sorted(set(names)).index(name) for name in names])


def _in_corpus(found: Exhaustive, size: int) -> Exhaustive:
    """With the number of all documents, unless they were drawn unevenly."""
    documents = found.documents
    if (documents.weight != documents.weight[:1]).any():
        return found
    sized = replace(documents, corpus=size)
    return Exhaustive(sized, found.key, found.relation, found.expansion, found.expansion_key)
