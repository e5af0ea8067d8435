"""The hierarchical Dawid–Skene, by its equations in loops, in its limits, and on crowds."""

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.special import digamma, gammaln

from aggregation.algorithms import (
    CrowdLabels,
    DawidSkene,
    HierarchicalDawidSkene,
    ShardedLabels,
    calibration_of_posterior,
)
from aggregation.algorithms.categorical.confidences import Confidences
from aggregation.algorithms.categorical.hierarchy import Strengths, levels_of
from aggregation.algorithms.shards import InMemoryShard
from tests.aggregation.algorithms.simulated import crowds, simulate, simulate_uneven

LABELS = simulate(seed=5, n_units=60, n_workers=7, redundancy=4, prevalence=[0.5, 0.3, 0.2]).labels


def normalised(counts):
    return counts / counts.sum()


def levels_in_loops(C, q, r, s, *, learn):
    """The docstring read aloud. C is (worker, said, true)."""
    n_workers, K, _ = C.shape
    P = C.sum(axis=0)
    g = [(P[k, k] + 7) / (P[:, k].sum() + 10) for k in range(K)]
    wrong = {(y, k): P[y, k] for y in range(K) for k in range(K) if y != k}
    for _ in range(3 if learn and K > 2 else 0):
        a = q / (K - 1)
        above = sum(digamma(n + a) - digamma(a) for n in wrong.values()) / (K - 1)
        of_class = [sum(n for (_, true), n in wrong.items() if true == k) for k in range(K)]
        q = min(max(q * above / sum(digamma(n + q) - digamma(q) for n in of_class), 0.5), 1000)
    h = {
        (y, k): (n + q / (K - 1)) / (sum(wrong[i, k] for i in range(K) if i != k) + q)
        for (y, k), n in wrong.items()
    }
    n = C.sum(axis=(1, 2))
    H = [sum(C[w, k, k] for k in range(K)) for w in range(n_workers)]
    usual = [
        min(max(sum(C[w, :, k].sum() * g[k] for k in range(K)) / n[w], 0.01), 0.99)
        if n[w] > 0 else np.mean(g)
        for w in range(n_workers)
    ]  # fmt: skip
    for _ in range(3 if learn else 0):
        above = below = 0.0
        for w in range(n_workers):
            yes, no = r * usual[w], r * (1 - usual[w])
            above += usual[w] * (digamma(H[w] + yes) - digamma(yes))
            above += (1 - usual[w]) * (digamma(n[w] - H[w] + no) - digamma(no))
            below += digamma(n[w] + r) - digamma(r)
        r = min(max((r * above + 2) / (below + 0.25), 0.2), 500)
    A = np.where(np.eye(K, dtype=bool), 0.5, 0.1)
    M = np.zeros_like(C)
    for w in range(n_workers):
        a = (H[w] + r * usual[w]) / (n[w] + r)
        f = a / max(1 - a, 1e-4) / (usual[w] / (1 - usual[w]))
        for k in range(K):
            M[w, k, k] = g[k] * f / (g[k] * f + 1 - g[k])
            for y in range(K):
                if y != k:
                    M[w, y, k] = (1 - M[w, k, k]) * h[y, k]
    v = unlike_in_loops(C, M, A, s)
    weight = 1 - v / 2
    for _ in range(3 if learn else 0):
        prior = s * M + A
        above = (weight[:, None, None] * M * (digamma(C + prior) - digamma(prior))).sum()
        whole = s + A.sum(axis=0)
        below = (weight[:, None] * (digamma(C.sum(axis=1) + whole) - digamma(whole))).sum()
        s = min(max((s * above + 2) / (below + 0.25), 0.2), 500)
    Q = C + A
    for w in range(n_workers):
        Q[w] += s * (1 - 0.95 * v[w]) * M[w]
    return Q, (q, r, s)


