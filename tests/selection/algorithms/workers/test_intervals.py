import numpy as np
import pytest

from annotation.queries.intervals import score_interval
from selection.algorithms import student_interval, wilson_interval


def test_wilson_is_that_of_the_pages():
    right, told = np.array([0, 3, 7, 10, 412]), np.array([4, 3, 10, 20, 500])
    low, high = wilson_interval(right, told)
    for i in range(len(told)):
        expected = score_interval(right[i] / told[i], int(told[i]))
        assert (low[i], high[i]) == pytest.approx(expected, abs=1e-6)


def test_of_nothing_all_is_possible():
    low, high = wilson_interval([0], [0])
    assert (low.tolist(), high.tolist()) == ([0], [1])
    low, high = student_interval([0.4, np.nan], [np.nan, np.nan], [1, 0])
    assert (low.tolist(), high.tolist()) == ([0, 0], [1, 1])


def test_student_is_the_textbook_s():
    scores = np.array([0.5, 0.7, 0.9, 0.6])
    low, high = student_interval([scores.mean()], [scores.var(ddof=1)], [4])
    half = 3.1824463 * scores.std(ddof=1) / 2
    assert (low[0], high[0]) == pytest.approx((0.675 - half, min(0.675 + half, 1)))


def test_scores_that_are_all_alike_are_no_proof():
    low, high = student_interval([1.0], [0.0], [3])
    assert low[0] == pytest.approx(score_interval(1.0, 3)[0], abs=1e-6)
    assert high[0] == 1


@pytest.mark.parametrize("number", [5, 20])
def test_both_hold_about_as_often_as_they_say(number):
    rng = np.random.default_rng(number)
    right = rng.binomial(number, 0.7, size=4_000)
    low, high = wilson_interval(right, np.full(4_000, number))
    assert ((low <= 0.7) & (high >= 0.7)).mean() > 0.92
    scores = rng.beta(3, 2, size=(4_000, number))
    low, high = student_interval(
        scores.mean(axis=1), scores.var(axis=1, ddof=1), np.full(4_000, number)
    )
    assert 0.93 < ((low <= 0.6) & (high >= 0.6)).mean() < 0.97


def test_a_higher_level_is_wider_and_a_level_in_per_cent_is_refused():
    assert wilson_interval([5], [10], level=0.99)[0] < wilson_interval([5], [10])[0]
    with pytest.raises(ValueError, match="level must be between 0 and 1"):
        student_interval([0.5], [0.1], [3], level=95)
