"""Worked examples of the papers, and brute force over sets."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from aggregation.algorithms.clusters.crowd_clusters import CrowdClusters
from aggregation.algorithms.measures.cluster_scores import (
    COUNTED,
    METRICS,
    cluster_counts,
    cluster_shares,
    pair_alpha,
    pairwise_cluster_f1,
    score_clusters,
)
from tests.aggregation.algorithms.piling import piled

# Bagga and Baldwin (1998), and Luo (2005), figure 1: entities of 5, 2 and 5 mentions.
TRUTH = [0] * 5 + [1] * 2 + [2] * 5
LUO = {
    "a": [0] * 5 + [1] * 7,
    "b": [0] * 5 + [1] * 2 + [0] * 5,
    "c": [0] * 12,
    "d": list(range(12)),
}


@pytest.mark.parametrize(
    ("response", "precision", "recall"),
    [("a", 9 / 10, 1), ("b", 9 / 10, 1), ("c", 9 / 11, 1)],
)
def test_muc_of_bagga_and_baldwin(response, precision, recall):
    found = score_clusters(LUO[response], TRUTH).muc
    assert found[:2] == pytest.approx((precision, recall))


@pytest.mark.parametrize(
    ("response", "precision", "recall"),
    [("a", 16 / 21, 1), ("b", 7 / 12, 1), ("c", 3 / 8, 1), ("d", 1, 1 / 4)],
)
def test_b_cubed_of_bagga_and_baldwin(response, precision, recall):
    """Printed as 76.2 % and 58.3 % for the first two."""
    found = score_clusters(LUO[response], TRUTH).b_cubed
    assert found[:2] == pytest.approx((precision, recall))


@pytest.mark.parametrize(
    ("response", "f1"), [("a", 0.733), ("b", 0.667), ("c", 0.294), ("d", 0.178)]
)
def test_ceaf_e_of_luo(response, f1):
    assert score_clusters(LUO[response], TRUTH).ceaf_e.f1 == pytest.approx(f1, abs=5e-4)


@pytest.mark.parametrize(("response", "right"), [("a", 10), ("b", 7), ("c", 5), ("d", 3)])
def test_ceaf_m_of_luo(response, right):
    """Printed as .833, .583, .417 and .250."""
    assert score_clusters(LUO[response], TRUTH).ceaf_m == pytest.approx((right / 12,) * 3)


def test_blanc_by_hand():
    """Of 66 pairs 21 are the same, which the response (b) says of 46, right of all of them."""
    found = score_clusters(LUO["b"], TRUTH).blanc
    together, apart = 2 * 21 / (21 + 46), 2 * 20 / (45 + 20)
    assert found.recall == pytest.approx((1 + 20 / 45) / 2)
    assert found.precision == pytest.approx((21 / 46 + 1) / 2)
    assert found.f1 == pytest.approx((together + apart) / 2)


def test_blanc_where_there_is_one_kind_of_pair_alone():
    assert score_clusters([0, 1, 2], [0, 1, 2]).blanc == (1, 1, 1)  # no two are the same
    assert score_clusters([0, 0, 0], [0, 0, 0]).blanc == (1, 1, 1)  # no two are different
    assert score_clusters([0, 0, 0], [0, 1, 2]).blanc == (0, 0, 0)
    assert np.isnan(score_clusters([0], [0]).blanc.f1)


def test_conll_is_the_mean_of_three():
    found = score_clusters(LUO["a"], TRUTH)
    assert found.conll.f1 == pytest.approx(
        (2 * 0.9 / 1.9 + 2 * (16 / 21) / (16 / 21 + 1) + 11 / 15) / 3
    )
    assert np.isnan(score_clusters([0, 1], [0, 1]).conll.f1)  # as MUC is, where all are alone


def test_lea_of_moosavi_and_strube():
    # Key {a b c} {d e f g}; response {a b} {c d} {f g h i}: e is missed, h and i are too much.
    #         a  b  c  d  e   f  g  h   i
    gold = [0, 0, 0, 1, 1, 1, 1, -1, -1]
    found = [0, 0, 1, 1, -1, 2, 2, 2, 2]

    lea = score_clusters(found, gold).lea

    assert lea.recall == pytest.approx((3 * 1 / 3 + 4 * 1 / 6) / 7)  # .24 in the paper
    assert lea.precision == pytest.approx((2 * 1 + 2 * 0 + 4 * 1 / 6) / 8)


def test_lea_of_items_alone():
    lea = score_clusters([0, 1, 1], [0, 1, 2]).lea
    assert lea == pytest.approx((1 / 3, 1 / 3, 1 / 3))


def test_muc_of_vilain():
    """Key {a b c d} by three links, response {a b} {c d}: recall 2 / 3."""
    muc = score_clusters([0, 0, 1, 1], [0, 0, 0, 0]).muc
    assert muc[:2] == pytest.approx((1.0, 2 / 3))


# --- Brute force ----------------------------------------------------------------------------------


def sets_of(numbers: np.ndarray) -> list[set[int]]:
    return [set(np.flatnonzero(numbers == c).tolist()) for c in np.unique(numbers[numbers >= 0])]


def pairs(n: int) -> int:
    return n * (n - 1) // 2


def one_side(ours: list[set[int]], theirs: list[set[int]]) -> dict[str, tuple[float, float]]:
    def linked(k: set[int]) -> float:
        if len(k) == 1:
            return float(k in theirs)
        return sum(pairs(len(k & r)) for r in theirs) / pairs(len(k))

    def pieces(k: set[int]) -> int:
        hit = [r for r in theirs if k & r]
        return len(hit) + len(k - set().union(*hit))

    def best(alike) -> float:
        short, long = sorted((ours, theirs), key=len)
        return max(
            sum(alike(a, b) for a, b in zip(short, chosen, strict=True))
            for chosen in itertools.permutations(long, len(short))
        )

    (joined, cut), (theirs_joined, theirs_cut) = (links_of(side) for side in (ours, theirs))
    return {
        "pairwise": (len(joined & theirs_joined), len(joined)),
        "apart": (len(cut & theirs_cut), len(cut)),
        "b_cubed": (
            sum(len(k & r) / len(k) for k in ours for x in k for r in theirs if x in r),
            sum(len(k) for k in ours),
        ),
        "ceaf_e": (best(lambda a, b: 2 * len(a & b) / (len(a) + len(b))), len(ours)),
        "ceaf_m": (best(lambda a, b: len(a & b)), sum(len(k) for k in ours)),
        "muc": (sum(len(k) - pieces(k) for k in ours), sum(len(k) - 1 for k in ours)),
        "lea": (sum(len(k) * linked(k) for k in ours), sum(len(k) for k in ours)),
    }


def links_of(clusters: list[set[int]]) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Pairs of items in one cluster, and in two."""
    of = {item: i for i, cluster in enumerate(clusters) for item in cluster}
    links = list(itertools.combinations(sorted(of), 2))
    joined = {(a, b) for a, b in links if of[a] == of[b]}
    return joined, set(links) - joined


