import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from aggregation.algorithms import BSCmace, CrowdLabels
from aggregation.algorithms.measures.heldout import held_out_score
from aggregation.algorithms.measures.scoring import score_classes
from aggregation.methods.registry import METHODS, checked_parameters
from aggregation.methods.tuning import GRIDS, TuningData, grid_of, tune
from tests.aggregation.algorithms.simulated import simulate
from tests.aggregation.algorithms.tagging import drawn


def choices(known=True, **shape):
    made = simulate(**({"seed": 1, "n_units": 120, "n_workers": 12, "redundancy": 3,
                        "prevalence": [0.5, 0.3, 0.2]} | shape))  # fmt: skip
    n = made.labels.n_units
    gold = made.truth if known else np.full(n, -1)
    return TuningData(made.labels, None, ("a", "b", "c"), gold, np.arange(n) % 30)


def test_every_grid_is_one_that_its_method_takes():
    for name, axes in GRIDS.items():
        assert len(grid_of(name, {})) == math.prod(len(values) for values in axes.values())
        assert checked_parameters(name, grid_of(name, {})[0])


def test_the_best_setting_is_the_one_that_scores_best():
    data = choices()
    points = grid_of("dawid-skene", {"diagonal": [0.01, 1, 50], "off_diagonal": [0.01, 50]})
    found = tune("dawid-skene", data, points)
    scores = {}
    for point in points:
        fitted = METHODS["dawid-skene"].fit(
            checked_parameters("dawid-skene", point), data.labels, None
        )
        scores[tuple(point.values())] = (fitted.predict() == data.gold).mean()
    assert tuple(found.best.values.values()) == max(scores, key=scores.get)
    for setting in found.settings:
        assert setting.score == pytest.approx(scores[tuple(setting.values.values())])
    assert [s.score for s in found.settings] == sorted(scores.values(), reverse=True)
    assert found.measure == "accuracy"


def test_the_nested_score_leaves_out_what_it_is_scored_on():
    """Brute force over the folds."""
    data = choices()
    points = grid_of("dawid-skene", {"diagonal": [0.01, 1, 5], "off_diagonal": [0.01, 1]})
    found = tune("dawid-skene", data, points, seed=3, folds=4)
    right, nats = [], []
    for point in points:
        fitted = METHODS["dawid-skene"].fit(
            checked_parameters("dawid-skene", point), data.labels, None
        )
        right.append(fitted.predict() == data.gold)
        nats.append(-np.log(fitted.posterior_[np.arange(120), data.gold]))
    fold = (np.random.default_rng(3).permutation(30) % 4)[data.group]
    kept = 0
    for k in range(4):
        best = min(
            range(len(points)),
            key=lambda i: (-right[i][fold != k].mean(), nats[i][fold != k].sum()),
        )
        kept += right[best][fold == k].sum()
    assert found.nested == pytest.approx(kept / 120)
    assert found.interval[0] <= found.nested <= found.interval[1]
    assert (found.folds, found.documents) == (4, 30)


def test_without_gold_the_lower_bound_chooses():
    data = choices(known=False)
    found = tune("ibcc", data, grid_of("ibcc", {"diagonal": [0.1, 10], "beta": [1]}))
    assert found.measure == "lower bound"
    assert found.nested is None
    bounds = [setting.score for setting in found.settings]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[0] < 0  # the probability of labels is below 1


def test_without_gold_what_has_no_bound_is_refused():
    with pytest.raises(ValueError, match="There is no gold to tune 'dawid-skene' by"):
        tune("dawid-skene", choices(known=False), [{}])


def test_gold_of_units_that_nobody_judged_is_no_gold():
    labels = CrowdLabels([0, 0], [0, 1], [0, 1], 2, 2, 2)
    data = TuningData(labels, None, ("a", "b"), np.array([-1, 1]), np.array([0, 1]))
    with pytest.raises(ValueError, match="There is no gold"):
        tune("dawid-skene", data, [{}])


