from functools import partial

import numpy as np
import pytest

from aggregation.files.data import BadFile
from experiments.crf.corpus import read_corpus, synthetic_corpus
from experiments.crf.trials import TEST, TRAIN, TrialPlan, Trials, run_trials
from tests.experiments.crf.typed import typed_file


@pytest.fixture(scope="module")
def corpus():
    return synthetic_corpus(12, seed=0)


@pytest.fixture
def file(tmp_path):
    return typed_file(tmp_path / "typed.jsonl")


def made(counts, *, by_document=False, true_f1=None, found_f1=None):
    counts = np.asarray(counts, dtype=float)
    n_runs, n_methods = counts.shape[:2]
    nothing = np.zeros((n_runs, 1))
    return Trials(
        ("crf-ma", "crf-conc")[:n_methods],
        {TRAIN: counts, TEST: counts},
        nothing if true_f1 is None else np.array(true_f1),
        np.zeros((n_runs, n_methods, 1)) if found_f1 is None else np.array(found_f1),
        np.ones((n_runs, n_methods)),
        by_document,
    )


def test_shares_are_of_the_sums_over_documents():
    # right, predicted, gold, and two that are for relaxed scores
    trials = made([[[[1, 2, 4, 0, 0], [2, 2, 2, 0, 0]]]])
    np.testing.assert_allclose(trials.shares(TEST, "crf-ma"), [[75.0, 50.0, 60.0]])


def test_a_method_that_finds_nothing_has_zeros():
    assert made([[[[0, 0, 4, 0, 0]]]]).shares(TEST, "crf-ma").tolist() == [[0.0, 0.0, 0.0]]


def test_one_run_has_no_error_unless_documents_take_its_place():
    counts = [[[[1, 2, 4, 0, 0], [2, 2, 2, 0, 0]], [[1, 2, 4, 0, 0], [1, 2, 2, 0, 0]]]]
    assert np.isnan(made(counts).error(TEST, "crf-ma")).all()
    assert np.isnan(made(counts).p_value(TEST, "crf-conc"))
    assert (made(counts, by_document=True).error(TEST, "crf-ma") > 0).all()
    assert 0 < made(counts, by_document=True).p_value(TEST, "crf-conc") < 1


def test_rmse_is_over_annotators_whose_f1_is_known():
    trials = made(
        np.ones((1, 2, 1, 5)),
        true_f1=[[50.0, 60.0, np.nan]],
        found_f1=[[[53.0, 56.0, np.nan], [50.0, 60.0, 70.0]]],
    )
    assert trials.rmse("crf-ma")[0] == pytest.approx(np.sqrt((9 + 16) / 2))
    assert trials.rmse("crf-conc")[0] == 0.0


def test_votes_and_fields_on_simulated_annotators(corpus):
    plan = TrialPlan("flips", methods=("mv-token", "mv-seg", "crf-conc", "crf-gold"), repeats=2)
    told = []
    trials = run_trials(plan, corpus, told.append)
    assert trials.methods == ("mv-token", "crf-conc", "crf-gold")
    assert plan.absences(corpus) == {
        "mv-seg": "with one type of span the paper takes it as MVtoken"
    }
    assert sum(told) == 6
    assert trials.counts[TEST].shape == (2, 3, 6, 5)
    assert trials.true_f1.shape == (2, 5)
    assert (np.diff(trials.true_f1, axis=1) < 0).all()
    assert trials.shares(TRAIN, "crf-gold")[0, 2] > 95
    gold = trials.shares(TEST, "crf-gold")
    assert gold[0].tolist() == gold[1].tolist()
    assert (trials.counts[TRAIN][0, 0] != trials.counts[TRAIN][1, 0]).any()


def test_more_repeats_leave_the_first_ones_as_they_were(corpus):
    plan = partial(TrialPlan, "flips", methods=("crf-gold", "mv-token"))
    one, two = (run_trials(plan(repeats=n), corpus) for n in (1, 2))
    np.testing.assert_array_equal(two.counts[TEST][:1], one.counts[TEST])
    np.testing.assert_array_equal(two.true_f1[:1], one.true_f1)


