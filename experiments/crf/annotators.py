"""Annotators who are simulated, or fewer of those there are: Rodrigues, Pereira and Ribeiro,
*Sequence labeling with multiple annotators*, Machine Learning 95 (2014), section 4.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import CrowdSequences
from aggregation.algorithms.measures.spans import GOLD, PREDICTED, RIGHT, score_labels, tag_parts
from aggregation.algorithms.sequences.crf.model import LinearChainCRF
from aggregation.algorithms.sequences.crf.tagger import Tagger
from aggregation.algorithms.sequences.crf.text import Text
from aggregation.algorithms.sequences.tokens import first_tokens
from experiments.crf.corpus import Half

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

VARIANCES = (0.005, 0.05, 0.05, 0.1, 0.1)  # of the noise: section 4.1.1
FLIPS = (0.01, 0.1, 0.3, 0.5, 0.7)  # how probably a token's label is flipped: section 4.1.2


def noisy_tags(
    tagger: Tagger, text: Text, variances: Sequence[float], rng: np.random.Generator
) -> Ints:
    """What each annotator says: the most probable tags by weights to which Gaussian noise of theirs
    variance is added, each weight apart. Shape (n_annotators, n_tokens).
    """
    features = tagger.features.transform(text)
    labels = [
        _noisy(tagger.crf, variance, rng).predict(features, text.starts) for variance in variances
    ]
    return np.stack(labels)


def _noisy(crf: LinearChainCRF, variance: float, rng: np.random.Generator) -> LinearChainCRF:
    other = copy.copy(crf)
    spread = np.sqrt(variance)
    other.weights_ = crf.weights_ + spread * rng.standard_normal(crf.weights_.shape)
    other.firsts_ = crf.firsts_ + spread * rng.standard_normal(crf.firsts_.shape)
    other.moves_ = crf.moves_ + spread * rng.standard_normal(crf.moves_.shape)
    return other


def flipped_tags(
    half: Half, tags: Sequence[str], chances: Sequence[float], rng: np.random.Generator
) -> Ints:
    """What annotators say who take each token for the contrary of what it is, inside or outside,
    with their chance. Shape (n_annotators, n_tokens).

    A token that is outside in truth goes on with the span before it, or begins one, of a random
    type. What is left of a span that lost its first token begins anew: the tags are legal.
    """
    return np.stack([_flipped(half, tags, chance, rng) for chance in chances])


def _flipped(half: Half, tags: Sequence[str], chance: float, rng: np.random.Generator) -> Ints:
    begins, kind, types = tag_parts(tags)
    gold, n_tokens = half.gold, half.text.n_tokens
    first = first_tokens(half.text.starts, n_tokens)
    was_inside = kind[gold] >= 0
    inside = was_inside ^ (rng.random(n_tokens) < chance)
    drawn = rng.integers(max(len(types), 1), size=n_tokens)

    alone = inside & first
    alone[1:] |= inside[1:] & ~inside[:-1]
    decides = was_inside | alone  # the type of the span from here on
    source = np.maximum.accumulate(np.where(decides, np.arange(n_tokens), 0))
    found = np.where(was_inside, kind[gold], drawn)[source]
    begin = alone | (was_inside & begins[gold])
    begin[1:] |= found[1:] != found[:-1]

    number = {tag: i for i, tag in enumerate(tags)}
    head = np.array([number[f"B-{name}"] for name in types])
    within = np.array([number[f"I-{name}"] for name in types])
    return np.where(inside, np.where(begin, head[found], within[found]), len(tags) - 1)


def of_everybody(half: Half, labels: Ints, tags: Sequence[str]) -> CrowdSequences:
    """Repeated labelling: each annotator labels each token; `labels`: (n_annotators, n_tokens)."""
    worker, token = np.indices(labels.shape)
    return half.crowd(token.ravel(), worker.ravel(), labels.ravel(), len(labels), tags)


def of_one_each(
    half: Half, labels: Ints, tags: Sequence[str], rng: np.random.Generator
) -> CrowdSequences:
    """No repeated labelling: the documents are dealt out, about as many to each annotator."""
    n_documents = half.text.n_documents
    if n_documents < len(labels):
        raise ValueError(
            f"there are {n_documents} documents to learn from, but {len(labels)} annotators: each "
            "must have one"
        )
    owner = rng.permutation(n_documents) % len(labels)
    worker, token = owner[half.document], np.arange(half.text.n_tokens)
    return half.crowd(token, worker, labels[worker, token], len(labels), tags)


def of_one_a_document(
    half: Half, crowd: CrowdSequences, rng: np.random.Generator
) -> CrowdSequences:
    """Of those who labelled a document one at random, and only what they said of it."""
    document = half.document[crowd.token]
    pair = np.unique(document * crowd.n_workers + crowd.worker)
    lot = rng.permutation(len(pair))
    order = np.lexsort((lot, pair // crowd.n_workers))
    _, first = np.unique(pair[order] // crowd.n_workers, return_index=True)
    kept = np.isin(document * crowd.n_workers + crowd.worker, pair[order[first]])
    return half.crowd(
        crowd.token[kept], crowd.worker[kept], crowd.label[kept], crowd.n_workers, crowd.tags
    )


def annotators_f1(crowd: CrowdSequences, truth: Ints) -> Floats:
    """Strict F1 of each annotator against `truth`, on what they labelled, in per cent.

    Shape (n_workers,); NaN where neither they nor the truth has a span. `truth`, shape (n_tokens,),
    is -1 where it is not known: such tokens don't count.
    """
    told = truth[crowd.token] >= 0
    order = np.flatnonzero(told)[np.lexsort((crowd.token[told], crowd.worker[told]))]
    worker, token = crowd.worker[order].astype(np.int64), crowd.token[order]
    sentence = crowd.sequence_of_token()[token]
    turn = np.flatnonzero((np.diff(worker) != 0) | (np.diff(sentence) != 0)) + 1
    # The answers of all annotators, one after the other, as if they were one long text.
    starts = np.concatenate(([0], turn, [len(order)])) if len(order) else np.zeros(1, dtype=int)
    counts = np.zeros((crowd.n_workers, 5))
    if len(order):
        scored = score_labels(
            crowd.label[order], truth[token], crowd.tags, starts, groups=worker
        ).counts.sum(axis=1)
        counts[: len(scored)] = scored
    both = counts[:, PREDICTED] + counts[:, GOLD]
    found = np.full(crowd.n_workers, np.nan)
    return np.divide(200.0 * counts[:, RIGHT], both, out=found, where=both > 0)


def answers(crowd: CrowdSequences) -> tuple[Ints, Ints]:
    """How many documents each worker labelled, at least in part, shape (n_workers,), and how many
    workers labelled each document, shape (n_documents,)."""
    per_sequence = crowd.document_of_sequence().astype(np.int64)
    document = per_sequence[crowd.sequence_of_token()][crowd.token]
    pair = np.unique(document * crowd.n_workers + crowd.worker)
    return (
        np.bincount(pair % crowd.n_workers, minlength=crowd.n_workers),
        np.bincount(pair // crowd.n_workers, minlength=crowd.n_documents),
    )
