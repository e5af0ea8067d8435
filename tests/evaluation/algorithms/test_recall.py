"""Recall: pooled, exhaustive, hybrid, unassessed; F1, differences and ranks."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from evaluation.algorithms.annotators import annotator_scores
from evaluation.algorithms.bootstrap import (
    bootstrap,
    f1_of,
    f1_variance,
    paired_differences,
    percentile_interval,
    rank_probabilities,
)
from evaluation.algorithms.documents import Documents, document_ratio
from evaluation.algorithms.intervals import logit_interval
from evaluation.algorithms.metrics import instance_metric
from evaluation.algorithms.precision import PoissonPrecision
from evaluation.algorithms.predictions import Predictions
from evaluation.algorithms.recall import (
    PoissonPooledRecall,
    exhaustive_recall,
    hybrid_of_instances,
    hybrid_recall,
    joint_pooled_recall,
    macro_recall,
    paired_weights_recall,
    pool_recall,
    pooled_efficiency,
    product_estimates,
    unassessed_recall,
)
from evaluation.algorithms.sampling import (
    PoissonSample,
    coordinated_sample,
    draw_with_replacement,
    inclusion_probabilities,
)
from experiments.evaluation.pools import made_pool
from tests.evaluation.algorithms.test_precision import RIGHT, SKEWED, TINY, every_outcome


def drawn(predictions, size, seed=0):
    metric = instance_metric(predictions)
    return metric, draw_with_replacement(predictions, metric, size, np.random.default_rng(seed))


def census(predictions):
    return PoissonSample(np.arange(predictions.n_claims), np.ones(predictions.n_claims))


# --- Exact cases: theta is .6 in both, so recall is .6 nu ---------------------------------------


def test_disjoint_systems_have_half_of_the_pool_each_where_the_papers_weights_say_all():
    """Recall .30 each; by the paper's weights .60."""
    predictions = Predictions.of([np.arange(300), np.arange(300, 600)])
    metric, draws = drawn(predictions, 4_000)
    correct = np.ones(600)
    assert 0.6 * joint_pooled_recall(predictions, metric, draws, correct).value == pytest.approx(
        [0.3, 0.3], abs=0.01
    )
    assert 0.6 * paired_weights_recall(predictions, metric, draws, correct) == pytest.approx(
        [0.6, 0.6]
    )


def test_a_chain_is_right_by_the_balance_heuristic_alone():
    """A and C share half of B each: recall .30 each; by the paper's weights .42, .30, .42."""
    predictions = Predictions.of([np.arange(200), np.arange(100, 300), np.arange(200, 400)])
    metric, draws = drawn(predictions, 6_000)
    found = joint_pooled_recall(predictions, metric, draws, np.ones(400))
    assert 0.6 * found.value == pytest.approx([0.3, 0.3, 0.3], abs=0.01)
    paper = 0.6 * paired_weights_recall(predictions, metric, draws, np.ones(400))
    assert paper == pytest.approx([0.42, 0.30, 0.42], abs=0.02)


def test_identical_systems_have_the_whole_pool():
    predictions = Predictions.of([np.arange(50)] * 3)
    metric, draws = drawn(predictions, 30)
    found = joint_pooled_recall(predictions, metric, draws, np.tile([1.0, 0.0], 25))
    assert found.value == pytest.approx([1, 1, 1])
    assert found.variance == pytest.approx([0, 0, 0])


def test_without_a_correct_sample_recall_is_not_estimable():
    predictions = Predictions.of([np.arange(50), np.arange(30, 90)])
    metric, draws = drawn(predictions, 30)
    assert np.isnan(joint_pooled_recall(predictions, metric, draws, np.zeros(90)).value).all()
    found = PoissonPooledRecall(predictions, census(predictions), np.zeros(90))
    assert np.isnan(found.estimates.value).all()
    assert np.isnan(found.estimates.variance).all()


