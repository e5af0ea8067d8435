"""What an answer to an entity task says of each token and of each mention."""

from __future__ import annotations

from annotation.interfaces import entity as interface
from annotation.interfaces.judgments import MISSING, unpack
from tests.annotation.interfaces.materials import (
    NESTED,
    SCHEMA,
    answer,
    entity,
    labels_of,
    make_material,
    mention,
)

MATERIAL = make_material()
LABELS = labels_of(SCHEMA)  # O, B-PER, I-PER, B-LOC, I-LOC, B-ORG, I-ORG; none, Q1


def judged(raw, material=MATERIAL):
    return unpack(interface.judge(interface.read(raw, material), material, LABELS))


def test_it_works():
    vectors = judged(
        answer(
            mention("m1", 0, 2, "PER", "e1"),
            mention("m2", 5, 6, "LOC", "e2"),
            mention("m3", 7, 8, "PER", "e1"),
            entities=(entity("e2", "m2"), entity("e1", "m1", "Q1")),
        )
    )

    assert vectors == {
        "tags": [1, 2, 0, 0, 0, 3, 0, 1, 0, 0],
        "clusters": [0, 1, 0],
        "links": [1, 0, 1],
    }


def test_every_token_is_judged_where_nothing_is_marked():
    assert judged(answer()) == {"tags": [0] * 10, "clusters": [], "links": []}


def test_what_was_not_looked_at_is_missing_and_not_o():
    assert judged(answer(unlabelled=((7, 10),)))["tags"] == [0] * 7 + [MISSING] * 3


def test_a_mention_without_an_entity_is_in_no_cluster():
    vectors = judged(answer(mention("m1", 0, 2)))

    assert vectors["clusters"] == vectors["links"] == [MISSING]


def test_nested_mentions_all_have_a_cluster():
    vectors = judged(
        answer(
            mention("in", 0, 1, "PER", "e2"),
            mention("out", 0, 2, "ORG", "e1"),
            entities=(entity("e1", "out"), entity("e2", "in")),
        ),
        make_material(schema=NESTED),
    )

    assert vectors["tags"][:2] == [5, 6]
    assert vectors["clusters"] == [0, 1]  # outer before inner


def test_raw_tags_are_judged_as_they_are():
    tags = ["I-PER", "?", "O", "B-LOC", "I-PER", "O", "O", "?", "?", "B-ORG"]

    assert judged({"tags": tags}) == {
        "tags": [2, MISSING, 0, 3, 2, 0, 0, MISSING, MISSING, 5],
        "clusters": [MISSING, MISSING],
        "links": [MISSING, MISSING],
    }


def test_names_are_those_that_judging_looks_up():
    stored = interface.read(
        answer(
            mention("m1", 0, 2, "PER", "e1"),
            mention("m2", 5, 6, "LOC", "e2"),
            entities=(entity("e1", "m1", "Q1"), entity("e2", "m2")),
            unlabelled=((7, 10),),
        ),
        MATERIAL,
    )

    names = interface.label_names(stored, MATERIAL)

    assert names == {"tag": ["B-PER", "I-PER", "O", "B-LOC"], "link": ["Q1", "none"]}


def test_raw_tags_name_no_links():
    names = interface.label_names({"tags": ["?", *["O"] * 9]}, MATERIAL)

    assert names == {"tag": ["O"], "link": []}
