"""Bayesian sequence combination: what it computes. What it finds is in test_bsc_crowds."""

from functools import partial
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import digamma, gammaln

from aggregation.algorithms import CrowdSequences, DawidSkene, ordered_tags
from aggregation.algorithms.sequences.bsc import BSCacc, BSCcm, BSCcv, BSCmace, BSCseq
from aggregation.algorithms.sequences.bsc.annotators import Prior
from aggregation.algorithms.sequences.bsc.dirichlet import Dirichlets
from aggregation.algorithms.sequences.bsc.priors import (
    confusion_prior,
    sequential_prior,
    transition_prior,
)
from aggregation.algorithms.sequences.bsc.sequential import Sequential
from aggregation.algorithms.sequences.bsc.shard import SequenceShard, Tables, labels_with_previous
from aggregation.algorithms.sequences.states import States, illegal_moves
from tests.aggregation.algorithms.simulated import tagged
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
    with_words,
    worded,
)

METHODS = [BSCacc, BSCmace, BSCcv, BSCcm, BSCseq]
ALL = pytest.mark.parametrize("method", METHODS)
MODELS = pytest.mark.parametrize("text", [0, 1])
MOVES = pytest.mark.parametrize("transitions", [0, 1])
PRIOR = Prior(diagonal=2.0, factor=3.0, forbidden=0.1)


def as_published(method):
    """Without what makes the prior anew, or the posterior wider, in each iteration."""
    return partial(BSCseq, end=0, cap=0) if method is BSCseq else method


# Two sentences and an empty one between; gaps, and an illegal I-x.
SMALL = CrowdSequences(
    token=[0, 1, 2, 3, 0, 1, 2, 1, 2, 3, 4], worker=[0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2],
    label=[0, 1, 2, 1, 2, 0, 1, 0, 0, 2, 2], starts=[0, 3, 3, 5], n_workers=4, tags=TAGS,
    words=[0, 1, 1, -1, 0], vocabulary=["a", "b"],
)  # fmt: skip


# --- E-step: brute force over all tag sequences -------------------------------------------------


def log_of_label(method, counts, prior, previous, said, true):
    """E ln A for one worker by the formulas of the specification; `counts[m, said, true]`."""
    d, f, n_tags = prior.diagonal, prior.factor, counts.shape[1]
    pooled = counts.sum(axis=0)
    if method is BSCseq:
        alpha = sequential_prior(TAGS, d, f, prior.forbidden)[previous, :, true]
        alpha = alpha + counts[previous, :, true]
        return digamma(alpha[said]) - digamma(alpha.sum())
    if method is BSCcm:
        alpha = confusion_prior(n_tags, d, f)[:, true] + pooled[:, true]
        return digamma(alpha[said]) - digamma(alpha.sum())
    if method is BSCmace:
        knew = d / (d + f) / (d / (d + f) + f / (d + f) / n_tags)
        know = np.trace(pooled) * knew
        spam = pooled.sum(axis=1) - np.diag(pooled) * knew
        both = digamma(d + f + pooled.sum())
        ln_know, ln_spam = digamma(d + know) - both, digamma(f + spam.sum()) - both
        ln_spam += digamma(f + spam[said]) - digamma(n_tags * f + spam.sum())
        return np.logaddexp(ln_know, ln_spam) if said == true else ln_spam
    if method is BSCacc:
        right, total = f + d + np.trace(pooled), 2 * f + d + pooled.sum()
    else:
        right, total = f + d + pooled[true, true], 2 * f + d + pooled[:, true].sum()
    if said == true:
        return digamma(right) - digamma(total)
    return digamma(total - right) - digamma(total) - np.log(n_tags - 1)


