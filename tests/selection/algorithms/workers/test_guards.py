"""Guards tell of spammers, and of hardly anybody honest."""

from __future__ import annotations

import numpy as np
import pytest

from selection.algorithms.workers.guards import FEWEST, chance_agreement, same_answer, too_fast
from selection.algorithms.workers.peers import WorkerAnswers, find_peers
from selection.algorithms.workers.poisson_binomial import poisson_binomial_tail
from tests.selection.algorithms.crowds import always, answered, evenly, mostly

WORKERS, UNITS = 30, 60


def same(answers):
    return same_answer(find_peers(answers, np.random.default_rng(0)))


def chance(answers):
    return chance_agreement(find_peers(answers, np.random.default_rng(0)))


def who(flags):
    return np.flatnonzero(flags.flagged).tolist()


# --- Too fast -----------------------------------------------------------------------------------


def hurried(*, workers=WORKERS, units=UNITS, seed=0, pace=()):
    """Worker, task, seconds, words: everybody does every task; `pace` multiplies the seconds."""
    rng = np.random.default_rng(seed)
    worker, task = np.divmod(np.arange(workers * units), units)
    words = rng.integers(20, 200, units)[task]
    seconds = 0.3 * (words + 10) * rng.lognormal(0, 0.4, len(worker))
    for i, factor in dict(pace).items():
        seconds[worker == i] *= factor
    return worker, task, seconds, words


def test_a_hasty_worker_is_told_of_and_a_quick_one_is_not():
    found = too_fast(*hurried(pace={0: 0.05, 1: 0.5}), WORKERS)
    assert who(found) == [0]
    assert found.share[0] > 0.9
    few = (column[: FEWEST - 1] for column in hurried(pace={0: 0.05}))
    assert not too_fast(*few, WORKERS).flagged.any()


def test_one_slow_worker_of_two_does_not_make_the_other_hasty():
    assert who(too_fast(*hurried(workers=2, pace={0: 20}), 2)) == []


def test_of_three_workers_the_hasty_one_is_told_of():
    assert who(too_fast(*hurried(workers=3, pace={0: 0.05}), 3)) == [0]
    assert who(too_fast(*hurried(workers=3, pace={0: 0.05, 1: 0.05}), 3)) == []  # who is usual?


def test_beginners_first_answers_do_not_say_what_is_usual():
    rng = np.random.default_rng(1)
    worker = np.concatenate([np.repeat(np.arange(4), 60), np.arange(4, 44)])
    seconds = np.where(worker < 4, 10.0, 70.0) * rng.lognormal(0, 0.2, len(worker))
    task = np.arange(len(worker))  # one answer each, so that no task has others to compare with
    assert who(too_fast(worker, task, seconds, np.full(len(worker), 50), 44)) == []


def test_tasks_that_are_quick_for_everybody_are_no_haste():
    """What is shown need not be the document: a third of the tasks are one line, whatever it is."""
    worker, task, seconds, words = hurried(workers=6)
    seconds = np.where(task < 20, seconds * 0.05, seconds)
    mine = (worker > 0) | (task < 20)  # worker 0 had the short ones alone
    assert who(too_fast(worker[mine], task[mine], seconds[mine], words[mine], 6)) == []


def test_time_that_was_not_measured_is_no_haste():
    worker, task, seconds, words = hurried(pace={0: 0.0})
    found = too_fast(worker, task, seconds, words, WORKERS)
    assert who(found) == []
    assert found.number[0] == 0


# --- The same answer ----------------------------------------------------------------------------


@pytest.mark.parametrize(("spammer", "least"), [(always(3), 10), (mostly(3), 8)])
def test_one_spammer_among_three_is_found_and_the_two_honest_are_not(spammer, least):
    times = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        found = same(answered(rng, workers=3, each=60, redundancy=3, spam={1: spammer}))
        assert who(found) in ([1], [])
        times += found.flagged[1]
        assert found.content[1] == 3
        assert found.share[1] > 0.8 > 0.5 > found.usual[1]
    assert times >= least


