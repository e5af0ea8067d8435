"""Dawid and Skene's model with two levels above a worker's table: the crowd, and the worker's rate.

A table of K² cells is more than a worker with ten labels can fill, and one number is less than the
labels of a good worker say. Here each worker's table is drawn towards what the crowd confuses and
how good this worker is, as strongly as the labels themselves show (`hierarchy`); posteriors come
from tables that their own unit had no part in, with as many votes as labels are worth (`evidence`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.categorical.confusion_model import (
    ConfusionModel,
    check_warm,
    gold_to_start_from,
    with_new_workers,
)
from aggregation.algorithms.categorical.em import (
    FLOOR,
    ExpectedCounts,
    Maximum,
    Parameters,
    Start,
    expectation_maximisation,
    normalised,
)
from aggregation.algorithms.categorical.em_shards import ShardedUnits
from aggregation.algorithms.categorical.evidence import (
    SHARED,
    CountTables,
    Foretold,
    Judgments,
    UnitEvidence,
    VoteTables,
    votes_worth,
)
from aggregation.algorithms.categorical.evidence_shard import EvidenceShard, evidence_of
from aggregation.algorithms.categorical.gold_start import GoldCounts
from aggregation.algorithms.categorical.hierarchy import ANCHOR, Levels, Strengths, levels_of
from aggregation.algorithms.data import CrowdLabels
from aggregation.algorithms.fitted_state import (
    State,
    check_classes,
    check_workers,
    not_negative,
    numbers,
)
from aggregation.algorithms.reliability import Hits, reliability_of
from aggregation.algorithms.results import Diagnostics
from aggregation.algorithms.settings import check_at_least, check_choice
from aggregation.algorithms.shards import Pool, ShardedLabels, total

STARTS: tuple[Start, ...] = ("shares", "gold")
LEAST_ITERATIONS = 4
LEARN_FROM = 3  # the M-step from which on strengths are learnt
LEAST_GOLD = 10  # labels of clamped units that tell of workers where no unit has two
ALONE = (
    "No task has two answers: labels are as they were given, and how sure they are is not known."
)


class HierarchicalDawidSkene(ConfusionModel):
    """Estimate true classes, and tables of workers that are drawn to their crowd's, by EM.

    With T[u, k] = P(truth of u is k | labels), started at the shares of the votes, an iteration is

        Q, E        `hierarchy.levels_of` the expected counts; E[w, k, l] is Q normalised over l
        p[k]        ∝ sum_u T[u, k] + 1 / K + .3 sum_u v[u, k], v the shares of the votes
        T[u, k]     ∝ p[k] prod_{w,l} E[w, k, l]^n[u, w, l]

    until no T changes by `tol`. The strengths of the levels are learnt from the third on. There is
    no one objective that all of this makes larger, so `diagnostics_.objective` is empty. Only units
    with a label take part; one without has the prevalence.

    From the last T the tables are made once more, each unit is judged without its own part in them,
    and labels count as the votes that they are worth: `evidence`.

    Where no unit has labels of two workers, nothing but the start would decide: all that a table
    says is what it was begun with. Labels are then taken as they were given, with the shares of a
    vote in the place of posteriors (`is_alone_`; `evidence.VoteTables`), unless clamped gold tells
    of ten labels whether they are right.

    Parameters
    ----------
    shared : float
        How much of the correlation that labels show goes into the confidences: 1.5 times that
        with which they foretell each other best, at most 1, and a tenth for tables that are
        estimates (`evidence`). 0: labels are independent votes, and tables are what they are.
    start : "shares" or "gold"
        The first T: the shares of the votes; or what follows from each worker's accuracy on gold,
        their errors spread evenly and classes equally common. Where no gold was answered, "gold"
        is "shares".
    max_iter : int
    tol : float
        Stop when no T changes by more than this in an iteration.

    Attributes
    ----------
    posterior_ : array of shape (n_units, n_classes)
        Tempered, and each unit judged without its own part in the tables. Rows sum to 1. Not there
        after a fit of `ShardedLabels`, see `posteriors`.
    prevalence_ : array of shape (n_classes,)
    confusion_ : array of shape (n_workers, n_classes, n_classes)
        E at (w, true, said). Rows sum to 1; a worker without labels has `newcomer_`.
    newcomer_ : array of shape (n_classes, n_classes)
        The table, at (true, said), of a worker of whom nothing is known.
    strengths_ : Strengths
        q, r and s, in pseudo-labels.
    foretold_ : Foretold
        How well labels are foretold by those of others; its `correlation` is None where no unit
        has three workers.
    rho_ : float
        What the posteriors are tempered with: n labels count as n / (1 + (n - 1) rho) votes.
    reliability_ : Reliability
        Accuracy is over the labels given: the mean posterior of their class.
    is_alone_ : bool
        Whether labels were taken as they are: how sure they are is not known.
    diagnostics_ : Diagnostics
        `note` says what the answers of a task are worth.
    """

    prevalence_: NDArray[np.float64]
    newcomer_: NDArray[np.float64]
    strengths_: Strengths
    foretold_: Foretold
    rho_: float
    is_alone_: bool = False
    _last: _Last | None = None
    _evidence: UnitEvidence | None = None

    def __init__(
        self,
        *,
        shared: float = SHARED,
        start: Start = "shares",
        max_iter: int = 150,
        tol: float = 1e-3,
    ):
        check_at_least(0, shared=shared, tol=tol)
        check_choice(STARTS, start=start)
        check_at_least(1, max_iter=max_iter)
        self.shared, self.start, self.max_iter, self.tol = shared, start, max_iter, tol

    def fit(
        self,
        labels: CrowdLabels | ShardedLabels,
        *,
        gold: ArrayLike | None = None,
        warm: HierarchicalDawidSkene | None = None,
        pool: Pool | None = None,
        gold_counts: GoldCounts | None = None,
    ) -> Self:
        """Estimate everything from `labels`.

        `gold`, shape (n_units,), holds the class of each unit whose truth is known and -1 for the
        others: known units keep their class in every E-step and enter every M-step.

        `warm` is an earlier fit, whose estimates are where this one begins; workers keep their
        numbers, and those after the last of them begin as newcomers. A fit of a fraction of
        the labels leads to a worse maximum than none: with one label of each unit, `adult` ended
        .2 below a fit from the beginning.

        `pool` is where the shards live; without one, all is done in this process.

        `gold_counts` is what the start "gold" begins from; without it, the labels of units in
        `gold`.
        """
        began = time.perf_counter()
        units = ShardedUnits.open(self._read(labels), gold, pool, EvidenceShard)
        self.is_alone_ = is_alone(units)
        if self.is_alone_:
            self._take_as_given(units, began)
            return self
        climb = _Climb(total(units.shards.each("vote_shares")), warm)
        maximum = expectation_maximisation(
            units,
            self._initial(units, climb, warm, gold_counts),
            climb.m_step,
            has_converged=self._has_converged,
            max_iter=self.max_iter,
        )
        self._judge_without_own(units, climb, maximum, began)
        return self

    def posteriors(self) -> Iterator[NDArray[np.float64]]:
        """The posterior of each shard in turn; of data in memory all of it at once.

        After a fit of `ShardedLabels` the pool must be open still.
        """
        if self._last is None:
            return iter([self.posterior_])
        return self._last.units.shards.each("posterior_of", self._last.tables, self.rho_)

    def infer(self, labels: CrowdLabels, *, gold: ArrayLike | None = None) -> NDArray[np.float64]:
        """Posteriors of other units, shape (n_units, n_classes): one E-step with what was
        estimated, tempered with `rho_`.

        Workers keep their numbers; those after the last of the fit are newcomers. `gold` is as in
        `fit`.
        """
        if not hasattr(self, "confusion_"):
            raise ValueError("there is nothing to infer with before a fit")
        check_classes(self.confusion_.shape[1], labels)
        check_workers(len(self.confusion_), labels)
        units = ShardedUnits.open(labels, gold, None, EvidenceShard)
        parameters = self._resumed(self, units)
        # A table that is told as it is, however much a unit is taken out of it.
        tables = _Fixed(parameters.prevalence, parameters.log_confusion)
        units.e_step(parameters)
        (judged,) = units.shards.each("judged", tables, self.rho_, True)
        posterior: NDArray[np.float64] = judged.posterior
        return posterior

    def evidence(self, labels: CrowdLabels) -> UnitEvidence:
        """What `labels`, those of the fit, say of each unit, judged by tables that it had no part
        in, before anything is tempered: what the fit has kept of them."""
        if self._evidence is None:
            raise ValueError("a fit of shards keeps no evidence: see `posteriors`")
        return self._evidence

    def state(self) -> State:
        """What `restore` needs: p, E, a newcomer's table, the strengths and rho."""
        return {
            "prevalence": self.prevalence_,
            "confusion": self.confusion_,
            "newcomer": self.newcomer_,
            "strengths": np.array(self.strengths_),
            "rho": np.array([self.rho_]),
        }

    @classmethod
    def restore(cls, state: Mapping[str, NDArray[Any]], **settings: Any) -> Self:
        """A fit that can `infer`, and be `warm`; `settings` are those of the constructor."""
        fitted = cls(**settings)
        found = numbers(
            state, prevalence="k", confusion="wkk", newcomer="kk", strengths="3", rho="1"
        )
        not_negative(found)
        fitted.prevalence_, fitted.confusion_ = found["prevalence"], found["confusion"]
        fitted.newcomer_ = found["newcomer"]
        fitted.strengths_ = Strengths(*found["strengths"].tolist())
        fitted.rho_ = float(found["rho"][0])
        return fitted

    def _tables(self, counts: ExpectedCounts) -> CountTables:
        levels = levels_of(counts.labels, self.strengths_, learn=False)
        return CountTables(self.prevalence_, levels.counts)

    def _has_converged(self, objective: list[float], counts: ExpectedCounts) -> bool:
        return len(objective) >= LEAST_ITERATIONS and counts.change < self.tol

    def _initial(
        self,
        units: ShardedUnits,
        climb: _Climb,
        warm: HierarchicalDawidSkene | None,
        gold_counts: GoldCounts | None,
    ) -> Parameters:
        if warm is not None:
            return self._resumed(warm, units)
        on_gold = gold_to_start_from(units, self.start, gold_counts)
        if on_gold is None:
            return climb.m_step(units.initial_counts())
        k = units.n_classes
        accuracy = on_gold.accuracy(k)[:, None, None]
        confusion = np.where(np.eye(k, dtype=bool), accuracy, (1.0 - accuracy) / max(k - 1, 1))
        return _parameters(np.full(k, 1.0 / k), confusion)

    def _resumed(self, warm: HierarchicalDawidSkene, units: ShardedUnits) -> Parameters:
        check_warm(warm, HierarchicalDawidSkene, units)
        confusion = with_new_workers(warm.confusion_, units, warm.newcomer_.T)
        return _parameters(warm.prevalence_, confusion)

    def _judge_without_own(
        self, units: ShardedUnits, climb: _Climb, maximum: Maximum[Parameters], began: float
    ) -> None:
        """Set what a fit leaves behind, from the T of its last E-step."""
        counts = units.e_step(maximum.parameters)
        levels = climb.levels(counts, learn=False)
        self.prevalence_, self.strengths_ = climb.prevalence(counts), climb.strengths
        self.confusion_ = normalised(levels.counts.transpose(0, 2, 1).copy(), axis=2)
        self.newcomer_ = normalised(levels.newcomer.T.copy(), axis=1)
        hits = self._judge(units, self._tables(counts))
        self.reliability_ = reliability_of(hits, units.labels.judged(), self.confusion_)
        self.diagnostics_ = Diagnostics(
            objective=(),
            converged=maximum.converged,
            iterations=len(maximum.objective),
            seconds=time.perf_counter() - began,
            note=worth(self.foretold_, self.rho_),
        )

    def _judge(self, units: ShardedUnits, tables: CountTables | VoteTables) -> Hits:
        """Set posteriors and evidence, and say who was right by them."""
        self._evidence = evidence_of(units, tables) if units.keeps else None
        self.foretold_ = (
            total(units.shards.each("foretold", tables))
            if self._evidence is None or self._evidence.foretold is None
            else self._evidence.foretold
        )
        self.rho_ = self.foretold_.temper(self.shared)
        vars(self).pop("posterior_", None)  # of an earlier fit
        self._last = None
        judged = list(units.shards.each("judged", tables, self.rho_, units.keeps))
        if units.keeps:
            self.posterior_ = np.concatenate([result.posterior for result in judged])
        else:
            self._last = _Last(units, tables)
        return total(result.hits for result in judged)

    def _take_as_given(self, units: ShardedUnits, began: float) -> None:
        """Set what a fit leaves behind where labels tell nothing of each other. Of workers only
        gold tells, so one without has the prior."""
        tables, k = VoteTables(units.n_classes), units.n_classes
        self.prevalence_, self.strengths_ = tables.prevalence, Strengths.first(k)
        self.newcomer_ = tables.table()
        self.confusion_ = np.tile(self.newcomer_, (units.n_workers, 1, 1))
        self._judge(units, tables)
        counts = units.labels
        compared, right = counts.on_gold.astype(np.float64), counts.right.astype(np.float64)
        self.reliability_ = reliability_of(
            replace(Hits.none(units.n_workers), compared=compared, right=right),
            counts.judged(),
            self.confusion_,
        )
        self.diagnostics_ = Diagnostics(
            objective=(),
            converged=True,
            iterations=0,
            seconds=time.perf_counter() - began,
            note=ALONE,
        )