def by_brute_force(crowd, log_label, log_word, log_moves, gold):
    """Posterior, moves, labels[w, m, said, true], words, ln evidence and the best paths."""
    k, outside = crowd.n_classes, crowd.n_classes - 1
    said = {(int(t), int(w)): int(c) for t, w, c in zip(crowd.token, crowd.worker, crowd.label)}  # noqa: B905
    posterior, moves = np.zeros((crowd.n_tokens, k)), np.zeros((k, k))
    labels = np.zeros((crowd.n_workers, k, k, k))
    words = np.zeros((len(crowd.vocabulary), k))
    log_evidence, best = 0.0, []
    for a, b in pairwise(crowd.starts.tolist()):
        total, top = 0.0, (-1.0, ())
        shares = []
        for path in product(range(k), repeat=b - a):
            if any(gold[a + i] not in (-1, tag) for i, tag in enumerate(path)):
                continue
            weight = 0.0
            for i, tag in enumerate(path):
                weight += log_moves[path[i - 1] if i else outside, tag]
                if crowd.words[a + i] >= 0:
                    weight += log_word[crowd.words[a + i], tag]
                for w in range(crowd.n_workers):
                    if (a + i, w) in said:
                        before = said.get((a + i - 1, w), outside) if i else outside
                        weight += log_label[w, before, said[a + i, w], tag]
            shares.append((np.exp(weight), path))
            top = max(top, (np.exp(weight), tuple(-tag for tag in path)))
            total += np.exp(weight)
        log_evidence += np.log(total)
        best += [-tag for tag in top[1]]
        for share, path in shares:
            p = share / total
            for i, tag in enumerate(path):
                posterior[a + i, tag] += p
                moves[path[i - 1] if i else outside, tag] += p
                if crowd.words[a + i] >= 0:
                    words[crowd.words[a + i], tag] += p
                for w in range(crowd.n_workers):
                    if (a + i, w) in said:
                        before = said.get((a + i - 1, w), outside) if i else outside
                        labels[w, before, said[a + i, w], tag] += p
    return posterior, moves, labels, words, log_evidence, best


@pytest.mark.parametrize("gold", [[-1] * 5, [-1, 2, -1, 1, -1]], ids=["no gold", "gold"])
@ALL
@MODELS
@MOVES
def test_e_step_is_the_sum_over_all_tag_sequences(method, text, transitions, gold):
    rng = np.random.default_rng(7)
    k, sequential = 3, method is BSCseq
    counts = rng.uniform(0, 9, size=(4, k, k, k))
    given = counts if sequential else counts.sum(axis=1)
    annotators = method.annotators.of(given, States(TAGS), PRIOR)
    log_word = rng.normal(size=(2, k)) if text else np.zeros((2, k))
    log_moves = rng.normal(size=(k, k) if transitions else (1, k))
    expected = np.array([
        [[[log_of_label(method, counts[w], PRIOR, m, c, j) for j in range(k)] for c in range(k)]
         for m in range(k)] for w in range(4)
    ])  # fmt: skip
    posterior, moves, labels, words, log_evidence, best = by_brute_force(
        SMALL, expected, log_word, np.broadcast_to(log_moves, (k, k)), gold
    )

    part = SequenceShard(
        SMALL, np.array(gold), None,
        sequential=sequential, text=bool(text), transitions=bool(transitions),
    )  # fmt: skip
    tables = Tables(
        annotators.expected_log().reshape(-1, k),
        np.pad(log_word, ((0, 1), (0, 0))) if text else None,
        log_moves,
    )
    found = part.step(tables)

    assert part.posterior() == pytest.approx(posterior)
    assert found.log_evidence == pytest.approx(log_evidence)
    assert found.moves == pytest.approx(moves if transitions else moves.sum(axis=0)[None])
    counted = labels if sequential else labels.sum(axis=1)
    assert found.labels == pytest.approx(counted.reshape(-1, k))
    assert found.words == pytest.approx(words) if text else found.words is None
    assert part.decode(tables).tolist() == best


def test_what_a_worker_said_before_is_o_at_a_start_and_after_a_gap():
    labels = labels_with_previous(SMALL)
    found = {
        (int(t), int(w)): divmod(int(c), 3)
        for t, w, c in zip(labels.unit, labels.worker, labels.label, strict=True)
    }
    assert found == {
        (0, 0): (O, B), (1, 0): (B, I), (2, 0): (I, O), (3, 0): (O, I),
        (0, 1): (O, O), (1, 1): (O, B), (2, 1): (B, I),
        (1, 2): (O, B), (2, 2): (B, B), (3, 2): (O, O), (4, 2): (O, O),
    }  # fmt: skip


