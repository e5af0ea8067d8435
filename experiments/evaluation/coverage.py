"""How often intervals hold the truth, by simulation: ours, and beside them what does not cover."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from evaluation.algorithms.bootstrap import (
    bootstrap,
    f1_of,
    f1_variance,
    paired_differences,
    percentile_interval,
)
from evaluation.algorithms.intervals import (
    LEVEL,
    Interval,
    logit_interval,
    normal_interval,
    precision_interval,
    wilson_interval,
)
from evaluation.algorithms.metrics import instance_metric
from evaluation.algorithms.precision import (
    PoissonPrecision,
    agreement_proxy,
    folds_of,
    joint_precision,
    simple_precision,
)
from evaluation.algorithms.predictions import Floats, Predictions, as_floats
from evaluation.algorithms.recall import (
    PoissonPooledRecall,
    exhaustive_recall,
    hybrid_recall,
    joint_pooled_recall,
    pool_recall,
    product_estimates,
)
from evaluation.algorithms.sampling import (
    coordinated_sample,
    draw_with_replacement,
    inclusion_probabilities,
)
from evaluation.algorithms.sequences import betting_sequence, empirical_bernstein_sequence
from experiments.evaluation.pools import Pool, made_pool

DRAWS = 120  # of each system
DOCUMENTS = 80
REPLICATES = 400
TEN_TO_NINETY = 0.8  # what lies between the 10th and the 90th percentile, told as 90 % by some
PEEK = 25  # labels between two looks


@dataclass(slots=True)
class Row:
    """Of a target and a way to its interval; a hit for each draw and system."""

    target: str
    method: str
    ours: bool
    hits: list[Floats] = field(default_factory=list)
    widths: list[Floats] = field(default_factory=list)

    @property
    def coverage(self) -> float:
        return float(np.mean(self.hits))

    @property
    def range(self) -> tuple[float, float]:
        """The system that is covered least often, and the one most often."""
        each = np.mean(self.hits, axis=0)
        return float(np.min(each)), float(np.max(each))

    @property
    def half_width(self) -> float:
        return float(np.nanmean(self.widths)) / 2

    @property
    def draws(self) -> int:
        return len(self.hits)


class Table(dict[tuple[str, str], Row]):
    def note(
        self, target: str, method: str, interval: Interval, truth: Floats, ours: bool = True
    ) -> None:
        low, high = (np.atleast_1d(end) for end in interval)
        row = self.setdefault((target, method), Row(target, method, ours))
        row.hits.append(as_floats((low <= truth + 1e-12) & (truth - 1e-12 <= high)))
        row.widths.append(high - low)


def coverage_table(
    draws: int, seed: int = 0, advance: Callable[[int], None] = lambda number: None,
    *, bootstraps: bool = True, pool: Pool | None = None,
) -> list[Row]:  # fmt: skip
    """Of a pool of six systems of three teams in documents of very different sizes."""
    pool = pool or made_pool(clustering=1.0, uneven=1.0)
    rng = np.random.default_rng(seed)
    table = Table()
    tau = inclusion_probabilities(pool.predictions, pool.metric, DRAWS)
    for _ in range(draws):
        _one(pool, tau, table, rng, bootstraps)
        advance(1)
    return list(table.values())


def _one(pool: Pool, tau: Floats, table: Table, rng: np.random.Generator, bootstraps: bool) -> None:
    p, metric, correct = pool.predictions, pool.metric, pool.correct
    pi, nu, theta = pool.precision, pool.nu, pool.theta
    # --- precision
    draws = draw_with_replacement(p, metric, DRAWS, rng)
    own = simple_precision(draws, correct)
    table.note("precision", "simple", precision_interval(own), pi)
    joint = joint_precision(p, metric, draws, correct)
    table.note("precision", "balance", normal_interval(joint.value, joint.variance), pi)
    even = joint_precision(p, metric, draws, correct, normalised=True)
    table.note("precision", "balance, normalised", normal_interval(even.value, even.variance), pi)
    pooled_joint = joint_pooled_recall(p, metric, draws, correct)
    table.note("pooled recall", "balance, logit",
               logit_interval(pooled_joint.value, pooled_joint.variance), nu)  # fmt: skip
    sample = coordinated_sample(tau, rng.random(p.n_claims))
    precision = PoissonPrecision(p, metric, sample, correct)
    found = precision.estimates
    table.note("precision", "coordinated", precision_interval(found), pi)
    table.note("precision", "coordinated, 10-90 percentiles taken for 90 %",
               normal_interval(found.value, found.variance, TEN_TO_NINETY), pi, False)  # fmt: skip
    fold = folds_of(pool.document, 5, rng)
    stratum = p.teams_per_claim(np.arange(p.n_systems) % 3) - 1
    proxy = agreement_proxy(stratum, correct, sample, fold)
    controlled = PoissonPrecision(p, metric, sample, correct, proxy=proxy)
    table.note("precision", "coordinated, control variate",
               precision_interval(controlled.estimates), pi)  # fmt: skip
    _soft(pool, table, rng)
    _precise(table, rng)
    # --- recall
    documents, claim = pool.documents(rng.choice(pool.n_documents, DOCUMENTS, replace=False))
    documents = type(documents)(
        documents.document, documents.n_documents, documents.weight, pool.n_documents
    )
    whole = pool_recall(claim >= 0, documents)
    table.note("theta", "ratio over documents, logit, t",
               logit_interval(whole.value, whole.variance, LEVEL, whole.df),
               as_floats(theta))  # fmt: skip
    table.note("theta", "ratio over documents, ± t",
               normal_interval(whole.value, whole.variance, LEVEL, whole.df),
               as_floats(theta), False)  # fmt: skip
    n = len(claim)
    naive = whole.value * (1 - whole.value) / n
    table.note("theta", "as if instances were independent", normal_interval(whole.value, naive),
               as_floats(theta), False)  # fmt: skip
    pooled = PoissonPooledRecall(p, sample, correct)
    table.note("pooled recall", "coordinated, logit",
               logit_interval(pooled.value, pooled.estimates.variance), nu)  # fmt: skip
    better = PoissonPooledRecall(p, sample, correct, proxy=proxy).estimates
    table.note("pooled recall", "coordinated, control variate, logit",
               logit_interval(better.value, better.variance), nu)  # fmt: skip
    recall = product_estimates(whole, pooled.estimates)
    table.note("recall", "theta nu, logit, t",
               logit_interval(recall.value, recall.variance, LEVEL, whole.df),
               theta * nu)  # fmt: skip
    table.note("recall", "theta nu, theta taken as known",
               logit_interval(recall.value, theta**2 * pooled.estimates.variance),
               theta * nu, False)  # fmt: skip
    padded = np.concatenate([p.members().toarray(), np.zeros((p.n_systems, 1))], axis=1)
    every = exhaustive_recall(type(p.members())(padded[:, claim]), documents)
    table.note("recall", "exhaustive, t",
               logit_interval(every.value, every.variance, LEVEL, every.df),
               theta * nu)  # fmt: skip
    hybrid = hybrid_recall(every, whole, pooled.estimates)
    table.note("recall", "hybrid, t",
               logit_interval(hybrid.value, hybrid.variance, LEVEL, every.df),
               theta * nu)  # fmt: skip
    # --- F1 and differences
    truth = f1_of(pi, theta * nu)
    value = f1_of(found.value, recall.value)
    variance = f1_variance(precision, pooled, whole)
    table.note("F1", "delta, logit, t",
               logit_interval(value, variance, LEVEL, whole.df), truth)  # fmt: skip
    if not bootstraps:
        return
    again = bootstrap(
        precision, pooled, rng, theta=whole, in_pool=as_floats(claim >= 0), documents=documents,
        replicates=REPLICATES,
    )  # fmt: skip
    table.note("F1", "bootstrap on two levels", percentile_interval(again.f1), truth)
    table.note("F1", "bootstrap, 10-90 percentiles taken for 90 %",
               percentile_interval(again.f1, TEN_TO_NINETY), truth, False)  # fmt: skip
    for target, values, replicated, true in (
        ("difference of precision", found.value, again.precision, pi),
        ("difference of F1", value, again.f1, truth),
    ):
        apart = paired_differences(values, replicated)
        table.note(target, "paired bootstrap", (apart.low, apart.high),
                   true[apart.first] - true[apart.second])  # fmt: skip


def _soft(pool: Pool, table: Table, rng: np.random.Generator) -> None:
    """Labels that are calibrated probabilities, of which all of the pool's claims are judged with
    probability one half: the truth that they are about is drawn anew."""
    p, metric = pool.predictions, pool.metric
    q = np.clip(0.15 + 0.7 * pool.correct, 0, 1)
    truth = (rng.random(p.n_claims) < q).astype(np.float64)
    pi = p.sums(metric * truth[p.claim])
    half = coordinated_sample(np.full(p.n_claims, 0.5), rng.random(p.n_claims))
    soft = PoissonPrecision(p, metric, half, q)
    table.note("precision", "half of the pool, labels .15 or .85, with their noise",
               precision_interval(soft.estimates, noise=soft.noise), pi)  # fmt: skip
    table.note("precision", "half of the pool, labels .15 or .85, without it",
               precision_interval(soft.estimates), pi, False)  # fmt: skip


def _precise(table: Table, rng: np.random.Generator) -> None:
    """A system that is right in .97 of 4,000 claims, of which about 150 are judged."""
    p = Predictions.of([np.arange(4_000)])
    correct = (np.arange(4_000) < 0.97 * 4_000).astype(np.float64)
    sample = coordinated_sample(np.full(4_000, 150 / 4_000), rng.random(4_000))
    found = PoissonPrecision(p, instance_metric(p), sample, correct).estimates
    truth = as_floats([0.97])
    table.note("precision of .97", "coordinated", precision_interval(found), truth)
    table.note("precision of .97", "± z", normal_interval(found.value, found.variance), truth,
               False)  # fmt: skip


# --- Looking early ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Looks:
    """`missed` is the share of runs in which some look's interval did not hold the truth."""

    method: str
    missed: float
    half_width: float
    fixed_half_width: float


