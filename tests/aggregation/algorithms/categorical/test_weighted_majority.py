import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aggregation.algorithms import CrowdLabels, MajorityVote, calibration_of
from aggregation.algorithms.categorical import weighted_majority
from aggregation.algorithms.categorical.weighted_majority import WeightedMajority
from tests.aggregation.algorithms.simulated import crowds, simulate_uneven

WEIGHTS = st.sampled_from(["linear", "log-odds"])


def crowd_of(triples, *, units, workers, classes):
    unit, worker, label = zip(*triples, strict=True) if triples else ([], [], [])
    return CrowdLabels(unit, worker, label, units, workers, classes)


# Worker 3 says the opposite of three who agree; in unit 4 worker 3 stands against worker 2 alone.
CONTRARY = crowd_of(
    [(u, w, u % 2) for u in range(4) for w in range(3)]
    + [(u, 3, 1 - u % 2) for u in range(4)]
    + [(4, 2, 0), (4, 3, 1), (5, 3, 0)],
    units=6, workers=4, classes=2,
)  # fmt: skip


# --- Closed forms -------------------------------------------------------------------------------


def test_linear_weights_are_zero_at_chance_and_negative_below():
    """r = 1 for three workers; worker 3 agrees in none of the first five, and speaks against 0 in
    unit 5, where nobody else does: 1 becomes the outcome, so worker 3 is always wrong.
    """
    fitted = WeightedMajority().fit(CONTRARY)
    assert fitted.reliability_.parameters["weight"] == pytest.approx([1, 1, 1, -1])
    assert fitted.predict().tolist() == [0, 1, 0, 1, 0, 1]
    assert fitted.posterior_[4] == pytest.approx([1, 0])  # the -1 for 1 is a 1 for 0
    assert fitted.posterior_[5] == pytest.approx([0, 1])


def test_log_odds_are_truncated_by_the_number_of_judgments():
    fitted = WeightedMajority(weights="log-odds").fit(CONTRARY)
    cut = np.log([7 / 1, 7 / 1, 9 / 1, 1 / 11])  # e = 1 / 8, 1 / 8, 1 / 10, 1 / 12
    assert fitted.reliability_.parameters["weight"] == pytest.approx(cut)
    odds = np.exp(cut[2] - cut[3])
    assert fitted.posterior_[4] == pytest.approx([odds / (1 + odds), 1 / (1 + odds)])


def test_log_odds_are_truncated_by_the_setting_where_judgments_are_many():
    n = 100
    crowd = CrowdLabels(
        np.tile(np.arange(n), 2), np.repeat([0, 1], n), np.zeros(2 * n, int), n, 2, 3
    )
    for truncation, weight in ((0.01, np.log(2 * 0.99 / 0.01)), (0.2, np.log(2 * 0.8 / 0.2))):
        fitted = WeightedMajority(weights="log-odds", truncation=truncation).fit(crowd)
        assert fitted.reliability_.parameters["weight"] == pytest.approx([weight] * 2)


def test_posterior_of_log_odds_is_that_of_the_one_coin_model():
    """By enumeration, with the accuracies that the weights stand for and even classes."""
    crowd = simulate_uneven(seed=3, n_units=40, n_workers=6, redundancy=3).labels
    fitted = WeightedMajority(weights="log-odds").fit(crowd)
    odds = np.exp(fitted.reliability_.parameters["weight"]) / 3
    accuracy = odds / (1 + odds)
    joint = np.ones((40, 4))
    for u, w, said in zip(crowd.unit, crowd.worker, crowd.label, strict=True):
        for k in range(4):
            joint[u, k] *= accuracy[w] if k == said else (1 - accuracy[w]) / 3
    assert fitted.posterior_ == pytest.approx(joint / joint.sum(axis=1, keepdims=True))


# --- Two implementations against each other -----------------------------------------------------


def voted_in_loops(crowd, kind, iterations):
    """The docstring's equations read aloud."""
    said = list(zip(crowd.unit.tolist(), crowd.worker.tolist(), crowd.label.tolist(), strict=True))
    k = crowd.n_classes
    weight = [1.0] * crowd.n_workers
    outcome = None
    for _ in range(iterations + 1):
        before, outcome = outcome, []
        for unit in range(crowd.n_units):
            mine = [(weight[w], label) for u, w, label in said if u == unit]
            if all(abs(x) < 1e-9 for x, _ in mine):
                mine = [(1.0, label) for _, label in mine]
            sums = [sum(x for x, label in mine if label == c) for c in range(k)]
            outcome.append(next(c for c in range(k) if sums[c] > max(sums) - 1e-9))
        if outcome == before:
            break
        for w in range(crowd.n_workers):
            own = [outcome[u] == label for u, by, label in said if by == w]
            if not own or k == 1:
                weight = [*weight[:w], 0.0, *weight[w + 1 :]]
                continue
            r = sum(own) / len(own)
            e = max(1 / (2 * len(own)), 0.01)
            cut = min(max(r, e), 1 - e)
            x = k * r - 1 if kind == "linear" else np.log((k - 1) * cut / (1 - cut))
            weight = [*weight[:w], x, *weight[w + 1 :]]
    return outcome, weight