@given(tagged())
def test_previous_labels_are_those_of_a_loop(crowd):
    said = {(int(t), int(w)): int(c) for t, w, c in zip(crowd.token, crowd.worker, crowd.label)}  # noqa: B905
    first = set(crowd.starts.tolist())
    labels = labels_with_previous(crowd)
    assert labels.n_labels == crowd.n_labels
    for t, w, pair in zip(labels.unit, labels.worker, labels.label, strict=True):
        before = crowd.n_classes - 1 if t in first else said.get((t - 1, w), crowd.n_classes - 1)
        assert divmod(int(pair), crowd.n_classes) == (before, said[t, w])


# --- Priors -------------------------------------------------------------------------------------

TWO = ordered_tags(["B-p", "B-q"])
BP, BQ, IP, IQ, OO = range(5)


def test_mass_of_illegal_moves_goes_where_the_specification_says():
    prior = transition_prior(TWO, 2.0, 1e-12)
    assert prior[OO].tolist() == [2, 2, 1e-12, 1e-12, 6]
    assert prior[BP].tolist() == [2, 2, 4, 1e-12, 2]
    assert prior[IQ].tolist() == [2, 2, 1e-12, 2, 2]


def test_mass_of_illegal_labels_goes_where_the_specification_says():
    prior = sequential_prior(TWO, diagonal=3.0, factor=4.0, forbidden=1e-12)
    for true in range(5):
        plain = np.where(np.arange(5) == true, 7.0, 1.0)
        after_o = plain.copy()
        after_o[[BP, BQ]] += plain[[IP, IQ]]
        after_o[[IP, IQ]] = 1e-12
        assert prior[OO, :, true] == pytest.approx(after_o)
        after_b = plain.copy()
        after_b[IP] += plain[IQ]
        after_b[IQ] = 1e-12
        assert prior[BP, :, true] == pytest.approx(after_b)
        after_i = plain.copy()
        after_i[IQ] = 1e-12
        assert prior[IP, :, true] == pytest.approx(after_i)


def test_illegal_is_an_inside_that_follows_no_token_of_its_type():
    assert [(TWO[i], TWO[j]) for i, j in zip(*np.nonzero(illegal_moves(TWO)), strict=True)] == [
        ("B-p", "I-q"), ("B-q", "I-p"), ("I-p", "I-q"), ("I-q", "I-p"), ("O", "I-p"), ("O", "I-q"),
    ]  # fmt: skip


def test_divergence_is_that_of_the_formula_and_survives_tiny_priors():
    prior, counts = np.array([1e-12, 1.0, 2.0]), np.array([[0.0, 3.0, 0.5], [0.0, 0.0, 0.0]])
    found = Dirichlets(prior, counts, axis=1)
    alpha = (prior + counts)[0]
    expected = (
        gammaln(alpha.sum()) - gammaln(alpha).sum() - gammaln(prior.sum()) + gammaln(prior).sum()
        + ((alpha - prior)[1:] * (digamma(alpha) - digamma(alpha.sum()))[1:]).sum()
    )  # fmt: skip
    assert found.divergence(found.expected_log()) == pytest.approx(expected)
    assert found.mean().sum(axis=1) == pytest.approx([1, 1])


# --- The lower bound ----------------------------------------------------------------------------


@ALL
@given(crowd=worded(), text=st.integers(0, 1), transitions=st.integers(0, 1),
       forbidden=st.sampled_from([1e-12, 0.1]), gold=st.booleans())  # fmt: skip
@settings(max_examples=25)
def test_lower_bound_never_decreases_and_nothing_is_nan(
    method, crowd, text, transitions, forbidden, gold
):
    known = np.full(crowd.n_tokens, -1)
    if gold:
        known[::2] = np.arange(len(known[::2])) % crowd.n_classes
    fitted = as_published(method)(
        text=text, transitions=transitions, forbidden=forbidden, max_iter=12, tol=0
    ).fit(crowd, gold=known)

    assert (np.diff(fitted.lower_bound_) >= -1e-8 * (1 + np.abs(fitted.lower_bound_[1:]))).all()
    assert fitted.diagnostics_.objective == tuple(fitted.lower_bound_)
    assert fitted.posterior_.sum(axis=1) == pytest.approx(np.ones(crowd.n_tokens))
    assert fitted.transition_.sum(axis=1) == pytest.approx(np.ones(crowd.n_classes))
    found = fitted.reliability_
    assert found.confusion.sum(axis=2) == pytest.approx(np.ones((crowd.n_workers, crowd.n_classes)))
    assert (found.low <= found.accuracy).all()
    assert (found.accuracy <= found.high).all()
    for parameter in found.parameters.values():
        assert len(parameter) == crowd.n_workers
        assert np.isfinite(parameter).all()
    for token in np.flatnonzero(known >= 0):
        assert fitted.posterior_[token, known[token]] == 1
        assert fitted.predict()[token] == known[token]


