"""What an answer to an entity task may be, and how each mistake is told."""

from __future__ import annotations

import pytest

from annotation.interfaces import entity as interface
from tests.annotation.interfaces.materials import (
    NESTED,
    answer,
    entity,
    make_material,
    mention,
    refusals,
)

MATERIAL = make_material()  # Ada Lovelace was born in London . | She wrote .
ADA = mention("m1", 0, 2, entity="e1")


def read(raw, material=MATERIAL):
    return interface.read(raw, material)


def refused(raw, material=MATERIAL):
    return refusals(interface.read, raw, material)


def test_it_works():
    taken = read(
        {
            "mentions": [
                {"id": "m2", "start": 7, "end": 8, "type": "PER", "entity": "e1"},
                {"id": "m1", "start": 0, "end": 2, "type": "PER", "entity": "e1"},
                {"id": "m3", "start": 5, "end": 6, "type": "LOC"},
            ],
            "entities": [{"id": "e1", "canonical": "m1", "link": "Q7259"}],
        }
    )

    assert taken == {
        "mentions": [
            {"id": "m1", "start": 0, "end": 12, "type": "PER", "entity": "e1"},
            {"id": "m3", "start": 25, "end": 31, "type": "LOC", "entity": None},
            {"id": "m2", "start": 34, "end": 37, "type": "PER", "entity": "e1"},
        ],
        "entities": [{"id": "e1", "canonical": "m1", "link": "Q7259", "value": None}],
        "unlabelled": [],
    }


def test_no_mention_at_all_is_an_answer():
    assert read({"mentions": []}) == answer()


def test_entities_come_in_the_order_of_their_first_mentions():
    taken = read(
        answer(
            mention("m1", 5, 6, "LOC", "e1"),
            mention("m2", 0, 2, "PER", "e2"),
            entities=(entity("e1", "m1"), entity("e2", "m2")),
        )
    )

    assert [each["id"] for each in taken["entities"]] == ["e2", "e1"]


def test_parts_not_looked_at_that_touch_are_joined():
    taken = read(answer(unlabelled=((8, 10), (2, 4), (3, 5), (7, 8))))

    assert taken["unlabelled"] == [[13, 24], [34, 45]]


# --- Single fields ------------------------------------------------------------------------------


def test_a_mention_outside_the_document_is_told_with_the_numbers():
    assert refused(answer(mention("m1", 3, 12))) == {
        "mentions[0].end": (
            "Mention 3–12 lies outside the document, which has 10 words. "
            "Remove it and mark it again."
        )
    }


@pytest.mark.parametrize(
    ("start", "end", "path"),
    [(-1, 2, "start"), (10, 11, "start"), (10, 10, "end"), (9, 11, "end"), (5, 4, "end")],
)
def test_a_mention_is_inside_the_document_and_not_empty(start, end, path):
    assert list(refused(answer(mention("m1", start, end)))) == [f"mentions[0].{path}"]


def test_an_empty_mention_is_told():
    told = refused(answer(mention("m1", 2, 2)))

    assert "Mention 2–2 is empty" in told["mentions[0].end"]


@pytest.mark.parametrize("number", [True, 2.0, "2", None, [2], 10**30])
def test_token_numbers_are_whole_numbers(number):
    told = refused(answer(mention("m1", 0, number)))

    assert "Send a whole number." in told["mentions[0].end"]


def test_an_unknown_type_is_told_with_the_known_ones():
    assert refused(answer(mention("m1", 0, 2, "DOG"))) == {
        "mentions[0].type": "'DOG' is not known. Use one of PER, LOC, ORG."
    }


@pytest.mark.parametrize("member", ["id", "start", "end", "type"])
def test_a_missing_member_is_told(member):
    incomplete = {name: value for name, value in ADA.items() if name != member}

    told = refused({"mentions": [incomplete]})

    assert list(told) == [f"mentions[0].{member}"]
    assert told[f"mentions[0].{member}"].startswith("This is missing.")


def test_mentions_have_to_be_there():
    assert refused({}) == {"mentions": "This is missing. Send a list."}


@pytest.mark.parametrize("name", ["", "x" * 65, "m\0", "\ud800", 7])
def test_an_id_is_a_short_text_that_can_be_stored(name):
    assert list(refused(answer(mention(name, 0, 2)))) == ["mentions[0].id"]


def test_more_mentions_than_can_fit_are_refused_unread():
    told = refused(answer(*[mention(f"m{i}", 0, 99) for i in range(21)]))

    assert told == {"mentions": "The list has 21 elements, but at most 20 fit here."}


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"value": "25 April"}, "value"),
        ({"value": 2015}, "value"),
        ({"link": ""}, "link"),
        ({"link": "none"}, "link"),
        ({"link": "Q" * 201}, "link"),
        ({"canonical": None}, "canonical"),
        ({"type": "PER"}, "type"),
    ],
)
def test_a_wrong_member_of_an_entity_is_told(fields, path):
    told = refused(answer(ADA, entities=(entity("e1", "m1") | fields,)))

    assert list(told) == [f"entities[0].{path}"]