@given(crowds(), WEIGHTS)
def test_arrays_do_what_loops_do(crowd, kind):
    fitted = WeightedMajority(weights=kind).fit(crowd)
    outcome, weight = voted_in_loops(crowd, kind, 100)
    judged = np.flatnonzero(crowd.votes().any(axis=1))
    assert fitted.predict()[judged].tolist() == [outcome[unit] for unit in judged]
    if fitted.diagnostics_.converged:
        assert fitted.reliability_.parameters["weight"] == pytest.approx(weight)


def agreements(crowd, weight):
    """Per worker, how often they say what the weighted others say, in loops."""
    triples = list(zip(crowd.unit, crowd.worker, crowd.label, strict=True))
    right = [[] for _ in range(crowd.n_workers)]
    for i, (unit, worker, label) in enumerate(triples):
        others = [t for j, t in enumerate(triples) if t[0] == unit and i != j]
        if not any(abs(weight[w]) > 1e-9 for _, w, _ in others):
            continue
        sums = [sum(weight[w] for _, w, x in others if x == k) for k in range(crowd.n_classes)]
        best = [k for k in range(crowd.n_classes) if sums[k] > max(sums) - 1e-9]
        right[worker].append(1 / len(best) if label in best else 0)
    return right


@given(crowds(), WEIGHTS)
def test_reliability_is_agreement_with_the_weighted_others(crowd, kind):
    found = WeightedMajority(weights=kind).fit(crowd).reliability_
    right = agreements(crowd, found.parameters["weight"])
    assert found.accuracy == pytest.approx([(sum(x) + 0.5) / (len(x) + 1) for x in right])
    assert found.judged.tolist() == crowd.judged().tolist()


def test_reliability_in_blocks_is_that_of_the_whole(monkeypatch):
    crowd = simulate_uneven(seed=4, n_units=50, n_workers=6, redundancy=3).labels
    whole = WeightedMajority().fit(crowd).reliability_
    monkeypatch.setattr(weighted_majority, "BLOCK_LABELS", 7)
    cut = WeightedMajority().fit(crowd).reliability_
    assert cut.low == pytest.approx(whole.low)
    assert cut.high == pytest.approx(whole.high)


# --- What always holds --------------------------------------------------------------------------


@given(crowds(), WEIGHTS, st.data())
def test_shares_sum_to_one_and_the_outcome_has_the_largest(crowd, kind, data):
    gold = data.draw(
        st.lists(
            st.integers(-1, crowd.n_classes - 1), min_size=crowd.n_units, max_size=crowd.n_units
        )
    )
    fitted = WeightedMajority(weights=kind).fit(crowd, gold=np.array(gold, dtype=int))
    assert fitted.posterior_.sum(axis=1) == pytest.approx(np.ones(crowd.n_units))
    assert (fitted.posterior_ >= 0).all()
    chosen = fitted.posterior_[np.arange(crowd.n_units), fitted.predict()]
    assert chosen == pytest.approx(fitted.posterior_.max(axis=1, initial=0))
    for unit in np.flatnonzero(np.array(gold, dtype=int) >= 0):
        assert fitted.predict()[unit] == gold[unit]
        assert fitted.posterior_[unit, gold[unit]] == 1
    found = fitted.reliability_
    assert (found.low <= found.accuracy).all()
    assert (found.accuracy <= found.high).all()


@pytest.mark.parametrize("kind", ["linear", "log-odds"])
def test_renumbering_units_workers_and_classes_renumbers_the_result(kind):
    """Five labels, so that ties, which go by number, are rare; these seeds have none."""
    crowd = simulate_uneven(seed=5, n_units=60, n_workers=7, redundancy=5).labels
    rng = np.random.default_rng(3)
    u, w, k = rng.permutation(60), rng.permutation(7), rng.permutation(4)
    order = rng.permutation(crowd.n_labels)
    moved = CrowdLabels(
        u[crowd.unit][order], w[crowd.worker][order], k[crowd.label][order], 60, 7, 4
    )
    plain = WeightedMajority(weights=kind).fit(crowd)
    fitted = WeightedMajority(weights=kind).fit(moved)
    assert fitted.posterior_[u][:, k] == pytest.approx(plain.posterior_)
    assert k[plain.predict()].tolist() == fitted.predict()[u].tolist()
    weight = plain.reliability_.parameters["weight"]
    assert fitted.reliability_.parameters["weight"][w] == pytest.approx(weight)


