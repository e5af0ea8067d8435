"""Bayesian sequence combination: what it finds in crowds whose truth is known."""

import numpy as np
import pytest

from aggregation.algorithms import MVtoken, calibration_of
from aggregation.algorithms.sequences.bsc import BSCacc, BSCcm, BSCcv, BSCmace, BSCseq
from tests.aggregation.algorithms.tagging import (
    TAGS,
    B,
    I,
    O,
    behaving,
    careful,
    drawn,
    early,
    idle,
    misses,
    splits,
    too_long,
)


def alike(tables):
    """P(said | true) of shape (n_workers, true, said), whatever was said before."""
    return np.repeat(np.asarray(tables)[:, :, None, :], 3, axis=2)


def right(correct):
    """Shape (n_workers, true, said); `correct`, shape (n_workers, true)."""
    correct = np.asarray(correct)[:, :, None]
    return np.where(np.eye(3, dtype=bool), correct, (1 - correct) / 2)


# --- Recovery -----------------------------------------------------------------------------------


def test_accuracies_are_recovered():
    correct = np.array([0.9, 0.8, 0.7, 0.6, 0.5])
    crowd = drawn(seed=1, said=alike(right(np.repeat(correct[:, None], 3, 1))))
    found = BSCacc().fit(crowd.sequences).reliability_
    assert found.parameters["correctness"] == pytest.approx(correct, abs=0.04)
    assert found.confusion[0] == pytest.approx(right([[0.9] * 3])[0], abs=0.04)


def test_accuracies_by_tag_are_recovered():
    correct = np.array([[0.9, 0.6, 0.95], [0.6, 0.9, 0.8], [0.8, 0.8, 0.9], [0.7, 0.7, 0.7]])
    found = BSCcv().fit(drawn(seed=2, said=alike(right(correct))).sequences).reliability_
    assert found.parameters["class_accuracy"] == pytest.approx(correct, abs=0.06)


def test_honesty_and_strategy_are_recovered():
    honesty = np.array([0.9, 0.7, 0.5, 0.2])
    strategy = np.array([[0.2, 0.2, 0.6], [0.8, 0.1, 0.1], [0.1, 0.1, 0.8], [0.1, 0.8, 0.1]])
    spam = (1 - honesty)[:, None, None] * strategy[:, None, :]
    crowd = drawn(seed=3, said=alike(honesty[:, None, None] * np.eye(3) + spam), n_sequences=900)
    found = BSCmace(factor=1.0).fit(crowd.sequences).reliability_.parameters
    assert found["honesty"] == pytest.approx(honesty, abs=0.06)
    assert found["strategy"][1:] == pytest.approx(strategy[1:], abs=0.1)


def test_confusion_matrices_are_recovered():
    rng = np.random.default_rng(4)
    tables = np.stack([[rng.dirichlet(1 + 12 * np.eye(3)[j]) for j in range(3)] for _ in range(4)])
    found = BSCcm(diagonal=1).fit(drawn(seed=4, said=alike(tables), n_sequences=900).sequences)
    assert found.reliability_.confusion == pytest.approx(tables, abs=0.06)


def sequential_tables(n_workers, rng):
    """Shape (n_workers, true, previous, said)."""
    table = np.empty((n_workers, 3, 3, 3))
    for w, true, before in np.ndindex(n_workers, 3, 3):
        weight = 0.6 + 9.0 * np.eye(3)[true] + 2.0 * rng.random(3)
        if before == O:
            weight[I] = 1e-9
        table[w, true, before] = rng.dirichlet(weight)
    return table


def test_sequential_tables_are_recovered():
    tables = sequential_tables(4, np.random.default_rng(5))
    crowd = drawn(seed=5, said=tables, n_sequences=1500)
    found = BSCseq(factor=1).fit(crowd.sequences).reliability_.parameters
    often = found["sequential_weight"] > 300
    assert often.sum() > 16
    assert found["sequential"][often] == pytest.approx(tables[often], abs=0.1)
    assert found["sequential"].sum(axis=3) == pytest.approx(np.ones((4, 3, 3)))


