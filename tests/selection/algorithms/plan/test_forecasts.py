"""Forecasts of simulated campaigns. How often they hold is measured by experiment_plan."""

import numpy as np
import pytest

from aggregation.algorithms import CrowdLabels, MajorityVote
from experiments.plan.crowds import KINDS, campaign
from experiments.plan.trials import labels_of, simulated
from selection.algorithms.plan import forecasts
from selection.algorithms.plan.campaigns import Played
from selection.algorithms.plan.crowd_model import (
    HARD,
    Answers,
    CrowdModel,
    chance_of_hard,
    climb,
)
from selection.algorithms.plan.forecasts import Draw, forecast_choices, told
from selection.algorithms.plan.mixes import Kind, forecast_mix
from selection.algorithms.plan.results import Forecast, Point


def crowd(rng, n, answers, *, workers=20, k=3, accuracy=0.8, hard=0.0):
    truth = rng.integers(k, size=n)
    who = np.argsort(rng.random((n, workers)), axis=1)[:, :answers].ravel()
    unit = np.repeat(np.arange(n), answers)
    guessed = (rng.random(n) < hard)[unit] | (rng.random(len(unit)) > accuracy)
    said = np.where(guessed, rng.integers(k, size=len(unit)), truth[unit])
    return CrowdLabels(unit, who, said, n, workers, k), truth


def test_forecasts_hold_what_comes_out_mostly():
    trials = [trial for kind in KINDS[::2] for trial in simulated(kind, 1, draws=6)]
    assert sum(trial.holds for trial in trials) >= 0.7 * len(trials)  # nine in ten are promised
    assert np.mean([trial.high - trial.low for trial in trials]) < 0.25


def test_more_answers_are_worth_more_and_the_forecast_is_the_same_again():
    labels, truth = crowd(np.random.default_rng(2), 80, 5)
    gold = np.where(np.arange(80) < 20, truth, -1)
    found = forecast_choices(labels, total=400, answers=[5, 1, 3], gold=gold, draws=6, seed=3)
    assert [point.answers for point in found.points] == [1, 3, 5]
    means = [point.mean for point in found.points]
    assert means == sorted(means)
    assert (found.tasks, found.pilot, found.gold, found.answers_each) == (400, 80, 20, 5.0)
    assert found.is_checked
    for point in found.points:
        assert point.low <= point.mean <= point.high
        assert (400 * point.low).is_integer() or abs(400 * point.low % 1 - 1) < 1e-9
    again = forecast_choices(labels, total=400, answers=[5, 1, 3], gold=gold, draws=6, seed=3)
    assert again == found


def test_gold_tells_of_a_crowd_that_is_misled():
    labels, truth = crowd(np.random.default_rng(4), 80, 5, accuracy=0.95)
    right = np.where(np.arange(80) < 20, truth, -1)
    fooled = np.where(np.arange(80) < 5, (truth + 1) % 3, right)

    def mean(gold):
        return forecast_choices(labels, total=400, answers=[5], gold=gold, draws=6).points[0].mean

    assert mean(right) > mean(None) > mean(fooled)
    assert mean(right) - mean(fooled) > 0.05


def test_told_by_hand():
    """Draws of no gold count by how much their share of hard units is believed in."""
    easy, hard = (
        Draw(Played(np.array([share]), np.zeros(0), np.zeros(0)), np.zeros(0), of_hard)
        for share, of_hard in ((0.9, HARD[0]), (0.5, HARD[-1]))
    )
    rng = np.random.default_rng(0)
    nobody = np.zeros(0, dtype=bool)
    alone = told(rng, [easy], nobody, [3], 100, 0.9)[0][0].mean
    both = told(rng, [easy, hard], nobody, [3], 100, 0.9)[0][0].mean
    belief = forecasts.HARD_PRIOR / forecasts.HARD_DRAWN
    share = belief[-1] / (belief[0] + belief[-1])
    other = told(rng, [hard], nobody, [3], 100, 0.9)[0][0].mean
    assert both == pytest.approx((1 - share) * alone + share * other, abs=0.02)


