"""What Dawid–Skene, one-coin and IBCC share: units with labels, and a table for each worker.

With T[u, k] = P(truth of u is k | labels), n[u, w, l] the number of times that w said l of u, and
for each class a weight p[k] and for each worker a table E[w, k, l], an E-step is

    T[u, k] = p[k] prod_{w,l} E[w, k, l]^n[u, w, l] / sum over k of the same

and the sums that an M-step needs are sum_u T[u, k] and sum_u T[u, k] n[u, w, l]. The methods differ
in what they make of these sums. Nothing here changes a part that was opened, except where it is
asked to remember T.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, Self, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.categorical.gold_start import Shown
from aggregation.algorithms.data import UNKNOWN, Block, CrowdLabels, checked_gold
from aggregation.algorithms.reliability import Hits, Reliability, reliability_of
from aggregation.algorithms.results import Diagnostics
from aggregation.algorithms.shards import (
    Here,
    Loader,
    Parts,
    Pool,
    ShardedLabels,
    loaders_of,
    total,
)
from aggregation.algorithms.states import check_classes, check_kind, check_workers

Start = Literal["shares", "mode", "gold"]
Found = TypeVar("Found", bound="Tables")

# An impossible label is taken as this improbable: a logarithm stays finite, so that a unit of
# which somebody said the impossible still has a posterior. It moves no sum of floats.
FLOOR = 1e-300
# Beside gold, a worker without gold votes with the weight of one right judgment in two.
UNTOLD_RIGHT, UNTOLD = 1.0, 2.0
UNDERFLOW = -600.0  # exp of it, times a prevalence, is a float still


@dataclass(frozen=True, slots=True)
class Census:
    """What was said, before anything is estimated; those of parts add up.

    Attributes
    ----------
    said : array of shape (n_workers, n_classes)
        How often each worker said each class.
    right, told : arrays of shape (n_workers,)
        How many of a worker's labels are of units with gold, and are that gold.
    n_units, n_known : int
        All units, and those with gold.
    """

    said: NDArray[np.int64]
    right: NDArray[np.int64]
    told: NDArray[np.int64]
    n_units: int
    n_known: int

    def __add__(self, other: Census) -> Census:
        return Census(
            self.said + other.said,
            self.right + other.right,
            self.told + other.told,
            self.n_units + other.n_units,
            self.n_known + other.n_known,
        )

    @property
    def n_labels(self) -> int:
        return int(self.said.sum())

    def judged(self) -> NDArray[np.int64]:
        """How many labels each worker gave, shape (n_workers,)."""
        return self.said.sum(axis=1)

    def weight(self) -> NDArray[np.float64]:
        """Of each worker's vote, shape (n_workers,): his accuracy on gold, or 1 without gold."""
        if not self.n_known:
            return np.ones(len(self.said))
        return (self.right + UNTOLD_RIGHT) / (self.told + UNTOLD)

    def shares(self) -> NDArray[np.float64]:
        """Each class's share of all votes so weighted, shape (n_classes,); even without a vote."""
        votes = self.weight() @ self.said
        return votes / votes.sum() if votes.any() else np.full(len(votes), 1.0 / len(votes))


@dataclass(slots=True)
class Statistics:
    """All that an M-step needs of some units; those of parts of the data add up.

    Attributes
    ----------
    said : array of shape (n_workers, n_classes, n_classes)
        sum_u T[u, k] n[u, w, l] at (w, l, k): the layout of the products.
    units : array of shape (n_classes,)
        sum_u T[u, k].
    evidence : float
        sum_u ln (sum over k of p[k] prod E[w, k, l]^n[u, w, l]), in nats.
    moved : float
        The largest change of a T since the step before; only of parts that remember.
    """

    said: NDArray[np.float64]
    units: NDArray[np.float64]
    evidence: float = 0.0
    moved: float = 0.0

    @classmethod
    def none(cls, n_workers: int, n_classes: int) -> Self:
        return cls(np.zeros((n_workers, n_classes, n_classes)), np.zeros(n_classes))

    def __add__(self, other: Statistics) -> Statistics:
        return Statistics(
            self.said + other.said,
            self.units + other.units,
            self.evidence + other.evidence,
            max(self.moved, other.moved),
        )

    def count(
        self, block: Block, ratio: NDArray[np.float64], prevalence: NDArray[np.float64]
    ) -> None:
        """`ratio`, shape (units of the block, n_classes), times `prevalence` is T."""
        self.said += (block.counts.T @ ratio * prevalence).reshape(self.said.shape)
        self.units += np.ones(len(ratio)) @ ratio * prevalence  # faster than sum(axis=0)


