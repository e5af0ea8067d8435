import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import digamma
from scipy.stats import beta, dirichlet

from aggregation.algorithms import CrowdLabels, DawidSkene, MajorityVote, calibration_of
from aggregation.algorithms.categorical.mace import MACE
from aggregation.algorithms.shards import InMemoryShard, LocalPool, ShardedLabels
from tests.aggregation.algorithms.simulated import crowds, simulate

FEW = CrowdLabels(
    unit=[0, 0, 0, 1, 1, 1, 2, 2], worker=[0, 1, 2, 0, 1, 2, 0, 1],
    label=[0, 0, 1, 2, 1, 1, 2, 2], n_units=4, n_workers=3, n_classes=3,
)  # fmt: skip


class ThreeShards(LocalPool):
    size = 3


def spamming(*, seed, n_units, redundancy, honesty, strategy):
    """A crowd drawn from the model: labels, truth."""
    rng = np.random.default_rng(seed)
    n_workers, k = strategy.shape
    truth = rng.integers(k, size=n_units)
    worker = np.argsort(rng.random((n_units, n_workers)), axis=1)[:, :redundancy].ravel()
    unit = np.repeat(np.arange(n_units), redundancy)
    drawn = (rng.random((len(unit), 1)) > strategy[worker].cumsum(axis=1)).sum(axis=1)
    label = np.where(rng.random(len(unit)) < honesty[worker], truth[unit], drawn.clip(max=k - 1))
    return CrowdLabels(unit, worker, label, n_units, n_workers, k), truth


def a_crowd(seed=1, **sizes):
    rng = np.random.default_rng(100 + seed)
    sizes = {"n_units": 600, "n_workers": 15, "redundancy": 5, "k": 3} | sizes
    n_workers, k = sizes.pop("n_workers"), sizes.pop("k")
    honesty = rng.uniform(0.3, 0.95, size=n_workers)
    strategy = rng.dirichlet(np.full(k, 2.0), size=n_workers)
    labels, truth = spamming(seed=seed, honesty=honesty, strategy=strategy, **sizes)
    return labels, truth, honesty, strategy


# --- Two implementations against each other -----------------------------------------------------


def mace_in_loops(crowd, *, know, spam, strategy, iterations):
    """The docstring's equations read aloud, from the even start. Returns T, honesty, strategy."""
    workers, classes = range(crowd.n_workers), range(crowd.n_classes)
    said = list(zip(crowd.unit, crowd.worker, crowd.label, strict=True))
    n = [[sum(w == by and x == k for _, by, x in said) for k in classes] for w in workers]
    a = [know + sum(n[w]) / 2 for w in workers]
    b = [spam + sum(n[w]) / 2 for w in workers]
    c = [[strategy + sum(n[w]) / 2 / len(classes) for _ in classes] for w in workers]
    for i in range(iterations):
        honest = [np.exp(digamma(a[w]) - digamma(a[w] + b[w])) for w in workers]
        spams = [np.exp(digamma(b[w]) - digamma(a[w] + b[w])) for w in workers]
        by_strategy = [np.exp(digamma(np.array(c[w])) - digamma(sum(c[w]))) for w in workers]
        t = np.full((crowd.n_units, crowd.n_classes), 1 / crowd.n_classes)
        for u, w, x in said:
            for k in classes:
                t[u, k] *= honest[w] * (k == x) + spams[w] * by_strategy[w][x]
        evidence = np.log(t.sum(axis=1)).sum()
        t /= t.sum(axis=1, keepdims=True)
        if i + 1 == iterations:
            break
        known = np.zeros((crowd.n_workers, crowd.n_classes))
        for u, w, x in said:
            known[w, x] += t[u, x] * honest[w] / (honest[w] + spams[w] * by_strategy[w][x])
        a = [know + known[w].sum() for w in workers]
        b = [spam + sum(n[w]) - known[w].sum() for w in workers]
        c = [[strategy + n[w][k] - known[w, k] for k in classes] for w in workers]
    honesty = [a[w] / (a[w] + b[w]) for w in workers]
    return t, honesty, [np.array(c[w]) / sum(c[w]) for w in workers], evidence, (a, b, c)


def test_products_do_what_loops_do():
    crowd = a_crowd(n_units=12, n_workers=4, redundancy=3)[0]
    settings = {"know": 0.5, "spam": 0.7, "strategy": 1.5}
    t, honesty, strategy, _, _ = mace_in_loops(crowd, **settings, iterations=7)
    fitted = MACE(**settings, restarts=1, max_iter=7, tol=0).fit(crowd)
    assert fitted.posterior_ == pytest.approx(t)
    assert fitted.honesty_ == pytest.approx(honesty)
    assert fitted.strategy_ == pytest.approx(np.array(strategy))