@pytest.mark.parametrize("method", [BSCacc, BSCmace, BSCcv, BSCcm, BSCseq])
def test_posteriors_are_calibrated(method):
    correct = np.repeat(np.array([0.9, 0.8, 0.7, 0.6, 0.55, 0.5])[:, None], 3, axis=1)
    crowd = drawn(seed=6, said=alike(right(correct)), n_sequences=800)
    fitted = method().fit(crowd.sequences)
    chosen = fitted.marginal_predict()
    found = calibration_of(fitted.posterior_.max(axis=1), chosen == crowd.truth)
    assert found.error < 0.03


def test_intervals_hold_the_accuracies():
    correct = np.linspace(0.5, 0.95, 12)
    said = alike(right(np.repeat(correct[:, None], 3, axis=1)))
    crowd = drawn(seed=7, said=said, n_sequences=600, redundancy=4)
    found = BSCacc().fit(crowd.sequences).reliability_
    assert ((found.low <= correct) & (correct <= found.high)).sum() >= 10


# --- Which model for which crowd ----------------------------------------------------------------


def with_habits(rng, n_workers=5):
    """P(said | true, said before) of workers who split spans, make them too long, and miss some;
    where O is true after O, or B is, all are alike.
    """
    table = np.zeros((n_workers, 3, 3, 3))
    for w in range(n_workers):
        sees, split, long = rng.uniform(0.5, 0.9), rng.uniform(0, 0.6), rng.uniform(0, 0.7)
        table[w, B] = sees, (1 - sees) / 2, (1 - sees) / 2
        table[w, B, O] = sees, 0, 1 - sees
        table[w, I] = split, 0.95 - split, 0.05
        table[w, I, O] = 0.15, 0, 0.85
        table[w, O] = 0.05, long, 0.95 - long
        table[w, O, O] = 0.05, 0, 0.95
    return table


@pytest.mark.parametrize("seed", [8, 9, 10])
def test_seq_wins_where_errors_depend_on_what_was_said_before(seed):
    moves = np.array([[0.05, 0.7, 0.25], [0.05, 0.55, 0.4], [0.2, 0.0, 0.8]])
    tables = with_habits(np.random.default_rng(seed))
    crowd = drawn(seed=seed, said=tables, n_sequences=500, moves=moves)
    seq = crowd.f1(BSCseq(text=0).fit(crowd.sequences))
    others = [crowd.f1(m(text=0).fit(crowd.sequences)) for m in (BSCacc, BSCmace, BSCcv, BSCcm)]
    assert seq > max(*others, crowd.f1(MVtoken().fit(crowd.sequences))) + 0.05


def test_seq_does_not_lose_where_they_do_not():
    rng = np.random.default_rng(9)
    tables = np.stack([[rng.dirichlet(1 + 10 * np.eye(3)[j]) for j in range(3)] for _ in range(6)])
    crowd = drawn(seed=9, said=alike(tables), n_sequences=600)
    seq, matrix = (crowd.f1(m(text=0).fit(crowd.sequences)) for m in (BSCseq, BSCcm))
    assert seq > matrix - 0.02


def test_words_and_moves_help():
    rng = np.random.default_rng(10)
    tables = np.stack([[rng.dirichlet(1 + 4 * np.eye(3)[j]) for j in range(3)] for _ in range(6)])
    crowd = drawn(seed=10, said=alike(tables), n_sequences=500, redundancy=2)
    both, no_text, no_moves = (
        np.mean(BSCseq(text=text, transitions=moves).fit(crowd.sequences).predict() == crowd.truth)
        for text, moves in ((1, 1), (0, 1), (1, 0))
    )
    assert both > no_text
    assert both > no_moves


# --- Tendencies that the paper names ------------------------------------------------------------


