"""Precision: unbiased by enumeration, right in the exact cases, honest about its variance."""

from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_array

from evaluation.algorithms.intervals import precision_interval, product_interval
from evaluation.algorithms.metrics import instance_metric, macro_metric
from evaluation.algorithms.precision import (
    PoissonPrecision,
    agreement_proxy,
    folds_of,
    joint_precision,
    paired_weights_precision,
    simple_precision,
)
from evaluation.algorithms.predictions import Predictions
from evaluation.algorithms.sampling import (
    Draws,
    PoissonSample,
    coordinated_sample,
    draw_with_replacement,
    inclusion_probabilities,
    mixed,
    permanent_numbers,
    size_for_labels,
)
from experiments.evaluation.pools import made_pool

TINY = Predictions.of([[0, 1, 2], [1, 2, 3]])
RIGHT = np.array([1.0, 0.0, 1.0, 1.0])
SKEWED = macro_metric(TINY, np.array([0, 0, 1, 0, 1, 1]))


def every_outcome(metric, sizes):
    """(probability, draws) of all that drawing with replacement can give."""
    cells = [
        (claim, metric[TINY.starts[j] + k])
        for j in range(2)
        for k, claim in enumerate(TINY.claims_of(j))
    ]
    ranges = [cells[:3]] * sizes[0] + [cells[3:]] * sizes[1]
    for chosen in product(*ranges):
        counts = np.zeros((2, 4))
        for at, (claim, _) in enumerate(chosen):
            counts[0 if at < sizes[0] else 1, claim] += 1
        yield np.prod([p for _, p in chosen]), Draws(csr_array(counts))


@pytest.mark.parametrize("metric", [instance_metric(TINY), SKEWED])
def test_simple_joint_and_paired_weights_are_unbiased_by_enumeration(metric):
    truth = TINY.sums(metric * RIGHT[TINY.claim])
    proxy = np.array([0.9, 0.3, 0.1, 0.8])
    expected = {name: np.zeros(2) for name in ("simple", "joint", "proxy", "paper")}
    mass = 0.0
    for p, draws in every_outcome(metric, (2, 3)):
        mass += p
        expected["simple"] += p * simple_precision(draws, RIGHT).value
        expected["joint"] += p * joint_precision(TINY, metric, draws, RIGHT).value
        with_proxy = joint_precision(TINY, metric, draws, RIGHT, proxy=proxy)
        expected["proxy"] += p * with_proxy.value
        expected["paper"] += p * paired_weights_precision(TINY, metric, draws, RIGHT).value
    assert mass == pytest.approx(1)
    for name, found in expected.items():
        assert found == pytest.approx(truth, abs=1e-12), name


def test_the_joint_variance_is_right_by_enumeration():
    """Its expectation is the variance of the estimate, and so is that of the simple one."""
    for estimate in (
        lambda draws: simple_precision(draws, RIGHT),
        lambda draws: joint_precision(TINY, SKEWED, draws, RIGHT),
    ):
        mean, square, told = np.zeros(2), np.zeros(2), np.zeros(2)
        for p, draws in every_outcome(SKEWED, (2, 2)):
            found = estimate(draws)
            mean += p * found.value
            square += p * found.value**2
            told += p * found.variance
        assert told == pytest.approx(square - mean**2, abs=1e-12)


def test_the_plain_horvitz_thompson_sum_is_unbiased_by_enumeration_of_poisson_samples():
    """The normalised one divides it by a sum whose expectation is 1; its bias is of order 1 / n."""
    tau = np.array([0.3, 0.8, 1.0, 0.6])
    metric = instance_metric(TINY)
    sums, ones, normalised, mass = np.zeros(2), np.zeros(2), np.zeros(2), 0.0
    for kept in product([False, True], repeat=4):
        kept = np.array(kept)
        p = np.prod(np.where(kept, tau, 1 - tau))
        if not p:
            continue
        mass += p
        found = PoissonPrecision(
            TINY, metric, PoissonSample(np.flatnonzero(kept), tau[kept]), RIGHT
        )
        sums += p * np.nan_to_num(found.estimates.value) * found.total
        ones += p * found.total
        normalised += p * found.estimates.value
    assert mass == pytest.approx(1)
    assert ones == pytest.approx([1, 1])
    assert sums == pytest.approx(TINY.sums(metric * RIGHT[TINY.claim]))
    assert normalised == pytest.approx([2 / 3, 2 / 3], abs=0.1)