@ALL
def test_lower_bound_never_decreases_on_a_real_crowd(method):
    crowd = behaving(careful, misses, early, n_sequences=60).sequences
    fitted = as_published(method)(max_iter=60, tol=0).fit(crowd)
    assert (np.diff(fitted.lower_bound_) >= -1e-7).all()
    assert fitted.lower_bound_[-1] > fitted.lower_bound_[0]


def test_lower_bound_lies_below_the_evidence():
    """One worker, one token, acc: the evidence is an integral that is known."""
    crowd = CrowdSequences([0], [0], [0], starts=[0, 1], n_workers=1, tags=TAGS)
    fitted = BSCacc(text=0, transitions=0, diagonal=1, factor=1, tol=0, max_iter=50).fit(crowd)
    # P(said B) = sum over tags of E p(tag) E P(said B | tag), with E p = 1/3 and E pi = 2/3.
    evidence = np.log(1 / 3 * (2 / 3 + 2 * (1 / 3) / 2))
    assert evidence - 0.5 < fitted.lower_bound_[-1] < evidence


# --- What must not matter -----------------------------------------------------------------------

CROWD = behaving(careful, misses, early, careful, n_sequences=40).sequences


@ALL
def test_permuted_workers_have_permuted_results(method):
    order = np.array([2, 0, 3, 1])
    plain = method().fit(CROWD)
    moved = method().fit(
        CrowdSequences(
            CROWD.token, order[CROWD.worker], CROWD.label, starts=CROWD.starts, n_workers=4,
            tags=CROWD.tags, words=CROWD.words, vocabulary=CROWD.vocabulary,
        )
    )  # fmt: skip
    assert moved.posterior_ == pytest.approx(plain.posterior_, abs=1e-9)
    assert moved.reliability_.confusion[order] == pytest.approx(plain.reliability_.confusion)
    for name, values in plain.reliability_.parameters.items():
        assert moved.reliability_.parameters[name][order] == pytest.approx(values)


@ALL
def test_permuted_types_have_permuted_results(method):
    rng = np.random.default_rng(3)
    said = rng.integers(5, size=200)
    token, worker = np.repeat(np.arange(50), 4), np.tile(np.arange(4), 50)
    swap = np.array([BQ, BP, IQ, IP, OO])
    crowds = [
        CrowdSequences(
            token, worker, label, starts=[0, 20, 50], n_workers=4, tags=TWO,
            words=np.arange(50) % 7, vocabulary=list("abcdefg"),
        )
        for label in (said, swap[said])
    ]  # fmt: skip
    plain, moved = (method().fit(crowd) for crowd in crowds)
    assert moved.posterior_[:, swap] == pytest.approx(plain.posterior_, abs=1e-7)
    assert moved.reliability_.confusion[:, swap][:, :, swap] == pytest.approx(
        plain.reliability_.confusion, abs=1e-7
    )


@ALL
def test_the_order_of_labels_does_not_matter(method):
    order = np.random.default_rng(0).permutation(CROWD.n_labels)
    shuffled = CrowdSequences(
        CROWD.token[order], CROWD.worker[order], CROWD.label[order], starts=CROWD.starts,
        n_workers=4, tags=CROWD.tags, words=CROWD.words, vocabulary=CROWD.vocabulary,
    )  # fmt: skip
    assert method().fit(shuffled).posterior_ == pytest.approx(method().fit(CROWD).posterior_)


@ALL
@MODELS
@MOVES
def test_shards_give_what_the_whole_gives(method, text, transitions):
    gold = np.full(CROWD.n_tokens, -1)
    gold[::17] = O
    make = partial(method, text=text, transitions=transitions)
    whole = make().fit(CROWD, gold=gold)
    shards = make().fit(CROWD, gold=gold, pool=Three())
    assert shards.posterior_ == pytest.approx(whole.posterior_, abs=1e-9)
    assert (shards.predict() == whole.predict()).all()
    assert shards.lower_bound_ == pytest.approx(whole.lower_bound_, rel=1e-9)
    assert shards.reliability_.confusion == pytest.approx(whole.reliability_.confusion, abs=1e-9)
    assert shards.reliability_.low == pytest.approx(whole.reliability_.low, abs=1e-9)
    assert shards.diagnostics_.iterations == whole.diagnostics_.iterations