@dataclass(frozen=True, slots=True)
class Tables:
    """What an E-step works with, and the objective it is done for.

    Attributes
    ----------
    prevalence : array of shape (n_classes,)
        p; need not sum to 1.
    log_table : array of shape (n_workers, n_classes, n_classes)
        ln E at (w, l, k): the layout of the products.
    penalty : float
        What the objective has beside the evidence, in nats.
    """

    prevalence: NDArray[np.float64]
    log_table: NDArray[np.float64]
    penalty: float

    def for_parts(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return self.prevalence, self.log_table.reshape(-1, len(self.prevalence))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is wanted of a part at the end: T where it is kept, and how often each was right."""

    posterior: NDArray[np.float64] | None
    hits: Hits


class Part:
    """One shard of the units, as sparse counts.

    `prevalence`, shape (n_classes,), is p; `log_table`, shape (n_workers * n_classes, n_classes),
    is ln E at (w * n_classes + l, k).
    """

    unchanged_by = frozenset({"census", "first", "step", "outcome", "posterior"})

    def __init__(self, load: Loader, n_workers: int, n_classes: int):
        labels, gold = load()
        if (labels.n_workers, labels.n_classes) != (n_workers, n_classes):
            raise ValueError(
                f"a shard has {labels.n_workers} workers and {labels.n_classes} classes, but the "
                f"whole has {n_workers} and {n_classes}"
            )
        self.n_units, self.n_workers, self.n_classes = labels.n_units, n_workers, n_classes
        self.known = None if gold is None else checked_gold(gold, labels)
        self.blocks = labels.blocks()

    def __getstate__(self) -> dict[str, Any]:
        # Without the ones, which are two thirds of a block and the same in all.
        bare = [(block.units, block.counts.indices, block.counts.indptr) for block in self.blocks]
        return {**self.__dict__, "blocks": bare}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        ones = np.ones(max((len(column) for _, column, _ in state["blocks"]), default=0))
        n_columns = self.n_workers * self.n_classes
        self.blocks = [
            Block.of(units, column, place, ones, n_columns)
            for units, column, place in state["blocks"]
        ]

    def census(self) -> Census:
        n_workers, n_classes = self.n_workers, self.n_classes
        said = np.zeros(n_workers * n_classes, dtype=np.int64)
        right, told = np.zeros((2, n_workers), dtype=np.int64)
        for block in self.blocks:
            column = block.counts.indices
            said += np.bincount(column, minlength=len(said))
            if self.known is None:
                continue
            truth = np.repeat(self.known[block.units], np.diff(block.counts.indptr))
            worker, label = column // n_classes, column % n_classes
            right += np.bincount(worker[truth == label], minlength=n_workers)
            told += np.bincount(worker[truth != UNKNOWN], minlength=n_workers)
        n_known = 0 if self.known is None else int(np.count_nonzero(self.known != UNKNOWN))
        return Census(said.reshape(n_workers, n_classes), right, told, self.n_units, n_known)

    def first(
        self, weight: NDArray[np.float64], shares: NDArray[np.float64], start: Start
    ) -> Statistics:
        """Those of the first T: the shares of votes that count by the `weight` of each worker.

        A unit without labels gets `shares`, shape (n_classes,). With the start "mode" all others
        are wholly in the class with most votes.
        """
        ballots = np.kron(weight[:, None], np.eye(self.n_classes))  # (workers * said, class)
        statistics = Statistics.none(self.n_workers, self.n_classes)
        for block in self.blocks:
            posterior = block.counts @ ballots
            judged = np.diff(block.counts.indptr) > 0
            posterior[~judged] = shares
            posterior /= posterior.sum(axis=1, keepdims=True)
            if start == "mode":
                posterior[judged] = np.eye(self.n_classes)[posterior[judged].argmax(axis=1)]
            self._set_known(block, posterior)
            self._keep(block, posterior)
            statistics.count(block, posterior, np.ones(self.n_classes))
        return statistics

    def step(self, prevalence: NDArray[np.float64], log_table: NDArray[np.float64]) -> Statistics:
        """An E-step, and the sums that the next M-step needs."""
        statistics = Statistics.none(self.n_workers, self.n_classes)
        for block in self.blocks:
            ratio, evidence = self._e_step(block, prevalence, log_table)
            statistics.evidence += evidence
            statistics.count(block, ratio, prevalence)
            statistics.moved = max(statistics.moved, self._keep(block, ratio, prevalence))
        return statistics

    def posterior(
        self, prevalence: NDArray[np.float64], log_table: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """T, shape (n_units, n_classes)."""
        kept = self.outcome(prevalence, log_table, True).posterior
        assert kept is not None
        return kept

    def outcome(
        self, prevalence: NDArray[np.float64], log_table: NDArray[np.float64], keep: bool
    ) -> Outcome:
        """Of the last T. A label is right with the posterior of the class that it says."""
        kept = np.empty((self.n_units, self.n_classes)) if keep else None
        hits = Hits.none(self.n_workers)
        for block in self.blocks:
            posterior, _ = self._e_step(block, prevalence, log_table)
            posterior *= prevalence
            self._set_known(block, posterior)  # to the last bit
            worker, label = np.divmod(block.counts.indices, np.int32(self.n_classes))
            row = np.repeat(np.arange(len(posterior)), np.diff(block.counts.indptr))
            hits += Hits.of(worker, posterior[row, label], self.n_workers)
            if kept is not None:
                kept[block.units] = posterior
        return Outcome(kept, hits)

    def _e_step(
        self, block: Block, prevalence: NDArray[np.float64], log_table: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], float]:
        """T without its p[k], shape (units of the block, n_classes), and the evidence.

        The products are as good without p, which goes into their small results.
        """
        likelihood = block.counts @ log_table
        if self.known is not None:
            known = self.known[block.units]
            units = np.flatnonzero(known != UNKNOWN)
            kept = likelihood[units, known[units]]
            likelihood[units] = -np.inf
            likelihood[units, known[units]] = kept
        # Seldom does anything underflow, and the maxima of rows cost time.
        top = None
        if likelihood.min(initial=0.0) < UNDERFLOW:
            top = likelihood.max(axis=1)
            likelihood -= top[:, None]
        np.exp(likelihood, out=likelihood)
        evidence = likelihood @ prevalence
        likelihood /= evidence[:, None]
        log_evidence = float(np.log(evidence).sum())
        return likelihood, log_evidence if top is None else log_evidence + float(top.sum())

    def _set_known(self, block: Block, posterior: NDArray[np.float64]) -> None:
        if self.known is not None:
            known = self.known[block.units]
            units = np.flatnonzero(known != UNKNOWN)
            posterior[units] = np.eye(self.n_classes)[known[units]]

    def _keep(
        self,
        block: Block,
        ratio: NDArray[np.float64],
        prevalence: NDArray[np.float64] | float = 1.0,
    ) -> float:
        """The largest change of T in the block; here nothing is kept."""
        return 0.0


class RememberingPart(Part):
    """A part that knows how far T moved in a step."""

    unchanged_by = Part.unchanged_by - {"first", "step"}

    def __init__(self, load: Loader, n_workers: int, n_classes: int):
        super().__init__(load, n_workers, n_classes)
        self.last = np.full((self.n_units, n_classes), np.inf)  # before the first, far away

    def _keep(
        self,
        block: Block,
        ratio: NDArray[np.float64],
        prevalence: NDArray[np.float64] | float = 1.0,
    ) -> float:
        now = ratio * prevalence
        last = self.last[block.units]
        last -= now
        moved = float(np.abs(last, out=last).max(initial=0.0))
        last[:] = now
        return moved


@dataclass(frozen=True, slots=True)
class Crowd:
    """Data that were opened in a pool: what a fit works on."""

    parts: Parts
    census: Census
    keeps: bool  # whether posteriors are to be put together at the end

    @classmethod
    def opened(
        cls,
        data: CrowdLabels | ShardedLabels,
        gold: ArrayLike | None,
        pool: Pool | None,
        part: type[Part] = Part,
    ) -> Self:
        pool = pool or Here()
        size = (data.n_workers, data.n_classes)
        parts = pool.open(part, [(load, *size) for load in loaders_of(data, gold, pool.size)])
        return cls(parts, total(parts.each("census")), isinstance(data, CrowdLabels))

    @property
    def n_workers(self) -> int:
        return len(self.census.said)

    @property
    def n_classes(self) -> int:
        return self.census.said.shape[1]

    def first(self, start: Start = "shares") -> Statistics:
        """`Part.first` of all units."""
        weight, shares = self.census.weight(), self.census.shares()
        return total(self.parts.each("first", weight, shares, start))

    def step(self, tables: Tables) -> Statistics:
        """`Part.step` of all units."""
        return total(self.parts.each("step", *tables.for_parts()))

    def outcome(self, tables: Tables) -> Outcome:
        """`Part.outcome` of all units; their T only of data that are in memory."""
        hits, kept = Hits.none(self.n_workers), []
        for outcome in self.parts.each("outcome", *tables.for_parts(), self.keeps):
            hits += outcome.hits
            kept.append(outcome.posterior)
        if not self.keeps:
            return Outcome(None, hits)
        return Outcome(kept[0] if len(kept) == 1 else np.concatenate(kept), hits)


@dataclass(frozen=True, slots=True)
class Ascent(Generic[Found]):
    """How the objective rose, and the tables that the last E-step worked with."""

    tables: Found
    objective: list[float]
    converged: bool


def climb(
    crowd: Crowd,
    first: Found,
    m_step: Callable[[Statistics], Found],
    *,
    enough: Callable[[list[float], Statistics], bool],
    max_iter: int,
) -> Ascent[Found]:
    """E-steps and M-steps in turn, from the tables `first`; an E-step is the last.

    `enough` is told the objectives so far and the last statistics.
    """
    tables, objective = first, []
    while True:
        statistics = crowd.step(tables)
        objective.append(statistics.evidence + tables.penalty)
        converged = enough(objective, statistics)
        if converged or len(objective) == max_iter:
            return Ascent(tables, objective, converged)
        tables = m_step(statistics)


def gains_less_than(tol: float, crowd: Crowd) -> Callable[[list[float], Statistics], bool]:
    """For `climb`: whether an iteration added less than `tol` to the objective, per label."""
    n_labels = max(crowd.census.n_labels, 1)

    def enough(objective: list[float], _: Statistics) -> bool:
        return len(objective) > 1 and (objective[-1] - objective[-2]) / n_labels < tol

    return enough


# --- What was estimated -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shards:
    """What is left of a fit of `ShardedLabels`: T is made anew, shard by shard."""

    crowd: Crowd
    tables: Tables

    def posteriors(self) -> Iterator[NDArray[np.float64]]:
        """Shape (units of the shard, n_classes)."""
        return self.crowd.parts.each("posterior", *self.tables.for_parts())


class Fitted(Protocol):
    """What the three methods have in common after a fit."""

    posterior_: NDArray[np.float64]
    confusion_: NDArray[np.float64]
    reliability_: Reliability
    diagnostics_: Diagnostics
    _shards: Shards | None


def conclude(
    method: Fitted,
    crowd: Crowd,
    ascent: Ascent[Found],
    began: float,
    **parameters: NDArray[np.float64],
) -> None:
    """Set what a fit leaves behind, from its tables and its `confusion_`."""
    outcome = crowd.outcome(ascent.tables)
    vars(method).pop("posterior_", None)  # of an earlier fit
    method._shards = None
    if outcome.posterior is None:
        method._shards = Shards(crowd, ascent.tables)
    else:
        method.posterior_ = outcome.posterior
    method.reliability_ = reliability_of(
        outcome.hits, crowd.census.judged(), method.confusion_, **parameters
    )
    method.diagnostics_ = Diagnostics(
        objective=tuple(ascent.objective),
        converged=ascent.converged,
        iterations=len(ascent.objective),
        seconds=time.perf_counter() - began,
    )


def posteriors_of(method: Fitted) -> Iterator[NDArray[np.float64]]:
    """T of each shard in turn, shape (its units, n_classes); of data in memory all at once."""
    return iter([method.posterior_]) if method._shards is None else method._shards.posteriors()


class Resumable(Fitted, Protocol):
    def _resumed(self, warm: Any, crowd: Crowd) -> Tables:
        """The tables of `warm`, with newcomers for workers that it does not know."""


def inferred(method: Resumable, labels: CrowdLabels, gold: ArrayLike | None) -> NDArray[np.float64]:
    """T of other units with what was estimated, shape (n_units, n_classes)."""
    if not hasattr(method, "confusion_"):
        raise ValueError("there is nothing to infer with before a fit")
    check_classes(method.confusion_.shape[1], labels)
    check_workers(len(method.confusion_), labels)
    crowd = Crowd.opened(labels, gold, None)
    found = crowd.outcome(method._resumed(method, crowd)).posterior
    assert found is not None  # it is kept of labels in memory
    return found


def check_warm(warm: Fitted, kind: type, crowd: Crowd) -> None:
    """Raises ValueError where `warm` is no earlier fit that one of `crowd` can begin with."""
    check_kind(warm, kind, "confusion_")
    n_workers, n_classes = warm.confusion_.shape[:2]
    if n_classes != crowd.n_classes:
        raise ValueError(f"warm has {n_classes} classes, but there are {crowd.n_classes}")
    if n_workers > crowd.n_workers:
        raise ValueError(f"warm has {n_workers} workers, but there are {crowd.n_workers}")


def products_layout(
    tables: NDArray[np.float64], crowd: Crowd, newcomer: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Tables of an earlier fit, shape (its workers, true, said), as (n_workers, said, true).

    Workers that it does not know get the table `newcomer`, shape (said, true).
    """
    known = tables.transpose(0, 2, 1)
    new = np.broadcast_to(newcomer, (crowd.n_workers - len(known), *newcomer.shape))
    return np.concatenate([known, new])


# --- Settings -----------------------------------------------------------------------------------


def check_not_negative(**settings: float) -> None:
    for name, value in settings.items():
        if not 0 <= value < np.inf:
            raise ValueError(f"{name} must be 0 or more, but is {value}")


def check_iterations(max_iter: int) -> None:
    if max_iter < 1:
        raise ValueError(f"max_iter must be at least 1, but is {max_iter}")


def check_start(start: str) -> None:
    if start not in get_args(Start):
        raise ValueError(f"start must be 'shares', 'mode' or 'gold', but is '{start}'")


def shown_on_gold(crowd: Crowd, start: Start, shown: Shown | None) -> Shown | None:
    """What an EM with the start "gold" begins from: `shown`, or else how the labels agree with the
    crowd's own gold. None where nobody has shown anything, and with other starts."""
    if shown is not None:
        shown.check(crowd.n_workers)
    else:
        shown = Shown(crowd.census.right, crowd.census.told)
    return shown if start == "gold" and shown.told.any() else None


def normalised(counts: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """`counts`, divided in place by their sums along `axis`; even shares where the sum is 0."""
    sums = counts.sum(axis=axis, keepdims=True)
    if not sums.all():
        counts += sums == 0
        sums = counts.sum(axis=axis, keepdims=True)
    counts /= sums
    return counts
