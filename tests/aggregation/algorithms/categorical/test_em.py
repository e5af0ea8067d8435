"""What holds for Dawid–Skene, one-coin and IBCC alike: gold, shards, warm starts, edges."""

import pickle
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aggregation.algorithms import CrowdLabels, DawidSkene, calibration_of
from aggregation.algorithms.categorical.em_shards import ShardedUnits
from aggregation.algorithms.categorical.ibcc import IBCC
from aggregation.algorithms.categorical.one_coin import OneCoin
from aggregation.algorithms.shards import InMemoryShard, LocalPool, ShardedLabels, loaders_of
from tests.aggregation.algorithms.simulated import crowds, simulate

METHODS = [DawidSkene, OneCoin, IBCC]
each = pytest.mark.parametrize("method", METHODS)


class InThree(LocalPool):
    """Three parts in this process, pickled on their way as if to another."""

    size = 3

    def open(self, make, shards):
        return super().open(lambda *shard: pickle.loads(pickle.dumps(make(*shard))), shards)


def some_crowd(seed=2, **changes):
    size = {"n_units": 60, "n_workers": 6, "redundancy": 4, "prevalence": [0.5, 0.3, 0.2]}
    return simulate(seed=seed, **size | changes)


@st.composite
def crowds_with_gold(draw):
    crowd = draw(crowds())
    known = st.integers(-1, crowd.n_classes - 1)
    gold = draw(st.lists(known, min_size=crowd.n_units, max_size=crowd.n_units))
    return crowd, np.array(gold, dtype=int)


def nearly_equal(one, two):
    assert one.posterior_ == pytest.approx(two.posterior_, abs=1e-9)
    assert one.confusion_ == pytest.approx(two.confusion_, abs=1e-9)
    assert one.prevalence_ == pytest.approx(two.prevalence_, abs=1e-9)
    assert one.reliability_.accuracy == pytest.approx(two.reliability_.accuracy, abs=1e-9)
    assert one.reliability_.low == pytest.approx(two.reliability_.low, abs=1e-9)
    assert one.reliability_.judged.tolist() == two.reliability_.judged.tolist()
    # At the top a difference of the last bit may end one of them earlier.
    pairs = zip(one.diagnostics_.objective, two.diagnostics_.objective, strict=False)
    assert all(ours == pytest.approx(theirs) for ours, theirs in pairs)


# --- What always holds --------------------------------------------------------------------------


@each
@given(case=crowds_with_gold(), clamp=st.booleans())
def test_objective_never_decreases_and_nothing_is_nan(method, case, clamp):
    crowd, gold = case
    fitted = method(max_iter=15, tol=0).fit(crowd, gold=gold if clamp else None)

    objective = np.array(fitted.diagnostics_.objective)
    assert (np.diff(objective) >= -1e-9 * (1 + np.abs(objective[1:]))).all()
    assert fitted.posterior_.sum(axis=1) == pytest.approx(np.ones(crowd.n_units))
    assert fitted.prevalence_.sum() == pytest.approx(1)
    shape = (crowd.n_workers, crowd.n_classes)
    assert fitted.confusion_.sum(axis=2) == pytest.approx(np.ones(shape))
    found = fitted.reliability_
    assert ((found.low <= found.accuracy) & (found.accuracy <= found.high)).all()
    if clamp:
        known = np.flatnonzero(gold >= 0)
        assert (fitted.posterior_[known, gold[known]] == 1).all()


@each
@given(case=crowds_with_gold(), clamp=st.booleans())
def test_shards_give_what_the_whole_gives(method, case, clamp):
    crowd, gold = case
    chosen = method(max_iter=6, tol=0)
    whole = chosen.fit(crowd, gold=gold if clamp else None)
    cut = method(max_iter=6, tol=0).fit(crowd, gold=gold if clamp else None, pool=InThree())
    nearly_equal(cut, whole)