def is_alone(units: ShardedUnits) -> bool:
    """Whether there are labels, but neither two of one unit nor gold of enough of them."""
    some, known = units.labels.n_labels, int(units.labels.on_gold.sum())
    return bool(some) and known < LEAST_GOLD and not any(units.shards.each("has_pairs"))


def worth(foretold: Foretold, rho: float) -> str:
    """A sentence for people: what the answers of a task are worth."""
    each = foretold.answers_each
    if foretold.correlation is None:
        return "Nothing has three answers, so what answers are worth together is not known."
    return (
        f"{each:.1f} answers each are worth {votes_worth(each, rho):.1f} independent ones; not "
        "checked against gold."
    )


@dataclass(frozen=True, slots=True)
class _Last:
    """Of a fit of `ShardedLabels`: posteriors are made anew, shard by shard."""

    units: ShardedUnits
    tables: CountTables | VoteTables


@dataclass(frozen=True, slots=True)
class _Fixed:
    """Tables from which nothing is taken out: those of other units. `log_confusion` is E at (w,
    said, true)."""

    prevalence: NDArray[np.float64]
    log_confusion: NDArray[np.float64]

    def without(self, judged: Judgments, posterior: NDArray[np.float64]) -> NDArray[np.float64]:
        found: NDArray[np.float64] = self.log_confusion[judged.worker, judged.label]
        return found * judged.weight[:, None]


