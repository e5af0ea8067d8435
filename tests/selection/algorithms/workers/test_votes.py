import numpy as np
import pytest

from aggregation.algorithms import CrowdLabels, MajorityVote
from selection.algorithms import vote_weights, weighted_vote
from tests.aggregation.algorithms.simulated import simulate_uneven


def one_unit(*said, n_classes=2):
    n = len(said)
    return CrowdLabels([0] * n, range(n), said, 1, n, n_classes)


def test_linear_weights_are_zero_at_chance_and_negative_below():
    weight = vote_weights([10, 5, 0, 0], [10, 10, 10, 0], n_classes=2)
    assert weight.tolist() == [1, 0, -1, 0]
    assert vote_weights([3, 9], [9, 9], n_classes=3) == pytest.approx([0, 2])


def test_log_weights_are_cut_by_the_number_of_questions_and_by_the_truncation():
    cut = np.log(0.95 / 0.05)
    found = vote_weights([10, 0, 8], [10, 10, 10], n_classes=2, form="log")
    assert found == pytest.approx([cut, -cut, np.log(4)])  # 1 / (2 n) is .05
    found = vote_weights([500, 0], [500, 500], n_classes=2, form="log")
    assert found == pytest.approx([np.log(99), -np.log(99)])  # .01
    found = vote_weights([500], [500], n_classes=2, form="log", truncation=0.1)
    assert found == pytest.approx([np.log(9)])
    found = vote_weights([5, 0], [20, 0], n_classes=4, form="log")
    assert found == pytest.approx([0, 0])  # chance, and asked nothing


def test_a_vote_with_equal_weights_is_the_majority():
    labels = simulate_uneven(seed=1, n_units=300, n_workers=12, redundancy=5).labels
    weight = vote_weights(np.ones(12), np.full(12, 2), n_classes=4, form="majority")
    assert (weighted_vote(labels, weight) == MajorityVote().fit(labels).predict()).all()


def test_one_good_worker_outweighs_two_poor_ones_and_a_wrong_one_speaks_for_the_others():
    assert weighted_vote(one_unit(0, 1, 1), [0.9, 0.3, 0.3]).tolist() == [0]
    assert weighted_vote(one_unit(0), [-1.0]).tolist() == [1]
    assert weighted_vote(one_unit(2, 0, n_classes=3), [-1.0, -0.2]).tolist() == [1]


def test_equals_go_to_the_lowest_number_or_by_lot():
    labels = CrowdLabels(np.repeat(np.arange(400), 2), [0, 1] * 400, [1, 0] * 400, 400, 2, 2)
    weight = [0.1 + 0.2, 0.3]  # equal but for rounding
    assert weighted_vote(labels, weight).tolist() == [0] * 400
    drawn = weighted_vote(labels, weight, np.random.default_rng(0))
    assert 150 < drawn.sum() < 250
    again = weighted_vote(labels, weight, np.random.default_rng(0))
    assert (drawn == again).all()


def test_where_nobody_has_a_weight_all_count_alike():
    assert weighted_vote(one_unit(1, 1, 0), [0.0, 0.0, 0.0]).tolist() == [1]
    empty = CrowdLabels([], [], [], 2, 1, 3)
    assert weighted_vote(empty, [0.5]).tolist() == [0, 0]


def test_arguments_that_mean_nothing_are_refused():
    with pytest.raises(ValueError, match="form must be 'linear', 'log' or 'majority'"):
        vote_weights([1], [2], n_classes=2, form="square")
    with pytest.raises(ValueError, match=r"truncation must be above 0 and at most 0\.5"):
        vote_weights([1], [2], n_classes=2, truncation=0.6)
    with pytest.raises(ValueError, match=r"weight has the shape \(2,\), but there are 1 workers"):
        weighted_vote(one_unit(0), [1.0, 1.0])
