"""Judgments as bytes: what is packed comes out again, each vector as narrow as it may be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.interfaces.judgments import Damaged, directory, lengths, pack, unpack

numbers = st.lists(st.integers(-(2**31), 2**31 - 1), max_size=20)
names = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=20)


@given(st.dictionaries(names, numbers, max_size=6))
def test_what_is_packed_comes_out_again(vectors):
    assert unpack(pack(vectors)) == vectors
    assert unpack(memoryview(pack(vectors))) == vectors  # what psycopg2 hands out


@pytest.mark.parametrize(
    ("values", "width"),
    [([], 1), ([-1, 127], 1), ([-128], 1), ([128], 2), ([-129], 2), ([-1, 32768], 4)],
)
def test_a_vector_is_as_narrow_as_it_may_be(values, width):
    assert directory(pack({"tags": values}))["tags"][1:] == (width, len(values))


def test_a_vector_is_read_from_the_buffer_by_its_directory():
    data = pack({"tags": [0, 1, -1], "clusters": [300]})

    offset, width, count = directory(data)["clusters"]

    assert np.frombuffer(data, dtype=f"<i{width}", count=count, offset=offset).tolist() == [300]


def test_lengths_are_read_off_the_beginning_alone():
    data = pack({"tags": [1, 2, 3], "links": [-1]})
    head = len(pack({"tags": [], "links": []}))
    assert lengths(data[:head]) == {"tags": 3, "links": 1}
    with pytest.raises(Damaged, match="does not end"):
        lengths(data[: head - 1])