def test_nu_is_consistent_by_enumeration():
    """A ratio of two unbiased sums: its bias shrinks with every draw."""
    truth, bias = 2 / 3, []  # of the correct claims 0, 2 and 3 each system has two
    for sizes in ((2, 2), (3, 3)):
        mean = np.zeros(2)
        for p, draws in every_outcome(SKEWED, sizes):
            value = joint_pooled_recall(TINY, SKEWED, draws, RIGHT).value
            mean += p * np.nan_to_num(value, nan=truth)
        bias.append(np.abs(mean - truth))
    assert (bias[1] < 0.8 * bias[0]).all()
    draws = draw_with_replacement(TINY, SKEWED, 20_000, np.random.default_rng(0))
    found = joint_pooled_recall(TINY, SKEWED, draws, RIGHT).value
    assert found == pytest.approx([truth, truth], abs=0.01)


def test_a_poisson_census_is_the_truth():
    pool = made_pool()
    found = PoissonPooledRecall(pool.predictions, census(pool.predictions), pool.correct)
    assert found.estimates.value == pytest.approx(pool.nu)
    assert found.estimates.variance == pytest.approx(np.zeros(6))


def test_a_proxy_serves_pooled_recall_and_halves_the_variance_where_it_is_good():
    pool = made_pool()
    p = pool.predictions
    proxy = 0.15 + 0.7 * pool.correct
    tau = inclusion_probabilities(p, pool.metric, 60)
    rng = np.random.default_rng(0)
    plain, better = [], []
    for _ in range(200):
        sample = coordinated_sample(tau, rng.random(p.n_claims))
        plain.append(PoissonPooledRecall(p, sample, pool.correct).estimates.value)
        better.append(PoissonPooledRecall(p, sample, pool.correct, proxy=proxy).estimates.value)
    assert np.mean(better, axis=0) == pytest.approx(pool.nu, abs=0.01)
    assert (np.var(better, axis=0) < 0.5 * np.var(plain, axis=0)).all()


# --- Documents ----------------------------------------------------------------------------------


def test_variance_over_documents_is_that_of_repeated_samples():
    pool = made_pool()
    rng = np.random.default_rng(1)
    values, told, instances = [], [], []
    for _ in range(400):
        documents, claim = pool.documents(rng.choice(pool.n_documents, 60, replace=False))
        found = pool_recall(claim >= 0, documents)
        values.append(found.value[0])
        told.append(found.variance[0])
        instances.append(found.value[0] * (1 - found.value[0]) / len(claim))
    assert np.mean(values) == pytest.approx(pool.theta, abs=0.01)
    assert np.mean(told) * (1 - 60 / 400) == pytest.approx(np.var(values), rel=0.2)
    assert np.mean(instances) < 0.5 * np.var(values)  # as if instances were independent


def test_a_corpus_annotated_in_full_leaves_nothing_to_chance():
    whole = Documents.of([0, 0, 1, 2], 4, corpus=4)
    assert pool_recall([1, 0, 1, 1], whole).variance == pytest.approx([0])
    assert pool_recall([1, 0, 1, 1], whole).value == pytest.approx([0.75])


def test_weights_of_documents_undo_an_uneven_draw():
    """Documents of one kind were drawn four times as often as those of the other."""
    pool = made_pool()
    rng = np.random.default_rng(2)
    often = np.bincount(pool.true_document, minlength=400) > 6
    values = []
    for _ in range(300):
        chosen = np.flatnonzero(rng.random(400) < np.where(often, 0.4, 0.1))
        documents, claim = pool.documents(chosen)
        weighted = Documents.of(documents.document, len(chosen), np.where(often, 1.0, 4.0)[chosen])
        values.append([pool_recall(claim >= 0, one).value[0] for one in (documents, weighted)])
    even, uneven = np.mean(values, axis=0)[1], np.mean(values, axis=0)[0]
    assert even == pytest.approx(pool.theta, abs=0.01)
    assert abs(uneven - pool.theta) > abs(even - pool.theta)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 3], 3), "must be 0 to 2"),
        (([0], 1, [0.0]), "weight above 0"),
        (([0], 5, None, 4), "corpus has 4"),
    ],
)
def test_documents_that_can_not_be_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Documents.of(*arguments)


