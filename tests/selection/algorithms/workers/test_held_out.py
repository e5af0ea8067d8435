import numpy as np
import pytest

from selection.algorithms import best_workers, crowd_score, unbiased_scores
from selection.algorithms.workers.held_out import SPLITS, held_out_crowd


def judge_of(classes, budget, chosen=None):
    def judge(number, mean, variance):
        right = np.nan_to_num(mean) * number
        found = best_workers(
            right, number, n_classes=classes, budget=budget, rng=np.random.default_rng(0)
        )
        if chosen is not None:
            chosen.append(found.chosen)
        return found.chosen, unbiased_scores(right, number, classes)

    return judge


def crowd(seed, workers=20, questions=12):
    rng = np.random.default_rng(seed)
    accuracy = 0.5 + 0.5 * rng.beta(2, 2, workers)
    worker, question = np.nonzero(np.ones((workers, questions)))
    score = (rng.random(len(worker)) < accuracy[worker]).astype(float)
    return worker, question, score, accuracy


def test_it_holds_what_the_chosen_are_truly_worth():
    """Of eight crowds; the F that chose is too high in nearly all of them."""
    held, errors, too_high = [], [], []
    for seed in range(8):
        worker, question, score, accuracy = crowd(seed, questions=20)
        chosen = []
        found = held_out_crowd(
            worker, question, score, judge_of(2, 5, chosen),
            rng=np.random.default_rng(seed), replicates=40,
        )  # fmt: skip
        q = (2 * accuracy - 1) ** 2
        truth = np.mean([crowd_score(q[each]) for each in chosen[: 2 * SPLITS]])
        held.append(found.low <= truth <= found.high)
        errors.append(found.value - truth)
        right = np.bincount(worker, score)
        lot = np.random.default_rng(0)
        best = best_workers(right, np.full(20, 20), n_classes=2, budget=5, rng=lot)
        too_high.append(best.crowd - crowd_score(q[best.chosen]))
    assert sum(held) >= 6
    assert abs(np.mean(errors)) < 0.15
    assert np.mean(too_high) > 0.1


def test_which_sets_are_chosen_makes_no_width():
    """Scores that no question changes, of sets by lot: each F is exact, however far they differ."""
    worker, question, _, accuracy = crowd(1)
    lot = np.random.default_rng(4)

    def judge(number, mean, variance):
        return lot.choice(20, 5, replace=False), mean

    found = held_out_crowd(
        worker, question, accuracy[worker], judge, rng=np.random.default_rng(0), replicates=20
    )
    assert found.low == pytest.approx(found.value) == found.high


def test_the_seed_decides():
    worker, question, score, _ = crowd(3)
    found = [
        held_out_crowd(
            worker, question, score, judge_of(2, 5), rng=np.random.default_rng(seed), replicates=5
        )
        for seed in (1, 1, 2)
    ]
    assert found[0] == found[1] != found[2]
    assert found[0].workers == 20


@pytest.mark.parametrize(
    ("worker", "question"),
    [([], []), ([0] * 9, range(9)), ([0, 0, 0, 1, 1, 1], [0, 1, 2] * 2), ([0, 1] * 4, [0] * 8)],
)
def test_with_too_little_gold_nothing_is_said(worker, question):
    answers = list(worker), list(question), [1.0] * len(worker)
    rng = np.random.default_rng(0)
    assert held_out_crowd(*answers, judge_of(2, 5), rng=rng) is None
