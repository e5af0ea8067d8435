"""Guards tell of spammers, and of hardly anybody honest."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from aggregation.algorithms import CrowdLabels
from selection.algorithms.guards import (
    chance_agreement,
    check_questions,
    same_answer,
    spread_by_difficulty,
    too_fast,
)

WORKERS, UNITS = 30, 60


def crowd(rng, *, accuracy=0.8, classes=3, skew=None):
    """Every worker judges every unit; those in the first row of the result guess."""
    truth = rng.choice(classes, UNITS, p=skew)
    worker, unit = np.divmod(np.arange(WORKERS * UNITS), UNITS)
    right = rng.random(len(unit)) < accuracy
    other = (truth[unit] + rng.integers(1, classes, len(unit))) % classes
    return worker, unit, np.where(right, truth[unit], other)


def test_a_hasty_worker_is_told_of_and_a_quick_one_is_not():
    rng = np.random.default_rng(0)
    worker = np.repeat(np.arange(WORKERS), UNITS)
    words = rng.integers(20, 200, len(worker))
    seconds = 0.3 * (words + 10) * rng.lognormal(0, 0.4, len(worker))
    seconds[worker == 0] *= 0.05
    seconds[worker == 1] *= 0.5
    found = too_fast(worker, seconds, words, WORKERS)
    assert found.flagged.nonzero()[0].tolist() == [0]
    assert found.share[0] > 0.9
    few = too_fast(worker[:5], seconds[:5], words[:5], 1)
    assert not few.flagged.any()


def test_texts_of_different_length_are_no_haste():
    worker = np.repeat([0, 1, 2], 40)
    words = np.where(worker == 0, 5, 500)
    found = too_fast(worker, 0.2 * (words + 10), words, 3)
    assert not found.flagged.any()


def test_one_answer_throughout_is_told_of_unless_it_is_what_everybody_says():
    rng = np.random.default_rng(1)
    worker, _, said = crowd(rng)
    said[worker == 4] = 2
    found = same_answer(worker, said, WORKERS, 3)
    assert found.flagged.nonzero()[0].tolist() == [4]
    assert found.share[4] == 1
    _, _, skewed = crowd(rng, accuracy=0.97, skew=[0.97, 0.02, 0.01])
    skewed[worker == 4] = 0
    assert not same_answer(worker, skewed, WORKERS, 3).flagged.any()


def test_the_share_is_compared_by_the_exact_tail():
    worker = np.repeat([0, 1], [12, 88])
    said = np.concatenate([np.zeros(12, int), np.repeat([0, 1], 44)])
    found = same_answer(worker, said, 2, 2)
    assert found.usual[0] == pytest.approx(45 / 90)
    tail = binom.sf(11, 12, 0.5)
    assert found.flagged[0] == (tail < 0.005)


def test_guessing_is_told_of_whatever_the_classes_shares():
    rng = np.random.default_rng(2)
    worker, unit, said = crowd(rng, skew=[0.8, 0.1, 0.1])
    said[worker == 7] = rng.choice(3, UNITS, p=[0.8, 0.1, 0.1])  # agrees two times in three
    labels = CrowdLabels(unit, worker, said, UNITS, WORKERS, 3)
    found = chance_agreement(labels)
    assert found.share[7] < 0.2
    more = CrowdLabels(
        np.tile(unit, 5) + np.repeat(np.arange(5), len(unit)) * UNITS, np.tile(worker, 5),
        np.concatenate([guessed(rng, worker, unit)[2] for _ in range(5)]),
        UNITS * 5, WORKERS, 3,
    )  # fmt: skip
    assert chance_agreement(more).flagged.nonzero()[0].tolist() == [7]


def guessed(rng, worker, unit):
    _, _, said = crowd(rng, skew=[0.6, 0.2, 0.2])
    said[worker == 7] = rng.choice(3, UNITS, p=[0.6, 0.2, 0.2])
    return worker, unit, said


def test_kappa_is_cohens_against_the_majority_of_the_others():
    # Two others agree on each unit, so they are the majority.
    mine, theirs = np.array([0, 0, 1, 1, 0]), np.array([0, 1, 1, 1, 0])
    unit = np.tile(np.arange(5), 3)
    labels = CrowdLabels(
        unit, np.repeat([0, 1, 2], 5), np.concatenate([mine, theirs, theirs]), 5, 3, 2
    )
    found = chance_agreement(labels)
    expected = (3 * 2 + 2 * 3) / 25
    assert found.share[0] == pytest.approx((0.8 - expected) / (1 - expected))
    assert found.usual[0] == pytest.approx(expected)


def test_hardly_anybody_honest_is_told_of():
    rng = np.random.default_rng(3)
    told = 0
    for _ in range(60):
        worker, unit, said = crowd(rng, accuracy=0.6)
        labels = CrowdLabels(unit, worker, said, UNITS, WORKERS, 3)
        told += chance_agreement(labels).flagged.any()
        told += same_answer(worker, said, WORKERS, 3).flagged.any()
    assert told <= 3  # of 120 campaigns; the level is .01 each


def test_who_judged_what_nobody_else_did_is_not_looked_at():
    found = chance_agreement(CrowdLabels([0, 1], [0, 0], [0, 1], 2, 2, 2))
    assert np.isnan(found.share).all()
    assert not found.flagged.any()


def test_a_wrong_gold_question_is_found_and_a_hard_one_is_not_at_once():
    rng = np.random.default_rng(4)
    question, worker = np.divmod(np.arange(20 * WORKERS), WORKERS)
    score = (rng.random(len(question)) < 0.85).astype(float)
    score[question == 3] = 0.0
    score[question == 5] = rng.random(WORKERS) < 0.7
    found = check_questions(question, worker, score, 20, WORKERS)
    assert found.suspicious.nonzero()[0].tolist() == [3]
    assert found.mean[3] == 0
    assert found.expected[3] == pytest.approx(0.84, abs=0.05)
    honest = (rng.random(len(question)) < 0.85).astype(float)
    assert not check_questions(question, worker, honest, 20, WORKERS).suspicious.any()


def test_one_question_alone_says_nothing():
    found = check_questions([0, 0, 0], [0, 1, 2], [0, 0, 0], 1, 3)
    assert not found.suspicious.any()
    assert found.number.tolist() == [3]
    assert np.isnan(found.expected[0])


def test_easy_and_hard_questions_take_turns():
    mean = np.arange(30) / 30
    order = spread_by_difficulty(mean, np.random.default_rng(5))
    assert sorted(order.tolist()) == list(range(30))
    strata = (order // 10).reshape(-1, 3)
    assert all(sorted(row) == [0, 1, 2] for row in strata.tolist())
    assert spread_by_difficulty([np.nan, 0.5], np.random.default_rng(0)).tolist() in (
        [0, 1],
        [1, 0],
    )
    assert len(spread_by_difficulty([], np.random.default_rng(0))) == 0