def unlike_in_loops(C, M, A, s):
    """How probable it is of each worker that s / 20 drew their table."""

    def log_likelihood(w, s):
        found = 0.0
        for k in range(C.shape[1]):
            drawn = s * M[w, :, k] + A[:, k]
            found += gammaln(drawn.sum()) - gammaln(drawn.sum() + C[w, :, k].sum())
            found += sum(gammaln(drawn + C[w, :, k]) - gammaln(drawn))
        return found

    ratio = [np.exp(log_likelihood(w, s / 20) - log_likelihood(w, s)) for w in range(len(C))]
    v = np.full(len(C), 0.5)
    for _ in range(10):
        odds = (v.sum() + 1) / (len(C) - v.sum() + 1)
        v = np.array([odds * one / (1 + odds * one) for one in ratio])
    return v


def fit_in_loops(crowd, iterations):
    """T, Q and p after so many E-steps; then L, n and what was said of each unit, own unit out."""
    said = list(zip(crowd.unit.tolist(), crowd.worker.tolist(), crowd.label.tolist(), strict=True))
    K, strengths = crowd.n_classes, (2.0 * (crowd.n_classes - 1), 8.0, 8.0)
    votes = crowd.votes() / crowd.votes().sum(axis=1, keepdims=True)

    def tables(T, strengths, learn):
        C = np.zeros((crowd.n_workers, K, K))
        for u, w, y in said:
            C[w, y] += T[u]
        Q, strengths = levels_in_loops(C, *strengths, learn=learn)
        return Q, normalised(T.sum(axis=0) + 1 / K + 0.3 * votes.sum(axis=0)), strengths

    T = votes
    for step in range(iterations):
        Q, p, strengths = tables(T, strengths, learn=step >= 2)
        E = Q / Q.sum(axis=1, keepdims=True)
        T = np.tile(p, (crowd.n_units, 1))
        for u, w, y in said:
            T[u] *= E[w, y]
        T /= T.sum(axis=1, keepdims=True)
    Q, p, _ = tables(T, strengths, learn=False)
    L, of_unit = np.tile(np.log(p), (crowd.n_units, 1)), {}
    for u, w in dict.fromkeys((u, w) for u, w, _ in said):
        own = [y for unit, worker, y in said if (unit, worker) == (u, w)]
        log = np.zeros(K)
        for y in own:
            log += np.log(Q[w, y] - T[u] * own.count(y))
            log -= np.log(Q[w].sum(axis=0) - T[u] * len(own))
        L[u] += log
        of_unit.setdefault(u, []).append(log)
    return L, of_unit, p, E, strengths


def softmax(x):
    return normalised(np.exp(x - x.max()))


def effective_in_loops(L, of_unit):
    grid = [0.0, *np.geomspace(0.01, 1, 24)]
    score = [
        sum(
            np.log((softmax((L[u] - e) / (1 + (len(logs) - 2) * rho)) * np.exp(e)).sum())
            for u, logs in of_unit.items() if len(logs) >= 3 for e in logs
        )
        for rho in grid
    ]  # fmt: skip
    best = int(np.argmax(score))
    rho = grid[best] if score[best] - score[0] >= 2 else 0.0
    return np.array(score), rho


TWICE = CrowdLabels(  # worker 0 judged unit 0 three times, unit 1 twice the same
    [0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3], [0, 0, 0, 1, 2, 0, 0, 1, 2, 0, 1, 2, 1],
    [0, 1, 0, 0, 1, 1, 1, 1, 2, 2, 2, 0, 1], 4, 3, 3,
)  # fmt: skip


