import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from selection.algorithms import (
    accuracies,
    bias_corrected,
    crowd_interval,
    crowd_score,
    error_bound,
    plug_in_scores,
    score_ranges,
    unbiased_scores,
    variances,
)

CLASSES = st.integers(2, 6)


@st.composite
def counts(draw):
    """Right and answered of one worker who was asked twice at least."""
    answered = draw(st.integers(2, 60))
    return draw(st.integers(0, answered)), answered


def test_it_works():
    """Seven of ten right: 4 (.7 - .5)^2 - 4 (.7 * .3) / 9."""
    assert accuracies([7], [10]) == pytest.approx([0.7])
    assert variances([7], [10]) == pytest.approx([0.21 / 9])
    assert unbiased_scores([7], [10], 2) == pytest.approx([0.16 - 4 * 0.21 / 9])
    assert plug_in_scores([7], [10], 2) == pytest.approx([0.16])


@given(counts(), CLASSES)
def test_both_forms_of_the_score_are_one(worker, n_classes):
    right, answered = [worker[0]], [worker[1]]
    by_variance = bias_corrected(accuracies(right, answered), variances(right, answered), n_classes)
    assert unbiased_scores(right, answered, n_classes) == pytest.approx(by_variance)


@pytest.mark.parametrize("n_classes", [2, 3, 4, 5])
@pytest.mark.parametrize("answered", [2, 3, 5, 10, 45])
@pytest.mark.parametrize("accuracy", [0.0, 0.03, 0.25, 0.5, 0.81, 1.0])
def test_score_is_exactly_unbiased_and_the_plug_in_is_too_high(n_classes, answered, accuracy):
    """The sum over all outcomes of the control questions, each by its binomial probability."""
    right = np.arange(answered + 1)
    chance = np.array(
        [math.comb(answered, c) * accuracy**c * (1 - accuracy) ** (answered - c) for c in right]
    )
    true = (n_classes * accuracy - 1) ** 2
    asked = np.full(answered + 1, answered)
    assert chance @ unbiased_scores(right, asked, n_classes) == pytest.approx(true)
    too_high = n_classes**2 * accuracy * (1 - accuracy) / answered
    assert chance @ plug_in_scores(right, asked, n_classes) == pytest.approx(true + too_high)


def test_crowd_score_is_unbiased_for_unequal_numbers_of_questions():
    rng = np.random.default_rng(0)
    accuracy, answered = rng.random(8), rng.integers(2, 20, size=8)
    right = rng.binomial(answered, accuracy, size=(20_000, 8))
    scores = unbiased_scores(right.ravel(), np.tile(answered, 20_000), 3).reshape(right.shape)
    found = scores.sum(axis=1) / np.sqrt(8)
    true = crowd_score((3 * accuracy - 1) ** 2)
    assert np.mean(found) == pytest.approx(true, abs=4 * np.std(found) / np.sqrt(len(found)))


def test_of_fewer_than_two_answers_there_is_no_score():
    right, answered = [0, 1, 2], [0, 1, 2]
    assert np.isnan(accuracies(right, answered)).tolist() == [True, False, False]
    for scores in (
        variances(right, answered),
        unbiased_scores(right, answered, 2),
        plug_in_scores(right, answered, 2),
        score_ranges(answered, 2),
    ):
        assert np.isnan(scores).tolist() == [True, True, False]


@pytest.mark.parametrize("n_classes", [2, 3, 4, 5])
@pytest.mark.parametrize("answered", [2, 3, 7, 30])
def test_range_holds_every_score_that_can_come_out(n_classes, answered):
    scores = unbiased_scores(np.arange(answered + 1), np.full(answered + 1, answered), n_classes)
    assert scores.max() == pytest.approx((n_classes - 1) ** 2)
    width = float(score_ranges([answered], n_classes)[0])
    assert scores.max() - scores.min() <= width + 1e-9
    # The vertex of the parabola lies between two possible accuracies as a rule.
    fine = np.linspace(0, 1, 100_001)
    curve = bias_corrected(fine, fine * (1 - fine) / (answered - 1), n_classes)
    assert curve.max() - curve.min() == pytest.approx(width, rel=1e-6)


# --- The interval -------------------------------------------------------------------------------


