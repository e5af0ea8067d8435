"""The tail of a sum of unequal trials."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from selection.algorithms.workers import poisson_binomial
from selection.algorithms.workers.poisson_binomial import poisson_binomial_tail


def test_it_is_the_sum_over_all_outcomes():
    p = np.random.default_rng(0).random(8)
    outcomes = np.array([*product([0, 1], repeat=8)])
    chances = np.where(outcomes, p, 1 - p).prod(axis=1)
    for k in range(-1, 10):
        expected = chances[outcomes.sum(axis=1) >= k].sum()
        assert poisson_binomial_tail(p, k) == pytest.approx(expected)


@pytest.mark.parametrize(("n", "p", "k"), [(50, 0.3, 30), (500, 0.9, 480), (2_000, 0.5, 1_200)])
def test_equal_trials_are_binomial_far_into_the_tail(n, p, k):
    assert poisson_binomial_tail(np.full(n, p), k) == pytest.approx(binom.sf(k - 1, n, p), rel=1e-9)


def test_the_bound_for_many_trials_is_never_below_the_tail_and_close(monkeypatch):
    rng = np.random.default_rng(1)
    for k in (300, 330, 380, 400):
        p = rng.uniform(0.5, 0.95, 400)
        exact = poisson_binomial_tail(p, k)
        monkeypatch.setattr(poisson_binomial, "EXACT", 10)
        bound = poisson_binomial_tail(p, k)
        monkeypatch.undo()
        assert exact <= bound * (1 + 1e-9)
        if exact < 1e-6:
            assert np.log(bound) <= 0.75 * np.log(exact)
