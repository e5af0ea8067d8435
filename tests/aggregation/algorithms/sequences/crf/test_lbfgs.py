import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import expit

from aggregation.algorithms.sequences.crf.lbfgs import MEMORY, minimise


def quadratic(curvature, lowest):
    def function(x):
        gradient = curvature @ (x - lowest)
        return float((x - lowest) @ gradient) / 2 + 3.0, gradient

    return function


def logistic(seed, n=80, size=12):
    """Penalised, and with columns of very different scale."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, size)) * np.logspace(-0.5, 1, size)
    sign = np.where(rng.random(n) < 0.5, -1.0, 1.0)

    def function(theta):
        margin = sign * (x @ theta)
        value = np.logaddexp(0, -margin).sum() + theta @ theta / 2
        return float(value), theta - x.T @ (sign * expit(-margin))

    return function


@pytest.mark.parametrize("size", [1, 2, MEMORY, 40])
def test_quadratic(size):
    rng = np.random.default_rng(size)
    root = rng.normal(size=(size, size))
    function = quadratic(root @ root.T + np.eye(size), lowest := rng.normal(size=size))
    found = minimise(function, np.zeros(size), max_iter=500, tol=1e-9)
    assert found.converged
    np.testing.assert_allclose(found.x, lowest, atol=1e-6)
    assert found.values[-1] == pytest.approx(3.0)
    assert found.iterations == len(found.values) - 1


@pytest.mark.parametrize("seed", range(4))
def test_convex_function_as_scipy_finds_it(seed):
    function = logistic(seed)
    found = minimise(function, np.zeros(12), max_iter=500, tol=1e-8)
    theirs = minimize(function, np.zeros(12), jac=True, options={"gtol": 1e-8})
    assert found.converged
    assert found.values[-1] == pytest.approx(theirs.fun, rel=1e-9)
    np.testing.assert_allclose(found.x, theirs.x, atol=1e-4)


@given(st.integers(0, 1000), st.floats(-3, 3))
@settings(max_examples=20)
def test_value_never_rises(seed, scale):
    start = 10.0**scale * np.random.default_rng(seed).normal(size=12)
    values = minimise(logistic(seed), start, max_iter=40, tol=0.0).values
    assert (np.diff(values) < 0).all()


def test_other_units_lead_to_the_same_minimum():
    function = logistic(1)
    plain = minimise(function, np.ones(12), max_iter=500, tol=1e-9)
    units = np.logspace(0.5, -1, 12)  # what makes all columns alike
    found = minimise(function, np.ones(12), max_iter=500, tol=1e-9, units=units)
    np.testing.assert_allclose(found.x, plain.x, atol=1e-4)
    assert found.iterations < plain.iterations


def test_start_is_not_changed_and_may_be_the_minimum():
    start = np.array([1.0, 2.0])
    found = minimise(quadratic(np.eye(2), np.array([1.0, 2.0])), start, max_iter=9, tol=1e-9)
    assert (found.iterations, found.converged, found.values) == (0, True, (3.0,))
    minimise(quadratic(np.eye(2), np.zeros(2)), start, max_iter=9, tol=1e-9)
    assert start.tolist() == [1, 2]


def test_limit_of_iterations():
    found = minimise(logistic(0), np.zeros(12), max_iter=3, tol=0.0)
    assert (found.iterations, found.converged) == (3, False)


def test_stops_where_ten_steps_gain_too_little():
    function = logistic(2)
    far = minimise(function, np.zeros(12), max_iter=500, tol=0.0, gain_tol=1e-12)
    near = minimise(function, np.zeros(12), max_iter=500, tol=0.0, gain_tol=1e-3)
    assert near.converged
    assert 10 <= near.iterations < far.iterations
    assert near.values[-11] - near.values[-1] < 1e-3 * near.values[-1]
    assert near.values == far.values[: len(near.values)]


def test_stops_where_only_rounding_is_left():
    found = minimise(logistic(3), np.zeros(12), max_iter=5000, tol=0.0)
    assert found.converged
    assert found.iterations < 1000


def test_nothing_to_choose():
    found = minimise(lambda x: (2.0, np.zeros(0)), np.zeros(0), max_iter=5, tol=1e-5)
    assert (found.values, found.converged) == ((2.0,), True)


def test_steps_into_the_infinite_are_taken_back():
    def function(x):  # steep far out: infinite already for 1e3
        with np.errstate(over="ignore", invalid="ignore"):
            return float(np.exp(x).sum() - x.sum()), np.exp(x) - 1

    found = minimise(function, np.full(3, 20.0), max_iter=200, tol=1e-9)
    np.testing.assert_allclose(found.x, 0, atol=1e-6)
    found = minimise(function, np.full(3, -800.0), max_iter=500, tol=1e-9, units=np.full(3, 100.0))
    np.testing.assert_allclose(found.x, 0, atol=1e-6)
