from __future__ import annotations

import numpy as np
import pytest

from aggregation.algorithms import calibration_of
from aggregation.algorithms.clusters.crowd_clusters import CorrelationClustering, CrowdClusters
from aggregation.algorithms.measures.cluster_scores import score_clusters
from tests.aggregation.algorithms.piling import piled


def crowd(*answers: tuple[int, dict[int, int]], n_items: int, n_workers: int = 3) -> CrowdClusters:
    """Answers as (worker, item → pile)."""
    rows = [(a, item, pile) for a, (_, piles) in enumerate(answers) for item, pile in piles.items()]
    answer, item, pile = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    worker = [w for w, _ in answers]
    return CrowdClusters(answer, item, pile, worker=worker, n_items=n_items, n_workers=n_workers)


def test_votes_are_the_pairs_of_each_answer():
    data = crowd((0, {0: 0, 2: 0, 3: 1}), (1, {3: 5, 2: 5}), n_items=4)

    votes = data.votes()

    assert list(zip(votes.first, votes.second, strict=True)) == [(0, 2), (0, 3), (2, 3)]
    said = zip(votes.pair.tolist(), votes.worker.tolist(), votes.label.tolist(), strict=True)
    assert sorted(said) == [(0, 0, 1), (1, 0, 0), (2, 0, 0), (2, 1, 1)]


def test_unsure_items_make_no_pairs():
    data = crowd((0, {0: -1, 1: -1, 2: 0}), n_items=3)

    assert data.votes().n_pairs == 0
    assert data.judged().tolist() == [False, False, True]


def test_majority_of_each_pair_by_hand():
    # Two of three put 0 with 1, and all keep 2 apart.
    data = crowd(
        (0, {0: 0, 1: 0, 2: 1}), (1, {0: 0, 1: 0, 2: 1}), (2, {0: 0, 1: 1, 2: 2}), n_items=4
    )

    fitted = CorrelationClustering(weights="votes").fit(data)

    assert fitted.predict().tolist() == [0, 0, 1, 2]
    assert fitted.weight_.tolist() == [1.0, -3.0, -3.0]
    assert fitted.same_ == pytest.approx(1 / (1 + np.exp([-1.0, 3.0, 3.0])))
    # Item 0: with 1 e^1, with 2 e^-3, alone 1.
    assert fitted.confidence_[0] == pytest.approx(np.e / (1 + np.e + np.exp(-3)))
    # Item 2 was compared with the cluster of 0 and 1, each worker once: -3.
    assert fitted.confidence_[2] == pytest.approx(1 / (1 + np.exp(-3)))
    assert np.isnan(fitted.confidence_[3])


def test_overlapping_blocks_are_joined():
    # Nobody saw 0 beside 4; the blocks share item 2.
    one, two = {0: 0, 1: 0, 2: 0}, {2: 7, 3: 7, 4: 7}
    data = crowd(*((w, piles) for w in range(3) for piles in (one, two)), n_items=5)

    assert CorrelationClustering().fit(data).predict().tolist() == [0] * 5


def test_who_contradicts_themselves_counts_for_nothing():
    same, apart = {0: 0, 1: 0}, {0: 0, 1: 1}
    data = crowd((0, same), (0, apart), (1, same), n_items=2)

    fitted = CorrelationClustering(weights="votes").fit(data)

    assert fitted.weight_.tolist() == [1.0]


def test_who_judges_a_pair_often_has_one_vote():
    same, apart = {0: 0, 1: 0}, {0: 0, 1: 1}
    data = crowd((0, same), (0, same), (0, same), (1, apart), (2, apart), n_items=2)

    fitted = CorrelationClustering(weights="votes").fit(data)

    assert fitted.predict().tolist() == [0, 1]


@pytest.mark.parametrize("weights", ["votes", "one-coin", "two-coin"])
@pytest.mark.parametrize(
    "data",
    [
        crowd(n_items=0, n_workers=0),
        crowd(n_items=3),
        crowd((0, {0: -1, 1: -1}), n_items=2),
        crowd((0, {0: 0}), n_items=1, n_workers=1),
        crowd((0, {0: 0, 1: 1}), n_items=2),
        crowd((0, {0: 0, 1: 0}), (1, {0: 0, 1: 1}), n_items=2),
    ],
    ids=["empty", "no answer", "all unsure", "one item", "one worker", "contradiction"],
)
def test_little_is_enough(weights, data):
    fitted = CorrelationClustering(weights=weights).fit(data)

    assert len(fitted.predict()) == len(fitted.confidence_) == data.n_items
    assert np.isfinite(fitted.weight_).all()
    assert len(fitted.reliability_.accuracy) == data.n_workers


