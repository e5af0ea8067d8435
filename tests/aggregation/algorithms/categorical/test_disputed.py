"""Known answers where a method and a vote differ."""

from itertools import product

import numpy as np
import pytest

from aggregation.algorithms import CrowdLabels, HierarchicalDawidSkene, MajorityVote
from aggregation.algorithms.categorical.disputed import (
    Verdict,
    accuracy_of,
    disputed,
    sign_test,
    takes_vote,
    to_ask,
)
from tests.aggregation.algorithms.simulated import simulate


def test_disputed_are_units_whose_class_is_not_among_the_most_frequent():
    labels = CrowdLabels(
        [0, 0, 0, 1, 1, 2, 2], [0, 1, 2, 0, 1, 0, 1], [0, 0, 1, 0, 1, 1, 1], 4, 3, 3
    )
    assert disputed(labels, [0, 1, 1, 2]).tolist() == []
    assert disputed(labels, [1, 2, 0, 0]).tolist() == [0, 1, 2]


def test_at_most_thirty_are_asked_for_each_as_probably():
    units = np.arange(5, 105)
    assert to_ask(units[:30], seed=1).tolist() == units[:30].tolist()
    times = np.zeros(105)
    for seed in range(400):
        drawn = to_ask(units, seed=seed)
        assert len(np.unique(drawn)) == 30
        times[drawn] += 1
    assert times[5:].mean() == 120
    assert np.abs(times[5:] - 120).max() < 40  # four standard deviations


@pytest.mark.parametrize(("more", "less"), [(0, 3), (3, 0), (5, 2), (2, 5), (4, 4)])
def test_the_sign_test_by_all_coins(more, less):
    heads = [sum(coins) for coins in product((0, 1), repeat=more + less)]
    assert sign_test(more, less) == pytest.approx(np.mean(np.array(heads) >= more))


def test_the_vote_has_to_be_better_beyond_chance():
    def taken(for_vote, for_method, neither=4):
        vote = np.repeat([True, False, False], [for_vote, for_method, neither])
        method = np.repeat([False, True, False], [for_vote, for_method, neither])
        return takes_vote(method, vote)

    assert not taken(3, 0)  # p = 1/8
    assert taken(4, 0)  # 1/16
    assert not taken(9, 6)
    assert taken(12, 4)
    assert not taken(4, 12)


def test_what_is_shown_comes_from_folds_that_did_not_decide():
    truth = np.zeros(30, dtype=int)
    found = Verdict.of(np.ones(30, dtype=int), truth, truth)
    assert (found.vote_taken, found.method_right, found.vote_right) == (True, 0, 30)
    assert found.right == 1
    # Coins: what decided is right in more than half, what did not in half of them.
    rng = np.random.default_rng(0)
    shown, optimistic = [], []
    for seed in range(300):
        truth = rng.integers(2, size=30)
        one = Verdict.of(np.zeros(30, dtype=int), np.ones(30, dtype=int), truth, seed=seed)
        shown.append(one.right)
        optimistic.append((one.vote_right if one.vote_taken else one.method_right) / 30)
    assert np.mean(shown) < 0.52
    assert np.mean(optimistic) > np.mean(shown) + 0.01
    assert Verdict.of(truth[:0], truth[:0], truth[:0]).right is None


def test_what_decided_is_no_sample_of_what_differs():
    """Seven of nine for the vote are just enough to take it, six of eight are not: folds without
    one of the seven would have stayed with the method, and the figure of all tasks is theirs."""
    truth = np.zeros(10, dtype=int)
    vote = np.array([0] * 7 + [1] * 3)
    chosen = np.array([1] * 7 + [0] * 2 + [1])
    verdict = Verdict.of(chosen, vote, truth)
    assert (verdict.vote_taken, verdict.vote_right) == (True, 7)
    right, known = verdict.differing
    assert known == 10
    assert right == round(verdict.right * 10) < 7


def misled(seed):
    """Four of twelve workers agree with each other nearly always, and are misled together in a
    fifth of the units: a method that looks for agreement believes them."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(2, size=600)
    believed = np.where(rng.random(600) < 0.2, 1 - truth, truth)
    worker = np.argsort(rng.random((600, 12)), axis=1)[:, :7]
    known, right = np.where(worker < 4, believed[:, None], truth[:, None]), rng.random((600, 7))
    said = np.where(right < np.where(worker < 4, 0.97, 0.7), known, 1 - known)
    labels = CrowdLabels(np.repeat(np.arange(600), 7), worker.ravel(), said.ravel(), 600, 12, 2)
    return labels, truth


def test_thirty_answers_tell_a_crowd_that_is_misled_from_one_that_is_not():
    for seed in range(3):
        for make, wanted in ((misled, True), (None, False)):
            if make is None:
                found = simulate(seed=seed, n_units=900, n_workers=30, redundancy=5,
                                 prevalence=[0.5, 0.3, 0.2])  # fmt: skip
                labels, truth = found.labels, found.truth
            else:
                labels, truth = make(seed)
            chosen = HierarchicalDawidSkene().fit(labels).predict()
            vote = MajorityVote().fit(labels).predict()
            asked = to_ask(disputed(labels, chosen), seed=seed)
            verdict = Verdict.of(chosen[asked], vote[asked], truth[asked], seed=seed)
            assert verdict.vote_taken is wanted
            taken = vote if verdict.vote_taken else chosen
            right = [(one == truth).mean() for one in (taken, vote, chosen)]
            assert right[0] > max(right) - 0.01


def test_disputed_answers_count_by_their_share():
    value, variance = accuracy_of(0.2, (18, 20), (3, 10))
    assert value == pytest.approx(0.8 * 0.9 + 0.2 * 0.3)
    one, other = 19 / 22, 4 / 12
    assert variance == pytest.approx(0.64 * one * (1 - one) / 20 + 0.04 * other * (1 - other) / 10)
    with pytest.raises(ValueError, match="where the two agree"):
        accuracy_of(0.2, (0, 0), (3, 10))