@each
def test_renumbering_units_workers_and_classes_renumbers_the_result(method):
    crowd = some_crowd().labels
    rng = np.random.default_rng(3)
    u, w, k = rng.permutation(60), rng.permutation(6), rng.permutation(3)
    order = rng.permutation(crowd.n_labels)
    moved = CrowdLabels(
        u[crowd.unit][order], w[crowd.worker][order], k[crowd.label][order], 60, 6, 3
    )
    plain = method(max_iter=8, tol=0).fit(crowd)
    fitted = method(max_iter=8, tol=0).fit(moved)

    assert fitted.posterior_[u][:, k] == pytest.approx(plain.posterior_)
    assert fitted.confusion_[w][:, k][:, :, k] == pytest.approx(plain.confusion_)
    assert fitted.diagnostics_.objective == pytest.approx(plain.diagnostics_.objective)
    assert fitted.reliability_.low[w] == pytest.approx(plain.reliability_.low)


@each
def test_same_input_gives_the_same_bits(method):
    crowd = some_crowd().labels
    once, twice = method().fit(crowd), method().fit(crowd)
    assert (once.posterior_ == twice.posterior_).all()
    assert once.diagnostics_.objective == twice.diagnostics_.objective


@each
def test_input_is_left_alone(method):
    crowd, gold = some_crowd().labels, np.full(60, -1)
    before = [array.copy() for array in (crowd.unit, crowd.worker, crowd.label)]
    method().fit(crowd, gold=gold)
    after = (crowd.unit, crowd.worker, crowd.label)
    assert all((one == two).all() for one, two in zip(before, after, strict=True))
    assert (gold == -1).all()


# --- Simulated crowds ---------------------------------------------------------------------------


@each
def test_posteriors_are_calibrated(method):
    crowd = some_crowd(seed=8, n_units=4_000, n_workers=30, redundancy=5)
    fitted = method().fit(crowd.labels)
    right = fitted.predict() == crowd.truth
    assert calibration_of(fitted.posterior_.max(axis=1), right).error < 0.03


@each
def test_intervals_of_accuracies_cover_the_truth(method):
    inside = []
    for seed in range(10, 14):
        crowd = some_crowd(seed=seed, n_units=600, n_workers=30, redundancy=5,
                           prevalence=[0.6, 0.4])  # fmt: skip
        true = (crowd.confusion.diagonal(axis1=1, axis2=2) * [0.6, 0.4]).sum(axis=1)
        found = method().fit(crowd.labels).reliability_
        inside.append((found.low <= true) & (true <= found.high))
    assert 0.88 <= np.mean(inside) <= 1


# --- Gold ---------------------------------------------------------------------------------------


@each
def test_gold_overrules_the_crowd_and_teaches_who_is_good(method):
    """Worker 2 is right where it is known; so they are believed where it is not."""
    unit, worker = np.repeat(np.arange(12), 3), np.tile([0, 1, 2], 12)
    crowd = CrowdLabels(unit, worker, np.tile([1, 1, 0], 12), 12, 3, 2)
    gold = np.array([0] * 11 + [-1])
    assert method().fit(crowd).predict().tolist() == [1] * 12

    fitted = method().fit(crowd, gold=gold)
    assert fitted.predict().tolist() == [0] * 12
    assert fitted.reliability_.accuracy[2] > 0.9 > 0.1 > fitted.reliability_.accuracy[0]


def test_first_vote_beside_gold_is_weighted_by_who_was_right():
    """On nine known units worker 0 is always right, worker 1 never; on the tenth they differ."""
    unit, worker = np.repeat(np.arange(10), 2), np.tile([0, 1], 10)
    units = ShardedUnits.open(
        CrowdLabels(unit, worker, np.tile([0, 1], 10), 10, 2, 2), np.array([0] * 9 + [-1]), None
    )
    assert units.labels.vote_weights() == pytest.approx([10 / 11, 1 / 11])
    assert units.initial_counts().units == pytest.approx([9 + 10 / 11, 1 / 11])
    assert units.initial_counts("mode").units == pytest.approx([10, 0])


@each
def test_gold_against_everybody_is_gold(method):
    """Contradictory: the same answers, now right and now wrong."""
    crowd = CrowdLabels([0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 0], 2, 2, 2)
    fitted = method().fit(crowd, gold=[0, 1])
    assert fitted.posterior_.tolist() == [[1, 0], [0, 1]]


@each
def test_wrong_gold_is_refused(method):
    with pytest.raises(ValueError, match=r"gold has the shape \(2,\), but there are 60 units"):
        method().fit(some_crowd().labels, gold=[0, 1])


