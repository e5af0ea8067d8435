import numpy as np
import pytest

from aggregation.algorithms import CrowdLabels, DawidSkene, GoldCounts, OneCoin
from tests.aggregation.algorithms.categorical.test_em import InThree


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


def counts_of(labels, gold):
    told = gold[labels.unit] != -1
    right = gold[labels.unit] == labels.label
    return GoldCounts(
        np.bincount(labels.worker[right], minlength=labels.n_workers),
        np.bincount(labels.worker[told], minlength=labels.n_workers),
    )


@pytest.mark.parametrize("method", [DawidSkene, OneCoin])
def test_gold_puts_em_on_the_right_side_where_most_workers_are_wrong(method):
    accuracy = np.array([0.9, 0.85, 0.2, 0.15, 0.1, 0.3, 0.2])
    found = []
    for seed in range(10):
        labels, gold, truth = crowd(accuracy, seed=seed)
        fitted = method(start="gold").fit(labels, gold=gold)
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
        ours.append((DawidSkene(start="gold").fit(labels, gold=gold).predict() == truth)[6:].mean())
    assert np.mean(ours) > 0.85
    assert np.mean(ours) > np.mean(plain) + 0.05


def test_a_worker_without_gold_is_a_usual_one_at_first_and_is_learnt_then():
    labels, gold, _ = crowd(np.array([0.9, 0.9, 0.5]), seed=1, n_classes=3)
    kept = (labels.worker != 2) | (labels.unit >= 10)
    labels = CrowdLabels(
        labels.unit[kept], labels.worker[kept], labels.label[kept], labels.n_units, 3, 3
    )
    first = DawidSkene(start="gold", max_iter=1).fit(labels, gold=gold)
    gold_counts = counts_of(labels, gold)
    usual = (gold_counts.right.sum() + 1) / (gold_counts.answered.sum() + 3)
    assert gold_counts.answered[2] == 0
    assert first.confusion_[2].diagonal() == pytest.approx(np.full(3, usual))
    later = DawidSkene(start="gold").fit(labels, gold=gold)
    assert later.reliability_.accuracy[2] == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("method", [DawidSkene, OneCoin])
def test_without_gold_it_starts_with_the_shares(method):
    labels, _, _ = crowd(np.array([0.9, 0.7]), seed=2, n_units=30)
    plain = method().fit(labels)
    nobody = GoldCounts(np.zeros(2), np.zeros(2))
    for options in ({}, {"gold": np.full(30, -1)}, {"gold_counts": nobody}):
        fitted = method(start="gold").fit(labels, **options)
        assert (fitted.posterior_ == plain.posterior_).all()
    asked = GoldCounts(np.zeros(2), np.full(2, 5))
    assert (method().fit(labels, gold_counts=asked).posterior_ == plain.posterior_).all()


@pytest.mark.parametrize("method", [DawidSkene, OneCoin])
def test_gold_of_elsewhere_is_enough_and_clamps_nothing(method):
    """Of units that are not among those judged, as hidden gold is."""
    accuracy = np.array([0.9, 0.85, 0.2, 0.15, 0.1, 0.3, 0.2])
    labels, gold, truth = crowd(accuracy, seed=3)
    fitted = method(start="gold").fit(labels, gold_counts=counts_of(labels, gold))
    assert (fitted.predict() == truth).mean() > 0.93
    assert (fitted.posterior_ < 1).all()


def test_four_classes_and_a_crowd_that_takes_each_for_its_neighbour():
    """The rule of the default gives Dawid–Skene here; `one-coin` can't say what it sees."""
    rng = np.random.default_rng(5)
    truth = rng.integers(4, size=400)
    right = rng.random((400, 9)) < np.array([0.9, 0.85, 0.8, 0.25, 0.2, 0.2, 0.15, 0.2, 0.1])
    said = np.where(right, truth[:, None], truth[:, None] ^ 1)
    unit, worker = np.divmod(np.arange(3_600), 9)
    labels = CrowdLabels(unit, worker, said.ravel(), 400, 9, 4)
    gold_counts = GoldCounts(right[:10].sum(axis=0), np.full(9, 10))
    assert (DawidSkene().fit(labels).predict() == truth).mean() < 0.2
    assert (
        DawidSkene(start="gold").fit(labels, gold_counts=gold_counts).predict() == truth
    ).mean() > 0.9


def test_in_shards_it_is_the_same():
    labels, gold, _ = crowd(np.array([0.9, 0.8, 0.3]), seed=4, n_units=60)
    for method in (DawidSkene, OneCoin):
        whole = method(start="gold").fit(labels, gold=gold)
        cut = method(start="gold").fit(labels, gold=gold, pool=InThree())
        assert cut.posterior_ == pytest.approx(whole.posterior_)


@pytest.mark.parametrize(
    ("right", "answered", "message"),
    [
        ([1, 1], [1, 1], "must be of 3 workers"),
        ([1, 1, 2], [1, 1, 1], "from none to all can be right"),
        ([1, 1, -1], [1, 1, 1], "from none to all can be right"),
    ],
)
def test_impossible_counts_are_refused(right, answered, message):
    labels, _, _ = crowd(np.array([0.9, 0.8, 0.3]), seed=4, n_units=20)
    with pytest.raises(ValueError, match=message):
        OneCoin(start="gold").fit(
            labels, gold_counts=GoldCounts(np.array(right), np.array(answered))
        )