@pytest.mark.parametrize("seed", range(25))
def test_all_scores_are_those_of_brute_force(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 12))
    found, gold = rng.integers(-1, 4, n), rng.integers(-1, 5, n)
    found[0] = gold[0] = 0

    counts = cluster_counts(found, gold)[0].reshape(len(COUNTED), 2, 2)

    sides = sets_of(found), sets_of(gold)
    for side, expected in enumerate((one_side(*sides), one_side(*reversed(sides)))):
        for metric, numbers in zip(COUNTED, counts[:, side], strict=True):
            assert numbers == pytest.approx(expected[metric]), (metric, side)
    scores = score_clusters(found, gold)
    for metric in set(COUNTED) & set(METRICS):
        for side, value in enumerate(getattr(scores, metric)[:2]):
            top, bottom = counts[COUNTED.index(metric), side]
            assert value == pytest.approx(top / bottom if bottom else np.nan, nan_ok=True), metric


def test_groups_add_up_and_do_not_mix():
    rng = np.random.default_rng(1)
    found, gold, group = rng.integers(-1, 3, 60), rng.integers(-1, 3, 60), np.arange(60) // 10

    counts = cluster_counts(found, gold, group)

    for g in range(6):
        mine = group == g
        assert counts[g] == pytest.approx(cluster_counts(found[mine], gold[mine])[0])
    apart = score_clusters(
        np.where(found < 0, -1, found + 10 * group), np.where(gold < 0, -1, gold + 10 * group)
    )
    assert cluster_shares(counts.sum(axis=0, keepdims=True))[0, 2] == pytest.approx(
        apart.pairwise.f1
    )


