"""Campaigns that are played, by hand, by brute force and by formulas."""

from dataclasses import astuple

import numpy as np
import pytest

from selection.algorithms.plan.campaigns import (
    NAME,
    NO_NAME,
    OF_NAMES,
    Answered,
    StoppingRule,
    expected_f1,
    f1_of_places,
    judged,
    play_adaptive,
)
from selection.algorithms.plan.mixes import Kind, _tables, forecast_mix


def votes(labels):
    """Shares of the votes: a judge that knows nothing of workers."""
    counts = labels.votes().astype(float)
    return counts / counts.sum(axis=1, keepdims=True)


def answered(rng, n, width, *, accuracy=0.8, k=2, workers=40):
    truth = rng.integers(k, size=n)
    wrong = (truth[:, None] + rng.integers(1, k, size=(n, width))) % k
    said = np.where(rng.random((n, width)) < accuracy, truth[:, None], wrong)
    who = np.argsort(rng.random((n, workers)), axis=1)[:, :width]
    return Answered(np.arange(n), who, said, truth, workers, k)


def test_two_that_agree_and_else_a_third_is_a_majority_of_three():
    """Of two classes, with accuracy a: a² (3 - 2a) are right, with 2 + 2 a (1 - a) answers."""
    a, n = 0.8, 40_000
    campaign = answered(np.random.default_rng(0), n, 3, accuracy=a)
    quality, given = play_adaptive(campaign, [3], StoppingRule(2, 0.9), votes)
    assert quality[0] == pytest.approx(a**2 * (3 - 2 * a), abs=4 * np.sqrt(0.1 / n))
    assert given[0] == pytest.approx(2 + 2 * a * (1 - a), abs=4 * np.sqrt(0.25 / n))


def alone(said, most, least, wanted, k):
    """One task by itself: what is chosen, and after how many answers."""
    number = least
    while number < most:
        shares = np.bincount(said[:number], minlength=k) / number
        if shares.max() >= wanted:
            break
        number += 1
    return np.bincount(said[:number], minlength=k).argmax(), number


@pytest.mark.parametrize("least", [1, 2, 3])
@pytest.mark.parametrize("wanted", [0.6, 0.75, 0.99])
def test_one_way_up_is_each_maximum_by_itself(least, wanted):
    campaign = answered(np.random.default_rng(1), 150, 6, accuracy=0.6, k=3)
    numbers = [1, 2, 4, 5, 6]
    quality, given = play_adaptive(campaign, numbers, StoppingRule(least, wanted), votes)
    for i, most in enumerate(numbers):
        each = [alone(said, most, min(least, most), wanted, 3) for said in campaign.said]
        chosen, used = np.array(each).T
        assert quality[i] == (chosen == campaign.truth).mean()
        assert given[i] == used.mean()


def test_where_nothing_is_ever_sure_enough_it_is_fixed():
    campaign = answered(np.random.default_rng(2), 80, 4)
    quality, given = play_adaptive(campaign, [2, 4], StoppingRule(2, 1.1), judged)
    assert list(given) == [2, 4]
    whole = judged(campaign.labels(np.full(80, 4))).argmax(axis=1)
    assert quality[1] == (whole == campaign.truth).mean()


# --- Names ----------------------------------------------------------------------------------------


def test_f1_of_places_by_hand():
    truth = np.array([NAME, NAME, NAME, NO_NAME, NO_NAME])
    chosen = np.array([NAME, 2, NO_NAME, NAME, NO_NAME])  # right, cut otherwise, missed, false
    assert f1_of_places(chosen, truth) == pytest.approx(2 * 1 / (3 + 3))
    nothing = np.full(3, NO_NAME)
    assert f1_of_places(nothing, nothing) == 1


def test_expected_f1_by_hand():
    posterior = np.array([[[0.7, 0.1, 0.2], [0.3, 0.6, 0.1]], [[0, 1, 0], [0, 1, 0]]])
    found = expected_f1(posterior, posterior.argmax(axis=2))
    assert found == pytest.approx([2 * 0.7 / (1 + 0.9 + 0.4), 1])


def test_a_workers_f1_of_names_is_their_accuracy():
    rng = np.random.default_rng(3)
    tables = _tables(rng, np.array([0.85]), 3, of_names=True)
    (right,) = tables[:, NAME, NAME]
    assert tables.sum(axis=1) == pytest.approx(np.ones((1, 3)))
    of_names = rng.choice(3, 60_000, p=tables[0, :, NAME])
    of_others = rng.choice(3, 60_000, p=tables[0, :, NO_NAME])
    chosen = np.concatenate([of_names, of_others])
    truth = np.repeat([NAME, NO_NAME], 60_000)
    assert OF_NAMES.quality(chosen, truth) == pytest.approx(right, abs=0.01)


def test_names_of_a_mix_are_told_with_and_without_stopping():
    def made(accuracy):
        return forecast_mix(
            [Kind(1, accuracy)], n_workers=20, total=200, answers=[2, 3, 5], names=6,
            stopping=StoppingRule(2, 0.95), draws=5,
        )  # fmt: skip

    good, poor = made(0.9), made(0.6)
    assert good.measure == "F1"
    assert all(one.mean > other.mean for one, other in zip(good.points, poor.points, strict=True))
    assert [one.most for one in good.adaptive] == [3, 5]
    for one in (*good.adaptive, *poor.adaptive):
        assert 2 <= one.fewest <= one.answers <= one.highest <= one.most
        assert one.low <= one.mean <= one.high
    assert good.adaptive[1].answers < poor.adaptive[1].answers  # who agree stop earlier


def test_what_may_stop_costs_less_and_is_hardly_worse():
    found = forecast_mix(
        [Kind(0.7, 0.9), Kind(0.3, 0.6)], n_workers=20, total=300, answers=[5],
        stopping=StoppingRule(2, 0.95), draws=6,
    )  # fmt: skip
    (fixed,), (adaptive,) = found.points, found.adaptive
    assert adaptive.answers < 4
    assert adaptive.mean > fixed.mean - 0.04
    without = forecast_mix(
        [Kind(0.7, 0.9), Kind(0.3, 0.6)], n_workers=20, total=300, answers=[5], draws=6
    )
    assert astuple(without.points[0]) == pytest.approx(astuple(fixed))  # both change nothing
