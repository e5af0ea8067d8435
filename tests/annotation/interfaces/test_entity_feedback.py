"""What a worker is told of a practice answer: each span once, and of entities what differs."""

from __future__ import annotations

import pytest
from hypothesis import given as gives
from hypothesis import strategies as st

from annotation.interfaces import entity as interface
from annotation.interfaces.tags import compared, spans_of
from annotation.sentences.workers import written
from tests.annotation.interfaces.materials import (
    NESTED,
    SCHEMA,
    answer,
    entity,
    make_material,
    mention,
)  # fmt: skip
from tests.annotation.interfaces.test_entity_round_trip import materials, wire_answers

TEXT = "Freddie Gray died in Baltimore . Gray lived near the Baltimore Police Department ."
MATERIAL = make_material(TEXT)


def stored(*spans, entities=(), unlabelled=(), material=MATERIAL):
    mentions = [mention(f"m{i}", *span) for i, span in enumerate(spans)]
    return interface.read(answer(*mentions, entities=entities, unlabelled=unlabelled), material)


def told(given, gold, tolerance=0, material=MATERIAL):
    findings = written(interface.feedback(given, gold, material, tolerance))
    return [(each["kind"], each["words"]) for each in findings]


GOLD = stored((0, 2, "PER"), (4, 5, "LOC"), (6, 7, "PER"), (10, 13, "ORG"))


def test_it_works():
    given = stored((0, 1, "PER"), (2, 3, "LOC"), (4, 5, "ORG"), (10, 13, "ORG"))

    assert written(interface.feedback(given, GOLD, MATERIAL, 0)) == [
        {"kind": "edge", "words": "You marked “Freddie” (PER). The name is “Freddie Gray”.",
         "given": [0, 1], "known": [0, 2], "type": "PER", "given_type": "PER"},
        {"kind": "extra", "words": "“died” is not to be marked. You marked it as LOC.",
         "given": [2, 3], "known": None, "type": "LOC", "given_type": "LOC"},
        {"kind": "type", "words": "“Baltimore” is LOC. You marked it as ORG.",
         "given": [4, 5], "known": [4, 5], "type": "LOC", "given_type": "ORG"},
        {"kind": "missed", "words": "You missed “Gray” (PER).",
         "given": None, "known": [6, 7], "type": "PER", "given_type": None},
        {"kind": "right", "words": "“Baltimore Police Department” (ORG) is right.",
         "given": [10, 13], "known": [10, 13], "type": "ORG", "given_type": "ORG"},
    ]  # fmt: skip


def test_the_same_answer_is_right_throughout():
    assert {kind for kind, _ in told(GOLD, GOLD)} == {"right"}


def test_nothing_where_nothing_is_to_be_found_is_told_nothing():
    assert told(stored(), stored()) == []


def test_edges_within_the_tolerance_are_right_with_a_remark():
    gold = stored((0, 2, "PER"))

    assert told(stored((1, 2, "PER")), gold, tolerance=1) == [
        ("right", "“Gray” (PER) counts as right. The whole name is “Freddie Gray”.")
    ]
    assert told(stored((0, 3, "PER")), gold, tolerance=1) == [
        ("right", "“Freddie Gray died” (PER) counts as right. The name alone is “Freddie Gray”.")
    ]


def test_a_part_of_a_name_is_not_marked_alone():
    assert told(stored((0, 1, "PER"), (1, 2, "PER")), stored((0, 2, "PER"))) == [
        ("edge", "You marked “Freddie” (PER). The name is “Freddie Gray”."),
        ("extra", "“Gray” is a part of “Freddie Gray” (PER), and not marked alone."),
    ]


def test_the_same_type_comes_before_more_shared_words():
    given = stored((10, 12, "LOC"), (12, 13, "ORG"))

    assert told(given, stored((10, 13, "ORG"))) == [
        ("extra", "“Baltimore Police” is a part of “Baltimore Police Department” (ORG), and not "
         "marked alone."),
        ("edge", "You marked “Department” (ORG). The name is “Baltimore Police Department”."),
    ]  # fmt: skip


