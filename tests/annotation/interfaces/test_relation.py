"""How one mention is related to another: what is asked, answered, judged and scored."""

from __future__ import annotations

import json

import pytest

from annotation.interfaces import relation as interface
from annotation.interfaces.judgments import MISSING, unpack
from annotation.interfaces.relation import VERDICTS
from annotation.interfaces.schema import check_schema
from annotation.sentences import workers
from tests.annotation.interfaces.materials import SCHEMA, labels_of, make_material, refusals

PAYLOAD = {
    "subject": {"id": "m1", "start": 0, "end": 12, "type": "PER"},
    "object": {"id": "m2", "start": 25, "end": 31, "type": "LOC", "name": "London, England"},
}
MATERIAL = make_material(payload=PAYLOAD)  # Ada Lovelace was born in London . | She wrote .
LABELS = labels_of(SCHEMA)  # none, unsure, per:born_in, per:lives_in, per:employee_of
BLANK = dict.fromkeys(VERDICTS)


def read(raw):
    return interface.read(raw, MATERIAL)


def refused(raw):
    return refusals(interface.read, raw, MATERIAL)


def parts(raw, material=MATERIAL):
    return unpack(interface.judge(interface.read(raw, material), material, LABELS))["parts"]


def test_it_works():
    taken = read({"relation": "per:born_in", "subject_ok": True, "evidence": [[2, 6]]})

    assert taken == BLANK | {
        "relation": "per:born_in",
        "subject_ok": True,
        "evidence": [[13, 31]],
    }


@pytest.mark.parametrize("relation", ["none", "unsure", "per:lives_in"])
def test_no_relation_and_cant_tell_are_answers(relation):
    assert read({"relation": relation})["relation"] == relation


def test_a_relation_that_does_not_fit_the_types_is_told():
    assert refused({"relation": "per:employee_of"}) == {
        "relation": (
            "'per:employee_of' does not hold between PER and LOC. Use one of none, unsure, "
            "per:born_in, per:lives_in."
        )
    }


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"relation": "per:knows"}, "relation"),
        ({"relation": None}, "relation"),
        ({"relation": ["none"]}, "relation"),
        ({"subject_ok": "yes"}, "subject_ok"),
        ({"object_link_ok": 1}, "object_link_ok"),
        ({"subject_type_ok": []}, "subject_type_ok"),
        ({"evidence": [[0, 11]]}, "evidence[0][1]"),
        ({"evidence": [[0, "2"]]}, "evidence[0][1]"),
        ({"evidence": 3}, "evidence"),
        ({"verdict": True}, "verdict"),
    ],
)
def test_a_wrong_field_is_told(fields, path):
    assert list(refused({"relation": "none"} | fields)) == [path]


def test_the_relation_has_to_be_there():
    assert refused({})["relation"].startswith("This is missing. Send one of none, unsure")


def test_a_task_without_mentions_has_no_relation_to_offer():
    taken = interface.read({"relation": "none"}, make_material())

    assert taken["relation"] == "none"
    assert refusals(interface.read, {"relation": "per:born_in"}, make_material())


def test_evidence_is_in_token_numbers_on_the_wire():
    sent = {"relation": "none", **BLANK, "object_ok": "unsure", "evidence": [[0, 2], [7, 9]]}

    taken = read(sent)

    assert taken["evidence"] == [[0, 12], [34, 43]]
    assert interface.wire(taken, MATERIAL) == sent
    assert interface.check(taken, MATERIAL) == taken


def test_evidence_of_an_import_keeps_to_the_words():
    told = refusals(interface.check, {"relation": "none", "evidence": [[0, 8]]}, MATERIAL)

    assert "cuts the word 'Lovelace'" in told["evidence[0][1]"]


# --- The page -----------------------------------------------------------------------------------


def test_the_page_has_both_mentions_and_what_fits_them():
    data = interface.page_data(MATERIAL)

    assert data["tokens"][:2] == ["Ada", "Lovelace"]
    assert data["subject"] == {"start": 0, "end": 2, "type": "PER", "name": "Ada Lovelace"}
    assert data["object"] == {"start": 5, "end": 6, "type": "LOC", "name": "London, England"}
    assert [(each["name"], each["key"]) for each in data["relations"]] == [
        ("per:born_in", "1"),
        ("per:lives_in", "2"),
        ("none", "n"),
        ("unsure", "u"),
    ]
    assert data["relations"][0]["sentence"] == "{subject} per:born_in {object}"
    assert "predicted" not in data


def test_a_schema_that_was_never_checked_has_wording_too():
    bare = {"relation_types": [{"name": "in", "subject": ["PER"], "object": ["LOC"]}]}

    (relation, *_) = interface.page_data(make_material(schema=bare, payload=PAYLOAD))["relations"]

    assert relation == {
        "name": "in", "button": "in", "sentence": "{subject} in {object}", "icon": "", "key": "1",
    }  # fmt: skip