def test_votes_do_not_apply_where_nothing_is_labelled_twice(corpus):
    plan = TrialPlan("noise-single", methods=("mv-token", "crf-gold"), repeats=1)
    assert run_trials(plan, corpus).methods == ("crf-gold",)
    with pytest.raises(ValueError, match=r"None of the methods applies.*no text is labelled twice"):
        run_trials(TrialPlan("noise-single", methods=("mv-seq", "multi-crf")), corpus)


def test_eq_15_is_for_those_who_all_label_everything(corpus):
    for plan, reason in (
        (TrialPlan("flips", methods=("crf-ma-printed",)), ""),
        (TrialPlan("noise-single", methods=("crf-ma-printed",)), "eq. 15 holds only"),
        (TrialPlan("crowd", methods=("crf-ma-printed",)), "eq. 15 holds only"),
    ):
        told = plan.absences(corpus).get("crf-ma-printed", "")
        assert told.startswith(reason)
        assert bool(told) == bool(reason)


def test_a_crowd_is_run_once_and_learnt_from_where_somebody_labelled(file):
    corpus = read_corpus(file, 0, labelled=True)
    plan = TrialPlan("crowd", methods=("mv-token", "mv-seg"), repeats=5)
    trials = run_trials(plan, corpus)
    assert plan.n_runs == trials.n_runs == 1
    assert trials.by_document
    assert trials.true_f1.shape == (1, 5)
    assert corpus.train.text.n_documents == corpus.test.text.n_documents == 6


def test_halves_of_a_file_are_of_the_seed(file):
    one, same, other = (read_corpus(file, seed, labelled=False) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one.train.text.words, same.train.text.words)
    assert one.train.text.words.tolist() != other.train.text.words.tolist()


def test_a_crowd_of_the_train_half_says_what_the_file_says(file):
    corpus = read_corpus(file, 0, labelled=True)
    crowd, whole = corpus.crowd, corpus.whole
    assert 0 < crowd.n_labels < whole.n_labels
    words = [corpus.train.text.vocabulary[w] for w in corpus.train.text.words]
    said = {(words[t], crowd.tags[label]) for t, label in zip(crowd.token, crowd.label)}  # noqa: B905
    assert ("Ada", "B-LOC") not in said
    assert ("Ada", "B-PER") in said


def test_texts_without_a_crowd_have_no_experiment_of_one(corpus):
    with pytest.raises(ValueError, match="'crowd' is of a real crowd"):
        run_trials(TrialPlan("crowd", methods=("mv-token",)), corpus)


def test_files_that_cannot_be_used_are_told(tmp_path):
    without = typed_file(tmp_path / "none.jsonl", gold=False)
    with pytest.raises(BadFile, match="has gold for fewer than two documents"):
        read_corpus(without, 0, labelled=False)
    items = tmp_path / "items.csv"
    items.write_text("worker,item,label,gold\nw,i,a,a\nw,j,b,b\n")
    with pytest.raises(BadFile, match="holds items"):
        read_corpus(items, 0, labelled=False)
    silent = typed_file(tmp_path / "silent.jsonl", workers=0)
    with pytest.raises(BadFile, match="Nobody labelled a sentence"):
        read_corpus(silent, 0, labelled=True)


def test_a_method_for_which_another_stood_in_is_told(corpus):
    """Twelve short documents are too few for touchstone; each run would say so, it is told once."""
    plan = TrialPlan("noise", ("mv-token", "touchstone"), repeats=2)
    (note,) = run_trials(plan, corpus).notes["touchstone"]
    assert "stood in for touchstone" in note


def test_tokens_by_themselves_take_part(corpus):
    trials = run_trials(TrialPlan("flips", ("dawid-skene", "crf-gold"), repeats=2), corpus)
    shares = trials.shares(TRAIN, "dawid-skene")
    assert (shares[:, 2] > 80).all()
    assert np.isfinite(trials.rmse("dawid-skene")).all()
