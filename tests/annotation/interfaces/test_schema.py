"""A project's schema: what it may hold, what is filled in, and how a mistake is told."""

from __future__ import annotations

import pytest

from annotation.interfaces.looks import types_shown
from annotation.interfaces.schema import (
    bio_tags,
    check_schema,
    entity_type_names,
    relation_names,
    relations_between,
)
from tests.annotation.interfaces.materials import SCHEMA, refusals

PLACES = [{"name": "PER"}, {"name": "LOC"}]


def refused(raw):
    return refusals(lambda body, _: check_schema(body), raw, None)


def with_relation(**members):
    relation = {"name": "knows", "subject": ["PER"], "object": ["PER"]}
    return {"entity_types": PLACES, "relation_types": [relation | members]}


def test_it_works():
    schema = check_schema({"entity_types": [{"name": "PER", "description": "A person."}]})

    assert schema == {
        "entity_types": [
            {"name": "PER", "key": "p", "colour": 1, "description": "A person.", "value": None}
        ],
        "relation_types": [],
        "nested": False,
    }


def test_a_checked_schema_stays_as_it_is():
    assert check_schema(SCHEMA) == SCHEMA


def test_a_type_may_be_never_linked():
    kinds = [{"name": "PER", "link": True}, {"name": "LOC"}, {"name": "SUM", "link": False}]
    schema = check_schema({"entity_types": kinds})
    assert check_schema(schema) == schema
    for types in (schema["entity_types"], types_shown(schema)):
        assert [kind.get("link") for kind in types] == [None, None, False]
    assert "entity_types[0].link" in refused({"entity_types": [{"name": "SUM", "link": "no"}]})


def test_a_project_may_have_no_types():
    assert check_schema({}) == {"entity_types": [], "relation_types": [], "nested": False}


def test_a_missing_key_is_a_free_letter_of_the_name():
    types = [{"name": "LOC"}, {"name": "PER"}, {"name": "PERCENT"}, {"name": "X", "key": "l"}]

    keys = [kind["key"] for kind in check_schema({"entity_types": types})["entity_types"]]

    assert keys == ["o", "p", "e", "l"]


def test_a_name_without_a_free_letter_gets_any_free_one():
    types = [{"name": "人"}, {"name": "7"}, {"name": "A"}]

    keys = [kind["key"] for kind in check_schema({"entity_types": types})["entity_types"]]

    assert keys == ["b", "c", "d"]  # "a" takes a suggestion


def test_types_beyond_the_letters_have_no_key():
    schema = check_schema({"entity_types": [{"name": f"T{i}"} for i in range(30)]})

    keys = [kind["key"] for kind in schema["entity_types"]]

    assert len(set(keys[:21])) == 21
    assert keys[21:] == [""] * 9


def test_a_key_is_small_whatever_was_typed():
    schema = check_schema({"entity_types": [{"name": "PER", "key": "É"}]})

    assert schema["entity_types"][0]["key"] == "é"


def test_a_missing_colour_is_the_one_used_least():
    types = [{"name": "A", "colour": 1}, {"name": "B"}, {"name": "C", "colour": 2}, {"name": "D"}]

    schema = check_schema({"entity_types": types})

    assert [kind["colour"] for kind in schema["entity_types"]] == [1, 3, 2, 4]


def test_a_thirteenth_type_shares_a_colour():
    schema = check_schema({"entity_types": [{"name": f"T{i}"} for i in range(13)]})

    assert [kind["colour"] for kind in schema["entity_types"]] == [*range(1, 13), 1]


@pytest.mark.parametrize(
    ("kind", "path", "message"),
    [
        ({"name": "PER"}, "entity_types[1].name", "'PER' is the name of entity_types[0] too"),
        ({"name": "A B"}, "entity_types[1].name", "use no blanks"),
        ({"name": "-"}, "entity_types[1].name", "Start with a letter"),
        ({"name": ""}, "entity_types[1].name", "has 0 characters"),
        ({"name": "L" * 61}, "entity_types[1].name", "has 61 characters. Send 1 to 60"),
        ({}, "entity_types[1].name", "missing"),
        ({"name": "LOC", "key": "p"}, "entity_types[1].key", "key of entity_types[0] too"),
        ({"name": "LOC", "key": "1"}, "entity_types[1].key", "'1' is no letter"),
        ({"name": "LOC", "key": "lo"}, "entity_types[1].key", "has 2 characters"),
        ({"name": "LOC", "colour": 13}, "entity_types[1].colour", "Choose one from 1 to 12"),
        ({"name": "LOC", "colour": True}, "entity_types[1].colour", "This is true"),
        ({"name": "LOC", "color": 1}, "entity_types[1].color", "known are name, key, colour"),
        ({"name": "LOC", "value": "year"}, "entity_types[1].value", "Use one of date"),
        ("LOC", "entity_types[1]", "This is the text 'LOC'. Send an object"),
    ],
)
def test_a_wrong_entity_type_is_told(kind, path, message):
    told = refused({"entity_types": [{"name": "PER", "key": "p"}, kind]})

    assert list(told) == [path]
    assert message in told[path]


