"""What the page of an entity task is given, and what it is not."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from annotation.interfaces import Material
from annotation.interfaces import entity as interface
from tests.annotation.interfaces.materials import (
    NESTED,
    SCHEMA,
    answer,
    entity,
    make_material,
    mention,
)


def test_it_works():
    material = make_material("  Ada wrote . She !", language="en", text_direction="ltr")

    data = interface.page_data(material)

    assert data == {
        "tokens": ["Ada", "wrote", ".", "She", "!"],
        "gaps": ["  ", " ", " ", " ", " ", ""],
        "sentences": [[0, 3], [3, 5]],
        "direction": "ltr",
        "language": "en",
        "types": [kind | {"pattern": i} for i, kind in enumerate(SCHEMA["entity_types"])],
        "nested": False,
        "coreference": False,
        "linking": True,
    }


@given(st.text(st.sampled_from("aé😀 \n漢\u200f"), max_size=30))
def test_tokens_and_gaps_interleaved_are_the_text(text):
    data = interface.page_data(make_material(text))

    pieces = [
        piece for pair in zip(data["gaps"], [*data["tokens"], ""], strict=True) for piece in pair
    ]

    assert "".join(pieces) == text
    assert len(data["gaps"]) == len(data["tokens"]) + 1


def test_an_empty_document_has_one_gap():
    data = interface.page_data(Material())

    assert (data["tokens"], data["gaps"], data["types"]) == ([], [""], [])


def test_nothing_of_the_payload_is_shown_that_is_not_on_the_list():
    payload = {"gold": "SECRET", "answer": "SECRET", "kind": "SECRET", "explanation": "SECRET"}
    options = {"hidden_gold": 20, "note": "SECRET"}
    gold, plain = make_material(payload=payload, options=options), make_material()

    assert interface.page_data(gold) == interface.page_data(plain)
    assert "SECRET" not in json.dumps(interface.page_data(gold))


def test_suggestions_come_in_token_numbers():
    stored = answer(
        mention("m1", 0, 12, entity="e1"), entities=(entity("e1", "m1", "Q1"),),
    )  # fmt: skip

    data = interface.page_data(make_material(payload={"suggestions": stored}))

    assert data["suggestions"] == answer(
        mention("m1", 0, 2, entity="e1"), entities=(entity("e1", "m1", "Q1"),),
    )  # fmt: skip


def test_suggested_tags_become_mentions():
    tags = ["B-PER", "I-PER", "O", "?", "I-LOC", "B-LOC", "O", "O", "O", "O"]

    data = interface.page_data(make_material(payload={"suggestions": {"tags": tags}}))

    assert data["suggestions"] == answer(mention("m1", 0, 2), mention("m2", 5, 6, "LOC"))


def test_a_suggestion_of_a_type_that_the_schema_lost_is_left_out():
    stored = answer(
        mention("m1", 0, 12, "DOG", "e1"),
        mention("m2", 25, 31, "LOC", "e1"),
        mention("m3", 34, 37, "PER", "e2"),
        entities=(entity("e1", "m1"), entity("e2", "m3")),
    )

    data = interface.page_data(make_material(schema=NESTED, payload={"suggestions": stored}))

    assert data["suggestions"] == answer(
        mention("m2", 5, 6, "LOC", None),
        mention("m3", 7, 8, "PER", "e2"),
        entities=(entity("e2", "m3"),),
    )
