"""What would tell two systems apart, against draws that were made so."""

import numpy as np
import pytest

from evaluation.algorithms.bootstrap import bootstrap, f1_of, f1_variance
from evaluation.algorithms.documents import Documents
from evaluation.algorithms.intervals import quantile
from evaluation.algorithms.metrics import instance_metric
from evaluation.algorithms.precision import PoissonPrecision
from evaluation.algorithms.predictions import Predictions
from evaluation.algorithms.recall import PoissonPooledRecall, pool_recall
from evaluation.algorithms.sampling import coordinated_sample
from evaluation.algorithms.settling import labels_to_settle, paired_f1, paired_precision

N = 4_000
RIGHT = np.random.default_rng(0).random(N) < 0.7
PAIR = Predictions.of([np.arange(0, 3_000), np.arange(1_000, 4_000)], N)


def drawn(rate, seed):
    rng = np.random.default_rng(seed)
    sample = coordinated_sample(np.full(N, rate), rng.random(N))
    return PoissonPrecision(PAIR, instance_metric(PAIR), sample, RIGHT.astype(float)), sample


def test_so_many_judgments_more_bring_the_variance_that_was_told():
    found, _ = drawn(0.1, 1)
    pair = paired_precision(found, 0, 1)
    covariance = found.covariance()
    assert pair.variance(1) == pytest.approx(
        covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    )
    difference = 0.02
    labels = labels_to_settle(pair, difference)
    rate = 0.1 + labels / N  # all claims are of one of both
    apart = []
    for seed in range(400):
        value = drawn(rate, seed + 10)[0].estimates.value
        apart.append(value[0] - value[1])
    assert float(quantile(0.9)) * np.std(apart) == pytest.approx(difference, rel=0.12)


def test_what_no_judgment_changes_is_said():
    found, _ = drawn(0.1, 1)
    pair = paired_precision(found, 0, 1)
    assert labels_to_settle(pair, 0.5) == 0  # it is settled
    assert labels_to_settle(pair, 1e-9) == pytest.approx(N * 0.9, rel=0.1)  # all of them
    unsure = PoissonPrecision(PAIR, instance_metric(PAIR), found.sample, np.full(N, 0.5))
    assert labels_to_settle(paired_precision(unsure, 0, 1), 0.001) is None


def test_f1_goes_by_both_halves_and_by_the_documents():
    found, sample = drawn(0.1, 1)
    pooled = PoissonPooledRecall(PAIR, sample, RIGHT.astype(float))
    documents = Documents.of(np.repeat(np.arange(50), 8), 50)
    inside = (np.random.default_rng(3).random(400) < 0.8).astype(float)
    theta = pool_recall(inside, documents)
    pair = paired_f1(found, pooled, theta, 0, 1)
    again = bootstrap(found, pooled, np.random.default_rng(2), theta=theta, in_pool=inside,
                      documents=documents, replicates=2_000)  # fmt: skip
    assert pair.variance(1) == pytest.approx(np.var(again.f1[:, 0] - again.f1[:, 1]), rel=0.15)
    value = f1_of(found.estimates.value, theta.value * pooled.value)
    assert value[0] != value[1]
    assert (f1_variance(found, pooled, theta) > 0).all()
    assert labels_to_settle(pair, 0.02) > labels_to_settle(pair, 0.03) > 0