def test_any_aggregator_can_be_played():
    labels, _ = crowd(np.random.default_rng(5), 60, 3)
    one = forecast_choices(
        labels, total=200, answers=[3], draws=3,
        aggregate=lambda part: MajorityVote().fit(part).predict(),
    )  # fmt: skip
    assert 0.5 < one.points[0].mean < 1


# --- The model ------------------------------------------------------------------------------------


def test_without_hard_units_it_is_the_hierarchical_one():
    from aggregation.algorithms import HierarchicalDawidSkene

    labels, truth = crowd(np.random.default_rng(6), 300, 5, accuracy=0.7)
    answers = Answers.of(labels)
    chosen = climb(answers, np.ones(300)).posterior.argmax(axis=1)
    expected = HierarchicalDawidSkene().fit(labels).predict()
    assert (chosen == expected).mean() > 0.98
    assert abs((chosen == truth).mean() - (expected == truth).mean()) < 0.01


def test_hard_units_are_told_from_workers_who_err():
    rng = np.random.default_rng(7)
    hard, _ = crowd(rng, 800, 7, accuracy=0.9, hard=0.25, k=4)
    even, _ = crowd(rng, 800, 7, accuracy=0.7, k=4)
    of_hard, of_even = (chance_of_hard(Answers.of(one).votes) for one in (hard, even))
    assert of_hard @ HARD > 0.15 > 0.05 > of_even @ HARD
    assert of_hard.sum() == pytest.approx(1)


def test_tables_are_moved_towards_where_pairs_agree():
    labels, _ = crowd(np.random.default_rng(8), 500, 4, accuracy=0.7)
    model = CrowdModel.fitted(Answers.of(labels), np.ones(500), 0.002)
    assert model.agree == pytest.approx(0.7**2 + 0.3 * (1 - 0.3) / 3 * 2 / 2, abs=0.25)
    load = labels.judged().astype(float)
    tables = model.drawn_tables(np.random.default_rng(0), load, 3)
    assert tables.shape == (23, 3, 3)
    assert tables.sum(axis=1) == pytest.approx(np.ones((23, 3)))
    best = np.repeat(0.999 * np.eye(3)[None] + 0.0005 * (1 - np.eye(3))[None], 23, axis=0)
    lowered = model.centred(best, best[:20], load)
    assert lowered[0, 0, 0] < 0.995
    assert (np.diagonal(lowered, axis1=1, axis2=2) > 1 / 3).all()


def test_a_crowd_that_does_not_agree_stays_above_chance():
    rng = np.random.default_rng(9)
    unit = np.repeat(np.arange(40), 3)
    labels = CrowdLabels(unit, np.tile(np.arange(3), 40), rng.integers(2, size=120), 40, 3, 2)
    found = forecast_choices(labels, total=100, answers=[3], draws=4)
    assert 0.3 < found.points[0].mean < 0.95


# --- A mix, and what is told ----------------------------------------------------------------------


def test_a_better_mix_is_foreseen_to_be_better():
    def mean(accuracy):
        found = forecast_mix(
            [Kind(0.8, accuracy), Kind(0.2, 0.5)],
            n_classes=2, n_workers=20, total=150, answers=[3], draws=6,
        )  # fmt: skip
        assert (found.pilot, found.is_checked) == (0, False)
        return found.points[0].mean

    assert mean(0.9) > mean(0.65) + 0.05


def test_what_was_stored_is_read_again_from_older_versions_too():
    found = Forecast(
        "accuracy", 200, 40, 3.0, 20, 0.9, (Point(1, 0.8, 0.7, 0.9), Point(3, 0.9, 0.85, 0.95))
    )
    assert Forecast.from_json(found.to_json()) == found
    stored = {name: found.to_json()[name] for name in ("least", "wanted", "adaptive")}
    older = {name: value for name, value in found.to_json().items() if name not in stored}
    assert Forecast.from_json(older) == found
    assert found.to_json()["points"][0] == {"answers": 1, "mean": 0.8, "low": 0.7, "high": 0.9}


def test_a_campaign_is_made_the_same_again():
    one, two = campaign("misled as a whole", 4), campaign("misled as a whole", 4)
    assert (one.said == two.said).all()
    pilot = labels_of(one, one.answers, np.arange(len(one.truth) // 5))
    assert pilot.n_labels == len(one.truth) // 5 * one.answers