# --- Warm start ---------------------------------------------------------------------------------


@ALL
def test_a_warm_start_from_a_converged_fit_converges_at_once(method):
    cold = method(max_iter=400).fit(CROWD)
    warm = method(max_iter=400).fit(CROWD, warm=cold)
    assert cold.diagnostics_.converged
    assert warm.diagnostics_.converged
    assert warm.diagnostics_.iterations == 1
    assert warm.posterior_ == pytest.approx(cold.posterior_, abs=1e-3)
    assert warm.lower_bound_[0] >= cold.lower_bound_[-1] - 1e-6


def test_a_warm_start_works_without_words():
    cold = BSCseq(text=0, max_iter=400).fit(CROWD)
    warm = BSCseq(text=0).fit(CROWD, warm=cold)
    assert warm.diagnostics_.iterations == 1
    assert (BSCseq(max_iter=1).fit(CROWD, warm=cold).predict() == cold.predict()).mean() > 0.97


@ALL
def test_a_warm_start_takes_new_workers_and_new_words(method):
    cold = method().fit(CROWD)
    more = CrowdSequences(
        [*CROWD.token, 0, 1], [*CROWD.worker, 5, 5], [*CROWD.label, O, O], starts=CROWD.starts,
        n_workers=6, tags=CROWD.tags, words=CROWD.words + 1, vocabulary=["new", *CROWD.vocabulary],
    )  # fmt: skip
    warm = method(max_iter=1).fit(more, warm=cold)
    assert np.mean(warm.predict() == cold.predict()) > 0.99
    assert warm.reliability_.judged.tolist()[4:] == [0, 2]


@pytest.mark.parametrize(
    ("warm", "message"),
    [
        (BSCcm().fit(CROWD), "a fit of BSCseq can't start from one of BSCcm"),
        (BSCseq(), "has not been fitted"),
        (BSCseq(transitions=0).fit(CROWD), "warm has transitions=0, but this one 1"),
        (BSCseq(text=0).fit(
            CrowdSequences([], [], [], starts=[0], n_workers=1, tags=TWO)),
         "warm knows the tags B-p, B-q, I-p, I-q, O, but the sequences have B-x, I-x, O"),
        (BSCseq(text=0).fit(
            CrowdSequences([], [], [], starts=[0], n_workers=9, tags=TAGS)),
         "warm knows 9 workers, but the sequences have 4"),
    ],
)  # fmt: skip
def test_a_warm_start_that_does_not_fit_is_refused(warm, message):
    with pytest.raises(ValueError, match=message):
        BSCseq().fit(CROWD, warm=warm)


# --- Degenerate input ---------------------------------------------------------------------------


def empty(**changes):
    given = {"token": [], "worker": [], "label": [], "starts": [0], "n_workers": 0, "tags": TAGS}
    given |= {"words": np.zeros(0, int)} | changes
    return CrowdSequences(**given)


@ALL
@MODELS
@MOVES
@pytest.mark.parametrize(
    "crowd",
    [
        empty(),
        empty(starts=[0, 0, 0]),
        empty(starts=[0, 2], n_workers=3, words=[-1, -1]),
        empty(starts=[0, 2], token=[0], worker=[0], label=[1], n_workers=1, words=[-1, -1]),
        empty(starts=[0, 3], token=[0, 1, 2], worker=[0] * 3, label=[0] * 3, n_workers=2,
              tags=["O"], words=[0, 0, 0], vocabulary=["a"]),
        empty(starts=[0, 1, 2], token=[0, 0, 1, 1], worker=[0, 1] * 2, label=[0, 2, 1, 1],
              n_workers=2, words=[0, 0], vocabulary=["a", "never"]),
    ],
    ids=["nothing", "empty sequences", "no labels", "one label", "one class", "one token each"],
)  # fmt: skip
def test_degenerate_input_gives_probabilities(method, text, transitions, crowd):
    fitted = method(text=text, transitions=transitions).fit(crowd)
    assert fitted.posterior_.shape == (crowd.n_tokens, crowd.n_classes)
    assert fitted.posterior_.sum(axis=1) == pytest.approx(np.ones(crowd.n_tokens))
    assert len(fitted.predict()) == len(fitted.marginal_predict()) == crowd.n_tokens
    assert np.isfinite(fitted.lower_bound_).all()
    assert np.isfinite(fitted.reliability_.confusion).all()
    assert len(fitted.reliability_.accuracy) == crowd.n_workers