def covered(*, n_workers, answered, level, seed, pool=None, chosen=None):
    """How often the interval holds F of the true accuracies, of 2,000 crowds."""
    rng, inside = np.random.default_rng(seed), 0
    for _ in range(2_000):
        accuracy = rng.beta(2.3, 2, size=n_workers)
        asked = np.broadcast_to(answered, n_workers)
        scores = unbiased_scores(rng.binomial(asked, accuracy), asked, 2)
        members = np.arange(n_workers) if chosen is None else chosen(scores)
        low, high = crowd_interval(
            scores[members], score_ranges(asked[members], 2), level=level, pool=pool or 0
        )
        inside += low <= crowd_score((2 * accuracy[members] - 1) ** 2) <= high
    return inside / 2_000


def best(scores):
    order = np.argsort(-scores)
    crowd = np.cumsum(scores[order]) / np.sqrt(np.arange(1, len(scores) + 1))
    return order[: int(crowd.argmax()) + 1]


@pytest.mark.parametrize("answered", [5, 10, np.arange(2, 22)])
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_interval_of_a_fixed_set_holds_at_least_as_often_as_it_says(answered, level):
    assert covered(n_workers=20, answered=answered, level=level, seed=1) >= level


def test_interval_of_a_selected_set_needs_the_wide_form():
    """At five questions the narrow form holds in about half of the cases, not in 95 %."""
    given = {"n_workers": 100, "answered": 5, "level": 0.95, "seed": 2, "chosen": best}
    assert covered(**given) < 0.7
    assert covered(**given, pool=100) >= 0.95


def test_wide_interval_holds_the_narrow_one_and_of_nobody_there_is_nothing():
    narrow = crowd_interval([0.4, 0.2], [1.5, 2.5])
    wide = crowd_interval([0.4, 0.2], [1.5, 2.5], pool=30)
    half = math.sqrt((1.5**2 + 2.5**2) / 2 * math.log(40) / 2)
    assert narrow == pytest.approx((0.6 / math.sqrt(2) - half, 0.6 / math.sqrt(2) + half))
    assert wide[0] < narrow[0] < narrow[1] < wide[1]
    assert crowd_interval([], []) == (0, 0)
    assert crowd_score([]) == 0


def test_error_bound_is_never_above_one_and_falls_with_the_score():
    assert error_bound(0.0, 2) == 1
    assert error_bound(-3.0, 4) == 1
    assert error_bound(3.0, 2) == pytest.approx(math.exp(-4.5))
    assert error_bound(9.0, 3) == pytest.approx(math.exp(-81 / 32 + math.log(2)))
    assert error_bound(4.0, 2) < error_bound(3.0, 2)


def test_error_of_the_linear_vote_stays_below_the_bound():
    rng = np.random.default_rng(3)
    for _ in range(20):
        accuracy = rng.uniform(0.5, 0.95, size=9)
        right = rng.random((4_000, 9)) < accuracy
        wrong = ((2 * right - 1) @ (2 * accuracy - 1) <= 0).mean()
        assert wrong <= error_bound(crowd_score((2 * accuracy - 1) ** 2), 2)


# --- What is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("right", "answered", "message"),
    [
        ([3], [2], "worker 0 has 3 right of 2 answers"),
        ([1, -1], [2, 2], "worker 1 has -1 right"),
        ([1], [2, 2], r"right has the shape \(1,\), but answered has \(2,\)"),
        ([1.0], [np.inf], "worker 0"),
    ],
)
def test_counts_that_are_none_are_refused(right, answered, message):
    with pytest.raises(ValueError, match=message):
        unbiased_scores(right, answered, 2)


def test_other_arguments_that_mean_nothing_are_refused():
    with pytest.raises(ValueError, match="n_classes must be at least 2, but is 1"):
        unbiased_scores([1], [2], 1)
    with pytest.raises(ValueError, match="level must be between 0 and 1, but is 95"):
        crowd_interval([1.0], [1.0], level=95)
    with pytest.raises(ValueError, match="pool must be 0 or more"):
        crowd_interval([1.0], [1.0], pool=-1)
    with pytest.raises(ValueError, match="there are 1 scores, but 2 ranges"):
        crowd_interval([1.0], [1.0, 1.0])
