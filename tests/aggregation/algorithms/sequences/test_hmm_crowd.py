from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings

from aggregation.algorithms import BSCcm, CrowdSequences
from aggregation.algorithms.sequences.hmm_crowd import HMMCrowd
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
    worded,
)

CROWD = behaving(careful, misses, early, careful, n_sequences=40).sequences


def test_posterior_is_the_sum_over_all_tag_sequences():
    """By the formula of the class, from what it found itself."""
    crowd = CrowdSequences(
        [0, 1, 2, 0, 1, 2, 4], [0, 0, 0, 1, 1, 1, 1], [B, I, O, O, B, I, B],
        starts=[0, 3, 5], n_workers=2, tags=TAGS,
        words=[0, 1, 2, 0, -1], vocabulary=["Ann", "b", "7"],
    )  # fmt: skip
    two = HMMCrowd(steps=2).fit(crowd)
    # The parameters come from r of the first step: its M-step is redone here.
    r = HMMCrowd(steps=1).fit(crowd)
    moves = r_moves(crowd, r)
    right, total = np.ones((2, 2)), np.full((2, 2), 2.0)  # (worker, entity or O)
    for t, w, c in zip(crowd.token, crowd.worker, crowd.label, strict=True):
        for j in range(3):
            total[w, int(j == O)] += r.posterior_[t, j]
            right[w, int(j == O)] += r.posterior_[t, j] * (j == c)
    right /= total
    weight = np.full((3, 3), 0.1)  # (word, tag)
    upper, digit = np.ones((2, 3)), np.ones((2, 3))
    for t, x in enumerate(crowd.words):
        if x >= 0:
            weight[x] += r.posterior_[t]
            upper[int(x == 0)] += r.posterior_[t]
            digit[int(x == 2)] += r.posterior_[t]
    weight, upper, digit = (a / a.sum(axis=0) for a in (weight, upper, digit))
    emission = np.array([weight[x] * upper[int(x == 0)] * digit[int(x == 2)] for x in range(3)])
    moves = (moves + 1) / (moves + 1).sum(axis=1, keepdims=True)
    posterior, evidence = np.zeros((5, 3)), 0.0
    said = list(zip(crowd.token, crowd.worker, crowd.label, strict=True))
    for a, b in pairwise(crowd.starts.tolist()):
        shares = {}
        for path in product(range(3), repeat=b - a):
            p = np.prod([moves[i, j] for i, j in pairwise((O, *path))])
            for i, tag in enumerate(path):
                if crowd.words[a + i] >= 0:
                    p *= emission[crowd.words[a + i], tag]
                for w, c in [(w, c) for t, w, c in said if t == a + i]:
                    e = right[w, int(tag == O)]
                    p *= e if c == tag else (1 - e) / 2
            shares[path] = p
        evidence += np.log(sum(shares.values()))
        for path, p in shares.items():
            for i, tag in enumerate(path):
                posterior[a + i, tag] += p / sum(shares.values())
        best = max(shares, key=shares.get)
        assert two.predict()[a:b].tolist() == list(best)

    assert two.posterior_ == pytest.approx(posterior)
    assert two.transition_ == pytest.approx(moves)
    assert two.reliability_.parameters["entity"] == pytest.approx(right[:, 0])
    assert two.reliability_.parameters["outside"] == pytest.approx(right[:, 1])


def r_moves(crowd, fitted):
    """Expected moves of the E-step of `fitted`: all paths once more, by its tables."""
    from aggregation.algorithms.sequences.chains import Chains

    tables = fitted._fit_parameters.logs()
    evidence = tables.words[crowd.words].copy()
    for t, w, c in zip(crowd.token, crowd.worker, crowd.label, strict=True):
        evidence[t] += tables.labels[w * 3 + c]
    found = Chains(crowd.starts).beliefs(evidence, tables.moves, tables.moves[O])
    moves = found.pairs.copy()
    moves[O] += found.firsts
    return moves


@given(worded())
@settings(max_examples=40)
def test_objective_never_decreases_and_nothing_is_nan(crowd):
    fitted = HMMCrowd(steps=10).fit(crowd)
    assert (np.diff(fitted.log_likelihood_) >= -1e-8).all()
    assert fitted.posterior_.sum(axis=1) == pytest.approx(np.ones(crowd.n_tokens))
    assert fitted.reliability_.confusion.sum(axis=2) == pytest.approx(
        np.ones((crowd.n_workers, crowd.n_classes))
    )
    assert len(fitted.predict()) == len(fitted.marginal_predict()) == crowd.n_tokens


def test_two_accuracies_are_recovered():
    entity, outside = np.array([0.9, 0.7, 0.5, 0.8]), np.array([0.95, 0.9, 0.8, 0.6])
    right = np.stack((entity, entity, outside), axis=1)[:, :, None]
    table = np.where(np.eye(3, dtype=bool), right, (1 - right) / 2)
    crowd = drawn(seed=1, said=np.repeat(table[:, :, None], 3, axis=2), n_sequences=600)
    fitted = HMMCrowd(steps=10).fit(crowd.sequences)
    assert fitted.reliability_.parameters["entity"] == pytest.approx(entity, abs=0.05)
    assert fitted.reliability_.parameters["outside"] == pytest.approx(outside, abs=0.05)