def test_macro_recall_goes_over_groups_that_two_documents_have():
    documents = Documents.of([0, 0, 1, 1, 2, 2], 3)
    group = [0, 0, 0, 2, 2, 3]  # of group 3 one document alone has an instance
    found = macro_recall(csr_array(np.array([[1.0, 0, 1, 1, 0, 1]])), group, documents)
    assert found.value == pytest.approx([(2 / 3 + 1 / 2) / 2])
    assert found.variance > 0
    alone = macro_recall(csr_array(np.ones((2, 1))), [0], Documents.of([0], 3))
    assert np.isnan(alone.value).all()


def test_no_document_with_a_claim_is_not_estimable():
    nothing = pool_recall(np.zeros(0), Documents.of([], 5))
    assert np.isnan(nothing.value).all()
    assert np.isnan(document_ratio([[1.0]], [1.0], Documents.of([0], 1)).variance).all()


# --- Hybrid -------------------------------------------------------------------------------------


def test_the_closed_form_of_the_hybrid_is_the_general_one():
    theta, nu, n = np.array(0.6), np.array([0.5, 0.8]), 300
    v_e = theta * nu * (1 - theta * nu) / n
    v_nu = nu * (1 - nu) / 1000
    v_p = theta**2 * v_nu + nu**2 * theta * (1 - theta) / n
    found = hybrid_of_instances(theta, nu, v_e, v_p, v_nu)
    share = theta**2 * v_nu / (v_e - v_p + 2 * theta**2 * v_nu)
    covariance = v_p - theta**2 * v_nu
    assert found.share == pytest.approx(share)
    assert found.variance == pytest.approx(
        (v_e * v_p - covariance**2) / (v_e + v_p - 2 * covariance)
    )
    # "Relative efficiencies add" promises too much.
    promised = 1 / (1 / v_e + 1 / v_p)
    assert (found.variance > 1.09 * promised).all()


def test_pooled_recall_is_better_by_another_factor_than_the_papers():
    """S (1 - theta) / (1 - S theta), S = .5 and theta = .6: .286 of the variance, and not .25."""
    assert pooled_efficiency(0.5, 0.6) == pytest.approx(0.2857, abs=1e-4)
    rng = np.random.default_rng(0)
    in_pool = rng.random((20_000, 200)) < 0.6
    mine = in_pool & (rng.random(in_pool.shape) < 0.5)
    v_e, v_p = np.var(mine.mean(axis=1)), np.var(0.5 * in_pool.mean(axis=1))
    assert v_p / v_e == pytest.approx(0.2857, rel=0.05)


def test_the_hybrid_is_at_least_as_good_as_both_over_clustered_documents():
    pool = made_pool()
    p = pool.predictions
    rng = np.random.default_rng(3)
    tau = inclusion_probabilities(p, pool.metric, 40)
    rows = []
    for _ in range(300):
        documents, claim = pool.documents(rng.choice(400, 50, replace=False))
        exhaustive = exhaustive_recall(held(p, claim), documents)
        theta = pool_recall(claim >= 0, documents)
        sample = coordinated_sample(tau, rng.random(p.n_claims))
        nu = PoissonPooledRecall(p, sample, pool.correct).estimates
        pooled, hybrid = product_estimates(theta, nu), hybrid_recall(exhaustive, theta, nu)
        rows.append([exhaustive.value, pooled.value, hybrid.value, np.sqrt(hybrid.variance)])
    values = np.array(rows)
    spread = values.var(axis=0)
    assert values[:, 2].mean(axis=0) == pytest.approx(pool.theta * pool.nu, abs=0.01)
    assert (spread[2] < 1.05 * np.minimum(spread[0], spread[1])).all()
    assert values[:, 3].mean(axis=0) == pytest.approx(np.sqrt(spread[2]), rel=0.25)


def held(predictions, claim):
    """1 where the system makes the claim of that true instance; -1 is one that nobody makes."""
    padded = np.zeros((predictions.n_systems, predictions.n_claims + 1))
    padded[:, :-1] = predictions.members().toarray()
    return csr_array(padded[:, claim])


