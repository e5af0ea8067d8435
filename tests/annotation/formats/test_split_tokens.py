"""Mentions of a file need not end where the project's tokeniser does."""

import json

from hypothesis import given
from hypothesis import strategies as st

from annotation.formats.jsonl import read as read_lines
from annotation.formats.records import DocumentRecord, Rules
from tests.annotation.formats.conftest import SCHEMA


def read_one(**fields):
    content = json.dumps({"id": "d1", "text": "Anglo-American uncut"} | fields).encode()
    (item,) = read_lines([(1, content)], "made.jsonl", Rules(schema=SCHEMA, tokeniser="whitespace"))
    assert isinstance(item, DocumentRecord), item
    return item


def mention(start, end, kind="LOC"):
    return {"start": start, "end": end, "type": kind}


def test_a_token_is_split_where_a_mention_ends_inside():
    document = read_one(gold={"mentions": [mention(6, 14)]})
    assert document.tokens == [[0, 6], [6, 14], [15, 20]]
    assert document.split_tokens == 1


def test_a_token_is_split_at_every_edge_inside_and_counted_once():
    document = read_one(
        gold={"mentions": [mention(0, 5), mention(6, 14)]},
        predictions={"mentions": [mention(1, 3)], "unlabelled": [[15, 17]]},
    )
    assert document.tokens == [[0, 1], [1, 3], [3, 5], [5, 6], [6, 14], [15, 17], [17, 20]]
    assert document.split_tokens == 2


def test_tags_of_a_split_token_are_told_again_for_each_piece():
    document = read_one(
        gold=["B-PER", "?"], predictions={"mentions": [mention(5, 14), mention(18, 20)]}
    )
    gold, _ = document.answers
    assert gold.answer == {"tags": ["B-PER", "I-PER", "?", "?"]}


def test_sentences_move_along():
    document = read_one(sentences=[[0, 1], [1, 2]], gold={"mentions": [mention(6, 14)]})
    assert document.sentences == [[0, 2], [2, 3]]


def test_a_blank_inside_a_given_token_goes_to_no_piece():
    document = read_one(
        tokens=[[0, 20]], gold={"mentions": [mention(0, 14), mention(15, 20, "PER")]}
    )
    assert document.tokens == [[0, 14], [15, 20]]


def test_mentions_on_the_edges_of_tokens_split_nothing():
    document = read_one(gold={"mentions": [mention(0, 14), mention(15, 20)]})
    assert document.tokens == [[0, 14], [15, 20]]
    assert document.split_tokens == 0


def test_mentions_get_ids_where_nothing_refers_to_them():
    document = read_one(gold={"mentions": [mention(0, 14), mention(15, 20) | {"id": "x"}]})
    (gold,) = document.answers
    assert [one["id"] for one in gold.answer["mentions"]] == ["m1", "x"]


TEXT = "Zoë-Ann met 👨‍👩‍👧 in 東京, O'Hare."


@given(st.sets(st.integers(0, len(TEXT)), min_size=2).map(sorted))
def test_any_mentions_that_hold_something_visible_find_their_tokens(edges):
    spans = [
        (start, end)
        for start, end in zip(edges[::2], edges[1::2], strict=False)
        if not TEXT[start].isspace() and not TEXT[end - 1].isspace()
    ]
    document = read_one(text=TEXT, gold={"mentions": [mention(*span) for span in spans]})
    (gold,) = document.answers
    assert [(one["start"], one["end"]) for one in gold.answer["mentions"]] == spans
    covered = [i for start, end in document.tokens for i in range(start, end)]
    assert covered == [i for i, char in enumerate(TEXT) if not char.isspace()]
