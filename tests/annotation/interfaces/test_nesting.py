"""Names inside names: what may stand together, what tags and scores make of it."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.interfaces import entity as interface
from annotation.interfaces.spans import clashes
from tests.annotation.interfaces.materials import NESTED, answer, make_material, mention, refusals

TEXT = "the University of Baltimore County Police came"
MATERIAL = make_material(TEXT, schema=NESTED)
OUTER, MIDDLE, INNER = (1, 6, "ORG"), (1, 4, "ORG"), (3, 4, "LOC")

spans = st.tuples(st.integers(0, 7), st.integers(1, 4)).map(lambda span: (span[0], sum(span)))


def stored(*given):
    mentions = [mention(f"m{i}", *span) for i, span in enumerate(given)]
    return interface.read(answer(*mentions), MATERIAL)


@given(st.lists(spans, max_size=6), st.booleans())
def test_clashes_are_found_where_two_spans_clash(some, nested):
    def clash(one, other):
        apart = one[1] <= other[0] or other[1] <= one[0]
        inside = one[0] <= other[0] and other[1] <= one[1]
        around = other[0] <= one[0] and one[1] <= other[1]
        return not apart and not (nested and inside != around)

    told = list(clashes(some, nested))

    assert bool(told) == any(clash(*pair) for pair in combinations(some, 2))
    assert all(later > earlier and clash(some[later], some[earlier]) for later, earlier in told)


def test_names_inside_names_are_taken_where_the_schema_lets_them():
    assert [m["id"] for m in stored(INNER, OUTER, MIDDLE)["mentions"]] == ["m1", "m2", "m0"]
    flat = make_material(TEXT)
    told = refusals(interface.read, answer(mention("m1", 1, 6), mention("m2", 1, 4)), flat)
    assert "Mentions do not overlap here" in told["mentions[1]"]


@pytest.mark.parametrize("second", [(2, 7, "LOC"), (0, 3, "LOC"), (1, 6, "LOC")])
def test_names_that_cross_or_cover_the_same_words_are_refused(second):
    mentions = (mention("m1", *OUTER), mention("m2", *second))
    told = refusals(interface.read, answer(*mentions), MATERIAL)
    assert "may lie inside each other here, but not cross" in told["mentions[1]"]


def test_tags_are_those_of_the_outermost():
    assert interface.tags_of(stored(OUTER, MIDDLE, INNER), MATERIAL) == [
        "O", "B-ORG", "I-ORG", "I-ORG", "I-ORG", "I-ORG", "O",
    ]  # fmt: skip


def test_every_level_counts_in_the_score():
    gold = stored(OUTER, MIDDLE, INNER)

    def score(*given, tolerance=0):
        return interface.score_gold(stored(*given), gold, MATERIAL, tolerance)

    assert score(OUTER, MIDDLE, INNER) == 1.0
    assert score(OUTER) == pytest.approx(2 * 1 / (1 + 3))
    assert score(OUTER, INNER) == pytest.approx(2 * 2 / (2 + 3))
    assert score((1, 5, "ORG"), MIDDLE, INNER, tolerance=1) == 1.0
