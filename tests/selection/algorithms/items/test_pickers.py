import numpy as np
import pytest

from selection.algorithms import (
    BernoulliNaiveBayes,
    Committee,
    Coverage,
    DensityWeighted,
    DiverseUncertainty,
    ErrorDriven,
    FacilityLocation,
    GaussianNaiveBayes,
    Labelled,
    LogisticRegression,
    Numeric,
    Pool,
    Random,
    Similar,
    Uncertainty,
    cover,
)
from selection.algorithms.items.pickers import affordable, best_within, nearest

N = 200
NOTHING = np.zeros(0, dtype=np.int64)


def pool(cost=None, n=N, seed=0):
    """Two clouds, which the first attribute tells apart."""
    rng = np.random.default_rng(seed)
    centre = 2.0 * (np.arange(n) % 2)
    rows = rng.normal(size=(n, 3)) + centre[:, None] * [1, 0, 0]
    return Pool.of([Numeric(str(i), column) for i, column in enumerate(rows.T)], cost=cost)


def labelled(items):
    items = np.asarray(items)
    return Labelled.of_classes(items, items % 2, 2)


def free(*taken):
    return np.setdiff1d(np.arange(N), np.concatenate([NOTHING, *taken]))


def every_picker(items):
    start = FacilityLocation(items)
    learner = LogisticRegression()
    return {
        "random": Random(items),
        "coverage": Coverage(items),
        "in rounds": Coverage(items, rounds=1, by_lot=1),
        "facility location": start,
        "uncertainty": Uncertainty(items, learner=learner, start=start),
        "committee": Committee(
            items, learners=[learner, GaussianNaiveBayes(), BernoulliNaiveBayes()], start=start
        ),
        "errors": ErrorDriven(items, start=start),
        "similar": Similar(items, start=start),
        "density": DensityWeighted(items, learner=learner, start=start),
        "diverse": DiverseUncertainty(items, learner=learner, start_size=10),
        "diverse, begun": DiverseUncertainty(items, learner=learner, start_size=25),
    }


PICKERS = tuple(every_picker(pool()))


@pytest.mark.parametrize("name", PICKERS)
def test_what_is_picked_is_free_and_within_the_budget(name):
    known = labelled([0, 1, 2, 7, 20, 33])
    errors = np.array([7])
    for cost in (None, np.random.default_rng(1).choice([1.0, 2.5, 4.0], size=N)):
        items = pool(cost)
        left = free(known.items, [50, 51])
        found = every_picker(items)[name].pick(known, errors, left, 15)
        assert len(found.items) == len(found.gain) == len(set(found.items)) > 2
        assert set(found.items) <= set(left)
        assert items.cost[found.items].sum() <= 15
        if cost is None and "coverage" not in name:
            assert len(found.items) == 15


@pytest.mark.parametrize("name", PICKERS)
def test_it_is_the_same_again_and_changes_nothing(name):
    known, left = labelled([0, 1, 2, 7]), free([0, 1, 2, 7])
    picker = every_picker(pool())[name]
    first = picker.pick(known, np.array([2]), left, 9)
    again = picker.pick(known, np.array([2]), left, 9)
    assert first.items.tolist() == again.items.tolist()
    assert left.tolist() == free([0, 1, 2, 7]).tolist()


@pytest.mark.parametrize("name", PICKERS)
@pytest.mark.parametrize("known", [Labelled(), labelled([2, 4, 8])])
def test_without_labels_of_two_classes_a_start_is_made(name, known):
    picker = every_picker(pool())[name]
    found = picker.pick(known, NOTHING, free(known.items), 6)
    assert len(found.items) == 6
    if name in ("uncertainty", "committee", "density", "diverse", "errors"):
        start = FacilityLocation(picker.pool).pick(known, NOTHING, free(known.items), 6)
        assert found.items.tolist() == start.items.tolist()


@pytest.mark.parametrize("name", PICKERS)
def test_a_budget_beyond_all_items_takes_them_all_and_one_below_each_none(name):
    known, errors = labelled([0, 1]), np.array([1])
    picker = every_picker(pool(np.full(N, 2.0)))[name]
    if name not in ("coverage", "in rounds"):  # which end when all is covered
        assert set(picker.pick(known, errors, free([0, 1]), 1_000).items) == set(free([0, 1]))
    assert not len(picker.pick(known, errors, free([0, 1]), 1.5).items)
    assert not len(picker.pick(known, errors, NOTHING, 10).items)


def test_uncertainty_picks_where_classes_meet():
    items, known = pool(), labelled(np.arange(40))
    found = Uncertainty(items, learner=LogisticRegression(), start=None).pick(
        known, NOTHING, free(known.items), 5
    )
    fitted = LogisticRegression().fit(items.vectors[:40], known.targets)
    margin = np.abs(fitted.predict_proba(items.vectors)[:, 0] - 0.5)
    margin[:40] = 1
    assert found.items.tolist() == np.argsort(margin)[:5].tolist()
    assert found.gain == pytest.approx(0.5 - margin[found.items])


