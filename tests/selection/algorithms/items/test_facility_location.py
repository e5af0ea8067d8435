from itertools import combinations

import numpy as np
import pytest
from scipy import sparse

from selection.algorithms.items import facility_location
from selection.algorithms.items.facility_location import Facilities, locate, targets_of


def units(n, seed=0, d=3):
    rows = np.random.default_rng(seed).normal(size=(n, d))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def near(rows):
    return np.maximum(rows @ rows.T, 0)


def value(similar, items):
    return similar[list(items)].max(axis=0).sum()


def naive(similar, budget, cost, free, before=()):
    best = similar[list(before)].max(axis=0, initial=0)
    chosen, free = [], list(free)
    while fits := [i for i in free if cost[i] <= budget]:
        gains = [round(np.maximum(similar[i] - best, 0).sum(), 10) for i in fits]
        item = fits[int(np.argmax(np.array(gains) / cost[fits]))]
        chosen.append(item)
        free.remove(item)
        budget -= cost[item]
        best = np.maximum(best, similar[item])
    return chosen


def located(rows, budget, cost=None, free=None, before=()):
    n = rows.shape[0]
    served = Facilities(rows, np.arange(n))
    served.take(np.array(before, dtype=int))
    cost = np.ones(n) if cost is None else np.asarray(cost, dtype=float)
    return locate(served, np.arange(n) if free is None else np.array(free), budget, cost)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_it_chooses_item_by_item_what_plain_greedy_chooses(form):
    for seed in range(8):
        rows = units(80, seed)
        found = located(form(rows), 25)
        assert found.items.tolist() == naive(near(rows), 25, np.ones(80), range(80))
        assert found.gain.sum() == pytest.approx(value(near(rows), found.items), abs=1e-8)
        assert (np.diff(found.gain) <= 1e-9).all()


def test_what_is_labelled_serves_already_and_only_what_is_free_is_chosen():
    rows = units(60, 3)
    free = [i for i in range(5, 60) if i % 3]
    found = located(rows, 12, free=free, before=[0, 1, 2])
    assert found.items.tolist() == naive(near(rows), 12, np.ones(60), free, [0, 1, 2])


def test_with_costs_gain_per_cost_counts():
    rows = units(60, 4)
    cost = np.random.default_rng(0).choice([1.0, 2.0, 4.0], size=60)
    found = located(rows, 20, cost)
    assert found.items.tolist() == naive(near(rows), 20, cost, range(60))
    assert cost[found.items].sum() <= 20


def test_it_is_within_its_bounds_of_the_best():
    for seed in range(20):
        rows = units(9, seed)
        similar = near(rows)
        best = max(value(similar, s) for s in combinations(range(9), 3))
        assert value(similar, located(rows, 3).items) >= (1 - 1 / np.e) * best
        cost = np.random.default_rng(seed).integers(1, 8, size=9)
        sets = [s for size in range(1, 9) for s in combinations(range(9), size)]
        best = max(value(similar, s) for s in sets if cost[list(s)].sum() <= 9)
        found = located(rows, 9, cost)
        assert value(similar, found.items) >= (1 - 1 / np.e) / 2 * best


def test_one_item_that_is_worth_more_than_all_cheap_ones_comes_first():
    rows = np.vstack([np.tile([0.0, 1.0, 0.0], (9, 1)), [[1.0, 0.0, 0.0]]])
    cost = [10.0] * 9 + [1.0]
    assert located(rows, 10, cost).items.tolist() == [0]


def test_equal_items_are_chosen_by_number_and_nothing_is_dear_beyond_the_budget():
    assert located(np.tile([[1.0, 0.0]], (5, 1)), 2).items.tolist() == [0, 1]
    assert not len(located(units(5), 2, [3.0] * 5).items)


def test_many_items_serve_a_sample_and_few_serve_all(monkeypatch):
    rng = np.random.default_rng(0)
    assert targets_of(np.arange(100), rng).tolist() == list(range(100))
    monkeypatch.setattr(facility_location, "EXACT", 99)
    monkeypatch.setattr(facility_location, "SAMPLE", 40)
    some = targets_of(np.arange(100), rng)
    assert len(some) == 40
    assert (np.diff(some) > 0).all()


def test_a_sample_serves_nearly_as_well_as_all():
    rows = units(1_500, 6, d=4)
    similar = near(rows)
    served = Facilities(rows, np.sort(np.random.default_rng(0).choice(1_500, 400, replace=False)))
    some = locate(served, np.arange(1_500), 20, np.ones(1_500)).items
    assert value(similar, some) > 0.98 * value(similar, located(rows, 20).items)
