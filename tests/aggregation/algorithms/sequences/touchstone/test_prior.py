import itertools

import numpy as np
import pytest

from aggregation.algorithms.sequences.crf import Features, Text
from aggregation.algorithms.sequences.states import States
from aggregation.algorithms.sequences.touchstone.prior import TextPrior
from tests.aggregation.algorithms.sequences.touchstone.names import TAGS, names


def prior_of(crowd, *, folds=3, deals=1, scale=1.0, seed=0):
    text = Text.of_sequences(crowd.sequences)
    return TextPrior(
        text,
        np.ones(text.n_sequences, dtype=bool),
        States(TAGS),
        features=Features(outer=1, minimum=2),
        folds=folds,
        deals=deals,
        sigma2=0.3,
        scale=scale,
        seed=seed,
    )


def begun(crowd, r, **settings):
    """A prior whose folds expect what `r` says."""
    prior = prior_of(crowd, **settings)
    prior.believe(np.log(r), np.zeros((5, 5)), np.zeros(5))
    return prior


@pytest.fixture(scope="module")
def crowd():
    return names(n_documents=12)


@pytest.mark.parametrize("deals", [1, 2])
def test_a_document_is_judged_by_others_alone(crowd, deals):
    """What is believed of a document has no part in what its field says of it."""
    r = np.random.default_rng(0).dirichlet(np.ones(5), size=crowd.sequences.n_tokens)
    changed = r.copy()
    changed[:40] = changed[:40, ::-1]  # the first document
    nothing = np.zeros(r.shape)
    found = []
    for believed in (r, changed):
        prior = begun(crowd, believed, deals=deals)
        prior.train(believed, 5)
        found.append(prior.infer(nothing))
    np.testing.assert_array_equal(found[0][:40], found[1][:40])
    assert np.abs(found[0] - found[1]).max() > 1e-3  # but others learn from it


def test_posterior_is_that_of_all_paths_together():
    """By adding up all tags of a short sentence: fields' scores times scale, and what is said."""
    crowd = names(n_documents=4)
    text = Text.of_sequences(crowd.sequences)
    short = Text(text.words, text.vocabulary, np.concatenate(([0, 3], text.starts[1:])), None)
    prior = TextPrior(
        short, np.ones(short.n_sequences, dtype=bool), States(TAGS), features=Features(), folds=2,
        deals=2, sigma2=0.3, scale=1.3, seed=1,
    )  # fmt: skip
    rng = np.random.default_rng(2)
    r = prior.believe(rng.normal(size=(short.n_tokens, 5)), np.zeros((5, 5)), np.zeros(5))
    prior.train(r, 4)
    said = rng.normal(size=r.shape)
    fields = [field for deal in prior._fields for field in deal if 0 in field.tokens]
    assert len(fields) == 2
    scores = said[:3] + 1.3 * np.mean(
        [field.crf.scores(prior._features)[:3] for field in fields], axis=0
    )
    first = 1.3 * np.mean([field.crf.firsts_ for field in fields], axis=0)
    move = 1.3 * np.mean([field.crf.moves_ for field in fields], axis=0)
    chance = np.zeros((3, 5))
    for path in itertools.product(range(5), repeat=3):
        weight = first[path[0]] + sum(move[a, b] for a, b in itertools.pairwise(path))
        total = np.exp(weight + sum(scores[t, tag] for t, tag in enumerate(path)))
        for t, tag in enumerate(path):
            chance[t, tag] += total
    np.testing.assert_allclose(
        prior.infer(said)[:3], chance / chance.sum(axis=1, keepdims=True), atol=1e-9
    )


def test_illegal_tags_are_not_believed(crowd):
    r = np.full((crowd.sequences.n_tokens, 5), 0.2)
    prior = begun(crowd, r)
    prior.train(r, 3)
    believed = prior.infer(np.zeros(r.shape))
    assert believed[::10, 2:4].max() < 1e-9  # no sentence begins inside


def test_folds_part_documents_and_cover_all(crowd):
    prior = prior_of(crowd, folds=5, deals=2)
    for deal in prior._fields:
        tokens = np.concatenate([field.tokens for field in deal])
        np.testing.assert_array_equal(np.sort(tokens), np.arange(crowd.sequences.n_tokens))
        for field in deal:
            assert not {*(field.tokens // 40)} & {*(np.flatnonzero(field.others) // 4)}
    cells = np.concatenate([cell.tokens for cell in prior._cells])
    np.testing.assert_array_equal(np.sort(cells), np.arange(crowd.sequences.n_tokens))


def test_documents_with_labels_are_spread_over_the_folds(crowd):
    """Three of twelve: each field learns from two of them, whatever the seed."""
    text = Text.of_sequences(crowd.sequences)
    counted = text.document_of_sequence() < 3
    for seed in range(8):
        prior = TextPrior(
            text, counted, States(TAGS), features=Features(), folds=3, deals=1, sigma2=0.3,
            scale=1.0, seed=seed,
        )  # fmt: skip
        assert [int(field.others.sum()) for field in prior._fields[0]] == [8, 8, 8]