def test_a_committee_picks_what_it_disagrees_on_and_none_of_what_it_agrees_on():
    items, known = pool(), labelled(np.arange(40))
    same = Committee(items, learners=[LogisticRegression(), LogisticRegression()], start=None)
    assert same.pick(known, NOTHING, free(known.items), 5).gain == pytest.approx(0, abs=1e-9)
    other = Committee(items, learners=[LogisticRegression(), BernoulliNaiveBayes()], start=None)
    assert (other.pick(known, NOTHING, free(known.items), 5).gain > 0.01).all()
    with pytest.raises(ValueError, match="a committee needs two learners, but there are 1"):
        Committee(items, learners=[LogisticRegression()], start=None)


def test_errors_and_labels_draw_what_is_like_them():
    items = pool()
    cosine = items.units @ items.units.T
    left = free([3, 4, 5])
    by_errors = ErrorDriven(items, start=None).pick(labelled([3, 4, 5]), np.array([4]), left, 3)
    assert by_errors.items.tolist() == left[np.argsort(-cosine[left, 4])[:3]].tolist()
    similar = Similar(items, start=None).pick(labelled([3, 4, 5]), NOTHING, left, 1)
    assert similar.gain[0] == pytest.approx(cosine[left][:, [3, 4, 5]].max())


def test_density_draws_from_where_many_are():
    items, known = pool(), labelled(np.arange(40))
    left = free(known.items)
    plain = Uncertainty(items, learner=LogisticRegression(), start=None)
    none = DensityWeighted(items, learner=LogisticRegression(), start=None, density=0)
    assert (
        none.pick(known, NOTHING, left, 9).items.tolist()
        == plain.pick(known, NOTHING, left, 9).items.tolist()
    )
    dense = DensityWeighted(items, learner=LogisticRegression(), start=None, density=2)
    near = np.maximum(items.units[left] @ items.units[left].mean(axis=0), 0)
    found = dense.pick(known, NOTHING, left, 9)
    score = plain.uncertainty(known, left) * near**2
    assert found.gain == pytest.approx(np.sort(score)[::-1][:9], rel=1e-4)


def test_the_default_begins_by_facility_location_and_goes_on_with_what_is_uncertain():
    items = pool()
    learner = LogisticRegression()
    default = DiverseUncertainty(items, learner=learner, start_size=30, width=2)
    known = labelled(np.arange(20))
    left = free(known.items)
    found = default.pick(known, NOTHING, left, 25).items
    start = FacilityLocation(items).pick(known, NOTHING, left, 10).items
    assert found[:10].tolist() == start.tolist()
    rest = np.setdiff1d(left, start)
    doubt = Uncertainty(items, learner=learner, start=None).uncertainty(known, rest)
    assert set(found[10:]) <= set(rest[np.argsort(-doubt, kind="stable")[:30]])
    assert set(found[10:]) != set(rest[np.argsort(-doubt, kind="stable")[:15]])


def test_the_default_looks_at_fewer_uncertain_items_as_labels_come():
    items, learner, known = pool(), LogisticRegression(), labelled(np.arange(120))
    left = free(known.items)
    doubt = Uncertainty(items, learner=learner, start=None).uncertainty(known, left)
    # 4 times as many at 30 labels are 2 times as many at 120.
    default = DiverseUncertainty(items, learner=learner, start_size=30, width=4)
    found = default.pick(known, NOTHING, left, 10).items
    assert set(found) <= set(left[np.argsort(-doubt, kind="stable")[:20]])
    assert set(found) != set(left[np.argsort(-doubt, kind="stable")[:10]])


def test_coverage_goes_on_from_what_is_labelled():
    items = pool()
    first = Coverage(items).pick(Labelled(), NOTHING, free(), 5)
    then = Coverage(items).pick(labelled(first.items), NOTHING, free(first.items), 5)
    at_once = cover(items.pairs, budget=10)
    assert [*first.items, *then.items] == at_once.items.tolist()


def test_random_draws_anew_in_each_round():
    items = pool()
    first = Random(items, seed=1).pick(Labelled(), NOTHING, free(), 50).items
    other = Random(items, seed=2).pick(Labelled(), NOTHING, free(), 50).items
    then = Random(items, seed=1).pick(labelled([0]), NOTHING, free(), 50).items
    assert len({tuple(first), tuple(other), tuple(then)}) == 3


def test_what_does_not_fit_is_passed_over():
    assert affordable(np.array([3.0, 5.0, 2.0, 1.0]), 6).tolist() == [0, 2, 3]
    assert affordable(np.full(10, 0.1), 1).tolist() == list(range(10))
    assert affordable(np.zeros(0), 5).tolist() == []
    found = best_within(np.array([4, 6, 9]), np.array([2.0, 3.0, 3.0]), np.array([1.0, 4, 4]), 5)
    assert found.items.tolist() == [4, 6]


def test_the_nearest_is_looked_for_in_pieces(monkeypatch):
    units = pool().units
    whole = nearest(units, np.arange(50), np.arange(50, 90))
    monkeypatch.setattr("selection.algorithms.items.facility_location.CELLS", 60)
    assert nearest(units, np.arange(50), np.arange(50, 90)) == pytest.approx(whole)
    assert whole == pytest.approx(np.maximum(units[:50] @ units[50:90].T, 0).max(axis=1))
