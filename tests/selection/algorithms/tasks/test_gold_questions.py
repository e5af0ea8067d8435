"""Gold questions that good workers fail are found; easy and hard ones take turns."""

from __future__ import annotations

import numpy as np
import pytest

from selection.algorithms.tasks.gold_questions import check_questions, spread_by_difficulty

WORKERS = 30


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
