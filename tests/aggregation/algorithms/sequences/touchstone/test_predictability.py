import itertools

import numpy as np
import pytest

from aggregation.algorithms import CrowdSequences
from aggregation.algorithms.sequences.touchstone.predictability import Predictability

TAGS = ("B-x", "I-x", "O")


def crowd(labels, starts, n_workers):
    token, worker, label = np.array(labels).T
    return CrowdSequences(token, worker, label, starts=starts, n_workers=n_workers, tags=TAGS)


def by_hand(sequences, kappa, table, mean, scores, priors, cell_of):
    """Adding up all paths of each sequence, answer by answer."""
    n, total = 3, 0.0
    for s, (begin, end) in enumerate(itertools.pairwise(sequences.starts.tolist())):
        moves, firsts = priors[cell_of[s]]
        here = (sequences.token >= begin) & (sequences.token < end)
        for k in np.unique(sequences.worker[here]):
            without, with_it = 0.0, 0.0
            for path in itertools.product(range(n), repeat=end - begin):
                weight = firsts[path[0]] + sum(moves[a, b] for a, b in itertools.pairwise(path))
                weight += sum(scores[begin + t, tag] for t, tag in enumerate(path))
                own = 0.0
                for i in np.flatnonzero(here):
                    token, worker = int(sequences.token[i]), sequences.worker[i]
                    before = [
                        int(said)
                        for t, w, said in zip(
                            sequences.token, sequences.worker, sequences.label, strict=True
                        )
                        if w == worker and t == token - 1 and t >= begin
                    ] or [2]
                    row = (worker * n + before[0]) * n + sequences.label[i]
                    if worker == k:
                        own += mean[row, path[token - begin]]
                    else:
                        weight += kappa * table[row, path[token - begin]]
                without += np.exp(weight)
                with_it += np.exp(weight + own)
            total += np.log(with_it / without)
    return total / sequences.n_labels


@pytest.mark.parametrize("kappa", [0.4, 1.0])
def test_answers_are_foreseen_by_all_others(kappa):
    """Two cells, a gap within an answer, a sentence of one word, and one without labels."""
    rng = np.random.default_rng(1)
    labels = [
        (0, 0, 0),
        (1, 0, 1),
        (2, 0, 2),
        (0, 1, 2),
        (2, 1, 1),
        (3, 1, 0),
        (6, 0, 2),
        (6, 2, 0),
    ]
    sequences = crowd(labels, [0, 3, 4, 4, 6, 8], 3)
    mean = np.log(rng.dirichlet(np.ones(3), size=(27 // 3, 3)).transpose(0, 2, 1).reshape(27, 3))
    table = mean - rng.random(mean.shape)
    scores = rng.normal(size=(8, 3))
    priors = [(rng.normal(size=(3, 3)), rng.normal(size=3)) for _ in range(2)]
    cells = [np.array([0, 2, 4]), np.array([1, 3])]
    said = np.zeros((8, 3))
    for token, worker, label in labels:
        before = [said for t, w, said in labels if w == worker and t == token - 1]
        joined = token not in sequences.starts
        row = (worker * 3 + (before[0] if before and joined else 2)) * 3 + label
        said[token] += table[row]
    found = Predictability(sequences, cells).of(
        kappa, worker_evidence=said, table=table, mean=mean, scores=scores, priors=priors
    )
    cell_of = {0: 0, 2: 0, 4: 0, 1: 1, 3: 1}
    expected = by_hand(sequences, kappa, table, mean, scores, priors, cell_of)
    assert found == pytest.approx(expected, rel=1e-9)


def test_without_answers_there_is_nothing_to_foresee():
    empty = CrowdSequences([], [], [], starts=[0, 2], n_workers=1, tags=TAGS)
    nothing = np.zeros((9, 3))
    found = Predictability(empty, [np.array([0])]).of(
        1.0, worker_evidence=np.zeros((2, 3)), table=nothing, mean=nothing, scores=np.zeros((2, 3)),
        priors=[(np.zeros((3, 3)), np.zeros(3))],
    )  # fmt: skip
    assert found == 0.0
