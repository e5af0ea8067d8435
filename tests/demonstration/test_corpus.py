import unicodedata
from collections import Counter

from demonstration.corpus import documents, grouped, keys_by_name, unmarked
from demonstration.load import SCHEMA


def test_marks_become_mentions_in_code_points():
    text, mentions = unmarked("😀 [Ada Brandt|PER] of [東京|LOC].")
    assert text == "😀 Ada Brandt of 東京."
    assert [(m["id"], text[m["start"] : m["end"]], m["type"]) for m in mentions] == [
        ("m1", "Ada Brandt", "PER"),
        ("m2", "東京", "LOC"),
    ]


def test_text_without_marks_stays_as_it_is():
    assert unmarked("Nothing | here [at all].") == ("Nothing | here [at all].", [])


def test_documents_are_forty_short_ones_of_many_kinds_a_talk_and_a_long_report():
    found = list(documents())
    assert len(found) == len({document["id"] for document in found}) == 42
    assert len({document["attributes"]["kind"] for document in found}) >= 10
    for document in found:
        longest = {"interview": 240, "report": 900}.get(document["attributes"]["kind"], 180)
        assert 50 <= len(document["text"].split()) <= longest, document["id"]
        assert not set("[]|") & set(document["text"]), document["id"]
        for mention in document["gold"]["mentions"]:
            name = document["text"][mention["start"] : mention["end"]]
            assert name == name.strip(), (document["id"], name)


def test_every_type_and_several_scripts_are_there():
    types: Counter[str] = Counter()
    scripts = set()
    for document in documents():
        types.update(mention["type"] for mention in document["gold"]["mentions"])
        scripts |= {unicodedata.name(c).split()[0] for c in document["text"] if c.isalpha()}
    assert set(types) == {"PER", "LOC", "ORG", "DATE"}
    assert min(types.values()) > 50
    assert scripts >= {"LATIN", "HEBREW", "ARABIC", "CJK", "HANGUL", "HIRAGANA"}


def test_a_type_has_entries_or_is_asked_for_its_date():
    dated = {kind["name"] for kind in SCHEMA["entity_types"] if kind.get("value") == "date"}
    linked = {kind for kind, _ in keys_by_name()}
    assert {kind["name"] for kind in SCHEMA["entity_types"]} - linked == dated


def test_mentions_of_one_name_are_one_entity_linked_where_the_name_is_known():
    text, mentions = unmarked("[Ada Brandt|PER] met [Ada|PER], [Zoe|PER], [Ann|PER] and [Ann|PER].")
    found = grouped(text, mentions, {("PER", "Ada Brandt"): "S1", ("PER", "Ada"): "S1"})
    assert [mention["entity"] for mention in mentions] == ["e1", "e1", None, "e2", "e2"]
    assert [(entity["canonical"], entity["link"]) for entity in found] == [
        ("m1", "S1"),
        ("m4", None),
    ]


def test_name_that_two_entries_share_is_the_first_ones():
    assert keys_by_name()["PER", "Otto Brandt"] == "S31"


def test_linked_mentions_are_in_most_documents():
    links = [
        {entity["link"] for entity in document["gold"]["entities"]} - {None}
        for document in documents()
    ]
    assert sum(bool(found) for found in links) > 30
