import numpy as np
import pytest

from aggregation.algorithms.sequences.crf.text import Text
from selection.algorithms import (
    Documents,
    DocumentTags,
    EntityTagger,
    FeatureClassifier,
    Labelled,
    LogisticRegression,
    Pool,
    Scores,
    SparsePairs,
    Uncertainty,
    cross_validate,
)

TAGS = ("B-PER", "I-PER", "O")
NAMES = ("Ada", "Bob", "Cy", "Dora", "Eve", "Fay", "Gus", "Hal")
WORDS = ("the", "old", "house", "was", "near", "a", "river")


def corpus(n=40, seed=0):
    """Documents of two sentences; a capital begins a name."""
    rng = np.random.default_rng(seed)
    sentences, tags = [], []
    for _ in range(2 * n):
        named = rng.random(6) < 0.3
        sentences.append([str(rng.choice(NAMES if is_name else WORDS)) for is_name in named])
        tags.append(np.where(named, 0, 2))
    text = Text.of(sentences, np.arange(0, 2 * n + 1, 2))
    examples = Documents(text)
    return examples, DocumentTags(np.eye(3)[np.concatenate(tags)], examples.token_starts())


def test_it_learns_names_from_documents():
    examples, targets = corpus()
    scores = cross_validate(EntityTagger(tags=TAGS), examples, targets, folds=2)
    assert scores.counts.sum() == len(targets.posterior)
    assert scores.f1[0] > 0.95


def test_documents_can_be_taken_in_any_order():
    examples, targets = corpus(5)
    some, theirs = examples[[3, 1]], targets[[3, 1]]
    assert len(some) == len(theirs) == 2
    starts = examples.token_starts()
    words = np.concatenate([examples.text.words[starts[i] : starts[i + 1]] for i in (3, 1)])
    assert (some.text.words == words).all()
    assert some.text.documents.tolist() == [0, 2, 4]
    assert theirs.starts.tolist() == [0, 12, 24]
    assert (theirs.posterior[:12] == targets.posterior[starts[3] : starts[4]]).all()


def test_uncertainty_is_how_many_tokens_are_expected_to_be_wrong():
    examples, targets = corpus()
    tagger = EntityTagger(tags=TAGS).fit(examples[np.arange(6)], targets[np.arange(6)])
    found = tagger.uncertainty(examples)
    marginals = tagger.tagger_.marginals(examples.text)
    said = tagger.predict(examples)
    wrong = 1 - marginals[np.arange(len(said)), said]
    assert found == pytest.approx(wrong.reshape(-1, 12).sum(axis=1))


def test_pickers_take_it_as_any_learner():
    examples, targets = corpus()
    held = SparsePairs(np.eye(40))
    pool = Pool(held, np.eye(40), np.eye(40), documents=examples)
    items = np.arange(4)
    picker = Uncertainty(pool, learner=EntityTagger(tags=TAGS), start=None)
    found = picker.pick(Labelled(items, targets[items]), items[:0], np.arange(4, 40), 5)
    scores = EntityTagger(tags=TAGS).fit(examples[items], targets[items]).uncertainty(examples)
    assert found.items.tolist() == (4 + np.argsort(-scores[4:], kind="stable")[:5]).tolist()


def test_sentences_that_nobody_judged_teach_nothing():
    examples, targets = corpus(6)
    partly = DocumentTags(targets.posterior.copy(), targets.starts)
    partly.posterior[6:12] = np.nan
    fitted = EntityTagger(tags=TAGS).fit(examples, partly)
    assert Scores(fitted.confusion(examples, partly)).counts.sum() == 6 * 12 - 6
    partly.posterior[:] = np.nan
    with pytest.raises(ValueError, match="nothing is labelled"):
        EntityTagger(tags=TAGS).fit(examples, partly)


def test_tags_of_one_kind_do_not_teach():
    _, targets = corpus(6)
    assert Labelled(np.arange(6), targets).teaches
    same = DocumentTags(np.eye(3)[np.full(72, 2)], targets.starts)
    assert not Labelled(np.arange(6), same).teaches


def test_what_does_not_suit_is_named():
    examples, targets = corpus(4)
    with pytest.raises(ValueError, match="other lengths than the examples"):
        EntityTagger(tags=TAGS).fit(examples[[0, 1]], targets)
    with pytest.raises(ValueError, match="but there are 48 tokens"):
        DocumentTags(targets.posterior[:5], targets.starts)
    pool = Pool(SparsePairs(np.eye(4)), np.eye(4), np.eye(4))
    with pytest.raises(ValueError, match="the pool has no documents"):
        pool.examples("documents")
    assert pool.examples(LogisticRegression.sees) is pool.vectors


def test_it_comes_back_from_its_file(tmp_path):
    examples, targets = corpus()
    fitted = EntityTagger(tags=TAGS, sigma2=2.0).fit(examples, targets)
    fitted.save(tmp_path / "model.npz")
    again = EntityTagger.load(tmp_path / "model.npz")
    assert (again.classes, again.sigma2) == (TAGS, 2.0)
    assert (again.predict(examples) == fitted.predict(examples)).all()
    with pytest.raises(ValueError, match="no classifier"):
        FeatureClassifier.load(tmp_path / "model.npz")
