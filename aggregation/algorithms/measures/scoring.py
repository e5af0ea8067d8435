"""A fit against gold, as counts by document: they add up, can be drawn anew, and be left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.data import UNKNOWN
from aggregation.algorithms.measures.found_as import found_as
from aggregation.algorithms.measures.spans import GOLD, PREDICTED, RIGHT, score_labels

CLIP = 1e-100  # of a probability, before its logarithm


@dataclass(frozen=True, slots=True, eq=False)
class GoldScores:
    """What of a fit can be compared with gold.

    Attributes
    ----------
    counts : array of shape (n_groups, 5)
        The columns of `spans.SpanCounts`, over all types. Of choices: right, all, all, right, all.
    nats : array of shape (n_groups,)
        Sum of -ln P(gold), no probability taken as less than `clip`, over judged units with gold.
    judged : array of shape (n_groups,)
        How many those are.
    sure, hit : arrays of shape (n_judged,)
        The probability of the most probable class of each of them, and whether it is right.
    scored : int
        Sentences, or choices, that count.
    unknown : int
        Sentences with a label that don't, because gold is not known of all of their tokens.
    types : names of the types of spans; none of choices
    type_counts : array of shape (n_groups, n_types, 5), or None of choices
        `counts` before types are added up.
    found_as : array of shape (n_types, n_types + 1), or None of choices
        What became of the spans of gold; see `found_as.found_as`.
    """

    counts: NDArray[np.float64]
    nats: NDArray[np.float64]
    judged: NDArray[np.float64]
    sure: NDArray[np.float64]
    hit: NDArray[np.bool_]
    scored: int
    unknown: int
    types: tuple[str, ...] = ()
    type_counts: NDArray[np.float64] | None = None
    found_as: NDArray[np.int64] | None = None


def score_sequences(
    chosen: NDArray[np.int64],
    posterior: NDArray[np.float64],
    gold: NDArray[np.int64],
    labelled: NDArray[np.bool_],
    *,
    starts: NDArray[np.int64],
    known_tags: Sequence[str],
    group: NDArray[np.int64],
    clip: float = CLIP,
) -> GoldScores:
    """Strict and relaxed spans over the sentences in which somebody labelled a token and gold
    knows all; a token of theirs without a label is taken as O.

    Parameters
    ----------
    chosen : tags that were inferred, shape (n_tokens,)
    posterior : array of shape (n_tokens, n_classes)
    gold : tags of `known_tags`, or -1, shape (n_tokens,)
    labelled : whether somebody labelled the token, shape (n_tokens,)
    starts : where sentences start, as in CSR
    known_tags : the n_classes tags of the crowd, O last, then those that gold alone knows
    group : the document of each token, from 0, shape (n_tokens,)
    clip : what no probability of the truth is taken to be less than
    """
    outside = posterior.shape[1] - 1
    n_sequences = len(starts) - 1
    sentence = np.repeat(np.arange(n_sequences), np.diff(starts))
    some = np.bincount(sentence, labelled, minlength=n_sequences) > 0
    gap = np.bincount(sentence, gold == UNKNOWN, minlength=n_sequences) > 0
    counts = (some & ~gap)[sentence]
    ours, truth = np.where(counts & labelled, chosen, outside), np.where(counts, gold, outside)
    spans = score_labels(ours, truth, known_tags, starts, groups=group)
    nats, judged, sure, hit = _surprise(posterior, gold, labelled & counts, group, clip)
    return GoldScores(
        counts=spans.counts.sum(axis=1),
        nats=nats,
        judged=judged,
        sure=sure,
        hit=hit,
        scored=int((some & ~gap).sum()),
        unknown=int((some & gap).sum()),
        types=spans.types,
        type_counts=spans.counts,
        found_as=found_as(ours, truth, known_tags, starts),
    )


def score_classes(
    chosen: NDArray[np.int64],
    posterior: NDArray[np.float64],
    gold: NDArray[np.int64],
    labelled: NDArray[np.bool_],
    *,
    group: NDArray[np.int64],
    clip: float = CLIP,
) -> GoldScores:
    """Right choices, over the units that somebody judged and gold knows; see
    `score_sequences`."""
    counts = labelled & (gold != UNKNOWN)
    nats, judged, sure, hit = _surprise(posterior, gold, counts, group, clip)
    right = np.bincount(group[counts], chosen[counts] == gold[counts], minlength=len(nats))
    return GoldScores(
        counts=np.stack([right, judged, judged, right, right], axis=1),
        nats=nats,
        judged=judged,
        sure=sure,
        hit=hit,
        scored=int(counts.sum()),
        unknown=0,
    )


def span_f1(
    ours: NDArray[np.int64],
    theirs: NDArray[np.int64],
    tags: Sequence[str],
    starts: NDArray[np.int64],
) -> float | None:
    """Strict F1 of one tagging against another; None where neither has a span."""
    return score_labels(ours, theirs, tags, starts).strict().f1


def f1_of(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of rows of `GoldScores.counts`, shape (n,); of choices the accuracy. 0 where nothing
    counts."""
    both = counts[:, PREDICTED] + counts[:, GOLD]
    return np.divide(2 * counts[:, RIGHT], both, out=np.zeros(len(counts)), where=both > 0)


def _surprise(
    posterior: NDArray[np.float64],
    gold: NDArray[np.int64],
    counted: NDArray[np.bool_],
    group: NDArray[np.int64],
    clip: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
    unit = np.flatnonzero(counted)
    truth = gold[unit]
    rows = posterior[unit]
    inside = truth < posterior.shape[1]  # what only gold knows has no probability at all
    chance = np.where(inside, rows[np.arange(len(unit)), np.where(inside, truth, 0)], 0.0)
    n_groups = int(group.max(initial=-1)) + 1
    nats = np.bincount(group[unit], -np.log(np.maximum(chance, clip)), minlength=n_groups)
    judged = np.bincount(group[unit], minlength=n_groups).astype(np.float64)
    best = rows.argmax(axis=1)
    sure = np.take_along_axis(rows, best[:, None], axis=1)[:, 0]
    return nats.astype(np.float64), judged, sure, np.asarray(best == truth)
