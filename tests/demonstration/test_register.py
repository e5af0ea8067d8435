"""The papers of the chain: their marks, and that there is something in them to find out."""

from __future__ import annotations

import json
from itertools import combinations

import pytest

from annotation.formats.relations import read_relation_types
from annotation.interfaces import Material, entity
from annotation.interfaces.schema import check_schema, relations_offered
from annotation.text.tokeniser import sentences_of, tokens_of
from demonstration import register
from demonstration.chain import ENTITY_TYPES, LINKED, RELATION_TYPES
from demonstration.register import Fact, Name, unmarked

PAPERS = list(register.papers())
SCHEMA = check_schema(
    {
        "entity_types": ENTITY_TYPES,
        "relation_types": read_relation_types(RELATION_TYPES),
        "nested": False,
    }
)


def test_marks_become_names_and_what_stands_behind_a_sentence_what_it_says():
    text, names, facts = unmarked(
        "[Ada|PER ada] was born in [Kell|GPE R1]. {ada per:place_of_birth R1}\n"
        "😀 [Ada|PER ada], [clerk|TITLE t]. {ada per:title t}"
    )
    assert text == "Ada was born in Kell.\n😀 Ada, clerk."
    assert names == [
        Name(0, 3, "PER", "ada"), Name(16, 20, "GPE", "R1"), Name(24, 27, "PER", "ada"),
        Name(29, 34, "TITLE", "t"),
    ]  # fmt: skip
    assert facts == [Fact(0, "per:place_of_birth", 1), Fact(2, "per:title", 3)]


def test_what_a_sentence_says_is_of_its_own_names():
    with pytest.raises(KeyError):
        unmarked("[Ada|PER ada] left.\n[Kell|GPE R1]. {ada per:place_of_birth R1}")


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_every_relation_is_one_that_a_task_would_ask_about(paper):
    """Between names of one sentence, as the tokeniser sees it, and of types that fit."""
    assert not set("[]{}|") & set(paper.text)
    tokens = tokens_of(paper.text, "words")
    sentences = [
        (tokens[first][0], tokens[last - 1][1]) for first, last in sentences_of(paper.text, tokens)
    ]
    edges = {start for start, _ in tokens} | {end for _, end in tokens}
    for name in paper.names:
        assert {name.start, name.end} <= edges, paper.text[name.start : name.end]
    for fact in paper.facts:
        subject, object_ = paper.names[fact.subject], paper.names[fact.object]
        assert any(
            start <= min(subject.start, object_.start) and max(subject.end, object_.end) <= end
            for start, end in sentences
        ), fact
        offered = relations_offered(SCHEMA, subject.type, object_.type)
        assert fact.relation in {one["name"] for one in offered}, fact


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_the_gold_of_a_paper_is_an_answer(paper):
    tokens = tokens_of(paper.text, "words")
    material = Material(schema=SCHEMA, text=paper.text, tokens=tokens, sentences=[[0, len(tokens)]])
    gold = register.gold_of(paper)
    assert entity.check(gold, material)["mentions"] == gold["mentions"]


def test_names_are_ambiguous_over_the_documents_and_many_have_no_entry():
    called: dict[str, set[str]] = {}
    papers_of: dict[str, set[str]] = {}
    for paper in PAPERS:
        for name in paper.names:
            if name.type in LINKED:
                called.setdefault(paper.text[name.start : name.end], set()).add(name.key)
                papers_of.setdefault(name.key, set()).add(paper.name)
    shared = {text for text, keys in called.items() if len(keys) > 1}
    assert shared >= {"Henrik Falk", "Anna Rask", "Peter Holm", "Clara Voss"}
    wide = {key for key, papers in papers_of.items() if len(papers) > 1}
    assert sum(register.is_known(key) for key in wide) >= 12
    assert sum(not register.is_known(key) for key in wide) >= 12


def test_every_entry_that_is_named_is_in_the_knowledge_base():
    lines = register.KNOWLEDGE_BASE.read_text(encoding="utf-8").splitlines()
    entries = {entry["key"]: entry["type"] for entry in map(json.loads, lines)}
    for paper in PAPERS:
        for name in paper.names:
            if register.is_known(name.key):
                assert entries[name.key] == name.type, name


def test_what_is_known_names_mentions_that_are_there():
    records = list(register.knowledge())
    mentions = {one["id"]: one for one in records if one["kind"] == "mention"}
    entities = {one["key"] for one in records if one["kind"] == "entity"}
    relations = [one for one in records if one["kind"] == "relation"]
    assert len({one["relation"] for one in relations}) >= 18
    for one in relations:
        assert {one["subject"], one["object"]} <= entities
        for evidence in one["evidence"]:
            assert mentions[evidence["subject"]]["entity"] == one["subject"]
            assert mentions[evidence["object"]]["entity"] == one["object"]
    spans = [(one["document"], one["start"], one["end"]) for one in mentions.values()]
    assert all(
        a[0] != b[0] or a[2] <= b[1] or b[2] <= a[1] for a, b in combinations(sorted(spans), 2)
    )
