"""Types are told apart by colour, underline and key."""

import re
from pathlib import Path

from annotation.interfaces.looks import RESERVED, assign_letters, types_shown
from annotation.interfaces.schema import MOST_ENTITY_TYPES, check_schema

STYLES = Path(__file__).resolve().parents[3] / "static/css/components/types.css"


def shown(*names: str):
    return types_shown(check_schema({"entity_types": [{"name": name} for name in names]}))


def test_48_types_have_48_looks():
    types = shown(*(f"T{i}" for i in range(48)))
    assert len({(kind["colour"], kind["pattern"]) for kind in types}) == 48
    assert [kind["pattern"] for kind in types[:5]] == [0, 1, 2, 3, 0]
    assert [kind["pattern"] for kind in types[12:15]] == [1, 2, 3]


def test_types_that_were_given_one_colour_differ_by_their_underline():
    kinds = [{"name": f"T{i}", "colour": 3} for i in range(4)]
    types = types_shown(check_schema({"entity_types": kinds}))
    assert sorted(kind["pattern"] for kind in types) == [0, 1, 2, 3]


def test_every_look_has_its_style():
    styles = STYLES.read_text()
    patterns = re.findall(r"\.pattern-(\d) \{\s+--type-pattern: (\w+)", styles)
    assert patterns == [("0", "solid"), ("1", "dashed"), ("2", "dotted"), ("3", "double")]
    assert {int(n) for n in re.findall(r"\.type-(\d+) \{", styles)} == set(range(1, 13))


def test_keys_are_letters_of_the_names_first_those_that_say_most():
    names = ["Person", "Place", "WorkOfArt", "Website"]
    assert assign_letters(names, "plow") == ["p", "l", "w", "o"]
    keys = {
        kind["name"]: kind["key"] for kind in shown("Group", "Gene", "Organisation", "Job-title")
    }
    assert keys == {"Group": "g", "Gene": "e", "Organisation": "o", "Job-title": "j"}


def test_keys_of_the_page_are_not_given_away_and_the_rest_are_taken_with_shift():
    types = shown(*(f"T{i}" for i in range(MOST_ENTITY_TYPES)))
    keys = [kind["key"] for kind in types]
    assert not RESERVED & {*keys}
    assert keys[0] == "t"
    assert all(len(key) == 1 for key in keys[:21])
    assert keys[21] == "shift+t"
    assert all(key.startswith("shift+") for key in keys[21:47])
    assert keys[47:] == [""] * 53
    assert len({*filter(None, keys)}) == 47


def test_a_letter_that_the_page_has_taken_is_pressed_with_shift():
    kinds = [{"name": "Item", "key": "i"}, *({"name": f"T{n}"} for n in range(30))]
    types = types_shown(check_schema({"entity_types": kinds}))
    assert types[0]["key"] == "shift+i"
    assert len({kind["key"] for kind in types}) == 31
