from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from aggregation.algorithms.sequences.chains import Chains, apart

WEIGHTS = st.one_of(
    st.floats(-8, 3), st.sampled_from([-np.inf, -1e12, -2e12, -800.0, -60.0, np.log(1e-300)])
)


def every_path(emission, transition, first, starts):
    """Marginals, firsts, pairs, ln evidence and a best path of each sequence, by trying all."""
    n_tags = len(first)
    marginals, firsts = np.full(emission.shape, 1 / n_tags), np.zeros(n_tags)
    pairs, log_evidence, best = np.zeros((n_tags, n_tags)), [], []
    for a, b in pairwise(starts):
        paths = list(product(range(n_tags), repeat=b - a)) if b > a else []
        weights = []
        for path in paths:
            weight = first[path[0]] + sum(emission[a + i, tag] for i, tag in enumerate(path))
            weights.append(weight + sum(transition[i, j] for i, j in pairwise(path)))
        top = max(weights, default=0.0)
        best.append((top, dict(zip(paths, weights, strict=True))))
        if top == -np.inf:
            log_evidence.append(top)
            continue
        shares = np.exp(np.array(weights) - top)
        log_evidence.append(top + np.log(shares.sum()) if paths else 0.0)
        if paths:
            marginals[a:b] = 0.0
        for path, share in zip(paths, shares / shares.sum(), strict=True):
            firsts[path[0]] += share
            for i, tag in enumerate(path):
                marginals[a + i, tag] += share
            for i, j in pairwise(path):
                pairs[i, j] += share
    return marginals, firsts, pairs, np.array(log_evidence), best


@st.composite
def chains(draw):
    n_tags = draw(st.integers(1, 3))
    lengths = draw(st.lists(st.integers(0, 4), max_size=4))
    starts = np.concatenate(([0], np.cumsum(lengths))).astype(int)

    def weights(*shape):
        size = int(np.prod(shape))
        drawn = draw(st.lists(WEIGHTS, min_size=size, max_size=size))
        return np.array(drawn, dtype=float).reshape(shape)

    emission = weights(starts[-1], n_tags)
    return emission, weights(n_tags, n_tags), weights(n_tags), starts


# What dies out late: the second tag is 1e400 times less probable until the last token.
LATE = (
    np.array([[0.0, -500.0], [0.0, -500.0], [-np.inf, 0.0]]),
    np.array([[0.0, -np.inf], [-np.inf, 0.0]]),
    np.zeros(2),
    np.array([0, 3]),
)


@given(chains())
@example(LATE)
def test_passes_find_what_trying_all_paths_finds(case):
    emission, transition, first, starts = case
    marginals, firsts, pairs, log_evidence, _ = every_path(*case)
    for name in ("beliefs", "beliefs_in_logs"):
        found = getattr(Chains(starts), name)(emission, transition, first)
        # Where 1e12 was subtracted, 12 decimals of a sum are lost.
        coarse = 1e-3 if (np.abs(log_evidence) > 1e10).any() else 1e-9
        assert found.log_evidence == pytest.approx(log_evidence, rel=1e-9, abs=1e-9)
        assert found.marginals == pytest.approx(marginals, abs=coarse)
        assert found.firsts == pytest.approx(firsts, abs=coarse * 4)
        assert found.pairs == pytest.approx(pairs, abs=coarse * 16)


@given(chains())
@example(LATE)
def test_best_paths_are_the_best_of_all(case):
    emission, transition, first, starts = case
    *_, best = every_path(*case)
    path = Chains(starts).best_paths(emission, transition, first)
    for (top, weight), a, b in zip(best, starts[:-1], starts[1:], strict=True):
        if b > a:
            assert weight[tuple(path[a:b].tolist())] == pytest.approx(top, rel=1e-12, abs=1e-9)


def test_of_equal_paths_the_lowest_tags_are_best():
    chain = Chains([0, 2, 3])
    assert chain.best_paths(np.zeros((3, 2)), np.zeros((2, 2)), np.zeros(2)).tolist() == [0, 0, 0]


def test_rows_of_moves_need_not_sum_to_one():
    found = Chains([0, 2]).beliefs(np.zeros((2, 2)), np.log([[2.0, 3], [5, 7]]), np.log([1.0, 1]))
    assert found.log_evidence == pytest.approx(np.log([17.0]))
    assert found.pairs == pytest.approx(np.array([[2, 3], [5, 7]]) / 17)


def test_the_first_token_counts():
    """The trap of a decoder that starts at the second one."""
    emission = np.log([[0.9, 0.1], [0.5, 0.5], [0.5, 0.5]])
    stay = np.log([[0.8, 0.2], [0.2, 0.8]])
    chain = Chains([0, 3])
    assert chain.best_paths(emission, stay, np.log([0.5, 0.5])).tolist() == [0, 0, 0]
    assert chain.best_paths(emission[::-1], stay, np.log([0.5, 0.5])).tolist() == [0, 0, 0]
    assert chain.best_paths(np.zeros((3, 2)), stay, np.log([0.1, 0.9])).tolist() == [1, 1, 1]


