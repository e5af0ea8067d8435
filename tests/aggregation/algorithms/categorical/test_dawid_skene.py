import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aggregation.algorithms import CrowdLabels, DawidSkene, MajorityVote, calibration_of
from tests.aggregation.algorithms import anaesthetists
from tests.aggregation.algorithms.simulated import crowds, simulate, simulate_uneven

UNSMOOTHED = {"diagonal": 0, "off_diagonal": 0, "class_prior": 0}
PSEUDO_COUNTS = st.sampled_from([0.0, 0.001, 0.5, 3.0])

TWO_AGAINST_ONE = CrowdLabels(
    unit=[0, 0, 0, 1, 1, 1, 2, 2, 2], worker=[0, 1, 2] * 3, label=[0, 0, 1, 1, 1, 0, 0, 0, 0],
    n_units=3, n_workers=3, n_classes=2,
)  # fmt: skip


# --- The published example ----------------------------------------------------------------------


def test_estimates_of_dawid_and_skene_are_reproduced():
    fitted = DawidSkene(**UNSMOOTHED, tol=1e-9).fit(anaesthetists.observations())

    printed = 0.005 + 1e-4
    assert fitted.prevalence_ == pytest.approx(anaesthetists.PREVALENCE, abs=printed)
    assert fitted.confusion_ == pytest.approx(np.array(anaesthetists.ERROR_RATES), abs=printed)
    for i, row in enumerate(fitted.posterior_, start=1):
        sure = np.eye(4)[row.argmax()]
        assert row == pytest.approx(anaesthetists.DOUBTFUL.get(i, sure), abs=printed)


# --- Two implementations against each other -----------------------------------------------------


def em_in_loops(crowd, *, diagonal, off_diagonal, class_prior, iterations):
    """The paper's equations read aloud. Returns T, p, E and the objective."""
    units, workers, classes = range(crowd.n_units), range(crowd.n_workers), range(crowd.n_classes)
    said = list(zip(crowd.unit, crowd.worker, crowd.label, strict=True))
    share = np.zeros((crowd.n_units, crowd.n_classes))
    for u, _, k in said:
        share[u, k] += 1
    overall = share.sum(axis=0) if len(said) else np.ones(crowd.n_classes)
    share = np.array([row if row.any() else overall for row in share])
    t = share / share.sum(axis=1, keepdims=True)
    for _ in range(iterations):
        p = np.array([class_prior / len(classes) + sum(t[u, k] for u in units) for k in classes])
        p /= p.sum()
        e = np.zeros((crowd.n_workers, crowd.n_classes, crowd.n_classes))
        for w in workers:
            for k in classes:
                for label in classes:
                    e[w, k, label] = diagonal if k == label else off_diagonal
                    e[w, k, label] += sum(t[u, k] for u, by, s in said if by == w and s == label)
                e[w, k] /= e[w, k].sum()
        joint = np.array([[p[k] for k in classes] for _ in units])
        for u, w, label in said:
            joint[u] *= e[w, :, label]
        t = joint / joint.sum(axis=1, keepdims=True)
        objective = np.log(joint.sum(axis=1)).sum() + class_prior / len(classes) * np.log(p).sum()
        for w in workers:
            for k in classes:
                for label in classes:
                    a = diagonal if k == label else off_diagonal
                    objective += a * np.log(e[w, k, label])
    return t, p, e, objective


def test_products_do_what_loops_do():
    crowd = simulate(
        seed=1, n_units=12, n_workers=4, redundancy=3, prevalence=[0.5, 0.3, 0.2]
    ).labels
    settings = {"diagonal": 1.0, "off_diagonal": 0.5, "class_prior": 2.0}
    t, p, e, objective = em_in_loops(crowd, **settings, iterations=7)
    fitted = DawidSkene(**settings, max_iter=7, tol=0).fit(crowd)

    assert fitted.posterior_ == pytest.approx(t)
    assert fitted.prevalence_ == pytest.approx(p)
    assert fitted.confusion_ == pytest.approx(e)
    assert fitted.log_likelihood_[-1] == pytest.approx(objective)


