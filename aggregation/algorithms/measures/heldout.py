"""How well a method foresees labels that it has not seen: a measure that needs no gold.

The answers of workers (what one said of one sequence) are dealt into folds; a method is fitted
without a fold, and judged by the probability that it gives to the labels of that fold. Unlike a
bound, it can be compared between settings that change what is maximised.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.data import BLOCK_LABELS, CrowdSequences
from aggregation.algorithms.settings import check_at_least

Floats = NDArray[np.float64]

LEAST = 1e-300  # a probability below it is taken as this


class HeldOutModel(Protocol):
    """A method of sequences that can tell how probable labels are."""

    def fit(self, sequences: CrowdSequences) -> Any: ...

    def label_likelihood(self, sequences: CrowdSequences) -> Floats:
        """ln P(label) in nats, shape (n_labels,), of labels of the sequences of the fit."""


def held_out_score(
    make: Callable[[], HeldOutModel],
    sequences: CrowdSequences,
    *,
    folds: int = 5,
    seed: int = 0,
    fitted: Callable[[Any], object] = lambda _: None,
) -> float:
    """Mean ln P of a label that was held out, in nats; more is better.

    `make` gives a method that is not fitted yet; it is fitted `folds` times, and `fitted` is told
    of each fit. Each answer is held out once, but for those of workers who gave one alone: of them
    nothing would be known. Raises ValueError where no worker has answered two sequences.
    """
    fold = answer_folds(sequences, folds=folds, seed=seed)
    if not (fold >= 0).any():
        raise ValueError(
            "no worker has answered two sentences or more, so no answer can be held out"
        )
    total, n_labels = 0.0, 0
    for k in range(folds):
        held = fold == k
        if not held.any():
            continue
        fit = make().fit(with_labels(sequences, ~held))
        fitted(fit)
        total += float(fit.label_likelihood(with_labels(sequences, held)).sum())
        n_labels += int(held.sum())
    return total / n_labels


def answer_folds(sequences: CrowdSequences, *, folds: int = 5, seed: int = 0) -> NDArray[np.int64]:
    """The fold of each label, shape (n_labels,), which is that of its answer; -1 for workers with
    one answer.

    A worker's answers are spread evenly over the folds, so that some of them are in each training
    set.
    """
    check_at_least(2, folds=folds)
    rng = np.random.default_rng(seed)
    sequence = sequences.sequence_of_token()[sequences.token].astype(np.int64)
    key = sequences.worker * np.int64(max(sequences.n_sequences, 1)) + sequence
    answers, of_label = np.unique(key, return_inverse=True)
    worker = answers // max(sequences.n_sequences, 1)
    order = np.lexsort((rng.random(len(answers)), worker))  # shuffled within each worker
    number = np.bincount(worker, minlength=sequences.n_workers)
    first = np.cumsum(number) - number
    rank = np.arange(len(answers)) - first[worker[order]]
    begins = rng.integers(folds, size=sequences.n_workers)  # else the first fold would be largest
    fold = np.empty(len(answers), dtype=np.int64)
    fold[order] = (rank + begins[worker[order]]) % folds
    fold[number[worker] < 2] = -1
    return np.asarray(fold[of_label], dtype=np.int64)


def with_labels(sequences: CrowdSequences, some: NDArray[np.bool_]) -> CrowdSequences:
    """The same sequences with these labels alone."""
    return CrowdSequences(
        sequences.token[some],
        sequences.worker[some],
        sequences.label[some],
        starts=sequences.starts,
        n_workers=sequences.n_workers,
        tags=sequences.tags,
        words=sequences.words,
        vocabulary=sequences.vocabulary,
        documents=sequences.documents,
    )


def label_likelihood(posterior: Floats, annotators: Floats, sequences: CrowdSequences) -> Floats:
    """ln sum_j r_nj A^k(c_n | c_(n-1), j) of each label, shape (n_labels,), in nats.

    Parameters
    ----------
    posterior : array of shape (n_tokens, n_tags)
        r.
    annotators : array of shape (n_workers, said, true) or (n_workers, previously said, said, true)
        A; sums to 1 over `said`. What was said before the first token of a sequence, or of a token
        that the worker did not label, is O.
    """
    n_tags = sequences.n_classes
    if posterior.shape != (sequences.n_tokens, n_tags):
        raise ValueError(
            f"the posterior has the shape {posterior.shape}, but the sequences have "
            f"{sequences.n_tokens} tokens and {n_tags} tags: they must be those of the fit"
        )
    row = sequences.worker.astype(np.int64) * n_tags + sequences.label
    if annotators.ndim == 4:
        before = previous_labels(sequences)
        row = (sequences.worker.astype(np.int64) * n_tags + before) * n_tags + sequences.label
    table = annotators.reshape(-1, n_tags)
    found = np.empty(sequences.n_labels)
    for begin in range(0, sequences.n_labels, BLOCK_LABELS):  # in pieces, for memory
        part = slice(begin, begin + BLOCK_LABELS)
        found[part] = np.einsum("nj,nj->n", posterior[sequences.token[part]], table[row[part]])
    return np.asarray(np.log(np.maximum(found, LEAST)))


def previous_labels(sequences: CrowdSequences) -> NDArray[np.int64]:
    """What the worker of each label said of the token before, shape (n_labels,).

    O at the start of a sequence, and where they did not label the token before.
    """
    order = np.lexsort((sequences.token, sequences.worker))
    token, worker = sequences.token[order], sequences.worker[order]
    first = np.zeros(sequences.n_tokens + 1, dtype=bool)
    first[sequences.starts] = True
    goes_on = np.zeros(len(order), dtype=bool)
    goes_on[1:] = (np.diff(token) == 1) & (np.diff(worker) == 0)
    goes_on &= ~first[token]
    said = sequences.label[order].astype(np.int64)
    previous = np.full(len(order), sequences.n_classes - 1)
    previous[1:][goes_on[1:]] = said[:-1][goes_on[1:]]
    before = np.empty(len(order), dtype=np.int64)
    before[order] = previous
    return before