def test_two_coins_find_more_than_votes_and_are_calibrated():
    crowds = [piled(seed=seed, redundancy=3) for seed in range(3)]
    f1 = {"votes": [], "two-coin": []}
    sure, right = [], []
    for weights in f1:
        for one in crowds:
            fitted = CorrelationClustering(weights=weights).fit(one.data)
            f1[weights].append(score_clusters(fitted.cluster_, one.truth).pairwise.f1)
            if weights == "two-coin":
                sure.append(fitted.confidence_)
                right.append(_belongs(fitted.cluster_, one.truth))

    assert np.mean(f1["two-coin"]) > np.mean(f1["votes"]) + 0.03
    assert calibration_of(np.concatenate(sure), np.concatenate(right)).error < 0.05


def _belongs(cluster: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Whether most of the others in an item's cluster are the same thing as it; of one alone,
    whether it is."""
    right = np.zeros(len(cluster), dtype=bool)
    for i in range(len(cluster)):
        others = np.flatnonzero((cluster == cluster[i]) & (np.arange(len(cluster)) != i))
        if len(others):
            right[i] = (truth[others] == truth[i]).mean() > 0.5
        else:
            right[i] = (truth == truth[i]).sum() == 1
    return right


def test_learnt_accuracies_are_those_of_the_simulation():
    crowd_of = piled(n_blocks=150, redundancy=5, seed=4)
    found = CorrelationClustering().fit(crowd_of.data).reliability_
    votes = crowd_of.data.votes()
    is_same = crowd_of.truth[votes.first] == crowd_of.truth[votes.second]

    for name, truth, label in (("same", True, 1), ("different", False, 0)):
        asked = is_same[votes.pair] == truth
        n = np.bincount(votes.worker[asked])
        said = np.bincount(votes.worker[asked], votes.label[asked] == label) / n
        assert found.parameters[name] == pytest.approx(said, abs=0.06)


def test_what_was_learnt_judges_the_same_answers_alike():
    crowd_of = piled(n_blocks=20, seed=3)
    fitted = CorrelationClustering().fit(crowd_of.data)
    known = fitted.reliability_.parameters

    again = CorrelationClustering().judge(crowd_of.data, prevalence=fitted.prevalence_, **known)

    assert (again.cluster_ == fitted.cluster_).all()
    assert again.confidence_ == pytest.approx(fitted.confidence_)


def test_who_was_not_known_is_believed_as_nobody_in_particular():
    data = crowd((0, {0: 0, 1: 0}), n_items=2, n_workers=1)
    nobody = [np.nan]
    judged = CorrelationClustering().judge(data, prevalence=0.5, same=nobody, different=nobody)
    assert judged.weight_ == pytest.approx([np.log(2)])


def test_numbering_of_items_and_workers_does_not_matter():
    one = piled(n_blocks=10, seed=2)
    rng = np.random.default_rng(0)
    item, worker = rng.permutation(one.data.n_items), rng.permutation(one.data.n_workers)
    turned = CrowdClusters(
        one.data.answer,
        item[one.data.item],
        one.data.pile,
        worker=worker[one.data.worker],
        n_items=one.data.n_items,
        n_workers=one.data.n_workers,
    )

    plain = CorrelationClustering(exact=16).fit(one.data)
    other = CorrelationClustering(exact=16).fit(turned)

    scores = score_clusters(other.cluster_[item], plain.cluster_)
    assert scores.b_cubed.f1 == 1.0
    assert other.confidence_[item] == pytest.approx(plain.confidence_, nan_ok=True)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([0, 0], [0, 0], [0, 1]), "answer 0 holds item 0 twice"),
        (([0], [5], [0]), "item must be 0 to 1"),
        (([1], [0], [0]), "answer must be 0 to 0"),
        (([0], [0], [-2]), "pile must be -1 or more"),
        (([0], [0], [0, 1]), "1, 1 and 2 entries"),
        (([0], [0], [0.5]), "pile must hold whole numbers"),
        (([[0]], [0], [0]), "answer must have one dimension"),
    ],
)
def test_wrong_input_is_named(columns, message):
    with pytest.raises(ValueError, match=message):
        CrowdClusters(*columns, worker=[0], n_items=2, n_workers=1)


def test_wrong_setting_is_named():
    with pytest.raises(ValueError, match="weights must be"):
        CorrelationClustering(weights="equal")
    with pytest.raises(ValueError, match="exact must be"):
        CorrelationClustering(exact=0)
