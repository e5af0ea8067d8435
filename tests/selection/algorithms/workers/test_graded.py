import numpy as np
import pytest

from selection.algorithms import chance_score, graded_scores
from selection.algorithms.workers.best_set import best_set


def seeded(seed=0):
    return np.random.default_rng(seed)


def test_a_poor_worker_no_longer_outranks_a_middling_one():
    """Put into q as they are, F1 .10 has (2 * .1 - 1)^2 = .64 and F1 .45 has .01."""
    found = graded_scores([0.10, 0.45, 0.8], [0.01] * 3, [10] * 3, chance=0.05)
    assert found.score[0] < found.score[1] < found.score[2]
    assert found.accuracy[0] < found.accuracy[1] < found.accuracy[2]
    raw = (2 * np.array([0.10, 0.45]) - 1) ** 2
    assert raw[0] > raw[1]


def test_chance_is_a_half_full_marks_are_one_and_below_chance_is_chance():
    found = graded_scores([0.2, 1.0, 0.05, 0.6], [0.0] * 4, [5] * 4, chance=0.2)
    assert found.accuracy == pytest.approx([0.5, 1.0, 0.5, 0.75])
    assert found.score == pytest.approx([0, 1, 0, 0.25])
    chosen = best_set(found.score, budget=4, rng=seeded()).chosen
    assert chosen.tolist()[0] == 1
    assert 0 not in chosen
    assert 2 not in chosen


def test_it_is_monotone_in_the_mean():
    mean = np.linspace(0, 1, 101)
    found = graded_scores(mean, np.full(101, 0.04), np.full(101, 8), chance=0.13)
    assert (np.diff(found.accuracy) >= 0).all()
    assert (np.diff(found.score) >= -1e-12).all()


def test_score_is_unbiased_well_above_chance():
    rng, chance = seeded(1), 0.1
    scores = rng.beta(8, 4, size=(40_000, 6))
    found = graded_scores(
        scores.mean(axis=1), scores.var(axis=1, ddof=1), np.full(len(scores), 6), chance=chance
    )
    true = ((2 / 3 - chance) / (1 - chance)) ** 2
    spread = 4 * found.score.std() / np.sqrt(len(scores))
    assert found.score.mean() == pytest.approx(true, abs=spread)
    assert found.plug_in.mean() > true + spread


def test_range_holds_what_can_come_out():
    rng = seeded(2)
    for number in (2, 3, 10):
        scores = rng.integers(0, 2, size=(5_000, number)).astype(float)
        found = graded_scores(
            scores.mean(axis=1), scores.var(axis=1, ddof=1), np.full(5_000, number), chance=0.2
        )
        assert found.score.max() - found.score.min() <= found.score_range[0] + 1e-12


def test_of_fewer_than_two_scores_there_is_none():
    found = graded_scores([np.nan, 0.9], [np.nan, np.nan], [0, 1], chance=0.1)
    assert np.isnan(found.score).all()
    assert np.isnan(found.accuracy).tolist() == [True, False]


def test_where_anything_scores_full_marks_nobody_is_above_chance():
    found = graded_scores([1.0], [0.0], [5], chance=1.0)
    assert found.accuracy.tolist() == [0.5]
    assert found.score.tolist() == [0]


def test_chance_is_the_mean_over_other_questions():
    # Answer i is to question i // 2; it scores a tenth for each question that it is away.
    question = np.repeat([0, 3, 5], 2)
    score = lambda answer, other: abs(other - question[answer]) / 10  # noqa: E731
    assert chance_score(question, score, seeded()) == pytest.approx(
        np.mean([3, 5, 3, 2, 5, 2]) / 10
    )


def test_chance_of_many_pairs_is_drawn_and_close():
    calls = []

    def score(answer, other):
        assert other != answer % 40
        calls.append(1)
        return (answer * 7 + other) % 11 / 10

    question = np.arange(400) % 40
    every = chance_score(question, score, seeded(), most=400 * 39)
    calls.clear()
    drawn = chance_score(question, score, seeded(), most=3_000)
    assert len(calls) == 3_000
    assert drawn == pytest.approx(every, abs=0.03)


def test_chance_of_one_question_or_of_pairs_that_cannot_be_compared_is_zero():
    assert chance_score([4, 4], lambda answer, other: 1.0, seeded()) == 0
    assert chance_score([], lambda answer, other: 1.0, seeded()) == 0
    assert chance_score([1, 2], lambda answer, other: None, seeded()) == 0


def test_arguments_that_mean_nothing_are_refused():
    with pytest.raises(ValueError, match="chance must be from 0 to 1"):
        graded_scores([0.5], [0.1], [3], chance=1.2)
    with pytest.raises(ValueError, match="mean, variance and number have the shapes"):
        graded_scores([0.5], [0.1, 0.2], [3], chance=0.1)