def test_the_early_papers_example_of_unassessed_output_is_61_percent():
    """Half of the output by one system alone (10 % right), half by two (20 %); ours has half of the
    first and two thirds of the second. The paper says 1/10."""
    n = 1200
    stratum = np.repeat([0, 1], n // 2)
    mine = np.concatenate([np.arange(300), 600 + np.arange(400)])
    found = unassessed_recall(
        Predictions.of([mine, np.arange(n)]), stratum, np.array([0.1, 0.2]), np.zeros(2)
    )
    assert found.value == pytest.approx([0.6111, 1], abs=1e-4)


# --- F1, differences, ranks ---------------------------------------------------------------------


def scored(seed, *, n=120, documents=80, replicates=300, pool=None):
    pool = pool or made_pool()
    rng = np.random.default_rng(seed)
    p = pool.predictions
    sample = coordinated_sample(inclusion_probabilities(p, pool.metric, n), rng.random(p.n_claims))
    precision = PoissonPrecision(p, pool.metric, sample, pool.correct)
    pooled = PoissonPooledRecall(p, sample, pool.correct)
    annotated, claim = pool.documents(rng.choice(pool.n_documents, documents, replace=False))
    theta = pool_recall(claim >= 0, annotated)
    replicated = bootstrap(
        precision, pooled, rng, theta=theta, in_pool=(claim >= 0).astype(float),
        documents=annotated, replicates=replicates,
    )  # fmt: skip
    return precision, pooled, theta, replicated


def test_replicates_spread_as_the_formulas_say():
    precision, pooled, theta, replicated = scored(0, replicates=2000)
    assert replicated.precision.var(axis=0) == pytest.approx(precision.estimates.variance, rel=0.12)
    assert replicated.pooled_recall.var(axis=0) == pytest.approx(
        pooled.estimates.variance, rel=0.12
    )
    recall = product_estimates(theta, pooled.estimates)
    assert replicated.recall.var(axis=0) == pytest.approx(recall.variance, rel=0.12)
    assert replicated.f1.var(axis=0) == pytest.approx(
        f1_variance(precision, pooled, theta), rel=0.12
    )


def test_replicates_spread_by_noise_of_labels_as_the_formulas_say():
    pool = made_pool()
    p = pool.predictions
    tau = np.maximum(inclusion_probabilities(p, pool.metric, 300), 0.3)
    sample = coordinated_sample(tau, np.random.default_rng(0).random(p.n_claims))
    soft, rng = 0.2 + 0.6 * pool.correct, np.random.default_rng(1)
    shared = rng.normal(0, 0.05, (200, 1)) * rng.random(len(sample.claims))
    shared -= shared.mean(axis=0)
    precision = PoissonPrecision(p, pool.metric, sample, soft, shared=shared)
    pooled = PoissonPooledRecall(p, sample, soft, shared=shared)
    assert (precision.noise > 1.5 * PoissonPrecision(p, pool.metric, sample, soft).noise).all()
    replicated = bootstrap(precision, pooled, rng, replicates=1500)
    spread = replicated.precision.var(axis=0), replicated.pooled_recall.var(axis=0)
    for found, variance in zip((precision, pooled), spread, strict=True):
        assert variance == pytest.approx(found.estimates.variance + found.noise, rel=0.15)
    assert np.isnan(replicated.f1).all()  # without documents


def test_a_difference_is_paired():
    precision, _, _, replicated = scored(1, replicates=2000)
    found = paired_differences(precision.estimates.value, replicated.precision)
    assert (found.first < found.second).all()
    covariance = precision.covariance()
    for k, (i, j) in enumerate(zip(found.first, found.second, strict=True)):
        variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
        width = 2 * 1.645 * np.sqrt(variance)
        assert found.high[k] - found.low[k] == pytest.approx(width, rel=0.15)
        assert found.low[k] < found.value[k] < found.high[k]
    apart = np.sqrt(np.add.outer(np.diag(covariance), np.diag(covariance)))
    paired = np.sqrt(np.add.outer(np.diag(covariance), np.diag(covariance)) - 2 * covariance)
    assert (paired[0, 3] < apart[0, 3]).all()  # of one team: much is shared


def test_ranks_are_probabilities_and_those_level_share_them():
    replicates = np.array([[0.5, 0.5, 0.1, np.nan], [0.7, 0.2, 0.3, np.nan]])
    ranks = rank_probabilities(replicates)
    assert ranks[0] == pytest.approx([0.75, 0.25, 0, 0])
    assert ranks[2] == pytest.approx([0, 0.5, 0.5, 0])
    assert np.isnan(ranks[3]).all()
    assert ranks[:3].sum(axis=0) == pytest.approx([1, 1, 1, 0])
    found = paired_differences(np.array([0.6, 0.35, 0.2, np.nan]), replicates)
    assert found.above[0] == pytest.approx(0.75)
    assert np.isnan(found.value[2])


def test_f1_is_not_estimable_where_nothing_is_right():
    assert np.isnan(f1_of(np.zeros(1), np.zeros(1)))
    assert np.isnan(percentile_interval(np.full((5, 1), np.nan))[0])


def test_recall_of_0_and_1_have_wilsons_interval():
    low, high = logit_interval([0.0, 1.0, 0.5], [0.0, 0.0, 0.01], effective=[50, 50, 50])
    assert low[0] == 0
    assert 0 < high[0] < 0.1
    assert high[1] == 1
    assert 0.9 < low[1] < 1
    assert low[2] < 0.5 < high[2]
    assert np.isnan(logit_interval(0.0, 0.0)[0])
    low, high = logit_interval([0.999], [0.0126**2], effective=[np.inf])
    assert (0.97 < low[0] < 0.98, high[0]) == (True, 1.0)


# --- Annotators ---------------------------------------------------------------------------------


def test_an_annotator_is_scored_by_the_majority_of_the_others():
    """Three annotators of two documents; the third document has one alone and doesn't count."""
    annotated = np.array([[1, 1, 1], [1, 1, 0], [1, 1, 0]])
    #                    doc 0: claims 0, 1    doc 1: claim 2    doc 2: claim 3
    marks = [(0, 0), (0, 1), (1, 0), (1, 2), (2, 0), (2, 2), (0, 3)]  # (annotator, claim)
    who, claim = zip(*marks, strict=True)
    scores = annotator_scores(claim, who, [0, 0, 1, 2], annotated)
    precision, recall = scores[0]
    # The others say 0 and 2 are true, 1 is not; the first has 0 and 1.
    assert precision.value == pytest.approx([0.5])
    assert recall.value == pytest.approx([0.5])
    # Of the second's others one marked claim 1 and one claim 2: half true each.
    assert scores[1][0].value == pytest.approx([0.75])
    assert scores[1][1].value == pytest.approx([0.75])
    with pytest.raises(ValueError, match="did not annotate"):
        annotator_scores([3], [1], [0, 0, 1, 2], annotated)


def test_what_is_unsure_of_a_document_widens_recall_by_as_much_as_was_annotated():
    """Of a census all doubt stays; of a small part of a corpus none, for it evens out."""
    share = np.array([1.0, 1.0, 0.5, 0.5, 1.0, 0.9])
    inside = np.array([1.0, 0.0, 1.0, 0.0, 1.0, 0.0])
    place = [0, 0, 1, 1, 2, 2]
    census = pool_recall(inside, Documents.of(place, 3, corpus=3, share=share))
    assert census.value == pytest.approx([2.5 / 4.9])
    draws = np.random.default_rng(0).random((40_000, 6)) < share
    simulated = (draws @ inside) / draws.sum(axis=1)
    assert census.variance == pytest.approx([simulated.var()], rel=0.1)
    assert census.noise == pytest.approx(census.variance)
    third = pool_recall(inside, Documents.of(place, 3, corpus=9, share=share))
    assert third.noise == pytest.approx(census.noise / 3)
    assert pool_recall(inside, Documents.of(place, 3, share=share)).noise == pytest.approx([0.0])
    # What workers have in common evens out nowhere, and nothing is told twice.
    moved = np.outer([-1.0, 1.0], [0.0, 0.0, 0.5, 0.5, 0.0, 0.0])
    common = pool_recall(inside, Documents.of(place, 3, share=share, shared=moved))
    both = [share + one for one in moved]
    assert common.noise == pytest.approx([np.var([one @ inside / 4.9 - one.sum() * 2.5 / 4.9**2
                                                  for one in both])])  # fmt: skip
    with pytest.raises(ValueError, match="needs a probability"):
        Documents.of(place, 3, share=[1.5] * 6)
    with pytest.raises(ValueError, match="needs a column"):
        Documents.of(place, 3, share=share, shared=moved[:, 1:])
