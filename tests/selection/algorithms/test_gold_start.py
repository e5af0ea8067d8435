import numpy as np
import pytest

from aggregation.algorithms import CrowdLabels, DawidSkene, OneCoin
from selection.algorithms import fit_from_gold, gold_counts


def crowd(accuracy, *, seed, n_units=500, n_gold=10, n_classes=2):
    rng = np.random.default_rng(seed)
    n_workers = len(accuracy)
    truth = rng.integers(n_classes, size=n_units)
    off = rng.integers(1, n_classes, size=(n_units, n_workers))
    off[rng.random((n_units, n_workers)) < accuracy] = 0
    unit, worker = np.divmod(np.arange(n_units * n_workers), n_workers)
    said = ((truth[:, None] + off) % n_classes).ravel()
    gold = np.where(np.arange(n_units) < n_gold, truth, -1)
    return CrowdLabels(unit, worker, said, n_units, n_workers, n_classes), gold, truth


def test_counts_are_of_units_with_gold():
    labels = CrowdLabels([0, 1, 2, 0, 1], [0, 0, 0, 1, 2], [1, 0, 1, 0, 0], 3, 4, 2)
    right, told = gold_counts(labels, [1, 1, -1])
    assert right.tolist() == [1, 0, 0, 0]
    assert told.tolist() == [2, 1, 1, 0]


@pytest.mark.parametrize("method", [DawidSkene, OneCoin])
def test_gold_puts_em_on_the_right_side_where_most_workers_are_wrong(method):
    accuracy = np.array([0.9, 0.85, 0.2, 0.15, 0.1, 0.3, 0.2])
    found = []
    for seed in range(10):
        labels, gold, truth = crowd(accuracy, seed=seed)
        fitted = fit_from_gold(labels, gold, method=method)
        assert isinstance(fitted, method)
        found.append((fitted.predict() == truth)[10:].mean())
        assert (fitted.predict() == truth)[:10].all()
        assert (method().fit(labels).predict() == truth).mean() < 0.1
    assert min(found) > 0.93


def test_it_does_better_than_weights_that_are_never_negative():
    accuracy = np.array([0.85, 0.2, 0.15, 0.25, 0.2])
    plain, ours = [], []
    for seed in range(10):
        labels, gold, truth = crowd(accuracy, seed=seed, n_units=1_000, n_gold=6)
        plain.append((DawidSkene().fit(labels, gold=gold).predict() == truth)[6:].mean())
        ours.append((fit_from_gold(labels, gold).predict() == truth)[6:].mean())
    assert np.mean(ours) > 0.85
    assert np.mean(ours) > np.mean(plain) + 0.05


def test_a_worker_without_gold_is_a_usual_one_at_first_and_is_learnt_then():
    labels, gold, _ = crowd(np.array([0.9, 0.9, 0.5]), seed=1, n_classes=3)
    kept = (labels.worker != 2) | (labels.unit >= 10)
    labels = CrowdLabels(
        labels.unit[kept], labels.worker[kept], labels.label[kept], labels.n_units, 3, 3
    )
    first = fit_from_gold(labels, gold, max_iter=1)
    right, told = gold_counts(labels, gold)
    usual = (right.sum() + 1) / (told.sum() + 3)
    assert told[2] == 0
    assert first.confusion_[2].diagonal() == pytest.approx(np.full(3, usual))
    assert fit_from_gold(labels, gold).reliability_.accuracy[2] == pytest.approx(0.5, abs=0.1)


def test_settings_reach_the_method_and_without_gold_it_starts_as_it_does():
    labels, gold, _ = crowd(np.array([0.9, 0.7]), seed=2, n_units=30)
    fitted = fit_from_gold(labels, gold, diagonal=3.0, max_iter=2, tol=0.0)
    assert fitted.diagonal == 3.0
    assert fitted.diagnostics_.iterations == 2
    plain = fit_from_gold(labels, np.full(30, -1))
    assert (plain.posterior_ == DawidSkene().fit(labels).posterior_).all()
