import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import check_grad, minimize

from aggregation.algorithms import CrowdLabels, DawidSkene, calibration_of
from aggregation.algorithms.categorical.cells import cells_of
from aggregation.algorithms.categorical.glad import GLAD
from aggregation.algorithms.categorical.glad_shard import CellBlock, Evaluation, GLADShard
from aggregation.algorithms.shards import InMemoryShard, LocalPool, ShardedLabels
from tests.aggregation.algorithms.simulated import crowds

FEW = CrowdLabels(
    unit=[0, 0, 0, 1, 1, 1, 2, 2], worker=[0, 1, 2, 0, 1, 2, 0, 1],
    label=[0, 0, 1, 2, 1, 1, 2, 2], n_units=4, n_workers=3, n_classes=3,
)  # fmt: skip


class ThreeShards(LocalPool):
    size = 3


class Travelled(LocalPool):
    """Shards that were written and read before use, as those on a disk are."""

    def open(self, make, shards):
        opened = super().open(make, shards)
        opened._shards = [pickle.loads(pickle.dumps(shard)) for shard in opened._shards]
        return opened


def a_crowd(seed=1, *, n_units=600, n_workers=15, redundancy=5, k=3):
    """Drawn from the model with the paper's priors: labels, truth, a, ln b."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(k, size=n_units)
    ability, log_ease = rng.normal(1, 1, size=n_workers), rng.normal(1, 1, size=n_units)
    worker = np.argsort(rng.random((n_units, n_workers)), axis=1)[:, :redundancy].ravel()
    unit = np.repeat(np.arange(n_units), redundancy)
    chance = 1 / (1 + np.exp(-ability[worker] * np.exp(log_ease[unit])))
    wrong = (truth[unit] + rng.integers(1, k, size=len(unit))) % k
    label = np.where(rng.random(len(unit)) < chance, truth[unit], wrong)
    return CrowdLabels(unit, worker, label, n_units, n_workers, k), truth, ability, log_ease


# --- Two implementations against each other -----------------------------------------------------


def objective_in_loops(crowd, ability, log_ease, gold=None):
    """ln P(labels) by summing over the classes of each unit, plus the priors; and the posterior."""
    k = crowd.n_classes
    joint = np.full((crowd.n_units, k), 1 / k)
    for u, w, label in zip(crowd.unit, crowd.worker, crowd.label, strict=True):
        right = 1 / (1 + np.exp(-ability[w] * np.exp(log_ease[u])))
        for true in range(k):
            joint[u, true] *= right if true == label else (1 - right) / (k - 1)
    if gold is not None:
        for u in np.flatnonzero(gold >= 0):
            joint[u] *= np.arange(k) == gold[u]
    evidence = joint.sum(axis=1)
    priors = -(((ability - 1) ** 2).sum() + ((log_ease - 1) ** 2).sum()) / 2
    return np.log(evidence).sum() + priors, joint / evidence[:, None]


@pytest.mark.parametrize("gold", [None, np.array([-1, 0, -1, 2])])
def test_objective_and_posterior_are_sums_over_all_truths(gold):
    fitted = GLAD(max_iter=4, tol=0).fit(FEW, gold=gold)
    objective, posterior = objective_in_loops(
        FEW, fitted.ability_, -np.log(fitted.difficulty_), gold
    )
    assert fitted.diagnostics_.objective[-1] == pytest.approx(objective)
    assert fitted.posterior_ == pytest.approx(posterior)


@pytest.mark.parametrize("classes", [2, 3])
def test_it_finds_the_maximum(classes):
    crowd = a_crowd(n_units=12, n_workers=4, redundancy=3, k=classes)[0]
    fitted = GLAD(max_iter=500, tol=1e-12).fit(crowd)

    def fallen(x):
        return -objective_in_loops(crowd, x[:4], x[4:])[0]

    here = np.concatenate((fitted.ability_, -np.log(fitted.difficulty_)))
    best = minimize(fallen, here, method="BFGS", options={"gtol": 1e-5})
    assert -best.fun == pytest.approx(fitted.diagnostics_.objective[-1], abs=1e-6)
    assert here == pytest.approx(best.x, abs=1e-3)


@pytest.mark.parametrize("gold", [None, np.array([-1, 0, -1, 2])])
def test_slopes_are_those_of_finite_differences(gold):
    rng = np.random.default_rng(2)
    known = np.full(4, -1) if gold is None else gold
    (cells,) = cells_of(FEW, known)
    block = CellBlock(cells, FEW.n_workers)

    def point(x):
        abilities = block.abilities_of(x[:3])
        return Evaluation.at(block, abilities, x[3:], 1.0, 1.0), abilities

    def objective(x):
        return point(x)[0].objective.sum()

    def slope(x):
        here, abilities = point(x)
        return np.concatenate(
            (here.slope_of_ability(block), here.slope_of_log_ease(block, abilities))
        )

    for _ in range(5):
        assert check_grad(objective, slope, rng.normal(0.5, 1.0, size=7)) < 1e-5


def test_curvature_is_the_expected_one_of_known_truth():
    """With gold the log-likelihood in a is concave, and its second derivative is exact."""
    gold = np.array([0, 1, 2, -1])
    (cells,) = cells_of(FEW, gold)
    block = CellBlock(cells, FEW.n_workers)
    ability, log_ease, h = np.array([0.3, 1.2, -0.4]), np.array([0.1, 0.5, -0.2, 1.0]), 1e-5

    def at(a):
        return Evaluation.at(block, block.abilities_of(a), log_ease, 1.0, 1.0)

    for w in range(3):
        up, down = ability + h * (np.arange(3) == w), ability - h * (np.arange(3) == w)
        bent = (at(down).slope_of_ability(block) - at(up).slope_of_ability(block))[w] / (2 * h)
        assert at(ability).curvature_of_ability(block)[w] == pytest.approx(bent, rel=1e-6)


def test_one_worker_one_unit_in_closed_form():
    """By symmetry of two classes one label says nothing of a or b: the priors' means are best."""
    fitted = GLAD(tol=1e-12).fit(CrowdLabels([0], [0], [1], 1, 1, 2))
    assert fitted.ability_ == pytest.approx([1])
    assert fitted.difficulty_ == pytest.approx([np.exp(-1)])
    assert fitted.posterior_[0, 1] == pytest.approx(1 / (1 + np.exp(-np.e)))