def test_edge_and_type_may_both_be_wrong():
    assert told(stored((10, 11, "LOC")), stored((10, 13, "ORG"))) == [
        ("type", "You marked “Baltimore” (LOC). It should be “Baltimore Police Department” (ORG).")
    ]


def test_nested_names_are_each_told():
    material = make_material(TEXT, schema=NESTED)
    gold = stored((10, 13, "ORG"), (10, 11, "LOC"), material=material)

    assert told(stored((10, 13, "ORG"), material=material), gold, material=material) == [
        ("missed", "You missed “Baltimore” (LOC)."),
        ("right", "“Baltimore Police Department” (ORG) is right."),
    ]


def test_what_either_leaves_out_is_not_judged():
    given = stored((0, 2, "PER"), (4, 5, "LOC"))
    gold = stored((0, 2, "PER"), unlabelled=((3, 14),))

    assert told(given, gold) == [("right", "“Freddie Gray” (PER) is right.")]


def test_who_leaves_everything_out_has_missed_everything():
    whole = ((0, 14),)

    assert [kind for kind, _ in told(stored(unlabelled=whole), GOLD)] == ["missed"] * 4
    assert told(stored(unlabelled=whole), stored()) == [("missed", "You left out the whole text.")]


def test_names_from_right_to_left_keep_to_themselves():
    material = make_material("שלום עליכם , Ada")
    gold = stored((0, 2, "PER"), material=material)

    ((_, words),) = told(stored(material=material), gold, material=material)

    assert words == "You missed “\u2068שלום עליכם\u2069” (PER)."


# --- Entities -----------------------------------------------------------------------------------


def grouped(*groups, **fields):
    """GOLD's mentions in these entities: "e1 e2 e1 -"."""
    spans = [(0, 2, "PER"), (4, 5, "LOC"), (6, 7, "PER"), (10, 13, "ORG")]
    names = [None if name == "-" else name for name in groups]
    owners = dict.fromkeys(filter(None, names))
    entities = tuple(
        entity(name, f"m{names.index(name)}", *fields.get(name, ())) for name in owners
    )
    return stored(
        *((*span, name) for span, name in zip(spans, names, strict=True)), entities=entities
    )


def about_entities(given, gold, **options):
    material = make_material(TEXT, schema=SCHEMA, options={"coreference": True} | options)
    return [each for each in told(given, gold, material=material) if each[0] != "right"]


KNOWN = grouped("e1", "e2", "e1", "e3")


def test_the_same_groups_are_right_whatever_they_are_called():
    assert about_entities(grouped("x", "y", "x", "z"), KNOWN) == []


def test_a_mention_of_another_entity_is_told():
    apart = [("group", "“Gray” is the same as “Freddie Gray”. You put them apart.")]

    assert about_entities(grouped("e1", "e2", "e4", "e3"), KNOWN) == apart
    assert about_entities(grouped("e1", "e2", "-", "e3"), KNOWN) == apart
    assert about_entities(grouped("e1", "e2", "e3", "e3"), KNOWN) == [
        ("group", "“Gray” is the same as “Freddie Gray”. You put it with "
         "“Baltimore Police Department”.")
    ]  # fmt: skip


def test_entities_that_were_joined_are_told():
    assert about_entities(grouped("e1", "e1", "e1", "e3"), KNOWN) == [
        ("group", "“Baltimore” is not the same as “Freddie Gray”. You put them together.")
    ]


def test_groups_are_not_told_where_they_are_not_asked_for():
    assert about_entities(grouped("-", "-", "-", "-"), KNOWN, coreference=False) == []
    assert about_entities(KNOWN, grouped("-", "-", "-", "-")) == []
    assert about_entities({"tags": interface.tags_of(KNOWN, MATERIAL)}, KNOWN) == []


