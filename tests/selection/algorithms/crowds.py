"""Answers of crowds for the tests of guards: who is honest, who is not, how they answer."""

from __future__ import annotations

import numpy as np

from selection.algorithms.workers.peers import WorkerAnswers


def answered(rng, *, workers, each, redundancy, classes=4, common=None, accuracy=0.85, spam=()):
    """Tasks are dealt out at random; `each` answers a worker on average.

    `common` is the share of class 0 (evenly by default); errors are spread evenly. `spam` maps
    workers to a rule that makes their answers from (rng, number).
    """
    tasks = max(workers * each // redundancy, 1)
    shares = np.full(classes, 1 / classes)
    if common is not None:
        shares = np.array([common, *[(1 - common) / (classes - 1)] * (classes - 1)])
    truth = rng.choice(classes, tasks, p=shares)
    dealt = np.argsort(rng.random((tasks, workers)), axis=1)[:, :redundancy]
    task, worker = np.repeat(np.arange(tasks), dealt.shape[1]), dealt.ravel()
    right = rng.random(len(worker)) < accuracy
    wrong = (truth[task] + rng.integers(1, classes, len(worker))) % classes
    said = np.where(right, truth[task], wrong)
    for who, rule in dict(spam).items():
        theirs = worker == who
        said[theirs] = rule(rng, int(theirs.sum()))
    return WorkerAnswers.of_classes(worker, task, said, workers, classes)


def always(content):
    return lambda rng, number: np.full(number, content)


def mostly(content, classes=4, noise=0.1):
    return lambda rng, number: np.where(
        rng.random(number) < noise, rng.integers(classes, size=number), content
    )


def evenly(classes=4):
    return lambda rng, number: rng.integers(classes, size=number)
