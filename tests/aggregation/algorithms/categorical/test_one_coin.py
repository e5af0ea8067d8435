import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aggregation.algorithms import CrowdLabels, DawidSkene, MajorityVote
from aggregation.algorithms.categorical.one_coin import OneCoin
from tests.aggregation.algorithms.simulated import crowds, simulate, simulate_uneven

UNSMOOTHED = {"diagonal": 0, "off_diagonal": 0, "class_prior": 0}


def em_in_loops(crowd, *, diagonal, off_diagonal, class_prior, iterations):
    """The docstring's equations read aloud. Returns T, p, a and the objective."""
    said = list(zip(crowd.unit.tolist(), crowd.worker.tolist(), crowd.label.tolist(), strict=True))
    classes, workers = range(crowd.n_classes), range(crowd.n_workers)
    wrong_classes = crowd.n_classes - 1
    t = crowd.votes() / crowd.votes().sum(axis=1, keepdims=True)
    for _ in range(iterations):
        p = (t.sum(axis=0) + class_prior / crowd.n_classes) / (len(t) + class_prior)
        a = []
        for w in workers:
            mine = [(u, label) for u, by, label in said if by == w]
            right = sum(t[u, label] for u, label in mine)
            a.append((diagonal + right) / (diagonal + wrong_classes * off_diagonal + len(mine)))
        joint = np.tile(p, (crowd.n_units, 1))
        for u, w, label in said:
            for k in classes:
                joint[u, k] *= a[w] if label == k else (1 - a[w]) / wrong_classes
        t = joint / joint.sum(axis=1, keepdims=True)
        objective = np.log(joint.sum(axis=1)).sum()
        objective += class_prior / crowd.n_classes * np.log(p).sum()
        for w in workers:
            objective += diagonal * np.log(a[w])
            objective += wrong_classes * off_diagonal * np.log((1 - a[w]) / wrong_classes)
    return t, p, a, objective


def test_products_do_what_loops_do():
    crowd = simulate(
        seed=1, n_units=12, n_workers=4, redundancy=3, prevalence=[0.5, 0.3, 0.2]
    ).labels
    settings = {"diagonal": 1.5, "off_diagonal": 0.5, "class_prior": 2.0}
    t, p, a, objective = em_in_loops(crowd, **settings, iterations=7)
    fitted = OneCoin(**settings, max_iter=7, tol=0).fit(crowd)

    assert fitted.posterior_ == pytest.approx(t)
    assert fitted.prevalence_ == pytest.approx(p)
    assert fitted.accuracy_ == pytest.approx(a)
    assert fitted.log_likelihood_[-1] == pytest.approx(objective)


