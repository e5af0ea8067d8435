import numpy as np
import pytest

from selection.algorithms import (
    BernoulliNaiveBayes,
    LogisticRegression,
    MultinomialNaiveBayes,
    Scores,
    choose_learner,
    cross_validate,
    mistaken,
)


def lines(n=120, seed=0):
    """Rows of which the first column alone says the class, by its sign."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, 3))
    return rows, np.eye(2)[(rows[:, 0] > 0).astype(int)]


def test_it_works():
    rows, targets = lines()
    scores = cross_validate(LogisticRegression(), rows, targets)
    assert scores.counts.sum() == 120
    assert scores.macro_f1 > 0.9


def test_nobody_is_judged_by_what_was_learnt_from_them():
    """Noise can be learnt by heart, and can't be foreseen."""
    rng = np.random.default_rng(0)
    rows, targets = rng.normal(size=(60, 200)), np.eye(2)[rng.integers(2, size=60)]
    learnt = LogisticRegression().fit(rows, targets)
    assert Scores(learnt.confusion(rows, targets)).accuracy == 1
    assert cross_validate(LogisticRegression(), rows, targets).accuracy < 0.7
    assert len(mistaken(LogisticRegression(), rows, targets)) > 18


def test_figures_are_those_of_the_table():
    scores = Scores(np.array([[6.0, 2, 0], [1, 3, 0], [0, 0, 0]]))
    assert scores.precision == pytest.approx([6 / 7, 3 / 5, 0])
    assert scores.recall == pytest.approx([6 / 8, 3 / 4, 0])
    assert scores.false_positive_rate == pytest.approx([1 / 4, 2 / 8, 0])
    assert scores.f1 == pytest.approx([12 / 15, 6 / 9, 0])
    assert scores.macro_f1 == pytest.approx((12 / 15 + 6 / 9) / 2)
    assert scores.accuracy == pytest.approx(9 / 12)
    assert Scores(np.zeros((2, 2))).macro_f1 == 0


def test_the_best_is_chosen_and_what_cannot_learn_is_told():
    rows, targets = lines()
    learners = {"counts": MultinomialNaiveBayes(), "there": BernoulliNaiveBayes()}
    learners["line"] = LogisticRegression()
    found = choose_learner(learners, {"values": np.abs(rows), "vectors": rows}, targets)
    assert found.name == "line"
    assert set(found.scores) == set(learners)
    found = choose_learner(learners, {"values": rows, "vectors": rows}, targets)
    assert found.name in ("line", "there")
    assert "counts of 0 or more" in found.refused["counts"]
    with pytest.raises(ValueError, match=r"no learner could learn .* counts: multinomial"):
        choose_learner({"counts": MultinomialNaiveBayes()}, {"values": rows}, targets)


def test_of_equals_the_first():
    rows, targets = lines()
    learners = {"b": LogisticRegression(), "a": LogisticRegression()}
    assert choose_learner(learners, {"vectors": rows}, targets).name == "b"


def test_learners_are_as_they_were():
    learner = LogisticRegression()
    cross_validate(learner, *lines())
    assert not hasattr(learner, "weights_")


def test_too_few_items_are_told():
    rows, targets = lines()
    with pytest.raises(ValueError, match="needs two labelled items, but there are 1"):
        cross_validate(LogisticRegression(), rows[:1], targets[:1])
    with pytest.raises(ValueError, match="folds must be at least 2, but is 1"):
        cross_validate(LogisticRegression(), rows, targets, folds=1)
    assert cross_validate(LogisticRegression(), rows[:4], targets[:4]).counts.sum() == 4
