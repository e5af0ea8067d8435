from itertools import combinations

import numpy as np
import pytest
from scipy import sparse

from selection.algorithms.items.coverage import cover, value_of
from selection.algorithms.items.pairs import SCANS, SparsePairs, TablePairs
from tests.selection.algorithms.items.made import as_sparse, naive_cover, table


def chosen(found):
    return list(zip(found.items.tolist(), found.gain.tolist(), strict=True))


def test_it_works():
    pairs = TablePairs([[0, 0, 1, 2], [0, 1, 1, 0]], [3, 2])
    found = cover(pairs, budget=3, times=1)
    assert chosen(found) == [(0, 2), (2, 2), (3, 1)]
    assert found.complete
    assert found.cost == 3


@pytest.mark.parametrize("form", ["index", "level"])
@pytest.mark.parametrize("rounds", [False, True])
@pytest.mark.parametrize("kind", [table, lambda rng: as_sparse(table(rng))])
def test_it_chooses_item_by_item_what_plain_greedy_chooses(form, rounds, kind):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        pairs = kind(rng)
        times = 1 + seed % 3
        labelled = rng.choice(pairs.n_items, seed % 5, replace=False)
        for budget in (1, 7, 30):
            found = cover(
                pairs, budget=budget, times=times, rounds=rounds, labelled=labelled, form=form
            )
            assert chosen(found) == naive_cover(pairs, budget, times, rounds, labelled)
            assert not set(labelled) & set(found.items)


@pytest.mark.parametrize("form", ["index", "level"])
def test_ties_are_settled_by_lot_where_a_source_of_lots_is_given(form):
    pairs = table(np.random.default_rng(0), n_items=40, size=3)
    order = np.random.default_rng(5).permutation(40)
    found = cover(pairs, budget=9, form=form, rng=np.random.default_rng(5))
    assert chosen(found) == naive_cover(pairs, 9, order=order.tolist())
    assert found.items.tolist() != cover(pairs, budget=9, form=form).items.tolist()


@pytest.mark.parametrize("form", ["index", "level"])
@pytest.mark.parametrize("rounds", [False, True])
def test_in_parts_it_chooses_what_it_chooses_at_once(form, rounds):
    pairs = table(np.random.default_rng(3), n_items=60, size=5)
    settings = {"times": 3, "rounds": rounds, "form": form}
    whole = cover(pairs, budget=60, **settings).items
    parts = np.zeros(0, dtype=int)
    for number in (1, 4, 9, 60):
        more = cover(pairs, budget=number, labelled=parts, **settings).items
        parts = np.concatenate([parts, more])
    assert parts.tolist() == whole.tolist()


def test_rounds_and_at_once_are_different_sets():
    pairs = table(np.random.default_rng(1), n_items=60, size=6)
    at_once, in_rounds = (cover(pairs, budget=20, rounds=rounds).items for rounds in (False, True))
    assert set(at_once) != set(in_rounds)


def test_it_ends_when_each_pair_is_held_often_enough_or_by_all_its_holders():
    pairs = table(np.random.default_rng(2), n_items=50, size=5)
    for rounds in (False, True):
        found = cover(pairs, budget=50, times=2, rounds=rounds)
        assert found.complete
        assert len(found.items) < 50
        held, all_ = pairs.counts(found.items), pairs.counts(np.arange(50))
        assert (held >= np.minimum(2, all_)).all()
    assert not cover(pairs, budget=3).complete


def test_only_what_is_free_is_chosen():
    pairs = table(np.random.default_rng(2))
    found = cover(pairs, budget=30, unlabelled=[3, 5, 9], labelled=[5])
    assert sorted(found.items) == [3, 9]


