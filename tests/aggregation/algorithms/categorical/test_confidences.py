"""How sure choices are: own unit out and effective votes for every method, and gold."""

import numpy as np
import pytest

from aggregation.algorithms import (
    GLAD,
    IBCC,
    MACE,
    CrowdLabels,
    DawidSkene,
    HierarchicalDawidSkene,
    MajorityVote,
    OneCoin,
    Wawa,
    WeightedMajority,
    ZeroBasedSkill,
    calibration_of,
)
from aggregation.algorithms.categorical.confidences import (
    Confidences,
    cross_fitted,
    judged,
    rho_by_gold,
)
from aggregation.algorithms.categorical.evidence import tempered, votes_worth
from tests.aggregation.algorithms.simulated import simulate, simulate_uneven

METHODS = [
    MajorityVote(), WeightedMajority(), OneCoin(), DawidSkene(), IBCC(), MACE(restarts=2), GLAD(),
    HierarchicalDawidSkene(),
]  # fmt: skip
LABELS = simulate(seed=5, n_units=80, n_workers=7, redundancy=4, prevalence=[0.5, 0.3, 0.2]).labels


def name(method):
    return type(method).__name__


def alike(n_units=600, *, seed=0):
    """Two classes; half of the units have a tempting answer that most workers fall for."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(2, size=n_units)
    ease = np.where(rng.random(n_units) < 0.7, 0.9, 0.35)
    worker = np.argsort(rng.random((n_units, 20)), axis=1)[:, :7].ravel()
    unit = np.repeat(np.arange(n_units), 7)
    label = np.where(rng.random(len(unit)) < ease[unit], truth[unit], 1 - truth[unit])
    return CrowdLabels(unit, worker, label, n_units, 20, 2), truth


def error(posterior, chosen, truth):
    rows = np.arange(len(truth))
    return calibration_of(posterior[rows, chosen], chosen == truth).error


@pytest.mark.parametrize("method", [*METHODS, Wawa(), ZeroBasedSkill()], ids=name)
def test_the_choice_does_not_change(method):
    labels, truth = alike()
    gold = np.where(np.arange(600) < 30, truth, -1)
    fitted = method.fit(labels)
    chosen = fitted.predict()
    for known in (None, gold):
        found = Confidences.of(fitted, labels, gold=known).posterior
        assert found.sum(axis=1) == pytest.approx(np.ones(600))
        assert (found[np.arange(600), chosen] >= found.max(axis=1) - 1e-12).all()


@pytest.mark.parametrize("method", [OneCoin(), DawidSkene(), IBCC()], ids=name)
def test_the_own_unit_is_taken_out(method):
    """By brute force: sums of T over the other units' labels, and the tables made of these."""
    fitted = method.fit(LABELS)
    T, K = fitted.posterior_, 3
    said = list(zip(LABELS.unit, LABELS.worker, LABELS.label, strict=True))
    found = fitted.evidence(LABELS)
    for unit in (0, 17, 79):
        log = np.log(fitted.prevalence_)
        for _, w, y in (one for one in said if one[0] == unit):
            rest = [(u, z) for u, v, z in said if v == w and u != unit]
            C = np.zeros((K, K))  # (said, true)
            for u, z in rest:
                C[z] += T[u]
            if isinstance(method, OneCoin):
                right = np.trace(C) + method.diagonal
                a = right / (len(rest) + method.diagonal + (K - 1) * method.off_diagonal)
                log = log + np.log([a if k == y else (1 - a) / (K - 1) for k in range(K)])
                continue
            prior = method._prior(K) if isinstance(method, IBCC) else method._pseudo_counts(K)
            Q = C + prior
            log = log + np.log(Q[y] / Q.sum(axis=0))
        assert found.log_posterior[unit] == pytest.approx(log)
    assert found.given.tolist() == [4] * 80


@pytest.mark.parametrize("method", [MACE(restarts=2), GLAD()], ids=name)
def test_methods_without_tables_take_what_they_have(method):
    fitted = method.fit(LABELS)
    found = fitted.evidence(LABELS)
    assert tempered(found.log_posterior, found.given, 0) == pytest.approx(
        fitted.posterior_, abs=0.006
    )
    assert found.foretold.judged == LABELS.n_labels


@pytest.mark.parametrize("method", METHODS[2:], ids=name)
def test_answers_that_err_together_are_less_sure(method):
    labels, truth = alike()
    fitted = method.fit(labels)
    found = Confidences.of(fitted, labels)
    chosen = fitted.predict()
    before = error(fitted.posterior_, chosen, truth)
    assert error(found.posterior, chosen, truth) <= before + 1e-9
    gold = np.where(np.arange(600) < 40, truth, -1)
    told = Confidences.of(fitted, labels, gold=gold)
    rest = slice(40, 600)
    assert error(told.posterior[rest], chosen[rest], truth[rest]) < 0.75 * before
    assert told.rho > found.rho
    assert told.worth < 5
    untaught = error(found.posterior[:40], chosen[:40], truth[:40])
    assert told.before.error == pytest.approx(untaught, abs=1e-6)  # as without gold


