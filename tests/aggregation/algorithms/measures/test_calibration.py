import numpy as np
import pytest
from scipy.stats import binom

from aggregation.algorithms import calibration_of
from aggregation.algorithms.measures.calibration import (
    brier_score,
    calibration_of_posterior,
    cross_entropy,
    cross_entropy_interval,
    error_by_chance,
)


def test_error_is_the_mean_gap_between_sure_and_right():
    """Two bins: 4 choices at .75 of which 2 are right, 2 at 1 of which both are."""
    found = calibration_of([0.75] * 4 + [1.0] * 2, [1, 1, 0, 0, 1, 1], bins=4)
    assert found.count.tolist() == [0, 0, 4, 2]
    assert found.confidence[2:].tolist() == [0.75, 1]
    assert found.accuracy[2:].tolist() == [0.5, 1]
    assert np.isnan(found.accuracy[:2]).all()
    assert found.error == pytest.approx(4 * 0.25 / 6)


def test_bins_that_are_too_sure_and_too_shy_do_not_cancel():
    """Ten at .9 of which 6 are right, ten at .6 of which 9 are: 3 too few, 3 too many."""
    found = calibration_of([0.9] * 10 + [0.6] * 10, [1] * 6 + [0] * 4 + [1] * 9 + [0])
    assert found.error == pytest.approx((3 + 3) / 20)


def test_edges_belong_to_the_bin_below():
    assert calibration_of([0.0, 0.5, 0.51], [0, 1, 1], bins=2).count.tolist() == [2, 1]


def test_perfect_calibration_has_no_error():
    sure = np.repeat([0.55, 0.95], 100)
    right = np.concatenate([np.arange(100) < 55, np.arange(100) < 95])
    assert calibration_of(sure, right).error == pytest.approx(0)


def test_without_choices_there_is_no_error_to_tell():
    assert calibration_of([], []).error is None


def test_by_chance_is_the_mean_gap_of_binomial_counts():
    """Summed over all counts; a bin of the surest deviates by nothing."""
    count, sure = np.array([5, 0, 17, 40, 3]), np.array([0.9, np.nan, 0.5, 1.0, 0.0])
    gaps = 0.0
    for n, p in ((5, 0.9), (17, 0.5)):
        k = np.arange(n + 1)
        gaps += (binom.pmf(k, n, p) * np.abs(k - n * p)).sum()
    assert error_by_chance(count, sure) == pytest.approx(gaps / 65)
    assert error_by_chance([], []) is None
    assert calibration_of([], []).by_chance is None


def test_perfect_confidences_are_off_by_what_chance_makes():
    rng = np.random.default_rng(1)
    found = []
    for _ in range(400):
        sure = rng.beta(6, 2, 80)
        found.append(calibration_of(sure, rng.random(80) < sure))
    error = np.mean([one.error for one in found])
    assert np.mean([one.by_chance for one in found]) == pytest.approx(error, rel=0.05)


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="there are 2 confidences, but 1 outcomes"):
        calibration_of([0.5, 0.6], [True])


def simulated(n, *, sharper=1.0, seed=0):
    """Posteriors of three classes and truth drawn from them; then raised to a power."""
    rng = np.random.default_rng(seed)
    fair = rng.dirichlet([0.7, 0.7, 0.7], size=n)
    truth = (rng.random((n, 1)) > fair.cumsum(axis=1)).sum(axis=1).clip(max=2)
    said = fair**sharper
    return said / said.sum(axis=1, keepdims=True), truth


def test_probabilities_that_the_truth_is_drawn_from_are_calibrated():
    posterior, truth = simulated(20_000)
    found = calibration_of_posterior(posterior, truth)
    assert found.error < 0.015
    some = found.count > 500
    assert found.accuracy[some] == pytest.approx(found.confidence[some], abs=0.05)
    for k in range(3):  # each class by itself too
        assert calibration_of(posterior[:, k], truth == k).error < 0.015


def test_too_sure_and_too_shy_show_in_the_diagram():
    sure = calibration_of_posterior(*simulated(20_000, sharper=3))
    shy = calibration_of_posterior(*simulated(20_000, sharper=0.4))
    assert sure.error > 0.05
    assert shy.error > 0.05
    assert (sure.confidence - sure.accuracy)[sure.count > 200].mean() > 0.03
    assert (shy.confidence - shy.accuracy)[shy.count > 200].mean() < -0.03


def test_both_scores_are_best_for_the_probabilities_that_hold():
    for score in (cross_entropy, brier_score):
        fair, sure, shy = (score(*simulated(5_000, sharper=x)) for x in (1, 3, 0.4))
        assert fair < min(sure, shy)


def test_cross_entropy_by_hand():
    posterior = [[0.5, 0.5], [0.2, 0.8], [1.0, 0.0]]
    assert cross_entropy(posterior, [0, 1, -1]) == pytest.approx(-np.log([0.5, 0.8]).mean())
    assert cross_entropy(posterior, [-1, -1, 1]) == pytest.approx(100 * np.log(10))
    assert cross_entropy(posterior, [-1, -1, 1], clip=1e-6) == pytest.approx(6 * np.log(10))


def test_brier_score_by_hand():
    assert brier_score([[0.5, 0.3, 0.2], [0, 0, 1]], [0, 1]) == pytest.approx(
        (0.25 + 0.09 + 0.04 + 2) / 2
    )


def test_units_without_gold_are_left_out_everywhere():
    posterior, truth = simulated(50)
    gold = np.concatenate([truth, [-1, -1]])
    longer = np.concatenate([posterior, [[1, 0, 0], [0, 0, 1]]])
    assert cross_entropy(longer, gold) == cross_entropy(posterior, truth)
    assert brier_score(longer, gold) == brier_score(posterior, truth)
    assert calibration_of_posterior(longer, gold).error == (
        calibration_of_posterior(posterior, truth).error
    )
    assert cross_entropy_interval(longer, gold) == cross_entropy_interval(posterior, truth)


def test_without_gold_there_is_nothing_to_tell():
    posterior = [[0.5, 0.5]]
    assert cross_entropy(posterior, [-1]) is None
    assert brier_score(posterior, [-1]) is None
    assert calibration_of_posterior(posterior, [-1]).error is None
    assert cross_entropy_interval(posterior, [-1]) is None
    assert cross_entropy(np.empty((0, 2)), []) is None
    assert cross_entropy_interval(posterior, [0]) is None  # one unit, no interval


def test_interval_of_the_cross_entropy_covers():
    truth = cross_entropy(*simulated(100_000, seed=1))
    covered = 0
    for seed in range(2, 42):
        low, high = cross_entropy_interval(*simulated(100, seed=seed), replicates=300)
        covered += low <= truth <= high
    assert 34 <= covered <= 40


def test_interval_draws_documents_whole():
    posterior, gold = simulated(80)
    tenfold = np.tile(posterior, (10, 1)), np.tile(gold, 10)
    wide = cross_entropy_interval(*tenfold, groups=np.tile(np.arange(80), 10))
    narrow = cross_entropy_interval(*tenfold)
    assert wide[1] - wide[0] > 2.5 * (narrow[1] - narrow[0])


@pytest.mark.parametrize(
    ("gold", "said"),
    [([0], "the posterior has the shape"), ([0, 2], "gold runs from 0 to 2"), ([-2, 0], "-2 to 0")],
)
def test_gold_must_fit_the_posterior(gold, said):
    with pytest.raises(ValueError, match=said):
        cross_entropy([[0.5, 0.5], [1, 0]], gold)
