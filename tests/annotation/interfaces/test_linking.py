"""Which mentions are the same entity: every mention in one pile, or among the unsure ones."""

from __future__ import annotations

import json
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.interfaces import linking as interface
from annotation.interfaces.judgments import MISSING, UNDECIDED, unpack
from tests.annotation.interfaces.materials import make_material, refusals

NAMES = ["d1:m3", "d7:m1", "d9:m2", "d9:m5"]
CARD = {"name": "Ada", "sentence": "Ada wrote.", "document_title": "On engines", "type": "PER"}
PAYLOAD = {"mentions": [{"id": name, **CARD} for name in NAMES]}
MATERIAL = make_material("", payload=PAYLOAD)
LABELS = {"link": {"none": 0, "Q42": 5}}


def pile(*numbers, link=None):
    return {"link": link, "mentions": [NAMES[number] for number in numbers]}


def piles(*given, unsure=(), undecided=()):
    return {
        "clusters": list(given),
        "unsure": [NAMES[number] for number in unsure],
        "undecided": [NAMES[number] for number in undecided],
    }


def read(raw):
    return interface.read(raw, MATERIAL)


def refused(raw):
    return refusals(interface.read, raw, MATERIAL)


def test_it_works():
    taken = read({"clusters": [pile(3), pile(1, 0, link="Q42")], "unsure": [NAMES[2]]})

    assert taken == piles(pile(0, 1, link="Q42"), pile(3), unsure=[2])


def test_the_wire_and_an_import_are_the_same():
    taken = read(piles(pile(0, 1, link="Q42"), pile(3), unsure=[2]))

    assert interface.wire(taken, MATERIAL) == taken
    assert interface.check(taken, MATERIAL) == taken


def test_a_mention_in_no_pile_is_told():
    assert refused(piles(pile(0, 1))) == {
        "clusters": (
            "2 of 4 mentions are in no pile: d9:m2, d9:m5. Put each into a pile, alone where it "
            "is the only one, or among the unsure or undecided."
        )
    }


def test_a_mention_in_two_piles_is_told():
    told = refused(piles(pile(0, 1), pile(1, 2), unsure=[2, 3]))

    assert told == {
        "clusters[1].mentions[0]": (
            "'d7:m1' stands at clusters[0].mentions[1] too. Leave it in one pile alone."
        ),
        "unsure[0]": ("'d9:m2' stands at clusters[1].mentions[1] too. Leave it in one pile alone."),
    }


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ({}, "clusters"),
        ({"clusters": {}}, "clusters"),
        ({"clusters": [[]]}, "clusters[0]"),
        ({"clusters": [{"link": None}]}, "clusters[0].mentions"),
        ({"clusters": [{"mentions": []}]}, "clusters[0].mentions"),
        ({"clusters": [{"mentions": ["d1:m4"]}]}, "clusters[0].mentions[0]"),
        ({"clusters": [{"mentions": [7]}]}, "clusters[0].mentions[0]"),
        ({"clusters": [pile(0) | {"link": 42}]}, "clusters[0].link"),
        ({"clusters": [pile(0) | {"link": "none"}]}, "clusters[0].link"),
        ({"clusters": [pile(0) | {"name": "Ada"}]}, "clusters[0].name"),
        ({"clusters": [], "unsure": [[]]}, "unsure[0]"),
        ({"clusters": [], "unsure": NAMES * 2}, "unsure"),
        ({"clusters": [], "undecided": ["d1:m4"]}, "undecided[0]"),
        ({"clusters": [pile(0, 1, 2)], "undecided": [NAMES[3], NAMES[1]]}, "undecided[1]"),
        ({"clusters": [], "unsure": NAMES, "undecided": NAMES[:1]}, "undecided[0]"),
    ],
)
def test_a_wrong_field_is_told(raw, path):
    assert list(refused(raw)) == [path]


