from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aggregation.algorithms import SpanScore, score_spans, spans_of_labels, spans_of_tags
from annotation.interfaces import entity

TAGS = st.lists(st.sampled_from(["B-PER", "I-PER", "B-LOC", "I-LOC", "O", "?"]), max_size=12)


@pytest.mark.parametrize(
    ("tags", "spans"),
    [
        ("O O", []),
        ("B-PER I-PER O", [(0, 2, "PER")]),
        ("B-PER B-PER", [(0, 1, "PER"), (1, 2, "PER")]),
        ("O I-PER I-PER", []),
        ("B-PER I-LOC I-PER", [(0, 1, "PER")]),
        ("B-PER ? I-PER", [(0, 1, "PER")]),
        ("O B-LOC", [(1, 2, "LOC")]),
        ("", []),
    ],
)
def test_a_span_is_b_and_the_i_of_its_type_that_follow(tags, spans):
    assert spans_of_tags(tags.split()) == spans


def test_no_span_goes_on_into_the_next_sentence():
    tags = ["B-PER", "I-PER", "I-PER", "B-PER", "I-PER"]
    assert spans_of_tags(tags, [0, 2, 2, 4, 5]) == [(0, 2, "PER"), (3, 4, "PER")]


def test_numbers_and_names_give_the_same_spans():
    names = ("B-LOC", "B-PER", "I-LOC", "I-PER", "O")
    numbers = np.array([1, 3, 0, 2, 3, 4])
    assert spans_of_labels(numbers, names) == spans_of_tags([names[i] for i in numbers])


@given(TAGS, st.data())
def test_spans_are_those_of_the_interface(tags, data):
    cuts = data.draw(st.sets(st.integers(0, len(tags))))
    starts = sorted({0, len(tags)} | cuts)
    sentences = list(pairwise(starts))
    assert spans_of_tags(tags, starts) == entity.spans_of_tags(tags, sentences)


def test_starts_must_cover_the_tokens():
    with pytest.raises(ValueError, match="starts run from 0 to 3, but there are 2 tokens"):
        spans_of_tags(["O", "O"], [0, 3])


def test_only_exact_matches_are_right():
    gold = [(0, 2, "PER"), (3, 4, "LOC"), (5, 6, "ORG")]
    found = [(0, 2, "PER"), (3, 4, "ORG"), (5, 7, "ORG"), (8, 9, "PER")]
    score = score_spans(found, gold)
    assert score == SpanScore(right=1, predicted=4, gold=3)
    assert (score.precision, score.recall, score.f1) == (1 / 4, 1 / 3, 2 / 7)


def test_a_span_given_twice_counts_once():
    assert score_spans([(0, 1, "PER")] * 2, [(0, 1, "PER")]) == SpanScore(1, 1, 1)


@pytest.mark.parametrize(
    ("score", "shares"),
    [
        (SpanScore(0, 0, 0), (None, None, None)),
        (SpanScore(0, 0, 3), (None, 0, 0)),
        (SpanScore(0, 3, 0), (0, None, 0)),
        (SpanScore(0, 3, 3), (0, 0, 0)),
        (SpanScore(3, 3, 3), (1, 1, 1)),
    ],
)
def test_a_share_of_nothing_is_none(score, shares):
    assert (score.precision, score.recall, score.f1) == shares


def test_scores_of_parts_add_up():
    assert SpanScore(1, 2, 3) + SpanScore(4, 5, 6) == SpanScore(5, 7, 9)