@pytest.mark.parametrize(
    "crowd",
    [LABELS, TWICE, simulate(seed=2, n_units=40, n_workers=5, redundancy=3,
                             prevalence=[0.6, 0.4]).labels],
    ids=["three classes", "said twice", "two classes"],
)  # fmt: skip
def test_products_do_what_loops_do(crowd):
    L, of_unit, p, _, strengths = fit_in_loops(crowd, 6)
    score, correlation = effective_in_loops(L, of_unit)
    fitted = HierarchicalDawidSkene(max_iter=6, tol=0).fit(crowd)

    assert fitted.strengths_ == pytest.approx(strengths)
    assert fitted.prevalence_ == pytest.approx(p)
    assert fitted.foretold_.log_likelihood == pytest.approx(score)
    assert fitted.foretold_.correlation == pytest.approx(correlation)
    more = np.mean([len(said) for said in of_unit.values()]) - 1
    assert fitted.rho_ == pytest.approx(min(1, 1.65 * correlation + 0.1 / more))
    n = [len(of_unit[u]) for u in range(crowd.n_units)]
    wanted = [softmax(L[u] / (1 + (n[u] - 1) * fitted.rho_)) for u in range(crowd.n_units)]
    assert fitted.posterior_ == pytest.approx(np.array(wanted))
    assert fitted.predict().tolist() == L.argmax(axis=1).tolist()  # tempering changes no choice


def test_who_errs_like_nobody_is_hardly_drawn_to_their_centre():
    """Nine are right in 80 of 100, the tenth always says the first class."""
    C = np.tile(np.where(np.eye(2, dtype=bool), 40.0, 10.0), (10, 1, 1))
    C[9] = [[50, 50], [0, 0]]
    A = np.where(np.eye(2, dtype=bool), 0.5, 0.1)
    drawn = levels_of(C, Strengths(spread=2, rate=8, centre=50), learn=False).counts - C - A
    pull = drawn.sum(axis=(1, 2)) / 2  # both columns of M sum to 1
    assert pull[:9] == pytest.approx(50, rel=0.1)
    assert pull[9] == pytest.approx(50 / 20, rel=0.01)


def test_without_a_centre_it_is_dawid_skene_and_with_nothing_else_one_number_a_worker():
    C = np.random.default_rng(0).random((6, 3, 3)) * 20
    A = np.where(np.eye(3, dtype=bool), 0.5, 0.1)
    bare = levels_of(C, Strengths(spread=4, rate=8, centre=0), learn=False)
    assert bare.counts == pytest.approx(C + A)
    E = levels_of(C, Strengths(spread=1e12, rate=1e-9, centre=1e12), learn=False).counts
    E /= E.sum(axis=1, keepdims=True)
    off = E.transpose(0, 2, 1)[:, ~np.eye(3, dtype=bool)].reshape(6, 3, 2)  # by the true class
    assert off[:, :, 0] == pytest.approx(off[:, :, 1])  # errors are spread evenly
    # The odds of right answers in each class are the crowd's, times one number of the worker's.
    right = np.einsum("wkk->wk", E)
    odds = right / (1 - right)
    ratio = odds / odds[0]
    assert ratio == pytest.approx(np.repeat(ratio[:, :1], 3, axis=1))


def test_units_that_nobody_judged_change_nothing():
    fitted = HierarchicalDawidSkene().fit(LABELS)
    many = CrowdLabels(LABELS.unit, LABELS.worker, LABELS.label, 100_000, 7, 3)
    among = HierarchicalDawidSkene().fit(many)
    assert among.posterior_[:60].tobytes() == fitted.posterior_.tobytes()
    assert among.posterior_[60:] == pytest.approx(np.tile(fitted.prevalence_, (99_940, 1)))
    assert among.diagnostics_.note == fitted.diagnostics_.note
    with_gold = np.full(100_000, -1)
    with_gold[70] = 2
    known = HierarchicalDawidSkene().fit(many, gold=with_gold).posterior_
    assert known[70].tolist() == [0, 0, 1]
    assert known[:60] == pytest.approx(fitted.posterior_)


def test_shards_give_what_the_whole_gives():
    gold = np.full(60, -1)
    gold[[3, 40]] = 1, 2
    whole = HierarchicalDawidSkene().fit(LABELS, gold=gold)
    ends = np.cumsum([shard.n_units for shard in LABELS.split(3)])[:-1]
    loaders = [
        InMemoryShard(shard, known)
        for shard, known in zip(LABELS.split(3), np.split(gold, ends), strict=True)
    ]
    sharded = HierarchicalDawidSkene().fit(ShardedLabels(loaders, n_workers=7, n_classes=3))
    assert not hasattr(sharded, "posterior_")
    posterior = np.concatenate(list(sharded.posteriors()))
    assert posterior == pytest.approx(whole.posterior_)
    assert sharded.reliability_.low == pytest.approx(whole.reliability_.low)
    assert sharded.foretold_.log_likelihood == pytest.approx(whole.foretold_.log_likelihood)


