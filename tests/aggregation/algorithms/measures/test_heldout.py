"""Held-out answers: the probability of what a fit has not seen."""

import itertools

import numpy as np
import pytest

from aggregation.algorithms import BSCacc, BSCcm, BSCmace, BSCseq, CrowdSequences
from aggregation.algorithms.measures.heldout import (
    answer_folds,
    held_out_score,
    label_likelihood,
    previous_labels,
)
from tests.aggregation.algorithms.tagging import (
    TAGS,
    B,
    I,
    O,
    behaving,
    careful,
    drawn,
    splits,
    too_long,
)

SMALL = drawn(seed=3, said=np.broadcast_to(np.full((3, 3, 3), 1 / 3), (4, 3, 3, 3)),
              n_sequences=30, length=5).sequences  # fmt: skip


def habitual(seed=5, n_sequences=120):
    """Workers who split spans and make them too long: what they say hangs on what they said."""
    return behaving(careful, splits, too_long, seed=seed, n_sequences=n_sequences).sequences


def test_the_probability_of_a_label_is_that_of_the_model():
    """By hand: two tokens, one worker, a table of what they say."""
    said = CrowdSequences([0, 1], [0, 0], [B, I], starts=[0, 2], n_workers=1, tags=TAGS)
    r = np.array([[0.7, 0.1, 0.2], [0.0, 0.5, 0.5]])
    table = np.full((1, 3, 3, 3), 1 / 3)  # worker, before, said, true
    table[0, O, B] = [0.9, 0.3, 0.2]
    table[0, B, I] = [0.1, 0.8, 0.4]
    expected = [0.7 * 0.9 + 0.1 * 0.3 + 0.2 * 0.2, 0.5 * 0.8 + 0.5 * 0.4]
    np.testing.assert_allclose(label_likelihood(r, table, said), np.log(expected))
    flat = np.array([[[0.8, 0.1, 0.3], [0.1, 0.8, 0.2], [0.1, 0.1, 0.5]]])  # worker, said, true
    expected = [0.7 * 0.8 + 0.1 * 0.1 + 0.2 * 0.3, 0.5 * 0.8 + 0.5 * 0.2]
    np.testing.assert_allclose(label_likelihood(r, flat, said), np.log(expected))


def test_what_was_said_before_is_outside_at_a_start_and_after_a_gap():
    token, worker, label = [4, 0, 3, 1, 0, 5, 1], [0, 0, 0, 0, 1, 0, 1], [B, B, I, I, B, I, O]
    said = CrowdSequences(token, worker, label, starts=[0, 3, 6], n_workers=2, tags=TAGS)
    assert previous_labels(said).tolist() == [I, O, O, B, O, B, B]


@pytest.mark.parametrize("method", [BSCacc, BSCmace, BSCcm, BSCseq])
def test_probabilities_of_all_that_could_be_said_sum_to_one(method):
    fitted = method(max_iter=2).fit(SMALL)
    token = np.arange(SMALL.n_tokens)[::7]
    sums = np.zeros(len(token))
    for tag in range(len(TAGS)):
        told = CrowdSequences(
            token, np.full(len(token), 2), np.full(len(token), tag), starts=SMALL.starts,
            n_workers=SMALL.n_workers, tags=TAGS,
        )  # fmt: skip
        sums += np.exp(fitted.label_likelihood(told))
    np.testing.assert_allclose(sums, 1.0)


def test_an_answer_is_in_one_fold_and_each_worker_keeps_some():
    fold = answer_folds(SMALL, folds=3, seed=1)
    answer = SMALL.sequence_of_token()[SMALL.token] * 10 + SMALL.worker
    assert all(len(set(fold[answer == one])) == 1 for one in np.unique(answer))
    for worker in range(SMALL.n_workers):
        sizes = np.bincount(fold[SMALL.worker == worker], minlength=3) / 5
        assert sizes.max() - sizes.min() <= 1
    assert (fold == answer_folds(SMALL, folds=3, seed=1)).all()
    assert (fold != answer_folds(SMALL, folds=3, seed=2)).any()


def test_the_only_answer_of_a_worker_is_never_held_out():
    said = CrowdSequences(
        [0, 1, 0, 1, 2, 3], [0, 0, 1, 1, 1, 1], [O] * 6, starts=[0, 2, 4], n_workers=3, tags=TAGS
    )
    fold = answer_folds(said)
    assert fold[:2].tolist() == [-1, -1]
    assert fold[2] == fold[3] != fold[4] == fold[5]


def test_the_right_model_of_workers_foresees_best():
    crowd = habitual()
    scores = [held_out_score(method, crowd, folds=3) for method in (BSCseq, BSCcm, BSCacc)]
    assert all(one > other + 0.005 for one, other in itertools.pairwise(scores))


@pytest.mark.parametrize("absurd", [{"factor": 1e5}, {"beta": 1e6}, {"diagonal": 1e6}])
def test_sane_settings_foresee_better_than_absurd_ones(absurd):
    crowd = habitual(n_sequences=60)
    sane, bad = (
        held_out_score(lambda given=given: BSCseq(**given), crowd, folds=2)
        for given in ({}, absurd)
    )
    assert sane > bad


def test_the_score_is_the_same_for_a_seed():
    one, same, other = (held_out_score(BSCcm, SMALL, folds=2, seed=s) for s in (1, 1, 2))
    assert one == same != other


def test_what_cant_be_held_out_is_told():
    alone = CrowdSequences([0, 1], [0, 1], [O, O], starts=[0, 2], n_workers=2, tags=TAGS)
    with pytest.raises(ValueError, match="no worker has answered two sentences or more"):
        held_out_score(BSCcm, alone)
    with pytest.raises(ValueError, match="folds must be at least 2, but is 1"):
        answer_folds(alone, folds=1)
    with pytest.raises(ValueError, match="nothing to judge labels by before a fit"):
        BSCcm().label_likelihood(alone)
    with pytest.raises(ValueError, match="they must be those of the fit"):
        BSCcm(text=0).fit(alone).label_likelihood(
            CrowdSequences([0], [0], [O], starts=[0, 1], n_workers=2, tags=TAGS)
        )