def test_the_greedy_choice_is_within_its_bound_of_the_best():
    for seed in range(25):
        pairs = table(np.random.default_rng(seed), n_items=9, n_attributes=3, size=4)
        for budget in (2, 3, 4):
            best = max(value_of(pairs, s, 2) for s in combinations(range(9), budget))
            found = cover(pairs, budget=budget)
            assert value_of(pairs, found.items, 2) == found.gain.sum()
            assert found.gain.sum() >= (1 - 1 / np.e) * best


def test_with_costs_it_is_within_half_the_bound_and_in_the_budget():
    for seed in range(25):
        rng = np.random.default_rng(seed)
        pairs = table(rng, n_items=8, n_attributes=3, size=4)
        cost = rng.integers(1, 9, size=8)
        sets = [s for size in range(1, 9) for s in combinations(range(8), size)]
        best = max(value_of(pairs, s, 2) for s in sets if cost[list(s)].sum() <= 10)
        found = cover(pairs, budget=10, cost=cost)
        assert found.cost == cost[found.items].sum() <= 10
        assert found.gain.sum() >= (1 - 1 / np.e) / 2 * best


def test_with_costs_gain_per_cost_counts():
    rng = np.random.default_rng(4)
    pairs = table(rng, n_items=40)
    cost = rng.choice([1.0, 2.0, 4.0], size=40)
    found = cover(pairs, budget=25, cost=cost)
    assert chosen(found) == naive_cover(pairs, 25, cost=cost)


def test_one_item_that_is_worth_more_than_all_cheap_ones_comes_first():
    pairs = SparsePairs([[1, 0, 0, 0, 0], [0, 1, 1, 1, 1], [0, 0, 0, 0, 0]])
    found = cover(pairs, budget=10, times=1, cost=[1, 10, 1])
    assert found.items.tolist() == [1]


def test_costs_that_are_no_whole_numbers_use_up_the_budget():
    pairs = SparsePairs(np.eye(10))
    assert len(cover(pairs, budget=1, cost=[0.1] * 10).items) == 10


def test_values_beyond_so_many_of_an_attribute_are_found_by_an_index():
    rng = np.random.default_rng(0)
    pairs = table(rng, n_items=400, n_attributes=2, size=3 * SCANS)
    found = cover(pairs, budget=400, times=1)
    assert pairs._index
    assert chosen(found) == naive_cover(pairs, 400, 1)


def test_weights_of_a_sparse_matrix_say_nothing_and_its_zeros_are_no_pairs():
    matrix = sparse.csr_array([[3.0, 0, 1], [0, 2, 0]])
    matrix.data[1] = 0
    pairs = SparsePairs(matrix)
    assert pairs.degrees().tolist() == [1, 1]
    assert matrix.nnz == 3


@pytest.mark.parametrize("pairs", [SparsePairs(np.zeros((3, 2))), TablePairs([[0, 0, 0]], [0])])
def test_items_that_hold_nothing_are_not_chosen(pairs):
    for form in ("index", "level"):
        found = cover(pairs, budget=2, form=form)
        assert not len(found.items)
        assert found.complete


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"budget": -1}, "budget must be 0 or more, but is -1"),
        ({"budget": float("nan")}, "budget must be 0 or more, but is nan"),
        ({"budget": 1, "times": 0}, "times must be at least 1, but is 0"),
        ({"budget": 1, "form": "fast"}, "form must be 'index' or 'level', but is 'fast'"),
        ({"budget": 1, "cost": [1, 0, 1]}, "costs must be above 0, but item 1 has 0"),
        ({"budget": 1, "cost": [1]}, r"cost has the shape \(1,\), but there are 3 items"),
        ({"budget": 1, "cost": [1, 1, 2], "form": "level"}, "form must be 'index' where"),
    ],
)
def test_wrong_settings_are_named(settings, words):
    with pytest.raises(ValueError, match=words):
        cover(SparsePairs(np.eye(3)), **settings)


def test_codes_outside_their_size_are_named():
    with pytest.raises(ValueError, match="codes run from 0 to 3, but must be from 0 to 2"):
        TablePairs([[0, 3]], [2])
