import numpy as np
import pytest

from aggregation.algorithms import (
    expected_choices,
    expected_pairs,
    expected_spans,
    least_of_parts,
)

TAGS = ("B-x", "I-x", "O")


def marginals(*rows):
    return np.array(rows, dtype=float)


def test_choice_is_as_sure_as_its_posterior():
    found = expected_choices([[0.7, 0.3], [0.2, 0.8], [1.0, 0.0]])
    assert found.f1() == pytest.approx([0.7, 0.8, 1])
    assert found.errors() == pytest.approx([0.6, 0.4, 0])


def test_sure_spans_are_sure_and_nothing_is_sure_where_no_span_can_be():
    certain = np.eye(3)[[0, 1, 2, 2, 2]]
    found = expected_spans(certain, [0, 1, 2, 2, 2], tags=TAGS, starts=[0, 3, 5])
    assert found.right == pytest.approx([1, 0])
    assert found.predicted == pytest.approx([1, 0])
    assert found.true == pytest.approx([1, 0])
    assert found.f1() == pytest.approx([1, 1])
    assert found.errors() == pytest.approx([0, 0])


def test_a_span_is_as_sure_as_its_least_sure_token_and_its_end():
    p = marginals([0.9, 0.0, 0.1], [0.1, 0.7, 0.2], [0.0, 0.25, 0.75])
    found = expected_spans(p, [0, 1, 2], tags=TAGS, starts=[0, 3])
    assert found.right == pytest.approx([0.7 * 0.75])
    assert found.true == pytest.approx([1.0])
    assert found.f1() == pytest.approx([0.7 * 0.75])
    # At the end of a sentence nothing can go on.
    cut = expected_spans(p, [0, 1, 2], tags=TAGS, starts=[0, 2, 3])
    assert cut.right == pytest.approx([0.7, 0])


def test_spans_that_touch_are_told_apart():
    p = marginals([1, 0, 0], [0.8, 0.2, 0], [0, 1, 0])
    found = expected_spans(p, [0, 0, 1], tags=TAGS, starts=[0, 3])
    assert found.right == pytest.approx([1 * 0.8 + 0.8])
    assert found.predicted == pytest.approx([2])


def test_where_nothing_was_found_it_is_as_sure_as_there_being_nothing():
    p = marginals([0.1, 0, 0.9], [0.2, 0, 0.8])
    found = expected_spans(p, [2, 2], tags=TAGS, starts=[0, 2])
    assert found.f1() == pytest.approx([0.9 * 0.8])
    assert found.errors() == pytest.approx([0.3])


def test_tasks_may_hold_several_sentences_and_some_tasks_no_token():
    certain = np.eye(3)[[0, 2, 0]]
    found = expected_spans(
        certain, [0, 2, 0], tags=TAGS, starts=[0, 2, 3], task=[1, 1, 1], n_tasks=3
    )
    assert found.right == pytest.approx([0, 2, 0])
    assert found.of(slice(1, 2)).predicted == pytest.approx([2])
    nothing = expected_spans(np.zeros((0, 3)), [], tags=TAGS, starts=[0])
    assert nothing.f1().shape == (0,)
    plain = expected_spans(np.ones((2, 1)), [0, 0], tags=("O",), starts=[0, 2])
    assert plain.f1() == pytest.approx([1])


def test_expected_f1_is_close_to_the_mean_over_drawn_truths():
    """Spans of one token, so that marginals tell all: truths are drawn token by token."""
    rng = np.random.default_rng(0)
    begun = rng.choice([0.02, 0.1, 0.6, 0.95], size=(30, 12))
    p = np.stack([begun, np.zeros_like(begun), 1 - begun], axis=2).reshape(-1, 3)
    found = np.where(begun > 0.5, 0, 2)
    starts = np.arange(0, 361, 12)
    expected = expected_spans(p, found.ravel(), tags=TAGS, starts=starts)
    truth = rng.random((4_000, 30, 12)) < begun
    ours = found == 0
    right, both = (truth & ours).sum(axis=2), truth.sum(axis=2) + ours.sum(axis=1)
    f1 = np.where(both > 0, 2 * right / np.maximum(both, 1), 1.0).mean(axis=0)
    assert np.abs(expected.f1() - f1).max() < 0.06
    wrong = (truth != ours).sum(axis=2).mean(axis=0)
    assert expected.errors() == pytest.approx(wrong, abs=0.1)


def test_pairs_are_counted_by_task():
    found = expected_pairs([0.9, 0.4, 0.1], [True, False, False], [0, 0, 1], 3)
    assert found.f1() == pytest.approx([2 * 0.9 / (1 + 1.3), 0.9, 1])
    assert found.errors() == pytest.approx([0.1 + 0.4, 0.1, 0])


def test_least_of_parts_is_what_counts_and_of_none_nothing_is_known():
    found = least_of_parts([0.9, 0.6, 0.8, np.nan], [0, 0, 2, 3], 4)
    assert found == pytest.approx([0.6, np.nan, 0.8, np.nan], nan_ok=True)