def test_objective_is_the_lower_bound():
    """Evidence of the E-step less the divergences, which are integrated numerically."""
    settings = {"know": 0.5, "spam": 0.7, "strategy": 1.5}
    *_, evidence, (a, b, c) = mace_in_loops(FEW, **settings, iterations=3)
    fitted = MACE(**settings, restarts=1, max_iter=3, tol=0).fit(FEW)
    rng = np.random.default_rng(0)
    apart = []
    for w in range(FEW.n_workers):
        t = beta(a[w], b[w]).rvs(size=40_000, random_state=rng)
        x = dirichlet(c[w]).rvs(size=40_000, random_state=rng).T
        apart.append(beta(a[w], b[w]).logpdf(t) - beta(0.5, 0.7).logpdf(t))
        apart.append(dirichlet(c[w]).logpdf(x) - dirichlet([1.5] * 3).logpdf(x))
    noise = np.sqrt(sum(x.var() for x in apart) / 40_000)
    bound = evidence - sum(x.mean() for x in apart)
    assert fitted.diagnostics_.objective[-1] == pytest.approx(bound, abs=5 * noise)


def test_posterior_is_the_sum_over_all_truths():
    """Brute force: every way in which four units can have three classes, and everybody can spam."""
    fitted = MACE(restarts=1, max_iter=2, tol=0).fit(FEW)
    counts = fitted._counts
    both = digamma(counts.know + counts.spam)
    honest, spams = np.exp(digamma(counts.know) - both), np.exp(digamma(counts.spam) - both)
    strategy = np.exp(
        digamma(counts.strategy) - digamma(counts.strategy.sum(axis=1, keepdims=True))
    )
    marginal = np.zeros((4, 3))
    for truth in np.ndindex(3, 3, 3, 3):
        for spam in np.ndindex(*[2] * FEW.n_labels):
            joint = 1.0
            for s, u, w, x in zip(spam, FEW.unit, FEW.worker, FEW.label, strict=True):
                joint *= spams[w] * strategy[w, x] if s else honest[w] * (truth[u] == x)
            if joint:
                for u, k in enumerate(truth):
                    marginal[u, k] += joint
    assert fitted.posterior_ == pytest.approx(marginal / marginal.sum(axis=1, keepdims=True))


# --- What always holds --------------------------------------------------------------------------

PRIORS = st.sampled_from([0.1, 0.5, 1.0, 10.0])


@given(crowds(), PRIORS, PRIORS, PRIORS, st.integers(0, 5), st.data())
def test_objective_never_decreases_and_nothing_is_nan(crowd, know, spam, strategy, seed, data):
    gold = data.draw(
        st.lists(
            st.integers(-1, crowd.n_classes - 1), min_size=crowd.n_units, max_size=crowd.n_units
        )
    )
    fitted = MACE(
        know=know, spam=spam, strategy=strategy, restarts=3, seed=seed, max_iter=15, tol=0
    ).fit(crowd, gold=np.array(gold, dtype=int))

    objective = np.array(fitted.diagnostics_.objective)
    assert (np.diff(objective) >= -1e-8 * (1 + np.abs(objective[1:]))).all()
    assert fitted.posterior_.sum(axis=1) == pytest.approx(np.ones(crowd.n_units))
    assert fitted.strategy_.sum(axis=1) == pytest.approx(np.ones(crowd.n_workers))
    assert ((fitted.honesty_ > 0) & (fitted.honesty_ < 1)).all()
    found = fitted.reliability_
    assert (found.low <= found.accuracy).all()
    assert (found.accuracy <= found.high).all()
    assert found.confusion.sum(axis=2) == pytest.approx(np.ones((crowd.n_workers, crowd.n_classes)))
    for unit in np.flatnonzero(np.array(gold, dtype=int) >= 0):
        assert fitted.posterior_[unit, gold[unit]] == 1


