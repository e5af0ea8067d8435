import numpy as np
import pytest

from experiments.coverage import short_texts
from experiments.coverage.spambase import Comparison, comparisons, repeats
from experiments.coverage.trials import (
    ALL,
    COVERAGE,
    DEFAULT,
    RANDOM,
    Problem,
    Results,
    default_runner,
    joined,
    run_trials,
    runners,
)
from selection.algorithms import Numeric, Pool, cover

SIZES = (30, 60, 100)


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=160)
    rows = rng.gamma(1 + truth[:, None] * [1, 2, 0], 1.0)
    pool = Pool.of([Numeric(str(i), column) for i, column in enumerate(rows.T)], step=1.0)
    return Problem(pool, truth, np.eye(2)[truth], gold=60)


@pytest.fixture(scope="module")
def results(problem):
    return run_trials(problem, runners(), SIZES, [0, 2])


def test_every_method_is_scored_at_its_sizes(results):
    assert results.methods == (ALL, RANDOM, COVERAGE, "facility location", DEFAULT)
    assert np.isnan(results.of(ALL, 30)).all()
    assert (results.of(ALL, 100)[:, [0, 3]] > 0.5).all()  # Gaussian and logistic
    for method in results.methods[1:]:
        assert (results.of(method, 60)[:, [0, 3]] > 0.5).all()
        assert np.isnan(results.of(method, 100)).all()


def test_repeats_are_paired_and_stay_when_others_are_added(problem, results):
    one = run_trials(problem, {RANDOM: runners()[RANDOM]}, SIZES, [2])
    assert (one.of(RANDOM, 30)[0] == results.of(RANDOM, 30)[1]).all()
    assert (one.of(ALL, 100)[0] == results.of(ALL, 100)[1]).all()
    both = joined([one, one])
    assert both.values.shape[0] == 2


def test_gold_is_never_chosen_and_labels_are_seen_in_batches(problem):
    train = np.arange(100)
    chosen = default_runner(start=20, width=2, batch=10)(problem, train, 55, 0)
    assert len(chosen) == len(set(chosen)) == 55
    assert set(chosen) <= set(train)
    # What is chosen after the start depends on labels; the start does not.
    turned = Problem(problem.pool, problem.truth, problem.targets[::-1].copy(), 60)
    other = default_runner(start=20, width=2, batch=10)(turned, train, 55, 0)
    assert chosen[:20].tolist() == other[:20].tolist()
    assert chosen.tolist() != other.tolist()


def test_coverage_goes_on_round_after_round(problem):
    train = np.arange(100)
    chosen = runners()[COVERAGE](problem, train, 90, 3)
    once = cover(problem.pool.pairs, budget=90, times=1, unlabelled=train,
                 rng=np.random.default_rng(3))  # fmt: skip
    assert chosen[: len(once.items)].tolist() == once.items.tolist()
    assert len(chosen) == 90 > len(once.items)


def test_differences_are_paired(results):
    means, errors = results.against(DEFAULT, 60, RANDOM, 60)
    apart = results.of(DEFAULT, 60) - results.of(RANDOM, 60)
    assert means == pytest.approx(apart.mean(axis=0))
    assert errors == pytest.approx(np.abs(apart[0] - apart[1]) / 2)


def test_a_comparison_is_reached_unless_it_is_below_by_more_than_chance():
    assert Comparison(200, RANDOM, "Gaussian", -0.0029, 0.0001).reached
    assert not Comparison(200, RANDOM, "Gaussian", -0.0031, 0.0001).reached
    assert Comparison(200, RANDOM, "Gaussian", -0.019, 0.01).reached
    assert not Comparison(200, RANDOM, "Gaussian", -0.021, 0.01).reached


def test_sixteen_comparisons_are_made():
    values = np.random.default_rng(0).random((4, 5, 4, 4, 5))
    methods = (ALL, RANDOM, COVERAGE, "facility location", DEFAULT)
    found = comparisons(Results(methods, (200, 400, 850, 3_701), values))
    assert len(found) == 16
    assert [(c.size, c.other) for c in found[::4]] == [
        (200, RANDOM), (400, RANDOM), (850, RANDOM), (850, ALL)
    ]  # fmt: skip
    assert found[-1].mean == pytest.approx((values[:, 4, 2, 3, 0] - values[:, 0, 3, 3, 0]).mean())


def test_settings_are_chosen_on_other_seeds_than_those_that_are_reported():
    assert repeats(3) == [0, 2, 4]
    assert repeats(3, tuning=True) == [1, 3, 5]


def test_the_stand_in_goes_through_the_choice_interface_and_the_aggregation():
    problem = short_texts.made_problem(0, items=300, gold=100)
    assert problem.pool.n_items == 300
    assert problem.targets.sum(axis=1) == pytest.approx(np.ones(300))
    said = problem.targets.argmax(axis=1)
    assert 0.8 < (said == problem.truth).mean() < 1
    labels = short_texts.judged(problem.truth, np.random.default_rng(1))
    assert labels.n_labels == 300 * short_texts.JUDGMENTS
    assert (np.bincount(labels.unit) == short_texts.JUDGMENTS).all()
    again = short_texts.made_problem(0, items=300, gold=100)
    assert (again.targets == problem.targets).all()
