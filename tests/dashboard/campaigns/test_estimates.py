import math
from datetime import timedelta

import pytest
from scipy import stats

from annotation.actions.pace import NORMAL, STUDENT, NoForecast, forecast
from annotation.queries.intervals import score_interval
from dashboard.campaigns.estimates import clustered_interval

HOUR = timedelta(hours=1)


def hours(duration: timedelta) -> float:
    return duration / HOUR


def test_steady_pace_gives_what_is_left_over_the_rate():
    expected = forecast([10] * 48, HOUR, remaining=120)
    assert hours(expected.likely) == pytest.approx(12)
    assert expected.soonest < expected.likely < expected.latest


def test_interval_is_that_of_the_ratio_of_two_poisson_times():
    """With φ = 1 and t ≈ normal, the time for R answers over that for N is F(2R, 2N), whose
    logarithm is nearly normal."""
    counts, remaining = [40] * 400, 300
    expected = forecast(counts, HOUR, remaining)
    seen, likely = sum(counts), hours(expected.likely)
    low, high = stats.f.ppf([0.025, 0.975], 2 * remaining, 2 * seen)
    assert hours(expected.soonest) == pytest.approx(likely * low, rel=0.01)
    assert hours(expected.latest) == pytest.approx(likely * high, rel=0.01)


def test_spread_follows_the_closed_form():
    counts, remaining = [0, 30, 10, 20], 50
    expected = forecast(counts, HOUR, remaining)
    mean, variance = 15.0, 500 / 3
    log_spread = STUDENT[2] * math.sqrt(variance / mean * (1 / 60 + 1 / 50))
    assert hours(expected.likely) == pytest.approx(50 / 15)
    assert hours(expected.soonest) == pytest.approx(50 / 15 * math.exp(-log_spread))
    assert hours(expected.latest) == pytest.approx(50 / 15 * math.exp(log_spread))


def test_bursts_widen_the_interval_and_leave_the_middle():
    steady = forecast([10] * 24, HOUR, 100)
    bursts = forecast([0, 0, 0, 40] * 6, HOUR, 100)
    assert bursts.likely == steady.likely
    assert bursts.soonest < steady.soonest
    assert bursts.latest > steady.latest


def test_ninety_five_of_a_hundred_simulated_campaigns_end_within_the_interval():
    draw = stats.poisson(6), stats.gamma(200, scale=1 / 6)
    counts = draw[0].rvs((2_000, 48), random_state=1)
    taken = draw[1].rvs(2_000, random_state=2)
    inside = 0
    for row, time in zip(counts.tolist(), taken, strict=True):
        expected = forecast(row, HOUR, 200)
        inside += hours(expected.soonest) <= time <= hours(expected.latest)
    assert inside / 2_000 == pytest.approx(0.95, abs=0.015)


def test_nothing_left_takes_no_time():
    assert forecast([], HOUR, 0).latest == timedelta(0)


@pytest.mark.parametrize(
    ("counts", "why"),
    [
        ([], NoForecast.EARLY),
        ([5], NoForecast.EARLY),
        ([5, 5], NoForecast.EARLY),
        ([0, 0], NoForecast.EARLY),
        ([0, 0, 0, 0], NoForecast.SILENT),
    ],
)
def test_too_little_to_tell_from_is_no_forecast(counts, why):
    assert forecast(counts, HOUR, 10) is why


def test_end_beyond_what_can_be_foreseen_is_left_open():
    assert forecast([0, 0, 1, 0], timedelta(days=1), 20).latest is None
    assert forecast([0, 0, 1, 0], timedelta(days=1), 100_000) is NoForecast.FAR


def test_quantiles_are_students():
    assert stats.t.ppf(0.975, range(1, 31)) == pytest.approx(STUDENT, abs=1e-4)
    assert stats.norm.ppf(0.975) == pytest.approx(NORMAL, abs=1e-6)


@pytest.mark.parametrize(("right", "number"), [(0, 1), (1, 1), (3, 10), (81, 100), (0, 20)])
def test_score_interval_of_rights_and_wrongs_is_wilsons(right, number):
    known = stats.binomtest(right, number).proportion_ci(method="wilson")
    assert score_interval(right / number, number) == pytest.approx((known.low, known.high))


def test_no_score_has_no_interval():
    assert score_interval(0.0, 0) is None


def clustered(scores: list[list[float]]) -> tuple[float, float] | None:
    """As the campaign page calls it, from each worker's scores."""
    number = sum(len(row) for row in scores)
    mean = sum(map(sum, scores)) / number
    squared_error = sum((sum(row) - mean * len(row)) ** 2 for row in scores)
    return clustered_interval(mean, squared_error, number, len(scores))


def test_interval_over_workers_with_equally_many_scores_is_that_of_their_means():
    means = [0.5, 0.75, 0.5, 0.25, 0.6]
    low, high = clustered([[mean] * 8 for mean in means])
    known = stats.ttest_1samp(means, 0).confidence_interval(0.95)
    assert (low, high) == pytest.approx((known.low, known.high), abs=1e-4)


def test_interval_over_workers_follows_the_closed_form_of_a_ratio():
    scores = [[1, 0.5, 0], [1], [0.5, 0.75]]
    mean = 3.75 / 6
    errors = (1.5 - 3 * mean) ** 2 + (1 - mean) ** 2 + (1.25 - 2 * mean) ** 2
    half = STUDENT[1] * math.sqrt(3 / 2 * errors) / 6
    assert clustered(scores) == pytest.approx((max(0, mean - half), min(1, mean + half)))


def test_more_scores_of_the_same_workers_do_not_narrow_the_interval():
    few = [[1, 0], [1, 1], [0, 0.5], [1, 0.5]]
    assert clustered([row * 50 for row in few]) == pytest.approx(clustered(few))


@pytest.mark.parametrize("scores", [[[1, 0]], [[1, 0], [1, 1]]])
def test_fewer_than_three_workers_have_no_interval(scores):
    assert clustered(scores) is None


def test_workers_who_all_did_alike_count_as_one_score_each():
    assert clustered([[1] * 20] * 4) == score_interval(1.0, 4)
