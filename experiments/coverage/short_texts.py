"""The second experiment in its shape: 3,423 short texts, interesting or not, five judgments each,
1,268 of them gold.

The paper's tweets are not public. This is a stand-in: texts are drawn word by word from two kinds
of topics, workers are simulated, and what they say goes through the choice interface and the
aggregation as a campaign's answers do. It shows that the machine works, and nothing of tweets.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from aggregation.algorithms import CrowdLabels, DawidSkene
from annotation.interfaces import Labels, Material, choice
from annotation.interfaces.judgments import unpack
from experiments.coverage.trials import Problem
from selection.algorithms import Pool

Integers = NDArray[np.int64]

ITEMS, GOLD = 3_423, 1_268
CHOSEN, DRAWN = 1_000, 1_212
JUDGMENTS, WORKERS = 5, 60
CHOICES = ("not interesting", "interesting")
INTERESTING = 0.4  # of the texts
WORDS, TOPICS = 4_000, 8  # topics of each class
LENGTH = 11  # words of a text, on average
COMMON = 0.62  # of the words are those that all texts use
SKILL = (8.0, 2.6)  # the beta distribution of how often a worker is right


def made_problem(seed: int, items: int = ITEMS, gold: int = GOLD) -> Problem:
    rng = np.random.default_rng(seed)
    truth = (rng.random(items) < INTERESTING).astype(np.int64)
    posterior = consensus(judged(truth, rng), items)
    return Problem(Pool.of_counts(texts(truth, rng)), truth, posterior, gold)


def texts(truth: Integers, rng: np.random.Generator) -> sparse.csr_array:
    """How often each text has each word, shape (n_items, WORDS)."""
    rank = np.arange(1, WORDS + 1)
    common = 1 / rank
    topics = np.stack([
        rng.permutation(1 / rank**1.1) for _ in range(2 * TOPICS)
    ])  # fmt: skip
    topic = truth * TOPICS + rng.integers(TOPICS, size=len(truth))
    share = COMMON * common / common.sum()
    lengths = rng.poisson(LENGTH - 1, size=len(truth)) + 1
    item, word = [], []
    for number in range(2 * TOPICS):
        mine = np.flatnonzero(topic == number)
        chance = share + (1 - COMMON) * topics[number] / topics[number].sum()
        item.append(np.repeat(mine, lengths[mine]))
        word.append(rng.choice(WORDS, size=int(lengths[mine].sum()), p=chance / chance.sum()))
    places = np.concatenate(item), np.concatenate(word)
    counts = sparse.csr_array((np.ones(len(places[0])), places), shape=(len(truth), WORDS))
    counts.sum_duplicates()
    return counts


def judged(truth: Integers, rng: np.random.Generator) -> CrowdLabels:
    """What workers chose, as the interface reads their answers and makes judgments of them."""
    material = Material(options={"choices": list(CHOICES)})
    labels: Labels = {"choice": {name: number for number, name in enumerate(CHOICES)}}
    said = [
        unpack(choice.judge(choice.read({"choice": name}, material), material, labels))["choice"][0]
        for name in CHOICES
    ]
    skill = rng.beta(*SKILL, size=WORKERS)
    task = np.repeat(np.arange(len(truth)), JUDGMENTS)
    worker = np.argsort(rng.random((len(truth), WORKERS)), axis=1)[:, :JUDGMENTS].ravel()
    right = rng.random(len(task)) < skill[worker]
    answer = np.where(right, truth[task], 1 - truth[task])
    return CrowdLabels(task, worker, np.array(said)[answer], len(truth), WORKERS, len(CHOICES))


def consensus(labels: CrowdLabels, items: int) -> NDArray[np.float64]:
    return DawidSkene().fit(labels).posterior_
