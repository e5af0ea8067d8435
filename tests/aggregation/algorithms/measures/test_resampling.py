import numpy as np
import pytest

from aggregation.algorithms import bootstrap_interval
from aggregation.algorithms.measures import resampling


def mean(sums):
    return sums[:, :1] / sums[:, 1:]


def rows(values):
    return np.column_stack([values, np.ones(len(values))])


def test_interval_of_a_mean_is_that_of_theory():
    values = np.random.default_rng(1).normal(size=400)
    low, high = bootstrap_interval(rows(values), mean, seed=0)
    half = 1.96 * values.std() / 20
    assert (low[0], high[0]) == pytest.approx(
        (values.mean() - half, values.mean() + half), abs=0.1 * half
    )


def test_same_seed_gives_the_same_interval():
    counts = rows(np.arange(10.0))
    assert bootstrap_interval(counts, mean, seed=3) == bootstrap_interval(counts, mean, seed=3)
    assert bootstrap_interval(counts, mean, seed=3) != bootstrap_interval(counts, mean, seed=4)


def test_replicates_without_a_value_are_left_out():
    def share(sums):
        return np.divide(sums[:, :1], sums[:, 1:], out=np.full((len(sums), 1), np.nan),
                         where=sums[:, 1:] > 0)  # fmt: skip

    low, high = bootstrap_interval([[1, 1], [0, 0], [0, 0]], share, seed=0)
    assert (low.tolist(), high.tolist()) == ([1], [1])
    low, high = bootstrap_interval([[0, 0]], share, seed=0)
    assert np.isnan([low, high]).all()


def test_there_must_be_rows():
    with pytest.raises(ValueError, match=r"counts has the shape \(0, 2\)"):
        bootstrap_interval(np.empty((0, 2)), mean, seed=0)


def test_equal_rows_put_together_give_the_same_interval():
    """From MANY_ROWS on rows are drawn by kind, which has the same distribution."""
    rng = np.random.default_rng(4)
    many = rows(rng.integers(0, 5, size=resampling.MANY_ROWS).astype(float))
    by_kind = bootstrap_interval(many, mean, seed=0)
    by_row = resampling.percentiles(
        mean(resampling._sums_of_rows(many, np.random.default_rng(1), 2000))
    )
    half = (by_row[1] - by_row[0]) / 2
    assert np.abs(np.subtract(by_kind, by_row)).max() < 0.1 * half


def test_many_rows_that_all_differ():
    values = np.random.default_rng(5).normal(size=resampling.MANY_ROWS)
    low, high = bootstrap_interval(rows(values), mean, seed=0, replicates=200)
    half = 1.96 * values.std() / len(values) ** 0.5
    assert (high[0] - low[0]) / 2 == pytest.approx(half, rel=0.2)


def test_an_interval_covers_in_95_of_100_cases():
    rng = np.random.default_rng(6)
    covered = 0
    for _ in range(100):
        low, high = bootstrap_interval(rows(rng.normal(size=60)), mean, seed=0, replicates=400)
        covered += low[0] <= 0 <= high[0]
    assert 88 <= covered <= 99
