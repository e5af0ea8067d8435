"""Agreement with gold spans: F1, with a tolerance for edges, over what both looked at."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.interfaces import entity as interface
from annotation.interfaces.pairing import matched
from annotation.interfaces.spans import clashes
from annotation.sentences.workers import written
from tests.annotation.interfaces.materials import answer, make_material, mention

MATERIAL = make_material()  # Ada Lovelace was born in London . | She wrote .


def stored(*spans, unlabelled=()):
    mentions = [mention(f"m{i}", *span) for i, span in enumerate(spans)]
    return interface.read(answer(*mentions, unlabelled=unlabelled), MATERIAL)


def score(given, gold, tolerance=0):
    return interface.score_gold(given, gold, MATERIAL, tolerance)


GOLD = stored((0, 2, "PER"), (5, 6, "LOC"))


def test_it_works():
    given = stored((0, 2, "PER"), (5, 6, "ORG"), (7, 8, "PER"))

    assert score(given, GOLD) == pytest.approx(2 * 1 / (3 + 2))


def test_the_same_answer_is_all_right():
    assert score(GOLD, GOLD) == 1.0


def test_nothing_where_nothing_is_to_be_found_is_all_right():
    assert score(stored(), stored()) == 1.0


def test_nothing_where_something_is_to_be_found_is_all_wrong():
    assert score(stored(), GOLD) == 0.0
    assert score(GOLD, stored()) == 0.0


def test_the_type_counts():
    assert score(stored((0, 2, "ORG"), (5, 6, "LOC")), GOLD) == 0.5


def test_an_edge_may_be_off_by_the_tolerance():
    given = stored((0, 1, "PER"), (5, 6, "LOC"))

    assert score(given, GOLD) == 0.5
    assert score(given, GOLD, tolerance=1) == 1.0


def test_each_edge_has_its_own_tolerance():
    given = stored((1, 3, "PER"), (5, 6, "LOC"))

    assert score(given, GOLD, tolerance=1) == 1.0


def test_a_span_beside_the_right_one_is_wrong_whatever_the_tolerance():
    assert score(stored((6, 7, "LOC")), stored((5, 6, "LOC")), tolerance=5) == 0.0


def test_one_gold_span_is_matched_once():
    given = stored((0, 1, "PER"), (1, 2, "PER"))

    assert score(given, stored((0, 2, "PER")), tolerance=1) == pytest.approx(2 / 3)


def test_an_exact_match_comes_before_a_near_one():
    given = stored((0, 1, "PER"), (1, 3, "PER"))
    gold = stored((1, 3, "PER"))

    assert score(given, gold, tolerance=3) == pytest.approx(2 / 3)


# --- What was not looked at ---------------------------------------------------------------------


def test_what_the_answer_leaves_out_is_not_counted():
    assert score(stored((0, 2, "PER"), unlabelled=((5, 6),)), GOLD) == 1.0


def test_what_the_gold_leaves_out_is_not_counted():
    gold = stored((0, 2, "PER"), unlabelled=((2, 10),))

    assert score(stored((0, 2, "PER"), (5, 6, "LOC")), gold) == 1.0


def test_a_span_that_touches_what_is_left_out_is_not_counted():
    assert score(stored((0, 2, "PER")), stored(unlabelled=((1, 2),))) == 1.0


def test_leaving_everything_out_is_no_agreement():
    assert score(stored(unlabelled=((0, 10),)), GOLD) == 0.0
    assert score({"tags": ["?"] * 10}, stored()) == 0.0


def test_a_gold_that_knows_nothing_blames_nobody():
    assert score(GOLD, {"tags": ["?"] * 10}) == 1.0


# --- Raw tags -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tags", ["B-PER I-PER O O O B-LOC O O O O", "B-PER I-PER I-LOC ? O B-LOC O O O I-PER"]
)
def test_raw_tags_are_scored_by_their_spans(tags):
    raw = {"tags": tags.split()}

    assert score(raw, GOLD) == score(GOLD, raw) == score(raw, raw) == 1.0


def test_a_document_without_words_is_all_right():
    assert interface.score_gold(answer(), answer(), make_material(""), 0) == 1.0


# --- Pairing spans ------------------------------------------------------------------------------


@st.composite
def flat_spans(draw):
    """Up to five spans that do not overlap."""
    edges = draw(st.lists(st.integers(0, 12), max_size=10, unique=True).map(sorted))
    return [
        (start, end, draw(st.sampled_from(["PER", "LOC"])))
        for start, end in zip(edges[::2], edges[1::2], strict=False)
    ]


def most_pairs(given, known, tolerance):
    """By trying every order of pairing; the exact pairs are made first."""
    exact = set(given) & set(known)
    given = [span for span in given if span not in exact]
    known = [span for span in known if span not in exact]
    if len(given) > len(known):
        given, known = known, given

    def fits(one, other):
        return (
            one[2] == other[2]
            and abs(one[0] - other[0]) <= tolerance
            and abs(one[1] - other[1]) <= tolerance
            and max(one[0], other[0]) < min(one[1], other[1])
        )

    return len(exact) + max(
        sum(map(fits, given, chosen)) for chosen in permutations(known, len(given))
    )


@st.composite
def nested_spans(draw):
    """Up to five spans, each inside another or beside it."""
    spans = draw(
        st.lists(
            st.tuples(st.integers(0, 8), st.integers(1, 9), st.sampled_from(["PER", "LOC"])).filter(
                lambda span: span[0] < span[1]
            ),
            max_size=9,
        )
    )
    kept = []
    for span in spans:
        if len(kept) < 5 and not any(
            list(clashes([span[:2], other[:2]], nested=True)) for other in kept
        ):
            kept.append(span)
    return kept


@given(flat_spans() | nested_spans(), flat_spans() | nested_spans(), st.integers(0, 6))
def test_no_other_pairing_has_more_pairs(given, known, tolerance):
    pairs = matched(given, known, tolerance)

    assert len(pairs) == most_pairs(given, known, tolerance)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    assert len(pairs) == len(matched(known, given, tolerance))


def test_who_could_go_elsewhere_leaves_a_nested_span_to_who_can_not():
    known = [(0, 5, "PER"), (1, 5, "PER")]

    assert matched([(1, 4, "PER"), (1, 6, "PER")], known, 1) == [(0, 0), (1, 1)]
    assert len(matched([(1, 6, "PER"), (0, 6, "PER")], known, 1)) == 2


def test_very_many_near_spans_are_paired_soon():
    given = [(i, i + 2, "PER") for i in range(0, 20_000, 2)]
    known = [(i + 1, i + 3, "PER") for i in range(0, 20_000, 2)]

    assert len(matched(given, known, 1)) == 10_000


@pytest.mark.parametrize(
    ("unread", "expected"),
    [
        ((5, 10), 1.0),  # half of the words
        ((6, 10), 1.0),
        ((4, 10), 4 / 5),
        ((2, 10), 2 / 5),
        ((0, 10), 0.0),
    ],
)
def test_what_was_not_looked_at_is_left_out_and_too_little_is_worth_less(unread, expected):
    ada = (0, 2, "PER") if unread[0] else None
    given = stored(*([ada] if ada else []), *([(5, 6, "LOC")] if unread[0] > 5 else []),
                   unlabelled=(unread,))  # fmt: skip

    assert score(given, GOLD) == pytest.approx(expected)
    assert score(stored(unlabelled=(unread,)), stored()) == pytest.approx(expected)
    fault = {each["kind"] for each in interface.feedback(given, GOLD, MATERIAL, 0)} - {"right"}
    assert bool(fault) == (expected < 1)


def test_too_little_is_told_in_words():
    given = stored((0, 2, "PER"), unlabelled=((2, 10),))

    first, second = written(interface.feedback(given, GOLD, MATERIAL, 0))

    assert (first["kind"], second["kind"]) == ("unread", "right")
    assert first["words"] == (
        "You looked at 2 of 10 words. Read more of the text: so little proves little."
    )