@ALL
def test_a_worker_without_labels_has_the_prior(method):
    crowd = with_words(CROWD, CROWD.words, CROWD.vocabulary)
    crowd.n_workers = 5
    found = method().fit(crowd).reliability_
    assert found.accuracy[4] == 0.5
    assert found.judged[4] == 0
    assert (found.confusion[4].argmax(axis=1) == np.arange(3)).all()


def test_gold_that_contradicts_everybody_is_kept():
    gold = np.array([I, I, O, B, -1])  # and cannot be a tag sequence
    fitted = BSCseq(text=0, forbidden=1e-12).fit(SMALL, gold=gold)
    assert fitted.predict()[:4].tolist() == gold[:4].tolist()
    assert np.isfinite(fitted.lower_bound_).all()


def test_without_words_the_text_model_is_refused():
    crowd = CrowdSequences([0], [0], [0], starts=[0, 1], n_workers=1, tags=TAGS)
    with pytest.raises(ValueError, match="pass words and vocabulary to CrowdSequences, or text=0"):
        BSCseq().fit(crowd)
    assert len(BSCseq(text=0).fit(crowd).predict()) == 1


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"beta": 0}, "beta must be 1e-12 or more, but is 0"),
        ({"factor": -1}, "factor must be 1e-12 or more, but is -1"),
        ({"nu": 1e-13}, "nu must be 1e-12 or more"),
        ({"forbidden": float("nan")}, "forbidden must be 1e-12 or more"),
        ({"forbidden": 1e-320}, "forbidden must be 1e-12 or more"),
        ({"diagonal": -1}, "diagonal must be 0 or more, but is -1"),
        ({"tol": float("nan")}, "tol must be 0 or more, but is nan"),
        ({"text": 2}, "text must be 0 or 1, but is 2"),
        ({"transitions": -1}, "transitions must be 0 or 1, but is -1"),
        ({"max_iter": 0}, "max_iter must be at least 1, but is 0"),
    ],
)
def test_wrong_settings_are_refused(setting, message):
    with pytest.raises(ValueError, match=message):
        BSCseq(**setting)


@pytest.mark.parametrize("method", [BSCacc, BSCcv, BSCcm, BSCseq])
def test_a_diagonal_of_0_says_only_that_factor_is_the_right_ones_too(method):
    assert np.isfinite(method(diagonal=0).fit(CROWD).lower_bound_).all()


@pytest.mark.parametrize("diagonal", [0, 1e-13, float("nan"), np.inf])
def test_maces_diagonal_is_a_pseudo_count_of_its_own(diagonal):
    with pytest.raises(ValueError, match="diagonal must be 1e-12 or more"):
        BSCmace(diagonal=diagonal)


@ALL
@pytest.mark.parametrize("setting", ["beta", "diagonal", "factor", "nu", "forbidden", "all"])
def test_the_smallest_pseudo_counts_do_no_harm(method, setting):
    names = ["beta", "diagonal", "factor", "nu", "forbidden"] if setting == "all" else [setting]
    for crowd in (SMALL, CROWD):
        fitted = method(**dict.fromkeys(names, 1e-12)).fit(crowd)
        assert np.isfinite(fitted.lower_bound_).all()
        assert fitted.posterior_.sum(axis=1) == pytest.approx(np.ones(crowd.n_tokens))
        assert np.isfinite(fitted.reliability_.confusion).all()


