"""Scores of systems from judged claims and documents annotated in full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from aggregation.files.data import Stage
from annotation.sentences import shown
from evaluation.algorithms.bootstrap import (
    REPLICATES,
    Differences,
    bootstrap,
    f1_of,
    paired_differences,
    percentile_interval,
    rank_probabilities,
)
from evaluation.algorithms.intervals import (
    LEVEL,
    Interval,
    logit_interval,
    precision_interval,
)
from evaluation.algorithms.precision import PoissonPrecision, agreement_proxy, folds_of
from evaluation.algorithms.predictions import Floats, Whole
from evaluation.algorithms.recall import (
    DocumentRatio,
    Documents,
    PoissonPooledRecall,
    exhaustive_recall,
    hybrid_recall,
    macro_recall,
    pool_recall,
    product_estimates,
)
from evaluation.algorithms.sampling import PoissonSample
from evaluation.files.exhaustive import Exhaustive, read_exhaustive
from evaluation.files.labels import Labels, read_labels
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
from evaluation.formats.corpus import Corpus
from evaluation.formats.errors import BadFile
from evaluation.formats.matching import EXACT, RULES

FOLDS = 5
MOST_TEAMS = 6
UNPLANNED = 4.0  # standard deviations below 1 of what the sample stands for
NO_EXHAUSTIVE = "no documents annotated in full were given (--exhaustive)"
NO_CORRECT = "no judged claim of the pool is correct"
NO_FILLS = (
    "how many true fills an entity has in the whole corpus is not known from a sample of documents"
)
NOT_PLANNED = "part of its output had no chance to be judged: plan again with it"
NO_CLAIMS = "the system has no valid claim"
NO_JUDGED = "none of its claims was judged"
ALL_WRONG = "none of its judged claims is correct"
NO_RIGHT = "none of its {seen} judged claims is correct: at most {high:.3f}, {level:.0%} sure"
FEW_RELATIONS = "no relation occurs in two of the documents that were annotated in full"


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


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """`notes` are sentences that a reader of the scores has to know."""

    pool: Pool
    level: float
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
            pool, judged, whole, metrics=names, level=level, seed=seed, team=team,
            control_variate=control_variate, replicates=replicates,
        )  # fmt: skip


def evaluate(
    pool: Pool,
    labels: Labels,
    exhaustive: Exhaustive | None = None,
    *,
    metrics: Sequence[str] = (INSTANCE,),
    level: float = LEVEL,
    seed: int = 0,
    team: Whole | None = None,
    control_variate: bool = False,
    replicates: int = REPLICATES,
) -> Evaluation:
    rng = np.random.default_rng(seed)
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
    proxy = None
    if control_variate:
        team = np.arange(m) if team is None else team
        stratum = np.minimum(p.teams_per_claim(team), MOST_TEAMS)
        proxy = agreement_proxy(stratum, correct, sample, folds_of(pool.document, FOLDS, rng))
    held = p.members(sample.claims)
    judged = np.asarray(held.sum(axis=1)).ravel().astype(np.int64)
    all_wrong = (held @ correct[sample.claims] == 0) & (judged > 0) & (judged < p.sizes)
    pooled = PoissonPooledRecall(p, sample, correct, proxy=proxy)
    recall_of = None if exhaustive is None else _Recall(pool, exhaustive, pooled, level)
    found: list[MetricScores] = []
    comparisons: list[Comparison] = []
    for name in metrics:
        precision = PoissonPrecision(p, pool.metric(name), sample, correct, proxy=proxy)
        replicated = bootstrap(
            precision, pooled, rng, replicates=replicates,
            theta=None if recall_of is None else recall_of.theta,
            in_pool=None if recall_of is None else recall_of.in_pool,
            documents=None if exhaustive is None else exhaustive.documents,
        )  # fmt: skip
        why = _why(precision, p.sizes, judged, all_wrong, level)
        covered = np.array([not reason for reason in why])
        one = _scores(
            name, pool, precision, why, recall_of, pooled, replicated.f1, level, exhaustive, rng,
            replicated.precision,
        )  # fmt: skip
        found.append(one)
        hidden = np.where(covered, 0.0, np.nan)
        values = one.precision.value
        comparisons.append(
            _comparison(f"precision ({name})", values, replicated.precision + hidden, level)
        )
        if name == INSTANCE and recall_of is not None:
            comparisons.append(
                _comparison(f"F1 ({name})", one.f1.value, replicated.f1 + hidden, level)
            )
    return Evaluation(
        pool, level, judged, len(used), int(inside.sum()), int((~inside).sum()), tuple(found),
        tuple(comparisons), None if recall_of is None else recall_of.theta_score(),
        () if recall_of is None else recall_of.others(),
        "control variate, coordinated draws" if control_variate else "coordinated draws",
        tuple(_notes(pool, labels, inside, known, rate, exhaustive, correct[at[order]], recall_of)),
    )  # fmt: skip


def _why(
    precision: PoissonPrecision,
    sizes: Whole,
    judged: Whole,
    all_wrong: NDArray[np.bool_],
    level: float,
) -> list[str]:
    """Why a system's precision is not estimable; empty where it is.

    The weights of a system's sample add up to 1 by expectation. Where they fall far short, some
    of its claims had no chance to be drawn.
    """
    spread = np.sqrt(precision.weight.power(2) @ (1 - precision.sample.inclusion))
    short = precision.total + UNPLANNED * spread < 0.98
    _, high = precision_interval(precision.estimates, level, precision.noise)
    reasons = []
    for i, (n, seen, missing) in enumerate(zip(sizes, judged, short, strict=True)):
        wrong = NO_RIGHT.format(seen=seen, high=high[i], level=level) if all_wrong[i] else ""
        reasons.append(
            NO_CLAIMS if not n else NO_JUDGED if not seen else NOT_PLANNED if missing else wrong
        )
    return reasons


class _Recall:
    """What the documents annotated in full say, beside the judged pool."""

    def __init__(
        self, pool: Pool, exhaustive: Exhaustive, pooled: PoissonPooledRecall, level: float
    ):
        self.level, self.pooled = level, pooled
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
        n = np.maximum(self.theta.df, 1)
        low, high = logit_interval(
            self.theta.value, self.theta.variance, self.level, self.theta.df, np.array([n])
        )
        return Score("recall of the pool", self.theta.value, low, high, ("",))

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


def _scores(
    name: str, pool: Pool, precision: PoissonPrecision, why: list[str], recall: _Recall | None,
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


def _comparison(of: str, value: Floats, replicates: Floats, level: float) -> Comparison:
    return Comparison(
        of, paired_differences(value, replicates, level), rank_probabilities(replicates)
    )


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
    sized = Documents.of(documents.document, documents.n_documents, documents.weight, size)
    return Exhaustive(sized, found.key, found.relation, found.expansion, found.expansion_key)


def _notes(
    pool: Pool, labels: Labels, inside: np.ndarray, known: np.ndarray, rate: float,
    exhaustive: Exhaustive | None, correct: Floats, recall: _Recall | None,
) -> list[str]:  # fmt: skip
    notes = []
    if pool.matching is not None and pool.matching.rule != EXACT:
        notes.append(f"Two mentions are one where they have {RULES[pool.matching.rule]}.")
    if rate < 1:
        notes.append(
            f"{int((inside & ~known).sum()):,} of {int(inside.sum()):,} planned claims are not "
            "judged. The others are taken as drawn from them by chance, which holds where the plan "
            "was worked through in its order. Intervals hold for one look: whoever stops when they "
            "like what they see needs a confidence sequence."
        )
    if outside := int((~inside).sum()):
        notes.append(f"{outside:,} claims of {labels.name} are in no submission and were left out.")
    soft = int(((correct > 0) & (correct < 1)).sum())
    if soft:
        notes.append(f"{soft:,} judgments are probabilities; their noise is part of the intervals.")
    if exhaustive is not None and exhaustive.documents.n_documents < 20:
        notes.append(
            f"Recall rests on {exhaustive.documents.n_documents} documents annotated in full; with "
            "fewer than 20 its intervals may be too narrow."
        )
    if exhaustive is not None and exhaustive.expansion.n_documents and recall is not None:
        notes.append(
            f"{exhaustive.expansion.n_documents} documents of the expansion are not part of any "
            "estimate: with which probability they were chosen can't be known."
        )
    return notes
