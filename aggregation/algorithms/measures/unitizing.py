"""How far workers agree on spans: where they are, and of which type.

Unitizing alpha: Krippendorff, Mathet, Bouvry and Widlöcher, "On the reliability of unitizing
textual continua: further developments", Quality & Quantity 50 (2016); Krippendorff, "Content
Analysis", 4th edition (2019), section 12.6. Pairwise span F1: Hripcsak and Rothschild, Journal of
the American Medical Informatics Association 12 (2005), who show that where most tokens are in no
span it is what a kappa of spans comes to.

A worker's spans are those of their own tags, as in `spans`: a token that they did not label ends
one, and an I-x without an open x span is in none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.data import CrowdSequences
from aggregation.algorithms.measures.agreement import (
    Agreement,
    PairTable,
    agreement,
    checked_groups,
)
from aggregation.algorithms.measures.resampling import REPLICATES, share
from aggregation.algorithms.measures.spans import find_spans, span_types, tag_parts
from aggregation.algorithms.shards import total

if TYPE_CHECKING:
    from scipy.sparse import csr_array

PIECE = 2**19  # labels that are looked at at a time
MET = 256  # workers whose meetings with all others are counted at a time


def unitizing_alpha(
    sequences: CrowdSequences,
    *,
    typed: bool = True,
    groups: ArrayLike | None = None,
    seed: int = 0,
    replicates: int = REPLICATES,
) -> Agreement:
    """Alpha of spans, "u-alpha nominal": 1 - D_o / D_e with the token as the unit of length.

    Every token of a worker is in a span of a type c, or in a gap (c = 0). With m_t workers who
    labelled token t, n_tc those of them who have c there, n_c the sum of n_tc over all tokens with
    two or more, n the sum of all n_c (eqs. 32 to 34 of the book, which has the same workers
    everywhere; weighted by token as alpha is with gaps):

        D_o = sum_t sum_c n_tc (m_t - n_tc) / (m_t - 1) / n
        D_e = sum_c n_c (n - n_c) / (n^2 - L),        L = n_0 + sum over spans of length^2

    A length counts the span's tokens that somebody else labelled too. L takes out of the expected
    pairs those of a span with itself: a span is chosen as a whole, each token of a gap by itself.
    With spans of one token, this is alpha of tokens.

    The boundary between two neighbouring spans of one type is not looked at; `pairwise_span_f1`
    does. `typed=False` counts spans of any two types as the same, and so tells how far they agree
    on where: "|u-alpha binary", eq. 35.

    Parameters
    ----------
    sequences : CrowdSequences
    typed : bool
    groups : integer array of shape (n_sequences,), or None for each sequence by itself
        The number of each sequence's document, from 0; the bootstrap draws documents.
    seed, replicates : int
        Of the bootstrap; 0 replicates leave the interval out.
    """
    n_types = len(tag_parts(sequences.tags)[2]) if typed else 1
    group = np.arange(sequences.n_sequences) if groups is None else _of_sequences(groups, sequences)
    found = total(
        _unitizing_sums(shard, group[sentences], int(group.max(initial=-1)) + 1, n_types, typed)
        for shard, sentences in _pieces(sequences)
    )
    return agreement(
        found.rows[found.compared > 0],
        None,
        _unitizing_of,
        seed=seed,
        replicates=replicates,
        units=int(found.compared.sum()),
        pairs=found.pairs,
    )


@dataclass(frozen=True, slots=True)
class _UnitizingSums:
    """Of each group: the row (n D_o, L, n_0, n_1, ...), and how many of its tokens two workers
    labelled; and how many pairs of labels there are."""

    rows: NDArray[np.float64]
    compared: NDArray[np.int64]
    pairs: int

    def __add__(self, other: _UnitizingSums) -> _UnitizingSums:
        return _UnitizingSums(
            self.rows + other.rows, self.compared + other.compared, self.pairs + other.pairs
        )


def _unitizing_sums(
    sequences: CrowdSequences,
    group_of: NDArray[np.int64],
    n_groups: int,
    n_types: int,
    typed: bool,
) -> _UnitizingSums:
    spans = _worker_spans(sequences)
    judged = np.bincount(spans.token, minlength=sequences.n_tokens)
    compared = judged > 1
    value = 1 + (spans.inside if typed else np.minimum(spans.inside, 0))  # 0 is a gap
    votes = np.bincount(
        spans.token * (1 + n_types) + value, minlength=sequences.n_tokens * (1 + n_types)
    ).reshape(-1, 1 + n_types)
    squares = np.einsum("tc,tc->t", votes, votes)
    m = np.maximum(judged, 2)
    disputed = np.where(compared, (judged * judged - squares) / (m - 1), 0.0)
    votes[~compared] = 0

    group = group_of[sequences.sequence_of_token()]
    paired = np.concatenate(([0], np.cumsum(compared[spans.token])))
    length = paired[spans.end] - paired[spans.start]
    own = np.bincount(group[spans.token[spans.start]], length * length, minlength=n_groups)
    own = own + np.bincount(group, votes[:, 0], minlength=n_groups)
    rows = np.column_stack([
        np.bincount(group, disputed, minlength=n_groups),
        own,
        *(np.bincount(group, votes[:, c], minlength=n_groups) for c in range(1 + n_types)),
    ])  # fmt: skip
    return _UnitizingSums(
        rows,
        np.bincount(group[compared], minlength=n_groups),
        int((judged * (judged - 1)).sum()) // 2,
    )


def _unitizing_of(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """From rows (n D_o, L, n_0, n_1, ...) to alpha, shape (n_rows,)."""
    disputed, own, count = sums[:, 0], sums[:, 1], sums[:, 2:]
    n = count.sum(axis=1)
    different = n * n - np.einsum("rc,rc->r", count, count)  # pairs of different classes
    # Different classes are in different spans, so L < n^2 wherever there are two classes.
    return 1.0 - share(disputed * (n * n - own), n * different)


def pairwise_span_f1(
    sequences: CrowdSequences,
    *,
    groups: ArrayLike | None = None,
    seed: int = 0,
    replicates: int = REPLICATES,
) -> Agreement:
    """F1 of one worker's spans against another's, over all pairs and the tokens both labelled.

    Each pair counts by its spans, so this is 2 x common spans / all spans, summed over pairs. A
    span is common if start, end and type are, and compared with who labelled its first token. It
    needs no loop over pairs: a span that c workers gave makes c (c - 1) / 2 common ones, and each
    span whose first token w workers labelled is compared w - 1 times. Parameters as for
    `unitizing_alpha`.
    """
    presence = _presence(sequences)
    judged = np.bincount(presence.sentence, minlength=sequences.n_sequences)
    counts = np.concatenate([_common_spans(shard) for shard, _ in _pieces(sequences)])
    group = None if groups is None else _of_sequences(groups, sequences)[judged > 1]
    return agreement(
        counts[judged > 1].astype(np.float64),
        group,
        lambda sums: share(sums[:, 0], sums[:, 1]),
        seed=seed,
        replicates=replicates,
        units=int((judged > 1).sum()),
        pairs=presence.pairs(),
    )


def _common_spans(sequences: CrowdSequences) -> NDArray[np.float64]:
    """Common spans and compared ones of each sequence, shape (n_sequences, 2)."""
    spans = _worker_spans(sequences)
    sentence = sequences.sequence_of_token()[spans.token[spans.start]]
    _, first, given = np.unique(spans.keys(sequences), return_index=True, return_counts=True)
    common = np.bincount(sentence[first], given * (given - 1), minlength=sequences.n_sequences)
    labelled = np.bincount(spans.token, minlength=sequences.n_tokens)
    others = labelled[spans.token[spans.start]] - 1
    return np.column_stack([common, np.bincount(sentence, others, minlength=sequences.n_sequences)])


def pairwise_span_f1s(sequences: CrowdSequences) -> PairTable:
    """Span F1 for each pair of workers, over the tokens that both labelled.

    Pairs of which neither has a span in these sentences are left out.
    """
    from scipy.sparse import csr_array, triu

    spans = _worker_spans(sequences)
    presence = _presence(sequences)
    n_workers = sequences.n_workers
    keys, which = np.unique(spans.keys(sequences), return_inverse=True)
    there = csr_array((np.ones(len(which)), (spans.worker, which)), shape=(n_workers, len(keys)))
    shape = (n_workers, sequences.n_tokens)
    given = csr_array((np.ones(len(which)), (spans.worker, spans.token[spans.start])), shape=shape)
    labels = (np.ones(sequences.n_labels), (sequences.worker, sequences.token))
    mine = given @ csr_array(labels, shape=shape).T  # [w, v]: spans of w that begin where v looked
    shared = triu(presence.matrix @ presence.matrix.T, k=1).tocoo()
    first, second = shared.row, shared.col
    if not len(first):
        none = np.empty(0, dtype=np.int64)
        return PairTable(none, none, none, np.empty(0))
    common = (there @ there.T)[first, second]
    both = mine[first, second] + mine[second, first]
    some = np.flatnonzero(both > 0)
    some = some[np.lexsort((second[some], first[some]))]
    return PairTable(
        first[some].astype(np.int64),
        second[some].astype(np.int64),
        shared.data[some].astype(np.int64),
        2.0 * common[some] / both[some],
    )


@dataclass(frozen=True, slots=True)
class _WorkerSpans:
    """Labels ordered by worker and token, and the spans they make.

    `token` and `inside` (type of the span around it, -1 outside), shape (n_labels,); `start` and
    `end`, shape (n_spans,), are places in these; `worker` and `kind` are of the spans.
    """

    token: NDArray[np.int64]
    inside: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    worker: NDArray[np.int64]
    kind: NDArray[np.int64]

    def keys(self, sequences: CrowdSequences) -> NDArray[np.int64]:
        """A number for each span, the same for the same start, end and type."""
        longest = int(np.diff(sequences.starts).max(initial=0)) + 1
        n_types = max(1, len(sequences.tags) // 2)
        length = self.end - self.start
        return (self.token[self.start] * longest + length) * n_types + self.kind


def _worker_spans(sequences: CrowdSequences) -> _WorkerSpans:
    key = sequences.worker.astype(np.int64) * sequences.n_tokens + sequences.token
    order = np.argsort(key, kind="stable")
    token, worker = sequences.token[order].astype(np.int64), sequences.worker[order]
    labels = sequences.label[order].astype(np.int64)
    starts_sentence = np.zeros(sequences.n_tokens + 1, dtype=bool)
    starts_sentence[sequences.starts] = True
    first = np.ones(len(token), dtype=bool)
    first[1:] = (np.diff(key[order]) != 1) | (np.diff(worker) != 0) | starts_sentence[token[1:]]
    start, end, kind = find_spans(labels, sequences.tags, first)
    return _WorkerSpans(
        token=token,
        inside=span_types(start, end, kind, len(token)),
        start=start,
        end=end,
        worker=worker[start].astype(np.int64),
        kind=kind,
    )


@dataclass(frozen=True, slots=True)
class _Presence:
    """Who labelled a token of which sentence: `matrix` of ones, (n_workers, n_sequences)."""

    matrix: csr_array
    sentence: NDArray[np.int64]

    def pairs(self) -> int:
        """How many pairs of workers have a sentence in common. Some workers at a time: thousands
        who have all met take a hundred megabytes."""
        n_workers, transposed = self.matrix.shape[0], self.matrix.T
        met = sum(
            (self.matrix[first : first + MET] @ transposed).nnz
            for first in range(0, n_workers, MET)
        )
        themselves = np.count_nonzero(np.diff(self.matrix.indptr))
        return int(met - themselves) // 2


def _presence(sequences: CrowdSequences) -> _Presence:
    from scipy.sparse import csr_array

    shape = (sequences.n_workers, sequences.n_sequences)
    width = np.int64(max(1, shape[1]))
    once = np.concatenate(
        [
            np.unique(shard.worker * width + shard.sequence_of_token()[shard.token] + own.start)
            for shard, own in _pieces(sequences)
        ]
    )
    once.sort()
    worker, sentence = np.divmod(once, max(1, shape[1]))
    return _Presence(csr_array((np.ones(len(once)), (worker, sentence)), shape=shape), sentence)


def _of_sequences(groups: ArrayLike, sequences: CrowdSequences) -> NDArray[np.int64]:
    return checked_groups(groups, sequences.n_sequences, "sequences")


def _pieces(sequences: CrowdSequences) -> Iterator[tuple[CrowdSequences, slice]]:
    """Whole sequences of about PIECE labels each, and which they are: all of the labels' arrays at
    once would take ten times as much memory as the labels."""
    begin = 0
    for shard in sequences.shards(max(1, -(-sequences.n_labels // PIECE))):
        yield shard, slice(begin, begin + shard.n_sequences)
        begin += shard.n_sequences
