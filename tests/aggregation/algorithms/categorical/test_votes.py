import numpy as np
import pytest
from hypothesis import given

from aggregation.algorithms import CrowdLabels, MajorityVote
from tests.aggregation.algorithms.simulated import crowds


def fit(triples, *, units=2, workers=4, classes=3):
    unit, worker, label = zip(*triples, strict=True) if triples else ([], [], [])
    return MajorityVote().fit(CrowdLabels(unit, worker, label, units, workers, classes))


def test_most_votes_win():
    fitted = fit([(0, 0, 2), (0, 1, 2), (0, 2, 0), (1, 0, 1)])
    assert fitted.predict().tolist() == [2, 1]
    assert fitted.posterior_[0] == pytest.approx([1 / 3, 0, 2 / 3])


def test_ties_go_to_the_lowest_class():
    assert fit([(0, 0, 2), (0, 1, 1)], units=1).predict().tolist() == [1]


def test_unit_without_labels_gets_the_shares_of_all_labels():
    fitted = fit([(0, 0, 2), (0, 1, 2), (0, 2, 0)])
    assert fitted.posterior_[1] == pytest.approx([1 / 3, 0, 2 / 3])


def test_without_any_label_all_classes_are_equal():
    fitted = fit([])
    assert fitted.posterior_.tolist() == [[1 / 3] * 3] * 2
    assert fitted.reliability_.accuracy.tolist() == [0.5] * 4
    assert fitted.reliability_.judged.tolist() == [0] * 4


def test_a_vote_needs_no_iterations():
    found = fit([(0, 0, 1)]).diagnostics_
    assert (found.objective, found.converged, found.iterations) == ((), True, 0)
    assert found.seconds >= 0


def test_own_vote_does_not_confirm_itself():
    """Worker 0 stands alone against two in unit 0, and alone altogether in unit 1."""
    fitted = fit([(0, 0, 0), (0, 1, 1), (0, 2, 1), (1, 0, 0)])
    found = fitted.reliability_
    assert found.judged.tolist() == [2, 1, 1, 0]
    # One comparison, lost: (0 + .5) / (1 + 1). Worker 1's others are 1 : 1, so they have half of
    # it.
    assert found.accuracy == pytest.approx([0.25, 0.5, 0.5, 0.5])
    assert found.confusion is None


def agreements(crowd):
    """What `agreement_with_others` counts, in loops: per worker the shares of being right."""
    triples = list(zip(crowd.unit, crowd.worker, crowd.label, strict=True))
    right = [[] for _ in range(crowd.n_workers)]
    for i, (unit, worker, label) in enumerate(triples):
        others = [other[2] for j, other in enumerate(triples) if other[0] == unit and i != j]
        if others:
            most = max(others.count(k) for k in range(crowd.n_classes))
            best = [k for k in range(crowd.n_classes) if others.count(k) == most]
            right[worker].append(1 / len(best) if label in best else 0)
    return right


@given(crowds())
def test_reliability_is_agreement_with_the_majority_of_the_others(crowd):
    found = MajorityVote().fit(crowd).reliability_
    expected = [(sum(right) + 0.5) / (len(right) + 1) for right in agreements(crowd)]
    assert found.accuracy == pytest.approx(expected)


@given(crowds())
def test_shares_are_counts_over_counts(crowd):
    fitted = MajorityVote().fit(crowd)
    votes = crowd.votes()
    for unit in np.flatnonzero(votes.any(axis=1)):
        assert fitted.posterior_[unit] == pytest.approx(votes[unit] / votes[unit].sum())
        assert fitted.predict()[unit] == votes[unit].argmax()
    assert fitted.posterior_.sum(axis=1) == pytest.approx(np.ones(crowd.n_units))


def test_renumbering_units_workers_and_classes_renumbers_the_result():
    rng = np.random.default_rng(5)
    unit, worker, label = (
        rng.integers(6, size=40),
        rng.integers(5, size=40),
        rng.integers(4, size=40),
    )
    plain = MajorityVote().fit(CrowdLabels(unit, worker, label, 6, 5, 4))
    u, w, k = rng.permutation(6), rng.permutation(5), rng.permutation(4)
    moved = MajorityVote().fit(CrowdLabels(u[unit], w[worker], k[label], 6, 5, 4))

    assert moved.posterior_[u][:, k] == pytest.approx(plain.posterior_)
    assert moved.reliability_.accuracy[w] == pytest.approx(plain.reliability_.accuracy)
    assert moved.reliability_.judged[w].tolist() == plain.reliability_.judged.tolist()
