import numpy as np
import pytest
from scipy import sparse

from selection.algorithms import Labelled, Nominal, Numeric, Pool, TablePairs
from selection.algorithms.items import attributes
from selection.algorithms.items.attributes import (
    matrix_of,
    pairs_of,
    quantile_codes,
    rounded_codes,
    unit_vectors,
    vectors_of,
)

NAN = np.nan


def test_numbers_are_rounded_to_a_step_as_the_paper_does():
    codes, size = rounded_codes([12, 27, 30, 14.9, 15, -12, NAN], 10)
    assert size == 4
    assert codes.tolist() == [1, 3, 3, 1, 2, 0, 4]


def test_quantile_bins_hold_about_as_many_values_each():
    codes, size = quantile_codes(np.random.default_rng(0).permutation(1_000), 10)
    assert size == 10
    assert (np.bincount(codes) == 100).all()


def test_equal_values_are_never_parted():
    values = np.array([0.0] * 90 + list(range(1, 11)))
    codes, size = quantile_codes(values, 4)
    assert codes.tolist() == [0] * 90 + [1] * 10
    assert size == 2
    assert quantile_codes([5.0, 5.0, NAN], 3)[0].tolist() == [0, 0, 1]
    assert quantile_codes([NAN, NAN], 3) == (pytest.approx([0, 0]), 0)


def test_what_is_missing_is_a_pair_or_is_none():
    found = [Numeric("length", np.array([1.0, NAN])), Nominal("source", np.array([-1, 0]), ("a",))]
    assert pairs_of(found).degrees().tolist() == [2, 2]
    assert pairs_of(found, missing="skip").degrees().tolist() == [1, 1]
    assert pairs_of(found).n_pairs == 4
    with pytest.raises(ValueError, match="missing must be 'pair' or 'skip', but is 'no'"):
        pairs_of(found, missing="no")


def test_values_are_numbers_and_names_that_two_share():
    found = matrix_of([
        Numeric("length", np.array([1.0, NAN, 3.0])),
        Nominal("source", np.array([0, 1, 0]), ("a", "b")),
    ])  # fmt: skip
    assert found.tolist() == [[1, 1], [2, 0], [3, 1]]


def test_an_attribute_of_names_varies_as_much_as_a_number_does():
    rng = np.random.default_rng(0)
    found = vectors_of([
        Numeric("length", rng.gamma(1, 50, size=400)),
        Nominal("source", rng.integers(5, size=400), tuple("abcde")),
    ])  # fmt: skip
    assert found.shape == (400, 6)
    assert found.mean(axis=0) == pytest.approx(np.zeros(6), abs=1e-9)
    assert found[:, 0].var() == pytest.approx(1)
    assert found[:, 1:].var(axis=0).sum() == pytest.approx(1)


def test_a_constant_attribute_says_nothing():
    for constant in (
        Numeric("same", np.full(5, 0.1)),
        Nominal("same", np.zeros(5, dtype=int), ("a",)),
    ):
        assert not vectors_of([constant]).any()
        assert not unit_vectors(vectors_of([constant])).any()


def test_a_million_names_are_held_sparse_and_say_nothing_of_likeness():
    n = 1_000_000
    every = Nominal("address", np.arange(n), tuple(map(str, range(n))))
    half = Nominal("pair", np.arange(n) // 2, tuple(map(str, range(n // 2))))
    pool = Pool.of([every, half, Numeric("length", np.arange(n) % 7.0)])
    assert pool.pairs.n_pairs == n + n // 2 + 7
    assert sparse.issparse(pool.vectors)
    assert pool.vectors.shape == (n, n // 2 + 1)
    assert pool.values.nnz < 2 * n


def test_wide_vectors_are_sparse_and_of_length_one(monkeypatch):
    monkeypatch.setattr(attributes, "WIDEST", 2)
    rng = np.random.default_rng(0)
    found = [Nominal("source", rng.integers(9, size=50), tuple("abcdefghi"))]
    rows = unit_vectors(vectors_of(found))
    assert sparse.issparse(rows)
    assert rows.dtype == np.float32
    assert np.asarray(rows.multiply(rows).sum(axis=1)) == pytest.approx(np.ones(50))
    assert (matrix_of(found).toarray() == np.eye(9)[found[0].codes]).all()


def test_words_of_texts_are_pairs_and_rare_ones_weigh_more():
    pool = Pool.of_counts([[2, 1, 0], [1, 0, 0], [1, 0, 3], [1, 0, 1]])
    assert pool.pairs.degrees().tolist() == [2, 1, 2, 2]
    vectors = pool.vectors.toarray()
    assert vectors[:, 0] == pytest.approx(0)  # all have it
    assert vectors[0, 1] == pytest.approx(np.log(2) * np.log(4))
    assert pool.values.toarray()[0].tolist() == [2, 1, 0]
    with pytest.raises(ValueError, match="counts must be 0 or more, but there is -1"):
        Pool.of_counts([[-1.0]])


def test_without_attributes_there_is_nothing_to_choose_by():
    with pytest.raises(ValueError, match="there is no attribute"):
        Pool.of([])


def test_a_pool_holds_what_suits():
    pairs = TablePairs([[0, 1]], [2])
    with pytest.raises(ValueError, match="vectors has 3 rows, but there are 2 items"):
        Pool(pairs, np.eye(2), np.eye(3))
    with pytest.raises(ValueError, match="costs must be above 0, but item 0 has -1"):
        Pool(pairs, np.eye(2), np.eye(2), cost=[-1, 1])
    assert not Pool(pairs, np.eye(2), np.eye(2), cost=[2, 1]).equal_cost


def test_what_nobody_asks_for_is_not_made(monkeypatch):
    pool = Pool.of([Numeric("length", np.arange(5.0))])
    monkeypatch.setattr("selection.algorithms.items.pool.vectors_of", None)
    assert pool.values.tolist() == [[0], [1], [2], [3], [4]]
    with pytest.raises(TypeError):
        _ = pool.vectors
    wrong = Pool(pool.pairs, np.eye(5), lambda: np.eye(4))
    with pytest.raises(ValueError, match="vectors has 4 rows, but there are 5 items"):
        _ = wrong.vectors


def test_labels_teach_when_two_classes_were_found():
    assert not Labelled().teaches
    assert not Labelled.of_classes([3, 4], [1, 1], 2).teaches
    assert Labelled.of_classes([3, 4], [1, 0], 2).teaches
    with pytest.raises(ValueError, match="an item is labelled twice"):
        Labelled.of_classes([3, 3], [1, 0], 2)
    with pytest.raises(ValueError, match="targets are of 1 items, but 2 are labelled"):
        Labelled(np.array([1, 2]), np.eye(1))
