"""How far the accuracies of workers are known, with the uncertainty of what the method has learnt.

The interval of a single fit (`reliability`) takes the tables of workers as known. They were learnt
from the same labels, and their errors are shared by all units. So the method is fitted again to
units that are drawn anew, with replacement, from those with labels. In each of `REFITS` times

    tables   those of the refit; a unit drawn twice counts twice
    truth    of each unit of the original data, drawn from its posterior with these tables
    accuracy of each worker, drawn from Beta(right + 1/2, wrong + 1/2), by that truth

the latter two `TRUTHS` times each; and the 95 % interval runs from the 2.5th to the 97.5th
percentile of what was drawn. By 1/2 and 1/2 the best and the worst workers are the most usual, so
that few labels leave more open than workers differ: the end on the side of the crowd's mean is
drawn in (`_drawn_in`). The other end stays, or it would miss the ablest and those who guess.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.categorical.hierarchical import HierarchicalDawidSkene
from aggregation.algorithms.categorical.ibcc import IBCC
from aggregation.algorithms.data import CrowdLabels, checked_gold
from aggregation.algorithms.fitted_state import Restorable
from aggregation.algorithms.reliability import FLAWLESS, JEFFREYS, LEVEL, Reliability

REFITS = 80
TRUTHS = 5  # that are drawn with the tables of each: the ends of few draws alone are rough
FEW = 7.0  # labels, up to which unknown truths don't widen the side of the crowd's mean
ITERATIONS, TOLERANCE = 40, 5e-3  # of a refit: its tables need no more
INSIDE = 1e-6  # an end is so far from 0 and 1 where its logit is taken

Floats = NDArray[np.float64]
Gold = NDArray[np.int64]

Refit = Callable[[CrowdLabels, Gold], Restorable]


def quicker(settings: Mapping[str, Any], method: type[Any]) -> dict[str, Any]:
    """The settings of a refit: it stops earlier, and confidences are not tempered."""
    found = dict(settings)
    found["max_iter"] = min(int(settings["max_iter"]), ITERATIONS)
    if issubclass(method, (HierarchicalDawidSkene, IBCC)):  # which stop by posteriors, not by gain
        found["tol"] = max(float(settings["tol"]), TOLERANCE)
    if issubclass(method, HierarchicalDawidSkene):
        found["shared"] = 0.0
    return found


def intervals_by_refits(
    refit: Refit,
    labels: CrowdLabels,
    reliability: Reliability,
    *,
    gold: Gold | None = None,
    refits: int = REFITS,
    seed: int = 0,
    advance: Callable[[int], None] = lambda n: None,
) -> Reliability:
    """`reliability`, that of the fit of `labels`, with intervals by refits.

    `refit` fits the method to labels and to the class of each unit, where it is told, else -1.
    `gold`, shape (n_units,), is that of the fit. `advance` is told of each refit. A worker of whom
    less than half an error is expected may never have been wrong: theirs reaches 1.
    """
    rng = np.random.default_rng(seed)
    known = checked_gold(gold, labels)
    drawn = np.empty((refits * TRUTHS, labels.n_workers))
    moments = np.zeros((2, labels.n_workers))  # sums of m and of its square: `_drawn_in`
    judged = np.bincount(labels.worker, labels.weight, minlength=labels.n_workers)
    for each in range(refits):
        some, of = resampled(labels, rng)
        posterior = refit(some, known[of]).infer(labels, gold=known)
        for place in range(each * TRUTHS, (each + 1) * TRUTHS):
            is_right = _drawn_classes(posterior, rng)[labels.unit] == labels.label
            right = np.bincount(
                labels.worker[is_right],
                None if labels.weight is None else labels.weight[is_right],
                minlength=labels.n_workers,
            )
            drawn[place] = rng.beta(right + JEFFREYS, np.maximum(judged - right, 0) + JEFFREYS)
            m = (right + JEFFREYS) / (judged + 2 * JEFFREYS)
            moments += m, m * m
        advance(1)
    low, high = np.quantile(drawn, ((1 - LEVEL) / 2, (1 + LEVEL) / 2), axis=0)
    low, high = _drawn_in(low, high, moments / len(drawn), judged, reliability.accuracy)
    errors = (1.0 - reliability.accuracy) * (judged + 2 * JEFFREYS) - JEFFREYS
    high = np.where((judged > 0) & (errors < FLAWLESS), 1.0, high)
    return replace(
        reliability,
        low=np.minimum(low, reliability.accuracy),
        high=np.maximum(high, reliability.accuracy),
    )


def _drawn_in(
    low: Floats, high: Floats, moments: Floats, judged: Floats | Gold, accuracy: Floats
) -> tuple[Floats, Floats]:
    """Both ends, of which the one on the side of the crowd's mean is drawn to `accuracy`.

    All have the shape (n_workers,) but `moments`, shape (2, n_workers): the means, over the truths
    that were drawn, of m = (right + 1/2) / (n + 1) and of its square, n the labels. What is drawn
    of the accuracy varies by

        V = B + U,   B = mean of m (1 - m) / (n + 2),   U = variance of m

    B would be there if truths were known. On the scale of logits the end is as far from the
    accuracy as before times the square root of (B + max(0, 1 - `FEW` / n) U) / V.
    """
    from scipy.special import expit, logit

    first, second = moments
    known = (first - second) / (judged + 4 * JEFFREYS)
    unknown = np.maximum(second - first * first, 0.0)
    part = np.maximum(1.0 - FEW / np.maximum(judged, FEW), 0.0)
    by = np.sqrt((known + part * unknown) / (known + unknown))
    at, ends = (logit(np.clip(x, INSIDE, 1.0 - INSIDE)) for x in (accuracy, np.stack([low, high])))
    near_low, near_high = expit(at + by * (ends - at))
    mean = np.average(accuracy, weights=judged) if judged.any() else 0.5
    is_above = accuracy >= mean
    some = judged > 0
    return (
        np.where(some & is_above, near_low, low),
        np.where(some & ~is_above, near_high, high),
    )


def resampled(labels: CrowdLabels, rng: np.random.Generator) -> tuple[CrowdLabels, Gold]:
    """As many units as have labels, drawn from them with replacement, and which each was."""
    order = np.argsort(labels.unit, kind="stable")
    given = np.bincount(labels.unit, minlength=labels.n_units)
    begin = np.cumsum(given) - given
    some = np.flatnonzero(given)
    of = rng.choice(some, len(some)) if len(some) else some
    each = given[of]
    unit = np.repeat(np.arange(len(of)), each)
    place = np.arange(len(unit)) - np.repeat(np.cumsum(each) - each, each)
    taken = order[np.repeat(begin[of], each) + place]
    weight = None if labels.weight is None else labels.weight[taken]
    sizes = len(of), labels.n_workers, labels.n_classes
    return CrowdLabels(unit, labels.worker[taken], labels.label[taken], *sizes, weight=weight), of


def _drawn_classes(posterior: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
    cumulated = posterior.cumsum(axis=1)[:, :-1]
    return (rng.random((len(posterior), 1)) > cumulated).sum(axis=1)
