import numpy as np
import pytest

from aggregation.algorithms.measures.spans import score_labels
from aggregation.algorithms.sequences.crf.text import Text
from experiments.crf.annotators import (
    annotators_f1,
    answers,
    flipped_tags,
    noisy_tags,
    of_everybody,
    of_one_a_document,
    of_one_each,
)
from experiments.crf.contenders import gold_tagger
from experiments.crf.corpus import Half, synthetic_corpus
from tests.experiments.crf.typed import typed_half

NP = ("B-NP", "I-NP", "O")


@pytest.fixture(scope="module")
def corpus():
    return synthetic_corpus(20, seed=4)


@pytest.fixture(scope="module")
def tagger(corpus):
    return gold_tagger(corpus.train, corpus.tags)


# --- Noise --------------------------------------------------------------------------------------


def test_without_noise_an_annotator_says_what_the_field_says(corpus, tagger):
    said = noisy_tags(tagger, corpus.train.text, [0.0, 0.0], np.random.default_rng(0))
    np.testing.assert_array_equal(said, np.stack([tagger.tag(corpus.train.text)] * 2))


def test_more_noise_makes_worse_annotators_and_leaves_the_field_as_it_was(corpus, tagger):
    half, before = corpus.train, tagger.tag(corpus.train.text)
    said = noisy_tags(tagger, half.text, [0.005, 0.1, 2.0], np.random.default_rng(0))
    f1 = annotators_f1(of_everybody(half, said, corpus.tags), half.gold)
    assert f1[0] > f1[1] > f1[2]
    np.testing.assert_array_equal(tagger.tag(half.text), before)


def test_noise_is_of_the_seed(corpus, tagger):
    one, same, other = (
        noisy_tags(tagger, corpus.train.text, [0.5], np.random.default_rng(seed))
        for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(one, same)
    assert (one != other).any()


# --- Flips --------------------------------------------------------------------------------------


@pytest.mark.parametrize("chance", [0.01, 0.3, 0.7])
def test_as_many_tokens_change_sides_as_the_chance_says(corpus, chance):
    half, outside = corpus.train, len(corpus.tags) - 1
    (said,) = flipped_tags(half, corpus.tags, [chance], np.random.default_rng(0))
    n = half.text.n_tokens
    flipped = ((said == outside) != (half.gold == outside)).sum()
    assert abs(flipped - n * chance) < 4 * np.sqrt(n * chance * (1 - chance))


def test_flips_leave_legal_tags_of_all_types():
    half, tags = typed_half()
    said = flipped_tags(half, tags, [0.0, 0.4, 1.0], np.random.default_rng(3))
    np.testing.assert_array_equal(said[0], half.gold)
    np.testing.assert_array_equal(said[2] == len(tags) - 1, half.gold != len(tags) - 1)
    first = np.zeros(half.text.n_tokens, dtype=bool)
    first[half.text.starts[:-1]] = True
    for row in said:
        names = [tags[label] for label in row]
        for i, name in enumerate(names):
            if name.startswith("I-"):
                assert not first[i]
                assert names[i - 1][1:] == name[1:]
    assert {tags[label] for label in said[1]} == {*tags}


def test_a_span_that_loses_its_first_token_begins_anew_and_two_that_touch_stay_two():
    half = half_of([0, 1, 1, 0, 2])
    rng = np.random.default_rng(0)
    rows = {tuple(flipped_tags(half, NP, [0.2], rng)[0]) for _ in range(200)}
    assert (2, 0, 1, 0, 2) in rows  # the first token is lost
    assert (0, 1, 1, 0, 1) in rows  # the last one is won, for the span before it
    assert (0, 1, 1, 1, 2) not in rows


# --- Who labels what ----------------------------------------------------------------------------


def test_everybody_labels_each_token(corpus):
    half = corpus.train
    said = np.stack([half.gold, np.full(half.text.n_tokens, 2)])
    crowd = of_everybody(half, said, corpus.tags)
    assert crowd.n_labels == 2 * half.text.n_tokens
    per_worker, per_document = answers(crowd)
    assert per_worker.tolist() == [half.text.n_documents] * 2
    assert set(per_document.tolist()) == {2}
    f1 = annotators_f1(crowd, half.gold)
    assert f1.tolist() == [100.0, 0.0]


def test_documents_are_dealt_out_and_each_keeps_one_annotator(corpus):
    half = corpus.train
    said = np.zeros((5, half.text.n_tokens), dtype=np.int64) + np.arange(5)[:, None] % 3
    crowd = of_one_each(half, said, corpus.tags, np.random.default_rng(0))
    per_worker, per_document = answers(crowd)
    assert set(per_document.tolist()) == {1}
    assert per_worker.max() - per_worker.min() <= 1
    np.testing.assert_array_equal(crowd.label, crowd.worker % 3)
    with pytest.raises(ValueError, match="there are 10 documents to learn from, but 11 annotators"):
        of_one_each(half, np.zeros((11, half.text.n_tokens), int), corpus.tags,
                    np.random.default_rng(0))  # fmt: skip


def test_subsampling_leaves_one_annotator_a_document_and_all_that_they_said(corpus):
    half, rng = corpus.train, np.random.default_rng(7)
    said = rng.integers(3, size=(4, half.text.n_tokens))
    crowd = of_everybody(half, said, corpus.tags)
    chosen = [of_one_a_document(half, crowd, np.random.default_rng(s)) for s in range(40)]
    owners = []
    for found in chosen:
        assert set(answers(found)[1].tolist()) == {1}
        assert found.n_labels == half.text.n_tokens
        np.testing.assert_array_equal(found.label, said[found.worker, found.token])
        owners += found.worker[half.text.starts[half.text.documents[:-1]]].tolist()
    # 400 draws of four workers: 100 each, ± 4 standard deviations.
    assert np.abs(np.bincount(owners, minlength=4) - 100).max() < 35


# --- How good they are --------------------------------------------------------------------------


def test_f1_of_annotators_is_of_what_each_labelled():
    half, tags = typed_half()
    rng = np.random.default_rng(0)
    said = np.where(rng.random((3, len(half.gold))) < 0.3, len(tags) - 1, half.gold)
    crowd = of_one_a_document(half, of_everybody(half, said, tags), rng)
    found = annotators_f1(crowd, half.gold)
    for worker in range(3):
        mine = np.isin(np.arange(len(half.gold)), crowd.token[crowd.worker == worker])
        ours = np.where(mine, said[worker], len(tags) - 1)
        truth = np.where(mine, half.gold, len(tags) - 1)
        score = score_labels(ours, truth, tags, half.text.starts).strict()
        assert found[worker] == pytest.approx(100 * score.f1)


def test_f1_of_one_who_labelled_nothing_or_met_no_span_is_not_known():
    half = half_of([2, 2, 2])
    crowd = half.crowd([0, 1, 2], [1, 1, 1], [2, 2, 2], 3, NP)
    assert np.isnan(annotators_f1(crowd, half.gold)).all()
    assert np.isnan(annotators_f1(half.crowd([], [], [], 2, NP), half.gold)).all()


def test_tokens_whose_truth_is_not_known_do_not_count():
    half = half_of([0, 1, 2])
    crowd = half.crowd([0, 1, 2], [0, 0, 0], [0, 1, 0], 1, NP)
    assert annotators_f1(crowd, np.array([0, 1, -1])).tolist() == [100.0]
    assert annotators_f1(crowd, half.gold)[0] == pytest.approx(200 / 3)


def half_of(gold):
    return Half(Text.of([["x"] * len(gold)]), np.array(gold))