def test_the_page_shows_the_cards_and_nothing_else():
    secret = {"gold": "SECRET", "cluster": "SECRET"}
    payload = {"mentions": [card | secret for card in PAYLOAD["mentions"]], "gold": "SECRET"}

    data = interface.page_data(make_material("", payload=payload))

    assert data == interface.page_data(MATERIAL)
    assert [card | {"document_title": "On engines"} for card in data["mentions"]] == PAYLOAD[
        "mentions"
    ]
    assert "SECRET" not in json.dumps(data)


def test_cards_share_the_room_that_their_sentences_leave_to_what_stands_beside_them():
    beside = {"before": "… " + "left " * 23 + "near", "after": "near " + "right " * 19 + "…"}

    def shown(number):
        cards = [
            {"id": f"m{i}", **CARD, **beside, "sentence": "Ada wrote. " * 9} for i in range(number)
        ]
        return interface.page_data(make_material("", payload={"mentions": cards}))["mentions"]

    assert {side: shown(10)[0][side] for side in beside} == beside
    cards = shown(30)
    texts = [card[side] for card in cards for side in ("sentence", *beside)]
    assert interface.MOST_TEXT - 400 < sum(map(len, texts)) <= interface.MOST_TEXT
    assert cards[0]["before"].startswith("… left ")
    assert cards[0]["before"].endswith(" near")
    assert cards[0]["after"].startswith("near ")
    assert cards[0]["after"].endswith(" right …")
    assert not beside.keys() & shown(60)[0].keys()  # too little of it is left


def test_the_page_says_what_the_schema_says_of_a_type():
    kinds = [
        {"name": "PER", "colour": 2, "description": "A person"}, {"name": "LOC", "colour": 3},
        {"name": "ORG", "colour": 4, "description": "A firm"},  # which an entry may be
    ]  # fmt: skip
    payload = {"mentions": [*PAYLOAD["mentions"], {"id": "d", **CARD, "type": "LOC"}]}

    schema = {"entity_types": [*kinds, {"name": "GPE", "colour": 5}]}

    data = interface.page_data(make_material("", payload=payload, schema=schema))

    assert data["types"] == kinds


def test_each_mention_is_judged_in_the_order_of_the_payload():
    taken = read(piles(pile(1, 3, link="Q42"), pile(0), unsure=[2]))

    vectors = unpack(interface.judge(taken, MATERIAL, LABELS))

    assert vectors == {"piles": [0, 1, MISSING, 1], "links": [0, 5, MISSING, 5]}
    assert interface.label_names(taken, MATERIAL) == {"link": ["none", "Q42"]}


def test_what_is_undecided_is_no_pile_and_not_unsure():
    taken = read(piles(pile(1, link="Q42"), unsure=[2], undecided=[3, 0]))

    assert taken == piles(pile(1, link="Q42"), unsure=[2], undecided=[0, 3])
    vectors = unpack(interface.judge(taken, MATERIAL, LABELS))
    assert vectors == {
        "piles": [UNDECIDED, 0, MISSING, UNDECIDED],
        "links": [MISSING, 5, MISSING, MISSING],
    }


def test_an_answer_without_undecided_is_read_as_before():
    old = {"clusters": [pile(0, 1), pile(2), pile(3)], "unsure": []}

    assert read(old) == piles(pile(0, 1), pile(2), pile(3))
    assert unpack(interface.judge(old, MATERIAL, LABELS))["piles"] == [0, 0, 1, 2]
    assert interface.score_gold(old, old, MATERIAL, 0) == 1.0
    assert [each["kind"] for each in interface.feedback(old, old, MATERIAL, 0)] == ["right"] * 2


# --- Scoring ------------------------------------------------------------------------------------


def score(given, gold):
    return interface.score_gold(read(given), read(gold), MATERIAL, 0)


