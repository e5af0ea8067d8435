"""How sure a consensus is of each task: what decides whether one more answer is asked for, and
whether somebody is to decide.

A task's `Expected` counts come from the posterior of its consensus: how many of the parts that were
found (spans, pairs of mentions, a choice) are right, and how many true ones there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.measures.spans import find_spans, tag_parts

Floats = NDArray[np.float64]
SMALL = 1e-12


@dataclass(frozen=True, slots=True)
class Expected:
    """Expected counts of each task, each of shape (n_tasks,).

    Attributes
    ----------
    right : of the parts found, how many are true.
    predicted : how many parts the consensus has.
    true : how many there are in truth.
    nothing : probability that there are none in truth.
    """

    right: Floats
    predicted: Floats
    true: Floats
    nothing: Floats

    def of(self, tasks: slice) -> Expected:
        """Some of the tasks."""
        return Expected(
            self.right[tasks], self.predicted[tasks], self.true[tasks], self.nothing[tasks]
        )

    def f1(self) -> Floats:
        """2 right / (predicted + true), from 0 to 1; where nothing was found, how probable that is.

        A ratio of expectations in place of the expectation of a ratio: close, and cheap.
        """
        both = self.predicted + self.true
        f1 = np.divide(2 * self.right, both, out=np.ones(len(both)), where=both > 0)
        return np.clip(np.where(self.predicted > 0, f1, self.nothing), 0.0, 1.0)

    def errors(self) -> Floats:
        """Parts found that are not true, and true ones that were missed."""
        return np.maximum(self.predicted + self.true - 2 * self.right, 0.0)

    def wrong(self) -> Floats:
        """Parts that a decision would mend: the same, but one found in the place of another, such
        as a span that is cut otherwise, counts once."""
        return np.maximum(np.maximum(self.predicted, self.true) - self.right, 0.0)


def expected_spans(
    posterior: ArrayLike,
    chosen: ArrayLike,
    *,
    tags: Sequence[str],
    starts: ArrayLike,
    task: ArrayLike | None = None,
    n_tasks: int | None = None,
) -> Expected:
    """Expected counts of spans, from the marginals of each token's tag.

    A span found is taken to be true with the smallest of its tokens' probabilities, times that of
    the next token not going on with it: neighbours' errors go together, so the product of all
    would be too low. As many spans are expected as there are B expected; that there is none is
    taken as independent from token to token.

    Parameters
    ----------
    posterior : array of shape (n_tokens, n_tags)
    chosen : integer array of shape (n_tokens,)
        The consensus, as numbers of `tags`.
    starts : integer array of shape (n_sentences + 1,)
    task : integer array of shape (n_tokens,), or None
        The task of each token, from 0; None: each sentence is one.
    n_tasks : int or None
        None: as many as there are sentences, or as `task` names.
    """
    p, path = np.asarray(posterior, dtype=np.float64), np.asarray(chosen, dtype=np.int64)
    edges = np.asarray(starts, dtype=np.int64)
    n_tokens = len(p)
    if task is None:
        of = np.repeat(np.arange(len(edges) - 1), np.diff(edges))
        size = len(edges) - 1
    else:
        of = np.asarray(task, dtype=np.int64)
        size = int(of.max(initial=-1)) + 1
    size = size if n_tasks is None else n_tasks

    head = np.zeros(n_tokens + 1, dtype=bool)  # a sentence's first token; the end is one too
    head[edges] = True
    begins, _, types = tag_parts(tags)
    start, end, kind = find_spans(path, tags, head[:-1])
    inside = np.array([tags.index(f"I-{name}") for name in types], dtype=np.int64)
    of_path = np.append(p[np.arange(n_tokens), path], 1.0)
    # From each start to its end; what stands between two spans is of no use.
    within = np.minimum.reduceat(of_path, np.stack([start, end], axis=1).ravel())[::2]
    following = np.minimum(end, n_tokens - 1)
    goes_on = np.where(head[end], 0.0, p[following, inside[kind]])
    begun = p[:, begins].sum(axis=1)
    return Expected(
        right=_sums(of[start], within * (1.0 - goes_on), size),
        predicted=_sums(of[start], np.ones(len(start)), size),
        true=_sums(of, begun, size),
        nothing=np.exp(_sums(of, np.log(np.maximum(1.0 - begun, SMALL)), size)),
    )


def expected_choices(posterior: ArrayLike) -> Expected:
    """Of tasks with one choice each, shape (n_tasks, n_classes): F1 is the highest probability."""
    top = np.asarray(posterior, dtype=np.float64).max(axis=1)
    one = np.ones(len(top))
    return Expected(right=top, predicted=one, true=one, nothing=np.zeros(len(top)))


def expected_pairs(same: ArrayLike, together: ArrayLike, task: ArrayLike, n_tasks: int) -> Expected:
    """Of linking tasks: how many pairs of mentions in one cluster are so in truth.

    `same`, shape (n_pairs,): the probability that both name the same thing; `together`: whether
    the consensus has them in one cluster; `task`: which task the pair belongs to.
    """
    p, of = np.asarray(same, dtype=np.float64), np.asarray(task, dtype=np.int64)
    joined = np.asarray(together, dtype=np.float64)
    return Expected(
        right=_sums(of, p * joined, n_tasks),
        predicted=_sums(of, joined, n_tasks),
        true=_sums(of, p, n_tasks),
        nothing=np.exp(_sums(of, np.log(np.maximum(1.0 - p, SMALL)), n_tasks)),
    )


def least_of_parts(confidence: ArrayLike, task: ArrayLike, n_tasks: int) -> Floats:
    """The lowest confidence among the parts of each task (a relation and its evidence), shape
    (n_tasks,); NaN of a task without parts, or with one of which nothing is known.
    """
    sure, of = np.asarray(confidence, dtype=np.float64), np.asarray(task, dtype=np.int64)
    least = np.full(n_tasks, np.inf)
    np.minimum.at(least, of, np.where(np.isnan(sure), -np.inf, sure))
    return np.where(np.isinf(least), np.nan, least)


def _sums(group: NDArray[np.int64], values: Floats, size: int) -> Floats:
    return np.bincount(group, values, minlength=size).astype(np.float64, copy=False)
