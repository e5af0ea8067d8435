"""CRF-MA: its E-step by hand, and crowds of which all is known."""

import numpy as np
import pytest
from hypothesis import given, settings

from aggregation.algorithms import CrowdSequences, score_spans, spans_of_labels
from aggregation.algorithms.sequences.crf.text import Text
from aggregation.algorithms.sequences.crf_baselines import CRFConc
from aggregation.algorithms.sequences.crf_ma import (
    CRFMA,
    E_STEPS,
    evidence_of,
    expectation,
    known_f1,
    responsibilities,
    shares_of_f1,
)
from tests.aggregation.algorithms.tagging import TAGS, B, I, O, worded
from tests.aggregation.algorithms.texts import part_of, small, telling

PI, TOLD = np.array([0.2, 0.3, 0.5]), np.array([-3.0, -2.5, -6.0])
N_LABELS = np.array([4, 2, 6])
FEW = {"first_steps": 15, "steps": 5, "max_iter": 4}  # enough for small crowds


def said_by(*, good, bad, n_workers=5):
    """Tables `said[w, true, previous, said]`: the first worker is good, the others bad alike."""
    rows = np.full((n_workers, 3, 3, 3), (1 - bad) / 2)
    for tag in range(3):
        rows[:, tag, :, tag] = bad
        rows[0, tag, :, :] = (1 - good) / 2
        rows[0, tag, :, tag] = good
    return rows


@pytest.fixture(scope="module")
def crowd():
    """One good worker, and four who mostly take insides for outsides."""
    rows = said_by(good=0.97, bad=0.7)
    rows[1:, I, :, :] = [0.05, 0.25, 0.7]
    rows[1:, B, :, :] = [0.5, 0.1, 0.4]
    return telling(seed=0, said=rows, redundancy=5)


# --- The E-step ---------------------------------------------------------------------------------


def test_printed_is_equation_15():
    found = responsibilities(PI, evidence_of(TOLD, N_LABELS, 3, e_step="printed"), scale=1)
    wanted = PI * np.exp(TOLD)
    np.testing.assert_allclose(found, wanted / wanted.sum())


def test_partial_is_equation_12_with_chance_for_the_others():
    evidence = evidence_of(TOLD, N_LABELS, 3, e_step="partial")
    chance = (1 / 3) ** N_LABELS  # p_rand of each worker's labels
    wanted = PI * np.exp(TOLD) * np.prod(chance) / chance
    np.testing.assert_allclose(responsibilities(PI, evidence, scale=1), wanted / wanted.sum())


def test_printed_and_partial_agree_where_everybody_labelled_everything():
    everything = np.full(3, 6)
    printed, partial = (
        responsibilities(PI, evidence_of(TOLD, everything, 3, e_step=form), scale=1)
        for form in ("printed", "partial")
    )
    np.testing.assert_allclose(printed, partial)


def test_token_is_the_geometric_mean_with_the_mean_1():
    found = responsibilities(PI, evidence_of(TOLD, N_LABELS, 3, e_step="token"), scale=3)
    wanted = PI * np.exp(TOLD) ** (1 / N_LABELS)
    np.testing.assert_allclose(found, wanted / wanted.mean())


def test_answers_as_improbable_as_can_be_have_responsibilities_too():
    found = responsibilities(PI, np.array([-1e6, -1e6 - 1, -2e6]), scale=1)
    total = 0.2 + 0.3 / np.e
    np.testing.assert_allclose(found[:2], [0.2 / total, 0.3 / np.e / total])
    assert responsibilities(np.zeros(2), np.zeros(2), scale=1).tolist() == [0, 0]


def test_the_objective_is_equation_14():
    gamma = np.array([1.0, 2.0, 3.0])  # of any scale
    chance = N_LABELS * np.log(1 / 3)
    wanted = sum(
        gamma[r] / 6 * (np.log(PI[r]) + TOLD[r] + chance.sum() - chance[r]) for r in range(3)
    )
    assert expectation(gamma, PI, TOLD, N_LABELS, 3) == pytest.approx(wanted)


def test_shares_are_of_squares():
    everybody = np.ones(2, dtype=bool)
    found = shares_of_f1(np.array([0.8, 0.4]), np.ones(2), everybody)
    np.testing.assert_allclose(found, [0.8, 0.2])
    with_prior = shares_of_f1(np.array([0.8, 0.4]), np.array([1.0, 1.48]), everybody)
    np.testing.assert_allclose(with_prior, [0.5, 0.5])
    assert shares_of_f1(np.zeros(2), np.ones(2), everybody).tolist() == [0.5, 0.5]
    assert shares_of_f1(np.ones(2), np.ones(2), np.array([True, False])).tolist() == [1, 0]


def test_who_met_no_span_is_taken_as_the_others_are():
    learners = np.array([True, True, True, False])
    found = known_f1(np.array([0.6, np.nan, 0.8, 0.1]), learners)
    np.testing.assert_allclose(found, [0.6, 0.7, 0.8, 0.1])
    assert known_f1(np.full(2, np.nan), np.ones(2, dtype=bool)).tolist() == [0, 0]


