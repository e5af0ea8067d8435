import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aggregation.algorithms import ordered_tags, score_spans, spans_of_tags
from aggregation.algorithms.measures.scoring import f1_of, score_sequences, span_f1

TAGS = ordered_tags(["B-LOC", "B-PER"])
NUMBER = {tag: i for i, tag in enumerate(TAGS)} | {"?": -1}


def numbers(text):
    return np.array([NUMBER[tag] for tag in text.split()], dtype=np.int64)


def scored(chosen, gold, *, labelled=None, starts=(0, 3, 6), group=None, **options):
    chosen, gold = numbers(chosen), numbers(gold)
    labelled = np.ones(len(chosen), bool) if labelled is None else np.array(labelled, bool)
    posterior = np.full((len(chosen), 5), 0.05)
    posterior[np.arange(len(chosen)), chosen] = 0.8
    return score_sequences(
        chosen,
        posterior,
        gold,
        labelled,
        starts=np.array(starts),
        known_tags=options.pop("known_tags", TAGS),
        group=np.zeros(len(chosen), int) if group is None else np.array(group, dtype=np.int64),
        **options,
    )


def test_it_works():
    found = scored("B-PER I-PER O B-LOC O O", "B-PER I-PER O B-PER O B-LOC")
    assert found.counts[0, :3].tolist() == [1, 2, 3]
    assert f1_of(found.counts).tolist() == [2 / 5]
    assert (found.scored, found.unknown) == (2, 0)
    np.testing.assert_allclose(found.nats, [-4 * math.log(0.8) - 2 * math.log(0.05)])
    assert found.judged.tolist() == [6]
    assert found.hit.tolist() == [True, True, True, False, True, False]


def test_sentences_that_nobody_labelled_do_not_count():
    found = scored("O O O B-LOC O O", "B-PER O O B-LOC O O", labelled=[0, 0, 0, 1, 0, 0])
    assert found.counts[0, :3].tolist() == [1, 1, 1]
    assert found.scored == 1
    assert found.judged.tolist() == [1]  # of the sentence's tokens one was judged


def test_a_token_without_a_label_is_taken_as_outside():
    found = scored("B-PER I-PER O O O O", "B-PER I-PER O O O O", labelled=[1, 0, 1, 1, 1, 1])
    assert found.counts[0, :3].tolist() == [0, 1, 1]


def test_sentences_whose_gold_has_a_gap_are_told_and_left_out():
    found = scored("B-PER O O B-LOC O O", "B-PER ? O B-LOC O O")
    assert found.counts[0, :3].tolist() == [1, 1, 1]
    assert (found.scored, found.unknown) == (1, 1)


def test_what_gold_alone_knows_is_missed_and_has_no_probability():
    tags = (*TAGS, "B-ORG")
    NUMBER["B-ORG"] = 5
    found = scored("O O O", "B-ORG O O", starts=(0, 3), known_tags=tags, clip=1e-3)
    assert found.counts[0, :3].tolist() == [0, 0, 1]
    np.testing.assert_allclose(found.nats, [-math.log(1e-3) - 2 * math.log(0.8)])


def test_documents_are_counted_apart():
    found = scored("B-PER O O B-LOC O O", "B-PER O O O O O", group=[0] * 3 + [2] * 3)
    assert found.counts[:, :3].tolist() == [[1, 1, 1], [0, 0, 0], [0, 1, 0]]
    assert found.judged.tolist() == [3, 0, 3]


def test_nothing_is_no_score():
    found = scored("", "", starts=(0,), group=[])
    assert (found.scored, len(found.sure)) == (0, 0)
    assert f1_of(np.zeros((2, 5))).tolist() == [0, 0]


@given(st.data())
def test_counts_are_those_of_spans_by_name(data):
    n = data.draw(st.integers(1, 12))
    ours, theirs = (
        data.draw(st.lists(st.sampled_from(TAGS), min_size=n, max_size=n)) for _ in range(2)
    )
    cut = data.draw(st.integers(0, n))
    starts = sorted({0, cut, n})
    found = scored(" ".join(ours), " ".join(theirs), starts=starts)
    expected = score_spans(spans_of_tags(ours, starts), spans_of_tags(theirs, starts))
    assert found.counts[0, :3].tolist() == [expected.right, expected.predicted, expected.gold]
    f1 = span_f1(numbers(" ".join(ours)), numbers(" ".join(theirs)), TAGS, np.array(starts))
    assert f1 == (None if expected.f1 is None else pytest.approx(expected.f1))
