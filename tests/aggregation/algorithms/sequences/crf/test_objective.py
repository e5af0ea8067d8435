from itertools import pairwise, product

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

from aggregation.algorithms.sequences.crf import LinearChainCRF, Targets
from aggregation.algorithms.sequences.crf.design import Design
from aggregation.algorithms.sequences.crf.objective import Objective, split
from tests.aggregation.algorithms.sequences.crf import sentences
from tests.aggregation.algorithms.sequences.crf.sentences import TAGS, TIMES

STARTS = np.array([0, 3, 3, 4, 8])  # one is empty, one has one token
N_TAGS = 3
ILLEGAL = np.array([[0.0, 0, 0], [0, 0, 0], [0, -30, 0]])


def features(*, seed=0, n_features=5, starts=STARTS):
    """Two columns are alike, one is empty."""
    rng = np.random.default_rng(seed)
    made = random_array((int(starts[-1]), n_features), density=0.6, rng=rng).toarray()
    made[:, 2], made[:, 4] = made[:, 0], 0.0
    return csr_array(made)


def scores_of_paths(matrix, starts, weights, firsts, moves):
    """Of each sequence: each path with its score."""
    own = matrix.toarray() @ weights
    found = []
    for a, b in pairwise(starts):
        paths = {}
        for path in product(range(len(firsts)), repeat=b - a) if b > a else [()]:
            score = firsts[path[0]] if path else 0.0
            score += sum(own[a + t, tag] for t, tag in enumerate(path))
            paths[path] = score + sum(moves[i, j] for i, j in pairwise(path))
        found.append(paths)
    return found


def soft_targets(*, seed=0, weights=(1.0, 1.0, 1.0, 1.0)):
    """Of a random distribution over the paths of each sequence; and these distributions."""
    rng = np.random.default_rng(seed)
    states, firsts = np.zeros((STARTS[-1], N_TAGS)), np.zeros(N_TAGS)
    pairs, shares = np.zeros((N_TAGS, N_TAGS)), []
    for (a, b), weight in zip(pairwise(STARTS), weights, strict=True):
        paths = list(product(range(N_TAGS), repeat=b - a)) if b > a else []
        share = rng.dirichlet(np.ones(len(paths))) * weight if paths else []
        shares.append(dict(zip(paths, share, strict=True)))
        for path, p in shares[-1].items():
            firsts[path[0]] += p
            for t, tag in enumerate(path):
                states[a + t, tag] += p
            for i, j in pairwise(path):
                pairs[i, j] += p
    return Targets.of_soft(states, firsts, pairs, STARTS, weights), shares


def objective(matrix, targets, *, moves=ILLEGAL, sigma2=0.7, starts=STARTS):
    design = Design(matrix, starts, targets.weights > 0)
    return Objective(design, targets, sigma2=sigma2, moves=moves, firsts=moves[-1]), design


@pytest.mark.parametrize("weights", [(1.0, 1.0, 1.0, 1.0), (0.5, 2.0, 0.0, 3.0)])
@pytest.mark.parametrize("moves", [ILLEGAL, np.zeros((3, 3))], ids=["legal", "free"])
def test_gradient_is_that_of_finite_differences(weights, moves):
    targets, _ = soft_targets(weights=weights)
    function, _ = objective(features(), targets, moves=moves)
    theta = np.random.default_rng(1).normal(size=function.size)
    _, gradient = function(theta)
    for i, step in enumerate(np.eye(function.size) * 1e-5):
        slope = (function(theta + step)[0] - function(theta - step)[0]) / 2e-5
        assert gradient[i] == pytest.approx(slope, rel=1e-6, abs=1e-6)


def test_value_is_that_of_all_paths():
    weights = (0.5, 2.0, 0.0, 3.0)
    targets, shares = soft_targets(weights=weights)
    matrix = features()
    function, design = objective(matrix, targets)
    theta = np.random.default_rng(2).normal(size=function.size)
    columns, firsts, moves = split(theta, N_TAGS)
    paths = scores_of_paths(
        matrix, STARTS, design.spread(columns), firsts + ILLEGAL[-1], moves + ILLEGAL
    )
    wanted = theta @ theta / (2 * 0.7)
    for score, share, weight in zip(paths, shares, weights, strict=True):
        log_z = np.logaddexp.reduce(list(score.values()))
        # What the prior forbids is no part of what was learnt; see `Objective`.
        wanted += weight * log_z - sum(p * free(path, score[path]) for path, p in share.items())
    assert function(theta)[0] == pytest.approx(wanted)


def free(path, score):
    """Without what is added to firsts and moves."""
    return score - ILLEGAL[-1, path[0]] - sum(ILLEGAL[i, j] for i, j in pairwise(path))


def test_columns_that_are_one_leave_the_value_as_it_is():
    """Against the sums as they are written, with all columns."""
    matrix, (targets, _) = features(), soft_targets()
    function, design = objective(matrix, targets)
    assert design.matrix.shape == (8, 3)
    theta = np.random.default_rng(3).normal(size=function.size)
    columns, firsts, moves = split(theta, N_TAGS)
    weights = design.spread(columns)
    assert (weights**2).sum() == pytest.approx((columns**2).sum())
    np.testing.assert_allclose(matrix @ weights, spread_scores(design, columns))
    np.testing.assert_allclose(design.gathered(weights), columns)
    crf = LinearChainCRF()
    crf.weights_, crf.firsts_, crf.moves_ = weights, firsts + ILLEGAL[-1], moves + ILLEGAL
    wanted = (
        theta @ theta / (2 * 0.7)
        + crf.beliefs(matrix, STARTS).log_evidence.sum()
        - (targets.states * (matrix @ weights)).sum()
        - targets.firsts @ firsts
        - (targets.pairs * moves).sum()
    )
    assert function(theta)[0] == pytest.approx(wanted)