# --- Crowds -------------------------------------------------------------------------------------


def test_it_finds_the_good_worker_and_beats_all_together(crowd):
    fitted = CRFMA(**FEW).fit(crowd.sequences)
    together = CRFConc(first_steps=40).fit(crowd.sequences)
    assert crowd.f1(fitted) > crowd.f1(together) + 0.2
    for name in ("f1", "pi", "gamma"):
        assert fitted.reliability_.parameters[name].argmax() == 0, name
    assert fitted.reliability_.accuracy.argmax() == 0
    np.testing.assert_allclose(fitted.posterior_.sum(axis=1), 1)
    assert fitted.diagnostics_.iterations == len(fitted.diagnostics_.objective)


@pytest.mark.parametrize("e_step", E_STEPS)
def test_each_e_step_weighs_all_workers(crowd, e_step):
    found = CRFMA(e_step=e_step, **FEW).fit(crowd.sequences).reliability_.parameters
    assert found["gamma"].sum() == pytest.approx(5 if e_step == "token" else 1)
    assert found["gamma"].argmax() == 0
    assert found["pi"].sum() == pytest.approx(1)
    expected = found["f1"] ** 2
    np.testing.assert_allclose(found["pi"], expected / expected.sum())


@pytest.mark.parametrize("e_step", E_STEPS)
def test_its_responsibilities_are_those_of_its_own_field(crowd, e_step):
    fitted = CRFMA(e_step=e_step, **FEW).fit(crowd.sequences)
    tagger, text = fitted.tagger_, Text.of_sequences(crowd.sequences)
    told = np.empty(5)
    for worker in range(5):
        tags = np.empty(text.n_tokens, dtype=int)
        mine = crowd.sequences.worker == worker
        tags[crowd.sequences.token[mine]] = crowd.sequences.label[mine]
        features = tagger.features.transform(text)
        told[worker] = tagger.crf.log_likelihood(features, tags, text.starts).sum()
    if e_step == "token":
        told /= text.n_tokens
    logs = np.log(fitted.reliability_.parameters["pi"]) + told
    wanted = np.exp(logs - logs.max())
    wanted *= (5 if e_step == "token" else 1) / wanted.sum()
    np.testing.assert_allclose(fitted.reliability_.parameters["gamma"], wanted, rtol=1e-6)


def test_each_sequence_may_have_one_worker(crowd):
    sequence = crowd.sequences.sequence_of_token()[crowd.sequences.token]
    alone = part_of(crowd.sequences, crowd.sequences.worker == sequence % 5)
    fitted = CRFMA(**FEW).fit(alone)
    assert fitted.reliability_.parameters["f1"].argmax() == 0
    assert crowd.f1(fitted) > crowd.f1(CRFConc(first_steps=40).fit(alone)) + 0.1


def test_a_random_start_is_its_seeds(crowd):
    first, again, other = (
        CRFMA(start="random", seed=seed, **FEW | {"max_iter": 1}).fit(crowd.sequences)
        for seed in (1, 1, 2)
    )
    assert np.array_equal(first.posterior_, again.posterior_)
    assert not np.allclose(first.posterior_, other.posterior_)


def test_a_prior_can_put_in_a_word_for_a_worker(crowd):
    alpha = np.array([1.0, 1.0, 1.0, 1.0, 9.0])
    fitted = CRFMA(alpha=alpha, **FEW).fit(crowd.sequences)
    assert fitted.reliability_.parameters["pi"].argmax() == 4
    assert alpha.tolist() == [1, 1, 1, 1, 9]


def test_who_labelled_little_is_judged_but_teaches_nothing(crowd):
    sequence = crowd.sequences.sequence_of_token()[crowd.sequences.token]
    kept = (crowd.sequences.worker != 0) | (sequence < 20)
    little = part_of(crowd.sequences, kept)
    found = CRFMA(min_answers=21, **FEW).fit(little).reliability_
    assert found.parameters["gamma"][0] == found.parameters["pi"][0] == 0
    assert found.parameters["f1"][0] > 0
    assert found.judged[0] == 160
    assert (found.parameters["gamma"][1:] > 0).all()
    with pytest.raises(ValueError, match="min_answers is 999, but nobody labelled more than 150"):
        CRFMA(min_answers=999).fit(little)


def test_tokens_left_out_of_answers_are_summed_over(crowd):
    """With one label in five gone, an answer is worth nearly as much."""
    left = np.random.default_rng(0).random(crowd.sequences.n_labels) < 0.8
    fitted = CRFMA(**FEW).fit(part_of(crowd.sequences, left))
    assert crowd.f1(fitted) > crowd.f1(CRFConc(first_steps=40).fit(crowd.sequences))
    assert fitted.reliability_.parameters["gamma"].argmax() == 0


