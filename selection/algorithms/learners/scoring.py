"""How good what was learnt is, by item: sums have an interval, for items can be drawn anew."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.data import UNKNOWN
from aggregation.algorithms.measures.resampling import share
from aggregation.algorithms.measures.spans import score_labels
from selection.algorithms.learners.classifier import Learner
from selection.algorithms.learners.cross_validation import FOLDS, learnt_by_fold

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
Counts = Callable[[Learner, Any, Any, Sequence[str]], Floats]


def span_counts(learner: Learner, examples: Any, truth: Any, tags: Sequence[str]) -> Floats:
    """The columns of `spans.SpanCounts` of each document, shape (n_documents, 5), over the
    sentences of which everything is known.

    `truth` are numbers of `tags`, -1 where it is not known, for each token; the learner's own tags
    are the first of `tags`.
    """
    text = examples.text
    known = np.asarray(truth) != UNKNOWN
    sentence = text.sequence_of_token()
    whole = np.bincount(sentence[~known], minlength=text.n_sequences) == 0
    outside = list(tags).index("O")
    counted = whole[sentence]
    document = text.document_of_sequence()[sentence]
    found = score_labels(
        np.where(counted, learner.predict(examples), outside),
        np.where(counted, truth, outside),
        tags,
        text.starts,
        groups=document,
    ).counts.sum(axis=1)
    return np.pad(found, ((0, len(examples) - len(found)), (0, 0)))


def class_counts(learner: Learner, examples: Any, truth: Any, classes: Sequence[str]) -> Floats:
    """1 at what is true (row) and was said (column) of each item, laid flat: (n_items, K²).

    `truth` are numbers of `classes`, -1 where it is not known; the learner's own are the first.
    """
    k = len(classes)
    counts = np.zeros((len(truth), k * k))
    known = np.flatnonzero(np.asarray(truth) != UNKNOWN)
    said = learner.predict(examples)
    counts[known, truth[known] * k + said[known]] = 1
    return counts


def class_shares(sums: Floats) -> Floats:
    """Macro-averaged F1 of the classes that there are, and accuracy, from rows of sums of
    `class_counts`: (n, K²) to (n, 2). NaN of nothing."""
    k = int(np.sqrt(sums.shape[1]))
    counts = sums.reshape(len(sums), k, k)
    right = np.einsum("nkk->nk", counts)
    true, said = counts.sum(axis=2), counts.sum(axis=1)
    f1 = np.where(true > 0, np.nan_to_num(share(2 * right, true + said)), 0.0)
    return np.stack(
        [
            share(f1.sum(axis=1), (true > 0).sum(axis=1).astype(np.float64)),
            share(right.sum(axis=1), true.sum(axis=1)),
        ],
        axis=1,
    )


def counts_out_of_fold(
    learner: Learner,
    examples: Any,
    targets: Any,
    counts: Counts,
    truth_of: Callable[[Any], Numbers],
    names: Sequence[str],
    *,
    folds: int = FOLDS,
    seed: int = 0,
) -> Floats:
    """The counts of each item by what was learnt from the other folds, in the order of the items.

    `truth_of` tells what is most probable by targets.
    """
    found: dict[int, Floats] = {}
    for fitted, out in learnt_by_fold(copy.copy(learner), examples, targets, folds, seed):
        rows = counts(fitted, examples[out], truth_of(targets[out]), names)
        found |= dict(zip(out.tolist(), rows, strict=True))
    return np.stack([found[item] for item in range(len(targets))])