def test_renumbering_units_workers_and_classes_renumbers_the_result():
    """Of one start, which is not random."""
    crowd = a_crowd(n_units=40, n_workers=6, redundancy=4)[0]
    rng = np.random.default_rng(3)
    u, w, k = rng.permutation(40), rng.permutation(6), rng.permutation(3)
    order = rng.permutation(crowd.n_labels)
    moved = CrowdLabels(
        u[crowd.unit][order], w[crowd.worker][order], k[crowd.label][order], 40, 6, 3
    )
    plain = MACE(restarts=1, max_iter=8, tol=0).fit(crowd)
    fitted = MACE(restarts=1, max_iter=8, tol=0).fit(moved)
    assert fitted.posterior_[u][:, k] == pytest.approx(plain.posterior_)
    assert fitted.honesty_[w] == pytest.approx(plain.honesty_)
    assert fitted.strategy_[w][:, k] == pytest.approx(plain.strategy_)
    assert fitted.diagnostics_.objective == pytest.approx(plain.diagnostics_.objective)


def test_same_seed_gives_the_same_bits_and_another_seed_other_starts():
    crowd = a_crowd(n_units=60)[0]
    once, twice, other = (MACE(seed=s, restarts=3, max_iter=4).fit(crowd) for s in (1, 1, 2))
    assert (once.posterior_ == twice.posterior_).all()
    assert once.objectives_ == twice.objectives_
    assert once.objectives_[0] == other.objectives_[0]  # the even start
    assert once.objectives_[1:] != other.objectives_[1:]


def test_best_of_the_starts_is_kept():
    crowd = a_crowd(n_units=30, redundancy=2)[0]
    fitted = MACE(restarts=8, max_iter=3, tol=0).fit(crowd)
    assert len(fitted.objectives_) == 8
    assert fitted.diagnostics_.objective[-1] == max(fitted.objectives_)


def test_labels_agree_with_parameters():
    """One more E-step from the fitted parameters, by a warm start, changes nothing."""
    crowd = a_crowd(n_units=60)[0]
    fitted = MACE(max_iter=3, tol=0).fit(crowd)
    again = MACE(max_iter=1).fit(crowd, warm=fitted)
    assert again.posterior_ == pytest.approx(fitted.posterior_, abs=1e-12)
    assert fitted.predict().tolist() == fitted.posterior_.argmax(axis=1).tolist()


# --- On simulated crowds ------------------------------------------------------------------------


def test_honesty_and_strategies_are_recovered():
    crowd, truth, honesty, strategy = a_crowd(seed=6, n_units=6_000)
    fitted = MACE(restarts=2, strategy=1).fit(crowd)
    assert np.abs(fitted.honesty_ - honesty).mean() < 0.03
    spammers = honesty < 0.7  # the others gave few labels by their strategy
    assert np.abs(fitted.strategy_ - strategy)[spammers].mean() < 0.03
    mean = fitted.reliability_.confusion.diagonal(axis1=1, axis2=2).mean(axis=1)
    assert mean == pytest.approx(honesty + (1 - honesty) / 3, abs=0.06)
    assert (fitted.predict() == truth).mean() > 0.9


def test_spammers_are_found_and_so_is_what_they_say():
    """Three of nine never look: one always says 2, one takes turns, one prefers 0."""
    strategy = np.full((9, 3), 1 / 3)
    strategy[6], strategy[8] = [0, 0, 1], [0.8, 0.1, 0.1]
    honesty = np.array([0.9] * 6 + [0.0] * 3)
    crowd, truth = spamming(seed=3, n_units=900, redundancy=5, honesty=honesty, strategy=strategy)
    fitted = MACE().fit(crowd)
    assert (fitted.honesty_[:6] > 0.8).all()
    assert (fitted.honesty_[6:] < 0.1).all()
    assert fitted.strategy_[6, 2] > 0.9
    assert fitted.strategy_[8, 0] > 0.7
    vote = MajorityVote().fit(crowd).predict()
    assert (fitted.predict() == truth).mean() > (vote == truth).mean()
    assert fitted.reliability_.parameters["honesty"] == pytest.approx(fitted.honesty_)


def test_posteriors_are_calibrated():
    crowd, truth, *_ = a_crowd(seed=8, n_units=5_000)
    fitted = MACE(restarts=2).fit(crowd)
    sure, right = fitted.posterior_.max(axis=1), fitted.predict() == truth
    assert calibration_of(sure, right).error < 0.02


def test_intervals_of_accuracies_cover_the_truth():
    inside = []
    for seed in range(5):
        crowd, _, honesty, _ = a_crowd(seed=seed, n_units=600, n_workers=30)
        found = MACE(restarts=1).fit(crowd).reliability_
        true = honesty + (1 - honesty) / 3  # classes are even: a third of spam is right
        inside.append((found.low <= true) & (true <= found.high))
    assert 0.9 <= np.mean(inside) <= 1