@pytest.mark.parametrize(
    "method",
    [HierarchicalDawidSkene(tol=0, max_iter=6), DawidSkene(tol=0, max_iter=6)],
    ids=["own", "plain"],
)
def test_two_halves_of_a_label_are_one(method):
    twice = CrowdLabels(
        *(np.repeat(part, 2)[::-1] for part in (LABELS.unit, LABELS.worker, LABELS.label)),
        60, 7, 3, np.full(2 * LABELS.n_labels, 0.5),
    )  # fmt: skip
    whole = method.fit(LABELS).posterior_
    assert method.fit(twice).posterior_ == pytest.approx(whole)
    again = np.concatenate([shard.weighted_votes() for shard in twice.split(3)])
    assert again == pytest.approx(LABELS.votes())
    with pytest.raises(ValueError, match=r"weight holds 0\.0, but must be above 0"):
        CrowdLabels([0], [0], [0], 1, 1, 2, [0.0])
    with pytest.raises(ValueError, match=r"weight has the shape \(2,\), but there are 1 labels"):
        CrowdLabels([0], [0], [0], 1, 1, 2, [1.0, 1.0])


def test_clamped_gold_stays_and_teaches():
    found = simulate_uneven(seed=0, n_units=300, n_workers=20, redundancy=2)
    gold = np.where(np.arange(300) < 200, found.truth, -1)
    plain = HierarchicalDawidSkene().fit(found.labels)
    told = HierarchicalDawidSkene().fit(found.labels, gold=gold)
    assert (told.predict()[:200] == found.truth[:200]).all()
    assert (told.posterior_[:200].max(axis=1) == 1).all()
    far = [np.abs(fitted.confusion_ - found.confusion).mean() for fitted in (plain, told)]
    assert far[1] < 0.9 * far[0]


def test_gold_is_a_start_on_the_right_side_of_a_crowd_that_is_mostly_wrong():
    rng = np.random.default_rng(1)
    truth = rng.integers(2, size=300)
    unit, worker = np.repeat(np.arange(300), 7), np.tile(np.arange(21), 100)
    label = np.where(rng.random(2100) < 0.38, truth[unit], 1 - truth[unit])
    labels = CrowdLabels(unit, worker, label, 300, 21, 2)
    known = np.where(np.arange(300) < 60, truth, -1)
    begun = HierarchicalDawidSkene(start="gold").fit(labels, gold=known)
    assert (begun.predict()[60:] == truth[60:]).mean() > 0.6
    assert (HierarchicalDawidSkene().fit(labels).predict() == truth).mean() < 0.4


def test_a_warm_start_ends_where_the_cold_one_does_and_sooner():
    found = simulate_uneven(seed=4, n_units=500, n_workers=12, redundancy=4)
    cold = HierarchicalDawidSkene().fit(found.labels)
    warm = HierarchicalDawidSkene().fit(found.labels, warm=cold)
    assert warm.posterior_ == pytest.approx(cold.posterior_, abs=0.02)
    assert warm.diagnostics_.iterations < cold.diagnostics_.iterations


