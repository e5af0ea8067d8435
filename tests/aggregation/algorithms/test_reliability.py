import numpy as np
import pytest
from scipy.stats import beta

from aggregation.algorithms.reliability import Hits, reliability_of


def reliability(right, *, worker=None, judged=None):
    right = np.array(right, dtype=float)
    worker = np.zeros(len(right), dtype=np.int32) if worker is None else worker
    judged = np.array(judged or [len(right)])
    return reliability_of(Hits.of(worker, right, len(judged)), judged)


def test_known_truth_gives_jeffreys_interval():
    found = reliability([1] * 8 + [0] * 2)
    exact = beta(8.5, 2.5)
    assert found.accuracy == pytest.approx([8.5 / 11])
    assert (found.low[0], found.high[0]) == pytest.approx(exact.interval(0.95))


def test_uncertain_truth_widens_the_interval():
    sure, unsure = reliability([1] * 8 + [0] * 2), reliability([0.8] * 10)
    assert unsure.accuracy == pytest.approx(sure.accuracy)
    assert unsure.low < sure.low
    assert unsure.high > sure.high


def test_mean_and_interval_are_those_of_a_simulated_truth():
    right = np.linspace(0.3, 1.0, 25)
    rng = np.random.default_rng(0)
    hits = (rng.random((200_000, 25)) < right).sum(axis=1)
    accuracy = rng.beta(hits + 0.5, 25 - hits + 0.5)
    found = reliability(right)
    assert found.accuracy[0] == pytest.approx(accuracy.mean(), abs=0.001)
    assert found.low[0] == pytest.approx(np.quantile(accuracy, 0.025), abs=0.01)
    assert found.high[0] == pytest.approx(np.quantile(accuracy, 0.975), abs=0.01)


def test_worker_of_whom_nothing_is_known_has_the_prior():
    found = reliability([1], worker=np.array([1], dtype=np.int32), judged=[3, 1])
    assert found.accuracy.tolist() == [0.5, 0.75]
    assert found.low[0] < 0.01
    assert found.high[0] > 0.99
    assert found.judged.tolist() == [3, 1]


def test_rounding_above_one_does_no_harm():
    assert reliability([1 + 1e-12] * 5).accuracy == pytest.approx([5.5 / 6])


def test_without_workers_there_is_nothing_to_say():
    found = reliability_of(Hits.none(0), np.empty(0, dtype=np.int64))
    assert found.accuracy.tolist() == []


def test_hits_of_parts_add_up():
    worker, right = np.array([0, 1, 0, 1]), np.array([0.2, 0.5, 0.9, 1.0])
    whole = Hits.of(worker, right, 2)
    parts = Hits.of(worker[:3], right[:3], 2) + Hits.of(worker[3:], right[3:], 2)
    for name in ("compared", "right", "spread"):
        assert getattr(parts, name) == pytest.approx(getattr(whole, name))
