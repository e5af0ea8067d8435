"""Who can tell of a worker."""

from __future__ import annotations

import numpy as np
import pytest

from selection.algorithms.workers import peers as module
from selection.algorithms.workers.peers import WorkerAnswers, find_peers
from tests.selection.algorithms.crowds import always, answered, evenly


def peers_of(found, worker):
    of = found.answers.worker
    mine = found.is_peer & (of[found.mine] == worker)
    return set(of[found.theirs[mine]].tolist())


def test_two_who_agree_are_peers_of_the_third_and_of_nobody_else():
    answers = answered(
        np.random.default_rng(0), workers=3, each=30, redundancy=3, spam={0: always(1)}
    )
    found = find_peers(answers, np.random.default_rng(0))
    assert found.agrees.tolist() == [False, True, True]
    assert peers_of(found, 0) == {1, 2}
    # Each of the two would have only the spammer to confirm the other.
    assert peers_of(found, 1) == peers_of(found, 2) == set()


def test_where_two_of_three_answer_blindly_nobody_can_tell_of_anybody():
    for spam in ({0: always(1), 1: always(2)}, {0: always(1), 1: always(1)}):
        answers = answered(np.random.default_rng(1), workers=3, each=60, redundancy=3, spam=spam)
        assert not find_peers(answers, np.random.default_rng(0)).is_peer.any()


def test_those_who_guess_are_hardly_ever_peers():
    blind, honest = 0, 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        spam = {i: evenly() for i in range(6)}
        answers = answered(rng, workers=12, each=50, redundancy=3, spam=spam)
        agrees = find_peers(answers, rng).agrees
        blind, honest = blind + agrees[:6].sum(), honest + agrees[6:].sum()
    assert honest >= 0.95 * 120
    assert blind <= 0.05 * honest + 3


def test_agreement_beyond_chance_sums_to_cohens_kappa():
    rng = np.random.default_rng(2)
    mine, theirs = rng.integers(3, size=40), rng.integers(3, size=40)
    theirs[:25] = mine[:25]
    both = np.concatenate([mine, theirs])
    answers = WorkerAnswers.of_classes(np.repeat([0, 1], 40), np.tile(np.arange(40), 2), both, 2, 3)
    found = find_peers(answers, rng)
    observed = (mine == theirs).mean()
    expected = (np.bincount(mine) * np.bincount(theirs)).sum() / 40**2
    kappa = (observed - expected) / (1 - expected)
    assert found.value.sum() / found.most.sum() == pytest.approx(kappa)


def test_parts_that_one_of_two_did_not_judge_say_nothing():
    labels = np.array([[0, 1, -1], [0, -1, 1]])
    answers = WorkerAnswers(np.array([0, 1]), np.array([0, 0]), np.array([0, 1]), labels, 2, 2)
    found = find_peers(answers, np.random.default_rng(0))
    usual = answers.shares()
    np.testing.assert_allclose(usual, [[0.5, 0.5], [0.5, 0.5]])
    assert found.value.tolist() == pytest.approx([0.5, 0.5])  # 1 - .5 - .5 + .5
    assert found.most.tolist() == pytest.approx([0.5, 0.5])


def test_a_task_with_very_many_answers_is_divided_by_lot(monkeypatch):
    monkeypatch.setattr(module, "MOST_PAIRS", 0)  # groups of 8
    answers = WorkerAnswers.of_classes(
        np.arange(100), np.zeros(100, int), np.zeros(100, int), 100, 2
    )
    found = find_peers(answers, np.random.default_rng(3))
    met = np.bincount(found.mine, minlength=100)
    assert met.min() >= 6
    assert met.max() <= 7
    assert len(found.mine) <= 100 * 7
    pairs = set(zip(found.mine.tolist(), found.theirs.tolist(), strict=True))
    assert {(b, a) for a, b in pairs} == pairs


def test_nobody_and_one_alone_have_no_peers():
    nobody = WorkerAnswers.of_classes([], [], [], 0, 1)
    assert not len(find_peers(nobody, np.random.default_rng(0)).mine)
    alone = WorkerAnswers.of_classes([0, 0], [0, 1], [0, 1], 1, 2)
    assert find_peers(alone, np.random.default_rng(0)).agrees.tolist() == [False]
