"""Intervals that hold, at one look and at all of them; costs; forecasts; decisions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta

from selection.algorithms.learners.scoring import class_shares
from selection.algorithms.loops.decisions import Decisions, decisions_of
from selection.algorithms.loops.forecasts import Kept, forecast, rehearsal_sizes, rehearse
from selection.algorithms.loops.measures import measure


def accuracy(right):
    counts = np.stack([right, 1 - np.asarray(right)], axis=1).astype(float)
    return measure(counts, lambda sums: sums[:, 0] / np.maximum(sums.sum(axis=1), 1))


def test_a_share_has_the_interval_of_clopper_and_pearson_but_for_small_samples():
    found = accuracy(np.arange(400) % 4 > 0)
    low, high = found.interval()
    assert found.value == 0.75
    assert low == pytest.approx(beta.ppf(0.025, 300, 101), abs=0.002)
    assert high == pytest.approx(beta.ppf(0.975, 301, 100), abs=0.002)


def test_all_right_is_not_certain():
    low, high = accuracy(np.ones(20)).interval()
    assert 0.78 < low < 0.84
    assert high == 1
    assert accuracy(np.zeros(20)).interval()[0] == 0
    assert accuracy(np.ones(1)).interval() == (0.0, 1.0)


def test_it_holds_as_often_as_it_says():
    rng = np.random.default_rng(0)
    held = 0
    for _ in range(400):
        low, high = accuracy(rng.random(100) < 0.85).interval()
        held += low <= 0.85 <= high
    assert held >= 0.93 * 400


def test_macro_f1_of_a_random_sample_is_held():
    """Classes that are rare, and a classifier that is better at some."""
    rng = np.random.default_rng(1)
    k, held = 3, 0
    confusion = np.array([[0.54, 0.04, 0.02], [0.05, 0.19, 0.01], [0.05, 0.02, 0.08]])
    true = class_shares(confusion.reshape(1, -1))[0, 0]
    for _ in range(300):
        cells = rng.choice(k * k, size=200, p=confusion.ravel())
        found = measure(np.eye(k * k)[cells], lambda sums: class_shares(sums)[:, 0])
        low, high = found.interval()
        held += low <= true <= high
    assert 0.91 * 300 <= held <= 300


def test_looks_are_wider_and_their_chances_add_up_to_a_tenth():
    found = accuracy(np.arange(200) % 5 > 0)
    lows = [found.interval_at(look)[0] for look in (1, 2, 5, 20)]
    assert lows == sorted(lows, reverse=True)
    assert found.interval_at(1) == found.interval(0.05)
    assert sum(1 / (k * (k + 1)) for k in range(1, 10_000)) < 1


def test_a_figure_of_nothing_is_refused():
    with pytest.raises(ValueError, match="nothing to be right about"):
        measure(np.zeros((4, 2)), lambda sums: sums[:, 0] / np.where(sums[:, 1], 1, np.nan))


def test_a_forecast_grows_with_what_rehearsals_brought():
    sure = forecast(0.8, [0.77, 0.772, 0.768], [0.74, 0.742, 0.738], 200, 250, 150)
    unsure = forecast(0.8, [0.7, 0.84, 0.77], [0.6, 0.88, 0.74], 200, 250, 150)
    assert 0.8 < sure.value < 0.83
    assert sure.high - sure.low < unsure.high - unsure.low
    assert forecast(0.8, [0.7], [], 200, 250, 150) is None
    top = forecast(0.999, [0.99, 0.99], [0.98, 0.98], 200, 250, 150)
    assert top.high <= 1


def test_forecasts_that_failed_make_the_next_one_wider():
    def width(past):
        found = forecast(0.8, [0.77, 0.78, 0.79], [0.7, 0.72, 0.74], 200, 250, 150, past)
        return found.high - found.low

    assert width([Kept(0.8, 0.01, 0.85)]) > width([]) > width([Kept(0.8, 0.01, 0.801)] * 6)


def test_rehearsals_leave_out_what_can_not_be_learnt_from():
    asked = []

    def figure(places):
        asked.append(len(places))
        if len(asked) == 1:
            raise ValueError
        return 0.5

    one, two = rehearse(figure, 20, 25, rehearsals=3, seed=1)
    assert (len(one), len(two)) == (2, 3)
    assert set(asked) == set(rehearsal_sizes(20, 25)) == {16, 13}
    assert rehearse(figure, 3, 5) == ([], [])


def test_decisions_are_compared_by_name():
    before = decisions_of([0, 1, 1], [4, 5, 6], None, ("A", "B"))
    now = decisions_of([1, 1, 0, 0], [4, 5, 6, 7], None, ("B", "A"))
    stored = Decisions.from_bytes(now.to_bytes())
    # 4: A then A; 5: B then A; 6: B then B; 7 is new.
    assert stored.changed(before) == (1, 3)
    assert stored.changed(before, without={5}) == (0, 2)
    tokens = decisions_of([0, 0, 1], [4, 9], np.array([0, 2, 3]), ("O", "B"))
    assert tokens.changed(decisions_of([0, 1, 1], [4, 9], np.array([0, 2, 3]), ("O", "B"))) == (
        1, 3,
    )  # fmt: skip
