"""Names of a dictionary in a text."""

from __future__ import annotations

import time

import pytest

from annotation.text.dictionary import Dictionary, answer_of_names
from annotation.text.tokeniser import sentences_of, tokens_of


def found(names, text, tokeniser="words"):
    dictionary = Dictionary(tokeniser)
    for name in names:
        dictionary.add(*name)
    tokens = tokens_of(text, tokeniser)
    return [
        (text[tokens[first][0] : tokens[last - 1][1]], named.type)
        for first, last, named in dictionary.find(text, tokens, sentences_of(text, tokens))
    ]


def test_the_longest_name_is_taken_and_none_overlaps_it():
    names = [
        ("New York", "LOC"),
        ("New York Times", "ORG"),
        ("York", "LOC"),
        ("Times Square", "LOC"),
    ]
    text = "The New York Times of New York, York and the New York Times Square."
    assert found(names, text) == [
        ("New York Times", "ORG"), ("New York", "LOC"), ("York", "LOC"), ("New York Times", "ORG"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "is_found"),
    [
        ("Apple", "an apple", False),
        ("Apple", "APPLE FALLS", True),
        ("apple", "Apple pie", True),
        ("US", "join us", False),
        ("Us", "ask the US", False),  # too short to be known by its capitals
        ("O'Brien", "O'Brien's hat", True),
        ("Ann Lee", "Ann\nLee", False),  # a sentence ends at the line break
        ("Müller", "Herr Müller", True),
    ],
)
def test_case_and_edges(name, text, is_found):
    assert bool(found([(name, "PER")], text)) is is_found


def test_a_name_is_found_in_a_text_that_was_cut_at_blanks():
    dictionary = Dictionary("words")
    dictionary.add("U.S. Army", "ORG")
    text, tokens = "the U.S. Army", [[0, 3], [4, 8], [9, 13]]
    assert [span[:2] for span in dictionary.find(text, tokens, [[0, 3]])] == [(1, 3)]


def test_a_name_of_several_types_is_not_looked_for_one_of_several_keys_has_no_link():
    dictionary = Dictionary("words")
    for name in [("Ford", "PER"), ("Ford", "ORG"), ("Paris", "LOC", "Q1"), ("Paris", "LOC", "Q2")]:
        dictionary.add(*name)
    text, tokens = "Ford in Paris", [[0, 4], [5, 7], [8, 13]]
    ((_, _, named),) = dictionary.find(text, tokens, [[0, 3]])
    assert (named.type, named.link) == ("LOC", None)


def test_what_has_one_link_or_one_name_is_one_entity():
    dictionary = Dictionary("words")
    for name in [("Ada", "PER", "Q1"), ("Ada Lovelace", "PER", "Q1"), ("Ford", "ORG")]:
        dictionary.add(*name)
    text = "Ada Lovelace or Ada met Ford . FORD left ."
    tokens = tokens_of(text, "words")
    answer = answer_of_names(dictionary.find(text, tokens, [[0, len(tokens)]]), text, tokens)
    assert [mention["entity"] for mention in answer["mentions"]] == ["e1", "e1", "e2", "e2"]
    assert [(e["canonical"], e["link"]) for e in answer["entities"]] == [("m1", "Q1"), ("m3", None)]


def test_a_hundred_thousand_words_are_gone_through_in_one_pass():
    dictionary = Dictionary("words")
    for number in range(3_000):
        dictionary.add(f"Name{number} of Place{number}", "LOC")
    words = [f"Name{number} of Place{number % 7}" for number in range(33_000)]
    text = " ".join(words)
    tokens = tokens_of(text, "words")
    began = time.process_time()  # whoever else is busy here is no matter
    assert len(list(dictionary.find(text, tokens, [[0, len(tokens)]]))) == 7
    assert time.process_time() - began < 15  # a fiftieth of that on a quiet machine