def test_processes_give_the_same_as_one():
    data = choices()
    points = grid_of("dawid-skene", {"diagonal": [0.1, 1, 5]})
    told = []
    alone, together = (
        tune("dawid-skene", data, points, jobs=jobs, advance=told.append) for jobs in (1, 2)
    )
    assert [(s.values, s.score) for s in alone.settings] == [
        (s.values, s.score) for s in together.settings
    ]
    assert alone.nested == together.nested
    assert sum(told) == 2 * len(points)


def test_wrong_settings_are_refused_before_anything_is_fitted():
    with pytest.raises(ValueError, match="'dawid-skene' has no parameter 'smooth'"):
        grid_of("dawid-skene", {"smooth": [1]})
    with pytest.raises(ValueError, match="diagonal must be 0 or more"):
        grid_of("dawid-skene", {"diagonal": [1, -1]})
    with pytest.raises(ValueError, match="'mv-token' has no settings that are worth tuning"):
        grid_of("mv-token", {})


def test_one_document_gives_no_honest_score():
    made = simulate(seed=1, n_units=9, n_workers=4, redundancy=3, prevalence=[0.5, 0.5])
    data = TuningData(made.labels, None, ("a", "b"), made.truth, np.zeros(9, dtype=int))
    found = tune("dawid-skene", data, [{}])
    assert found.nested is None
    assert found.documents == 1


def test_equal_scores_are_ranked_by_cross_entropy():
    data = choices(n_units=30, redundancy=10)
    found = tune("dawid-skene", data, grid_of("dawid-skene", {"diagonal": [0.1, 1, 2, 5]}))
    for before, after in itertools.pairwise(found.settings):
        assert (-before.score, before.cross_entropy) <= (-after.score, after.cross_entropy)


def test_scores_of_choices_count_what_is_judged_and_known():
    posterior = np.array([[0.9, 0.1], [0.4, 0.6], [0.5, 0.5], [1.0, 0.0]])
    scores = score_classes(
        np.array([0, 1, 0, 0]),
        posterior,
        np.array([0, 0, 1, -1]),
        np.array([True, True, False, True]),
        group=np.array([0, 1, 1, 1]),
    )
    assert scores.scored == 2
    assert scores.counts[:, :3].tolist() == [[1, 1, 1], [0, 1, 1]]
    np.testing.assert_allclose(scores.nats, [-math.log(0.9), -math.log(0.4)])
    assert scores.hit.tolist() == [True, False]
    np.testing.assert_allclose(scores.sure, [0.9, 0.6])


def tagged(seed=2):
    """Tags of which nobody knows the truth."""
    said = np.broadcast_to((np.eye(3) * 0.7 + 0.1)[:, None, :], (4, 3, 3, 3))
    made = drawn(seed=seed, said=said, n_sequences=40).sequences
    nothing = np.full(made.n_tokens, -1)
    return TuningData(made.token_labels(), made, made.tags, nothing, np.zeros(made.n_tokens, int))


def test_without_gold_and_bound_held_out_answers_choose():
    data = tagged()
    points = grid_of("bsc-mace", {"factor": [1, 1e4], "beta": [1]})
    found = tune("bsc-mace", data, points, seed=4, folds=2)
    assert (found.measure, found.nested, found.folds) == ("held-out answers", None, 2)
    expected = [
        held_out_score(lambda f=f: BSCmace(factor=f, beta=1.0), data.sequences, folds=2, seed=4)
        for f in (1.0, 1e4)
    ]
    assert [setting.score for setting in found.settings] == sorted(expected, reverse=True)
    assert found.best.values["factor"] == 1
    assert found.best.seconds > 0
    assert not found.notes


@pytest.mark.parametrize("known", [False, True])
def test_what_fits_note_is_kept(known):
    """Of a small crowd another method judges, whatever the setting."""
    data = tagged()
    if known:
        data = replace(data, gold=np.zeros(len(data.gold), dtype=int))
    found = tune("touchstone", data, grid_of("touchstone", {"kappa": [0, 1]}), folds=2)
    assert found.measure == ("F1" if known else "held-out answers")
    ((note, settings),) = found.notes.items()
    assert settings == 2
    assert "stood in for touchstone: " in note
    assert [setting.note for setting in found.settings] == [note, note]
