"""What practice tells of an answer: findings in plain words that agree with the score."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.interfaces import choice, linking, relation
from annotation.interfaces.relation import VERDICTS
from annotation.interfaces.schema import check_schema
from annotation.sentences.workers import written
from tests.annotation.interfaces.materials import SCHEMA, TEXT, make_material

RELATIONS = [
    {"name": "born", "subject": ["PER"], "object": ["LOC"],
     "sentence": "{subject} was born in {object}"},
    {"name": "lives", "subject": ["PER"], "object": ["LOC"],
     "sentence": "{subject} lives in {object}"},
]  # fmt: skip
PAIR = {
    "subject": {"start": 0, "end": 12, "type": "PER"},
    "object": {"start": 25, "end": 31, "type": "LOC", "name": "London, England",
               "link": {"key": "Q84", "name": "London"}},
}  # fmt: skip
ENTITY_TYPES = SCHEMA["entity_types"]
PAIR_MATERIAL = make_material(
    schema=check_schema({"entity_types": ENTITY_TYPES, "relation_types": RELATIONS}), payload=PAIR
)


def verify(predicted="born"):
    return make_material(schema=PAIR_MATERIAL.schema, payload=PAIR | {"predicted": predicted})


def told(interface, given, gold, material, tolerance=0):
    """(kind, words) of every finding."""
    given, gold = (interface.read(raw, material) for raw in (given, gold))
    found = written(interface.feedback(given, gold, material, tolerance))
    return [(each["kind"], each["words"]) for each in found]


# --- Relation -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "gold", "expected"),
    [
        ("born", "born", ("right", "“Ada Lovelace was born in London, England” is right.")),
        (
            "lives", "born",
            ("wrong", "You chose “Ada Lovelace lives in London, England”. The right answer is "
             "“Ada Lovelace was born in London, England”."),
        ),
        ("none", "unsure", ("wrong", "You chose “No relation”. The right answer is “Can’t tell”.")),
    ],
)  # fmt: skip
def test_a_relation_is_told_with_both_names_filled_in(given, gold, expected):
    assert told(relation, {"relation": given}, {"relation": gold}, PAIR_MATERIAL) == [expected]


def test_each_part_that_the_gold_judges_is_told_when_a_claim_is_verified():
    gold = {"relation": "none", "subject_ok": True, "object_type_ok": False, "object_link_ok": True}
    given = gold | {"relation": "born", "object_type_ok": "unsure", "subject_type_ok": False}

    assert told(relation, given, gold, verify()) == [
        (
            "wrong",
            "“Ada Lovelace was born in London, England”: you said “yes”, the right answer is “no”.",
        ),
        (
            "right",
            "“Ada Lovelace is marked in full, with nothing extra”: “yes” is right.",
        ),
        (
            "wrong",
            "“London, England is of the type LOC”: you said “can’t tell”, the right answer "
            "is “no”.",
        ),
        ("right", "“London, England means London”: “yes” is right."),
    ]


def test_a_claim_of_which_another_relation_is_known_is_told_by_that():
    assert told(relation, {"relation": "none"}, {"relation": "lives"}, verify()) == [
        (
            "wrong",
            "You chose “No relation”. The right answer is “Ada Lovelace lives in London, England”.",
        ),
    ]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([[1, 5]], ("right", "Evidence: “was born in London” and “wrote” say so.")),
        ([], ("hint", "Evidence: “was born in London” and “wrote” say so.")),
        ([[3, 4]], ("hint", "Evidence: “wrote” says so too.")),
        ([[0, 1]], ("hint", "Evidence: “was born in London” and “wrote” say so. “Ada” does not "
                    "say so.")),
    ],
)  # fmt: skip
def test_evidence_is_held_beside_that_of_the_gold(given, expected):
    gold = {"relation": "born", "evidence": [[2, 6], [8, 9]]}
    if expected[0] == "right":
        given = [*given, [8, 10]]
    (_, found) = told(relation, {"relation": "born", "evidence": given}, gold, PAIR_MATERIAL)

    assert found == expected
    raw = relation.read({"relation": "born", "evidence": [[0, 1]]}, PAIR_MATERIAL)
    *_, evidence = relation.feedback(raw, relation.read(gold, PAIR_MATERIAL), PAIR_MATERIAL, 0)
    assert (evidence["missed"], evidence["extra"]) == ([[2, 6], [8, 9]], [[0, 1]])


@pytest.mark.parametrize("known", ["none", "unsure"])
@pytest.mark.parametrize("material", [PAIR_MATERIAL, verify()])
def test_evidence_of_what_does_not_hold_is_asked_of_nobody(known, material):
    """The page takes none with such an answer; gold that was imported may have it."""
    gold = {"relation": known, "evidence": [[2, 6]]}
    for answer in ({"relation": known}, {"relation": "born", "evidence": [[0, 1]]}):
        assert len(told(relation, answer, gold, material)) == 1


def test_names_with_braces_and_breaks_leave_the_sentence_readable():
    names = {"subject": "{object}\n " + "x" * 80, "object": "طرابلس"}
    payload = {side: PAIR[side] | {"name": name} for side, name in names.items()}
    material = make_material(schema=PAIR_MATERIAL.schema, payload=payload)

    ((_, words),) = told(relation, {"relation": "born"}, {"relation": "born"}, material)

    assert words.startswith("“{object} xxxx")
    assert "…" in words
    assert words.endswith("was born in طرابلس” is right.")


verdicts = st.fixed_dictionaries(
    {name: st.sampled_from([True, False, "unsure", None]) for name in VERDICTS}
)
relations = st.builds(
    lambda name, parts, evidence: {"relation": name, "evidence": evidence} | parts,
    st.sampled_from(["born", "lives", "none", "unsure"]),
    verdicts,
    st.lists(st.sampled_from([[0, 2], [1, 3], [5, 6], [8, 10]]), max_size=3),
)


@given(relations, relations, st.sampled_from([PAIR_MATERIAL, verify()]))
def test_a_relation_is_without_fault_where_the_score_is_full(one, gold, material):
    one, gold = (relation.read(raw, material) for raw in (one, gold))
    found = relation.feedback(one, gold, material, 0)

    assert (relation.score_gold(one, gold, material, 0) == 1) == all(
        each["kind"] != "wrong" for each in found
    )


# --- Choice -------------------------------------------------------------------------------------

SCALE = {"scale": {"min": 1, "max": 5, "step": 0.5}}
COLOURS = {"choices": ["Red", "Green"]}
BOTH = COLOURS | SCALE
UNSURE = {"unsure": True}


def choices(options):
    return make_material(TEXT, options=options)


@pytest.mark.parametrize(
    ("options", "given", "gold", "tolerance", "expected"),
    [
        (COLOURS, {"choice": "Red"}, {"choice": "Red"}, 0, [("right", "“Red” is right.")]),
        (
            COLOURS, {"choice": "Red"}, {"choice": "Green"}, 0,
            [("wrong", "You chose “Red”. The right answer is “Green”.")],
        ),
        (
            COLOURS, UNSURE, {"choice": "Green"}, 0,
            [("wrong", "You chose “Can’t tell”. The right answer is “Green”.")],
        ),
        (
            BOTH, {"choice": "Red", "value": 2}, UNSURE, 0,
            [("wrong", "You chose “Red” and 2. The right answer is “Can’t tell”.")],
        ),
        (BOTH, UNSURE, UNSURE, 0, [("right", "“Can’t tell” is right.")]),
        (
            SCALE, {"value": 2}, {"value": 4}, 1,
            [("wrong", "You chose 2, 4 steps too low: the right value is 4, and from 3.5 to 4.5 "
              "is taken.")],
        ),
        (
            SCALE, {"value": 5}, {"value": 4.5}, 0,
            [("wrong", "You chose 5, 1 step too high: the right value is 4.5.")],
        ),
        (
            SCALE, {"value": 4.5}, {"value": 5}, 3,
            [("right", "Your 4.5 is taken: the right value is 5, and from 3.5 to 5 is taken.")],
        ),
        (
            BOTH, {"choice": "Red", "value": 2}, {"choice": "Red", "value": 2}, 1,
            [("right", "“Red” is right."), ("right", "2 is right.")],
        ),
    ],
)  # fmt: skip
def test_what_was_chosen_is_told_beside_what_is_right(options, given, gold, tolerance, expected):
    assert told(choice, given, gold, choices(options), tolerance) == expected


def test_gold_from_before_the_scale_was_there_is_told_too():
    old = {"choice": "Red", "unsure": False, "value": None, "note": ""}
    given = old | {"value": 3}

    (_, found) = written(choice.feedback(given, old, choices(BOTH), 0))

    assert found["words"] == "You chose 3. It was right to choose no value."
    assert found["kind"] == "wrong"


values = st.integers(0, 8).map(lambda step: 1 + step / 2)


def answers(options):
    parts = {"choice": st.sampled_from(["Red", "Green"])} if "choices" in options else {}
    parts |= {"value": values} if "scale" in options else {}
    return st.just(UNSURE) | st.fixed_dictionaries(parts)


@given(st.data(), st.sampled_from([COLOURS, SCALE, BOTH]), st.integers(0, 3))
def test_a_choice_is_without_fault_where_the_score_is_full(data, options, tolerance):
    material = choices(options)
    one, gold = (choice.read(data.draw(answers(options)), material) for _ in range(2))
    found = choice.feedback(one, gold, material, tolerance)

    assert found
    assert (choice.score_gold(one, gold, material, tolerance) == 1) == all(
        each["kind"] == "right" for each in found
    )


# --- Linking ------------------------------------------------------------------------------------

NAMES = ["Freddie Gray", "Mr Gray", "Baltimore", "Baltimore City", "Gray", "Gray"]
CARDS = [
    {"id": f"m{i}", "name": name, "sentence": "", "document_title": f"Letter {i}", "type": "PER"}
    for i, name in enumerate(NAMES)
]
DECK = make_material("", payload={"mentions": CARDS})
PEOPLE, TOWN = [0, 1, 4], [2, 3]


def piles(*groups, unsure=(), undecided=(), links=()):
    names = [[f"m{i}" for i in group] for group in groups]
    links = [*links, *[None] * len(groups)]
    clusters = [{"link": link, "mentions": ids} for link, ids in zip(links, names, strict=False)]
    aside = {"unsure": unsure, "undecided": undecided}
    return {"clusters": clusters} | {k: [f"m{i}" for i in ids] for k, ids in aside.items()}


RIGHT = piles(PEOPLE, TOWN, [5])


@pytest.mark.parametrize(
    ("given", "gold", "expected"),
    [
        (
            RIGHT, RIGHT,
            [
                ("right", "“Freddie Gray”: 3 cards, rightly together."),
                ("right", "“Baltimore City”: 2 cards, rightly together."),
                ("right", "1 card is rightly on its own."),
            ],
        ),
        (
            piles([0], [1], [4], TOWN, [5]), RIGHT,
            [
                ("apart", "“Freddie Gray”, “Mr Gray” and “Gray” (Letter 4) are the same. You put "
                 "them apart."),
                ("right", "“Baltimore City”: 2 cards, rightly together."),
                ("right", "1 card is rightly on its own."),
            ],
        ),
        (
            piles(PEOPLE, [*TOWN, 5]), RIGHT,
            [
                ("together",
                 "“Baltimore City” and “Gray” (Letter 5) are different. You put them together."),
                ("right", "“Freddie Gray”: 3 cards, rightly together."),
            ],
        ),
        (
            piles([0, 1], [4, 5], [2], unsure=[3]), RIGHT,
            [
                ("apart", "“Freddie Gray” and “Gray” (Letter 4) are the same. You put them apart."),
                ("unsure", "“Baltimore City” is the same as “Baltimore”. You chose “Can’t tell”."),
                ("together",
                 "“Gray” (Letter 4) and “Gray” (Letter 5) are different. You put them together."),
            ],
        ),
        (
            piles([0, 1], [3], [4], unsure=[2, 5]), piles([0, 1], [5], unsure=[2, 3, 4]),
            [
                ("hint",
                 "“Gray” (Letter 5) is on its own. You chose “Can’t tell”; that costs nothing."),
                ("hint",
                 "Nobody can tell where “Baltimore City” and “Gray” (Letter 4) belong. What you "
                 "did there does not count."),
                ("right", "“Freddie Gray”: 2 cards, rightly together."),
            ],
        ),
        (
            piles([0], [4], TOWN, [5], unsure=[1]), RIGHT,
            [
                ("apart",
                 "“Freddie Gray” and “Gray” (Letter 4) are the same. You put them apart, and chose "
                 "“Can’t tell” for 1 card."),
                ("right", "“Baltimore City”: 2 cards, rightly together."),
                ("right", "1 card is rightly on its own."),
            ],
        ),
        (
            piles(PEOPLE, TOWN, [5], links=["Q1", "Q7"]),
            piles(PEOPLE, TOWN, [5], links=["Q1", None, "Q2"]),
            [
                ("link", "“Baltimore City” has no entry in the knowledge base. You linked it to "
                 "one; that costs nothing."),
                ("link", "“Gray” (Letter 5) has an entry in the knowledge base. You gave it none; "
                 "that costs nothing."),
                ("right", "“Freddie Gray”: 3 cards, rightly together."),
            ],
        ),
        (
            piles(unsure=range(6)), piles(*[[i] for i in range(6)]),
            [("unsure", "Each card is on its own. You chose “Can’t tell” for all.")],
        ),
        (
            piles(PEOPLE, [5], unsure=TOWN), RIGHT,
            [
                ("unsure",
                 "“Baltimore” and “Baltimore City” are the same. You chose “Can’t tell”."),
                ("right", "“Freddie Gray”: 3 cards, rightly together."),
                ("right", "1 card is rightly on its own."),
            ],
        ),
        (
            piles(PEOPLE, [2], undecided=[3, 5]), RIGHT,
            [
                ("hint", "You left 2 of 6 cards undecided; that costs nothing."),
                ("right", "“Freddie Gray”: 3 cards, rightly together."),
                ("right", "1 card is rightly on its own."),
            ],
        ),
        (
            piles([0], [1], undecided=[2, 3, 4, 5]), RIGHT,
            [
                ("undecided",
                 "You left 4 of 6 cards undecided. Decide more of them: so few prove little."),
                ("apart", "“Freddie Gray” and “Mr Gray” are the same. You put them apart."),
            ],
        ),
        (
            piles(undecided=range(6)), RIGHT,
            [("undecided",
              "You left 6 of 6 cards undecided. Decide more of them: so few prove little.")],
        ),
    ],
)  # fmt: skip
def test_each_pile_is_told_in_one_sentence(given, gold, expected):
    assert told(linking, given, gold, DECK) == expected


def test_a_hundred_wrong_piles_are_not_told_one_by_one():
    cards = [{"id": f"m{i}", "name": f"Name {i}", "sentence": ""} for i in range(200)]
    material = make_material("", payload={"mentions": cards})
    pairs = piles(*[[i, i + 1] for i in range(0, 200, 2)])
    alone = piles(*[[i] for i in range(200)])

    found = told(linking, alone, pairs, material)

    assert len(found) == 31
    assert found[-1] == ("apart", "And 70 more piles to put right.")


def partition(numbers):
    groups = [[i for i, n in enumerate(numbers) if n == number] for number in range(4)]
    unsure, undecided = ([i for i, n in enumerate(numbers) if n == aside] for aside in (4, 5))
    return piles(*[group for group in groups if group], unsure=unsure, undecided=undecided)


six = st.lists(st.integers(0, 5), min_size=6, max_size=6).map(partition)
COSTLY = {"apart", "together", "unsure", "undecided"}


@given(six, six)
def test_piles_are_without_fault_where_the_score_is_full(one, gold):
    one, gold = (linking.read(raw, DECK) for raw in (one, gold))
    found = linking.feedback(one, gold, DECK, 0)

    assert (linking.score_gold(one, gold, DECK, 0) == 1) == all(
        each["kind"] not in COSTLY for each in found
    )
    assert all(each["mentions"] for each in found)
    assert len(found) <= 2 * len(NAMES)


def test_a_card_shows_the_colour_of_its_type():
    page = linking.page_data(DECK)

    assert page["types"] == [{"name": "PER", "colour": ENTITY_TYPES[0]["colour"]}]


def test_a_pile_is_told_with_its_document_wherever_another_card_has_its_name():
    grays = make_material("", payload={"mentions": [card | {"name": "Gray"} for card in CARDS[:3]]})
    right = piles([0, 1], [2])
    ((_, kept), _) = told(linking, right, right, grays)
    assert kept.startswith("“Gray” (Letter 0)")


def test_a_document_of_which_workers_see_a_code_is_called_one_in_their_language():
    cards = [
        {"id": f"d{i}:m", "name": "Gray", "sentence": "", "document_title": f"d{i}"}
        for i in range(2)
    ]
    material = make_material("", payload={"mentions": cards}, alias_key="secret")
    names = [card["id"] for card in linking.page_data(material)["mentions"]]
    together = {"clusters": [{"link": None, "mentions": names}], "unsure": [], "undecided": []}
    apart = together | {"clusters": [{"link": None, "mentions": [name]} for name in names]}

    ((_, words),) = told(linking, together, apart, material)

    assert re.fullmatch(
        r"“Gray” \(Document \w+\) and “Gray” \(Document \w+\) are different.*", words
    )
    codes = [card["document_code"] for card in linking.page_data(material)["mentions"]]
    assert all(code in words for code in codes)
    assert {card["document_title"] for card in linking.page_data(material)["mentions"]} == {""}
