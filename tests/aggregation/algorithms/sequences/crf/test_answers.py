"""Answers as training data, against enumeration of all tags and against copies of sequences."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.special import logsumexp

from aggregation.algorithms import CrowdSequences, score_spans, spans_of_labels
from aggregation.algorithms.sequences.chains import Chains
from aggregation.algorithms.sequences.crf.answers import Answers
from aggregation.algorithms.sequences.crf.model import LinearChainCRF
from aggregation.algorithms.sequences.crf.objective import Targets
from tests.aggregation.algorithms.simulated import tagged
from tests.aggregation.algorithms.tagging import TAGS, B, I, O

STARTS = (0, 3, 3, 4, 6)  # an empty sequence, and one of one token
X = -1  # not said
ROWS = {  # of each worker, by token
    0: [B, I, O, O, B, B],
    1: [X, X, X, X, X, X],  # said nothing
    2: [B, X, X, X, I, I],  # one answer in part
    3: [X, I, X, B, X, O],  # two in part
    4: [X, X, X, X, O, X],
}


def said(rows=ROWS, starts=STARTS):
    given = [(i, w, t) for w, row in rows.items() for i, t in enumerate(row) if t != X]
    token, worker, label = np.array(given[::-1]).T  # in no order
    return CrowdSequences(token, worker, label, starts=starts, n_workers=len(rows), tags=TAGS)


@pytest.fixture
def field():
    rng = np.random.default_rng(3)
    return rng.normal(size=(STARTS[-1], 3)), rng.normal(size=(3, 3)), rng.normal(size=3)


def paths(row, scores, moves, firsts):
    """All tags of one sequence that agree with `row`, with their scores."""
    for path in product(*[range(3) if tag == X else [tag] for tag in row]):
        total = sum(scores[t, tag] for t, tag in enumerate(path))
        total += firsts[path[0]] + sum(moves[a, b] for a, b in pairwise(path))
        yield path, total


def answers_of(row):
    """The sequences that a worker labelled, as slices of tokens."""
    for sequence, (a, b) in enumerate(pairwise(STARTS)):
        if any(tag != X for tag in row[a:b]):
            yield sequence, slice(a, b)


def test_it_works():
    answers = Answers(said())
    assert answers.judged.tolist() == [3, 0, 2, 3, 1]
    assert answers.n_labels.tolist() == [6, 0, 3, 3, 1]
    assert answers.n_partial == 4


def test_likelihoods_are_those_of_all_tags_that_agree(field):
    scores, moves, firsts = field
    expected = np.zeros(len(ROWS))
    for worker, row in ROWS.items():
        for _, part in answers_of(row):
            totals = [total for _, total in paths(row[part], scores[part], moves, firsts)]
            anything = [X] * len(row[part])
            everything = [total for _, total in paths(anything, scores[part], moves, firsts)]
            expected[worker] += logsumexp(totals) - logsumexp(everything)
    log_z = Chains(STARTS).beliefs(*field).log_evidence
    found = Answers(said()).log_likelihood(*field, log_z)
    np.testing.assert_allclose(found, expected, rtol=1e-10)


def test_expected_counts_are_those_of_all_tags_that_agree(field):
    weight = np.array([0.5, 7.0, 2.0, 1.5, 0.25])
    states, firsts, pairs = np.zeros((STARTS[-1], 3)), np.zeros(3), np.zeros((3, 3))
    weights = np.zeros(len(STARTS) - 1)
    for worker, row in ROWS.items():
        for sequence, part in answers_of(row):
            weights[sequence] += weight[worker]
            scores, *rest = field
            options = list(paths(row[part], scores[part], *rest))
            share = weight[worker] * np.exp(
                [t - logsumexp([t for _, t in options]) for _, t in options]
            )
            for (path, _), p in zip(options, share, strict=True):
                states[np.arange(part.start, part.stop), path] += p
                firsts[path[0]] += p
                for a, b in pairwise(path):
                    pairs[a, b] += p
    found = Answers(said()).expected(weight, *field)
    np.testing.assert_allclose(found.states, states, atol=1e-12)
    np.testing.assert_allclose(found.firsts, firsts, atol=1e-12)
    np.testing.assert_allclose(found.pairs, pairs, atol=1e-12)
    np.testing.assert_allclose(found.weights, weights)


def test_missing_tags_can_be_given():
    weight, tags = np.array([1.0, 1.0, 3.0, 2.0, 0.5]), np.array([O, O, B, I, I, O])
    found = Answers(said()).completed(weight, tags)
    wanted = None
    for worker, row in ROWS.items():
        filled = np.where(np.array(row) == X, tags, row)
        mine = np.zeros(len(STARTS) - 1)
        mine[[sequence for sequence, _ in answers_of(row)]] = weight[worker]
        more = Targets.of_tags(filled, STARTS, 3, mine)
        wanted = more if wanted is None else wanted + more
    for name in ("states", "firsts", "pairs", "weights"):
        np.testing.assert_allclose(getattr(found, name), getattr(wanted, name), err_msg=name)


def test_whole_weights_learn_what_copies_of_sequences_teach():
    rng = np.random.default_rng(0)
    starts, features = np.array([0, 4, 9]), csr_array(rng.integers(2, size=(9, 6)).astype(float))
    rows = {w: rng.integers(3, size=9).tolist() for w in range(2)}
    rows[1][:4] = [X] * 4
    weighted = Answers(said(rows, starts)).completed(np.array([2.0, 3.0]), np.zeros(9, dtype=int))
    crf = LinearChainCRF(sigma2=1.0, tol=1e-10)
    ours = crf.fit(features, weighted, starts, tags=TAGS)

    copies = [(0, 0), (0, 0), (1, 0), (1, 0), (1, 1), (1, 1), (1, 1)]  # (sequence, worker)
    tokens = [np.arange(starts[s], starts[s + 1]) for s, _ in copies]
    tags = np.concatenate([np.array(rows[w])[t] for t, (_, w) in zip(tokens, copies, strict=True)])
    edges = np.concatenate(([0], np.cumsum([len(t) for t in tokens])))
    theirs = LinearChainCRF(sigma2=1.0, tol=1e-10).fit(
        features[np.concatenate(tokens)], Targets.of_tags(tags, edges, 3), edges, tags=TAGS
    )
    np.testing.assert_allclose(ours.weights_, theirs.weights_, atol=1e-4)
    np.testing.assert_allclose(ours.moves_, theirs.moves_, atol=1e-4)
    np.testing.assert_allclose(ours.firsts_, theirs.firsts_, atol=1e-4)


def test_f1_is_of_spans_on_the_tokens_that_were_labelled():
    found = Answers(said()).f1(np.array([B, I, O, O, B, I]))
    assert found[0] == pytest.approx(2 / 5)  # B I is right; B and B are not
    assert np.isnan(found[1])  # labelled nothing
    assert found[2] == pytest.approx(2 / 3)  # the B is right as far as they went; I I is no span
    assert found[3] == 0  # their B is wrong
    assert found[4] == 0  # they missed one


def test_spans_of_neighbouring_sequences_are_not_one():
    rows = {0: [B, I]}
    found = Answers(said(rows, [0, 1, 2])).f1(np.array([B, O]))
    assert found.tolist() == [1.0]


@given(tagged(), st.randoms(use_true_random=False))
def test_f1_agrees_with_spans_one_by_one(crowd, random):
    tags = np.array([random.randrange(crowd.n_classes) for _ in range(crowd.n_tokens)], dtype=int)
    found = Answers(crowd).f1(tags)
    outside = crowd.n_classes - 1
    for worker in range(crowd.n_workers):
        mine = crowd.worker == worker
        ours, theirs = np.full((2, crowd.n_tokens), outside)
        ours[crowd.token[mine]] = crowd.label[mine]
        theirs[crowd.token[mine]] = tags[crowd.token[mine]]
        spans = [spans_of_labels(row, crowd.tags, crowd.starts) for row in (ours, theirs)]
        f1 = score_spans(*spans).f1
        assert np.isnan(found[worker]) if f1 is None else found[worker] == pytest.approx(f1)


@given(tagged())
def test_any_crowd_is_taken(crowd):
    answers, n = Answers(crowd), crowd.n_tokens
    weight = np.arange(crowd.n_workers, dtype=float)
    for targets in (
        answers.completed(weight, np.zeros(n, dtype=int)),
        answers.expected(weight, np.zeros((n, 5)), np.zeros((5, 5)), np.zeros(5)),
    ):
        rows = np.repeat(targets.weights, np.diff(crowd.starts))
        np.testing.assert_allclose(targets.states.sum(axis=1), rows, atol=1e-9)
        assert targets.pairs.sum() == pytest.approx(
            float(targets.weights @ np.maximum(np.diff(crowd.starts) - 1, 0))
        )
