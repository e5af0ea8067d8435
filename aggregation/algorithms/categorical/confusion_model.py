"""What Dawid–Skene, one-coin and IBCC offer after a fit, which all three do in the same way."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.categorical.em import ExpectedCounts, Maximum, Parameters, Start
from aggregation.algorithms.categorical.em_shards import ShardedUnits
from aggregation.algorithms.categorical.evidence import Tables, UnitEvidence
from aggregation.algorithms.categorical.evidence_shard import EvidenceShard, evidence_of
from aggregation.algorithms.categorical.gold_start import GoldCounts
from aggregation.algorithms.data import CrowdLabels
from aggregation.algorithms.estimators import CategoricalEstimator
from aggregation.algorithms.fitted_state import (
    check_classes,
    check_kind,
    check_workers,
    most_probable,
)
from aggregation.algorithms.reliability import Reliability, reliability_of
from aggregation.algorithms.results import Diagnostics


class ConfusionModel(CategoricalEstimator):
    """Base of the methods with a confusion matrix for each worker."""

    posterior_: NDArray[np.float64]
    confusion_: NDArray[np.float64]
    reliability_: Reliability
    diagnostics_: Diagnostics
    weighs = True
    # Of a fit of `ShardedLabels`: T is made anew, shard by shard.
    _sharded: tuple[ShardedUnits, Parameters] | None = None

    def posteriors(self) -> Iterator[NDArray[np.float64]]:
        """The posterior of each shard in turn; of data in memory all of it at once.

        After a fit of `ShardedLabels` the pool must be open still.
        """
        if self._sharded is None:
            return iter([self.posterior_])
        units, parameters = self._sharded
        return units.posteriors(parameters)

    def infer(self, labels: CrowdLabels, *, gold: ArrayLike | None = None) -> NDArray[np.float64]:
        """T of other units, shape (n_units, n_classes): one E-step with what was estimated.

        Workers keep their numbers; those after the last of the fit have what the prior says.
        `gold` is as in `fit`.
        """
        if not hasattr(self, "confusion_"):
            raise ValueError("there is nothing to infer with before a fit")
        check_classes(self.confusion_.shape[1], labels)
        check_workers(len(self.confusion_), labels)
        units = ShardedUnits.open(labels, gold, None)
        posterior = units.result(self._resumed(self, units)).posterior
        assert posterior is not None  # it is kept of labels in memory
        return posterior

    def judge(
        self, labels: CrowdLabels, *, gold: ArrayLike | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """What `infer` gives, and the most probable class of each unit; of equals the lowest."""
        posterior = self.infer(labels, gold=gold)
        return posterior, most_probable(posterior)

    def evidence(self, labels: CrowdLabels) -> UnitEvidence:
        """What `labels`, those of the fit, say of each unit, judged by tables that it had no part
        in, before anything is tempered (`categorical.evidence`)."""
        units = ShardedUnits.open(labels, None, None, EvidenceShard)
        counts = units.e_step(self._resumed(self, units))
        return evidence_of(units, self._tables(counts))

    @abstractmethod
    def _tables(self, counts: ExpectedCounts) -> Tables:
        """Those that the next M-step would make, with pseudo-counts."""

    @abstractmethod
    def _resumed(self, warm: Any, units: ShardedUnits) -> Parameters:
        """The parameters of `warm`, with the prior's for workers that it does not know."""

    def _store(
        self,
        units: ShardedUnits,
        maximum: Maximum[Any],
        began: float,
        **parameters: NDArray[np.float64],
    ) -> None:
        """Set what a fit leaves behind, from its parameters and `confusion_`."""
        result = units.result(maximum.parameters)
        vars(self).pop("posterior_", None)  # of an earlier fit
        self._sharded = None
        if result.posterior is None:
            self._sharded = (units, maximum.parameters)
        else:
            self.posterior_ = result.posterior
        self.reliability_ = reliability_of(
            result.hits, units.labels.judged(), self.confusion_, **parameters
        )
        self.diagnostics_ = Diagnostics(
            objective=tuple(maximum.objective),
            converged=maximum.converged,
            iterations=len(maximum.objective),
            seconds=time.perf_counter() - began,
        )


def check_warm(warm: ConfusionModel, kind: type, units: ShardedUnits) -> None:
    """Raises ValueError where `warm` is no earlier fit that one of `units` can begin with."""
    check_kind(warm, kind, "confusion_")
    n_workers, n_classes = warm.confusion_.shape[:2]
    if n_classes != units.n_classes:
        raise ValueError(f"warm has {n_classes} classes, but there are {units.n_classes}")
    if n_workers > units.n_workers:
        raise ValueError(f"warm has {n_workers} workers, but there are {units.n_workers}")


def with_new_workers(
    confusion: NDArray[np.float64], units: ShardedUnits, newcomer: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Matrices of an earlier fit, shape (its workers, true, label), as (n_workers, label, true).

    Workers that it does not know get the matrix `newcomer`, shape (label, true).
    """
    known = confusion.transpose(0, 2, 1)
    new = np.broadcast_to(newcomer, (units.n_workers - len(known), *newcomer.shape))
    return np.concatenate([known, new])


def gold_to_start_from(
    units: ShardedUnits, start: Start, gold_counts: GoldCounts | None
) -> GoldCounts | None:
    """What an EM with the start "gold" begins from: `gold_counts`, or else how the labels agree
    with the units' own gold. None where nobody answered gold, and with other starts."""
    if gold_counts is not None:
        gold_counts.check(units.n_workers)
    else:
        gold_counts = GoldCounts(units.labels.right, units.labels.on_gold)
    return gold_counts if start == "gold" and gold_counts.answered.any() else None
