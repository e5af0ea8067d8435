import numpy as np

from aggregation.algorithms.sequences.tokens import first_tokens, tokens_of

STARTS = np.array([0, 2, 2, 5, 6, 6])


def test_tokens_of_some_sequences():
    tokens, own = tokens_of(STARTS, np.array([True, True, False, True, False]))
    assert tokens.tolist() == [0, 1, 5]
    assert own.tolist() == [0, 2, 2, 3]


def test_tokens_of_sequences_by_number():
    """In any order, and more than once."""
    tokens, own = tokens_of(STARTS, np.array([2, 4, 0, 2]))
    assert tokens.tolist() == [2, 3, 4, 0, 1, 2, 3, 4]
    assert own.tolist() == [0, 3, 3, 5, 8]


def test_tokens_of_no_sequence():
    for none in (np.zeros(5, dtype=bool), np.array([], dtype=np.int64)):
        tokens, own = tokens_of(STARTS, none)
        assert tokens.tolist() == []
        assert own.tolist() == [0]


def test_first_tokens_are_of_sequences_that_have_some():
    assert np.flatnonzero(first_tokens(STARTS, 6)).tolist() == [0, 2, 5]
    assert first_tokens(np.array([0, 0]), 0).tolist() == []