def test_the_same_partition_by_other_numbers_is_perfect():
    scores = score_clusters([5, 5, 900_000_000_000, 2], [1, 1, 0, 7])
    for metric in METRICS:
        assert getattr(scores, metric) == (1.0, 1.0, 1.0)


def test_a_share_of_nothing_is_none():
    alone = score_clusters([0, 1], [0, 1])
    assert np.isnan(alone.pairwise.f1)
    assert np.isnan(alone.muc.f1)
    assert alone.lea.f1 == alone.ceaf_e.f1 == alone.b_cubed.f1 == 1.0
    assert np.isnan(score_clusters([], []).b_cubed.f1)
    nothing_common = score_clusters([0, -1], [-1, 0])
    assert nothing_common.b_cubed == (0.0, 0.0, 0.0)
    assert score_clusters([0, 1], [0, 0]).pairwise.f1 == 0.0


@pytest.mark.parametrize(
    ("found", "gold", "message"),
    [
        ([0], [0, 1], "predicted has 1 items, but gold has 2"),
        ([-2], [0], "or -1, but one is -2"),
        ([0.5], [0], "whole numbers"),
    ],
)
def test_wrong_input_is_named(found, gold, message):
    with pytest.raises(ValueError, match=message):
        score_clusters(found, gold)


def test_many_clusters_are_scored_in_little_time():
    rng = np.random.default_rng(0)
    gold = np.arange(60_000) // 3
    found = np.where(rng.random(len(gold)) < 0.1, rng.integers(20_000, size=len(gold)), gold)

    scores = score_clusters(found, gold)

    assert 0.7 < scores.ceaf_e.f1 < 0.95


# --- Agreement ------------------------------------------------------------------------------------


def test_f1_between_workers_by_hand():
    # Items 0 to 2: one says {0 1 2}, two {0 1} {2}, three is unsure of 2 and says {0 1}.
    data = CrowdClusters(
        [0, 0, 0, 1, 1, 1, 2, 2, 2],
        [0, 1, 2] * 3,
        [0, 0, 0, 0, 0, 1, 0, 0, -1],
        worker=[0, 1, 2],
        n_items=3,
        n_workers=3,
    )

    found = pairwise_cluster_f1(data)

    # Pair (0, 1): 3 of 3; (0, 2) and (1, 2): 1 of 2. So (3*2 + 0 + 0) / (3*2 + 1 + 1).
    assert found.value == pytest.approx(6 / 8)
    assert (found.units, found.pairs) == (3, 5)


def test_alpha_of_pairs_by_hand():
    data = CrowdClusters(
        [0, 0, 0, 1, 1, 1],
        [0, 1, 2] * 2,
        [0, 0, 1, 0, 1, 2],
        worker=[0, 1],
        n_items=3,
        n_workers=2,
    )

    # Votes: same/different, different/different twice. D_o = 2/6; D_e = 2*1*5 / (6*5).
    assert pair_alpha(data).value == pytest.approx(1 - (2 / 6) / (10 / 30))


def test_two_answers_of_one_worker_are_not_compared():
    data = CrowdClusters(
        [0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 1], worker=[0, 0], n_items=2, n_workers=1
    )
    assert pairwise_cluster_f1(data).value is None
    assert pair_alpha(data).value is None


def test_intervals_draw_tasks_and_hold_the_value():
    crowd = piled(n_blocks=40, seed=1)

    for measure in (pairwise_cluster_f1, pair_alpha):
        found = measure(crowd.data, groups=crowd.task, replicates=300)
        assert found.low < found.value < found.high
        by_pair = measure(crowd.data, replicates=300)
        assert by_pair.high - by_pair.low < found.high - found.low
        assert measure(crowd.data, groups=crowd.task, replicates=300) == found


def test_agreement_of_nothing_is_none():
    data = CrowdClusters([], [], [], worker=[], n_items=0, n_workers=0)
    assert pairwise_cluster_f1(data).value is None
    assert pair_alpha(data).value is None