def test_objective_is_the_sum_over_all_truths():
    """Brute force: every way in which three units can have two classes."""
    fitted = DawidSkene(**UNSMOOTHED, max_iter=2, tol=0).fit(TWO_AGAINST_ONE)
    evidence, marginal = 0.0, np.zeros((3, 2))
    for truth in np.ndindex(2, 2, 2):
        joint = np.prod(fitted.prevalence_[list(truth)])
        for u, w, label in zip(*(TWO_AGAINST_ONE.__dict__[x] for x in ("unit", "worker", "label")),
                               strict=True):  # fmt: skip
            joint *= fitted.confusion_[w, truth[u], label]
        evidence += joint
        for u, k in enumerate(truth):
            marginal[u, k] += joint

    assert fitted.log_likelihood_[-1] == pytest.approx(np.log(evidence))
    assert fitted.posterior_ == pytest.approx(marginal / evidence)


# --- What always holds --------------------------------------------------------------------------


@given(crowds(), PSEUDO_COUNTS, PSEUDO_COUNTS, PSEUDO_COUNTS, st.sampled_from(["shares", "mode"]))
def test_objective_never_decreases_and_nothing_is_nan(crowd, diagonal, off, prior, start):
    fitted = DawidSkene(
        diagonal=diagonal, off_diagonal=off, class_prior=prior, start=start, max_iter=15, tol=0
    ).fit(crowd)

    gains = np.diff(fitted.log_likelihood_)
    assert (gains >= -1e-8 * (1 + np.abs(fitted.log_likelihood_[1:]))).all()
    assert fitted.posterior_.sum(axis=1) == pytest.approx(np.ones(crowd.n_units))
    assert fitted.prevalence_.sum() == pytest.approx(1)
    assert fitted.confusion_.sum(axis=2) == pytest.approx(
        np.ones((crowd.n_workers, crowd.n_classes))
    )
    found = fitted.reliability_
    assert (found.low <= found.accuracy).all()
    assert (found.accuracy <= found.high).all()


@given(crowds(), st.data())
def test_objective_never_decreases_with_gold_either(crowd, data):
    classes = st.integers(-1, crowd.n_classes - 1)
    gold = np.array(
        data.draw(st.lists(classes, min_size=crowd.n_units, max_size=crowd.n_units)), dtype=int
    )
    fitted = DawidSkene(max_iter=15, tol=0).fit(crowd, gold=gold)

    assert (np.diff(fitted.log_likelihood_) >= -1e-8).all()
    for unit in np.flatnonzero(gold >= 0):
        assert fitted.posterior_[unit, gold[unit]] == 1


def test_labels_agree_with_parameters():
    """The last step is an E-step: one more from the fitted parameters changes nothing."""
    fitted = DawidSkene(max_iter=3, tol=0).fit(TWO_AGAINST_ONE)
    joint = np.tile(np.log(fitted.prevalence_), (3, 1))
    for u, w, label in zip(
        TWO_AGAINST_ONE.unit, TWO_AGAINST_ONE.worker, TWO_AGAINST_ONE.label, strict=True
    ):
        joint[u] += np.log(fitted.confusion_[w, :, label])
    joint = np.exp(joint)
    assert fitted.posterior_ == pytest.approx(joint / joint.sum(axis=1, keepdims=True))
    assert fitted.predict().tolist() == fitted.posterior_.argmax(axis=1).tolist()


def test_renumbering_units_workers_and_classes_renumbers_the_result():
    crowd = simulate(
        seed=2, n_units=40, n_workers=6, redundancy=4, prevalence=[0.5, 0.3, 0.2]
    ).labels
    rng = np.random.default_rng(3)
    u, w, k = rng.permutation(40), rng.permutation(6), rng.permutation(3)
    order = rng.permutation(crowd.n_labels)
    moved = CrowdLabels(
        u[crowd.unit][order], w[crowd.worker][order], k[crowd.label][order], 40, 6, 3
    )
    plain = DawidSkene(max_iter=8, tol=0).fit(crowd)
    fitted = DawidSkene(max_iter=8, tol=0).fit(moved)

    assert fitted.posterior_[u][:, k] == pytest.approx(plain.posterior_)
    assert fitted.confusion_[w][:, k][:, :, k] == pytest.approx(plain.confusion_)
    assert fitted.log_likelihood_ == pytest.approx(plain.log_likelihood_)
    assert fitted.reliability_.low[w] == pytest.approx(plain.reliability_.low)


