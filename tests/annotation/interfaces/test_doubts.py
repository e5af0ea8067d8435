"""What a worker is unsure of, in an answer of each interface."""

from __future__ import annotations

import pytest

from annotation.interfaces import doubted_units, interface
from tests.annotation.interfaces.materials import make_material, refusals

CARDS = [{"id": f"d1:m{i}", "name": "Ada", "sentence": "", "type": "PER"} for i in range(2)]
MATERIALS = {
    "entity": make_material(),
    "relation": make_material(payload={
        "subject": {"start": 0, "end": 12, "type": "PER"},
        "object": {"start": 25, "end": 31, "type": "LOC"},
    }),
    "linking": make_material("", payload={"mentions": CARDS}, alias_key="secret"),
    "choice": make_material("", options={"choices": ["A", "B"]}),
}  # fmt: skip
ANSWERS = {
    "entity": {"mentions": [{"id": "m1", "start": 0, "end": 2, "type": "PER"}]},
    "relation": {"relation": "per:born_in"},
    "linking": {"clusters": [{"link": None, "mentions": ["d1:m0", "d1:m1"]}]},
    "choice": {"choice": "A"},
}
CHECKED = ANSWERS | {
    "entity": {"mentions": [{"id": "m1", "start": 0, "end": 12, "type": "PER"}]},
}
WHOLE = {"at": None, "note": "It may be a ship."}


@pytest.mark.parametrize("kind", ANSWERS)
def test_the_whole_of_any_answer_can_be_doubted(kind):
    module, material = interface(kind), MATERIALS[kind]
    plain = module.read(ANSWERS[kind], material)
    doubted = module.read(ANSWERS[kind] | {"doubts": [WHOLE]}, material)

    assert doubted == plain | {"doubts": [WHOLE]}
    assert "doubts" not in plain
    assert module.read(ANSWERS[kind] | {"doubts": []}, material) == plain
    for form in (module.wire, module.for_page):
        assert form(doubted, material)["doubts"] == [WHOLE]
    assert module.check(doubted, material) == doubted
    # It takes nothing back: judgments and scores are those of the answer.
    names = module.label_names(plain, material)
    numbers = {name: {each: i for i, each in enumerate(group)} for name, group in names.items()}
    assert module.label_names(doubted, material) == names
    assert module.judge(doubted, material, numbers) == module.judge(plain, material, numbers)
    assert module.score_gold(doubted, plain, material, 0) == 1.0


def test_a_mention_and_a_pile_can_be_doubted_by_themselves():
    at = [{"at": "m1", "note": ""}, WHOLE]
    given = ANSWERS["entity"] | {"doubts": at}
    taken = interface("entity").read(given, MATERIALS["entity"])
    assert taken["doubts"] == at

    linking, material = interface("linking"), MATERIALS["linking"]
    hidden = linking.page_data(material)["mentions"][1]["id"]
    given = ANSWERS["linking"] | {"doubts": [{"at": hidden, "note": ""}]}
    taken = linking.read(given, material)
    assert taken["doubts"] == [{"at": "d1:m1", "note": ""}]
    assert linking.wire(taken, material)["doubts"] == [{"at": hidden, "note": ""}]


def test_a_doubted_part_names_the_places_that_it_has_judged():
    def places(kind, *at):
        module, material = interface(kind), MATERIALS[kind]
        doubts = [{"at": part, "note": ""} for part in at]
        return doubted_units(
            kind, module.check(CHECKED[kind] | {"doubts": doubts}, material), material
        )

    assert places("entity", "m1") == {"tags": [0, 1]}
    assert places("entity", None) == {"tags": []}  # of the whole its reader knows more
    assert places("linking", "d1:m1") == {"piles": [0, 1], "links": [0, 1]}
    assert places("choice", None) == places("relation", None) == {}


@pytest.mark.parametrize("kind", ANSWERS)
def test_what_is_no_doubt_is_refused_with_its_path(kind):
    module, material = interface(kind), MATERIALS[kind]

    def paths(doubts):
        return set(refusals(module.read, ANSWERS[kind] | {"doubts": doubts}, material))

    assert paths("m1") == {"doubts"}
    assert paths([{"at": "m9"}]) == {"doubts[0].at"}
    assert paths([{"at": None, "note": 3}]) == {"doubts[0].note"}
    assert paths([{"at": None, "note": "a" * 1001}]) == {"doubts[0].note"}
    assert any("why" in path for path in paths([{"why": 1}]))
    told = refusals(module.read, ANSWERS[kind] | {"doubts": [WHOLE] * 2}, material)
    assert told
    assert set(told) <= {"doubts", "doubts[1]"}
    assert "d1:m" not in str(
        refusals(module.read, ANSWERS[kind] | {"doubts": [{"at": "m9"}]}, material)
    )
