"""How often the interval of theta holds where those who annotate documents err: on arrays alone, in
half a second of processor time a repetition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from evaluation.algorithms.documents import Documents
from evaluation.algorithms.imputation import NO, YES, Answers, impute
from evaluation.algorithms.intervals import logit_interval
from evaluation.algorithms.recall import pool_recall
from experiments.evaluation.story import DOCUMENTS, SENTENCES, World

ANNOTATED = 24  # of these documents
TRUE = 0.5  # of their pairs

Marks = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class DocumentSetting:
    """So many people answer to each pair, of so many in all, of whom each errs so often."""

    answers: int
    workers: int
    errs: float

    def __str__(self) -> str:
        return f"{self.answers} of {self.workers}, {self.errs:g}"


SETTINGS = tuple(
    DocumentSetting(*one)
    for one in (
        (2, 2, 0.0), (3, 3, 0.15), (2, 2, 0.1), (3, 6, 0.1), (3, 6, 0.2), (2, 2, 0.2), (5, 6, 0.2),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ThetaTrial:
    truth: float
    value: float
    low: float
    high: float

    @property
    def holds(self) -> bool:
        return self.low <= self.truth <= self.high


def theta_trials(setting: DocumentSetting, repetitions: int, seed: int = 0) -> Iterator[ThetaTrial]:
    """Each repetition has a seed of its own, from `seed` on."""
    for number in range(seed, seed + repetitions):
        yield theta_trial(setting, number)


def theta_trial(setting: DocumentSetting, seed: int) -> ThetaTrial:
    rng = np.random.default_rng([seed, setting.answers, setting.workers, round(1e3 * setting.errs)])
    n = DOCUMENTS * SENTENCES
    document = np.repeat(np.arange(DOCUMENTS), SENTENCES)
    true: Marks = np.asarray(rng.random(n) < TRUE)
    shares = np.array(list(World.SYSTEMS.values()))
    members = rng.random((n, len(shares))) < np.where(true[:, None], shares[:, 0], shares[:, 1])
    claimed: Marks = np.asarray(members.any(axis=1))
    chosen = np.sort(rng.choice(DOCUMENTS, ANNOTATED, replace=False))
    mine = np.flatnonzero(np.isin(document, chosen))
    who = rng.permuted(np.tile(np.arange(setting.workers), (len(mine), 1)), axis=1)
    worker = who[:, : setting.answers].ravel()
    pair = np.repeat(np.arange(len(mine)), setting.answers)
    right = rng.random(len(pair)) >= setting.errs
    said = np.where(true[mine][pair] == right, YES, NO)
    found = impute(
        Answers(pair, worker, said), members[mine].astype(np.float64), unclaimed=~claimed[mine],
        seed=seed,
    )  # fmt: skip
    documents = Documents.of(
        np.searchsorted(chosen, document[mine]), ANNOTATED, None, DOCUMENTS,
        np.clip(found.correct, 0, 1), found.shared,
    )  # fmt: skip
    theta = pool_recall(claimed[mine], documents)
    effective = np.maximum(theta.df, 1) / documents.open_share
    low, high = logit_interval(
        theta.value, theta.variance, df=theta.df, effective=np.array([effective])
    )
    truth = float(true[claimed].sum() / true.sum())
    return ThetaTrial(truth, float(theta.value[0]), float(low[0]), float(high[0]))


def lines_of(setting: DocumentSetting, trials: list[ThetaTrial]) -> list[str]:
    """A row of the table; ± is of 95 %, by Wilson's rule."""
    n, held = len(trials), sum(one.holds for one in trials)
    z = NormalDist().inv_cdf(0.975)
    spread = z * np.sqrt(held / n * (1 - held / n) / n + z**2 / (4 * n * n)) / (1 + z * z / n)
    return [
        str(setting), f"{held / n:.3f}", f"{spread:.3f}",
        f"{np.mean([one.value - one.truth for one in trials]):+.3f}",
        f"{np.mean([(one.high - one.low) / 2 for one in trials]):.3f}",
    ]  # fmt: skip
