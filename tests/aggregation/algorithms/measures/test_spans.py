from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aggregation.algorithms import SpanScore, score_spans, spans_of_labels, spans_of_tags
from aggregation.algorithms.data import ordered_tags
from aggregation.algorithms.measures.found_as import found_as
from aggregation.algorithms.measures.spans import (
    RelaxedScore,
    find_spans,
    relaxed_shares,
    score_labels,
    sentence_heads,
    stray_tags,
    strict_shares,
)
from annotation.interfaces import entity

NAMES = ordered_tags(["B-PER", "B-LOC"])
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


def chunks(tags):
    """By the rules of conlleval: whether a chunk ends before a tag, and whether one begins there,
    from the letter and the type of it and of the tag before."""
    found, begun = [], None
    before, kind_before = "O", ""
    for n, tag in enumerate([*tags, "O"]):
        letter, kind = (tag[0], tag[2:]) if tag[0] in "BI" else ("O", "")
        changes = letter != "O" and before != "O" and kind != kind_before
        if begun is not None and (letter in "BO" or changes):
            found.append((begun, n, kind_before))
            begun = None
        if letter == "B" or (letter == "I" and (before == "O" or changes)):
            begun = n
        before, kind_before = letter, kind
    return found


@given(st.lists(st.sampled_from(NAMES), max_size=12), st.data())
def test_spans_by_conlleval(tags, data):
    starts = sorted({0, len(tags)} | data.draw(st.sets(st.integers(0, len(tags)))))
    labels = np.array([NAMES.index(tag) for tag in tags], dtype=np.int64)
    first = sentence_heads(starts, len(tags))

    start, end, kind = find_spans(labels, NAMES, first, conlleval=True)

    expected = [
        (a + n, b + n, name)
        for n, stop in pairwise(starts)
        for a, b, name in chunks(tags[n:stop])
    ]  # fmt: skip
    types = np.array(["LOC", "PER"])
    assert list(zip(start, end, types[kind], strict=True)) == expected
    stray = [a for a, _, _ in expected if tags[a][0] == "I"]
    assert stray_tags(labels, NAMES, first).tolist() == stray
    both = score_labels(labels, labels, NAMES, starts, conlleval=True).strict()
    assert both.right == both.gold == len(expected)


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


# --- Scores of taggings ------------------------------------------------------------------------


def numbers(line):
    return [NAMES.index(tag) for tag in line.split()]


def score(predicted, gold, starts=None):
    return score_labels(numbers(predicted), numbers(gold), NAMES, starts)


def relaxed_by_hand(predicted, gold):
    """Token by token: the share of each span that the other side has in spans of its type."""

    def parts(ours, theirs):
        return sum(
            sum(any(a <= t < b and kind == x for a, b, x in theirs) for t in range(start, end))
            / (end - start)
            for start, end, kind in ours
        )

    return RelaxedScore(parts(predicted, gold), parts(gold, predicted), len(predicted), len(gold))


def test_relaxed_scores_count_parts():
    """Of the predicted spans 2 of 3 tokens, 0 and 1 are right; of the gold ones 2 of 2, 1 of 2."""
    found = score("O B-PER I-PER I-PER B-LOC O B-LOC O", "O B-PER I-PER O B-PER O B-LOC I-LOC")
    relaxed = found.relaxed()
    assert relaxed == RelaxedScore(
        pytest.approx(2 / 3 + 0 + 1), pytest.approx(1 + 0 + 1 / 2), predicted=3, gold=3
    )
    assert relaxed.precision == pytest.approx(5 / 9)
    assert relaxed.recall == pytest.approx(1 / 2)
    assert relaxed.f1 == pytest.approx(2 * (5 / 9) * (1 / 2) / (5 / 9 + 1 / 2))
    assert found.strict() == SpanScore(0, 3, 3)


def test_a_split_span_is_found_whole_when_relaxed():
    assert score("B-PER B-PER", "B-PER I-PER").relaxed() == RelaxedScore(2, 1, 2, 1)