# --- Exact cases --------------------------------------------------------------------------------


def poisson(predictions, correct, size, seed=0):
    metric = instance_metric(predictions)
    tau = inclusion_probabilities(predictions, metric, size)
    rng = np.random.default_rng(seed)
    sample = coordinated_sample(tau, rng.random(predictions.n_claims))
    return PoissonPrecision(predictions, metric, sample, correct)


def test_a_system_smaller_than_its_draws_is_a_census_without_variance():
    correct = np.repeat([1.0, 0.0], [30, 10])
    found = poisson(Predictions.of([np.arange(40)]), correct, 50)
    assert found.estimates.value == pytest.approx([0.75])
    assert found.estimates.variance == [0]
    assert np.isinf(found.estimates.effective).all()
    low, high = precision_interval(found.estimates)
    assert (low, high) == (pytest.approx([0.75]), pytest.approx([0.75]))


def test_a_perfect_system_is_1_with_an_interval_below_and_an_empty_one_has_none():
    predictions = Predictions.of([np.arange(1000), []], 1000)
    found = poisson(predictions, np.ones(1000), 60)
    assert found.estimates.value[0] == pytest.approx(1)
    low, high = precision_interval(found.estimates)
    assert 0.9 < low[0] < 1
    assert high[0] == pytest.approx(1)
    assert np.isnan(found.estimates.value[1])
    assert np.isnan([low[1], high[1]]).all()


def test_a_system_without_a_right_claim_is_0_with_an_interval_above():
    found = poisson(Predictions.of([np.arange(1000)]), np.zeros(1000), 60)
    low, high = precision_interval(found.estimates)
    assert found.estimates.value == [0]
    assert low[0] == 0
    assert 0.01 < high[0] < 0.1


def test_copies_of_one_system_change_nothing_but_n():
    """Three copies with 20 draws each say what one says with 60."""
    claims, correct = np.arange(200), np.tile([1.0, 0.0, 1.0, 1.0], 50)
    one, three = Predictions.of([claims]), Predictions.of([claims] * 3)
    drawn = np.random.default_rng(1).integers(200, size=60)
    alone = Draws(csr_array((np.ones(60), (np.zeros(60), drawn)), shape=(1, 200)))
    split = Draws(csr_array((np.ones(60), (np.repeat([0, 1, 2], 20), drawn)), shape=(3, 200)))
    want = joint_precision(one, instance_metric(one), alone, correct)
    found = joint_precision(three, instance_metric(three), split, correct)
    assert found.value == pytest.approx(np.repeat(want.value, 3))
    assert found.variance == pytest.approx(np.repeat(want.variance, 3), rel=0.1)
    # Poisson: the same sample whether one draws or three of them do
    a, b = poisson(one, correct, 60), poisson(three, correct, 60)
    assert b.estimates.value == pytest.approx(np.repeat(a.estimates.value, 3))
    assert b.estimates.variance == pytest.approx(np.repeat(a.estimates.variance, 3))
    assert len(a.sample.claims) == len(b.sample.claims)


def test_disjoint_systems_learn_nothing_of_each_other():
    predictions = Predictions.of([np.arange(100), np.arange(100, 300)])
    correct = np.random.default_rng(2).integers(2, size=300).astype(float)
    metric = instance_metric(predictions)
    draws = draw_with_replacement(predictions, metric, [40, 70], np.random.default_rng(3))
    own = simple_precision(draws, correct)
    for found in (
        joint_precision(predictions, metric, draws, correct),
        paired_weights_precision(predictions, metric, draws, correct),
    ):
        assert found.value == pytest.approx(own.value)
        assert found.variance == pytest.approx(own.variance)


def nested(correct, normalised):
    """Mean and variance over 300 samples of a large system and a small one within it."""
    predictions = Predictions.of([np.arange(400), np.arange(100)])
    metric = instance_metric(predictions)
    found = []
    for seed in range(300):
        draws = draw_with_replacement(predictions, metric, 50, np.random.default_rng(seed))
        found.append(
            joint_precision(predictions, metric, draws, correct, normalised=normalised).value
        )
    return np.mean(found, axis=0), np.var(found, axis=0)


