import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import digamma, gammaln

from aggregation.algorithms import CrowdLabels
from aggregation.algorithms.categorical.ibcc import IBCC
from tests.aggregation.algorithms.simulated import crowds, simulate

BIG = {"n_units": 4_000, "n_workers": 30, "redundancy": 5, "prevalence": [0.5, 0.3, 0.2]}


def log_beta(counts):
    return gammaln(counts).sum() - gammaln(counts.sum())


def variational_bayes_in_loops(crowd, *, diagonal, factor, beta, iterations):
    """The docstring's equations read aloud. Returns r, b, a and the lower bound."""
    said = list(zip(crowd.unit.tolist(), crowd.worker.tolist(), crowd.label.tolist(), strict=True))
    k = crowd.n_classes
    prior = np.full((k, k), factor / (k - 1)) + np.eye(k) * (factor + diagonal - factor / (k - 1))
    r = crowd.votes() / crowd.votes().sum(axis=1, keepdims=True)
    for _ in range(iterations):
        b = r.sum(axis=0) + beta
        a = np.tile(prior, (crowd.n_workers, 1, 1))
        for u, w, label in said:
            a[w, :, label] += r[u]
        log_p = digamma(b) - digamma(b.sum())
        log_e = digamma(a) - digamma(a.sum(axis=2, keepdims=True))
        log_joint = np.tile(log_p, (crowd.n_units, 1))
        for u, w, label in said:
            log_joint[u] += log_e[w, :, label]
        r = np.exp(log_joint)
        r /= r.sum(axis=1, keepdims=True)
    # The bound by its definition: E ln p(everything) plus the entropy.
    bound = (r * (log_joint - np.log(np.maximum(r, 1e-300)))).sum()
    for counts, before, logs in [
        (b, np.full(k, beta), log_p),
        *((a[w, true], prior[true], log_e[w, true])
          for w in range(crowd.n_workers) for true in range(k)),
    ]:  # fmt: skip
        bound += ((before - 1) * logs).sum() - log_beta(before)
        bound -= ((counts - 1) * logs).sum() - log_beta(counts)
    return r, b, a, bound


@pytest.mark.parametrize(
    "settings",
    [
        {"diagonal": 0.1, "factor": 1.0, "beta": 0.1},
        {"diagonal": 0.0, "factor": 1e-3, "beta": 1e-3},
        {"diagonal": 10.0, "factor": 4.0, "beta": 2.0},
    ],
)
def test_products_do_what_loops_do(settings):
    crowd = simulate(
        seed=1, n_units=12, n_workers=4, redundancy=3, prevalence=[0.5, 0.3, 0.2]
    ).labels
    r, b, a, bound = variational_bayes_in_loops(crowd, **settings, iterations=4)
    fitted = IBCC(**settings, max_iter=4, tol=0).fit(crowd)

    assert fitted.posterior_ == pytest.approx(r)
    assert fitted.prevalence_counts_ == pytest.approx(b)
    assert fitted.confusion_counts_ == pytest.approx(a)
    assert fitted.prevalence_ == pytest.approx(b / b.sum())
    assert fitted.confusion_ == pytest.approx(a / a.sum(axis=2, keepdims=True))
    assert fitted.lower_bound_[-1] == pytest.approx(bound)


def true_log_evidence(crowd, *, diagonal, factor, beta):
    """Brute force: for each truth of all units the parameters integrate in closed form."""
    k = crowd.n_classes
    prior = np.full((k, k), factor / (k - 1)) + np.eye(k) * (factor + diagonal - factor / (k - 1))
    logs = []
    for truth in np.ndindex(*[k] * crowd.n_units):
        b = np.bincount(truth, minlength=k) + beta
        log = log_beta(b) - log_beta(np.full(k, beta))
        a = np.tile(prior, (crowd.n_workers, 1, 1))
        for u, w, label in zip(crowd.unit, crowd.worker, crowd.label, strict=True):
            a[w, truth[u], label] += 1
        for w in range(crowd.n_workers):
            log += sum(log_beta(a[w, j]) - log_beta(prior[j]) for j in range(k))
        logs.append(log)
    return np.logaddexp.reduce(logs)