def looks_table(
    runs: int, seed: int = 0, advance: Callable[[int], None] = lambda number: None,
    *, labels: int = 500, truth: float = 0.7,
) -> list[Looks]:  # fmt: skip
    rng = np.random.default_rng(seed)
    missed: dict[str, list[bool]] = {}
    widths: dict[str, list[float]] = {}
    looks = np.arange(PEEK, labels + 1, PEEK)
    for _ in range(runs):
        z = (rng.random(labels) < truth).astype(np.float64)
        means = np.cumsum(z)[looks - 1] / looks
        for name, (low, high) in _sequences(z, means, looks):
            missed.setdefault(name, []).append(bool(((low > truth) | (high < truth)).any()))
            widths.setdefault(name, []).append(float(high[-1] - low[-1]) / 2)
        advance(1)
    low, high = wilson_interval(truth, labels)
    fixed = float(high - low) / 2
    return [
        Looks(name, float(np.mean(found)), float(np.mean(widths[name])), fixed)
        for name, found in missed.items()
    ]


def _sequences(z: Floats, means: Floats, looks: np.ndarray) -> Iterator[tuple[str, Interval]]:
    yield "betting, after each label", betting_sequence(z)
    yield "empirical Bernstein, after each label", empirical_bernstein_sequence(z)
    yield f"Wilson, every {PEEK} labels", wilson_interval(means, looks)
    shared = 1 - (1 - LEVEL) / len(looks)
    yield f"Wilson, every {PEEK} labels, by shares", wilson_interval(means, looks, shared)
