import numpy as np
import pytest

from evaluation.algorithms.intervals import wilson_interval
from evaluation.algorithms.metrics import instance_metric, macro_metric
from evaluation.algorithms.pooling import leave_one_team_out, pooled_scores, teams_needed
from evaluation.algorithms.predictions import Predictions
from evaluation.algorithms.sampling import inclusion_probabilities
from evaluation.algorithms.sequences import (
    betting_sequence,
    empirical_bernstein_sequence,
    scaled_sequence,
)
from evaluation.algorithms.sizes import documents_needed, half_width, least_draws, plan_draws
from experiments.evaluation.pools import made_pool

# --- Sample sizes -------------------------------------------------------------------------------


def test_least_draws_reach_the_half_width_and_one_less_does_not():
    p = np.full(50_000, 1 / 50_000)
    n = least_draws(p, 0.03)
    assert n == pytest.approx(1.645**2 * 0.25 / 0.03**2, rel=0.03)  # less what is not replaced
    assert half_width(p, np.minimum(1, n * p)) == pytest.approx(0.03)
    assert half_width(p, np.minimum(1, (n - 1) * p)) > 0.03


def test_a_small_system_is_judged_whole_and_a_wide_interval_takes_30():
    assert least_draws(np.full(20, 1 / 20), 0.03) == 20
    assert least_draws(np.full(10_000, 1e-4), 0.45) == 30
    assert least_draws(np.zeros(0), 0.03) == 0
    with pytest.raises(ValueError, match="half-width"):
        least_draws(np.ones(1), 0.0)


def test_draws_for_one_metric_tell_less_of_another():
    one = Predictions.of([np.arange(10_000)])
    even = instance_metric(one)
    uneven = macro_metric(one, np.searchsorted([5_000, 9_900], np.arange(10_000), side="right"))
    n = least_draws(even, 0.05)
    assert half_width(uneven, n * even) > 2 * half_width(even, n * even)
    assert half_width(uneven, np.minimum(1, uneven / uneven.min())) == 0


def test_what_others_drew_serves_whoever_comes_later():
    pool = made_pool()
    p = pool.predictions
    plan = plan_draws(p, pool.metric, 0.05)
    assert (plan.half_widths <= 0.05 + 1e-9).all()
    alone = [least_draws(pool.metric[p.starts[i] : p.starts[i + 1]], 0.05) for i in range(6)]
    assert plan.labels[0] == pytest.approx(alone[0])
    assert (plan.labels[3:] < 0.6 * np.array(alone[3:])).all()
    assert plan.labels.sum() == pytest.approx(plan.inclusion.sum())
    assert plan.inclusion == pytest.approx(inclusion_probabilities(p, pool.metric, plan.sizes))
    again = plan_draws(p, pool.metric, 0.05, given=plan.inclusion)
    assert again.labels.sum() == pytest.approx(0, abs=1e-6)
    backwards = plan_draws(p, pool.metric, 0.05, order=range(5, -1, -1))
    assert backwards.labels[5] == pytest.approx(alone[5])


def test_documents_for_theta():
    assert documents_needed(0.05, 10, clustering=1.0) == 28
    assert documents_needed(0.05, 10) == 55


# --- Looking early ------------------------------------------------------------------------------


@pytest.mark.parametrize("sequence", [betting_sequence, empirical_bernstein_sequence])
def test_a_sequence_looked_at_after_each_label_misses_at_most_one_time_in_ten(sequence):
    """A quick version of what `experiment_evaluation` does 1,000 times."""
    rng = np.random.default_rng(0)
    misses = 0
    for _ in range(150):
        low, high = sequence((rng.random(200) < 0.7).astype(float))
        misses += bool(((low > 0.7) | (high < 0.7)).any())
    assert misses <= 15
    assert high[-1] - low[-1] < 0.35


def test_peeking_at_wilsons_interval_misses_far_more_often():
    rng = np.random.default_rng(1)
    looks = np.arange(25, 501, 25)
    missed = 0
    for _ in range(400):
        mean = np.cumsum(rng.random(500) < 0.7)[looks - 1] / looks
        low, high = wilson_interval(mean, looks)
        missed += bool(((low > 0.7) | (high < 0.7)).any())
    assert missed > 0.35 * 400


def test_without_replacement_a_sequence_closes_when_all_is_seen():
    z = np.random.default_rng(2).permutation(np.repeat([1.0, 0.0], [60, 40]))
    low, high = betting_sequence(z, size=100)
    assert low[-1] <= 0.6 <= high[-1]
    assert high[-1] - low[-1] < 0.02
    free_low, free_high = betting_sequence(z)
    assert free_high[-1] - free_low[-1] > 0.2


def test_a_large_bound_makes_a_sequence_useless():
    """One system of 69 with as many draws: p f / c is at most 69 times its mean's scale."""
    rng = np.random.default_rng(3)
    z = (rng.random(1000) < 0.7 / 69) * 69.0
    low, high = scaled_sequence(z, 69.0)
    assert high[-1] - low[-1] > 0.6
    with pytest.raises(ValueError, match="largest"):
        scaled_sequence(z, 0)


@pytest.mark.parametrize("values", [[1.5], [-0.1], [[0.5]], [float("nan")]])
def test_values_outside_of_0_to_1_are_refused(values):
    with pytest.raises(ValueError, match="from 0 to 1"):
        betting_sequence(values)


def test_more_values_than_there_are_can_not_be_drawn():
    with pytest.raises(ValueError, match="without replacement"):
        betting_sequence([1.0, 0.0], size=1)


# --- Closed pooling -----------------------------------------------------------------------------


def test_leaving_a_team_out_counts_what_it_alone_found_as_wrong():
    predictions = Predictions.of([[0, 1, 2], [0, 1], [2, 3]])
    correct, metric = np.array([1.0, 0, 1, 1]), instance_metric(predictions)
    together = leave_one_team_out(predictions, metric, correct, np.array([0, 0, 1]))
    # The first team is judged by {2, 3}: of its claims 2 alone is known to be right.
    assert together.precision == pytest.approx([1 / 3, 0, 1 / 2])
    assert together.recall == pytest.approx([1 / 2, 0, 1 / 2])
    whole = pooled_scores(predictions, metric, correct, np.ones(4))
    assert whole.precision == pytest.approx([2 / 3, 1 / 2, 1])
    assert (together.precision <= whole.precision).all()
    few = leave_one_team_out(predictions, metric, correct, np.array([0, 1, 2]), among=[0, 1])
    assert np.isnan(few.precision[2])
    assert few.precision[0] == pytest.approx(1 / 3)  # {0, 1} is judged, 0 is right


def test_the_any_document_heuristic_takes_a_fill_as_right_that_is_right_elsewhere():
    """Claims 0 and 1 are instances of one fill; 1 is wrong where it stands."""
    predictions = Predictions.of([[1, 2], [0, 2]])
    correct, metric = np.array([1.0, 0, 1]), instance_metric(predictions)
    team = np.array([0, 1])
    exact = leave_one_team_out(predictions, metric, correct, team)
    anywhere = leave_one_team_out(predictions, metric, correct, team, fill=[0, 0, 1])
    assert exact.precision == pytest.approx([1 / 2, 1 / 2])
    assert anywhere.precision == pytest.approx(
        [1, 1 / 2]
    )  # the first is told to be better than it is


def test_bias_is_extrapolated_as_a_power():
    n = np.array([10, 20, 40])
    assert teams_needed(n, -2.0 / n, 0.01) == pytest.approx(200)
    assert teams_needed(n, [0.1, 0.1, 0.2], 0.01) == float("inf")