@pytest.mark.parametrize(
    ("given", "gold", "expected"),
    [
        (piles(pile(0, 1), pile(2, 3)), piles(pile(2, 3), pile(0, 1)), 1.0),
        (piles(pile(0), pile(1), pile(2), pile(3)), piles(pile(0), pile(1), pile(2, 3)), 0.0),
        (piles(pile(0, 1, 2, 3)), piles(pile(0, 1), pile(2, 3)), 2 * 2 / (6 + 2)),
        (piles(pile(0, 1, 2), pile(3)), piles(pile(0, 1), pile(2, 3)), 2 * 1 / (3 + 2)),
        (piles(*[pile(i) for i in range(4)]), piles(*[pile(i) for i in range(4)]), 1.0),
        # What the worker is unsure of makes no pair; what the gold is unsure of is not counted.
        (piles(pile(0, 1), pile(3), unsure=[2]), piles(pile(0, 1), pile(2, 3)), 2 * 1 / (1 + 2)),
        (piles(pile(0, 1, 2, 3)), piles(pile(0, 1), unsure=[2, 3]), 1.0),
        (piles(unsure=[0, 1, 2, 3]), piles(*[pile(i) for i in range(4)]), 0.0),
        (piles(unsure=[0, 1, 2, 3]), piles(unsure=[0, 1, 2, 3]), 1.0),
        # What is undecided is left out, right or wrong, down to half of the cards and pairs.
        (piles(pile(0, 1), undecided=[2, 3]), piles(pile(0, 1), pile(2, 3)), 1.0),
        (piles(pile(0, 2), pile(1), undecided=[3]), piles(pile(0, 1), pile(2, 3)), 0.0),
        (piles(pile(0), pile(1), undecided=[2, 3]), piles(*[pile(i) for i in range(4)]), 1.0),
        # Below that it counts in proportion: by cards, and by pairs.
        (piles(pile(0), undecided=[1, 2, 3]), piles(*[pile(i) for i in range(4)]), 0.5),
        (piles(pile(0, 1), undecided=[2, 3]), piles(pile(0, 1, 2, 3)), (1 / 6) / 0.5),
        # One of each pair decided is no pair decided.
        (piles(pile(0), pile(2), undecided=[1, 3]), piles(pile(0, 1), pile(2, 3)), 0.0),
        (piles(undecided=[0, 1, 2, 3]), piles(*[pile(i) for i in range(4)]), 0.0),
        (piles(undecided=[0, 1, 2, 3]), piles(pile(0, 1), pile(2, 3)), 0.0),
        (piles(pile(0), pile(1), undecided=[2, 3]), piles(pile(0), pile(1), unsure=[2, 3]), 1.0),
    ],
)
def test_the_score_is_the_f1_of_the_pairs(given, gold, expected):
    assert score(given, gold) == pytest.approx(expected)


def of_numbers(numbers):
    groups = [[i for i, n in enumerate(numbers) if n == number] for number in range(4)]
    unsure = [i for i, number in enumerate(numbers) if number == 4]
    return piles(*[pile(*group) for group in groups if group], unsure=unsure)


four = st.lists(st.integers(0, 3), min_size=4, max_size=4)


@given(four, four)
def test_the_score_is_that_of_counting_pairs(given, gold):
    mine, right = (
        {(i, j) for i, j in combinations(range(4), 2) if numbers[i] == numbers[j]}
        for numbers in (given, gold)
    )
    expected = 2 * len(mine & right) / (len(mine) + len(right)) if mine or right else 1.0

    assert score(of_numbers(given), of_numbers(gold)) == pytest.approx(expected)


def test_documents_that_are_called_alike_are_told_apart_and_one_alone_is_not_numbered():
    titles = [card["document_title"] for card in interface.page_data(MATERIAL)["mentions"]]
    assert titles == ["On engines (1)", "On engines (2)", "On engines (3)", "On engines (3)"]
    of_one = make_material("", payload={"mentions": PAYLOAD["mentions"][2:]})
    titles = [card["document_title"] for card in interface.page_data(of_one)["mentions"]]
    assert titles == ["On engines", "On engines"]