def test_one_step_is_the_default():
    fitted = HMMCrowd().fit(CROWD)
    assert fitted.diagnostics_.iterations == len(fitted.log_likelihood_) == 1
    assert fitted.diagnostics_.converged


def test_the_first_letter_tells():
    """An unknown name is taken for a name because names are capital, and only because of that."""
    words = ["Ann", "runs", "Bob", "eats", "Cid", "naps", "Dan", "digs"] * 5
    label = [B, O] * 20
    token, worker = np.arange(38), np.zeros(38, int)
    crowd = CrowdSequences(
        token, worker, label[:38], starts=np.arange(0, 41, 2), n_workers=1, tags=TAGS,
        words=[*range(38), 38, 39], vocabulary=[f"{w}{i}" for i, w in enumerate(words)],
    )  # fmt: skip
    assert HMMCrowd().fit(crowd).predict()[38:].tolist() == [B, O]


def test_gold_is_kept_and_counts():
    gold = np.full(CROWD.n_tokens, -1)
    gold[:24] = np.arange(24) % 3
    fitted = HMMCrowd().fit(CROWD, gold=gold)
    assert (fitted.predict()[:24] == gold[:24]).all()
    assert fitted.posterior_[np.arange(24), gold[:24]] == pytest.approx(np.ones(24))


def test_shards_give_what_the_whole_gives():
    whole, shards = HMMCrowd(steps=4).fit(CROWD), HMMCrowd(steps=4).fit(CROWD, pool=Three())
    assert shards.posterior_ == pytest.approx(whole.posterior_, abs=1e-9)
    assert (shards.predict() == whole.predict()).all()
    assert shards.log_likelihood_ == pytest.approx(whole.log_likelihood_, rel=1e-9)
    assert shards.reliability_.low == pytest.approx(whole.reliability_.low, abs=1e-9)


def test_a_warm_start_goes_on_and_takes_new_workers():
    cold, longer = HMMCrowd(steps=3).fit(CROWD), HMMCrowd(steps=4).fit(CROWD)
    warm = HMMCrowd(steps=1).fit(CROWD, warm=cold)
    assert warm.posterior_ == pytest.approx(longer.posterior_)
    more = CrowdSequences(
        CROWD.token, CROWD.worker, CROWD.label, starts=CROWD.starts, n_workers=6, tags=CROWD.tags,
        words=CROWD.words, vocabulary=CROWD.vocabulary,
    )  # fmt: skip
    found = HMMCrowd(steps=1).fit(more, warm=cold)
    assert found.posterior_ == pytest.approx(longer.posterior_)
    assert found.reliability_.parameters["entity"][4:].tolist() == [0.5, 0.5]


def test_a_warm_start_of_another_kind_is_refused():
    with pytest.raises(ValueError, match="warm is a BSCcm, but must be a HMMCrowd"):
        HMMCrowd().fit(CROWD, warm=BSCcm().fit(CROWD))
    with pytest.raises(ValueError, match="warm was not fitted yet"):
        HMMCrowd().fit(CROWD, warm=HMMCrowd())


def test_a_warm_start_that_does_not_fit_is_refused():
    cold = HMMCrowd().fit(CROWD)
    bare = {"token": [], "worker": [], "label": [], "starts": [0], "words": []}
    bare["words"] = np.zeros(0, int)
    with pytest.raises(ValueError, match="warm knows the tags B-x, I-x, O"):
        HMMCrowd().fit(CrowdSequences(**bare, n_workers=4, tags=["O"]), warm=cold)
    with pytest.raises(ValueError, match="warm knows 4 workers, but the sequences have 2"):
        HMMCrowd().fit(CrowdSequences(**bare, n_workers=2, tags=TAGS), warm=cold)


@pytest.mark.parametrize(
    "crowd",
    [
        CrowdSequences([], [], [], starts=[0, 2], n_workers=0, tags=TAGS, words=[-1, -1]),
        CrowdSequences([0], [0], [0], starts=[0, 1], n_workers=2, tags=["O"], words=[-1]),
    ],
)
def test_degenerate_input_gives_probabilities(crowd):
    fitted = HMMCrowd(steps=3).fit(crowd)
    assert fitted.posterior_.sum(axis=1) == pytest.approx(np.ones(crowd.n_tokens))
    assert np.isfinite(fitted.log_likelihood_).all()


def test_without_words_it_is_refused():
    with pytest.raises(ValueError, match="HMM-Crowd needs the words"):
        HMMCrowd().fit(CrowdSequences([], [], [], starts=[0], n_workers=0, tags=TAGS))


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"steps": 0}, "steps must be at least 1, but is 0"),
        ({"smoothing": 0}, "smoothing must be more than 0, but is 0"),
        ({"word_smoothing": -1}, "word_smoothing must be more than 0, but is -1"),
    ],
)
def test_wrong_settings_are_refused(setting, message):
    with pytest.raises(ValueError, match=message):
        HMMCrowd(**setting)