def test_tags_are_the_most_probable_path_of_what_r_stands_on():
    said = np.random.default_rng(17).dirichlet(np.ones(3), size=(3, 3, 3))
    crowd = drawn(seed=17, said=said, n_sequences=20, length=8, redundancy=2).sequences
    fitted = BSCseq(end=0, cap=0).fit(crowd)
    state = fitted.state()
    words = state["words"] + fitted.nu
    moves = state["moves"] + transition_prior(TAGS, fitted.beta, fitted.forbidden)
    annotators = Sequential.restored(
        {"cells": state["worker_cells"]}, States(TAGS), fitted._prior()
    )
    labels = annotators.expected_log().reshape(-1, 3)
    part = SequenceShard(crowd, np.full(crowd.n_tokens, -1), None,
                sequential=True, text=True, transitions=True)  # fmt: skip
    log_words = np.pad(digamma(words) - digamma(words.sum(axis=0)), ((0, 1), (0, 0)))
    log_moves = digamma(moves) - digamma(moves.sum(axis=1, keepdims=True))
    tables = Tables(labels, log_words, log_moves)
    part.step(tables)
    assert part.posterior() == pytest.approx(fitted.posterior_)
    assert part.decode(tables).tolist() == fitted.predict().tolist()


def test_input_is_not_changed_and_fits_repeat_to_the_last_bit():
    before = [CROWD.token.copy(), CROWD.worker.copy(), CROWD.label.copy(), CROWD.words.copy()]
    one, other = BSCseq().fit(CROWD), BSCseq().fit(CROWD)
    assert (one.posterior_ == other.posterior_).all()
    now = [CROWD.token, CROWD.worker, CROWD.label, CROWD.words]
    assert all((a == b).all() for a, b in zip(before, now, strict=True))


def test_results_are_copies():
    fitted = BSCseq().fit(CROWD)
    fitted.predict()[:] = 9
    assert (fitted.predict() < 3).all()


def test_too_many_columns_are_refused():
    tags = ordered_tags(f"B-{i}" for i in range(100))
    crowd = CrowdSequences([], [], [], starts=[0], n_workers=100_000, tags=tags)
    with pytest.raises(ValueError, match="100000 workers x 201 tags x 201 are too many columns"):
        labels_with_previous(crowd)


def test_confusion_of_the_sequential_model_is_a_mean_over_what_was_said_before():
    counts = np.zeros((2, 3, 3, 3))
    counts[0, O, B, B], counts[0, B, I, B] = 30.0, 10.0  # worker 0, where B is true
    annotators = Sequential.of(counts, States(TAGS), PRIOR)
    mean = annotators.parameters()["sequential"]
    weight = np.array([10.0, 0, 30]) + np.array([0.25, 0, 0.75])
    assert annotators.confusion()[0, B] == pytest.approx(weight / weight.sum() @ mean[0, B])
    assert annotators.confusion()[1, B] == pytest.approx([0.25, 0, 0.75] @ mean[1, B])
    assert annotators.parameters()["sequential_weight"][0, B].tolist() == [10, 0, 30]


def test_the_start_is_dawid_and_skene():
    crowd = CROWD
    start = DawidSkene(diagonal=0.1, off_diagonal=0.1, class_prior=0.3, max_iter=10, tol=0)
    r = start.fit(crowd.token_labels()).posterior_
    part = SequenceShard(
        crowd, np.full(crowd.n_tokens, -1), r, sequential=False, text=False, transitions=False
    )
    first = part.first()
    assert first.moves == pytest.approx(r.sum(axis=0)[None])
    one = BSCcm(text=0, transitions=0, max_iter=1).fit(crowd)
    counts = first.labels.reshape(4, 3, 3)
    prior = Prior(one.diagonal, one.factor, one.forbidden)
    expected = BSCcm.annotators.of(counts, States(TAGS), prior).confusion()
    assert one.reliability_.confusion == pytest.approx(expected)


def test_the_first_moves_are_legal_ones():
    r = np.full((3, 3), 1 / 3)
    part = SequenceShard(SMALL, np.full(5, -1), np.full((5, 3), 1 / 3),
                sequential=False, text=False, transitions=True)  # fmt: skip
    moves = part.first().moves
    assert moves[O, I] == 0
    assert moves[O, B] == pytest.approx(2 / 3 + 3 * r[0, 0] * r[0, 0])
    with pytest.raises(RuntimeError, match="no posterior before the first step"):
        SequenceShard(SMALL, np.full(5, -1), None,
             sequential=False, text=False, transitions=True).posterior()  # fmt: skip