def test_sequences_do_not_touch_each_other():
    rng = np.random.default_rng(0)
    emission, moves, first = rng.normal(size=(9, 3)), rng.normal(size=(3, 3)), rng.normal(size=3)
    whole = Chains([0, 4, 4, 9]).beliefs(emission, moves, first)
    one = Chains([0, 4]).beliefs(emission[:4], moves, first)
    other = Chains([0, 5]).beliefs(emission[4:], moves, first)
    assert whole.marginals == pytest.approx(np.concatenate((one.marginals, other.marginals)))
    assert whole.pairs == pytest.approx(one.pairs + other.pairs)
    assert whole.firsts == pytest.approx(one.firsts + other.firsts)
    assert whole.log_evidence == pytest.approx([one.log_evidence[0], 0.0, other.log_evidence[0]])


def test_long_sequences_do_not_underflow():
    rng = np.random.default_rng(1)
    emission = rng.normal(scale=30, size=(2000, 4))
    moves, first = rng.normal(scale=30, size=(4, 4)), np.zeros(4)
    chain = Chains([0, 2000])
    found, exact = (f(emission, moves, first) for f in (chain.beliefs, chain.beliefs_in_logs))
    assert found.log_evidence == pytest.approx(exact.log_evidence, rel=1e-12)
    assert found.marginals == pytest.approx(exact.marginals, abs=1e-9)
    assert found.pairs == pytest.approx(exact.pairs, abs=1e-7)


def weighted(case, weights):
    """As `every_path`, each sequence counting so often in `firsts` and `pairs`."""
    emission, transition, first, starts = case
    firsts, pairs = np.zeros(first.shape), np.zeros(transition.shape)
    for weight, (a, b) in zip(weights, pairwise(starts), strict=True):
        _, own, moved, *_ = every_path(emission[a:b], transition, first, [0, b - a])
        firsts += weight * own
        pairs += weight * moved
    return firsts, pairs


@given(chains(), st.integers(0, 99))
@example(LATE, 0)
def test_weights_count_sequences_in_sums_alone(case, seed):
    emission, transition, first, starts = case
    weights = np.random.default_rng(seed).choice([0.0, 0.5, 3.0], len(starts) - 1)
    firsts, pairs = weighted(case, weights)
    chain = Chains(starts)
    for name in ("beliefs", "beliefs_in_logs"):
        plain = getattr(chain, name)(emission, transition, first)
        found = getattr(chain, name)(emission, transition, first, weights)
        coarse = 1e-3 if (np.abs(plain.log_evidence) > 1e10).any() else 1e-9
        assert found.marginals.tobytes() == plain.marginals.tobytes()
        assert found.log_evidence.tobytes() == plain.log_evidence.tobytes()
        assert found.firsts == pytest.approx(firsts, abs=coarse * 12)
        assert found.pairs == pytest.approx(pairs, abs=coarse * 48)


@given(chains(), st.integers(0, 99))
@example(LATE, 0)
def test_tokens_in_order_are_the_same(case, seed):
    emission, transition, first, starts = case
    weights = np.random.default_rng(seed).random(len(starts) - 1)
    chain = Chains(starts)
    assert sorted(chain.order.tolist()) == list(range(len(emission)))
    own = np.ascontiguousarray(emission[chain.order].T)
    found = chain.beliefs_in_order(own, transition, first, weights)
    wanted = chain.beliefs(emission, transition, first, weights)
    assert found.marginals.T.tobytes() == wanted.marginals[chain.order].tobytes()
    assert found.firsts.tobytes() == wanted.firsts.tobytes()
    assert found.pairs.tobytes() == wanted.pairs.tobytes()
    assert found.log_evidence.tobytes() == wanted.log_evidence.tobytes()
    assert own.tobytes() == emission[chain.order].T.tobytes()


def test_input_is_not_changed():
    emission, moves, first = np.zeros((3, 2)), np.zeros((2, 2)), np.zeros(2)
    chain = Chains([0, 1, 3])
    chain.beliefs(emission, moves, first)
    chain.best_paths(emission, moves, first)
    chain.beliefs_in_logs(emission, moves, first)
    assert not emission.any()
    assert not moves.any()
    assert not first.any()


def test_wrong_shapes_are_refused_with_both_values():
    chain = Chains([0, 2])
    with pytest.raises(ValueError, match="weights for 3 tokens, but 2 tokens"):
        chain.beliefs(np.zeros((3, 2)), np.zeros((2, 2)), np.zeros(2))
    with pytest.raises(ValueError, match=r"2 tags, but transition has the shape \(3, 3\)"):
        chain.best_paths(np.zeros((2, 2)), np.zeros((3, 3)), np.zeros(2))
    with pytest.raises(ValueError, match=r"weights has the shape \(2,\), but there are 1 seq"):
        chain.beliefs(np.zeros((2, 2)), np.zeros((2, 2)), np.zeros(2), np.ones(2))


def test_tokens_apart_know_nothing_of_each_other():
    marginals, log_evidence = apart(np.log([[1.0, 3.0], [0.5, 0.5]]))
    assert marginals == pytest.approx(np.array([[0.25, 0.75], [0.5, 0.5]]))
    assert log_evidence == pytest.approx(np.log(4.0))
    with np.errstate(divide="ignore"):
        assert apart(np.log([[0.0, 0.0]]))[0].tolist() == [[0.5, 0.5]]
    assert apart(np.empty((0, 3)))[0].shape == (0, 3)
