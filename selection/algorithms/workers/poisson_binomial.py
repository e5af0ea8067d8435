"""The sum of independent trials that succeed with different probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

EXACT = 2_000  # trials; of more a bound is given
STEPS = 80  # of the bisection


def poisson_binomial_tail(p: ArrayLike, k: int) -> float:
    """P(K >= k) for K = Σ_t Bernoulli(p_t).

    Exact up to EXACT trials, by the recursion over trials of Barlow and Heidtmann (1984),
    P_t(x) = p_t·P_{t-1}(x - 1) + (1 - p_t)·P_{t-1}(x). Above them Chernoff's bound (1952),
    min over s > 0 of exp(Σ_t ln(1 - p_t + p_t·e^s) - s·k), which is never below the tail: a test by
    it is never too bold.
    """
    chance = np.asarray(p, dtype=np.float64)
    n = len(chance)
    if k <= 0:
        return 1.0
    if k > n:
        return 0.0
    if n > EXACT:
        return _chernoff(chance, k)
    # Failures are few where the tail is of interest, and n - k of them at most count.
    failures = np.zeros(n - k + 1)
    failures[0] = 1.0
    for q in (1.0 - chance).tolist():
        failures[1:] = failures[1:] * (1.0 - q) + failures[:-1] * q
        failures[0] *= 1.0 - q
    return float(min(failures.sum(), 1.0))


def _chernoff(p: NDArray[np.float64], k: int) -> float:
    if k <= p.sum():
        return 1.0
    if k == len(p):
        return float(np.exp(np.log(np.maximum(p, 1e-300)).sum()))
    low, high = 0.0, 60.0
    for _ in range(STEPS):  # the tilted mean rises with s; at the best s it is k
        s = (low + high) / 2
        odds = p * np.exp(s)
        if (odds / (1.0 - p + odds)).sum() < k:
            low = s
        else:
            high = s
    return float(min(np.exp(np.log1p(p * np.expm1(low)).sum() - low * k), 1.0))
