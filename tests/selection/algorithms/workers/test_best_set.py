import time
from itertools import combinations

import numpy as np
import pytest

from aggregation.algorithms import CrowdLabels, DawidSkene
from selection.algorithms import (
    Empty,
    Reason,
    best_workers,
    crowd_score,
    ranked_workers,
    unbiased_scores,
    vote_weights,
    weighted_vote,
)
from selection.algorithms.workers.best_set import best_set


def seeded(seed=0):
    return np.random.default_rng(seed)


def brute_force(scores, budget):
    """The highest F of all sets of at most `budget`, and the size of the smallest that has it."""
    found = [(0.0, 0)]
    for size in range(1, min(budget, len(scores)) + 1):
        found += [
            (crowd_score(scores[list(members)]), size)
            for members in combinations(range(len(scores)), size)
        ]
    top = max(crowd for crowd, _ in found)
    return top, min(size for crowd, size in found if crowd >= top - 1e-12)


def test_it_works():
    found = best_workers(
        [10, 9, 6, 5, 1, 1], [10, 10, 10, 10, 10, 1], n_classes=2, budget=3, rng=seeded()
    )
    assert found.chosen.tolist() == [0, 1, 4] or found.chosen.tolist() == [0, 4, 1]
    assert found.crowd == pytest.approx((1 + 2 * 0.6) / np.sqrt(3))
    assert [Reason(i) for i in found.reason] == [
        Reason.CHOSEN, Reason.CHOSEN, Reason.WORTHLESS, Reason.WORTHLESS, Reason.CHOSEN,
        Reason.UNTESTED,
    ]  # fmt: skip
    assert found.empty is None


@pytest.mark.parametrize("part", range(6))
def test_it_finds_what_trying_all_sets_finds(part):
    """600 instances in six parts: both of counts, with their many ties, and of any numbers."""
    rng = seeded(part)
    for instance in range(100):
        n_workers, n_classes = int(rng.integers(1, 13 if instance < 15 else 9)), 2 + part % 4
        budget = int(rng.integers(1, n_workers + 2))
        if instance % 2:
            scores = rng.normal(0.2, 0.6, size=n_workers)
        else:
            told = rng.integers(2, 12, size=n_workers)
            right = rng.binomial(told, rng.random(n_workers))
            scores = unbiased_scores(right, told, n_classes)
        found = best_set(scores, budget=budget, rng=rng)
        crowd, size = brute_force(scores, budget)
        assert found.crowd == pytest.approx(crowd)
        assert len(found.chosen) == size


def test_no_set_is_better_and_as_small_or_as_good_and_smaller():
    rng = seeded(7)
    for _ in range(40):
        scores = rng.normal(0.3, 0.5, size=8)
        found = best_set(scores, budget=6, rng=rng)
        for size in range(1, 7):
            top = max(crowd_score(scores[list(s)]) for s in combinations(range(8), size))
            assert top <= found.crowd + 1e-12
            if size < len(found.chosen):
                assert top < found.crowd


def test_equal_scores_are_settled_by_lot_never_by_number():
    right, told = np.full(200, 9), np.full(200, 10)
    given = {"n_classes": 2, "budget": 20}
    picks = [best_workers(right, told, **given, rng=seeded(s)).chosen for s in range(200)]
    times = np.bincount(np.concatenate(picks), minlength=200)
    assert times.min() >= 5  # of 20 expected; a choice by number would leave most at 0
    assert times.max() <= 45
    once, again = (best_workers(right, told, **given, rng=seeded(3)).chosen for _ in range(2))
    assert once.tolist() == again.tolist()


def test_lot_among_equals_at_the_edge_of_the_budget_keeps_those_above_it():
    right = np.array([10] * 3 + [9] * 50)
    found = best_workers(right, np.full(53, 10), n_classes=2, budget=10, rng=seeded())
    assert set(found.chosen[:3].tolist()) == {0, 1, 2}
    assert (found.reason == Reason.OVER_BUDGET).sum() == 43


def test_who_would_make_the_set_worse_is_left_out_though_the_budget_has_room():
    found = best_set([1.0, 0.9, 0.1], budget=3, rng=seeded())
    assert found.chosen.tolist() == [0, 1]
    assert found.reason[2] == Reason.SURPLUS


@pytest.mark.parametrize(
    ("right", "told", "extra", "empty"),
    [
        ([5, 5, 6], [10, 10, 10], {}, Empty.WORTHLESS),
        ([1, 0, 1], [1, 0, 1], {}, Empty.UNTESTED),
        ([], [], {}, Empty.UNTESTED),
        ([10, 9], [10, 10], {"barred": [True, True]}, Empty.BARRED),
        ([0, 1], [10, 10], {"above_chance": True}, Empty.BARRED),
        ([0, 5], [10, 10], {"barred": [True, False]}, Empty.WORTHLESS),
    ],
)
def test_nobody_is_chosen_rather_than_the_least_bad_and_the_reason_is_told(
    right, told, extra, empty
):
    found = best_workers(right, told, n_classes=2, budget=3, rng=seeded(), **extra)
    assert found.chosen.tolist() == []
    assert found.crowd == 0
    assert found.empty == empty