def test_ties_go_to_the_lowest_class_whatever_the_order_of_the_sum():
    """.1 + .2 + .3 is not .3 + .2 + .1 in floats: no such thing may settle a tie."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        accuracy = rng.permutation(7)
        triples = [(0, w, 1) for w in accuracy] + [(0, 7 + w, 0) for w in range(7)]
        fitted = WeightedMajority(max_iter=1).fit(crowd_of(triples, units=1, workers=14, classes=2))
        assert fitted.predict().tolist() == [0]


# --- On simulated crowds ------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["linear", "log-odds"])
def test_it_beats_the_vote_where_workers_differ(kind):
    crowd = simulate_uneven(seed=7, n_units=2_000, n_workers=40, redundancy=5)
    vote = MajorityVote().fit(crowd.labels).predict()
    fitted = WeightedMajority(weights=kind).fit(crowd.labels)
    assert (fitted.predict() == crowd.truth).mean() > (vote == crowd.truth).mean() + 0.03


def test_log_odds_are_calibrated_where_errors_are_spread_evenly():
    crowd = simulate_uneven(seed=8, n_units=4_000, n_workers=30, redundancy=7)
    fitted = WeightedMajority(weights="log-odds").fit(crowd.labels)
    sure, right = fitted.posterior_.max(axis=1), fitted.predict() == crowd.truth
    assert calibration_of(sure, right).error < 0.02


def test_weights_recover_the_accuracies():
    crowd = simulate_uneven(seed=9, n_units=4_000, n_workers=30, redundancy=7)
    weight = WeightedMajority().fit(crowd.labels).reliability_.parameters["weight"]
    true = 4 * crowd.confusion[:, 0, 0] - 1
    assert np.abs(weight - true).mean() < 0.1


# --- Gold ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["linear", "log-odds"])
def test_gold_overrules_the_crowd_and_teaches_who_is_good(kind):
    """Worker 2 is right where it is known; so they are believed where it is not."""
    unit, worker = np.repeat(np.arange(12), 3), np.tile([0, 1, 2], 12)
    crowd = CrowdLabels(unit, worker, np.tile([1, 1, 0], 12), 12, 3, 2)
    assert WeightedMajority(weights=kind).fit(crowd).predict().tolist() == [1] * 12

    fitted = WeightedMajority(weights=kind).fit(crowd, gold=[0] * 11 + [-1])
    assert fitted.predict().tolist() == [0] * 12
    assert fitted.reliability_.accuracy[2] > 0.9 > 0.1 > fitted.reliability_.accuracy[0]


def test_wrong_gold_is_refused():
    with pytest.raises(ValueError, match=r"gold has the shape \(2,\), but there are 6 units"):
        WeightedMajority().fit(CONTRARY, gold=[0, 1])


# --- Edges --------------------------------------------------------------------------------------


def test_plain_votes_count_where_all_weights_are_zero():
    """Each worker has one label of their own, so e = 1/2 and every log-odds weight is 0."""
    crowd = crowd_of([(0, 0, 1), (0, 1, 1), (0, 2, 0)], units=1, workers=3, classes=2)
    fitted = WeightedMajority(weights="log-odds").fit(crowd)
    assert fitted.reliability_.parameters["weight"].tolist() == [0, 0, 0]
    assert fitted.predict().tolist() == [1]
    assert fitted.posterior_[0] == pytest.approx([1 / 3, 2 / 3])
    assert fitted.reliability_.accuracy.tolist() == [0.5] * 3  # there is nothing to agree with


def test_unit_without_labels_and_worker_without_labels():
    crowd = crowd_of([(0, 0, 1), (1, 0, 1), (0, 1, 1)], units=3, workers=3, classes=2)
    linear = WeightedMajority().fit(crowd)
    assert linear.posterior_[2] == pytest.approx([0, 1])  # the shares of all
    assert linear.reliability_.parameters["weight"][2] == 0
    assert WeightedMajority(weights="log-odds").fit(crowd).posterior_[2].tolist() == [0.5, 0.5]


@pytest.mark.parametrize("kind", ["linear", "log-odds"])
@pytest.mark.parametrize(("units", "workers"), [(0, 0), (3, 0), (0, 2), (3, 2)])
def test_without_labels_all_classes_are_equal(kind, units, workers):
    fitted = WeightedMajority(weights=kind).fit(CrowdLabels([], [], [], units, workers, 4))
    assert fitted.posterior_ == pytest.approx(np.full((units, 4), 0.25))
    assert fitted.diagnostics_.converged
    assert fitted.diagnostics_.objective == ()


@pytest.mark.parametrize("kind", ["linear", "log-odds"])
def test_one_class_and_one_worker(kind):
    one = WeightedMajority(weights=kind).fit(CrowdLabels([0, 1], [0, 0], [0, 0], 2, 1, 1))
    assert one.posterior_.tolist() == [[1], [1]]
    alone = WeightedMajority(weights=kind).fit(CrowdLabels([0, 1, 2], [0] * 3, [1, 0, 1], 3, 1, 2))
    assert alone.predict().tolist() == [1, 0, 1]


def test_it_says_when_it_did_not_come_to_rest():
    crowd = simulate_uneven(seed=7, n_units=500, n_workers=40, redundancy=3).labels
    found = WeightedMajority(max_iter=1).fit(crowd).diagnostics_
    assert (found.converged, found.iterations) == (False, 1)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"weights": "even"}, "weights must be 'linear' or 'log-odds', but is 'even'"),
        ({"truncation": 0}, r"truncation must be above 0 and at most 0\.5, but is 0"),
        ({"truncation": 0.6}, r"at most 0\.5, but is 0\.6"),
        ({"max_iter": 0}, "max_iter must be at least 1, but is 0"),
    ],
)
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        WeightedMajority(**settings)