@pytest.mark.parametrize("factor", [0.5, 1.0, 50.0])
def test_lower_bound_is_below_the_evidence(factor):
    crowd = CrowdLabels(
        [0, 0, 1, 1, 2, 2, 3, 4], [0, 1, 1, 2, 0, 2, 0, 1], [0, 1, 1, 1, 0, 0, 0, 1], 5, 3, 2
    )
    settings = {"diagonal": factor, "factor": factor, "beta": factor}
    evidence = true_log_evidence(crowd, **settings)
    bound = IBCC(**settings, max_iter=200, tol=1e-10).fit(crowd).lower_bound_[-1]
    assert bound < evidence
    # With a prior that leaves little to learn the factors are nearly independent.
    assert evidence - bound < (0.05 if factor == 50 else 2.5)


def test_with_gold_for_all_the_bound_is_the_evidence_and_counts_are_exact():
    crowd = CrowdLabels([0, 1, 2, 0], [0, 0, 0, 1], [0, 1, 1, 0], 3, 2, 2)
    fitted = IBCC(diagonal=1, factor=2, beta=3).fit(crowd, gold=[0, 1, 0])
    prior = np.array([[3.0, 2.0], [2.0, 3.0]])
    seen = np.array([[[1, 1], [0, 1]], [[1, 0], [0, 0]]])
    evidence = log_beta(np.array([5.0, 4.0])) - log_beta(np.array([3.0, 3.0]))
    for w in range(2):
        for true in range(2):
            evidence += log_beta(prior[true] + seen[w, true]) - log_beta(prior[true])

    assert fitted.prevalence_counts_.tolist() == [5, 4]
    assert fitted.confusion_counts_.tolist() == (prior + seen).tolist()
    assert fitted.lower_bound_[-1] == pytest.approx(evidence)


@given(crowds(), st.sampled_from([0.0, 0.1, 30.0]), st.sampled_from([1e-12, 1e-3, 1.0, 10.0]),
       st.sampled_from([1e-12, 0.1, 5.0]))  # fmt: skip
def test_bound_never_decreases_whatever_the_prior(crowd, diagonal, factor, beta):
    """Digamma of 1e-12 is -1e12."""
    fitted = IBCC(diagonal=diagonal, factor=factor, beta=beta, max_iter=10, tol=0).fit(crowd)
    bound = np.array(fitted.lower_bound_)
    assert np.isfinite(bound).all()
    if min(factor, beta) > 1e-12:
        assert (np.diff(bound) >= -1e-9 * (1 + np.abs(bound[1:]))).all()
    assert fitted.posterior_.sum(axis=1) == pytest.approx(np.ones(crowd.n_units))
    assert fitted.confusion_.sum(axis=2) == pytest.approx(
        np.ones((crowd.n_workers, crowd.n_classes))
    )


def test_confusions_and_prevalence_are_recovered():
    crowd = simulate(seed=6, **BIG)
    fitted = IBCC().fit(crowd.labels)
    assert fitted.prevalence_ == pytest.approx(BIG["prevalence"], abs=0.03)
    assert np.abs(fitted.confusion_ - crowd.confusion).mean() < 0.025


def test_it_stops_when_no_posterior_moves():
    crowd = simulate(seed=2, n_units=60, n_workers=6, redundancy=4, prevalence=[0.5, 0.5]).labels
    fitted = IBCC(tol=1e-3, max_iter=200).fit(crowd)
    n = fitted.diagnostics_.iterations
    assert fitted.diagnostics_.converged
    before = IBCC(tol=0, max_iter=n - 1).fit(crowd)
    earlier = IBCC(tol=0, max_iter=n - 2).fit(crowd)
    assert np.abs(fitted.posterior_ - before.posterior_).max() < 1e-3
    assert np.abs(before.posterior_ - earlier.posterior_).max() >= 1e-3


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"factor": 0}, "factor must be 1e-12 or more, but is 0"),
        ({"beta": 0}, "beta must be 1e-12 or more, but is 0"),
        ({"beta": -1}, "beta must be 0 or more, but is -1"),
    ],
)
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        IBCC(**settings)