def test_budget_above_the_pool_is_no_error():
    assert best_set([1.0, 0.8], budget=50, rng=seeded()).chosen.tolist() == [0, 1]


def test_plug_in_takes_more_workers():
    rng, sizes = seeded(4), {"unbiased": [], "plug-in": []}
    for _ in range(50):
        right = rng.binomial(10, rng.beta(2.3, 2, size=31))
        for name, found in sizes.items():
            chosen = best_workers(
                right, np.full(31, 10), n_classes=2, budget=31, rng=rng, estimator=name
            ).chosen
            found.append(len(chosen))
    assert np.mean(sizes["plug-in"]) > np.mean(sizes["unbiased"]) + 1


def test_ranking_is_by_accuracy_and_leaves_out_who_was_not_tested():
    ranked = ranked_workers([1, 5, 9, 0, 9], [1, 10, 10, 0, 9], seeded())
    assert ranked.tolist() == [4, 2, 1]


# --- Workers who are mostly wrong ---------------------------------------------------------------


def adversarial(*, seed):
    """Six workers are right in 95 of 100 cases, nine are as surely wrong; 12 gold questions."""
    rng = seeded(seed)
    truth = rng.integers(2, size=600)
    right = rng.random((600, 15)) < np.repeat([0.95, 0.05], [6, 9])
    said = np.where(right, truth[:, None], 1 - truth[:, None])
    item, worker = np.divmod(np.arange(600 * 15), 15)
    gold = np.where(np.arange(600) < 12, truth, -1)
    labels = CrowdLabels(item, worker, said.ravel(), 600, 15, 2)
    return labels, gold, truth, right[:12].sum(axis=0)


def test_workers_who_are_mostly_wrong_are_chosen_unless_only_those_above_chance_are_wanted():
    _, _, _, right = adversarial(seed=1)
    told = np.full(15, 12)
    both = best_workers(right, told, n_classes=2, budget=15, rng=seeded())
    assert (both.chosen < 6).sum() >= 5
    assert (both.chosen >= 6).sum() >= 6
    above = best_workers(right, told, n_classes=2, budget=15, rng=seeded(), above_chance=True)
    assert set(above.chosen.tolist()) == set(range(6))
    assert (above.reason[6:] == Reason.BELOW_CHANCE).all()


def test_they_help_a_weighted_vote_and_em_from_gold_and_mislead_a_majority_and_em_from_one():
    labels, gold, truth, right = adversarial(seed=2)
    told = np.full(15, 12)

    def accuracy(predicted):
        return (predicted == truth)[12:].mean()

    linear = vote_weights(right, told, n_classes=2)
    assert accuracy(weighted_vote(labels, linear)) > 0.99
    assert accuracy(DawidSkene(start="gold").fit(labels, gold=gold).predict()) > 0.99
    assert accuracy(weighted_vote(labels, np.ones(15))) < 0.2
    assert accuracy(DawidSkene().fit(labels).predict()) < 0.2


def test_exactly_chance_is_not_above_it():
    found = best_workers(
        [3, 4], [9, 9], n_classes=3, budget=2, rng=seeded(), above_chance=True,
        estimator="plug-in",
    )  # fmt: skip
    assert found.reason.tolist() == [Reason.BELOW_CHANCE, Reason.CHOSEN]


# --- Speed, and what is refused -----------------------------------------------------------------


def test_a_million_workers_take_little_time():
    rng = seeded(11)
    told = rng.integers(0, 30, size=1_000_000)
    right = rng.binomial(told, rng.beta(2.3, 2, size=len(told)))
    seconds = []
    for _ in range(3):
        began = time.process_time()
        found = best_workers(
            right, told, n_classes=2, budget=1_000, rng=seeded(), above_chance=True
        )
        seconds.append(time.process_time() - began)
    assert len(found.chosen) == 1_000
    assert min(seconds) < 5  # .07 on a quiet machine; `bench selection` holds it to .15


def test_arguments_that_mean_nothing_are_refused():
    with pytest.raises(ValueError, match="budget must be at least 1, but is 0"):
        best_set([1.0], budget=0, rng=seeded())
    with pytest.raises(ValueError, match=r"barred has the shape \(2,\), but there are 1 workers"):
        best_set([1.0], budget=1, rng=seeded(), barred=[True, False])
    with pytest.raises(ValueError, match="scores has the shape"):
        best_set([[1.0]], budget=1, rng=seeded())
    with pytest.raises(ValueError, match="estimator must be 'unbiased' or 'plug-in', but is 'x'"):
        best_workers([1], [2], n_classes=2, budget=1, rng=seeded(), estimator="x")