def test_every_relation_has_a_key_as_long_as_there_are_any():
    types = [{"name": f"r{i}", "subject": ["PER"], "object": ["LOC"]} for i in range(40)]
    schema = check_schema({"entity_types": SCHEMA["entity_types"], "relation_types": types})

    data = interface.page_data(make_material(schema=schema, payload=PAYLOAD))

    keys = [each["key"] for each in data["relations"]]
    given = [key for key in keys if key]
    assert len(keys) == 42
    assert len(given) == len(set(given)) == 33


def test_keys_of_many_relations_are_letters_of_their_words():
    verbs = ["works for", "leads", "founded", "owns", "was left to", "sold", "sued", "lent money"]
    relations = [{"name": f"r:{verb}", "button": verb} for verb in [*verbs, "wrote for", "xx"]]
    letters = ["w", "l", "f", "o", "t", "s", "d", "m", "r", "x"]
    assert interface.keys_of(relations, relations) == letters
    assert interface.keys_of(relations[:2], relations) == ["1", "2"]


def test_a_relation_keeps_its_letter_from_pair_to_pair():
    relations = [{"name": f"{word}{i}"} for i in range(2) for word in "abcdfghjklmopqrstvwxyz"]
    assert interface.keys_of(relations[3:15], relations) == [*"dfghjklmopqr"]
    some = [*relations[1:11], relations[-1]]
    assert interface.keys_of(some, relations) == [*"bcdfghjklm", "z"]


def test_the_verify_form_has_its_relation():
    material = make_material(payload=PAYLOAD | {"predicted": "per:born_in"})

    assert interface.page_data(material)["predicted"] == "per:born_in"


def test_nothing_of_the_payload_is_shown_that_is_not_on_the_list():
    secret = {
        "gold": "SECRET",
        "relation": "SECRET",
        "subject": PAYLOAD["subject"] | {"ok": "SECRET"},
    }

    data = interface.page_data(make_material(payload=PAYLOAD | secret))

    assert data == interface.page_data(MATERIAL)
    assert "SECRET" not in json.dumps(data)


# --- Judging and scoring ------------------------------------------------------------------------


def test_the_eight_parts_are_judged_in_their_order():
    raw = {
        "relation": "per:lives_in",
        "subject_ok": True,
        "object_ok": False,
        "subject_type_ok": "unsure",
        "object_type_ok": None,
        "subject_link_ok": True,
        "evidence": [[7, 8]],
    }

    assert parts(raw) == [3, 1, 0, 2, MISSING, 1, MISSING, 1]


def test_no_relation_is_a_class_like_any_other():
    assert parts({"relation": "none"}) == [0, *[MISSING] * 7]
    assert parts({"relation": "unsure"}) == [1, *[MISSING] * 7]


def test_evidence_is_judged_by_the_sentence_where_it_begins():
    assert parts({"relation": "none", "evidence": [[6, 8]]})[7] == 0
    bare = make_material(payload=PAYLOAD, sentences=[])
    assert parts({"relation": "none", "evidence": [[6, 8]]}, bare)[7] == 0


def test_the_relation_is_the_name_that_judging_looks_up():
    assert interface.label_names(read({"relation": "none"}), MATERIAL) == {"relation": ["none"]}


@pytest.mark.parametrize(
    ("given", "gold", "score"),
    [
        ({}, {}, 1.0),
        ({"relation": "per:lives_in"}, {}, 0.0),
        ({"subject_ok": False, "evidence": [[0, 1]]}, {}, 1.0),
        ({"subject_ok": False}, {"subject_ok": True}, 0.0),
        ({}, {"object_type_ok": False}, 0.0),
        ({"object_type_ok": False}, {"object_type_ok": False}, 1.0),
    ],
)
def test_the_relation_and_what_the_gold_says_of_the_parts_count(given, gold, score):
    born = {"relation": "per:born_in"}

    assert interface.score_gold(read(born | given), read(born | gold), MATERIAL, 0) == score


def test_the_verify_form_says_what_the_types_and_the_links_are():
    link = {"key": "Q84", "name": "London"}
    payload = PAYLOAD | {"object": PAYLOAD["object"] | {"link": link}, "predicted": "per:born_in"}

    data = interface.page_data(make_material(payload=payload))

    assert data["subject"]["link"] is None
    assert data["object"]["link"] == link | {"description": ""}
    assert "link" not in interface.page_data(MATERIAL)["object"]