def test_votes_stay_shares_until_there_is_gold():
    labels, _ = alike()
    fitted = MajorityVote().fit(labels)
    assert Confidences.of(fitted, labels).posterior == pytest.approx(fitted.posterior_)
    assert Confidences.of(fitted, labels).sentence() == "Shares of votes, not checked against gold."
    found = simulate_uneven(seed=1, n_units=400, n_workers=40, redundancy=3)
    vote = MajorityVote().fit(found.labels)
    votes = found.labels.votes()
    gold = np.where(np.arange(400) < 100, found.truth, -1)
    told = Confidences.of(vote, found.labels, gold=gold)
    wanted = tempered(np.log((votes + 1) / (3 + 4)), np.full(400, 3), told.rho)
    assert told.posterior == pytest.approx(wanted)
    assert told.rho < 0  # one in seven is too little for two votes out of three
    before = tempered(np.log((votes + 1) / 7), np.full(400, 3), 0)
    chosen, rest = vote.predict(), slice(100, 400)
    after = error(told.posterior[rest], chosen[rest], found.truth[rest])
    assert after < error(before[rest], chosen[rest], found.truth[rest])


def test_rho_by_gold_is_the_most_probable_one():
    rng = np.random.default_rng(0)
    log = rng.normal(size=(12, 3)) * 4
    given, truth = rng.integers(1, 6, 12), rng.integers(3, size=12)
    more = given.mean() - 1
    grid = [0.0, *np.geomspace(0.005, 1, 60)]

    def score(rho, prior):
        q = np.exp(log / (1 + (given - 1) * rho)[:, None])
        q /= q.sum(axis=1, keepdims=True)
        far = np.log((1 + more * rho) / (1 + more * prior)) / 0.7
        return np.log(np.maximum(q[np.arange(12), truth], 1e-6)).sum() - far**2 / 2

    for prior in (0.0, 0.3):
        wanted = max(grid, key=lambda rho: score(rho, prior))
        assert rho_by_gold(log, given, truth, prior) == pytest.approx(wanted)
    nothing = log[:0], given[:0], truth[:0]
    assert rho_by_gold(*nothing, 0.3) == 0.3


def test_what_is_shown_comes_from_folds_that_had_no_part_in_it():
    rng = np.random.default_rng(0)
    log, given = rng.normal(size=(8, 2)) * 3, np.full(8, 4)
    truth = rng.integers(2, size=8)
    found = cross_fitted(log, given, truth, 0.1)
    for i in range(8):  # fewer than ten: each is a fold
        rest = np.arange(8) != i
        rho = rho_by_gold(log[rest], given[rest], truth[rest], 0.1)
        assert found[i] == pytest.approx(tempered(log[[i]], given[[i]], rho)[0])


def test_clamped_gold_calibrates_as_other_gold_does():
    """Never from a clamped posterior, which is always right."""
    labels, truth = alike()
    gold = np.where(np.arange(600) < 40, truth, -1)
    told = HierarchicalDawidSkene().fit(labels, gold=gold)
    found = Confidences.of(told, labels, gold=gold, told=gold)
    assert (found.posterior[:40].max(axis=1) == 1).all()
    assert found.error > 0.02
    assert found.rho > 0.2
    assert found.sentence().endswith("calibrated on 40 tasks with gold.")
    few = np.where(np.arange(600) < 9, truth, -1)
    assert "not checked against gold" in Confidences.of(told, labels, gold=few).sentence()


def test_later_units_are_tempered_as_the_run_was():
    labels, _ = alike()
    fitted = DawidSkene().fit(labels)
    later = CrowdLabels([0, 0, 0, 1], [0, 1, 2, 3], [0, 0, 0, 1], 3, 20, 2)
    posterior, chosen = judged(fitted, later, np.array([-1, -1, 1]), 0.5)
    plain = fitted.infer(later)
    log = np.log(plain[0]) / (1 + 2 * 0.5)
    assert posterior[0] == pytest.approx(np.exp(log) / np.exp(log).sum())
    assert posterior[1] == pytest.approx(plain[1])  # one answer
    assert posterior[2].tolist() == [0, 1]
    assert chosen[:2].tolist() == plain.argmax(axis=1)[:2].tolist()
    own = HierarchicalDawidSkene().fit(labels)
    tables = own.infer(later)
    assert judged(own, later, None, 1.0)[0][0].max() < tables[0].max()


def test_votes_worth():
    assert votes_worth(8, 0) == 8
    assert votes_worth(8, 1) == 1
    assert votes_worth(1, 0.7) == 1
    assert votes_worth(5, 0.25) == 2.5
