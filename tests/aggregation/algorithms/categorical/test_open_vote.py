from __future__ import annotations

import numpy as np
import pytest

from aggregation.algorithms.categorical.open_vote import OpenVote


def test_the_majority_by_hand():
    # Unit 0: 7, 7, 9; unit 1: 3; unit 2: nobody.
    fitted = OpenVote(max_iter=1).fit(
        [0, 0, 0, 1], [0, 1, 2, 0], [7, 7, 9, 3], n_units=3, n_workers=3
    )

    assert fitted.label_.tolist() == [7, 3, -1]
    # First shares: 2/3, 1/3, 1. a = (1 + 5/3) / 3.5, (1 + 2/3) / 2.5, and no less than 1 / V.
    a, b, c = (1 + 5 / 3) / 3.5, (1 + 2 / 3) / 2.5, (1 + 1 / 3) / 2.5
    assert fitted.accuracy_ == pytest.approx([a, b, c])
    for_7, for_9 = a / (1 - a) * b / (1 - b), c / (1 - c)
    assert fitted.confidence_[0] == pytest.approx(for_7 / (for_7 + for_9))
    # V is 2, so there is one answer to unit 1 that nobody gave.
    assert fitted.confidence_[1] == pytest.approx(a)
    assert np.isnan(fitted.confidence_[2])


def test_good_workers_outvote_bad_ones():
    rng = np.random.default_rng(0)
    truth = rng.integers(1_000, size=400)
    unit, worker = np.repeat(np.arange(400), 5), np.tile(np.arange(5), 400)
    skill = np.array([0.95, 0.95, 0.3, 0.3, 0.3])
    wrong = truth[unit] + rng.integers(1, 4, size=len(unit))
    label = np.where(rng.random(len(unit)) < skill[worker], truth[unit], wrong)

    fitted = OpenVote().fit(unit, worker, label, n_units=400, n_workers=5)

    assert fitted.diagnostics_.converged
    assert (fitted.label_ == truth).mean() > 0.93
    assert fitted.accuracy_ == pytest.approx(skill, abs=0.06)
    assert abs(fitted.confidence_.mean() - (fitted.label_ == truth).mean()) < 0.05


def test_votes_in_part_make_one_vote():
    fitted = OpenVote().fit(
        [0] * 5, [0, 0, 0, 1, 2], [1, 1, 1, 2, 2], [1 / 3] * 3 + [1, 1], n_units=1, n_workers=3
    )
    assert fitted.label_.tolist() == [2]


def test_of_equals_the_lowest_label_and_of_nothing_none():
    tie = OpenVote().fit([0, 0], [0, 1], [5, 4], n_units=1, n_workers=2)
    assert tie.label_.tolist() == [4]
    nothing = OpenVote().fit([], [], [], n_units=0, n_workers=0)
    assert nothing.label_.size == 0
    with pytest.raises(ValueError, match="max_iter"):
        OpenVote(max_iter=0)