# --- What always holds --------------------------------------------------------------------------

VARIANCES = st.sampled_from([0.01, 0.5, 1.0, 100.0])
MEANS = st.sampled_from([-5.0, 0.0, 1.0, 5.0])


@given(crowds(), MEANS, VARIANCES, MEANS, VARIANCES, st.data())
def test_objective_never_decreases_and_nothing_is_nan(
    crowd, ability, ability_variance, ease, ease_variance, data
):
    gold = data.draw(
        st.lists(
            st.integers(-1, crowd.n_classes - 1), min_size=crowd.n_units, max_size=crowd.n_units
        )
    )
    fitted = GLAD(
        ability_mean=ability, ability_variance=ability_variance, ease_mean=ease,
        ease_variance=ease_variance, max_iter=15, tol=0,
    ).fit(crowd, gold=np.array(gold, dtype=int))  # fmt: skip

    assert (np.diff(fitted.diagnostics_.objective) >= 0).all()
    assert fitted.posterior_.sum(axis=1) == pytest.approx(np.ones(crowd.n_units))
    assert np.isfinite(fitted.ability_).all()
    assert (np.isfinite(fitted.difficulty_) & (fitted.difficulty_ > 0)).all()
    found = fitted.reliability_
    assert (found.low <= found.accuracy).all()
    assert (found.accuracy <= found.high).all()
    assert found.confusion.sum(axis=2) == pytest.approx(np.ones((crowd.n_workers, crowd.n_classes)))
    for unit in np.flatnonzero(np.array(gold, dtype=int) >= 0):
        assert fitted.posterior_[unit, gold[unit]] == 1


def test_step_that_would_lower_a_units_objective_is_not_taken():
    """From a start where the curvature of ln b says little of what lies a whole step away."""
    crowd = a_crowd(n_units=200)[0]
    part = GLADShard(InMemoryShard(crowd, None), 15, 3, 1.0, 100.0)
    ability = np.random.default_rng(0).normal(0, 4, size=15)
    last, held = -np.inf, 0
    for _ in range(12):
        sums = part.step(ability)
        assert sums.objective >= last
        held += np.count_nonzero(part.boldness < 1)
        last = sums.objective
    assert held > 0


