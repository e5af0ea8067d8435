"""Coreference and links are scored apart from the spans."""

from __future__ import annotations

from annotation.interfaces import Material, interface


def answer(*entities, alone=()):
    """Each entity: (link, spans)."""
    mentions, made = [], []
    for number, (link, spans) in enumerate(entities):
        name = f"e{number}"
        made.append({"id": name, "canonical": f"m{spans[0][0]}", "link": link, "value": None})
        mentions += [(start, end, name) for start, end in spans]
    mentions += [(start, end, None) for start, end in alone]
    return {
        "mentions": [
            {"id": f"m{start}", "start": start, "end": end, "type": "PER", "entity": entity}
            for start, end, entity in sorted(mentions)
        ],
        "entities": made, "unlabelled": [],
    }  # fmt: skip


def parts(given, known):
    return interface("entity").gold_parts(given, known, Material())


ONE = answer(("Q1", [(0, 3), (4, 8), (9, 12)]))


def test_the_same_answer_has_full_marks():
    assert parts(ONE, ONE) == {"coreference": 1.0, "links": 1.0}


def test_a_mention_apart_costs_its_pairs_and_its_link():
    given = answer(("Q1", [(0, 3), (4, 8)]), alone=[(9, 12)])
    assert parts(given, ONE) == {"coreference": round(2 * 1 / (1 + 3), 4), "links": round(2 / 3, 4)}


def test_only_mentions_that_both_have_are_looked_at():
    given = answer(("Q2", [(0, 3), (5, 8)]))
    assert parts(given, ONE) == {"links": 0.0}


def test_what_gold_does_not_say_is_not_scored():
    assert parts(ONE, answer(alone=[(0, 3), (4, 8)])) == {}
    assert parts({"tags": []}, ONE) == {}


def test_to_join_what_gold_keeps_apart_costs_too():
    known = answer((None, [(0, 3), (4, 8)]), (None, [(9, 12)]))
    assert parts(ONE, known)["coreference"] == round(2 * 1 / (3 + 1), 4)
