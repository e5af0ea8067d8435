"""Lines that are read at once become what they become one by one."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotation.formats import jsonl
from annotation.formats.jsonl import prepared, read
from annotation.formats.records import Rejected, Rules

RULES = Rules(schema={"entity_types": [{"name": "PER"}]})

texts = st.one_of(
    st.sampled_from(
        ["Ada met Bob.", "Ada’s 1,200.50 e.g. U.S. O'Brien. Yes! No", "東京。はい", ""]
    ),
    st.text(st.characters(codec="ascii"), max_size=40),
    st.text(max_size=20),
)
documents = st.fixed_dictionaries(
    {"id": st.one_of(st.sampled_from(["d1", "d2", "", " d", "a/../b", None]), st.integers(0, 9))},
    optional={
        "text": st.one_of(texts, st.none(), st.integers()),
        "title": st.one_of(texts, st.none(), st.integers()),
        "metadata": st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
        "tokens": st.lists(st.sampled_from(["Ada", "met"]), max_size=3),
        "gold": st.sampled_from([["B-PER"], {"mentions": []}]),
        "genre": st.text(max_size=3),
    },
)
broken = st.sampled_from([
    "no JSON", "", " ", "[1]", "1", "null", '"', '{"id": "x", "text": "x\\u0000"}', '{"id": "x',
    '{"id": "x", "text": "\\ud800"}', '{"id": "x", "id": "y"}', '{"id": 1e999}', '{"id": NaN}',
    "{},{}", "{}]", "[{}", '{"a": [1', "2]}", "[" * 3_000, '{"id": ' + "9" * 5_000 + "}", "{} {}",
])  # fmt: skip
lines = st.lists(
    st.one_of(
        st.tuples(documents, st.booleans()).map(lambda it: json.dumps(it[0], ensure_ascii=it[1])),
        broken,
    ).map(lambda line: line.encode("utf-8", "surrogatepass")),
    min_size=1, max_size=5,
)  # fmt: skip


def one_by_one(given, rules=RULES):
    found = read(enumerate(given, 7), "", rules)
    return [item if isinstance(item, Rejected) else item.prepared() for item in found]


@given(lines)
@example([b'{"a": [1', b"2]}", b"{},{}"])  # as many values as lines, and three lines are broken
@example([b'{"id": "a", "text": "\xff"}', b'{"id": "b", "text": "Ada"}'])
@example([b'{"id": "a", "text": "\0"}', b'{"id": "b", "text": "Ada"}'])
def test_lines_read_at_once_become_what_they_become_one_by_one(given):
    for rules in (RULES, Rules(ids_from="file", tokeniser="characters")):
        assert list(prepared(given, 7, rules)) == one_by_one(given, rules)


def test_a_line_that_is_too_long_to_be_held_is_rejected_alone():
    given = [b'{"id": "a", "text": "Ada"}', None, b'{"id": "b", "text": "Ada"}']
    assert list(prepared(given, 7, RULES)) == one_by_one(given)


def test_what_stands_between_lines_can_be_no_part_of_them():
    """Not even for a file that knew it."""
    between = jsonl._BETWEEN
    given = [f'{{"id": "a", "text": "Ada"}},"{between}",{{"id": "b", "text": "Bob"}}'.encode()]
    (item,) = prepared(given, 7, RULES)
    assert isinstance(item, Rejected)


@pytest.mark.parametrize("given", ['{"id": "a", "text": "Ada"}', '{"id": "é", "text": "\\u00e9"}'])
def test_plain_documents_are_not_read_one_by_one(given, monkeypatch):
    monkeypatch.setattr(jsonl, "read", None)
    monkeypatch.setattr(jsonl, "read_document", None)
    (item,) = prepared([given.encode()], 7, RULES)
    assert item.line == 7