# --- Warm starts --------------------------------------------------------------------------------


@each
def test_warm_start_is_at_the_end_at_once(method):
    crowd = some_crowd().labels
    cold = method(max_iter=1_000, tol=1e-9).fit(crowd)
    warm = method(max_iter=1_000, tol=1e-9).fit(crowd, warm=cold)
    assert cold.diagnostics_.iterations > 5
    assert warm.diagnostics_.iterations <= 2
    assert warm.diagnostics_.converged
    assert warm.posterior_ == pytest.approx(cold.posterior_, abs=1e-3)


@each
def test_warm_start_goes_on_where_the_other_stopped(method):
    crowd = some_crowd().labels
    whole = method(max_iter=9, tol=0).fit(crowd)
    half = method(max_iter=5, tol=0).fit(crowd)
    rest = method(max_iter=5, tol=0).fit(crowd, warm=half)  # its first step is the last of half
    nearly_objective = half.diagnostics_.objective + rest.diagnostics_.objective[1:]
    assert nearly_objective == pytest.approx(whole.diagnostics_.objective)
    assert rest.posterior_ == pytest.approx(whole.posterior_)


@each
def test_new_workers_begin_with_the_prior(method):
    crowd = some_crowd().labels
    warm = method().fit(crowd)
    before = warm.confusion_.copy()
    more = CrowdLabels(crowd.unit, crowd.worker, crowd.label, 60, n_workers=8, n_classes=3)
    fitted = method(max_iter=1).fit(more, warm=warm)
    alone = method().fit(CrowdLabels([], [], [], 0, 1, 3))
    assert fitted.confusion_[:6] == pytest.approx(before)
    assert fitted.confusion_[6:] == pytest.approx(np.tile(alone.confusion_, (2, 1, 1)))
    assert (warm.confusion_ == before).all()


@pytest.mark.parametrize(
    ("size", "message"),
    [
        ((4, 2, 3), "warm has 2 classes, but there are 3"),
        ((4, 3, 2), "warm has 2 workers, but there are 1"),
    ],
)
@each
def test_warm_start_that_does_not_fit_is_refused(method, size, message):
    n_units, n_classes, n_workers = size
    warm = method().fit(CrowdLabels([], [], [], n_units, n_workers, n_classes))
    with pytest.raises(ValueError, match=message):
        method().fit(CrowdLabels([0], [0], [0], 1, 1, 3), warm=warm)


@each
def test_warm_start_of_another_kind_is_refused(method):
    crowd = some_crowd().labels
    other = METHODS[METHODS.index(method) - 1]
    with pytest.raises(ValueError, match=f"warm is a {other.__name__}, but must be a"):
        method().fit(crowd, warm=other().fit(crowd))
    with pytest.raises(ValueError, match="warm was not fitted yet"):
        method().fit(crowd, warm=method())


# --- Shards that are loaded ---------------------------------------------------------------------


def loaded(crowd, gold=None):
    loaders = loaders_of(crowd, gold, 3)
    return ShardedLabels(loaders, n_workers=crowd.n_workers, n_classes=crowd.n_classes)


@each
def test_loaded_shards_give_the_whole_but_keep_no_posterior(method):
    simulated = some_crowd()
    gold = np.where(np.arange(60) % 7 == 0, simulated.truth, -1)
    whole = method(max_iter=5, tol=0).fit(simulated.labels, gold=gold)
    fitted = method(max_iter=5, tol=0)
    fitted.fit(simulated.labels)
    fitted.fit(loaded(simulated.labels, gold))  # what an earlier fit left must go

    assert not hasattr(fitted, "posterior_")
    assert np.concatenate(list(fitted.posteriors())) == pytest.approx(whole.posterior_)
    assert [len(rows) for rows in fitted.posteriors()] == [20, 20, 20]
    assert fitted.reliability_.high == pytest.approx(whole.reliability_.high)
    assert [rows.tolist() for rows in whole.posteriors()] == [whole.posterior_.tolist()]


def test_gold_of_loaded_shards_comes_with_them():
    with pytest.raises(ValueError, match="comes from their loaders"):
        DawidSkene().fit(loaded(some_crowd().labels), gold=[0] * 60)