def test_a_wrong_link_is_told_once_for_its_entity():
    gold = grouped("e1", "e2", "e1", "e3", e1=("Q1",))

    assert about_entities(grouped("e1", "e2", "e1", "e3", e1=("Q2",)), gold) == [
        ("link", "“Freddie Gray” has another entry than the one that you linked it to.")
    ]
    assert about_entities(grouped("e1", "e2", "e1", "e3", e1=("Q1",), e2=("Q3",)), gold) == [
        ("link", "“Baltimore” has no entry in the knowledge base. You linked it to one.")
    ]
    assert about_entities(KNOWN, gold, linking=False) == []


def test_links_are_not_told_where_the_known_answer_has_none():
    assert about_entities(grouped("e1", "e2", "e1", "e3", e1=("Q2",)), KNOWN) == []


def test_a_wrong_date_is_told():
    gold = grouped("e1", "e2", "e1", "e3", e2=(None, "2015-04-XX"))

    assert about_entities(grouped("e1", "e2", "e1", "e3", e2=(None, "2015-W17")), gold) == [
        ("date", "“Baltimore” is 2015-04-XX. You wrote 2015-W17.")
    ]
    assert about_entities(grouped("-", "-", "-", "-"), gold, coreference=False) == [
        ("date", "“Baltimore” is 2015-04-XX. You gave no date.")
    ]


# --- Whatever is answered -----------------------------------------------------------------------

SPANS = {"right", "edge", "type", "missed", "extra"}
ENTITIES = {"group", "link", "date"}


@gives(st.data(), st.integers(0, 3))
def test_each_span_is_in_one_finding_and_none_is_wrong_where_the_score_is_full(data, tolerance):
    material = data.draw(materials())
    given, gold = (interface.read(data.draw(wire_answers(material)), material) for _ in "ab")
    both = compared(given, gold, material)
    known = both.known if both else spans_of(gold, material)

    findings = interface.feedback(given, gold, material, tolerance)
    of_spans = [each for each in findings if each["kind"] in SPANS and each["type"] is not None]

    def seen(side, kind):
        return sorted((*each[side], each[kind]) for each in of_spans if each[side])

    assert seen("given", "given_type") == (sorted(both.given) if both else [])
    assert seen("known", "type") == sorted(known)
    wrong = {each["kind"] for each in findings} - {"right"} - ENTITIES
    assert (interface.score_gold(given, gold, material, tolerance) == 1.0) == (not wrong)


@gives(st.data())
def test_entities_are_told_only_where_they_differ(data):
    material = data.draw(materials())
    gold = interface.read(data.draw(wire_answers(material)), material)

    assert {each["kind"] for each in interface.feedback(gold, gold, material, 0)} <= {"right"}


@gives(st.data())
def test_groups_are_told_where_they_differ(data):
    """The same spans, and every mention in some entity: alike if no finding says otherwise."""
    count = data.draw(st.integers(1, 6))
    material = make_material(" ".join("abcdef"[:count]), options={"coreference": True})
    one, other = (
        data.draw(st.lists(st.integers(0, 3), min_size=count, max_size=count)) for _ in "ab"
    )

    def make(numbers):
        names = [f"e{number}" for number in numbers]
        mentions = [mention(f"m{i}", i, i + 1, "PER", name) for i, name in enumerate(names)]
        entities = tuple(entity(name, f"m{names.index(name)}") for name in dict.fromkeys(names))
        return interface.read(answer(*mentions, entities=entities), material)

    found = {kind for kind, _ in told(make(one), make(other), material=material)}

    def partition(numbers):
        return [[a == b for b in numbers] for a in numbers]

    assert ("group" in found) == (partition(one) != partition(other))


@pytest.mark.parametrize("raw", ["given", "gold"])
def test_raw_tags_are_told_by_their_spans(raw):
    tags = {"tags": interface.tags_of(KNOWN, MATERIAL)}
    given, gold = (tags, KNOWN) if raw == "given" else (KNOWN, tags)

    assert {kind for kind, _ in told(given, gold)} == {"right"}