def all_errors_in_one_class(seed):
    """Five classes that are equally common; who is wrong says the last."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(5, size=300)
    said = np.where(rng.random((300, 3)) < 0.6, truth[:, None], 4)
    worker = rng.integers(20, size=(300, 1)) * 3 + np.arange(3)
    unit = np.repeat(np.arange(300), 3)
    return CrowdLabels(unit, worker.ravel(), said.ravel(), 300, 60, 5), truth


def test_even_adds_as_many_units_as_there_are():
    crowd, _ = all_errors_in_one_class(1)
    fitted = OneCoin(even=1, class_prior=0, tol=0, max_iter=30).fit(crowd)
    by_hand = OneCoin(class_prior=300, tol=0, max_iter=30).fit(crowd)
    assert fitted.posterior_ == pytest.approx(by_hand.posterior_)
    assert (np.diff(fitted.log_likelihood_) > -1e-9).all()
    assert fitted.prevalence_.min() > 0.1
    again = OneCoin.restore(fitted.state(), even=1, class_prior=0)
    assert again.infer(crowd) == pytest.approx(fitted.posterior_)


def test_even_keeps_a_class_of_many_errors_from_being_believed_more_and_more():
    gain, prevalence = [], []
    for seed in range(5):
        crowd, truth = all_errors_in_one_class(seed)
        even, plain = OneCoin(even=1).fit(crowd), OneCoin().fit(crowd)
        gain.append((even.predict() == truth).mean() - (plain.predict() == truth).mean())
        prevalence.append((even.prevalence_[4], plain.prevalence_[4]))
    assert np.mean(gain) > 0.05
    assert all(even < plain for even, plain in prevalence)


def test_objective_is_the_sum_over_all_truths():
    """Brute force: every way in which four units can have three classes."""
    crowd = CrowdLabels(
        [0, 0, 1, 1, 2, 2, 3], [0, 1, 1, 2, 0, 2, 0], [0, 1, 1, 1, 2, 0, 0], 4, 3, 3
    )
    fitted = OneCoin(**UNSMOOTHED, max_iter=3, tol=0).fit(crowd)
    evidence, marginal = 0.0, np.zeros((4, 3))
    for truth in np.ndindex(3, 3, 3, 3):
        joint = np.prod(fitted.prevalence_[list(truth)])
        for u, w, label in zip(crowd.unit, crowd.worker, crowd.label, strict=True):
            a = fitted.accuracy_[w]
            joint *= a if label == truth[u] else (1 - a) / 2
        evidence += joint
        marginal[range(4), truth] += joint

    assert fitted.log_likelihood_[-1] == pytest.approx(np.log(evidence))
    assert fitted.posterior_ == pytest.approx(marginal / evidence)


def test_with_gold_for_all_the_accuracies_are_in_closed_form():
    crowd = CrowdLabels([0, 1, 2, 3, 0], [0, 0, 0, 0, 1], [0, 1, 2, 0, 1], 4, 3, 3)
    fitted = OneCoin().fit(crowd, gold=[0, 1, 2, 1])
    # 3 of 4 right, 0 of 1, nothing; 1 right and 2 x .5 wrong ones are added.
    assert fitted.accuracy_ == pytest.approx([4 / 6, 1 / 3, 1 / 2])
    assert fitted.prevalence_ == pytest.approx(np.array([4, 7, 4]) / 15)
    assert fitted.confusion_[0, 1] == pytest.approx([1 / 6, 4 / 6, 1 / 6])
    assert fitted.reliability_.parameters["accuracy"].tolist() == fitted.accuracy_.tolist()


def test_worker_of_whom_nothing_is_known_is_as_with_dawid_and_skene():
    crowd = CrowdLabels([0], [0], [0], 1, 2, 5)
    ours, theirs = OneCoin().fit(crowd), DawidSkene().fit(crowd)
    assert ours.confusion_[1] == pytest.approx(theirs.confusion_[1])


@given(crowds(), st.sampled_from([0.0, 0.001, 3.0]), st.sampled_from([0.0, 0.001, 3.0]),
       st.sampled_from(["shares", "mode"]))  # fmt: skip
def test_objective_never_decreases_whatever_the_pseudo_counts(crowd, diagonal, off, start):
    fitted = OneCoin(diagonal=diagonal, off_diagonal=off, class_prior=off, start=start,
                     max_iter=15, tol=0).fit(crowd)  # fmt: skip
    gains = np.diff(fitted.log_likelihood_)
    assert (gains >= -1e-8 * (1 + np.abs(fitted.log_likelihood_[1:]))).all()
    assert np.isfinite(fitted.posterior_).all()


def test_accuracies_are_recovered():
    crowd = simulate_uneven(seed=6, n_units=4_000, n_workers=30, redundancy=5)
    fitted = OneCoin().fit(crowd.labels)
    assert np.abs(fitted.accuracy_ - crowd.confusion[:, 0, 0]).mean() < 0.02
    assert fitted.prevalence_ == pytest.approx([0.25] * 4, abs=0.02)


def test_with_few_labels_a_worker_it_beats_tables_and_votes():
    right = {"vote": 0.0, "tables": 0.0, "one coin": 0.0}
    for seed in range(3):
        crowd = simulate_uneven(seed=seed, n_units=600, n_workers=150, redundancy=3)
        for name, method in (("vote", MajorityVote()), ("tables", DawidSkene()),
                             ("one coin", OneCoin())):  # fmt: skip
            right[name] += (method.fit(crowd.labels).predict() == crowd.truth).mean()
    assert right["vote"] < right["one coin"]
    assert right["tables"] < right["one coin"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"off_diagonal": -1}, "off_diagonal must be 0 or more"),
        ({"class_prior": float("inf")}, "class_prior must be 0 or more, but is inf"),
        ({"start": "random"}, "start must be 'shares', 'mode' or 'gold', but is 'random'"),
    ],
)
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        OneCoin(**settings)