def test_answers_that_are_alike_are_worth_less():
    """Seven workers of whom six repeat what one of them said."""
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=400)
    first = np.where(rng.random(400) < 0.7, truth, 1 - truth)
    said = np.where(rng.random((400, 7)) < 0.8, first[:, None], truth[:, None])
    unit, worker = np.repeat(np.arange(400), 7), np.tile(np.arange(7), 400)
    alike = HierarchicalDawidSkene().fit(CrowdLabels(unit, worker, said.ravel(), 400, 7, 2))
    apart = simulate(seed=0, n_units=400, n_workers=7, redundancy=7, prevalence=[0.5, 0.5])
    plain = HierarchicalDawidSkene().fit(apart.labels)
    assert plain.foretold_.correlation == 0
    assert plain.diagnostics_.note.startswith("7.0 answers each are worth 6.4 independent ones;")
    few = CrowdLabels([0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 1, 0], 2, 2, 2)
    unknown = HierarchicalDawidSkene().fit(few)
    assert (unknown.foretold_.correlation, unknown.rho_) == (None, 0)
    assert "Nothing has three answers" in unknown.diagnostics_.note
    assert alike.diagnostics_.iterations >= 4


def one_label_each(seed, n_classes, n_units=300, n_workers=20):
    """A crowd in which nobody can be compared with anybody, rare classes among the others."""
    shares = np.random.default_rng(seed).dirichlet(np.ones(n_classes)).tolist()
    return simulate(
        seed=seed, n_units=n_units, n_workers=n_workers, redundancy=1, prevalence=shares
    )


@pytest.mark.parametrize("n_classes", [1, 2, 3, 5])
@pytest.mark.parametrize("seed", range(3))
def test_one_label_a_unit_is_taken_as_it_is(seed, n_classes):
    labels = one_label_each(seed, n_classes).labels
    given = np.empty(labels.n_units, dtype=np.int64)
    given[labels.unit] = labels.label
    fitted = HierarchicalDawidSkene().fit(labels)
    assert fitted.is_alone_
    assert (fitted.predict() == given).all()
    assert fitted.posterior_.max(axis=1) == pytest.approx(2 / (n_classes + 1))  # a vote's share
    assert "not known" in fitted.diagnostics_.note
    assert fitted.reliability_.low.max() < 0.01  # nothing is known of workers
    assert fitted.reliability_.high.min() > 0.99
    found = Confidences.of(fitted, labels)
    assert not found.is_known
    assert "not known" in found.sentence()
    assert (fitted.judge(labels)[1] == given).all()
    restored = HierarchicalDawidSkene.restore(fitted.state())
    assert restored.infer(labels) == pytest.approx(fitted.posterior_)


def test_one_label_a_unit_in_shards_and_among_units_without_one():
    labels = one_label_each(1, 3).labels
    whole = HierarchicalDawidSkene().fit(labels)
    loaders = [InMemoryShard(part, None) for part in labels.split(4)]
    sharded = HierarchicalDawidSkene().fit(ShardedLabels(loaders, n_workers=20, n_classes=3))
    assert sharded.is_alone_
    assert np.concatenate(list(sharded.posteriors())) == pytest.approx(whole.posterior_)
    more = CrowdLabels(labels.unit, labels.worker, labels.label, 400, 20, 3)
    among = HierarchicalDawidSkene().fit(more)
    assert among.posterior_[:300] == pytest.approx(whole.posterior_)
    assert among.posterior_[300:] == pytest.approx(1 / 3)


def test_a_second_label_or_gold_of_ten_makes_the_method_speak():
    found = one_label_each(2, 2)
    labels, truth = found.labels, found.truth
    second = CrowdLabels(
        [*labels.unit, labels.unit[0]],
        [*labels.worker, (labels.worker[0] + 1) % 20],
        [*labels.label, 0],
        300,
        20,
        2,
    )
    assert not HierarchicalDawidSkene().fit(second).is_alone_
    gold = np.full(300, -1)
    gold[:9] = truth[:9]
    few = HierarchicalDawidSkene().fit(labels, gold=gold)
    assert few.is_alone_
    assert (few.predict()[:9] == truth[:9]).all()
    assert few.reliability_.low.max() > 0.01  # of who answered gold something is known
    gold[9] = truth[9]
    enough = HierarchicalDawidSkene().fit(labels, gold=gold)
    assert not enough.is_alone_
    assert Confidences.of(enough, labels, gold=gold, told=gold).is_known


