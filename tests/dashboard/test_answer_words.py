"""An answer in a few words."""

import pytest

from annotation import interfaces
from dashboard.interfaces import REGISTRY, in_words

NO_VERDICTS = dict.fromkeys(("subject_ok", "object_ok", "subject_link_ok"))


@pytest.mark.parametrize(
    ("kind", "answer", "told"),
    [
        ("entity", {"tags": ["B-PER", "I-PER", "O", "B-LOC", "?"]}, "2 names"),
        ("entity", {"mentions": [{}], "entities": []}, "1 name"),
        ("entity", {"mentions": [{}, {}], "entities": [{"link": "Q1"}, {"link": None}]},
         "2 names, 1 linked"),
        ("relation", {"relation": "born_in", **NO_VERDICTS}, "born_in"),
        ("relation", {"relation": "none", **NO_VERDICTS, "object_ok": False},
         "no relation, 1 part denied"),
        ("relation", {"relation": "unsure", **NO_VERDICTS}, "can’t tell"),
        ("linking", {"clusters": [{"mentions": ["a", "b"]}, {"mentions": ["c"]}], "unsure": []},
         "3 cards in 2 piles"),
        ("linking", {"clusters": [{"mentions": ["a"]}], "unsure": ["b"]},
         "1 card in 1 pile, 1 unsure"),
        ("linking", {"clusters": [{"mentions": ["a"]}], "unsure": [], "undecided": ["b", "c"]},
         "1 card in 1 pile, 2 undecided"),
        ("choice", {"choice": "Yes", "unsure": False, "value": None, "note": ""}, "Yes"),
        ("choice", {"choice": "Yes", "unsure": False, "value": 3.0, "note": ""}, "Yes · 3"),
        ("choice", {"choice": None, "unsure": True, "value": None, "note": ""}, "can’t tell"),
        ("a fifth", {"anything": 1}, ""),
    ],
)  # fmt: skip
def test_answer_is_told_in_a_few_words(kind, answer, told):
    assert in_words(kind, answer) == told


def test_each_interface_has_pages():
    assert REGISTRY.keys() == interfaces.REGISTRY.keys()