def test_undone_step_leaves_nothing_behind():
    part = GLADShard(InMemoryShard(FEW, None), 3, 3, 1.0, 1.0)
    part.step(np.ones(3))
    before = part.log_ease.copy(), part.boldness.copy()
    part.step(np.full(3, -2.0))
    part.undo()
    assert (part.log_ease == before[0]).all()
    assert (part.boldness == before[1]).all()


def test_renumbering_units_workers_and_classes_renumbers_the_result():
    crowd = a_crowd(n_units=40, n_workers=6, redundancy=4)[0]
    rng = np.random.default_rng(3)
    u, w, k = rng.permutation(40), rng.permutation(6), rng.permutation(3)
    order = rng.permutation(crowd.n_labels)
    moved = CrowdLabels(
        u[crowd.unit][order], w[crowd.worker][order], k[crowd.label][order], 40, 6, 3
    )
    plain = GLAD(max_iter=8, tol=0).fit(crowd)
    fitted = GLAD(max_iter=8, tol=0).fit(moved)
    assert fitted.posterior_[u][:, k] == pytest.approx(plain.posterior_)
    assert fitted.ability_[w] == pytest.approx(plain.ability_)
    assert fitted.difficulty_[u] == pytest.approx(plain.difficulty_)
    assert fitted.diagnostics_.objective == pytest.approx(plain.diagnostics_.objective)


def test_same_input_gives_the_same_bits():
    crowd = a_crowd(n_units=60)[0]
    once, twice = GLAD().fit(crowd), GLAD().fit(crowd)
    assert (once.posterior_ == twice.posterior_).all()
    assert once.diagnostics_.objective == twice.diagnostics_.objective


# --- On simulated crowds ------------------------------------------------------------------------


def test_abilities_and_difficulties_are_recovered():
    crowd, truth, ability, log_ease = a_crowd(seed=6, n_units=3_000, n_workers=30, redundancy=15)
    fitted = GLAD(max_iter=300).fit(crowd)
    assert np.corrcoef(fitted.ability_, ability)[0, 1] > 0.98
    ordinary = np.abs(ability) < 2.5  # beyond, nearly every answer is right, whatever the ability
    assert np.abs(fitted.ability_ - ability)[ordinary].mean() < 0.15
    assert np.corrcoef(-np.log(fitted.difficulty_), log_ease)[0, 1] > 0.6
    assert (fitted.predict() == truth).mean() > 0.97


def test_adversary_has_an_ability_below_zero_and_counts_against_what_they_say():
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=100)
    said = np.stack([np.where(rng.random(100) < 0.9, truth, 1 - truth) for _ in range(5)], axis=1)
    said[:, 4] = np.where(rng.random(100) < 0.9, 1 - truth, truth)
    unit, worker = np.divmod(np.arange(500), 5)
    fitted = GLAD().fit(CrowdLabels(unit, worker, said.ravel(), 100, 5, 2))
    assert fitted.ability_[4] < -0.5 < 0.5 < fitted.ability_[:4].min()
    assert (fitted.predict() == truth).mean() > 0.98
    assert fitted.reliability_.confusion[4, 0, 1] > 0.8


def test_units_of_which_good_workers_disagree_are_hard():
    crowd, _, ability, _ = a_crowd(seed=4, n_units=400, n_workers=10, redundancy=10, k=2)
    fitted = GLAD().fit(crowd)
    trusted = ability[crowd.worker] > 1
    votes = np.bincount(crowd.unit[trusted], crowd.label[trusted], minlength=400)
    share = votes / np.bincount(crowd.unit[trusted], minlength=400)
    split = np.minimum(share, 1 - share)
    assert fitted.difficulty_[split > 0.3].min() > np.median(fitted.difficulty_[split == 0])


