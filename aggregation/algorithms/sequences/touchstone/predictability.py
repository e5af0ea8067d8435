"""How well each answer is foreseen by the others and the text: what tempers the annotators.

Were annotators independent given the truth, what each of them says would count in full. They are
not: they overlook the same names, and take the same words for names. How much less they should
count shows without gold: by how well what the others say and the text foretell what one says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.data import CrowdSequences
from aggregation.algorithms.sequences.bsc.shard import labels_with_previous
from aggregation.algorithms.sequences.chains import Chains

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

KAPPA_STEP, LEAST_KAPPA = 0.1, 0.3  # where the tempering of confidences is searched for


class Predictability:
    """The answers (what one worker said of one sequence), each with a copy of its tokens.

    Parameters
    ----------
    sequences : CrowdSequences
    cells : for each group of sequences with a prior of its own, their numbers
    """

    def __init__(self, sequences: CrowdSequences, cells: list[Ints]):
        labels = labels_with_previous(sequences)
        sequence = sequences.sequence_of_token()[labels.unit].astype(np.int64)
        answers, answer = np.unique(
            sequence * np.int64(sequences.n_workers) + labels.worker, return_inverse=True
        )
        of_answer = answers // max(sequences.n_workers, 1)
        self._n_labels = labels.n_labels
        self._row = labels.worker * np.int64(labels.n_classes) + labels.label
        cell_of_sequence = np.empty(sequences.n_sequences, dtype=np.int64)
        for i, cell in enumerate(cells):
            cell_of_sequence[cell] = i
        # Answers of a cell come one after the other.
        order = np.argsort(cell_of_sequence[of_answer], kind="stable")
        length = np.diff(sequences.starts)[of_answer[order]]
        begin = np.concatenate(([0], np.cumsum(length)))
        first = sequences.starts[of_answer[order]]
        self._token = np.arange(begin[-1]) + np.repeat(first - begin[:-1], length)
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        place = begin[rank[answer]] + labels.unit - first[rank[answer]]
        by_place = np.argsort(place)
        self._place, self._row = place[by_place], self._row[by_place]
        edges = np.searchsorted(cell_of_sequence[of_answer[order]], np.arange(len(cells) + 1))
        label_edges = np.searchsorted(self._place, begin[edges])
        self._cells = [
            (
                slice(int(begin[a]), int(begin[b])),
                slice(int(label_edges[i]), int(label_edges[i + 1])),
                Chains(begin[a : b + 1] - begin[a]),
            )
            for i, (a, b) in enumerate(pairwise(edges.tolist()))
        ]

    def of(
        self,
        kappa: float,
        worker_evidence: Floats,
        table: Floats,
        mean: Floats,
        scores: Floats,
        priors: Sequence[tuple[Floats, Floats]],
    ) -> float:
        """Mean ln p(answer | the other answers, the text) of a label, in nats.

        Parameters
        ----------
        kappa : float
            What the others' evidence is multiplied by.
        worker_evidence : array of shape (n_tokens, n_states)
            What all workers say of each token, in nats.
        table, mean : arrays of shape (n_workers * n_tags * n_tags, n_states)
            E ln A, of which `worker_evidence` is the sum, and ln E A, which sums to 1 over answers.
        scores : array of shape (n_tokens, n_states)
            What the text says of each token, in nats.
        priors : of each cell
            Moves (n_states, n_states) and first states (n_states,), in nats.
        """
        total = 0.0
        for (rows, labels, chains), (moves, firsts) in zip(self._cells, priors, strict=True):
            token, place = self._token[rows], self._place[labels] - rows.start
            others = worker_evidence[token]
            others[place] -= table[self._row[labels]]  # each label has a place of its own
            others *= kappa
            others += scores[token]
            total -= float(chains.beliefs(others, moves, firsts).log_evidence.sum())
            others[place] += mean[self._row[labels]]
            total += float(chains.beliefs(others, moves, firsts).log_evidence.sum())
        return total / max(self._n_labels, 1)


def most_predictable(
    foreseen: Callable[[float], float], kappa: float, least: float = LEAST_KAPPA
) -> float:
    """Where answers are foretold best, by steps of a tenth from `kappa`, and not below `least`.
    (Wherever it was drawn as a curve, it had one peak.)"""
    value = foreseen(kappa)
    for step in (-KAPPA_STEP, KAPPA_STEP):
        while least <= (tried := round(kappa + step, 2)) <= 1.0:
            if (better := foreseen(tried)) <= value:
                break
            kappa, value = tried, better
    return kappa


def floor_of_kappa(sequences: CrowdSequences) -> float:
    """Below which kappa is not looked for: 1 / (1 + .15 (R - 1)) with R labels of a token that has
    any, on average, as if each two workers shared a seventh of their errors. 1 where R is under 3:
    so few answers don't tell what workers share."""
    each = sequences.n_labels / max(len(np.unique(sequences.token)), 1)
    return 1.0 if each < 3 else 1.0 / (1.0 + 0.15 * (each - 1.0))
