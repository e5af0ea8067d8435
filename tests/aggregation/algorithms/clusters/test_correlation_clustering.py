from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from aggregation.algorithms.clusters.correlation_clustering import (
    best_partitions,
    correlation_clusters,
    numbered_by_first,
    objective_of,
)


def partitions(n: int) -> Iterator[list[int]]:
    """All of them, as restricted growth strings: 877 of 7 items."""

    def grown(prefix: list[int]) -> Iterator[list[int]]:
        if len(prefix) == n:
            yield prefix
            return
        for c in range(max(prefix, default=-1) + 2):
            yield from grown([*prefix, c])

    return grown([])


def pairs_of(n: int) -> tuple[np.ndarray, np.ndarray]:
    pairs = np.array(list(itertools.combinations(range(n), 2))).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def planted(n: int, size: int, flips: float, seed: int) -> tuple[np.ndarray, ...]:
    """Every pair of n items, +-1 by clusters of `size`, some with the sign changed."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n) // size
    first, second = pairs_of(n)
    sign = np.where(truth[first] == truth[second], 1.0, -1.0)
    weight = sign * rng.uniform(0.5, 1.5, len(first))
    weight[rng.random(len(first)) < flips] *= -1
    return truth, first, second, weight


@pytest.mark.parametrize("seed", range(12))
def test_small_parts_reach_the_best_of_all_partitions(seed):
    rng = np.random.default_rng(seed)
    n = 3 + seed % 5
    first, second = pairs_of(n)
    kept = rng.random(len(first)) < 0.8
    first, second = first[kept], second[kept]
    weight = rng.normal(0.2, 1.0, len(first))

    found = correlation_clusters(first, second, weight, n)

    best = max(objective_of(np.array(p), first, second, weight) for p in partitions(n))
    assert objective_of(found, first, second, weight) == pytest.approx(best, abs=1e-5)


def test_tables_are_solved_by_the_batch_as_one_by_one():
    rng = np.random.default_rng(5)
    tables = rng.normal(0.0, 1.0, (40, 6, 6))
    tables = np.triu(tables, 1) + np.triu(tables, 1).transpose(0, 2, 1)

    together = best_partitions(tables)

    for table, one in zip(tables, together, strict=True):
        assert (best_partitions(table[None])[0] == one).all()
        first, second = pairs_of(6)
        weight = table[first, second]
        best = max(objective_of(np.array(p), first, second, weight) for p in partitions(6))
        assert objective_of(one, first, second, weight) == pytest.approx(best)


@pytest.mark.parametrize("seed", range(4))
def test_local_search_comes_near_to_the_exact_answer(seed):
    _, first, second, weight = planted(12, 4, 0.2, seed)

    exact = correlation_clusters(first, second, weight, 12)
    searched = correlation_clusters(first, second, weight, 12, exact=1, starts=8)

    reached = objective_of(searched, first, second, weight)
    assert reached >= 0.98 * objective_of(exact, first, second, weight)


def test_large_planted_clusters_are_found_again():
    truth, first, second, weight = planted(240, 20, 0.15, 1)

    found = correlation_clusters(first, second, weight, 240)

    assert (found == truth).all()


def test_whole_clusters_are_joined_where_no_single_item_would_move():
    # Two cliques of 20 that ten weak pairs tie together: an item alone loses by going over.
    first, second = pairs_of(40)
    across = (first < 20) & (second >= 20)
    weight = np.where(across, np.where(second - first == 20, 2.0, -0.05), 5.0)
    weight[0] = -1.0  # not a part without a negative pair

    found = correlation_clusters(first, second, weight, 40)

    assert (found == 0).all()


def test_same_seed_gives_the_same_clusters_whatever_the_order_of_the_pairs():
    _, first, second, weight = planted(60, 6, 0.3, 2)
    order = np.random.default_rng(0).permutation(len(first))

    once = correlation_clusters(first, second, weight, 60, seed=3)
    again = correlation_clusters(second[order], first[order], weight[order], 60, seed=3)

    assert (once == again).all()


def test_many_parts_take_little_time_and_do_not_mix():
    n, size = 20_000, 5
    rng = np.random.default_rng(0)
    one, other = pairs_of(size)
    base = np.arange(0, n, size)[:, None]
    first, second = (base + one).ravel(), (base + other).ravel()
    weight = rng.normal(0.5, 1.0, len(first))

    found = correlation_clusters(first, second, weight, n)

    assert (np.diff(np.sort(found)) <= 1).all()
    part = np.arange(n) // size
    lowest = np.full(found.max() + 1, n)
    np.minimum.at(lowest, found, part)
    assert (lowest[found] == part).all()
    k = 1_234
    mine = slice(k * len(one), (k + 1) * len(one))
    alone = correlation_clusters(one, other, weight[mine], size)
    assert (numbered_by_first(found[k * size : (k + 1) * size]) == alone).all()


def test_level_votes_leave_items_apart():
    assert correlation_clusters([0, 1], [1, 2], [0.0, 1.0], 3).tolist() == [0, 1, 1]


def test_pairs_without_a_weight_are_together_where_others_join_them():
    assert correlation_clusters([0, 1], [1, 2], [1.0, 1.0], 4).tolist() == [0, 0, 0, 1]


def test_nothing_and_items_without_pairs():
    assert correlation_clusters([], [], [], 0).tolist() == []
    assert correlation_clusters([], [], [], 3).tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0], [1], [1.0, 2.0], 2), {}, "must be alike"),
        (([0], [2], [1.0], 2), {}, "items must be 0 to 1"),
        (([1], [1], [1.0], 2), {}, "item 1 is paired with itself"),
        (([0], [1], [np.nan], 2), {}, "NaN"),
        (([0, 1], [1, 0], [1.0, 1.0], 2), {}, "given once"),
        (([], [], [], 0), {"exact": 17}, "exact must be from 1 to 16"),
        (([], [], [], 0), {"starts": 0}, "starts must be at least 1"),
    ],
)
def test_wrong_input_is_named(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        correlation_clusters(*arguments, **options)