@pytest.mark.parametrize("seed", [7, 8])
def test_it_beats_the_vote_and_is_calibrated(seed):
    crowd, truth, *_ = a_crowd(seed=seed, n_units=4_000, n_workers=40, redundancy=7)
    vote = crowd.votes().argmax(axis=1)
    fitted = GLAD().fit(crowd)
    right = fitted.predict() == truth
    assert (~right).mean() < 0.6 * (vote != truth).mean()
    assert calibration_of(fitted.posterior_.max(axis=1), right).error < 0.03


# --- Gold, warm start, shards -------------------------------------------------------------------


def test_gold_overrules_the_crowd_and_teaches_who_is_good():
    unit, worker = np.repeat(np.arange(12), 3), np.tile([0, 1, 2], 12)
    crowd = CrowdLabels(unit, worker, np.tile([1, 1, 0], 12), 12, 3, 2)
    assert GLAD().fit(crowd).predict().tolist() == [1] * 12
    fitted = GLAD().fit(crowd, gold=[0] * 11 + [-1])
    assert fitted.predict().tolist() == [0] * 12
    assert fitted.ability_[2] > 0 > fitted.ability_[0]
    assert fitted.reliability_.accuracy[2] > 0.9 > 0.1 > fitted.reliability_.accuracy[0]


def test_gold_may_be_a_class_that_nobody_said():
    fitted = GLAD().fit(CrowdLabels([0, 1], [0, 0], [0, 0], 2, 1, 3), gold=[2, -1])
    assert fitted.posterior_[0].tolist() == [0, 0, 1]
    assert np.isfinite(fitted.diagnostics_.objective).all()


def test_warm_start_of_another_kind_is_refused():
    with pytest.raises(ValueError, match="warm is a DawidSkene, but must be a GLAD"):
        GLAD().fit(FEW, warm=DawidSkene().fit(FEW))
    with pytest.raises(ValueError, match="warm was not fitted yet"):
        GLAD().fit(FEW, warm=GLAD())


def test_warm_start_is_nearer_to_the_end():
    crowd = a_crowd(n_units=400)[0]
    cold = GLAD(tol=1e-8, max_iter=500).fit(crowd)
    warm = GLAD(tol=1e-8, max_iter=500).fit(crowd, warm=cold)
    assert warm.diagnostics_.iterations < cold.diagnostics_.iterations
    assert warm.diagnostics_.objective[0] > cold.diagnostics_.objective[0]
    assert warm.posterior_ == pytest.approx(cold.posterior_, abs=1e-3)


def test_new_workers_begin_with_the_prior():
    crowd = a_crowd(n_units=200, n_workers=10)[0]
    known = np.flatnonzero(crowd.worker < 8)
    part = CrowdLabels(crowd.unit[known], crowd.worker[known], crowd.label[known], 200, 8, 3)
    earlier = GLAD().fit(part)
    fitted = GLAD(max_iter=1).fit(crowd, warm=earlier)
    assert fitted.ability_.tolist() == [*earlier.ability_.tolist(), 1, 1]


@pytest.mark.parametrize(
    ("workers", "classes", "message"),
    [
        (3, 2, "the earlier fit has 3 classes, but there are 2"),
        (2, 3, "the earlier fit has 3 workers, but there are only 2"),
    ],
)
def test_warm_start_that_does_not_fit_is_refused(workers, classes, message):
    with pytest.raises(ValueError, match=message):
        GLAD().fit(CrowdLabels([0], [0], [0], 1, workers, classes), warm=GLAD().fit(FEW))


def test_shards_give_what_the_whole_gives():
    crowd = a_crowd(n_units=300)[0]
    gold = np.full(300, -1)
    gold[::7] = 1
    whole = GLAD().fit(crowd, gold=gold)
    cut = GLAD().fit(crowd, gold=gold, pool=ThreeShards())
    assert cut.posterior_ == pytest.approx(whole.posterior_, abs=1e-9)
    assert cut.ability_ == pytest.approx(whole.ability_, abs=1e-9)
    assert cut.difficulty_ == pytest.approx(whole.difficulty_, abs=1e-9)
    assert cut.diagnostics_.objective == pytest.approx(whole.diagnostics_.objective, rel=1e-12)
    assert cut.reliability_.confusion == pytest.approx(whole.reliability_.confusion, abs=1e-9)


