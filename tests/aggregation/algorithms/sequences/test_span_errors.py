import itertools

import numpy as np
import pytest

from aggregation.algorithms import ordered_tags
from aggregation.algorithms.sequences.span_errors import PATHS, span_errors_of

TAGS = ordered_tags(["B-LOC", "B-PER"])
LOC_B, PER_B, LOC_I, PER_I, OUT = range(5)


def perfect(n_workers=1):
    table = np.zeros((n_workers, 5, 5, 5))
    for true in range(5):
        table[:, true, :, true] = 1
    return table


def test_who_is_always_right_has_no_tendency():
    found = span_errors_of(perfect(), TAGS)
    assert found["exact"] == [1]
    assert all(found[name] == [0] for name in [*PATHS, "invents"] if name != "exact")


def test_one_who_begins_early_half_of_the_time():
    table = perfect()
    table[0, OUT, OUT] = 0
    table[0, OUT, OUT, [PER_B, OUT]] = [0.5, 0.5]  # of any token outside
    table[0, PER_B, PER_B] = 0
    table[0, PER_B, PER_B, PER_I] = 1
    found = span_errors_of(table, TAGS, [0, 1])
    # O is said of the first token and of the two behind the span... after I they say O for sure.
    assert found["starts_early"] == pytest.approx([0.5 * 0.5 * 1 * 1 * 1 * 0.5])
    assert found["invents"] == [0.5]


def test_one_who_splits_and_one_who_misses():
    table = perfect(2)
    table[0, PER_I, PER_B] = 0
    table[0, PER_I, PER_B, PER_B] = 1
    table[1, PER_B] = table[1, PER_I] = 0
    table[1, PER_B, :, OUT] = table[1, PER_I, :, OUT] = 1
    found = span_errors_of(table, TAGS, [0, 3])
    assert found["splits"].tolist() == [1, 0]
    assert found["misses"].tolist() == [0, 1]
    assert found["exact"].tolist() == [0, 0]
    even = span_errors_of(table, TAGS)  # they have nothing against places
    assert even["splits"].tolist() == [0.5, 0]


def test_a_wrong_type_is_any_other():
    table = perfect()
    table[0, PER_B] = table[0, PER_I] = 0
    table[0, PER_B, :, LOC_B] = table[0, PER_I, :, LOC_I] = 1
    assert span_errors_of(table, TAGS, [0, 1])["wrong_type"] == [1]


def test_all_that_can_be_said_sums_to_one():
    """Brute force: each name is one path among all, and the paths share out all probability."""
    table = np.random.default_rng(0).dirichlet(np.ones(3), size=(2, 3, 3))
    tags = ("B-X", "I-X", "O")
    found = span_errors_of(table, tags)
    true = [2, 2, 0, 1, 2, 2]
    chances = {}
    for said in itertools.product(range(3), repeat=6):
        p = np.ones(2)
        for n, tag in enumerate(said):
            p = p * table[:, true[n], said[n - 1] if n else 2, tag]
        chances["".join("BIO"[tag] for tag in said)] = p
    np.testing.assert_allclose(sum(chances.values()), 1)
    for name, path in PATHS.items():
        if name != "wrong_type":
            np.testing.assert_allclose(found[name], chances[path])
    assert found["wrong_type"].tolist() == [0, 0]


def test_a_table_without_memory_is_one_with_the_same_rows():
    flat = np.random.default_rng(1).dirichlet(np.ones(5), size=(3, 5))
    whole = np.repeat(flat[:, :, None], 5, axis=2)
    ours, theirs = span_errors_of(flat, TAGS), span_errors_of(whole, TAGS)
    for name in theirs:
        np.testing.assert_allclose(ours[name], theirs[name])


def test_without_types_there_is_nothing_to_tell():
    assert span_errors_of(np.ones((2, 1, 1)), ("O",)) == {}


def test_types_that_never_occur_weigh_alike():
    found = span_errors_of(perfect(), TAGS, [0, 0])
    assert found["exact"] == [1]


def test_what_is_said_right_after_a_span_may_have_a_table_of_its_own():
    """Who goes on for one token too long does so there, and nowhere else outside."""
    table = perfect()
    after = table[:, OUT].copy()  # (worker, previous, said)
    after[:, PER_I] = 0
    after[:, PER_I, [PER_I, OUT]] = 0.5
    found = span_errors_of(table, TAGS, [0, 1], after_span=after)
    assert found["ends_late"] == [0.5]
    assert found["exact"] == [0.5]
    assert found["invents"] == span_errors_of(table, TAGS)["invents"]
