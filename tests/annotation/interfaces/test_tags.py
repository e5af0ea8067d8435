"""BIO tags: the spans in them, the tags of an answer, the answer of tags."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.interfaces import entity as interface
from annotation.interfaces.entity import answer_of_tags, spans_of_tags, tags_of
from annotation.interfaces.schema import bio_tags
from tests.annotation.interfaces.materials import NESTED, SCHEMA, answer, make_material, mention

MATERIAL = make_material()  # Ada Lovelace was born in London . | She wrote .

tags_of_ten = st.lists(st.sampled_from([*bio_tags(SCHEMA), "?"]), min_size=10, max_size=10)


@pytest.mark.parametrize(
    ("tags", "spans"),
    [
        ("O O O", []),
        ("B-PER I-PER O", [(0, 2, "PER")]),
        ("B-PER B-PER I-PER", [(0, 1, "PER"), (1, 3, "PER")]),
        ("B-PER I-LOC O", [(0, 1, "PER")]),
        ("O I-PER I-PER", []),
        ("I-PER B-PER O", [(1, 2, "PER")]),
        ("B-PER O I-PER", [(0, 1, "PER")]),
        ("B-PER ? I-PER", [(0, 1, "PER")]),
        ("B-PER I-LOC I-PER", [(0, 1, "PER")]),
        ("O O B-LOC", [(2, 3, "LOC")]),
        ("", []),
    ],
)
def test_a_span_is_b_followed_by_i_of_its_type(tags, spans):
    tags = tags.split()

    assert spans_of_tags(tags, [[0, len(tags)]]) == spans


def test_no_span_goes_on_into_the_next_sentence():
    tags = ["B-PER", "I-PER", "I-PER", "I-PER"]

    assert spans_of_tags(tags, [[0, 2], [2, 4]]) == [(0, 2, "PER")]
    assert spans_of_tags(tags, []) == [(0, 4, "PER")]


def test_a_type_may_hold_a_hyphen():
    assert spans_of_tags(["B-per-son", "I-per-son"], [[0, 2]]) == [(0, 2, "per-son")]


def test_mentions_become_tags():
    stored = interface.read(
        answer(mention("m1", 0, 2), mention("m2", 5, 6, "LOC"), unlabelled=((7, 10),)), MATERIAL
    )

    assert " ".join(tags_of(stored, MATERIAL)) == "B-PER I-PER O O O B-LOC O ? ? ?"


def test_neighbours_of_one_type_stay_apart():
    stored = interface.read(answer(mention("m1", 0, 1), mention("m2", 1, 3)), MATERIAL)

    tags = tags_of(stored, MATERIAL)

    assert tags[:3] == ["B-PER", "B-PER", "I-PER"]
    assert spans_of_tags(tags, MATERIAL.sentences) == [(0, 1, "PER"), (1, 3, "PER")]


def test_of_nested_mentions_the_outermost_counts():
    material = make_material(schema=NESTED)
    spans = [(0, 5, "ORG"), (0, 2, "PER"), (1, 2, "LOC"), (5, 6, "LOC")]
    raw = answer(*[mention(f"m{i}", *span) for i, span in enumerate(spans)])

    tags = tags_of(interface.read(raw, material), material)

    assert tags[:6] == ["B-ORG", "I-ORG", "I-ORG", "I-ORG", "I-ORG", "B-LOC"]


def test_a_mention_over_the_end_of_a_sentence_begins_anew_there():
    stored = interface.read(answer(mention("m1", 5, 9)), MATERIAL)

    tags = tags_of(stored, MATERIAL)

    assert tags[5:9] == ["B-PER", "I-PER", "B-PER", "I-PER"]


def test_raw_tags_are_their_own_tags():
    tags = ["I-PER", "?", "O", "B-LOC", "I-PER", "O", "O", "?", "?", "I-ORG"]

    assert tags_of({"tags": tags}, MATERIAL) == tags


@given(tags_of_ten)
def test_the_answer_of_tags_has_their_spans_and_their_gaps(tags):
    made = answer_of_tags(tags, MATERIAL)

    again = tags_of(made, MATERIAL)
    assert interface.check(made, MATERIAL) == made
    assert spans_of_tags(again, MATERIAL.sentences) == spans_of_tags(tags, MATERIAL.sentences)
    assert [tag == "?" for tag in again] == [tag == "?" for tag in tags]
    assert answer_of_tags(again, MATERIAL) == made
