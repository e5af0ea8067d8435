import numpy as np
import pytest
from scipy.special import logit
from scipy.stats import beta

from aggregation.algorithms import CrowdLabels, DawidSkene, HierarchicalDawidSkene
from aggregation.algorithms.categorical.refits import (
    _drawn_in,
    intervals_by_refits,
    quicker,
    resampled,
)
from aggregation.methods.registry import METHODS
from aggregation.methods.words import REFITTED


def crowd(seed, units=60, workers=20, answers=4, classes=3):
    rng = np.random.default_rng(seed)
    truth, skill = rng.integers(classes, size=units), rng.beta(7, 3, workers)
    worker = np.argsort(rng.random((units, workers)), axis=1)[:, :answers].ravel()
    unit = np.repeat(np.arange(units), answers)
    right = rng.random(len(unit)) < skill[worker]
    wrong = (truth[unit] + rng.integers(1, classes, len(unit))) % classes
    label = np.where(right, truth[unit], wrong)
    return CrowdLabels(unit, worker, label, units, workers, classes), skill, truth


def measured(labels, method=HierarchicalDawidSkene, gold=None, **options):
    fitted = method().fit(labels, gold=gold)
    settings = quicker(fitted.get_params(), method)
    return fitted.reliability_, intervals_by_refits(
        lambda some, known: method(**settings).fit(some, gold=known),
        labels, fitted.reliability_, gold=gold, **options,
    )  # fmt: skip


def test_intervals_hold_the_true_accuracies():
    """Of 80 intervals of 95 %; those of one fit are narrower, for they take tables as known."""
    held, wider = [], []
    for seed in range(4):
        labels, skill, _ = crowd(seed)
        before, after = measured(labels, DawidSkene, refits=40)
        held.append((after.low <= skill) & (skill <= after.high))
        wider.append((after.high - after.low) - (before.high - before.low))
    assert np.mean(held) >= 0.9
    assert np.mean(wider) > 0


def test_a_worker_who_was_never_wrong_has_an_interval_that_reaches_one():
    truth = np.arange(40) % 2
    unit = np.repeat(np.arange(40), 4)
    worker = np.tile(np.arange(4), 40)
    label = truth[unit].copy()
    label[(worker == 3) & (unit % 3 == 0)] ^= 1
    labels = CrowdLabels(unit, worker, label, 40, 5, 2)
    _, found = measured(labels, refits=40)
    assert (found.high[:3] == 1.0).all()
    assert found.high[3] < 1.0
    assert found.low[4] < 0.05 < 0.95 < found.high[4]  # nothing is known of them


def test_the_seed_decides_and_gold_stays():
    labels, _, truth = crowd(9)
    gold = np.where(np.arange(60) < 50, truth, -1)
    _, one = measured(labels, DawidSkene, gold, refits=40, seed=3)
    _, again = measured(labels, DawidSkene, gold, refits=40, seed=3)
    np.testing.assert_array_equal(one.low, again.low)
    _, without = measured(labels, DawidSkene, refits=40, seed=3)
    assert (one.high - one.low).mean() < (without.high - without.low).mean()


def test_where_all_is_known_it_is_that_of_jeffreys():
    labels, _, truth = crowd(3)
    _, found = measured(labels, DawidSkene, truth, refits=400)
    right = np.bincount(labels.worker[truth[labels.unit] == labels.label], minlength=20)
    wrong = labels.judged() - right
    some = wrong > 0  # who was never wrong has an interval that reaches 1
    assert found.low == pytest.approx(beta.ppf(0.025, right + 0.5, wrong + 0.5), abs=0.03)
    wanted = beta.ppf(0.975, right + 0.5, wrong + 0.5)
    assert found.high[some] == pytest.approx(wanted[some], abs=0.03)


def test_the_end_on_the_side_of_the_crowd_is_drawn_in():
    """With few labels as far as if truths were known, with many hardly."""
    accuracy, judged = np.array([0.9, 0.5, 0.9, 0.5, 0.4]), np.array([5, 5, 500, 500, 0])
    low, high = np.array([0.3, 0.2, 0.3, 0.2, 0.0]), np.array([0.95, 0.8, 0.95, 0.8, 1.0])
    m = np.array([accuracy - 0.1, accuracy + 0.1])
    moments = np.stack([m.mean(axis=0), (m * m).mean(axis=0)])
    found_low, found_high = _drawn_in(low, high, moments, judged, accuracy)
    assert (found_low[[1, 3, 4]] == low[[1, 3, 4]]).all()
    assert (found_high[[0, 2, 4]] == high[[0, 2, 4]]).all()
    known = (m * (1 - m)).mean(axis=0) / (judged + 2)
    for i, part in enumerate((0, 0, 1 - 7 / 500, 1 - 7 / 500)):
        by = np.sqrt((known[i] + part * 0.01) / (known[i] + 0.01))
        before, after = (low, found_low) if i % 2 == 0 else (high, found_high)
        far = logit(before[i]) - logit(accuracy[i])
        assert logit(after[i]) - logit(accuracy[i]) == pytest.approx(by * far)


def test_units_are_drawn_whole_and_with_their_weights():
    labels = CrowdLabels([3, 0, 3, 5], [0, 1, 2, 0], [1, 0, 0, 1], 7, 3, 2, [1.0, 0.5, 0.25, 1.0])
    drawn, of = resampled(labels, np.random.default_rng(1))
    assert drawn.n_units == 3
    assert set(of.tolist()) <= {0, 3, 5}
    whole = labels.weighted_votes()
    np.testing.assert_array_equal(drawn.weighted_votes(), whole[of])


def test_pages_know_which_methods_can_be_refitted():
    assert {
        name for name, method in METHODS.items()
        if method.takes == "labels" and method.follows == "fit"
    } == REFITTED  # fmt: skip
    for name in REFITTED:
        method = METHODS[name]
        method.make(**quicker(method.defaults(), method.make))


@pytest.mark.parametrize("units", [0, 1])
def test_next_to_nothing_is_no_error(units):
    labels = CrowdLabels([0] * units, [0] * units, [1] * units, 2, 2, 2)
    _, found = measured(labels, refits=40)
    assert ((found.low >= 0) & (found.low <= found.high) & (found.high <= 1)).all()