def test_what_one_worker_says_twice_of_a_unit_is_no_second_label():
    """Half a vote for each of both, as `--repeated each` has it: the lower class of equals."""
    labels = CrowdLabels([0, 0, 1], [0, 0, 1], [1, 0, 1], 2, 2, 2, weight=[0.5, 0.5, 1.0])
    fitted = HierarchicalDawidSkene().fit(labels)
    assert fitted.is_alone_
    assert fitted.predict().tolist() == [0, 1]


@pytest.mark.parametrize(("redundancy", "most"), [(3, 0.035), (5, 0.03)])
def test_confidences_say_how_often_it_is_right(redundancy, most):
    """Where the model is right, in the mean of six crowds. (Chance alone is .02 of 800 tasks.)"""
    errors, gains = [], []
    for seed in range(6):
        found = simulate_uneven(seed=seed, n_units=800, n_workers=60, redundancy=redundancy)
        fitted = HierarchicalDawidSkene().fit(found.labels)
        errors.append(calibration_of_posterior(fitted.posterior_, found.truth).error)
        plain = DawidSkene().fit(found.labels)
        gains.append((fitted.predict() == found.truth).mean())
        gains[-1] -= (plain.predict() == found.truth).mean()
    assert np.mean(errors) <= most
    assert np.mean(gains) > 0.01


@given(crowds())
@settings(max_examples=40)
def test_any_small_crowd(labels):
    fitted = HierarchicalDawidSkene().fit(labels)
    assert fitted.posterior_.shape == (labels.n_units, labels.n_classes)
    assert np.isfinite(fitted.posterior_).all()
    assert fitted.posterior_.sum(axis=1) == pytest.approx(np.ones(labels.n_units))
    assert fitted.confusion_.sum(axis=2) == pytest.approx(
        np.ones((labels.n_workers, labels.n_classes))
    )
    known = np.zeros(labels.n_units, dtype=int)
    assert (HierarchicalDawidSkene().fit(labels, gold=known).posterior_[:, 0] == 1).all()


@pytest.mark.parametrize(
    ("setting", "message"),
    [({"start": "mode"}, "start must be"), ({"shared": -1}, "shared must be"),
     ({"max_iter": 0}, "max_iter must be")],
)  # fmt: skip
def test_wrong_settings_are_refused(setting, message):
    with pytest.raises(ValueError, match=message):
        HierarchicalDawidSkene(**setting)


# Right choices and the calibration error (ten equal bins), as measured for docs/methods/journal.md.
DATA = Path(__file__).resolve().parents[5] / "shared" / "data"
REAL = {"cf": (0.897, 0.059), "face": (0.654, 0.149), "zencrowd_in": (0.769, 0.102)}


@pytest.mark.parametrize("name", REAL)
def test_real_crowds(name):
    path = DATA / "crowds" / f"{name}.csv.gz"
    if not path.exists():
        pytest.skip(f"needs {path.name}, which is not part of the project")
    with gzip.open(path, "rt") as file:
        rows = list(csv.DictReader(file))
    last = {(row["item"], row["worker"]): row["label"] for row in rows}
    known = {row["item"]: row["gold"] for row in rows if row["gold"]}
    items, workers = (list(dict.fromkeys(key[i] for key in last)) for i in (0, 1))
    classes = sorted({*last.values(), *known.values()})
    unit, worker = zip(*((items.index(i), workers.index(w)) for i, w in last), strict=True)
    label = [classes.index(said) for said in last.values()]
    gold = np.array([classes.index(known[i]) if i in known else -1 for i in items])
    sizes = (len(items), len(workers), len(classes))
    fitted = HierarchicalDawidSkene().fit(CrowdLabels(unit, worker, label, *sizes))
    some = gold >= 0
    right, error = REAL[name]
    assert (fitted.predict() == gold)[some].mean() == pytest.approx(right, abs=0.001)
    found = calibration_of_posterior(fitted.posterior_[some], gold[some])
    assert found.error == pytest.approx(error, abs=0.002)