def test_same_input_gives_the_same_bits():
    crowd = simulate(seed=4, n_units=50, n_workers=5, redundancy=3, prevalence=[0.6, 0.4]).labels
    once, twice = DawidSkene().fit(crowd), DawidSkene().fit(crowd)
    assert (once.posterior_ == twice.posterior_).all()
    assert once.log_likelihood_ == twice.log_likelihood_


# --- On simulated crowds ------------------------------------------------------------------------

BIG = {"n_units": 4_000, "n_workers": 30, "redundancy": 5, "prevalence": [0.5, 0.3, 0.2]}


def test_confusions_and_prevalence_are_recovered():
    crowd = simulate(seed=6, **BIG)
    fitted = DawidSkene().fit(crowd.labels)
    assert fitted.prevalence_ == pytest.approx(BIG["prevalence"], abs=0.03)
    assert np.abs(fitted.confusion_ - crowd.confusion).mean() < 0.02


def test_it_beats_the_vote_where_workers_differ():
    crowd = simulate(seed=7, **BIG)
    vote = crowd.labels.votes().argmax(axis=1)
    fitted = DawidSkene().fit(crowd.labels)
    assert (fitted.predict() == crowd.truth).mean() > (vote == crowd.truth).mean() + 0.01


def test_posteriors_are_calibrated():
    crowd = simulate(seed=8, **BIG)
    fitted = DawidSkene().fit(crowd.labels)
    sure, right = fitted.posterior_.max(axis=1), fitted.predict() == crowd.truth
    assert calibration_of(sure, right).error < 0.02


def test_with_two_answers_a_task_smoothing_is_what_makes_it_better_than_a_vote():
    right: dict[str, list[float]] = {"vote": [], "unsmoothed": [], "smoothed": []}
    error: dict[str, list[float]] = {"vote": [], "unsmoothed": [], "smoothed": []}
    for seed in range(3):
        crowd = simulate_uneven(seed=seed, n_units=1_000, n_workers=50, redundancy=2)
        for name, method in (
            ("vote", MajorityVote()),
            ("unsmoothed", DawidSkene(**UNSMOOTHED)),
            ("smoothed", DawidSkene()),
        ):
            fitted = method.fit(crowd.labels)
            hit = fitted.predict() == crowd.truth
            right[name].append(hit.mean())
            error[name].append(calibration_of(fitted.posterior_.max(axis=1), hit).error)

    assert np.mean(right["unsmoothed"]) < np.mean(right["vote"]) < np.mean(right["smoothed"])
    assert np.mean(error["smoothed"]) < 0.5 * np.mean(error["unsmoothed"])


def test_intervals_of_accuracies_cover_the_truth():
    inside = []
    for seed in range(10, 15):
        crowd = simulate(seed=seed, n_units=600, n_workers=30, redundancy=5, prevalence=[0.6, 0.4])
        true = (crowd.confusion.diagonal(axis1=1, axis2=2) * [0.6, 0.4]).sum(axis=1)
        found = DawidSkene().fit(crowd.labels).reliability_
        inside.append((found.low <= true) & (true <= found.high))
    assert 0.90 <= np.mean(inside) <= 1


# --- Gold ---------------------------------------------------------------------------------------


def test_gold_overrules_the_crowd_and_teaches_who_is_good():
    """Worker 2 is right where it is known; so they are believed where it is not."""
    unit, worker = np.repeat(np.arange(12), 3), np.tile([0, 1, 2], 12)
    label = np.tile([1, 1, 0], 12)
    crowd = CrowdLabels(unit, worker, label, 12, 3, 2)
    gold = np.array([0] * 11 + [-1])
    assert DawidSkene().fit(crowd).predict().tolist() == [1] * 12

    fitted = DawidSkene().fit(crowd, gold=gold)
    assert fitted.predict().tolist() == [0] * 12
    assert fitted.posterior_[:11, 0].tolist() == [1] * 11
    assert fitted.reliability_.accuracy[2] > 0.9 > 0.1 > fitted.reliability_.accuracy[0]