def test_of_three_with_fourteen_answers_the_spammer_is_found():
    """Two find names in 13 of 14 texts, each time others; one says that there are none."""
    task = np.tile(np.arange(14), 3)
    honest = np.where(np.arange(14) == 4, 0, 100 + np.arange(14))
    content = np.concatenate([honest, honest, np.zeros(14, int)])
    words = np.random.default_rng(0).integers(0, 4, (14, 20)) * (honest > 0)[:, None]
    labels = np.concatenate([words, words, np.zeros((14, 20), int)])
    found = same(WorkerAnswers(np.repeat(np.arange(3), 14), task, content, labels, 3, 4))
    assert who(found) == [2]
    assert (found.number[2], found.others[2]) == (14, 28)
    assert found.usual[2] == pytest.approx(2 / 28)


def test_honest_workers_on_easy_tasks_are_not_told_of():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        easy = answered(
            rng, workers=8, each=80, redundancy=3, classes=2, common=0.95, accuracy=0.97
        )
        assert who(same(easy)) == []
    one = answered(rng, workers=3, each=14, redundancy=3, classes=2, common=1.0, accuracy=1.0)
    assert who(same(one)) == []


def test_honest_workers_among_spammers_of_the_rarer_class_are_not_told_of():
    """Nine of ten tasks are "no": the honest repeat themselves, and the spammers never say it."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        for workers, blind in ((3, 1), (3, 2), (10, 5)):
            crowd = answered(
                rng, workers=workers, each=100, redundancy=3, classes=2, common=0.9, accuracy=0.95,
                spam={i: always(1) for i in range(blind)},
            )  # fmt: skip
            assert all(i < blind for i in who(same(crowd)))


def test_a_better_worker_than_peers_who_err_often_is_not_told_of():
    """The truth is "yes" throughout; the others say so in two of three tasks."""
    rng = np.random.default_rng(5)
    tasks, told = 400, 0
    for _ in range(5):
        truth = np.repeat([1, 0], [200, 200])
        said = np.where(rng.random((12, tasks)) < 0.75, truth, 1 - truth)
        said[0] = truth
        worker, task = np.divmod(np.arange(12 * tasks), tasks)
        kept = (worker > 0) | (task < 200)  # worker 0 met no task that is "no"
        crowd = WorkerAnswers.of_classes(worker[kept], task[kept], said.ravel()[kept], 12, 2)
        told += same(crowd).flagged[0]
    assert told == 0


def test_no_flag_rests_on_one_peer_alone():
    """One of four sees a "yes" everywhere, the others say "no" where nine of ten are "no"."""
    yes = np.arange(100) < 10
    for seed in range(10):
        rng = np.random.default_rng(seed)
        often = yes | (rng.random(100) < 0.6)
        said = np.stack([np.arange(100) < 5, yes, yes, often]).astype(int)
        worker, task = np.divmod(np.arange(4 * 100), 100)
        crowd = WorkerAnswers.of_classes(worker, task, said.ravel(), 4, 2)
        assert who(same(crowd)) == who(chance(crowd)) == []


def test_the_test_is_the_tail_of_the_sum_of_what_others_make_plausible():
    rng = np.random.default_rng(6)
    crowd = answered(rng, workers=3, each=30, redundancy=3, spam={0: always(0)})
    others = crowd.content.reshape(-1, 3)[
        np.arange(30)[:, None], np.argsort(crowd.worker.reshape(-1, 3), axis=1)[:, 1:]
    ]
    said = (others == 0).sum(axis=1)
    mu = (1 + said.sum()) / 61
    p = (2 * mu + said) / 4
    tail = poisson_binomial_tail(p + 0.3 * (1 - p), 30)
    assert tail < 0.01 / 3
    found = same(crowd)
    assert who(found) == [0]
    assert found.usual[0] == pytest.approx(said.sum() / 60)


def test_answers_without_content_and_too_few_of_them_say_nothing():
    rng = np.random.default_rng(7)
    crowd = answered(rng, workers=4, each=60, redundancy=3, spam={0: always(3)})
    assert who(same(crowd)) == [0]
    none = np.where(crowd.worker == 0, -1, crowd.content)
    silent = WorkerAnswers(crowd.worker, crowd.task, none, crowd.labels, 4, 4)
    assert who(same(silent)) == []
    first = np.flatnonzero(crowd.worker == 0)[FEWEST - 1 :]
    fewer = np.delete(np.arange(len(crowd.worker)), first)
    few = WorkerAnswers.of_classes(
        crowd.worker[fewer], crowd.task[fewer], crowd.content[fewer], 4, 4
    )
    assert who(same(few)) == []


# --- By chance ----------------------------------------------------------------------------------


def test_guessing_is_told_of_whatever_the_classes_shares():
    for common in (None, 0.6):
        crowd = answered(
            np.random.default_rng(8), workers=20, each=200, redundancy=4, common=common,
            spam={7: evenly(), 9: lambda rng, n: rng.choice(4, n, p=[0.7, 0.1, 0.1, 0.1])},
        )  # fmt: skip
        found = chance(crowd)
        assert who(found) == [7, 9]
        assert abs(found.share[7]) < 0.2 < found.usual[7]


def test_the_honest_are_not_told_of_where_most_guess():
    """The majority of what others say is noise here; the peers are not."""
    for workers, blind in ((3, 1), (3, 2), (10, 6)):
        for seed in range(10):
            crowd = answered(
                np.random.default_rng(seed), workers=workers, each=100, redundancy=3,
                spam={i: evenly() for i in range(blind)},
            )  # fmt: skip
            assert all(i < blind for i in who(chance(crowd)))


def test_ties_of_two_others_do_not_speak_for_the_lowest_class():
    """Of three workers one says always the first class; where the other two differ, it won."""
    told = []
    for seed in range(10):
        crowd = answered(
            np.random.default_rng(seed), workers=3, each=100, redundancy=3, spam={0: always(0)}
        )
        told += who(chance(crowd))
    assert set(told) <= {0}


def test_who_missed_a_few_of_a_rare_class_has_not_guessed():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        crowd = answered(
            rng, workers=10, each=100, redundancy=3, classes=2, common=0.95, accuracy=0.95
        )
        assert who(chance(crowd)) == []


def test_who_judged_what_nobody_else_did_is_not_looked_at():
    found = chance(WorkerAnswers.of_classes([0, 0], [0, 1], [0, 1], 2, 2))
    assert np.isnan(found.share).all()
    assert not found.flagged.any()


def test_at_most_one_honest_worker_of_a_hundred_is_told_of():
    """A small `experiment_guards`: every kind of crowd, and spammers of all kinds among them."""
    told = honest = found = spammers = 0
    for seed in range(12):
        rng = np.random.default_rng([9, seed])
        for workers, redundancy in ((3, 3), (10, 2), (20, 5)):
            for classes, common in ((2, None), (4, None), (2, 0.9)):
                rules = [always(classes - 1), mostly(0, classes), evenly(classes)]
                blind = {i: rules[(seed + i) % 3] for i in range(workers // 3)}
                crowd = answered(
                    rng, workers=workers, each=50, redundancy=redundancy, classes=classes,
                    common=common, accuracy=rng.uniform(0.7, 0.95), spam=blind,
                )  # fmt: skip
                flagged = same(crowd).flagged | chance(crowd).flagged
                told += flagged[len(blind) :].sum()
                honest += workers - len(blind)
                found += flagged[: len(blind)].sum()
                spammers += len(blind)
    assert told <= 0.01 * honest
    assert found >= 0.4 * spammers
