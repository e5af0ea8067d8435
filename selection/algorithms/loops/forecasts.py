"""What the next round's metric will be, on the same sample of documents.

It is rehearsed: the model is trained again on random parts of what is labelled, as much smaller as
the next round will make it larger. What the last step would have brought, the next will bring a
little less of; how far apart the rehearsals lie tells how much of it is chance. Rounds that are
over correct the width: where they lay further from their forecasts than they should, it grows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

Integers = NDArray[np.int64]
REHEARSALS = 8
MISS = 0.1  # of the interval
SLOWING = 0.5  # gains fall with this power of the size, as for most learners
BELIEF = 6.0  # forecasts' worth of belief in the width as it is
WIDTH = 1.0  # of the spread of rehearsals
GAIN = 0.5  # of what rehearsals promise comes: the last figure was partly luck
NOISE = 0.5  # of one item of the sample: no figure is finer
KEPT = 0.7  # how much of the last figure's own chance stays in the next


@dataclass(frozen=True, slots=True)
class Forecast:
    """Of the next round's metric on the same sample; the interval is of 90 %."""

    value: float
    low: float
    high: float
    error: float


@dataclass(frozen=True, slots=True)
class Kept:
    """A forecast of an earlier round, and what came."""

    value: float
    error: float
    came: float

    @property
    def score(self) -> float:
        return (self.came - self.value) / self.error if self.error > 0 else 0.0


def rehearsal_sizes(labelled: int, following: int) -> tuple[int, int]:
    """How many items to train on: one step back, and two."""
    ratio = labelled / max(following, labelled + 1)
    one = max(2, min(labelled - 1, round(labelled * ratio)))
    return one, max(2, min(one - 1, round(one * ratio)))


def rehearse(
    measure: Callable[[Integers], float], labelled: int, following: int, *,
    rehearsals: int = REHEARSALS, seed: int = 0,
) -> tuple[list[float], list[float]]:  # fmt: skip
    """The metric of models that learnt from random parts of the labelled items, one step back and
    two. `measure` is given the places of the items to learn from; where it can't learn from a part
    (ValueError) the part is left out."""
    rng = np.random.default_rng([seed, labelled])
    found: tuple[list[float], list[float]] = [], []
    if labelled < 4:
        return found
    one, two = rehearsal_sizes(labelled, following)
    for _ in range(rehearsals):
        order = rng.permutation(labelled)
        for size, metrics in zip((one, two), found, strict=True):
            try:
                metrics.append(measure(np.sort(order[:size])))
            except ValueError:
                continue
    return found


def forecast(
    now: float, one_back: Sequence[float], two_back: Sequence[float], labelled: int,
    following: int, n_sample: int, past: Sequence[Kept] = (),
) -> Forecast | None:  # fmt: skip
    """None where there was nothing to rehearse with."""
    if len(one_back) < 2 or len(two_back) < 2:
        return None
    one, two = float(np.mean(one_back)), float(np.mean(two_back))
    slowing = (labelled / max(following, labelled + 1)) ** SLOWING
    # Two looks at the same curve; the nearer one shares its chance with `now`, the farther does
    # not.
    expected = one + slowing * (one - two)
    level = KEPT * now + (1 - KEPT) * expected
    gain = GAIN * (slowing * (now - one) + slowing**2 * (one - two)) / 2
    value = float(np.clip(level + gain, 0, 1))
    spread = float(np.std(one_back, ddof=1)) * np.sqrt(1 + 1 / len(one_back))
    error = WIDTH * float(np.hypot(spread, NOISE / max(n_sample, 1)))
    scale = np.sqrt((BELIEF + sum(kept.score**2 for kept in past)) / (BELIEF + len(past)))
    half = float(-stdtrit(BELIEF + len(past), MISS / 2) * error * scale)
    return Forecast(value, max(0.0, value - half), min(1.0, value + half), error)
