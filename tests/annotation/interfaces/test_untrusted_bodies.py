"""Whatever JSON comes in is taken or refused with AnswerError; what is taken can be stored."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.interfaces import REGISTRY, AnswerError, interface
from annotation.interfaces.choice import check_options
from annotation.interfaces.schema import check_schema
from tests.annotation.interfaces.materials import (
    NESTED,
    SCHEMA,
    answer,
    anything,
    damaged,
    entity,
    is_storable,
    labels_of,
    make_material,
    mention,
)

MATERIALS = {
    "entity": make_material(),
    "relation": make_material(
        payload={
            "subject": {"start": 0, "end": 12, "type": "PER"},
            "object": {"start": 25, "end": 31, "type": "LOC"},
        }
    ),
    "linking": make_material(payload={"mentions": [{"id": name} for name in ("a", "b", "c")]}),
    "choice": make_material(
        options={"choices": ["A", "B"], "scale": {"min": 0, "max": 5, "step": 0.5}}
    ),
}
RIGHT = {
    "entity": answer(
        mention("m1", 0, 2, entity="e1"),
        mention("m2", 5, 6, "LOC"),
        entities=(entity("e1", "m1", "Q1", "2015-04-XX"),),
        unlabelled=((7, 10),),
    ),
    "relation": {"relation": "per:born_in", "subject_ok": "unsure", "evidence": [[0, 6]]},
    "linking": {"clusters": [{"link": "Q1", "mentions": ["a", "b"]}], "unsure": ["c"]},
    "choice": {"choice": "A", "unsure": False, "value": 2.5, "note": "because"},
}
LABELS = labels_of(SCHEMA) | {"choice": {"A": 0, "B": 1, "unsure": 2}}
KINDS = sorted(REGISTRY)


def judged_or_refused(kind, reader, raw):
    """Every step that a submit makes of a body."""
    module, material = interface(kind), MATERIALS[kind]
    try:
        taken = getattr(module, reader)(raw, material)
    except AnswerError as error:
        check_refusal(error)
        return
    assert is_storable(taken)
    json.dumps(module.wire(taken, material), allow_nan=False)
    asked = module.label_names(taken, material)
    known = {name: LABELS[name] | dict.fromkeys(asked[name], 9) for name in asked}
    assert module.judge(taken, material, known)
    assert module.score_gold(taken, taken, material, 0) in (0.0, 1.0)


def check_refusal(error):
    """It names the field, and a reply can carry it."""
    assert error.problems
    for problem in error.problems:
        path, message = problem.path, str(problem)
        assert path
        assert message.endswith(".")
        assert len(message) < 6_000
        f"{path}{message}".encode()


@pytest.mark.parametrize("kind", KINDS)
def test_the_right_bodies_are_right(kind):
    module, material = interface(kind), MATERIALS[kind]

    taken = module.read(RIGHT[kind], material)

    assert module.check(taken, material) == taken
    assert module.score_gold(taken, taken, material, 0) == 1.0


@pytest.mark.parametrize("reader", ["read", "check"])
@pytest.mark.parametrize("kind", KINDS)
@given(raw=anything)
@settings(max_examples=60)
def test_any_json_is_taken_or_refused(kind, reader, raw):
    judged_or_refused(kind, reader, raw)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(max_examples=100)
def test_a_damaged_body_is_taken_or_refused(kind, data):
    judged_or_refused(kind, "read", data.draw(damaged(RIGHT[kind])))


@given(data=st.data())
@settings(max_examples=100)
def test_damaged_raw_tags_are_taken_or_refused(data):
    tags = ["O", "B-PER", "I-LOC", "?", "O", "B-LOC", "O", "O", "O", "O"]

    judged_or_refused("entity", "read", data.draw(damaged({"tags": tags})))


@pytest.mark.parametrize("kind", KINDS)
def test_depth_does_no_harm(kind):
    deep: list = []
    for _ in range(100_000):
        deep = [deep]

    judged_or_refused(kind, "read", deep)
    for member in RIGHT[kind]:
        judged_or_refused(kind, "read", RIGHT[kind] | {member: deep})


def test_a_body_of_many_mistakes_is_told_the_first_twenty():
    wrong = [mention(f"m{i}", 50, 60) for i in range(20)]

    with pytest.raises(AnswerError) as refusal:
        interface("entity").read(
            {"mentions": [*wrong, *wrong][:20], "entities": [1]}, MATERIALS["entity"]
        )

    assert len(refusal.value.problems) == 20


def test_a_long_list_of_names_is_cut_short():
    names = [f"d1:m{i}" for i in range(50)]
    material = make_material(payload={"mentions": [{"id": name} for name in names]})

    with pytest.raises(AnswerError, match=r"d1:m19 and 30 more\."):
        interface("linking").read({"clusters": [{"mentions": ["d2:m1"]}]}, material)


def test_a_stranger_member_is_refused_by_its_name():
    with pytest.raises(AnswerError) as refusal:
        interface("choice").read(RIGHT["choice"] | {"chioce": "A", "\0": 1}, MATERIALS["choice"])

    assert [problem.path for problem in refusal.value.problems] == ["chioce", "\\x00"]


@pytest.mark.parametrize("check", [check_schema, check_options])
@given(raw=anything)
@settings(max_examples=60)
def test_any_schema_and_any_options_are_taken_or_refused(check, raw):
    try:
        taken = check(raw)
    except AnswerError as error:
        check_refusal(error)
    else:
        assert is_storable(taken)
        assert check(taken) == taken


@given(data=st.data())
@settings(max_examples=100)
def test_a_damaged_schema_is_taken_or_refused(data):
    raw = data.draw(damaged(NESTED))
    try:
        taken = check_schema(raw)
    except AnswerError as error:
        check_refusal(error)
    else:
        assert is_storable(taken)
        assert check_schema(taken) == taken
