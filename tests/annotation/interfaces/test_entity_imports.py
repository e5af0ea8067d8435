"""Answers that come with a file: code points that keep to the words, and raw tags as they are."""

from __future__ import annotations

import pytest

from annotation.interfaces import entity as interface
from tests.annotation.interfaces.materials import TEXT, answer, make_material, mention, refusals

MATERIAL = make_material()  # Ada Lovelace was born in London . | She wrote .


def refused_import(raw, material=MATERIAL):
    return refusals(interface.check, raw, material)


def test_an_import_comes_in_code_points():
    taken = interface.check(answer(mention("m1", 0, 12), unlabelled=((34, 45),)), MATERIAL)

    assert taken == answer(mention("m1", 0, 12), unlabelled=((34, 45),))


def test_a_span_that_cuts_a_word_is_told_with_its_edges():
    assert refused_import(answer(mention("m1", 0, 8))) == {
        "mentions[0].end": "Mention 0–8 cuts the word 'Lovelace' (4–12). Move its edge to 4 or 12."
    }


@pytest.mark.parametrize(
    ("start", "end", "path", "to"),
    [(3, 12, "start", 4), (0, 13, "end", 12), (12, 16, "start", 13)],
)
def test_a_span_with_an_edge_between_words_is_told_where_to_move(start, end, path, to):
    told = refused_import(answer(mention("m1", start, end)))

    edge = start if path == "start" else end
    assert told == {
        f"mentions[0].{path}": (
            f"Mention {start}–{end} has an edge at {edge}, between two words. Move it to {to}."
        )
    }


def test_code_points_are_whole_numbers():
    assert list(refused_import(answer(mention("m1", 0, "12")))) == ["mentions[0].end"]


def test_a_span_outside_the_text_is_told_with_its_length():
    told = refused_import(answer(mention("m1", 40, 46)))

    assert "outside the text, which has 45 characters" in told["mentions[0].end"]
    assert len(TEXT) == 45


def test_a_document_without_words_has_no_spans():
    empty = make_material("  ")

    told = refused_import(answer(unlabelled=((0, 1),)), empty)

    assert "the document has none" in told["unlabelled[0][0]"]
    assert refusals(interface.read, answer(mention("m1", 0, 1)), empty)
    assert interface.read(answer(), empty) == answer()


# --- Raw tags -----------------------------------------------------------------------------------

TAGS = ["I-PER", "?", "O", "B-LOC", "I-PER", "O", "O", "?", "?", "I-ORG"]


@pytest.mark.parametrize("reader", [interface.read, interface.check])
def test_raw_tags_are_kept_as_they_are(reader):
    assert reader({"tags": TAGS}, MATERIAL) == {"tags": TAGS}


def test_there_is_a_tag_for_each_word():
    assert refused_import({"tags": TAGS[:-1]}) == {
        "tags": (
            "The list holds 9, but the document has 10 words. Send one tag for each word, and "
            "'?' where there is none."
        )
    }


@pytest.mark.parametrize("tag", ["B-DOG", "PER", "b-PER", "", None, ["O"]])
def test_a_tag_outside_the_schema_is_told(tag):
    told = refused_import({"tags": [*TAGS[:-1], tag]})

    assert list(told) == ["tags[9]"]
    assert "one of O, B-PER" in told["tags[9]"]


@pytest.mark.parametrize("tags", [None, "O" * 10, {"0": "O"}])
def test_tags_are_a_list(tags):
    assert list(refused_import({"tags": tags})) == ["tags"]


def test_tags_stand_alone():
    assert list(refused_import({"tags": TAGS, "mentions": []})) == ["mentions"]
