"""Labels drawn together with their workers: against all truths there may be, and how often they
hold."""

from itertools import product

import numpy as np
import pytest
from scipy.special import betaln, logsumexp, ndtr

from evaluation.algorithms.imputation import (
    ACCURACY,
    NO,
    STRENGTH,
    UNSURE,
    YES,
    Answers,
    impute,
)
from evaluation.algorithms.label_noise import LabelNoise

# Of four claims two workers, and of the last a third of whom nothing else is known.
CLAIM = np.array([0, 0, 1, 1, 2, 2, 3, 3])
WORKER = np.array([0, 1, 0, 1, 0, 1, 0, 2])
SAID = np.array([YES, YES, YES, NO, NO, NO, UNSURE, YES])
ANSWERS = Answers(CLAIM, WORKER, SAID)
NOBODY = np.zeros((4, 0))


def exact():
    """Of all truths: means and covariances of the claims."""
    right, wrong = (
        one.ravel()
        for one in np.broadcast_arrays(
            STRENGTH[:, None] * ACCURACY, STRENGTH[:, None] * (1 - ACCURACY)
        )
    )
    b = np.linspace(-6, 6, 2001)
    normal = np.exp(-(b**2) / 2)
    truths = np.array(list(product((0, 1), repeat=4)))
    logs = []
    for truth in truths:
        log = np.log((ndtr(b) ** truth.sum() * ndtr(-b) ** (4 - truth.sum()) * normal).sum())
        for f in (NO, YES):
            here = truth[CLAIM] == f
            told = here & (SAID != UNSURE)
            log += betaln((here & ~told).sum() + 0.5, told.sum() + 4.5)
            each = np.zeros(len(right))
            for w in range(3):
                mine = told & (w == WORKER)
                fits = int((SAID[mine] == f).sum())
                each += betaln(right + fits, wrong + mine.sum() - fits) - betaln(right, wrong)
            log += logsumexp(each)
        logs.append(log)
    share = np.exp(np.array(logs) - logsumexp(logs))
    return share @ truths, np.cov(truths.T, aweights=share, ddof=0)


def test_draws_agree_with_all_truths_that_there_may_be():
    means, covariances = exact()
    found = impute(ANSWERS, NOBODY, draws=1500, seed=1)
    assert found.correct == pytest.approx(means, abs=0.03)
    shared = found.shared.T @ found.shared / len(found.shared)
    apart = ~np.eye(4, dtype=bool)
    assert covariances[apart].min() > 0.01  # claims are wrong together
    assert shared[apart] == pytest.approx(covariances[apart], abs=0.01)


def test_what_is_known_stays_and_teaches_and_a_seed_draws_the_same():
    plain = impute(ANSWERS, NOBODY, seed=3)
    assert (impute(ANSWERS, NOBODY, seed=3).shared == plain.shared).all()
    known = np.array([np.nan, 0.0, np.nan, np.nan])
    found = impute(ANSWERS, NOBODY, known=known, seed=3)
    assert found.correct[1] == 0
    assert not found.shared[:, 1].any()
    # Worker 0, who was wrong there, says less of claim 0.
    assert found.correct[0] < plain.correct[0]
    # Answers that count as less are surer of less.
    half = impute(ANSWERS, NOBODY, worth=np.full(4, 0.3), seed=3)
    assert half.correct[0] < plain.correct[0]
    assert half.correct[2] > plain.correct[2]


def test_where_workers_differ_the_systems_that_claim_it_tell():
    """Two workers who err: one system is right in .9 of its claims and the other in .2."""
    rng = np.random.default_rng(0)
    mine = np.repeat([0, 1], 60)
    truth = rng.random(120) < np.where(mine == 0, 0.9, 0.2)
    claim, worker = np.repeat(np.arange(120), 2), np.tile([0, 1], 120)
    said = np.where(rng.random(240) < 0.85, truth[claim], ~truth[claim]).astype(int)
    found = impute(Answers(claim, worker, said), np.eye(2)[mine]).correct
    differ = said[::2] != said[1::2]
    assert found[differ & (mine == 0)].mean() > 0.7
    assert found[differ & (mine == 1)].mean() < 0.4


def test_the_share_that_is_true_is_held_as_often_as_intervals_say():
    """Two workers who err in .1 of 60 claims, again and again."""
    together = alone = 0
    repetitions, each = 25, np.full((1, 60), 1 / 60)
    claim, worker = np.repeat(np.arange(60), 2), np.tile([0, 1], 60)
    for seed in range(repetitions):
        rng = np.random.default_rng(seed)
        truth = rng.random(60) < 0.6
        said = np.where(rng.random(120) < 0.9, truth[claim], ~truth[claim]).astype(int)
        found = impute(Answers(claim, worker, said), np.zeros((60, 0)), draws=40)
        far = abs(found.correct.mean() - truth.mean()) / 1.645
        independent = LabelNoise(found.correct, np.ones(60))
        shared = LabelNoise(found.correct, np.ones(60), found.shared)
        alone += far < independent.variance(each)[0] ** 0.5
        together += far < shared.variance(each)[0] ** 0.5
    assert together >= 0.8 * repetitions
    assert alone < 0.7 * repetitions


def test_noise_of_labels_is_that_of_all_labels_there_may_be():
    share = np.array([[0.9, 0.2, 0.5], [0.5, 0.6, 0.7]])  # by each of two draws
    correct, weight = share.mean(axis=0), np.array([[0.5, 0.3, -0.4], [1.0, 0.0, 0.0]])
    labels = LabelNoise(correct, np.ones(3), share - correct)
    sums, chance = [], []
    for row in share:
        for truth in product((0, 1), repeat=3):
            sums.append(weight @ truth)
            chance.append(0.5 * np.prod(np.where(truth, row, 1 - row)))
    whole = np.cov(np.array(sums).T, aweights=chance, ddof=0)
    assert labels.variance(weight) == pytest.approx(np.diag(whole))
    drawn = labels.drawn(np.random.default_rng(1), 40_000) @ weight.T
    assert np.cov(drawn.T) == pytest.approx(whole, abs=0.005)
    # Of what is drawn from many more claims the rest stays, whatever share was drawn.
    few = LabelNoise(correct, np.full(3, 1e-9), share - correct)
    assert few.variance(weight) == pytest.approx(((share - correct) @ weight.T).var(axis=0))
    with pytest.raises(ValueError, match="a column for each"):
        LabelNoise(correct, np.ones(3), share[:, :2])
