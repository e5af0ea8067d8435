import unicodedata
from collections import Counter

from annotation.demonstration.corpus import documents, unmarked


def test_marks_become_mentions_in_code_points():
    text, mentions = unmarked("😀 [Ada Brandt|PER] of [東京|LOC].")
    assert text == "😀 Ada Brandt of 東京."
    assert [(m["id"], text[m["start"] : m["end"]], m["type"]) for m in mentions] == [
        ("m1", "Ada Brandt", "PER"),
        ("m2", "東京", "LOC"),
    ]


def test_text_without_marks_stays_as_it_is():
    assert unmarked("Nothing | here [at all].") == ("Nothing | here [at all].", [])


def test_documents_are_forty_short_ones_of_many_kinds_with_all_marks_read():
    found = list(documents())
    assert len(found) == len({document["id"] for document in found}) == 40
    assert len({document["attributes"]["kind"] for document in found}) >= 10
    for document in found:
        assert 50 <= len(document["text"].split()) <= 180, document["id"]
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