def test_sequences_without_labels_are_tagged_too(crowd):
    sequence = crowd.sequences.sequence_of_token()[crowd.sequences.token]
    fitted = CRFMA(**FEW).fit(part_of(crowd.sequences, sequence < 100))
    tags, starts = fitted.predict()[800:], crowd.sequences.starts[100:] - 800
    ours = spans_of_labels(tags, TAGS, starts)
    theirs = spans_of_labels(crowd.truth[800:], TAGS, starts)
    assert score_spans(ours, theirs).f1 > 0.3


def test_the_tagger_says_of_the_text_what_the_fit_did(crowd):
    fitted = CRFMA(**FEW | {"max_iter": 1}).fit(crowd.sequences)
    text = Text.of_sequences(crowd.sequences)
    assert np.array_equal(fitted.tagger_.tag(text), fitted.predict())
    np.testing.assert_allclose(fitted.tagger_.marginals(text), fitted.posterior_, atol=1e-9)


def test_it_converges_and_says_so(crowd):
    fitted = CRFMA(first_steps=15, steps=5, tol=0.5).fit(crowd.sequences)
    assert fitted.diagnostics_.converged
    assert fitted.diagnostics_.iterations == 2
    assert not CRFMA(**FEW | {"max_iter": 1}, tol=0).fit(crowd.sequences).diagnostics_.converged


def test_the_input_is_left_alone(crowd):
    before = [a.copy() for a in (crowd.sequences.token, crowd.sequences.label)]
    CRFMA(**FEW | {"max_iter": 1}).fit(crowd.sequences)
    assert all(
        np.array_equal(a, b)
        for a, b in zip(before, (crowd.sequences.token, crowd.sequences.label), strict=True)
    )


# --- Odd and bad input --------------------------------------------------------------------------


@given(worded())
@settings(max_examples=25)
def test_any_crowd_is_taken(crowd):
    fitted = CRFMA(first_steps=3, steps=2, max_iter=2).fit(crowd)
    np.testing.assert_allclose(fitted.posterior_.sum(axis=1), 1)
    assert fitted.predict().shape == (crowd.n_tokens,)
    for values in fitted.reliability_.parameters.values():
        assert values.shape == (crowd.n_workers,)
        assert np.isfinite(values).all()


def test_a_worker_without_any_entity_teaches_nothing():
    rows = [[B, I, O, B, O, O], [O] * 6, [B, I, O, B, O, O]]
    found = CRFMA(**FEW).fit(small(rows, [0, 3, 3, 6])).reliability_.parameters
    assert found["f1"][1] == found["gamma"][1] == 0


def test_one_worker_alone_may_use_a_tag():
    """Each of the two has a type of their own."""
    tags = ("B-x", "B-y", "I-x", "I-y", "O")
    given = [(0, 0, 0), (1, 0, 4), (0, 1, 1), (1, 1, 4)]
    token, worker, label = np.array(given).T
    odd = CrowdSequences(
        token, worker, label, starts=[0, 2], n_workers=2, tags=tags, words=[0, 1],
        vocabulary=("A", "b"),
    )  # fmt: skip
    fitted = CRFMA(**FEW).fit(odd)
    assert fitted.predict()[1] == 4
    assert fitted.posterior_[0, :2].sum() > 0.5


def test_nobody_may_have_seen_an_entity():
    fitted = CRFMA(**FEW).fit(small([[O, O], [O, -1]], [0, 1, 2]))
    assert fitted.predict().tolist() == [O, O]
    np.testing.assert_allclose(fitted.reliability_.parameters["pi"], 0.5)


def test_without_words_there_is_no_field():
    bare = CrowdSequences([0], [0], [O], starts=[0, 1], n_workers=1, tags=TAGS)
    with pytest.raises(ValueError, match="CRF-MA needs the words of the tokens"):
        CRFMA().fit(bare)


@pytest.mark.parametrize(
    ("given", "trouble"),
    [
        ({"e_step": "sentence"}, "e_step must be .token., .printed. or .partial."),
        ({"start": "mv"}, "start must be .mv-token. or .random."),
        ({"alpha": 0.5}, "alpha must be a number of at least 1"),
        ({"alpha": np.inf}, "alpha must be a number of at least 1"),
        ({"sigma2": 0}, "sigma2 must be more than 0, but is 0"),
        ({"sigma2": np.inf}, "sigma2 must be more than 0, but is inf"),
        ({"min_answers": 0}, "min_answers must be at least 1"),
        ({"minimum": 0}, "minimum must be at least 1"),
        ({"legal": 2}, "legal must be 0 or 1"),
        ({"steps": 0}, "steps must be at least 1"),
        ({"max_iter": 0}, "max_iter must be at least 1"),
        ({"tol": -1}, "tol must be 0 or more"),
    ],
)
def test_settings_out_of_range_are_refused(given, trouble):
    with pytest.raises(ValueError, match=trouble):
        CRFMA(**given)


def test_a_prior_is_of_all_workers():
    with pytest.raises(ValueError, match="alpha is of 3 workers, but there are 1"):
        CRFMA(alpha=[1, 2, 3]).fit(small([[O]], [0, 1]))