def test_nested_systems_share_what_lies_in_both():
    """The small one's draws all lie in the large one; estimates of both use all that do."""
    mean, variance = nested(np.repeat([1.0, 0.0], [60, 340]), normalised=True)
    assert mean == pytest.approx([0.15, 0.6], abs=0.01)
    assert (variance < 0.9 * np.array([0.15 * 0.85, 0.6 * 0.4]) / 50).all()


def test_balance_without_normalisation_can_be_worse_than_simple():
    """A perfect system: its own draws say 1 without any variance. Of the sum over all draws it is
    0.016^2 x 50 x .25 x .75 = .0024, for how many of the other's draws lie in it is left to chance.
    """
    perfect = np.repeat([1.0, 0.0], [100, 300])
    mean, variance = nested(perfect, normalised=False)
    assert mean[1] == pytest.approx(1, abs=0.01)
    assert variance[1] == pytest.approx(0.0024, rel=0.25)
    mean, variance = nested(perfect, normalised=True)
    assert mean[1] == 1
    assert variance[1] == 0


# --- Sampling -----------------------------------------------------------------------------------


def test_permanent_numbers_are_the_same_in_any_company_and_even():
    keys = np.arange(20_000, dtype=np.uint64)
    numbers = permanent_numbers(keys, seed=5)
    assert permanent_numbers(keys[[7, 19_000]], seed=5) == pytest.approx(numbers[[7, 19_000]])
    assert abs(np.corrcoef(numbers, permanent_numbers(keys, seed=6))[0, 1]) < 0.03
    counts = np.histogram(numbers, bins=20, range=(0, 1))[0]
    assert ((counts - 1000) ** 2 / 1000).sum() < 45  # chi-square, 19 degrees of freedom


def test_permanent_numbers_never_change():
    """Plans that were made are planned on: SplitMix64 of 0 is e220a8397b1dcdaf."""
    assert int(mixed(np.zeros(1, dtype=np.uint64))[0]) == 0xE220A8397B1DCDAF
    found = permanent_numbers(np.array([1, 2, 2**63], dtype=np.uint64), seed=7)
    assert found == pytest.approx([0.6383707900826676, 0.25693821479692663, 0.25294683897005316])


def test_a_system_that_comes_later_leaves_what_was_drawn_as_it_was():
    pool = made_pool()
    numbers = np.random.default_rng(4).random(pool.predictions.n_claims)
    few = Predictions.of(
        [pool.predictions.claims_of(i) for i in range(5)], pool.predictions.n_claims
    )
    before = coordinated_sample(inclusion_probabilities(few, instance_metric(few), 80), numbers)
    after = coordinated_sample(inclusion_probabilities(pool.predictions, pool.metric, 80), numbers)
    assert set(before.claims) < set(after.claims)


def test_as_many_labels_as_asked_for():
    pool = made_pool()
    n = size_for_labels(pool.predictions, pool.metric, 300)
    tau = inclusion_probabilities(pool.predictions, pool.metric, n)
    assert tau.sum() == pytest.approx(300)
    assert size_for_labels(pool.predictions, pool.metric, 10**9) == float("inf")


# --- Control variates and labels that are probabilities -----------------------------------------


def test_a_proxy_that_is_right_leaves_no_variance_and_a_bad_one_does_no_harm_to_the_mean():
    pool = made_pool()
    p, m = pool.predictions, pool.metric
    tau = inclusion_probabilities(p, m, 100)
    rng = np.random.default_rng(0)
    bad = rng.random(p.n_claims)
    values = []
    for _ in range(200):
        sample = coordinated_sample(tau, rng.random(p.n_claims))
        right = PoissonPrecision(p, m, sample, pool.correct, proxy=pool.correct)
        assert right.estimates.value == pytest.approx(pool.precision)
        assert right.estimates.variance == pytest.approx(np.zeros(p.n_systems), abs=1e-12)
        values.append(PoissonPrecision(p, m, sample, pool.correct, proxy=bad).estimates.value)
    assert np.mean(values, axis=0) == pytest.approx(pool.precision, abs=0.012)