class _Climb:
    """M-steps in a row, which carry the strengths from one to the next."""

    def __init__(self, votes: NDArray[np.float64], warm: HierarchicalDawidSkene | None):
        self.votes = votes  # sum_u v[u, k]
        self.strengths = warm.strengths_ if warm else Strengths.first(len(votes))
        self.steps = LEARN_FROM - 1 if warm else 0

    def m_step(self, counts: ExpectedCounts) -> Parameters:
        self.steps += 1
        levels = self.levels(counts, learn=self.steps >= LEARN_FROM)
        self.strengths = levels.strengths
        return _parameters(self.prevalence(counts), normalised(levels.counts, axis=1))

    def levels(self, counts: ExpectedCounts, *, learn: bool) -> Levels:
        return levels_of(counts.labels, self.strengths, learn=learn)

    def prevalence(self, counts: ExpectedCounts) -> NDArray[np.float64]:
        k = len(counts.units)
        return normalised(counts.units + 1.0 / k + ANCHOR * self.votes, axis=0)


def _parameters(prevalence: NDArray[np.float64], confusion: NDArray[np.float64]) -> Parameters:
    """`confusion` has the shape (n_workers, said, true)."""
    return Parameters(
        np.maximum(prevalence, FLOOR), np.log(np.maximum(confusion, FLOOR)), log_prior=0.0
    )