@pytest.fixture(scope="module")
def habits():
    """P(said | true, said before) of a careful worker and of five with habits, and the fit."""
    workers = (careful, careful, careful, splits, too_long, early, misses, idle)
    crowd = behaving(*workers, seed=11, n_sequences=400)
    fitted = BSCseq().fit(crowd.sequences)
    assert crowd.f1(fitted) > 0.95
    return {
        worker.__name__: fitted.reliability_.parameters["sequential"][w]
        for w, worker in enumerate(workers)
    }


def test_a_spammer_has_a_high_accuracy_under_acc_and_is_seen_through_by_the_others():
    """Nine in ten tokens are O, and they say nothing else."""
    moves = np.array([[0.0, 0.5, 0.5], [0.0, 0.3, 0.7], [0.05, 0.0, 0.95]])
    tables = alike(right([[0.8] * 3] * 3 + [[0.0, 0.0, 1.0]] * 2))
    tables[3:] = np.eye(3)[O]
    crowd = drawn(seed=12, said=tables, moves=moves, redundancy=5, n_sequences=800)
    accuracy = BSCacc().fit(crowd.sequences).reliability_.parameters["correctness"]
    assert (accuracy[3:] > 0.85).all()
    assert accuracy[3:].min() > accuracy[:3].max()  # the best of all, it seems
    mace = BSCmace(diagonal=1, factor=1).fit(crowd.sequences).reliability_.parameters
    assert mace["honesty"][3:].max() < mace["honesty"][:3].min() - 0.3
    assert (mace["strategy"][3:, O] > 0.95).all()
    for method in (BSCcm(diagonal=1), BSCseq()):
        table = method.fit(crowd.sequences).reliability_.confusion
        assert (table[3:, :, O] > 0.9).all()
        assert (table[:3, [B, I], [B, I]] > 0.6).all()
    accuracy = BSCcv().fit(crowd.sequences).reliability_.parameters["class_accuracy"]
    assert (accuracy[3:, B] < 0.2).all()


def test_splitting_shows_as_b_within_a_span(habits):
    """pi_I,I,B and pi_I,B,B of the paper."""
    assert habits["splits"][I, I, B] > 0.3
    assert habits["splits"][I, B, B] > 0.3
    for name in ("careful", "too_long", "misses"):
        assert habits[name][I, I, B] < 0.1
    assert habits["splits"][I, I, B] > 3 * habits["splits"][O, O, B]


def test_spans_too_long_show_as_i_after_i_where_o_is_true(habits):
    """pi_O,I,O is below pi_O,O,O."""
    assert habits["too_long"][O, I, I] > 0.3
    assert habits["too_long"][O, O, O] > habits["too_long"][O, I, O] + 0.2
    for name in ("careful", "splits", "misses"):
        assert habits[name][O, I, I] < 0.1


def test_starting_early_shows_as_b_outside_and_i_at_the_first_token(habits):
    assert habits["early"][O, O, B] > 2 * habits["careful"][O, O, B]
    assert habits["early"][B, B, I] > 0.8
    assert habits["careful"][B, O, B] > 0.9


def test_missing_spans_shows_as_o_where_b_is_true(habits):
    assert habits["misses"][B, O, O] > 0.45
    assert habits["misses"][I, O, O] > 0.8
    assert habits["careful"][B, O, O] < 0.1


def test_idling_shows_as_o_whatever_is_true(habits):
    assert (habits["idle"][:, O, O] > 0.95).all()


# --- Untyped tags, gold -------------------------------------------------------------------------


def test_gold_on_some_tokens_teaches_the_tables():
    crowd = behaving(careful, idle, idle, idle, idle, seed=13, n_sequences=120)
    gold = np.full(crowd.sequences.n_tokens, -1)
    gold[:240] = crowd.truth[:240]
    plain = BSCcm(text=0).fit(crowd.sequences)
    taught = BSCcm(text=0, diagonal=1).fit(crowd.sequences, gold=gold)
    assert (taught.predict()[:240] == gold[:240]).all()
    assert crowd.f1(taught) > max(0.9, crowd.f1(plain) - 1e-9)


def test_tags_come_from_the_crowd():
    assert behaving(careful).sequences.tags == TAGS