# --- Gold, warm start, shards -------------------------------------------------------------------


def test_gold_overrules_the_crowd_and_teaches_who_is_good():
    unit, worker = np.repeat(np.arange(12), 3), np.tile([0, 1, 2], 12)
    label = np.stack([np.ones(12), np.ones(12), np.arange(12) % 2], axis=1).ravel().astype(int)
    crowd = CrowdLabels(unit, worker, label, 12, 3, 2)
    gold = np.append(np.arange(10) % 2, [-1, -1])
    fitted = MACE().fit(crowd, gold=gold)
    assert fitted.predict().tolist() == [0, 1] * 6
    assert fitted.posterior_[:10].tolist() == np.eye(2)[gold[:10]].tolist()
    assert fitted.honesty_[2] > 0.8 > 0.3 > fitted.honesty_[0]


def test_gold_may_be_a_class_that_nobody_said():
    fitted = MACE().fit(CrowdLabels([0, 1], [0, 0], [0, 0], 2, 1, 3), gold=[2, -1])
    assert fitted.posterior_[0].tolist() == [0, 0, 1]
    assert np.isfinite(fitted.diagnostics_.objective).all()


def test_warm_start_of_another_kind_is_refused():
    with pytest.raises(ValueError, match="warm is a DawidSkene, but must be a MACE"):
        MACE().fit(FEW, warm=DawidSkene().fit(FEW))
    with pytest.raises(ValueError, match="warm was not fitted yet"):
        MACE().fit(FEW, warm=MACE())


def test_warm_start_goes_on_where_the_earlier_fit_stopped():
    crowd = a_crowd(n_units=200)[0]
    whole = MACE(restarts=1, max_iter=12, tol=0).fit(crowd)
    # The last E-step of the first fit is the first one of the second.
    first = MACE(restarts=1, max_iter=6, tol=0).fit(crowd)
    second = MACE(restarts=5, max_iter=7, tol=0).fit(crowd, warm=first)
    assert second.posterior_ == pytest.approx(whole.posterior_)
    assert len(second.objectives_) == 1


def test_new_workers_begin_with_the_prior():
    crowd = a_crowd(n_units=200, n_workers=10)[0]
    known = np.flatnonzero(crowd.worker < 8)
    part = CrowdLabels(crowd.unit[known], crowd.worker[known], crowd.label[known], 200, 8, 3)
    fitted = MACE(max_iter=1).fit(crowd, warm=MACE().fit(part))
    assert fitted.honesty_[8:].tolist() == [0.5, 0.5]
    assert (fitted.strategy_[8:] == 1 / 3).all()


@pytest.mark.parametrize(
    ("workers", "classes", "message"),
    [
        (3, 2, "the earlier fit has 3 classes, but there are 2"),
        (2, 3, "the earlier fit has 3 workers, but there are only 2"),
    ],
)
def test_warm_start_that_does_not_fit_is_refused(workers, classes, message):
    with pytest.raises(ValueError, match=message):
        MACE().fit(CrowdLabels([0], [0], [0], 1, workers, classes), warm=MACE().fit(FEW))


def test_shards_give_what_the_whole_gives():
    crowd = a_crowd(n_units=300)[0]
    gold = np.full(300, -1)
    gold[::7] = 1
    whole = MACE(restarts=3).fit(crowd, gold=gold)
    cut = MACE(restarts=3).fit(crowd, gold=gold, pool=ThreeShards())
    assert cut.posterior_ == pytest.approx(whole.posterior_, abs=1e-9)
    assert cut.honesty_ == pytest.approx(whole.honesty_, abs=1e-9)
    assert cut.diagnostics_.objective == pytest.approx(whole.diagnostics_.objective, rel=1e-12)
    assert cut.reliability_.low == pytest.approx(whole.reliability_.low, abs=1e-9)


class Travelled(LocalPool):
    """Shards that were written and read before each call, as those on a disk are."""

    def open(self, make, shards):
        opened = super().open(make, shards)
        opened._shards = [pickle.loads(pickle.dumps(shard)) for shard in opened._shards]
        return opened


def test_sharded_labels_yield_posteriors_by_shard():
    crowd = a_crowd(n_units=300)[0]
    loaders = [InMemoryShard(shard, None) for shard in crowd.split(4)]
    sharded = ShardedLabels(loaders, n_workers=15, n_classes=3)
    fitted = MACE(restarts=2).fit(sharded, pool=Travelled())
    whole = MACE(restarts=2).fit(crowd)
    assert np.concatenate(list(fitted.posteriors())) == pytest.approx(whole.posterior_, abs=1e-9)
    assert not hasattr(fitted, "posterior_")
    assert [p.tolist() for p in whole.posteriors()] == [whole.posterior_.tolist()]


