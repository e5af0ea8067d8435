import time
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from aggregation.algorithms.sequences.crf import LinearChainCRF, Targets
from aggregation.algorithms.sequences.crf.design import Design
from tests.aggregation.algorithms.sequences.crf import sentences
from tests.aggregation.algorithms.sequences.crf.sentences import TAGS, TIMES
from tests.aggregation.algorithms.sequences.crf.test_objective import scores_of_paths

XYO = ("B-x", "I-x", "O")


def fitted(*, seed=0, lengths=(3, 0, 1, 4), weights=None, rows=5, **settings):
    """Of random features and tags; the field, its features, tags and starts."""
    rng = np.random.default_rng(seed)
    starts = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    matrix = csr_array(rng.normal(size=(starts[-1], rows)) * (rng.random((starts[-1], rows)) < 0.5))
    tags = rng.integers(3, size=starts[-1])
    targets = Targets.of_tags(tags, starts, 3, weights)
    crf = LinearChainCRF(**settings).fit(matrix, targets, starts, tags=XYO)
    return crf, matrix, tags, starts


@given(
    st.integers(0, 999),
    st.lists(st.integers(0, 5), min_size=1, max_size=4),
    st.sampled_from([0, 1]),
)
@settings(max_examples=20, deadline=None)
def test_all_paths_say_the_same(seed, lengths, legal):
    crf, matrix, tags, starts = fitted(seed=seed, lengths=lengths, legal=legal, sigma2=5.0)
    paths = scores_of_paths(matrix, starts, crf.weights_, crf.firsts_, crf.moves_)
    marginals = np.zeros((starts[-1], 3))
    firsts, pairs = np.zeros(3), np.zeros((3, 3))
    log_z, of_tags, best = [], [], []
    for (a, b), scores in zip(pairwise(starts), paths, strict=True):
        log_z.append(np.logaddexp.reduce(list(scores.values())))
        of_tags.append(scores[tuple(tags[a:b].tolist())] - log_z[-1])
        best += max(scores, key=lambda path: scores[path])
        for path, score in scores.items():
            p = np.exp(score - log_z[-1])
            marginals[np.arange(a, b), list(path)] += p
            if path:
                firsts[path[0]] += p
            for i, j in pairwise(path):
                pairs[i, j] += p
    found = crf.beliefs(matrix, starts)
    np.testing.assert_allclose(found.log_evidence, log_z, atol=1e-9)
    np.testing.assert_allclose(found.marginals, marginals, atol=1e-9)
    np.testing.assert_allclose(found.firsts, firsts, atol=1e-9)
    np.testing.assert_allclose(found.pairs, pairs, atol=1e-9)
    np.testing.assert_allclose(crf.log_likelihood(matrix, tags, starts), of_tags, atol=1e-9)
    assert crf.predict(matrix, starts).tolist() == best


def test_expected_counts_at_the_maximum_are_those_of_the_targets():
    """Less what the prior takes: the gradient is 0."""
    crf, matrix, tags, starts = fitted(sigma2=3.0, tol=1e-10, max_iter=1000)
    counts, found = Targets.of_tags(tags, starts, 3), crf.beliefs(matrix, starts)
    features = matrix.T @ (counts.states - found.marginals)
    np.testing.assert_allclose(features, crf.weights_ / 3.0, atol=1e-4)
    np.testing.assert_allclose(counts.firsts - found.firsts, crf.firsts_ / 3.0, atol=1e-4)
    np.testing.assert_allclose(counts.pairs - found.pairs, crf.moves_ / 3.0, atol=1e-4)
    likelihood = crf.log_likelihood(matrix, tags, starts).sum()
    parts = (crf.weights_, crf.firsts_, crf.moves_)
    penalty = sum((part**2).sum() for part in parts) / (2 * 3.0)
    assert crf.objective_ == pytest.approx(likelihood - penalty)
    assert crf.diagnostics_.objective[-1] == crf.objective_
    assert (np.diff(crf.diagnostics_.objective) > 0).all()


# --- Sentences ----------------------------------------------------------------------------------


def learnt(*, times=TIMES, repeated=(1,) * 9, warm=None, design=None, **settings):
    """Of the nine sentences, each standing there `repeated` times and counting `times` times."""
    matrix, _ = sentences.matrix()
    starts, tags = sentences.starts(), sentences.tag_numbers()
    which = np.repeat(np.arange(len(repeated)), repeated)
    tokens = np.concatenate([np.arange(starts[s], starts[s + 1]) for s in which])
    ends = np.concatenate(([0], np.cumsum(np.diff(starts)[which])))
    targets = Targets.of_tags(tags[tokens], ends, len(TAGS), np.array(times)[which])
    crf = LinearChainCRF(**({"tol": 1e-9, "max_iter": 1000} | settings))
    return crf.fit(matrix[tokens], targets, ends, tags=TAGS, warm=warm, design=design)