@given(st.integers(0, 12), st.data())
def test_scores_are_those_of_span_objects(n, data):
    tag = st.lists(st.integers(0, len(NAMES) - 1), min_size=n, max_size=n)
    predicted, gold = data.draw(tag), data.draw(tag)
    starts = sorted({0, n} | data.draw(st.sets(st.integers(0, n))))
    ours = spans_of_labels(predicted, NAMES, starts)
    theirs = spans_of_labels(gold, NAMES, starts)

    found = score_labels(predicted, gold, NAMES, starts)
    assert found.strict() == score_spans(ours, theirs)
    wanted = relaxed_by_hand(ours, theirs)
    assert found.relaxed().predicted_right == pytest.approx(wanted.predicted_right)
    assert found.relaxed().gold_found == pytest.approx(wanted.gold_found)
    for kind in ("LOC", "PER"):
        mine = [span for span in ours if span.type == kind]
        gold_ones = [span for span in theirs if span.type == kind]
        assert found.strict_by_type()[kind] == score_spans(mine, gold_ones)
        assert found.relaxed_by_type()[kind].gold_found == pytest.approx(
            relaxed_by_hand(mine, gold_ones).gold_found
        )

    turned = score_labels(gold, predicted, NAMES, starts)
    assert (turned.strict().precision, turned.relaxed().precision) == (
        found.strict().recall,
        pytest.approx(found.relaxed().recall),
    )


def test_groups_are_counted_apart_and_add_up():
    predicted, gold = numbers("B-PER O B-LOC I-LOC"), numbers("B-PER O B-LOC O")
    found = score_labels(predicted, gold, NAMES, [0, 2, 4], groups=[0, 0, 1, 1])
    assert found.counts[:, :, 0].tolist() == [[0, 1], [0, 0]]  # LOC, PER
    assert found.strict() == SpanScore(1, 2, 2)
    assert strict_shares(found.counts.sum(axis=1)).tolist() == [[1, 1, 1], [0, 0, 0]]
    assert relaxed_shares(found.counts.sum(axis=1))[1].tolist() == [0.5, 1, pytest.approx(2 / 3)]


@pytest.mark.parametrize(
    ("found", "shares"),
    [
        (RelaxedScore(0, 0, 0, 0), (None, None, None)),
        (RelaxedScore(0, 0, 0, 2), (None, 0, 0)),
        (RelaxedScore(0, 0, 2, 0), (0, None, 0)),
        (RelaxedScore(0, 0, 2, 2), (0, 0, 0)),
        (RelaxedScore(2, 2, 2, 2), (1, 1, 1)),
    ],
)
def test_a_relaxed_share_of_nothing_is_none(found, shares):
    assert (found.precision, found.recall, found.f1) == shares
    rows = np.array([[0, found.predicted, found.gold, found.predicted_right, found.gold_found]])
    values = [None if np.isnan(value) else value for value in relaxed_shares(rows)[0]]
    assert tuple(values) == shares


def test_relaxed_scores_of_parts_add_up():
    assert RelaxedScore(1, 2, 3, 4) + RelaxedScore(5, 6, 7, 8) == RelaxedScore(6, 8, 10, 12)


def test_nothing_to_score():
    assert score_labels([], [], NAMES).strict() == SpanScore(0, 0, 0)
    assert score_labels([], [], NAMES, groups=[]).counts.shape == (0, 2, 5)
    assert score_labels([0, 0], [0, 0], ("O",)).strict_by_type() == {}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (([0], [0, 1]), "there are 1 predicted tags, but 2 gold ones"),
        (([0, 9], [0, 1]), "predicted runs from 0 to 9, but there are 5 tags"),
        (([0, 1], [-1, 1]), "gold runs from -1 to 1"),
    ],
)
def test_tags_must_fit(arguments, said):
    with pytest.raises(ValueError, match=said):
        score_labels(*arguments, NAMES)


def test_groups_must_fit_the_tokens():
    with pytest.raises(ValueError, match=r"groups has the shape \(1,\), but there are 2 tokens"):
        score_labels([0, 0], [0, 0], NAMES, groups=[0])


def test_true_spans_are_found_as_what_most_of_their_tokens_are():
    gold = ["B-PER", "I-PER", "O", "B-LOC", "I-LOC", "I-LOC", "B-PER", "O", "B-LOC", "I-LOC"]
    ours = ["O", "B-PER", "O", "B-PER", "B-PER", "I-LOC", "O", "O", "B-PER", "B-LOC"]
    number = {name: i for i, name in enumerate(NAMES)}
    cells = found_as(*(np.array([number[tag] for tag in tags]) for tags in (ours, gold)), NAMES)
    # Types are sorted: LOC, PER, nothing. Of two that are as many the span's own wins.
    assert cells.tolist() == [[1, 1, 0], [0, 1, 1]]
