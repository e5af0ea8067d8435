"""One of the options, a value on a scale, or both: answers, options, judgments and scores."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from annotation.interfaces import choice as interface
from annotation.interfaces.judgments import MISSING, unpack
from annotation.sentences import workers
from tests.annotation.interfaces.materials import make_material, refusals

CHOICES = {"choices": ["yes", "no", "maybe"]}
SCALE = {"scale": {"min": 1, "max": 5, "step": 0.5}}
BOTH = CHOICES | SCALE
LABELS = {"choice": {"yes": 0, "no": 1, "maybe": 2, "unsure": 3}}


def material(options=CHOICES, **payload):
    return make_material("Is it?", options=options, payload=payload)


def read(raw, options=CHOICES):
    return interface.read(raw, material(options))


def refused(raw, options=CHOICES):
    return refusals(interface.read, raw, material(options))


def test_it_works():
    taken = read({"choice": "no", "note": "hard"})

    assert taken == {"choice": "no", "unsure": False, "value": None, "note": "hard"}


@pytest.mark.parametrize(
    ("options", "raw", "told"),
    [
        (CHOICES, {"choice": "yes"}, "“The sky.”: “yes”"),
        (SCALE, {"value": 3.5}, "“The sky.”: 3.5"),
        (BOTH, {"choice": "yes", "value": 2}, "“The sky.”: “yes” and 2"),
        (BOTH, {"unsure": True}, "“The sky.”: “Can’t tell”"),
    ],
)
def test_what_was_judged_is_told_with_what_was_answered(options, raw, told):
    said = interface.told(read(raw, options), material(options, text="The sky."))
    assert workers.sentence(said) == told
    assert interface.told(read(raw, options), material(options, image={"src": "a.png"})) == ""


@pytest.mark.parametrize(
    ("options", "raw"),
    [
        (CHOICES, {"choice": "yes"}),
        (SCALE, {"value": 3.5}),
        (SCALE, {"value": 1}),
        (SCALE, {"value": 5.0}),
        (BOTH, {"choice": "yes", "value": 2}),
        (BOTH, {"unsure": True}),
        (SCALE, {"unsure": True, "value": None, "note": "too long\nto tell"}),
    ],
)
def test_an_answer_is_the_same_on_the_wire_and_in_an_import(options, raw):
    taken = read(raw, options)

    assert interface.wire(taken, material(options)) == taken
    assert interface.check(taken, material(options)) == taken


@pytest.mark.parametrize(
    ("options", "raw", "path", "message"),
    [
        (CHOICES, {}, "choice", "This is missing. Send one of yes, no, maybe."),
        (CHOICES, {"choice": None}, "choice", "This is null. Send one of"),
        (CHOICES, {"choice": "Yes"}, "choice", "'Yes' is not known. Use one of yes, no, maybe."),
        (CHOICES, {"choice": 0}, "choice", "This is the number 0"),
        (CHOICES, {"choice": "yes", "value": 3}, "value", "no scale. Send null."),
        (SCALE, {"value": 3, "choice": "yes"}, "choice", "a scale and no choices"),
        (SCALE, {}, "value", "This is missing. Send a number."),
        (SCALE, {"value": 0.5}, "value", "0.5 is not on the scale from 1 to 5 in steps of 0.5"),
        (SCALE, {"value": 3.2}, "value", "3.2 is not on the scale"),
        (SCALE, {"value": True}, "value", "This is true"),
        (SCALE, {"value": float("nan")}, "value", "a number out of range"),
        (SCALE, {"value": 10**400}, "value", "a number out of range"),
        (BOTH, {"choice": "yes"}, "value", "missing"),
        (BOTH, {"value": 2}, "choice", "missing"),
        (CHOICES, {"choice": "yes", "unsure": True}, "choice", "marked as unsure"),
        (SCALE, {"value": 3, "unsure": True}, "value", "marked as unsure"),
        (CHOICES, {"choice": "yes", "unsure": "no"}, "unsure", "Send true or false."),
        (CHOICES, {"choice": "yes", "note": "x" * 2001}, "note", "has 2001 characters"),
        (CHOICES, {"choice": "yes", "note": "\0"}, "note", "NUL"),
        (CHOICES, {"choice": "yes", "why": ""}, "why", "not known here"),
        ({}, {"choice": "yes"}, "choice", "'yes' is not known"),
    ],
)
def test_a_wrong_field_is_told(options, raw, path, message):
    told = refused(raw, options)

    assert list(told) == [path]
    assert message in told[path]


def test_a_step_that_is_not_exact_in_binary_is_on_the_scale():
    tenths = {"scale": {"min": 0, "max": 1, "step": 0.1}}

    assert read({"value": 0.30000000000000004}, tenths)
    assert read({"value": 0.3}, tenths)


# --- The campaign's options ---------------------------------------------------------------------


@pytest.mark.parametrize("options", [CHOICES, SCALE, CHOICES | SCALE | {"question": "Is it?"}])
def test_options_are_kept(options):
    assert interface.check_options(options) == options


def test_options_of_the_engine_are_not_touched():
    assert interface.check_options(CHOICES | {"hidden_gold": 3})["hidden_gold"] == 3


def test_a_missing_step_is_one():
    named = {"min": 1, "max": 5, "low": "never", "high": None}
    kept = {"min": 1, "max": 5, "step": 1, "low": "never"}
    assert interface.check_options({"scale": named})["scale"] == kept
    checked = interface.check_options({"scale": {"min": 1, "max": 5}})

    assert checked["scale"] == {"min": 1, "max": 5, "step": 1}


@pytest.mark.parametrize(
    ("options", "path", "message"),
    [
        ({}, "choices", "nothing to choose"),
        ([], "options", "Send an object"),
        ({"choices": "A,B"}, "choices", "Send a list"),
        ({"choices": ["A"]}, "choices", "The list holds 1. Give at least 2 choices."),
        ({"choices": ["A", "A"]}, "choices[1]", "'A' stands here twice"),
        ({"choices": ["A", ""]}, "choices[1]", "0 characters"),
        ({"choices": ["A", "unsure"]}, "choices[1]", "'unsure' is always offered"),
        ({"scale": 5}, "scale", "Send an object with min, max, step"),
        ({"scale": {"min": 1}}, "scale.max", "missing"),
        ({"scale": {"min": 5, "max": 1}}, "scale.max", "ends at 1, but begins at 5"),
        ({"scale": {"min": 1, "max": 5, "step": 0}}, "scale.step", "The step is 0"),
        ({"scale": {"min": 1, "max": 5, "step": 3}}, "scale.step", "do not lead from 1 to 5"),
        ({"scale": {"min": 1, "max": 5, "step": 5e-324}}, "scale.step", "more than 1000"),
        ({"scale": {"min": 1, "max": 5, "step": "1"}}, "scale.step", "Send a number"),
        ({"scale": {"min": 1, "max": 5, "low": "l" * 61}}, "scale.low", "1 to 60 characters"),
        ({"scale": {"min": 1, "max": 5, "unit": 1}}, "scale.unit", "not known here"),
        (CHOICES | {"question": 7}, "question", "Send a text"),
        (CHOICES | {"hidden_gold": float("nan")}, "options", "not finite"),
    ],
)
def test_wrong_options_are_told(options, path, message):
    told = refusals(lambda raw, _: interface.check_options(raw), options, None)

    assert list(told) == [path]
    assert message in told[path]


# --- The page -----------------------------------------------------------------------------------


def test_the_page_has_the_choices_with_their_keys():
    options = {"choices": [f"c{i}" for i in range(1, 11)], "question": "Which?"}

    data = interface.page_data(material(options))

    assert data["choices"][0] == {"name": "c1", "key": "1"}
    assert [each["key"] for each in data["choices"][8:]] == ["9", ""]
    assert (data["question"], data["text"], data["scale"]) == ("Which?", "Is it?", None)


@pytest.mark.parametrize(
    ("scale", "keys"),
    [
        ({"min": 1, "max": 5, "step": 1}, "abc"),
        ({"min": 0, "max": 10}, "abc"),
        ({"min": 10, "max": 12, "step": 1}, "123"),
        ({"min": 0, "max": 100, "step": 1}, "123"),
    ],
)
def test_beside_a_scale_of_digits_choices_have_letters(scale, keys):
    data = interface.page_data(material(CHOICES | {"scale": scale}))

    assert "".join(each["key"] for each in data["choices"]) == keys


def test_the_payload_comes_before_the_document_and_the_options():
    shown = {"pair": ["a", {"title": "Claim", "text": "b"}], "question": "The same?"}

    data = interface.page_data(material(CHOICES | {"question": "Which?"}, **shown))

    assert data["question"] == "The same?"
    assert data["pair"] == [{"title": "A", "text": "a"}, {"title": "Claim", "text": "b"}]
    assert "text" not in data


def test_a_picture_comes_from_this_host():
    picture = {"file": "0a.png", "alt": "A street", "width": 4, "height": 3}

    data = interface.page_data(material(image=picture))

    assert data["image"] == {
        "src": "/pictures/0a.png", "alt": "A street", "width": 4, "height": 3,
    }  # fmt: skip
    assert "text" not in data


def test_nothing_is_shown_that_is_not_on_the_list():
    secret = {"gold": "SECRET", "answer": "SECRET"}

    data = interface.page_data(material(CHOICES | {"hidden_gold": "SECRET"}, **secret))

    assert data == interface.page_data(material())
    assert "SECRET" not in json.dumps(data)


# --- Judging and scoring ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "raw", "vectors"),
    [
        (CHOICES, {"choice": "no"}, {"choice": [1]}),
        (CHOICES, {"unsure": True}, {"choice": [3]}),
        (SCALE, {"value": 3.5}, {"value": [5]}),
        (SCALE, {"unsure": True}, {"value": [MISSING]}),
        (BOTH, {"choice": "yes", "value": 1}, {"choice": [0], "value": [0]}),
        (BOTH, {"unsure": True}, {"choice": [3], "value": [MISSING]}),
    ],
)
def test_an_answer_is_judged(options, raw, vectors):
    taken, given = read(raw, options), material(options)

    assert unpack(interface.judge(taken, given, LABELS)) == vectors
    assert set(interface.label_names(taken, given)["choice"]) <= set(LABELS["choice"])


@pytest.mark.parametrize(
    ("options", "given", "gold", "tolerance", "score"),
    [
        (CHOICES, {"choice": "no"}, {"choice": "no"}, 0, 1.0),
        (CHOICES, {"choice": "no"}, {"choice": "yes"}, 5, 0.0),
        (CHOICES, {"unsure": True}, {"choice": "yes"}, 0, 0.0),
        (CHOICES, {"unsure": True}, {"unsure": True}, 0, 1.0),
        (SCALE, {"value": 3}, {"value": 3.0}, 0, 1.0),
        (SCALE, {"value": 3}, {"value": 3.5}, 0, 0.0),
        (SCALE, {"value": 3}, {"value": 3.5}, 1, 1.0),
        (SCALE, {"value": 2.5}, {"value": 3.5}, 1, 0.0),
        (SCALE, {"unsure": True}, {"value": 3.5}, 9, 0.0),
        (BOTH, {"choice": "no", "value": 1}, {"choice": "no", "value": 2}, 1, 0.0),
        (BOTH, {"choice": "no", "value": 1}, {"choice": "no", "value": 2}, 2, 1.0),
    ],
)
def test_a_choice_is_exact_and_a_value_within_its_steps(options, given, gold, tolerance, score):
    scored = interface.score_gold(
        read(given, options), read(gold, options), material(options), tolerance
    )

    assert scored == score


def test_pictures_are_where_the_server_has_them():
    assert reverse("picture", args=["0a.png"]) == f"{interface.PICTURES}0a.png"