def test_gold_may_be_a_class_that_nobody_said():
    fitted = DawidSkene(**UNSMOOTHED).fit(
        CrowdLabels([0, 1], [0, 0], [0, 0], 2, 1, 3), gold=[2, -1]
    )
    assert fitted.posterior_[0].tolist() == [0, 0, 1]
    assert np.isfinite(fitted.log_likelihood_).all()


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ([0, 1], r"gold has the shape \(2,\), but there are 3 units"),
        ([0, 1, 2], r"gold runs from 0 to 2, but there are 2 classes"),
        ([0, 1, -2], r"gold runs from -2 to 1"),
        ([0.0, 1.0, 1.0], r"gold holds float64"),
    ],
)
def test_wrong_gold_is_refused_with_both_values(gold, message):
    with pytest.raises(ValueError, match=message):
        DawidSkene().fit(TWO_AGAINST_ONE, gold=gold)


# --- Edges --------------------------------------------------------------------------------------


def test_unit_and_worker_without_labels_get_the_prior():
    crowd = CrowdLabels([0, 0, 1], [0, 1, 0], [0, 0, 1], n_units=3, n_workers=3, n_classes=2)
    fitted = DawidSkene().fit(crowd)
    assert fitted.posterior_[2] == pytest.approx(fitted.prevalence_)
    assert fitted.confusion_[2] == pytest.approx(np.array([[2 / 3, 1 / 3], [1 / 3, 2 / 3]]))
    assert fitted.reliability_.accuracy[2] == 0.5
    assert fitted.reliability_.judged.tolist() == [2, 1, 0]


def test_unit_with_a_thousand_labels_does_not_underflow():
    n = 1_000
    crowd = CrowdLabels(np.arange(2 * n) // n, np.arange(2 * n) % n, np.arange(2 * n) % 2, 2, n, 2)
    fitted = DawidSkene(max_iter=5).fit(crowd)
    assert np.isfinite(fitted.log_likelihood_).all()
    assert fitted.posterior_.sum(axis=1) == pytest.approx([1, 1])


def test_class_that_nobody_used_takes_nothing():
    used = DawidSkene().fit(TWO_AGAINST_ONE)
    crowd = CrowdLabels(
        TWO_AGAINST_ONE.unit, TWO_AGAINST_ONE.worker, TWO_AGAINST_ONE.label, 3, 3, n_classes=3
    )
    fitted = DawidSkene().fit(crowd)
    assert fitted.predict().tolist() == used.predict().tolist()
    assert fitted.posterior_[:, 2].max() < 0.1


def test_one_worker_is_followed():
    crowd = CrowdLabels([0, 1, 2], [0, 0, 0], [1, 0, 1], 3, 1, 2)
    assert DawidSkene().fit(crowd).predict().tolist() == [1, 0, 1]


@pytest.mark.parametrize("settings", [{}, UNSMOOTHED])
@pytest.mark.parametrize(("units", "workers"), [(0, 0), (3, 0), (0, 2), (3, 2)])
def test_without_labels_everything_is_the_prior(settings, units, workers):
    fitted = DawidSkene(**settings).fit(CrowdLabels([], [], [], units, workers, 4))
    assert fitted.posterior_ == pytest.approx(np.full((units, 4), 0.25))
    assert fitted.diagnostics_.converged


def test_it_stops_when_an_iteration_gains_little_per_label():
    crowd = simulate(seed=11, n_units=200, n_workers=10, redundancy=4, prevalence=[0.6, 0.4]).labels
    fitted = DawidSkene(tol=1e-4).fit(crowd)
    gains = np.diff(fitted.log_likelihood_) / crowd.n_labels
    assert fitted.diagnostics_.converged
    assert gains[-1] < 1e-4
    assert (gains[:-1] >= 1e-4).all()
    assert fitted.diagnostics_.iterations == len(fitted.log_likelihood_)
    assert fitted.diagnostics_.objective == tuple(fitted.log_likelihood_)


def test_it_says_when_it_did_not_converge():
    found = DawidSkene(max_iter=2, tol=0).fit(anaesthetists.observations()).diagnostics_
    assert (found.converged, found.iterations) == (False, 2)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"diagonal": -1}, "diagonal must be 0 or more, but is -1"),
        ({"off_diagonal": float("nan")}, "off_diagonal must be 0 or more, but is nan"),
        ({"class_prior": float("inf")}, "class_prior must be 0 or more, but is inf"),
        ({"tol": -1e-5}, "tol must be 0 or more"),
        ({"max_iter": 0}, "max_iter must be at least 1, but is 0"),
        ({"start": "random"}, "start must be 'shares', 'mode' or 'gold', but is 'random'"),
    ],
)
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        DawidSkene(**settings)
