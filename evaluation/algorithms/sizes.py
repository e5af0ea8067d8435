"""How many judgments an interval takes, before anything is judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evaluation.algorithms.intervals import LEVEL, quantile
from evaluation.algorithms.predictions import Floats, Predictions, as_floats

LEAST = 30  # own draws of a system


def conservative_variance(metric: Floats, inclusion: Floats) -> float:
    """Of the normalised estimate, at the precision that makes it largest, one half."""
    with np.errstate(divide="ignore"):
        return float((metric**2 * (1 - inclusion) / inclusion).sum() / 4)


def half_width(metric: Floats, inclusion: Floats, level: float = LEVEL) -> float:
    """The largest that the interval of a system can be expected to have."""
    return float(quantile(level) * np.sqrt(conservative_variance(metric, inclusion)))


def least_draws(
    metric: Floats,
    width: float,
    level: float = LEVEL,
    *,
    given: Floats | None = None,
    least: float = LEAST,
) -> float:
    """The least n at which n of a system's own draws, with what others drew, give that half-width.

    `metric` is that of one system's claims, `given` with which probability each of them is drawn
    for others already. Solved by bisection, for inclusion max(given, min(1, n p)); at least `least`
    draws are its own, or all of its claims.
    """
    if not 0 < width < 1:
        raise ValueError(f"the half-width must lie between 0 and 1, but is {width}")
    if not len(metric):
        return 0.0
    before = np.zeros(len(metric)) if given is None else given
    census = float(1 / metric.min())
    floor = min(least, census)

    def wide(n: float) -> bool:
        inclusion = np.maximum(before, np.minimum(1.0, n * metric))
        return half_width(metric, np.maximum(inclusion, 1e-300), level) > width

    if not wide(floor):
        return floor
    low, high = floor, census
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if wide(middle) else (low, middle)
    return high


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Systems that come one after the other.

    Attributes
    ----------
    sizes : array of shape (n_systems,)
        n_j, in the order of the systems, whatever the order in which they came.
    inclusion : array of shape (n_claims,)
        With which probability each claim is judged in the end.
    labels : array of shape (n_systems,)
        How many judgments each system is expected to add when it comes.
    half_widths : array of shape (n_systems,)
        At most, in the end; NaN for a system without claims.
    """

    sizes: Floats
    inclusion: Floats
    labels: Floats
    half_widths: Floats


def plan_draws(
    predictions: Predictions,
    metric: Floats,
    width: ArrayLike,
    level: float = LEVEL,
    *,
    order: Sequence[int] | None = None,
    given: Floats | None = None,
    least: float = LEAST,
) -> Plan:
    """The least draws for each system in turn; what earlier ones drew serves later ones.

    `width` may be one for each system. Where its precision p is known, w / sqrt(4 p (1 - p)) gives
    the half-width w that is then to be expected.
    `given`, shape (n_claims,), are inclusion probabilities of an earlier plan, which stay.
    """
    m = predictions.n_systems
    inclusion = np.zeros(predictions.n_claims) if given is None else given.copy()
    sizes, labels, widths = np.zeros(m), np.zeros(m), np.full(m, np.nan)
    wanted = np.broadcast_to(as_floats(width), (m,))
    for i in range(m) if order is None else order:
        span = slice(predictions.starts[i], predictions.starts[i + 1])
        claims, p = predictions.claim[span], metric[span]
        sizes[i] = least_draws(p, wanted[i], level, given=inclusion[claims], least=least)
        after = np.maximum(inclusion[claims], np.minimum(1.0, sizes[i] * p))
        labels[i] = (after - inclusion[claims]).sum()
        inclusion[claims] = after
    for i in range(m):
        span = slice(predictions.starts[i], predictions.starts[i + 1])
        if span.stop > span.start:
            widths[i] = half_width(metric[span], inclusion[predictions.claim[span]], level)
    return Plan(sizes, inclusion, labels, widths)


def documents_needed(
    width: float, per_document: float, *, theta: float = 0.5, clustering: float = 2.0,
    level: float = LEVEL,
) -> int:  # fmt: skip
    """Documents to annotate in full for theta ± width.

    `clustering`: how many times the variance is that of independent instances.
    """
    variance = (width / float(quantile(level))) ** 2
    return int(np.ceil(clustering * theta * (1 - theta) / (variance * per_document)))
