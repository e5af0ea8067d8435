"""States that are no tags: ends of spans, and subtypes."""

from itertools import pairwise, product

import numpy as np
import pytest
from scipy.special import digamma

from aggregation.algorithms import ordered_tags
from aggregation.algorithms.sequences.bsc import BSCseq
from aggregation.algorithms.sequences.bsc.annotators import Prior
from aggregation.algorithms.sequences.bsc.priors import sequential_prior
from aggregation.algorithms.sequences.bsc.sequential import Sequential
from aggregation.algorithms.sequences.bsc.shard import SequenceShard, Tables
from aggregation.algorithms.sequences.states import States
from tests.aggregation.algorithms.tagging import (
    TAGS,
    B,
    I,
    O,
    Three,
    behaving,
    careful,
    drawn,
    early,
    misses,
)

E = 3
PRIOR = Prior(diagonal=1.0, factor=10.0, forbidden=0.1)
CROWD = behaving(careful, misses, early, n_sequences=30).sequences


def state_path(tags):
    """The one path of states that has these tags: O after B or I is E."""
    before = [O, *tags[:-1]]
    return [E if tag == O and last in (B, I) else tag for last, tag in zip(before, tags)]  # noqa: B905


def test_what_follows_a_span_is_an_end():
    states = States(ordered_tags(["B-p", "B-q"]), end=True)
    bp, bq, ip, iq, o, e = range(6)
    allowed = {(i, j) for i in range(6) for j in range(6) if not states.forbidden[i, j]}
    assert allowed == {
        (bp, bp), (bp, bq), (bp, ip), (bp, e), (bq, bp), (bq, bq), (bq, iq), (bq, e),
        (ip, bp), (ip, bq), (ip, ip), (ip, e), (iq, bp), (iq, bq), (iq, iq), (iq, e),
        (o, bp), (o, bq), (o, o), (e, bp), (e, bq), (e, o),
    }  # fmt: skip
    assert States(("O",), end=True).are_tags  # nothing ends where there are no types


def test_e_step_is_the_sum_over_the_paths_of_tags():
    """Each path of tags is one path of states, and all others weigh nothing."""
    rng = np.random.default_rng(3)
    crowd = drawn(seed=1, said=rng.dirichlet(np.ones(3), size=(2, 3, 3)), n_sequences=2, length=4,
                  redundancy=2).sequences  # fmt: skip
    states = States(TAGS, end=True)
    labels = rng.normal(size=(2, 3, 3, 4))
    words, moves = rng.normal(size=(len(crowd.vocabulary), 3)), rng.normal(size=(4, 4))
    moves[states.forbidden] = -np.inf
    shard = SequenceShard(crowd, np.full(8, -1), None,
                          sequential=True, text=True, transitions=True, states=states)  # fmt: skip
    tables = Tables(labels.reshape(-1, 4), np.pad(words, ((0, 1), (0, 0))), moves)
    found = shard.step(tables)

    said = np.full((8, 2), -1)
    said[crowd.token, crowd.worker] = crowd.label
    posterior, tokens, evidence = np.zeros((8, 3)), np.zeros(4), 0.0
    best = []
    for a, b in pairwise(crowd.starts.tolist()):
        weights = {}
        for tags in product(range(3), repeat=b - a):
            path = state_path(tags)
            weight = 0.0
            for i, state in enumerate(path):
                weight += moves[path[i - 1] if i else O, state] + words[crowd.words[a + i], tags[i]]
                for w in range(2):
                    before = said[a + i - 1, w] if i else O
                    weight += labels[w, before, said[a + i, w], state]
            weights[tags] = np.exp(weight)
        total = sum(weights.values())
        evidence += np.log(total)
        best += max(weights, key=weights.get)
        for tags, weight in weights.items():
            posterior[np.arange(a, b), tags] += weight / total
            np.add.at(tokens, state_path(tags), weight / total)
    assert shard.posterior() == pytest.approx(posterior)
    assert found.tokens == pytest.approx(tokens)
    assert found.log_evidence == pytest.approx(evidence)
    assert shard.decode(tables).tolist() == best


def test_the_first_r_splits_o_by_what_was_before():
    r = np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [0.0, 0.0, 1.0]])
    found = States(TAGS, end=True).with_ends(r, np.array([0]))
    assert found[:, E] == pytest.approx([0, 0.4 * 0.3, 0.6])
    assert found[:, O] == pytest.approx([0.7, 0.4 * 0.7, 0.4])


def test_subtypes_split_by_votes_and_add_up():
    tags = ordered_tags(["B-p", "B-q"])
    states = States(tags, end=True, subtypes=True)
    r = np.random.default_rng(0).dirichlet(np.ones(6), size=3)
    # Two said B-p, one I-p, one O; everybody O; nobody anything.
    votes = np.array([[2, 0, 1, 0, 1], [0, 0, 0, 0, 4], [0, 0, 0, 0, 0]])
    found = states.with_subtypes(r, votes)
    assert states.by_base(found) == pytest.approx(r)
    kinds = list(zip(states.base[6:].tolist(), found[0, 6:] / r[0, states.base[6:]], strict=True))
    missed, confused, tempting = kinds[:2], kinds[2:4], kinds[4]
    assert missed == [(0, pytest.approx(0.25)), (1, pytest.approx(0.25))]
    assert confused == [(0, pytest.approx(0)), (1, pytest.approx(0.75))]
    assert tempting == (4, pytest.approx(0.75))
    assert found[1, [0, 1]] == pytest.approx([0, 0])  # all missed
    assert found[2, 6:] == pytest.approx(np.zeros(5))
    shares = np.exp(states.log_shares(np.arange(11.0)))
    assert states.by_base(shares) == pytest.approx(np.ones(6))