def test_shard_of_another_size_is_refused():
    shards = ShardedLabels([InMemoryShard(some_crowd().labels, None)], n_workers=6, n_classes=4)
    with pytest.raises(ValueError, match="6 workers and 3 classes, but the whole has 6 and 4"):
        DawidSkene().fit(shards)


def test_no_shard_at_all_is_refused():
    with pytest.raises(ValueError, match="at least 1 loader"):
        ShardedLabels([], n_workers=1, n_classes=1)


def test_sharded_labels_say_their_size():
    assert repr(loaded(some_crowd().labels)) == "ShardedLabels(3 shards, 6 workers, 3 classes)"


# --- Edges --------------------------------------------------------------------------------------


@each
@pytest.mark.parametrize(("units", "workers"), [(0, 0), (3, 0), (0, 2), (3, 2)])
@pytest.mark.parametrize("classes", [1, 4])
def test_without_labels_everything_is_the_prior(method, units, workers, classes):
    fitted = method().fit(CrowdLabels([], [], [], units, workers, classes))
    assert fitted.posterior_ == pytest.approx(np.full((units, classes), 1 / classes))
    assert fitted.reliability_.accuracy.tolist() == [0.5] * workers
    assert fitted.diagnostics_.converged


@each
def test_one_class_is_certain(method):
    fitted = method().fit(CrowdLabels([0, 0, 2], [0, 1, 0], [0, 0, 0], 3, 2, 1))
    assert fitted.posterior_.tolist() == [[1], [1], [1]]
    assert fitted.confusion_.tolist() == [[[1]], [[1]]]


@pytest.mark.parametrize("method", [DawidSkene(), OneCoin(), IBCC(diagonal=10)])
def test_one_worker_is_followed(method):
    crowd = CrowdLabels([0, 1, 2], [0, 0, 0], [1, 0, 1], 3, 1, 2)
    assert method.fit(crowd).predict().tolist() == [1, 0, 1]


@each
def test_unit_with_a_thousand_labels_does_not_underflow(method):
    n = 1_000
    crowd = CrowdLabels(np.arange(2 * n) // n, np.arange(2 * n) % n, np.arange(2 * n) % 2, 2, n, 2)
    fitted = method(max_iter=5).fit(crowd)
    assert np.isfinite(fitted.diagnostics_.objective).all()
    assert fitted.posterior_.sum(axis=1) == pytest.approx([1, 1])


@each
def test_unit_with_ten_thousand_labels_has_a_posterior(method):
    """All tables say that what was said is far too improbable for a float, whatever is true."""
    n = 10_000
    unit = np.concatenate([np.zeros(n, dtype=int), [1, 2]])
    worker = np.concatenate([np.arange(n), [0, 1]])
    label = np.concatenate([np.arange(n) % 3, [0, 1]])
    fitted = method(max_iter=4, tol=0).fit(CrowdLabels(unit, worker, label, 3, n, 3))
    assert fitted.diagnostics_.objective[0] < -2_000
    assert np.isfinite(fitted.diagnostics_.objective).all()
    assert fitted.posterior_.sum(axis=1) == pytest.approx([1, 1, 1])
    assert np.isfinite(fitted.reliability_.low).all()


@each
def test_it_says_whether_it_converged(method):
    crowd = some_crowd().labels
    for iterations, converged in ((2, False), (1_000, True)):
        found = method(max_iter=iterations).fit(crowd).diagnostics_
        assert found.converged == converged
        assert found.iterations == len(found.objective)
        assert (found.iterations == iterations) != converged


@each
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"diagonal": -1}, "diagonal must be 0 or more, but is -1"),
        ({"diagonal": float("nan")}, "diagonal must be 0 or more, but is nan"),
        ({"tol": -1e-5}, "tol must be 0 or more"),
        ({"max_iter": 0}, "max_iter must be at least 1, but is 0"),
    ],
)
def test_wrong_settings_are_refused(method, settings, message):
    with pytest.raises(ValueError, match=message):
        method(**settings)


def test_loaders_can_be_pickled():
    [one, *_] = loaders_of(some_crowd().labels, None, 2)
    labels, gold = pickle.loads(pickle.dumps(partial(one)))()
    assert (labels.n_units, gold) == (30, None)