def spread_scores(design, columns):
    scores = np.empty((8, N_TAGS))
    scores[design.tokens] = design.matrix @ columns
    return scores


def test_units_are_positive_and_smaller_for_what_is_seen_often():
    often = csr_array([[1.0, 0.0]] * 8 + [[1.0, 1.0]])
    starts = np.array([0, 9])
    targets = Targets.of_tags([0, 2, 2, 1, 2, 2, 0, 2, 2], starts, 4)  # tag 3 is never used
    function, _ = objective(often, targets, moves=np.zeros((4, 4)), starts=starts)
    columns, firsts, moves = split(function.units(), 4)
    assert (function.units() > 0).all()
    assert (columns[0, :3] < columns[1, :3]).all()
    assert columns[0, 3] == columns[1, 3] == firsts[3] == moves[0, 3] == 0.7**0.125


# --- python-crfsuite ----------------------------------------------------------------------------

# What `./run bench crf --fixture` printed: python-crfsuite 0.9.12 on the same sentences, each
# `TIMES` times, with the same features and σ² = 1. It has no weights of first tags: a feature of
# first tokens ("^") stands for them.
CRFSUITE = -19.508305
WEIGHTS = {
    "bias": [-0.075556, -0.150433, -0.378201, -0.359738, 0.963929],
    "suffix=ga": [-0.178641, 0.223806, -0.120752, 0.328175, -0.252588],
    "upper=True": [0.440133, 0.326501, 0.00089, 0.03142, -0.798943],
    "word=Aldra": [0.440422, -0.237931, 0.201152, -0.135477, -0.268166],
}
FIRSTS = [0.243165, 0.228134, -0.379666, -0.433472, 0.341838]
MOVES = [
    [-0.388036, -0.296726, 0.921562, -0.246378, -0.201077],
    [-0.259968, -0.417666, -0.233832, 0.928136, 0.055815],
    [-0.081646, -0.122982, -0.076353, -0.081669, 0.169013],
    [-0.093826, -0.150531, -0.092052, -0.097926, 0.202551],
    [0.504754, 0.609338, -0.51786, -0.428429, 0.395788],
]


@pytest.mark.parametrize("scaled", [0, 1])
def test_maximum_is_that_of_crfsuite(scaled):
    matrix, names = sentences.matrix()
    starts = sentences.starts()
    targets = Targets.of_tags(sentences.tag_numbers(), starts, len(TAGS), TIMES)
    crf = LinearChainCRF(sigma2=1.0, scaled=scaled, max_iter=1000, tol=1e-9)
    crf.fit(matrix, targets, starts, tags=TAGS)
    assert crf.objective_ == pytest.approx(CRFSUITE, rel=1e-6)
    np.testing.assert_allclose(crf.moves_, MOVES, atol=1e-4)
    np.testing.assert_allclose(crf.firsts_, FIRSTS, atol=1e-4)
    for name, weights in WEIGHTS.items():
        np.testing.assert_allclose(crf.weights_[names.index(name)], weights, atol=1e-4)


# --- Targets ------------------------------------------------------------------------------------


def test_targets_of_tags_count_what_is_there():
    targets = Targets.of_tags([0, 1, 2, 9, 2, 2, 2, 0], STARTS, 3, weights=[2, 1, 0, 0.5])
    assert targets.states.sum(axis=1).tolist() == [2, 2, 2, 0, 0.5, 0.5, 0.5, 0.5]
    assert targets.firsts.tolist() == [2, 0, 0.5]
    assert targets.pairs.tolist() == [[0, 2, 0], [0, 0, 2], [0.5, 0, 1]]


def test_targets_add_up():
    once = Targets.of_tags([0, 1, 2, 0, 2, 2, 2, 0], STARTS, 3)
    twice = Targets.of_tags([0, 1, 2, 0, 2, 2, 2, 0], STARTS, 3, weights=np.full(4, 2.0))
    total = once + once
    for name in ("states", "firsts", "pairs", "weights"):
        np.testing.assert_array_equal(getattr(total, name), getattr(twice, name))


@pytest.mark.parametrize(
    ("tags", "weights", "message"),
    [
        ([0, 1, 2], None, r"shape \(3,\), but there are 8 tokens"),
        ([0, 1, 2, 3, 0, 0, 0, 0], None, "token 3 has the tag 3, but there are 3 tags"),
        ([0, 1, 2, -1, 0, 0, 0, 0], None, "give its sequence the weight 0"),
        ([0] * 8, [1, 1, 1], r"shape \(3,\), but there are 4 sequences"),
        ([0] * 8, [1, -1, 1, 1], "0 or more, and finite"),
        ([0] * 8, [1, np.nan, 1, 1], "0 or more, and finite"),
        ([0] * 8, [1, np.inf, 1, 1], "0 or more, and finite"),
    ],
)
def test_wrong_targets_are_refused(tags, weights, message):
    with pytest.raises(ValueError, match=message):
        Targets.of_tags(tags, STARTS, 3, weights)


@pytest.mark.parametrize("name", ["states", "firsts", "pairs"])
@pytest.mark.parametrize("wrong", ["shape", "nan", "negative"])
def test_wrong_soft_targets_are_refused(name, wrong):
    good = {"states": np.ones((8, 3)), "firsts": np.ones(3), "pairs": np.ones((3, 3))}
    bad = good[name].copy()
    if wrong == "shape":
        bad = bad[:-1]
    else:
        bad.flat[0] = np.nan if wrong == "nan" else -1.0
    with pytest.raises(ValueError, match=name):
        Targets.of_soft(**(good | {name: bad}), starts=STARTS)