def test_what_is_offered_can_be_narrowed_and_no_relation_stays():
    material = make_material(payload=PAYLOAD | {"only": ["per:lives_in"]})

    names = [one["name"] for one in interface.page_data(material)["relations"]]

    assert names == ["per:lives_in", "none", "unsure"]
    refused = refusals(interface.read, {"relation": "per:born_in"}, material)
    assert list(refused) == ["relation"]


# --- The parts of a claim -------------------------------------------------------------------------


def test_of_a_claim_only_the_parts_that_the_task_names_are_asked():
    link = {"link": {"key": "Q84"}}
    payload = PAYLOAD | {"object": PAYLOAD["object"] | link, "predicted": "per:born_in"}
    alone = make_material(payload=payload | {"asks": ["object_link_ok"]})
    assert interface.page_data(alone)["asks"] == ["object_link_ok"]
    taken = interface.read({"object_link_ok": True, "subject_ok": False}, alone)
    assert taken == BLANK | {"relation": None, "object_link_ok": True, "evidence": []}
    assert parts({"object_link_ok": True}, alone) == [MISSING] * 6 + [1, MISSING]
    assert interface.label_names(taken, alone) == {"relation": []}
    [finding] = interface.feedback(taken, taken | {"object_link_ok": False}, alone, 0)
    assert (finding["kind"], finding["part"]) == ("wrong", "object_link_ok")
    base = make_material(payload=payload | {"asks": ["relation"]})
    assert list(refusals(interface.read, {"object_link_ok": True}, base)) == ["relation"]


LONDON = {"link": {"key": "Q84", "name": "London", "description": "A city"}}
CLAIM = PAYLOAD | {"predicted": "per:born_in", "object": PAYLOAD["object"] | LONDON}
TRUE = {"relation": "per:born_in", "subject_ok": True, "object_ok": True,
        "subject_type_ok": True, "object_type_ok": True, "object_link_ok": True}  # fmt: skip


@pytest.mark.parametrize(
    ("payload", "answer", "told"),
    [
        (PAYLOAD, {"relation": "per:born_in"},
         "“Ada Lovelace” → “London, England”: “was born in”"),
        (PAYLOAD, {"relation": "none"}, "“Ada Lovelace” → “London, England”: “No relation”"),
        (CLAIM, TRUE, "“Ada Lovelace was born in London, England”: “Yes, all of it”"),
        (CLAIM, TRUE | {"relation": "none"}, "“Ada Lovelace was born in London, England”: “No”"),
        (CLAIM, TRUE | {"object_type_ok": False}, "“London, England is of the type LOC”: “No”"),
        (CLAIM, TRUE | {"relation": "none", "object_type_ok": "unsure"},
         "“Ada Lovelace was born in London, England”: “No, not all”"),
        (CLAIM, TRUE | {"relation": "unsure", "object_type_ok": "unsure"},
         "“Ada Lovelace was born in London, England”: “Can’t tell”"),
        (CLAIM, dict.fromkeys(TRUE, "unsure"),
         "“Ada Lovelace was born in London, England”: “Can’t tell”"),
        (CLAIM | {"asks": ["relation"]}, {"relation": "none"},
         "“Ada Lovelace was born in London, England”: “No”"),
        (CLAIM | {"asks": ["object_link_ok"]}, {"object_link_ok": True},
         "“London, England means London”: “Yes”"),
        (CLAIM | {"asks": ["subject_ok", "object_ok"]}, {"subject_ok": False, "object_ok": False},
         "“Ada Lovelace” → “London, England”: “No, not all”"),
    ],
)  # fmt: skip
def test_what_was_answered_is_told_in_a_line(payload, answer, told):
    sentences = {"relation_types": [
        {"name": "per:born_in", "sentence": "{subject} was born in {object}"}
    ]}  # fmt: skip
    material = make_material(payload=payload, schema=SCHEMA | sentences)
    given = BLANK | {"relation": None, "evidence": []} | answer
    assert workers.sentence(interface.told(given, material)) == told


def test_a_wording_that_begins_with_the_object_is_told_in_full():
    sentences = {"relation_types": [{"name": "owned", "sentence": "{object} owns {subject}"}]}
    material = make_material(payload=PAYLOAD, schema=SCHEMA | sentences)
    told = workers.sentence(interface.told({"relation": "owned"}, material))
    assert told == "“Ada Lovelace” → “London, England”: “London, England owns Ada Lovelace”"


def test_provenance_is_shown_by_the_words_that_it_touches():
    claim = PAYLOAD | {"predicted": "per:born_in", "provenance": [[2, 14], [31, 999], [900, 950]]}
    material = make_material(payload=claim)
    tokens, shown = material.tokens, interface.page_data(material)["provenance"]
    assert shown == [[0, 3], [6, len(tokens)], [len(tokens), len(tokens)]]