def test_an_end_has_a_prior_from_all_workers_together():
    rng = np.random.default_rng(2)
    counts = rng.uniform(0, 40, size=(2, 3, 3, 4))
    found = Sequential.of(counts, States(TAGS, end=True), PRIOR)
    flat = sequential_prior(TAGS, 1.0, 10.0, 0.1)[:, :, O]
    pooled = counts[..., E].sum(axis=0) + 0.02 * flat
    alpha = flat + 20 * pooled / pooled.sum(axis=1, keepdims=True) + counts[1, :, :, E]
    expected = digamma(alpha) - digamma(alpha.sum(axis=1, keepdims=True))
    assert found.expected_log()[1, :, :, E] == pytest.approx(expected)
    assert found.mean().sum(axis=2) == pytest.approx(np.ones((2, 3, 3)))
    after = found.parameters()["after_span"]
    assert after[1] == pytest.approx(alpha / alpha.sum(axis=1, keepdims=True))


def test_a_row_counts_for_no_more_labels_than_the_cap():
    counts = np.zeros((1, 3, 3, 3))
    counts[0, O, O, O], counts[0, O, B, O] = 30_000.0, 10_000.0
    capped = Sequential.of(counts, States(TAGS), Prior(1.0, 10.0, 0.1, cap=2000.0))
    flat = sequential_prior(TAGS, 1.0, 10.0, 0.1)[O, :, O]
    alpha = flat + counts[0, O, :, O] * 2000 / 42_000
    assert capped.mean()[0, O, :, O] == pytest.approx(alpha / alpha.sum())
    assert capped.parameters()["sequential_weight"][0, O, O] == 40_000  # what they said is told


def test_with_epsilon_nothing_is_less_probable_than_the_prior_allows():
    counts = np.zeros((1, 3, 3, 3))
    counts[0, O, O, O] = 1e6
    found = Sequential.of(counts, States(TAGS), Prior(1.0, 10.0, 0.1, epsilon=0.02))
    flat = sequential_prior(TAGS, 1.0, 10.0, 0.1)[O, :, O]
    assert np.exp(found.expected_log()[0, O, B, O]) == pytest.approx(
        0.02 * flat[B] / flat.sum(), rel=0.01
    )
    assert found.mean().sum(axis=2) == pytest.approx(np.ones((1, 3, 3)))


@pytest.mark.parametrize("subtypes", [0, 1])
def test_shards_and_a_stored_fit_give_the_same(subtypes):
    method = BSCseq(subtypes=subtypes, epsilon=0.01, kappa=0.8)
    whole = method.fit(CROWD)
    shards = BSCseq(**method.get_params()).fit(CROWD, pool=Three())
    assert shards.posterior_ == pytest.approx(whole.posterior_, abs=1e-9)
    assert (shards.predict() == whole.predict()).all()
    again = BSCseq.restore(whole.state(), **method.get_params())
    assert again.infer(CROWD) == pytest.approx(whole.infer(CROWD))
    assert again.judge(CROWD)[1].tolist() == whole.judge(CROWD)[1].tolist()
    assert whole.posterior_.sum(axis=1) == pytest.approx(np.ones(CROWD.n_tokens))


def test_known_tags_are_kept_with_all_states():
    gold = np.full(CROWD.n_tokens, -1)
    gold[:12] = [I, O, B, O, O, I, B, B, I, O, B, O]  # no sequence that BIO allows
    fitted = BSCseq(subtypes=1).fit(CROWD, gold=gold)
    assert fitted.predict()[:12].tolist() == gold[:12].tolist()
    assert fitted.posterior_[np.arange(12), gold[:12]] == pytest.approx(np.ones(12))


def test_spans_that_many_make_too_long_end_where_they_end():
    """Four of five go on for a token after a span: where it ends the table of O says something
    else than elsewhere, and without a state of its own the ends are lost."""

    def goes_on(tags, rng):
        said = list(tags)
        for i in range(1, len(tags)):
            if tags[i] == O and tags[i - 1] != O and rng.random() < 0.55:
                said[i] = I
        return said

    crowd = behaving(goes_on, goes_on, goes_on, goes_on, careful, n_sequences=120, seed=4)
    plain = crowd.f1(BSCseq(end=0, cap=0).fit(crowd.sequences))
    ended = crowd.f1(BSCseq().fit(crowd.sequences))
    assert ended > plain + 0.02


def test_a_fit_of_before_there_were_ends_is_refused():
    old = BSCseq().fit(CROWD).state()
    old["prior"] = old["prior"][:7]
    with pytest.raises(
        ValueError, match="fitted with 7 settings of the prior, but this one has 12"
    ):
        BSCseq.restore(old)
    with pytest.raises(ValueError, match="warm has end=0, but this one 1"):
        BSCseq().fit(CROWD, warm=BSCseq(end=0).fit(CROWD))