def test_a_proxy_that_learns_has_not_seen_the_label_it_is_compared_with():
    pool = made_pool()
    p = pool.predictions
    stratum = p.teams_per_claim(np.array([0, 1, 2, 0, 1, 2])) - 1
    assert set(stratum) == {0, 1, 2}
    fold = folds_of(pool.document, 5, np.random.default_rng(0))
    tau = inclusion_probabilities(p, pool.metric, 100)
    sample = coordinated_sample(tau, np.random.default_rng(1).random(p.n_claims))
    first = agreement_proxy(stratum, pool.correct, sample, fold)
    claim = sample.claims[0]
    other = pool.correct.copy()
    other[claim] = 1 - other[claim]
    changed = agreement_proxy(stratum, other, sample, fold) != first
    assert changed.any()
    assert not changed[fold == fold[claim]].any()
    assert first[stratum == 2].mean() > first[stratum == 0].mean()


def test_noise_of_labels_stays_where_all_claims_are_judged():
    n, q = 400, 0.7
    predictions = Predictions.of([np.arange(n)])
    found = poisson(predictions, np.full(n, q), 10**6)
    assert found.estimates.variance == [0]
    assert found.noise == pytest.approx([q * (1 - q) / n])
    low, high = precision_interval(found.estimates, noise=found.noise)
    rng = np.random.default_rng(0)
    truths = rng.binomial(n, q, 2000) / n
    assert ((truths >= low) & (truths <= high)).mean() == pytest.approx(0.9, abs=0.03)


def test_the_least_noise_of_labels_that_are_all_right_does_not_widen_the_interval():
    predictions = Predictions.of([np.arange(200)])
    sample = coordinated_sample(
        inclusion_probabilities(predictions, instance_metric(predictions), 100),
        permanent_numbers(mixed(np.arange(200, dtype=np.uint64))),
    )
    sure, nearly = (
        PoissonPrecision(predictions, instance_metric(predictions), sample, np.full(200, right))
        for right in (1.0, 0.9999)
    )
    [widest], [low] = (
        precision_interval(one.estimates, noise=one.noise)[0] for one in (sure, nearly)
    )
    assert low == pytest.approx(widest, abs=0.01)  # it was 0, as of no judgment


def test_the_most_probable_label_is_biased_where_the_posterior_is_not():
    """.63 of the claims are right; answers are so few that .58 are taken to be."""
    rng = np.random.default_rng(1)
    n = 40_000
    truth = (rng.random(n) < 0.63).astype(float)
    yes = rng.binomial(2, np.where(truth == 1, 0.8, 0.3))  # of two answers
    like = {t: np.array([(1 - s) ** 2, 2 * s * (1 - s), s**2]) for t, s in ((1, 0.8), (0, 0.3))}
    q = 0.63 * like[1][yes] / (0.63 * like[1][yes] + 0.37 * like[0][yes])
    assert truth.mean() == pytest.approx(0.63, abs=0.01)
    assert q.mean() == pytest.approx(truth.mean(), abs=0.01)
    unanimous = yes != 1  # "no majority" dropped, as rows often are
    assert abs((yes[unanimous] == 2).mean() - truth.mean()) > 0.04


def test_a_product_has_the_interval_of_both():
    """Against what was drawn: two estimates that are log-normal."""
    rng = np.random.default_rng(0)
    logs = rng.normal(np.log([[0.5], [0.8]]), [[0.1], [0.05]], (2, 40_000))
    one, other = np.array([0.5]), np.array([0.8])
    ends = [tuple(np.exp(np.log(v) + sign * 1.645 * s) for sign in (-1, 1))
            for v, s in ((one, 0.1), (other, 0.05))]  # fmt: skip
    low, high = product_interval(one, ends[0], other, ends[1])
    drawn = np.quantile(np.exp(logs.sum(axis=0)), [0.05, 0.95])
    assert [low[0], high[0]] == pytest.approx(drawn, rel=0.01)
    # What is certain adds nothing, and what is nothing is held by the upper ends.
    sure = np.ones(1), (np.ones(1), np.ones(1))
    assert np.concatenate(product_interval(one, ends[0], *sure)) == pytest.approx(
        np.concatenate(ends[0])
    )
    ends = product_interval(np.zeros(1), (np.zeros(1), np.full(1, 0.2)), *sure)
    assert np.concatenate(ends) == pytest.approx([0, 0.2])
