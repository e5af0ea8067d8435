"""The published simulation: how far estimates lie from the truth, and from one another.

In each trial every run draws as many claims as the others. Draws without replacement get as many
labels as those with replacement needed, so that estimators are compared at equal cost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.algorithms.documents import Documents
from evaluation.algorithms.intervals import (
    logit_interval,
    normal_interval,
    precision_interval,
    quantile,
)
from evaluation.algorithms.metrics import instance_metric
from evaluation.algorithms.pooling import leave_one_team_out, teams_needed
from evaluation.algorithms.precision import (
    PoissonPrecision,
    agreement_proxy,
    folds_of,
    joint_precision,
    paired_weights_precision,
    simple_precision,
)
from evaluation.algorithms.predictions import Estimates, Floats, Predictions, as_floats, ratio
from evaluation.algorithms.recall import (
    PoissonPooledRecall,
    exhaustive_recall,
    hybrid_recall,
    joint_pooled_recall,
    paired_weights_recall,
    pool_recall,
    product_estimates,
    unassessed_recall,
)
from evaluation.algorithms.sampling import (
    coordinated_sample,
    draw_with_replacement,
    inclusion_probabilities,
    size_for_labels,
)
from evaluation.algorithms.sizes import plan_draws
from experiments.evaluation.replica import Replica, Whole

Advance = Callable[[int], None]
MOST_TEAMS = 6  # that agree: those with more are one stratum
FOLDS = 5
BATCHES = 20  # of trials, for the error of a ratio of variances
SIMPLE, PAPER, BALANCE = "simple", "joint, the paper's weights", "balance"
NORMALISED, COORDINATED = "balance, normalised", "coordinated, normalised"
CONTROLLED = "coordinated, control variate"
POOLED = "pooled, one team left out"


@dataclass(frozen=True, slots=True, eq=False)
class Trials:
    """`values[name]` of shape (n_trials, n_systems), and whether the interval held the truth."""

    truth: Floats
    values: dict[str, Floats]
    covered: dict[str, Floats]
    simple_variance: Floats
    labels: dict[str, float]

    def bias(self, name: str) -> Floats:
        return self.values[name].mean(axis=0) - self.truth

    def ratios(self, name: str) -> tuple[float, float, float]:
        """Variance over that of simple draws: mean over the runs, its 95 % half-width over trials,
        and the ratio of the sums. Runs whose simple estimate has no variance are in the latter.
        """
        own = self.simple_variance
        there = own > 1e-12
        values = self.values[name]
        batches = np.array_split(np.arange(len(values)), min(BATCHES, len(values) // 2))

        def mean(rows: Whole) -> float:
            spread = ((values[rows] - values.mean(axis=0)) ** 2).mean(axis=0)
            return float((spread[there] / own[there]).mean())

        parts = [mean(rows) for rows in batches]
        half = 1.96 * float(np.std(parts, ddof=1)) / np.sqrt(len(parts))
        everything = np.arange(len(values))
        spread = values.var(axis=0)
        return mean(everything), half, float(spread.sum() / own.sum())


@dataclass(frozen=True, slots=True)
class Figures:
    precision: Trials
    recall: Trials


def run_trials(
    replica: Replica, size: int, trials: int, rng: np.random.Generator, advance: Advance
) -> Figures:
    """`size` draws a run, `trials` times."""
    p, metric, correct, truth = replica.predictions, replica.metric, replica.correct, replica.truth
    pi, nu = replica.precision, replica.recall
    values: dict[str, list[Floats]] = {}
    covered: dict[str, list[Floats]] = {}
    recalls: dict[str, list[Floats]] = {}
    recall_covered: dict[str, list[Floats]] = {}
    labels: dict[str, list[float]] = {}

    def note(name: str, found: Estimates, interval: tuple[Floats, Floats], distinct: int) -> None:
        values.setdefault(name, []).append(found.value)
        covered.setdefault(name, []).append(_within(interval, pi))
        labels.setdefault(name, []).append(distinct)

    def note_recall(name: str, found: Estimates) -> None:
        low, high = logit_interval(found.value, found.variance, effective=found.effective)
        recalls.setdefault(name, []).append(found.value)
        recall_covered.setdefault(name, []).append(_within((low, high), nu))

    expected = _distinct(replica, size)
    n = size_for_labels(p, metric, expected)
    inclusion = inclusion_probabilities(p, metric, n)
    stratum = np.minimum(p.teams_per_claim(replica.team), MOST_TEAMS) - 1
    of_truth = np.flatnonzero(truth)
    for _ in range(trials):
        draws = draw_with_replacement(p, metric, size, rng)
        distinct = len(draws.claims)
        one = simple_precision(draws, correct)
        note(SIMPLE, one, precision_interval(one), distinct)
        for name, found in (
            (PAPER, paired_weights_precision(p, metric, draws, correct)),
            (BALANCE, joint_precision(p, metric, draws, correct)),
            (NORMALISED, joint_precision(p, metric, draws, correct, normalised=True)),
        ):
            note(name, found, normal_interval(found.value, found.variance), distinct)
        note_recall(BALANCE, joint_pooled_recall(p, metric, draws, correct, truth))
        paper = paired_weights_recall(p, metric, draws, correct * np.where(truth > 0, truth, 1))
        none = np.full(len(paper), np.nan)
        note_recall(PAPER, Estimates(paper, none, none))
        # Simple recall: as many draws from the truth itself, by exhaustive annotation.
        drawn = rng.choice(of_truth, size, p=truth[of_truth] / truth[of_truth].sum())
        hits = p.members(np.unique(drawn))
        times = np.bincount(np.searchsorted(np.unique(drawn), drawn))
        found_share = (hits @ times) / size
        own = Estimates(found_share, found_share * (1 - found_share) / size,
                        np.full(len(nu), float(size)))  # fmt: skip
        note_recall(SIMPLE, own)

        sample = coordinated_sample(inclusion, rng.random(p.n_claims))
        fold = folds_of(replica.document, FOLDS, rng)
        proxy = agreement_proxy(stratum, correct, sample, fold)
        for name, used in ((COORDINATED, None), (CONTROLLED, proxy)):
            estimate = PoissonPrecision(p, metric, sample, correct, proxy=used).estimates
            note(name, estimate, precision_interval(estimate), len(sample.claims))
            note_recall(name, PoissonPooledRecall(p, sample, correct, truth, proxy=used).estimates)
        advance(1)
    told = {name: float(np.mean(found)) for name, found in labels.items()}
    return Figures(
        Trials(pi, _stacked(values), _stacked(covered), pi * (1 - pi) / size, told),
        Trials(nu, _stacked(recalls), _stacked(recall_covered), nu * (1 - nu) / size, told),
    )


def _stacked(lists: dict[str, list[Floats]]) -> dict[str, Floats]:
    return {name: np.array(rows, dtype=np.float64) for name, rows in lists.items()}


def _within(interval: tuple[Floats, Floats], truth: Floats) -> Floats:
    return as_floats((interval[0] <= truth + 1e-9) & (truth - 1e-9 <= interval[1]))


def _distinct(replica: Replica, size: int) -> float:
    """How many claims `size` draws of each run hit, on average."""
    p = replica.predictions
    missed = np.bincount(
        p.claim, size * np.log1p(-np.minimum(replica.metric, 1 - 1e-12)), minlength=p.n_claims
    )
    return float((1 - np.exp(missed)).sum())


# --- How many labels a system costs -------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """Labels after each system, mean over orders; shape (n_systems_that_came,)."""

    adaptive: Floats
    spread: Floats  # standard deviation over orders
    apart: Floats  # without any re-use, as many draws as the interval takes: the census of each
    draws: int
    width: float


def label_trajectory(
    replica: Replica, systems: int, draws: int, orders: int, rng: np.random.Generator
) -> Trajectory:
    """Half-widths as wide as `draws` simple draws give at most."""
    width = float(quantile(0.9) * np.sqrt(0.25 / draws))
    adaptive, apart = [], []
    for _ in range(orders):
        order = rng.permutation(len(replica.runs))[:systems]
        came = replica.without(order)
        plan = plan_draws(came.predictions, came.metric, width)
        adaptive.append(np.cumsum(plan.labels))
        alone = [
            plan_draws(one.predictions, one.metric, width).labels.sum()
            for one in (replica.without(order[i : i + 1]) for i in range(systems))
        ]
        apart.append(np.cumsum(alone))
    rows = np.array(adaptive)
    return Trajectory(rows.mean(axis=0), rows.std(axis=0), np.mean(apart, axis=0), draws, width)


# --- Closed pooling -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class PoolingGrowth:
    """Mean bias of whoever was left out, at each number of teams that were pooled."""

    teams: Whole
    systems: Floats
    precision: Floats
    recall: Floats
    anywhere_precision: Floats
    anywhere_recall: Floats
    needed: float  # systems, for a bias of .01 of precision
    anywhere_needed: float


WRONG_PLACE = 0.1  # of the wrong fills: right ones, with a provenance that does not say so


def pooling_growth(
    replica: Replica, numbers: Sequence[int], repeats: int, rng: np.random.Generator
) -> PoolingGrowth:
    """Runs give one provenance of each fill, as in a closed campaign. The any-document heuristic
    takes a fill as right that was assessed as right with another provenance."""
    single = _one_provenance(replica, rng)
    teams = np.unique(single.team)
    rows = []
    for number in numbers:
        for _ in range(repeats if number < len(teams) else 1):
            chosen = rng.choice(teams, number, replace=False)
            among = np.flatnonzero(np.isin(single.team, chosen))
            row = [float(number), float(len(among))]
            for fill in (None, single.fill):
                found = leave_one_team_out(
                    single.predictions, single.metric, single.correct, single.team,
                    truth=None, fill=fill, among=list(among),
                )  # fmt: skip
                whole = _whole(single, among)
                row += [
                    float(np.nanmean(found.precision - single.precision)),
                    float(np.nanmean(found.recall - whole)),
                ]
            rows.append(row)
    table = np.array(rows)
    means = np.array([table[table[:, 0] == n].mean(axis=0) for n in numbers])
    return PoolingGrowth(
        np.asarray(numbers), means[:, 1], means[:, 2], means[:, 3], means[:, 4], means[:, 5],
        teams_needed(means[:, 1], means[:, 2], 0.01), teams_needed(means[:, 1], means[:, 4], 0.01),
    )  # fmt: skip


def _one_provenance(replica: Replica, rng: np.random.Generator) -> Replica:
    """Each run with one instance of each of its fills. Of the wrong fills some are right ones in a
    place that does not say so: where the any-document heuristic goes wrong."""
    p, wrong = replica.predictions, replica.correct == 0
    fill = replica.fill.copy()
    moved = np.flatnonzero(wrong & (rng.random(p.n_claims) < WRONG_PLACE))
    fill[moved] = rng.choice(np.unique(replica.fill[~wrong]), len(moved))
    claims = []
    for i in range(p.n_systems):
        mine = rng.permutation(p.claims_of(i))
        # By the number that a fill had, so that wrong ones stay as many.
        claims.append(mine[np.unique(replica.fill[mine], return_index=True)[1]])
    single = Predictions.of(claims, p.n_claims)
    return Replica(
        replica.runs, replica.team, single, instance_metric(single), replica.correct,
        replica.correct, fill, replica.document,
    )  # fmt: skip


def _whole(single: Replica, among: Whole) -> Floats:
    """Recall within the pool of these runs, all of it assessed."""
    p = single.predictions
    inside = np.isin(p.system, among)
    pool = np.zeros(p.n_claims)
    pool[p.claim[inside]] = 1
    return p.sums(single.correct[p.claim]) / float((pool * single.correct).sum())


# --- Recall: four ways and their cost -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Way:
    name: str
    bias: float
    efficiency: float  # variance of the exhaustive way over this one's, median over runs
    dollars: float


DOCUMENT_PRICE, LABEL_PRICE = 15.0, 0.15


def recall_ways(
    replica: Replica, teams: int, documents: int, size: int, trials: int,
    rng: np.random.Generator, advance: Advance,
) -> tuple[list[Way], float]:  # fmt: skip
    """Of the runs of a few teams, so that the pool lacks some of the truth; instances count alike.
    Also the pool's true recall."""
    names = np.unique(replica.team)
    few = replica.without(
        np.flatnonzero(np.isin(replica.team, rng.choice(names, teams, replace=False)))
    )
    few = few.without(np.flatnonzero(few.predictions.sizes >= 100))
    p, correct = few.predictions, few.correct
    true = np.flatnonzero(correct)
    in_pool = np.zeros(p.n_claims)
    in_pool[p.claim] = 1
    recall = p.sums(correct[p.claim]) / len(true)
    theta_true = float(in_pool[true].mean())
    plan = plan_draws(p, few.metric, float(quantile(0.9) * np.sqrt(0.25 / size)))
    stratum = np.minimum(p.teams_per_claim(few.team), MOST_TEAMS)
    rows: dict[str, list[Floats]] = {}
    labels = []
    for _ in range(trials):
        chosen = rng.choice(int(few.document.max()) + 1, documents, replace=False)
        row = np.full(int(few.document.max()) + 1, -1)
        row[chosen] = np.arange(documents)
        mine = true[row[few.document[true]] >= 0]
        sample_of = Documents.of(row[few.document[mine]], documents)
        every = exhaustive_recall(p.members()[:, mine], sample_of)
        theta = pool_recall(in_pool[mine], sample_of)
        sample = coordinated_sample(plan.inclusion, rng.random(p.n_claims))
        labels.append(len(sample.claims))
        nu = PoissonPooledRecall(p, sample, correct).estimates
        right = np.bincount(
            stratum[sample.claims], correct[sample.claims] / sample.inclusion, MOST_TEAMS + 1
        )
        seen = np.bincount(stratum[sample.claims], 1 / sample.inclusion, MOST_TEAMS + 1)
        rate = np.nan_to_num(ratio(as_floats(right), as_floats(seen)))
        guessed = unassessed_recall(p, stratum, rate, np.zeros(len(rate)))
        proxy = agreement_proxy(stratum, correct, sample, folds_of(few.document, FOLDS, rng))
        controlled = PoissonPooledRecall(p, sample, correct, proxy=proxy).estimates
        for name, value in (
            ("exhaustive", every.value),
            ("pooled", product_estimates(theta, nu).value),
            ("unassessed, as a model", theta.value * guessed.value),
            ("pooled, unassessed as control variate", theta.value * controlled.value),
            ("hybrid", hybrid_recall(every, theta, nu).value),
            ("hybrid with control variate", hybrid_recall(every, theta, controlled).value),
        ):
            rows.setdefault(name, []).append(value)
        advance(1)
    exhaustive = documents * DOCUMENT_PRICE
    judged = float(np.mean(labels)) * LABEL_PRICE
    base = np.var(rows["exhaustive"], axis=0)
    return [
        Way(
            name,
            float(np.median(np.abs(np.mean(found, axis=0) - recall))),
            float(np.median(base / np.var(found, axis=0))),
            exhaustive + (0 if name == "exhaustive" else judged),
        )
        for name, found in rows.items()
    ], theta_true