def test_shard_of_another_size_is_refused():
    sharded = ShardedLabels([InMemoryShard(FEW, None)], n_workers=3, n_classes=2)
    with pytest.raises(ValueError, match="a shard has 3 workers and 3 classes, but the whole has"):
        MACE().fit(sharded)


# --- Edges --------------------------------------------------------------------------------------


def test_unit_and_worker_without_labels_get_the_prior():
    crowd = CrowdLabels([0, 0, 1], [0, 1, 0], [0, 0, 1], n_units=3, n_workers=3, n_classes=2)
    fitted = MACE().fit(crowd)
    assert fitted.posterior_[2].tolist() == [0.5, 0.5]
    assert fitted.honesty_[2] == 0.5
    assert fitted.strategy_[2].tolist() == [0.5, 0.5]
    assert fitted.reliability_.judged.tolist() == [2, 1, 0]


def test_unit_with_a_thousand_labels_does_not_underflow():
    n = 1_000
    crowd = CrowdLabels(np.arange(2 * n) // n, np.arange(2 * n) % n, np.arange(2 * n) % 2, 2, n, 2)
    fitted = MACE(max_iter=5).fit(crowd)
    assert np.isfinite(fitted.diagnostics_.objective).all()
    assert fitted.posterior_.sum(axis=1) == pytest.approx([1, 1])


def test_a_unanimous_crowd_of_thousands_does_not_overflow():
    n = 4_000
    unit, worker = np.divmod(np.arange(3 * n), n)
    fitted = MACE(restarts=1).fit(CrowdLabels(unit, worker, np.repeat([0, 1, 0], n), 3, n, 3))
    assert fitted.predict().tolist() == [0, 1, 0]
    assert np.isfinite(fitted.diagnostics_.objective).all()
    gold = MACE(restarts=1).fit(
        CrowdLabels(unit, worker, np.repeat([0, 1, 0], n), 3, n, 3), gold=[0, 2, -1]
    )
    assert gold.predict().tolist() == [0, 2, 0]


def test_one_worker_is_followed():
    crowd = CrowdLabels([0, 1, 2], [0, 0, 0], [1, 0, 1], 3, 1, 2)
    assert MACE().fit(crowd).predict().tolist() == [1, 0, 1]


def test_one_class_is_certain():
    fitted = MACE().fit(CrowdLabels([0, 1], [0, 1], [0, 0], 2, 2, 1))
    assert fitted.posterior_.tolist() == [[1], [1]]


@pytest.mark.parametrize(("units", "workers"), [(0, 0), (3, 0), (0, 2), (3, 2)])
def test_without_labels_everything_is_the_prior(units, workers):
    fitted = MACE().fit(CrowdLabels([], [], [], units, workers, 4))
    assert fitted.posterior_ == pytest.approx(np.full((units, 4), 0.25))
    assert fitted.honesty_.tolist() == [0.5] * workers
    assert fitted.diagnostics_.converged


def test_it_stops_when_an_iteration_gains_little_per_label():
    crowd = a_crowd(n_units=200)[0]
    fitted = MACE(restarts=1, tol=1e-4).fit(crowd)
    gains = np.diff(fitted.diagnostics_.objective) / crowd.n_labels
    assert fitted.diagnostics_.converged
    assert gains[-1] < 1e-4
    assert (gains[:-1] >= 1e-4).all()


def test_it_says_when_it_did_not_converge():
    crowd = simulate(seed=1, n_units=50, n_workers=5, redundancy=3, prevalence=[0.5, 0.5]).labels
    found = MACE(max_iter=2, tol=0).fit(crowd).diagnostics_
    assert (found.converged, found.iterations) == (False, 2)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"know": 0}, "know must be more than 0, but is 0"),
        ({"spam": float("nan")}, "spam must be more than 0, but is nan"),
        ({"strategy": -1}, "strategy must be more than 0, but is -1"),
        ({"tol": -1e-5}, "tol must be 0 or more"),
        ({"restarts": 0}, "restarts must be at least 1, but is 0"),
        ({"max_iter": 0}, "max_iter must be at least 1, but is 0"),
        ({"seed": -1}, "seed must be 0 or more, but is -1"),
    ],
)
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        MACE(**settings)
