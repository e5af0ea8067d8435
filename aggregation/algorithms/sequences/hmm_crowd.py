"""Nguyen, Wallace, Li, Nenkova and Lease, *Aggregating and predicting sequence labels from crowd
annotations*, ACL 2017: a hidden Markov model of the text, seen through workers who err.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.data import CrowdSequences, checked_gold
from aggregation.algorithms.estimators import SequenceEstimator
from aggregation.algorithms.fitted_state import check_kind
from aggregation.algorithms.reliability import Reliability, reliability_of
from aggregation.algorithms.results import Diagnostics
from aggregation.algorithms.sequences.bsc.shard import SequenceShard, Statistics, Tables, shards_of
from aggregation.algorithms.sequences.potentials import Potentials
from aggregation.algorithms.settings import check_above, check_at_least
from aggregation.algorithms.shards import LocalPool, Pool, joined, total

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Parameters:
    """Probabilities, all greater than 0.

    Attributes
    ----------
    right : array of shape (n_workers, 2)
        P(they say the truth), where the truth is an entity tag and where it is O.
    moves : array of shape (n_tags, n_tags)
        T: from the tag of the row to that of the column.
    words : array of shape (n_words, n_tags)
        Weight of each word for each tag: of the word itself and of its two features.
    penalty : float
        Sum of pseudo-counts times logarithms, in nats.
    """

    right: Floats
    moves: Floats
    words: Floats
    penalty: float

    def by_tag(self, n_tags: int) -> tuple[Floats, Floats]:
        """P(right) and P(each wrong tag), each of shape (n_workers, n_tags true)."""
        right = np.repeat(self.right[:, :1], n_tags, axis=1)
        right[:, -1] = self.right[:, 1]
        if n_tags == 1:  # there is nothing wrong to say
            return np.ones_like(right), np.zeros_like(right)
        return right, (1.0 - right) / (n_tags - 1)

    def confusion(self, n_tags: int) -> Floats:
        """P(said | true), shape (n_workers, true, said)."""
        right, wrong = self.by_tag(n_tags)
        return np.where(np.eye(n_tags, dtype=bool), right[:, :, None], wrong[:, :, None])

    def logs(self) -> Tables:
        n_tags = len(self.moves)
        labels = np.log(self.confusion(n_tags).transpose(0, 2, 1)).reshape(-1, n_tags)
        words = np.pad(np.log(self.words), ((0, 1), (0, 0)))  # the last row: words not known
        return Tables(labels, words, np.log(self.moves))


class HMMCrowd(SequenceEstimator):
    """Tags follow each other as in a hidden Markov model; workers see them with two accuracies.

    Tags t follow each other by T (the tag before a sequence is taken as O); a word x follows from
    its tag by P(x | t) P(its first letter is upper case | t) P(its first character is a digit | t);
    worker k says an entity tag rightly with probability e_k, O with o_k, and else any of the other
    tags, all alike. From Dawid and Skene's posterior, each of `steps` times: maximise the
    probabilities, then infer the tags by forward-backward. It is EM, and the penalised likelihood
    never decreases, but tags are best after the first step or two, so one is the default.

    Parameters
    ----------
    steps : int
        How many steps of EM, at least 1.
    word_smoothing : float
        Pseudo-count of each word for each tag.
    smoothing : float
        Pseudo-count of each move, of both values of each feature, and of right and of wrong labels.

    Attributes
    ----------
    posterior_ : array of shape (n_tokens, n_tags)
        P(tag | all). Rows sum to 1.
    transition_ : array of shape (n_tags, n_tags)
        T.
    log_likelihood_ : list of float
        Log-likelihood plus the pseudo-counts' logarithms, in nats, after each step.
    reliability_ : Reliability
        Accuracy is over the labels given: the mean posterior of what was said. Parameters, each of
        shape (n_workers,): `entity` e_k, `outside` o_k.
    diagnostics_ : Diagnostics
        It has converged when it took its steps: there is no other end.
    """

    span_temperature = 3.8  # see `span_confidences`

    posterior_: Floats
    transition_: Floats
    log_likelihood_: list[float]
    reliability_: Reliability
    diagnostics_: Diagnostics
    _path: NDArray[np.int64]
    _fit_parameters: _Parameters
    _tags: tuple[str, ...]
    _vocabulary: tuple[str, ...]

    def __init__(self, *, steps: int = 1, word_smoothing: float = 0.1, smoothing: float = 1.0):
        check_at_least(1, steps=steps)
        check_above(0, word_smoothing=word_smoothing, smoothing=smoothing)
        self.steps, self.word_smoothing, self.smoothing = steps, word_smoothing, smoothing

    def fit(
        self,
        sequences: CrowdSequences,
        *,
        gold: ArrayLike | None = None,
        warm: HMMCrowd | None = None,
        pool: Pool | None = None,
    ) -> Self:
        """Estimate everything from `sequences`, which must have words.

        Parameters
        ----------
        gold : integer array of shape (n_tokens,), or None
            The tag of each token whose truth is known, -1 for the others. Known tokens keep their
            tag in each E-step, and so count in each M-step.
        warm : fitted HMMCrowd, or None
            Start from its parameters, not from Dawid and Skene. It must know the same tags;
            workers keep their numbers, and new ones begin with even chances.
        pool : Pool, or None for this process
            Sequences are dealt out to its parts; the result is the same but for rounding.
        """
        began = time.perf_counter()
        self._refuse(sequences, warm)
        known = checked_gold(gold, sequences.token_labels())
        pool = LocalPool() if pool is None else pool
        part = partial(SequenceShard, sequential=False, text=True, transitions=True)
        parts = pool.open(part, shards_of(sequences, known, pool, start=warm is None))
        if warm is None:
            statistics = total(parts.each("first"))
        else:
            tables = _for_workers(warm._fit_parameters, sequences.n_workers).logs()
            tables = tables.for_words(warm._vocabulary, sequences.vocabulary)
            statistics = total(parts.each("step", tables))
        self.log_likelihood_ = []
        for _ in range(self.steps):
            self._fit_parameters = self._m_step(statistics, sequences)
            statistics = total(parts.each("step", self._fit_parameters.logs()))
            self.log_likelihood_.append(statistics.log_evidence + self._fit_parameters.penalty)

        self._tags, self._vocabulary = sequences.tags, sequences.vocabulary
        self.transition_ = self._fit_parameters.moves
        self.posterior_ = joined(parts.each("posterior"), sequences.n_tokens)
        paths = parts.each("decode", self._fit_parameters.logs())
        self._path = joined(paths, sequences.n_tokens)
        self.reliability_ = reliability_of(
            total(parts.each("hits")),
            sequences.judged(),
            self._fit_parameters.confusion(sequences.n_classes),
            entity=self._fit_parameters.right[:, 0],
            outside=self._fit_parameters.right[:, 1],
        )
        self.diagnostics_ = Diagnostics(
            objective=tuple(self.log_likelihood_),
            converged=True,
            iterations=self.steps,
            seconds=time.perf_counter() - began,
        )
        return self

    def predict(self) -> NDArray[np.int64]:
        """The most probable tags of each sequence as a whole (Viterbi), shape (n_tokens,)."""
        return self._path.copy()

    def potentials(self, sequences: CrowdSequences, *, gold: ArrayLike | None = None) -> Potentials:
        """The chain that the posterior is made of, for the sequences of the fit."""
        known = checked_gold(gold, sequences.token_labels())
        part = SequenceShard(sequences, known, None, sequential=False, text=True, transitions=True)
        tables = self._fit_parameters.logs()
        return part.potentials(tables.for_words(self._vocabulary, sequences.vocabulary))

    def _refuse(self, sequences: CrowdSequences, warm: HMMCrowd | None) -> None:
        if sequences.words is None:
            raise ValueError(
                "HMM-Crowd needs the words of the tokens, but the sequences have none: pass words "
                "and vocabulary to CrowdSequences"
            )
        if warm is None:
            return
        check_kind(warm, HMMCrowd, "_fit_parameters")
        if warm._tags != sequences.tags:
            raise ValueError(
                f"warm knows the tags {', '.join(warm._tags)}, but the sequences have "
                f"{', '.join(sequences.tags)}"
            )
        if len(warm._fit_parameters.right) > sequences.n_workers:
            raise ValueError(
                f"warm knows {len(warm._fit_parameters.right)} workers, but the sequences have "
                f"{sequences.n_workers}"
            )

    def _m_step(self, statistics: Statistics, sequences: CrowdSequences) -> _Parameters:
        n_tags = sequences.n_classes
        said = statistics.labels.reshape(sequences.n_workers, n_tags, n_tags)
        right = np.einsum("wjj->wj", said)
        wrong = np.maximum(said.sum(axis=1) - right, 0.0)
        # (n_workers, entity or O, right or wrong)
        judged = np.stack([_entity_and_outside(counts) for counts in (right, wrong)], axis=2)
        judged, judged_penalty = _shares(judged, self.smoothing, axis=2)
        moves, moves_penalty = _shares(statistics.moves, self.smoothing, axis=1)
        assert statistics.words is not None  # the text model is on
        words, words_penalty = self._words(statistics.words, sequences.vocabulary)
        return _Parameters(
            judged[:, :, 0], moves, words, judged_penalty + moves_penalty + words_penalty
        )

    def _words(self, counts: Floats, vocabulary: Sequence[str]) -> tuple[Floats, float]:
        """Weights of words, and what they add to the penalty; `counts` has their shape."""
        weights, penalty = _shares(counts, self.word_smoothing, axis=0)
        upper = np.array([word[:1].isupper() for word in vocabulary], dtype=bool)
        digit = np.array([word[:1].isdigit() for word in vocabulary], dtype=bool)
        for has in (upper, digit):
            seen = np.stack((counts[~has].sum(axis=0), counts[has].sum(axis=0)))  # (2, n_tags)
            share, more = _shares(seen, self.smoothing, axis=0)
            weights *= share[has.astype(np.intp)]
            penalty += more
        return weights, penalty


def _entity_and_outside(counts: Floats) -> Floats:
    """Counts by tag, pooled over entity tags: shape (n_workers, 2)."""
    return np.stack((counts[:, :-1].sum(axis=1), counts[:, -1]), axis=1)


def _for_workers(found: _Parameters, n_workers: int) -> _Parameters:
    new = np.full((n_workers - len(found.right), 2), 0.5)  # what equal pseudo-counts say
    right = np.concatenate((found.right, new))
    return _Parameters(right, found.moves, found.words, found.penalty)


def _shares(counts: Floats, smoothing: float, axis: int) -> tuple[Floats, float]:
    """Smoothed probabilities along `axis`, and their penalty."""
    smoothed = counts + smoothing
    shares = smoothed / smoothed.sum(axis=axis, keepdims=True)
    return shares, smoothing * float(np.log(shares).sum())