def test_all_mistakes_are_told_at_once():
    told = refused({"entity_types": [{"name": "?"}, {"name": "LOC", "colour": 0}], "nested": 1})

    assert list(told) == ["entity_types[0].name", "entity_types[1].colour", "nested"]


def test_a_schema_that_is_no_object_is_told():
    assert refused([]) == {
        "schema": "This is a list of 0. Send an object with entity_types, relation_types, nested."
    }


# --- Relation types -----------------------------------------------------------------------------


def test_a_relation_type_is_filled_in():
    (relation,) = check_schema(with_relation())["relation_types"]

    assert relation == {
        "name": "knows",
        "subject": ["PER"],
        "object": ["PER"],
        "inverse": None,
        "symmetric": False,
        "button": "knows",
        "sentence": "{subject} knows {object}",
        "icon": "",
    }


def test_an_inverse_may_be_a_relation_that_is_never_asked():
    raw = with_relation(
        name="per:place_of_birth", object=["LOC"], inverse="gpe:births_in_place",
        button="born in", sentence="{subject} was born in {object}", icon="born-in",
    )  # fmt: skip

    (relation,) = check_schema(raw)["relation_types"]

    assert relation["inverse"] == "gpe:births_in_place"
    assert relation["sentence"] == "{subject} was born in {object}"


def test_a_symmetric_relation_is_its_own_inverse():
    (relation,) = check_schema(with_relation(symmetric=True))["relation_types"]

    assert relation["inverse"] == "knows"


@pytest.mark.parametrize(
    ("members", "path", "message"),
    [
        ({"name": "none"}, "name", "'none' is the name of an answer to every relation question"),
        ({"name": "unsure"}, "name", "Choose another name"),
        ({"subject": []}, "subject", "The list is empty"),
        ({"object": ["PER", "GPE"]}, "object[1]", "'GPE' is not known. Use one of PER, LOC."),
        ({"object": ["PER", "PER"]}, "object[1]", "'PER' stands here twice"),
        ({"subject": "PER"}, "subject", "This is the text 'PER'. Send a list."),
        ({"symmetric": True, "object": ["LOC"]}, "symmetric", "the same types on both sides"),
        ({"symmetric": True, "inverse": "knew"}, "inverse", "its own inverse"),
        ({"symmetric": "yes"}, "symmetric", "Send true or false"),
        ({"sentence": "{subject} knows {objekt}"}, "sentence", "{subject} and {object}"),
        ({"icon": "../x"}, "icon", "small letters, digits and hyphens"),
        ({"question": "?"}, "question", "not known here"),
    ],
)
def test_a_wrong_relation_type_is_told(members, path, message):
    told = refused(with_relation(**members))

    assert list(told) == [f"relation_types[0].{path}"]
    assert message in told[f"relation_types[0].{path}"]


# --- Reading a schema ---------------------------------------------------------------------------


def test_tags_are_o_and_two_for_each_type():
    assert bio_tags(SCHEMA) == ["O", "B-PER", "I-PER", "B-LOC", "I-LOC", "B-ORG", "I-ORG"]
    assert bio_tags({}) == ["O"]


def test_names_come_in_the_order_of_the_schema():
    assert entity_type_names(SCHEMA) == ["PER", "LOC", "ORG"]
    assert relation_names(SCHEMA)[:3] == ["none", "unsure", "per:born_in"]


def test_relations_fit_the_two_types_and_their_direction():
    def names(subject, object_):
        return [relation["name"] for relation in relations_between(SCHEMA, subject, object_)]

    assert names("PER", "LOC") == ["per:born_in", "per:lives_in"]
    assert names("LOC", "PER") == []
    assert names("PER", None) == []