def test_a_date_is_kept():
    taken = read(answer(ADA, entities=(entity("e1", "m1", value="2015-W17"),)))

    assert taken["entities"][0]["value"] == "2015-W17"


@pytest.mark.parametrize(
    ("part", "path"),
    [([0, 11], "unlabelled[0][1]"), ([2, 2], "unlabelled[0][1]"), ([0], "unlabelled[0]"),
     ([0, 1, 2], "unlabelled[0]"), ("01", "unlabelled[0]")],
)  # fmt: skip
def test_a_wrong_part_not_looked_at_is_told(part, path):
    assert list(refused({"mentions": [], "unlabelled": [part]})) == [path]


def test_several_mistakes_are_told_at_once():
    told = refused(answer(mention("m1", 0, 99), mention("", 2, 3, "DOG"), unlabelled=((-1, 2),)))

    assert list(told) == [
        "mentions[0].end",
        "mentions[1].id",
        "mentions[1].type",
        "unlabelled[0][0]",
    ]


# --- What fields say of each other --------------------------------------------------------------


def test_overlapping_mentions_are_told_with_their_words():
    assert refused(answer(mention("m1", 0, 2), mention("m2", 1, 3))) == {
        "mentions[1]": (
            "Mention 1–3 ('Lovelace was') overlaps mention 0–2 ('Ada Lovelace'). "
            "Mentions do not overlap here: remove one of the two."
        )
    }


def test_mentions_side_by_side_do_not_overlap():
    taken = read(answer(mention("m1", 0, 1), mention("m2", 1, 2)))

    assert [each["start"] for each in taken["mentions"]] == [0, 4]


def test_mentions_nest_only_where_the_schema_says_so():
    inner = answer(mention("m1", 0, 1), mention("m2", 0, 2))

    assert list(refused(inner)) == ["mentions[1]"]
    taken = read(inner, make_material(schema=NESTED))
    assert [each["id"] for each in taken["mentions"]] == ["m2", "m1"]  # outer before inner


@pytest.mark.parametrize("spans", [((0, 2), (1, 3)), ((0, 2), (0, 2)), ((0, 5), (1, 3), (2, 4))])
def test_mentions_never_cross_or_cover_the_same_words(spans):
    mentions = [mention(f"m{i}", *span) for i, span in enumerate(spans)]

    told = refused(answer(*mentions), make_material(schema=NESTED))

    assert list(told) == [f"mentions[{len(spans) - 1}]"]
    assert "may lie inside each other here, but not cross" in told[f"mentions[{len(spans) - 1}]"]


def test_every_overlap_is_told():
    told = refused(answer(*[mention(f"m{i}", i, i + 2) for i in range(0, 6)]))

    assert list(told) == ["mentions[1]", "mentions[3]", "mentions[5]"]


def test_an_id_names_one_mention():
    told = refused(answer(mention("m1", 0, 1), mention("m1", 1, 2)))

    assert told == {"mentions[1].id": "'m1' is the id of mentions[0] too. Give each its own id."}


def test_an_id_names_one_entity():
    told = refused(answer(ADA, entities=(entity("e1", "m1"), entity("e1", "m1"))))

    assert list(told) == ["entities[1].id"]


def test_a_mention_and_an_entity_may_share_an_id():
    assert read(answer(mention("x", 0, 2, entity="x"), entities=(entity("x", "x"),)))


def test_the_entity_of_a_mention_has_to_be_there():
    told = refused(answer(ADA))

    assert told["mentions[0].entity"].startswith("There is no entity 'e1' among the 0 of this")


def test_an_entity_has_a_mention():
    told = refused(answer(entities=(entity("e1", "m1"),)))

    assert told == {
        "entities[0]": "Entity 'e1' has no mention. Remove it, or assign a mention to it."
    }


def test_the_canonical_mention_is_one_of_the_entity():
    told = refused(
        answer(ADA, mention("m2", 5, 6), entities=(entity("e1", "m2"),)),
    )

    assert told["entities[0].canonical"].startswith("'m2' is not the one mention of entity 'e1'")


@pytest.mark.parametrize("part", [(0, 1), (1, 4), (0, 10)])
def test_a_mention_does_not_lie_in_a_part_not_looked_at(part):
    told = refused(answer(mention("m1", 0, 2), unlabelled=(part,)))

    assert list(told) == ["mentions[0]"]
    assert read(answer(mention("m1", 0, 2), unlabelled=((2, 10),)))