def assert_alike(ours, theirs, atol=1e-4):
    for name in ("weights_", "firsts_", "moves_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), atol=atol)


def test_it_learns_the_sentences():
    matrix, _ = sentences.matrix()
    crf = learnt(sigma2=10.0)
    assert crf.predict(matrix, sentences.starts()).tolist() == sentences.tag_numbers().tolist()
    assert crf.diagnostics_.converged


def test_weight_is_the_same_as_repetition():
    assert_alike(learnt(), learnt(times=(1,) * len(TIMES), repeated=TIMES))


def test_weight_of_0_is_the_same_as_absence():
    some = (1, 0, 1, 1, 0, 1, 1, 0, 1)
    assert_alike(learnt(times=some), learnt(times=(1,) * 9, repeated=some))


def test_the_same_again_to_the_last_bit():
    ours, theirs = learnt(), learnt()
    assert ours.weights_.tobytes() == theirs.weights_.tobytes()
    assert ours.diagnostics_.objective == theirs.diagnostics_.objective


def test_scaled_leads_to_the_same_maximum():
    assert_alike(learnt(scaled=1), learnt())


@pytest.mark.parametrize("before", [0, 1])
@pytest.mark.parametrize("now", [0, 1])
@pytest.mark.parametrize("scaled", [0, 1])
def test_warm_start_begins_at_the_end(before, now, scaled):
    """-30 is neither lost nor added twice where the two differ in `legal`."""
    warm = learnt(legal=before)
    crf = learnt(legal=now, warm=warm, scaled=scaled)
    assert_alike(crf, learnt(legal=now))
    if before == now:
        assert crf.diagnostics_.iterations <= 8
        assert_alike(crf, warm)
    one = learnt(legal=now, warm=learnt(legal=before, max_iter=5), max_iter=1)
    assert one.objective_ > learnt(legal=now, max_iter=1).objective_


def test_warm_start_of_other_sentences():
    """What was one feature to those need not be one to these, nor the other way round."""
    warm = learnt(times=(1, 1, 1, 1, 0, 0, 0, 0, 0), max_iter=20)
    assert_alike(learnt(warm=warm), learnt())
    some = (0, 0, 0, 0, 1, 1, 1, 1, 1)
    assert_alike(learnt(times=some, warm=warm), learnt(times=some))


def test_legal_forbids_what_illegal_tags_would_teach():
    matrix, starts = csr_array(np.ones((4, 1))), np.array([0, 2, 4])
    targets = Targets.of_tags([2, 1, 1, 1], starts, 3)  # O I-x, I-x I-x
    free = LinearChainCRF().fit(matrix, targets, starts, tags=XYO)
    assert free.predict(matrix, starts)[0] != 0
    crf = LinearChainCRF(sigma2=1.0, legal=1).fit(matrix, targets, starts, tags=XYO)
    assert crf.predict(matrix, starts).tolist() == [0, 1, 0, 1]
    assert crf.beliefs(matrix, starts).marginals[[0, 2], 1].max() < 1e-9
    assert crf.moves_[2, 1] < -29
    assert crf.firsts_[1] < -29


def test_legal_withstands_any_number_of_illegal_tags():
    """They are left out, not outvoted: what a thousand workers do is no more legal."""
    matrix, starts = csr_array(np.ones((4, 1))), np.array([0, 2, 4])
    targets = Targets.of_tags([2, 1, 1, 1], starts, 3, weights=[1_000.0, 1_000.0])
    crf = LinearChainCRF(sigma2=100.0, legal=1).fit(matrix, targets, starts, tags=XYO)
    assert crf.moves_[2, 1] < -29
    assert crf.firsts_[1] < -29


def test_design_is_made_once():
    matrix, _ = sentences.matrix()
    starts = sentences.starts()
    design = Design(matrix, starts)
    assert_alike(learnt(design=design), learnt(), atol=1e-12)
    some = (1, 1, 0, 1, 0, 1, 3, 1, 1)
    assert_alike(learnt(times=some, design=design), learnt(times=some))  # it may hold more
    own = Design(matrix, starts, np.array(some) > 0)
    assert_alike(learnt(times=some, design=own), learnt(times=some), atol=1e-12)
    with pytest.raises(ValueError, match="leaves out sequences that have a weight"):
        learnt(design=own)
    other = Design(matrix[:, 1:], starts)
    with pytest.raises(
        ValueError, match="the design is of 139 features and 9 sequences, but there"
    ):
        learnt(design=other)


# --- What is rare or wrong ----------------------------------------------------------------------


def test_features_that_never_occur_weigh_nothing():
    crf, matrix, tags, starts = fitted(tol=1e-9, max_iter=500)
    wide = csr_array(np.insert(matrix.toarray(), [0, 2, 5], 0.0, axis=1))
    targets = Targets.of_tags(tags, starts, 3)
    found = LinearChainCRF(tol=1e-9, max_iter=500).fit(wide, targets, starts, tags=XYO)
    assert not found.weights_[[0, 3, 7]].any()
    np.testing.assert_allclose(found.weights_[[1, 2, 4, 5, 6]], crf.weights_, atol=1e-5)


def test_features_of_sequences_without_weight_weigh_nothing():
    matrix = csr_array(np.array([[1.0, 0, 1], [0, 1, 1], [1, 0, 0]]))
    targets = Targets.of_tags([0, 2, -1], [0, 2, 3], 3, weights=[1, 0])
    crf = LinearChainCRF().fit(matrix[[0, 0, 1]], targets, [0, 2, 3], tags=XYO)
    assert not crf.weights_[1].any()
    assert crf.weights_[0].any()


@pytest.mark.parametrize("scaled", [0, 1])
@pytest.mark.parametrize("lengths", [(), (0,), (0, 0, 0)], ids=str)
def test_no_tokens(lengths, scaled):
    crf, matrix, tags, starts = fitted(lengths=lengths, scaled=scaled)
    assert not crf.weights_.any()
    assert crf.weights_.shape == (5, 3)
    assert crf.diagnostics_.converged
    assert crf.objective_ == 0
    assert crf.predict(matrix, starts).shape == (0,)
    assert crf.beliefs(matrix, starts).marginals.shape == (0, 3)
    assert crf.log_likelihood(matrix, tags, starts).tolist() == [0.0] * len(lengths)


@pytest.mark.parametrize("scaled", [0, 1])
def test_no_weight_at_all_and_no_features(scaled):
    crf, *_ = fitted(weights=[0, 0, 0, 0], scaled=scaled)
    assert not crf.weights_.any()
    crf, matrix, _, starts = fitted(rows=0, scaled=scaled)
    assert crf.weights_.shape == (0, 3)
    assert crf.moves_.any()
    assert crf.predict(matrix, starts).shape == (8,)


def test_sentences_of_one_token_have_no_moves():
    crf, matrix, _, starts = fitted(lengths=(1,) * 6)
    assert not crf.moves_.any()
    assert crf.predict(matrix, starts).shape == (6,)


def test_one_tag():
    matrix, starts = csr_array(np.ones((3, 1))), [0, 3]
    crf = LinearChainCRF(scaled=1).fit(
        matrix, Targets.of_tags([0, 0, 0], starts, 1), starts, tags=("O",)
    )
    assert crf.predict(matrix, starts).tolist() == [0, 0, 0]
    assert crf.objective_ == 0


@pytest.mark.parametrize("scaled", [0, 1])
def test_tag_that_is_never_used_is_never_said(scaled):
    matrix, starts = sentences.matrix()[0], sentences.starts()
    tags = (*TAGS[:-1], "B-ORG", "I-ORG", "O")
    numbers = sentences.tag_numbers()
    numbers[numbers == 4] = 6
    targets = Targets.of_tags(numbers, starts, 7)
    crf = LinearChainCRF(scaled=scaled).fit(matrix, targets, starts, tags=tags)
    assert crf.predict(matrix, starts).tolist() == numbers.tolist()
    assert crf.beliefs(matrix, starts).marginals[:, 4:6].max() < 0.25


def test_sentence_of_5000_tokens():
    """As fast as so many tokens in a hundred sentences, give or take: no step is a loop over
    tokens beyond that of the chain."""
    rng = np.random.default_rng(0)
    tags = np.tile([0, 1, 2, 2, 2], 1000)
    seen = np.where(rng.random(5000) < 0.8, tags, rng.integers(3, size=5000))
    matrix = csr_array((np.ones(5000), seen, np.arange(5001)), shape=(5000, 3))
    starts = np.array([0, 5000])
    began = time.process_time()
    crf = LinearChainCRF(legal=1, max_iter=8).fit(
        matrix, Targets.of_tags(tags, starts, 3), starts, tags=XYO
    )
    found = crf.predict(matrix, starts)
    assert time.process_time() - began < 90
    assert (found == tags).mean() > 0.95
    np.testing.assert_allclose(crf.beliefs(matrix, starts).marginals.sum(axis=1), 1)


def test_weights_beyond_what_exp_can_hold():
    """Scores of thousands of nats, as large values of features make them."""
    matrix = csr_array(np.array([[2000.0, 0], [0, 3000.0], [2000.0, 1]]))
    targets = Targets.of_tags([0, 2, 0], [0, 2, 3], 3)
    crf = LinearChainCRF(sigma2=100.0).fit(matrix, targets, [0, 2, 3], tags=XYO)
    assert crf.predict(matrix, [0, 2, 3]).tolist() == [0, 2, 0]
    assert np.isfinite(crf.weights_).all()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_features_that_are_no_numbers_are_refused(value):
    matrix, _ = sentences.matrix()
    targets = Targets.of_tags(sentences.tag_numbers(), sentences.starts(), len(TAGS))
    matrix.data[3] = value
    with pytest.raises(ValueError, match="features must be numbers, but some are NaN or infinite"):
        LinearChainCRF().fit(matrix, targets, sentences.starts(), tags=TAGS)


def test_wrong_shapes_are_refused_with_both_values():
    crf, matrix, tags, starts = fitted()
    targets = Targets.of_tags(tags, starts, 3)
    fit = LinearChainCRF().fit
    with pytest.raises(ValueError, match="targets are of 3 tags, but there are 2"):
        fit(matrix, targets, starts, tags=("B-x", "O"))
    with pytest.raises(ValueError, match="features of 7 tokens, but 8 tokens"):
        fit(matrix[:7], targets, starts, tags=XYO)
    with pytest.raises(ValueError, match="8 tokens in 4 sequences, but there are 8 in 2"):
        fit(matrix, targets, [0, 3, 8], tags=XYO)
    with pytest.raises(
        ValueError, match="warm has weights for 5 features and 3 tags, but there ar"
    ):
        fit(matrix[:, :4], targets, starts, tags=XYO, warm=crf)
    with pytest.raises(ValueError, match="there are 4 features, but weights for 5"):
        crf.predict(matrix[:, :4], starts)
    with pytest.raises(ValueError, match="weights for 8 tokens, but 7 tokens"):
        crf.beliefs(matrix, [0, 7])
    with pytest.raises(ValueError, match=r"tags has the shape \(7,\), but there are 8 tokens"):
        crf.log_likelihood(matrix, tags[:7], starts)
    with pytest.raises(ValueError, match="token 2 has the tag 5, but there are 3 tags"):
        crf.log_likelihood(matrix, np.where(np.arange(8) == 2, 5, tags), starts)


def test_before_a_fit_there_is_nothing_to_use():
    with pytest.raises(ValueError, match="before a fit"):
        LinearChainCRF().predict(csr_array((0, 0)), [0])
    crf, matrix, tags, starts = fitted()
    with pytest.raises(ValueError, match="warm was not fitted"):
        crf.fit(matrix, Targets.of_tags(tags, starts, 3), starts, tags=XYO, warm=LinearChainCRF())


@pytest.mark.parametrize(
    ("name", "value"),
    [("sigma2", 0), ("sigma2", np.inf), ("legal", 2), ("max_iter", 0), ("tol", -1), ("scaled", 2)],
)
def test_settings_are_checked(name, value):
    with pytest.raises(ValueError, match=f"{name} must be .*, but is"):
        LinearChainCRF(**{name: value})


def test_input_is_not_changed():
    matrix, _ = sentences.matrix()
    starts = sentences.starts()
    targets = Targets.of_tags(sentences.tag_numbers(), starts, len(TAGS), TIMES)
    warm = learnt(max_iter=3)
    given_arrays = (
        matrix.data, matrix.indices, matrix.indptr, starts, targets.states, targets.firsts,
        targets.pairs, targets.weights, warm.weights_, warm.moves_, warm.firsts_,
    )  # fmt: skip
    for array in given_arrays:
        array.setflags(write=False)
    crf = LinearChainCRF(scaled=1).fit(matrix, targets, starts, tags=TAGS, warm=warm)
    crf.log_likelihood(matrix, sentences.tag_numbers(), starts)
    crf.predict(matrix, starts)
