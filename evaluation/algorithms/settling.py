"""How many more judgments would tell two systems apart, by the variance of their paired
difference."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evaluation.algorithms.bootstrap import Differences
from evaluation.algorithms.documents import DocumentRatio
from evaluation.algorithms.intervals import LEVEL, quantile
from evaluation.algorithms.precision import PoissonPrecision
from evaluation.algorithms.predictions import Floats
from evaluation.algorithms.recall import PoissonPooledRecall

STEPS = 60


@dataclass(frozen=True, slots=True)
class Settling:
    """Two neighbours that can't be told apart; `labels` None: no number of them would do it."""

    first: int
    second: int
    labels: float | None


@dataclass(frozen=True, slots=True, eq=False)
class PairedInfluence:
    """By how much each drawn claim moves the difference of two systems.

    `mine` are the claims of either, of which more could be judged; `fixed` is variance that stays
    whatever is judged: of labels that are probabilities, and of the documents annotated in full.
    """

    influence: Floats
    inclusion: Floats
    mine: NDArray[np.bool_]
    fixed: float

    def variance(self, more: float) -> float:
        """Where claims of either had been drawn with `more` times the probability."""
        tau = self.inclusion
        raised = np.where(self.mine, np.minimum(1.0, more * tau), tau)
        return float((self.influence**2 * tau * (1 - raised) / raised).sum()) + self.fixed

    def labels(self, more: float) -> float:
        """How many judgments that would add, by expectation: each drawn claim stands for
        1 / inclusion of its kind."""
        tau = self.inclusion[self.mine]
        return float((np.minimum(1.0, more * tau) / tau - 1).sum())


def paired_precision(precision: PoissonPrecision, i: int, j: int) -> PairedInfluence:
    tau = precision.sample.inclusion
    apart = _row(precision.influence, i) - _row(precision.influence, j)
    weight = _row(precision.scaled, i) - _row(precision.scaled, j)
    mine = (_row(precision.weight, i) > 0) | (_row(precision.weight, j) > 0)
    noise = float(precision.labels.variance(weight[None, :])[0])
    return PairedInfluence(apart, tau, mine, noise)


def paired_f1(
    precision: PoissonPrecision, pooled: PoissonPooledRecall, theta: DocumentRatio, i: int, j: int
) -> PairedInfluence:
    """By the delta method; precision and pooled recall rest on the same draws."""
    tau, t = precision.sample.inclusion, float(theta.value[0])
    apart, weight = np.zeros(len(tau)), np.zeros(len(tau))
    by_theta = 0.0
    for system, sign in ((i, 1.0), (j, -1.0)):
        p, nu = float(precision.estimates.value[system]), float(pooled.value[system])
        r = t * nu
        by_p, by_r = sign * 2 * r**2 / (p + r) ** 2, sign * 2 * p**2 / (p + r) ** 2
        held = (_row(pooled.held, system) - nu) / pooled.size
        apart += by_p * _row(precision.influence, system) + by_r * t * held * pooled.rest
        weight += by_p * _row(precision.scaled, system) + by_r * t * held * pooled.of_metric / tau
        by_theta += by_r * nu
    mine = (_row(pooled.held, i) > 0) | (_row(pooled.held, j) > 0)
    noise = float(precision.labels.variance(weight[None, :])[0])
    return PairedInfluence(apart, tau, mine, noise + by_theta**2 * float(theta.variance[0]))


def labels_to_settle(
    paired: PairedInfluence, difference: float, level: float = LEVEL
) -> float | None:
    """The least number of judgments more at which an interval around the difference, if that stays
    as it is, leaves out 0; None where judging all claims of both would not do it."""
    wanted = (difference / float(quantile(level))) ** 2
    tau = paired.inclusion[paired.mine]
    most = float(1 / tau.min()) if len(tau) else 1.0
    if paired.variance(most) > wanted:
        return None
    low, high = 1.0, most
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if paired.variance(middle) > wanted else (low, middle)
    return paired.labels(high)


def neighbours_level(value: Floats, differences: Differences) -> list[tuple[int, int, float]]:
    """Systems next to each other in the order of `value` whose interval holds 0, and by how much
    the first is ahead."""
    order = [i for i in np.argsort(-value, kind="stable").tolist() if np.isfinite(value[i])]
    at = {(i, j): k for k, (i, j) in enumerate(zip(differences.first.tolist(),
          differences.second.tolist(), strict=True))}  # fmt: skip
    found = []
    for i, j in pairwise(order):
        k = at[min(i, j), max(i, j)]
        if differences.low[k] <= 0 <= differences.high[k]:
            found.append((i, j, float(value[i] - value[j])))
    return found


def _row(table: object, i: int) -> Floats:
    return np.asarray(table[[i]].toarray()).ravel()  # type: ignore[index]
