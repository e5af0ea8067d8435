"""From probabilities of tokens to what a field learns from."""

import numpy as np
import pytest

from aggregation.algorithms.sequences.crf.posteriors import least_probable, targets_of_posterior

TAGS = ("B-x", "I-x", "O")
B, I, O = range(3)  # noqa: E741 - what tags are called


def test_sure_tags_are_counted_as_they_are():
    path = [B, I, O, O, B]
    found = targets_of_posterior(np.eye(3)[path], [0, 3, 3, 5], TAGS)
    np.testing.assert_allclose(found.states, np.eye(3)[path], atol=1e-4)
    np.testing.assert_allclose(found.firsts, [1, 0, 1], atol=1e-4)
    expected = np.zeros((3, 3))
    for move in ((B, I), (I, O), (O, B)):
        expected[move] = 1
    np.testing.assert_allclose(found.pairs, expected, atol=1e-4)
    assert found.weights.tolist() == [1, 1, 1]


def test_what_can_only_follow_a_beginning_makes_it_probable():
    """Brute force over the legal paths of two tokens."""
    r = np.array([[0.5, 0.0, 0.5], [0.1, 0.5, 0.4]])
    legal = {(a, b): r[0, a] * r[1, b] for a in (B, O) for b in (B, I, O) if (a, b) != (O, I)}
    total = sum(legal.values())
    found = targets_of_posterior(r, [0, 2], TAGS)
    for move, weight in legal.items():
        assert found.pairs[move] == pytest.approx(weight / total, abs=1e-4)
    assert found.pairs[O, I] == pytest.approx(0, abs=1e-6)
    np.testing.assert_allclose(found.pairs.sum(axis=0), found.states[1], atol=1e-9)
    np.testing.assert_allclose(found.firsts, found.states[0], atol=1e-9)


def test_sentences_that_were_not_labelled_to_the_end_are_left_out():
    r = np.full((5, 3), 1 / 3)
    r[3] = np.nan
    found = targets_of_posterior(r, [0, 2, 5], TAGS)
    assert found.weights.tolist() == [1, 0]
    assert not found.states[2:].any()
    assert found.pairs.sum() == found.firsts.sum() == pytest.approx(1)


def test_other_shapes_are_refused():
    with pytest.raises(ValueError, match=r"the shape \(2, 2\), but there are 2 tokens and 3 tags"):
        targets_of_posterior(np.ones((2, 2)), [0, 2], TAGS)


def test_a_span_is_as_sure_as_its_least_sure_word():
    marginals = np.array([[0.9, 0.1], [0.3, 0.7], [0.6, 0.4], [0.2, 0.8]])
    tags = np.array([0, 1, 0, 1])
    assert least_probable(marginals, tags, [0, 3], [2, 4]).tolist() == [0.7, 0.8]
    assert least_probable(marginals, tags, [0, 2], [2, 4]).tolist() == [0.7, 0.6]
    assert least_probable(marginals, tags, [], []).tolist() == []
