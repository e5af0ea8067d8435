from itertools import pairwise

import numpy as np
import pytest

from selection.algorithms import (
    clear_majority,
    decide,
    drawn_to_the_most,
    most_in_need,
    reached,
    stable_average,
)


def test_it_works():
    sure = reached([0.99, 0.7, 0.7, np.nan, 0.97], 0.95)
    found = decide(sure, [2, 2, 5, 0, 1], maximum=5, minimum=2)
    assert found.close.tolist() == [True, False, True, False, False]
    assert found.ask.tolist() == [False, True, False, True, True]


def test_each_task_can_have_a_maximum_of_its_own():
    found = decide([False, False], [2, 2], maximum=[2, 3])
    assert found.close.tolist() == [True, False]


def test_clear_majority_is_a_lead_over_every_other():
    votes = [[2, 0, 0], [3, 2, 0], [3, 1, 1], [0, 0, 0], [2, 2, 4]]
    assert clear_majority(votes).tolist() == [True, False, True, False, True]
    assert clear_majority(votes, lead=1).tolist() == [True, True, True, False, True]
    assert clear_majority([[1], [2]], lead=2).tolist() == [False, True]


def test_stable_average_looks_at_the_last_answers_alone():
    values = [3, 3, 3, 1, 5, 3, 3, 3, 3, 4]
    starts = [0, 3, 8, 8, 9, 10]
    # Means: 3 3 3 | 1 3 3 3 3 | none | 3 | 4
    assert stable_average(values, starts).tolist() == [True, True, False, False, False]
    assert stable_average([1, 5, 1], [0, 3]).tolist() == [False]
    assert stable_average([1, 5, 1], [0, 3], within=2.0).tolist() == [True]
    assert stable_average([], [0, 0]).tolist() == [False]


def test_stable_average_does_what_a_loop_does():
    rng = np.random.default_rng(1)
    number = rng.integers(0, 8, size=60)
    starts = np.concatenate(([0], np.cumsum(number)))
    values = rng.integers(1, 6, size=starts[-1])
    found = stable_average(values, starts, within=0.3, steps=2)
    for task, n in enumerate(number):
        mine = values[starts[task] : starts[task + 1]]
        means = [mine[: i + 1].mean() for i in range(n)]
        moves = [abs(b - a) for a, b in pairwise(means)]
        assert found[task] == (n > 2 and max(moves[-2:]) <= 0.3)


def test_answers_go_first_where_most_is_expected_to_be_wrong():
    need, ask = [0.5, 3.0, np.nan, 2.0, 2.0], [True, False, True, True, True]
    assert most_in_need(need, ask, 3).tolist() == [2, 3, 4]
    assert most_in_need(need, ask, 0).tolist() == []
    assert most_in_need(need, ask, 50).tolist() == [2, 3, 4, 0]


def test_arguments_that_mean_nothing_are_refused():
    with pytest.raises(ValueError, match="target must be above 0 and at most 1, but is 95"):
        reached([0.5], 95)
    with pytest.raises(ValueError, match="lead must be at least 1"):
        clear_majority([[1, 0]], lead=0)
    with pytest.raises(ValueError, match="steps must be at least 1, but is 0"):
        stable_average([1.0], [0, 1], steps=0)
    with pytest.raises(ValueError, match="budget must be 0 or more"):
        most_in_need([1.0], [True], -1)
    with pytest.raises(ValueError, match=r"sure has the shape \(1,\), but answers has \(2,\)"):
        decide([True], [1, 2], maximum=3)
    with pytest.raises(ValueError, match="minimum and maximum must be 0 or more"):
        decide([True], [1], maximum=-3)


def test_a_twentieth_is_drawn_and_always_the_same():
    keys = np.arange(5_000, 6_000)
    drawn = drawn_to_the_most(keys, 7)
    assert drawn.sum() == 50
    assert (drawn_to_the_most(keys[::-1], 7)[::-1] == drawn).all()
    assert (drawn_to_the_most(keys, 8) & drawn).sum() < 12  # of another campaign others
    assert drawn_to_the_most(keys[:100], 7).sum() == 30
    assert drawn_to_the_most(keys[:9], 7).all()
    assert drawn_to_the_most(keys[:0], 7).tolist() == []


def test_what_is_drawn_lies_evenly():
    places = np.concatenate(
        [np.flatnonzero(drawn_to_the_most(np.arange(1_000), seed)) for seed in range(400)]
    )
    tenths = np.bincount(places // 100, minlength=10) / len(places)
    assert tenths == pytest.approx(0.1, abs=0.01)