def test_sharded_labels_yield_posteriors_by_shard():
    crowd = a_crowd(n_units=300)[0]
    sharded = ShardedLabels(
        [InMemoryShard(x, None) for x in crowd.split(4)], n_workers=15, n_classes=3
    )
    fitted = GLAD().fit(sharded, pool=Travelled())
    whole = GLAD().fit(crowd)
    assert np.concatenate(list(fitted.posteriors())) == pytest.approx(whole.posterior_, abs=1e-9)
    difficulty = np.concatenate(list(fitted.difficulties()))
    assert difficulty == pytest.approx(whole.difficulty_, abs=1e-9)
    assert not hasattr(fitted, "posterior_")
    assert [p.tolist() for p in whole.posteriors()] == [whole.posterior_.tolist()]
    assert [p.tolist() for p in whole.difficulties()] == [whole.difficulty_.tolist()]


# --- Edges --------------------------------------------------------------------------------------


def test_unit_and_worker_without_labels_get_the_prior():
    crowd = CrowdLabels([0, 0, 1], [0, 1, 0], [0, 0, 1], n_units=3, n_workers=3, n_classes=2)
    fitted = GLAD().fit(crowd)
    assert fitted.posterior_[2] == pytest.approx([0.5, 0.5])
    assert fitted.difficulty_[2] == pytest.approx(np.exp(-1))
    assert fitted.ability_[2] == pytest.approx(1)
    assert fitted.reliability_.confusion[2, 0, 0] == pytest.approx(1 / (1 + np.exp(-np.e)))
    assert fitted.reliability_.judged.tolist() == [2, 1, 0]


def test_unit_with_thousands_of_labels_does_not_underflow():
    n = 2_000
    crowd = CrowdLabels(np.arange(2 * n) // n, np.arange(2 * n) % n, np.arange(2 * n) % 2, 2, n, 2)
    fitted = GLAD(max_iter=5).fit(crowd)
    assert np.isfinite(fitted.diagnostics_.objective).all()
    assert fitted.posterior_.sum(axis=1) == pytest.approx([1, 1])


def test_one_worker_is_followed():
    crowd = CrowdLabels([0, 1, 2], [0, 0, 0], [1, 0, 1], 3, 1, 2)
    assert GLAD().fit(crowd).predict().tolist() == [1, 0, 1]


def test_one_class_is_certain():
    fitted = GLAD().fit(CrowdLabels([0, 1], [0, 1], [0, 0], 2, 2, 1))
    assert fitted.posterior_.tolist() == [[1], [1]]
    assert fitted.reliability_.confusion.tolist() == [[[1]], [[1]]]


@pytest.mark.parametrize(("units", "workers"), [(0, 0), (3, 0), (0, 2), (3, 2)])
def test_without_labels_everything_is_the_prior(units, workers):
    fitted = GLAD().fit(CrowdLabels([], [], [], units, workers, 4))
    assert fitted.posterior_ == pytest.approx(np.full((units, 4), 0.25))
    assert fitted.ability_.tolist() == [1] * workers
    assert fitted.diagnostics_.converged


def test_it_stops_when_an_iteration_gains_little_per_label():
    crowd = a_crowd(n_units=200)[0]
    fitted = GLAD(tol=1e-4).fit(crowd)
    gains = np.diff(fitted.diagnostics_.objective) / crowd.n_labels
    assert fitted.diagnostics_.converged
    assert gains[-1] < 1e-4
    assert (gains[:-1] >= 1e-4).all()


def test_it_says_when_it_did_not_converge():
    found = GLAD(max_iter=2, tol=0).fit(a_crowd(n_units=50)[0]).diagnostics_
    assert (found.converged, found.iterations) == (False, 2)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ability_mean": 6}, "ability_mean must be from -5 to 5, but is 6"),
        ({"ease_mean": float("nan")}, "ease_mean must be from -5 to 5, but is nan"),
        ({"ability_variance": 0}, "ability_variance must be above 0 and at most 100, but is 0"),
        ({"ease_variance": 101}, "ease_variance must be above 0 and at most 100, but is 101"),
        ({"tol": -1e-5}, "tol must be 0 or more"),
        ({"max_iter": 0}, "max_iter must be at least 1, but is 0"),
    ],
)
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        GLAD(**settings)
