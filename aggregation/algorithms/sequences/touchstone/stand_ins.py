"""Where there is too little for `Touchstone` to learn from, another method does its work."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.categorical.dawid_skene import DawidSkene
from aggregation.algorithms.data import CrowdSequences
from aggregation.algorithms.results import Diagnostics
from aggregation.algorithms.sequences.bsc.model import BSCseq
from aggregation.algorithms.sequences.bsc.shard import START_SMOOTHING
from aggregation.algorithms.sequences.crf.text import Text
from aggregation.algorithms.sequences.crf_ma import CRFMA

Floats = NDArray[np.float64]

# Below these another method is better; measured, see docs/methods/choosing.md.
LEAST_TOKENS = 2_000  # that somebody labelled, for a field to be learnt from
LEAST_EACH = 500  # labels of a worker, on average, for what they say after what to be learnt
LEAST_EACH_BSC = 750  # the same for BSC-seq
REPEATED = 1.5  # labels of a token, on average
DS_ITERATIONS = 20


@dataclass(frozen=True, slots=True)
class StandIn:
    """A fit of another method, and why it is not Touchstone's own."""

    method: str
    model: BSCseq | DawidSkene | CRFMA
    foreseen: Floats | None  # workers' tables, to foretell labels by; CRF-MA has none
    why: str

    def diagnostics(self) -> Diagnostics:
        note = f"{self.method} stood in for touchstone: {self.why}."
        return replace(self.model.diagnostics_, note=note)


def has_single_answers(sequences: CrowdSequences) -> bool:
    """Where tokens have one label each, nothing tells workers apart but the text."""
    several = REPEATED * len(np.unique(sequences.token))
    return sequences.words is not None and 0 < sequences.n_labels < several


def for_single_answers(sequences: CrowdSequences, seed: int) -> StandIn:
    why = "most tokens have one label, and no two workers can be compared"
    return StandIn("crf-ma", CRFMA(seed=seed).fit(sequences), None, why)


def too_little(
    sequences: CrowdSequences, judged: NDArray[np.bool_], counted: NDArray[np.bool_], folds: int
) -> str:
    """Why there are to be no fields; empty where there are. `judged` are the tokens, `counted` the
    sequences of which something is known."""
    if sequences.words is None:
        return "the words of the tokens are not known"
    if (n := int(judged.sum())) < LEAST_TOKENS:
        return f"tokens with labels are {n:,}, too few to learn from what the text says"
    documents = Text.of_sequences(sequences).documents
    labelled = np.add.reduceat(counted, documents[:-1][np.diff(documents) > 0])
    if (n := int((labelled > 0).sum())) < folds:
        return f"documents with labels are {n}, too few for {folds} folds"
    if (each := labels_each(sequences)) < LEAST_EACH:
        return f"labels of a worker are {each:,.0f}, too few for a table of their own"
    return ""


def simpler(
    sequences: CrowdSequences,
    known: NDArray[np.int64],
    *,
    diagonal: float,
    factor: float,
    why: str,
) -> StandIn:
    """BSC-seq, or where workers have too few labels for its tables too, Dawid and Skene."""
    if labels_each(sequences) >= LEAST_EACH_BSC:
        text = int(sequences.words is not None)
        bsc = BSCseq(diagonal=diagonal, factor=factor, text=text).fit(sequences, gold=known)
        return StandIn("bsc-seq", bsc, bsc.annotators_mean(), why)
    ds = DawidSkene(
        diagonal=START_SMOOTHING, off_diagonal=START_SMOOTHING, max_iter=DS_ITERATIONS
    ).fit(sequences.token_labels(), gold=known)
    confusion = ds.reliability_.confusion
    assert confusion is not None  # Dawid and Skene is about nothing else
    return StandIn("dawid-skene", ds, confusion.transpose(0, 2, 1), why)


def labels_each(sequences: CrowdSequences) -> float:
    """Of a worker with labels, on average."""
    return sequences.n_labels / max(len(np.unique(sequences.worker)), 1)
