"""Texts whose tags are known, cut into two halves: one to learn from, one that nobody has seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms import CrowdSequences, ordered_tags
from aggregation.algorithms.data import UNKNOWN
from aggregation.algorithms.sequences.crf.text import Text
from aggregation.algorithms.sequences.tokens import tokens_of
from aggregation.files.data import BadFile, renumbered
from aggregation.files.readers import read_file
from experiments.crf.chunks import chunk_corpus

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Half:
    """Sentences with their true tags, numbers of `Corpus.tags`, shape (n_tokens,)."""

    text: Text
    gold: Ints

    @property
    def document(self) -> Ints:
        """The document of each token, shape (n_tokens,)."""
        per_sequence = self.text.document_of_sequence().astype(np.int64)
        return np.repeat(per_sequence, np.diff(self.text.starts))

    def crowd(
        self,
        token: ArrayLike,
        worker: ArrayLike,
        label: ArrayLike,
        n_workers: int,
        tags: Sequence[str],
    ) -> CrowdSequences:
        """Labels of tokens of this half, each of shape (n_labels,)."""
        return CrowdSequences(
            token,
            worker,
            label,
            starts=self.text.starts,
            n_workers=n_workers,
            tags=tags,
            words=self.text.words,
            vocabulary=self.text.vocabulary,
            documents=self.text.documents,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """
    Attributes
    ----------
    name : what the texts are, for a reader
    tags : as `ordered_tags` gives them
    train, test : Half
    crowd : what real workers said of `train`, or None
    whole : what they said of all texts of the file, or None
    whole_gold : array of shape (n_tokens of `whole`,), -1 where the truth is not known; or None
    """

    name: str
    tags: tuple[str, ...]
    train: Half
    test: Half
    crowd: CrowdSequences | None = None
    whole: CrowdSequences | None = None
    whole_gold: Ints | None = None

    @property
    def n_types(self) -> int:
        return len(self.tags) // 2


def synthetic_corpus(n_documents: int, seed: int) -> Corpus:
    """The synthetic corpus."""
    documents = chunk_corpus(n_documents, seed=seed)
    tags = ordered_tags({tag for sentences in documents for s in sentences for tag in s.tags})
    number = {tag: i for i, tag in enumerate(tags)}
    sentences = [sentence for written in documents for sentence in written]
    text = Text.of(
        [sentence.tokens for sentence in sentences],
        np.cumsum([0, *(len(written) for written in documents)]),
    )
    gold = np.array([number[tag] for sentence in sentences for tag in sentence.tags])
    train, test = _halves(text, np.ones(text.n_sequences, dtype=bool), seed)
    name = (
        "synthetic English-like sentences with noun-phrase chunks, a STAND-IN for the chunking "
        "data of CoNLL, which are not ours to give"
    )
    return Corpus(name, tags, _taken(text, gold, train), _taken(text, gold, test))


def read_corpus(path: Path, seed: int, *, labelled: bool) -> Corpus:
    """Documents with gold of a file of JSON lines; with `labelled` only those sentences of the
    half to learn from that somebody labelled. Raises BadFile.
    """
    file = read_file(path, gold=True)
    said = file.sequences
    if said is None:
        raise BadFile(f"{path} holds items. The experiments are on documents: JSON lines.")
    tags = ordered_tags(file.known_classes)
    number = np.append(renumbered(file.known_classes, tags), UNKNOWN).astype(np.int64)
    gold = number[file.gold]  # of what is not known the last one
    text = Text.of_sequences(said)
    sentence = said.sequence_of_token()
    known = np.bincount(sentence, gold == UNKNOWN, minlength=text.n_sequences) == 0
    if np.count_nonzero(_documents_with(text, known)) < 2:
        raise BadFile(
            f"{path} has gold for fewer than two documents. The experiments learn from one half "
            "of those with gold and are scored on both."
        )
    train, test = _halves(text, known, seed)
    if labelled:
        some = np.bincount(sentence[said.token], minlength=text.n_sequences) > 0
        train = train[some[train]]
        if not train.size:
            raise BadFile(f"Nobody labelled a sentence in the half of {path} to learn from.")
    half = _taken(text, gold, train)
    label = number[said.label]
    place = np.full(text.n_tokens, -1)
    place[tokens_of(text.starts, train)[0]] = np.arange(half.text.n_tokens)
    kept = place[said.token] >= 0
    whole = Half(text, gold).crowd(said.token, said.worker, label, said.n_workers, tags)
    crowd = half.crowd(
        place[said.token[kept]], said.worker[kept], label[kept], said.n_workers, tags
    )
    return Corpus(path.name, tags, half, _taken(text, gold, test), crowd, whole, gold)


def _halves(text: Text, usable: NDArray[np.bool_], seed: int) -> tuple[Ints, Ints]:
    """Numbers of the usable sequences of a random half of the documents that have some, and those
    of the others."""
    documents = np.flatnonzero(_documents_with(text, usable))
    drawn = np.random.default_rng(seed).permutation(documents)[: (len(documents) + 1) // 2]
    first = np.isin(text.document_of_sequence(), drawn)
    return np.flatnonzero(usable & first), np.flatnonzero(usable & ~first)


def _documents_with(text: Text, usable: NDArray[np.bool_]) -> NDArray[np.bool_]:
    # A sentence without tokens says nothing.
    some = usable & (np.diff(text.starts) > 0)
    return np.bincount(text.document_of_sequence(), some, minlength=text.n_documents) > 0


def _taken(text: Text, gold: Ints, sequences: Ints) -> Half:
    return Half(text.take(sequences), gold[tokens_of(text.starts, sequences)[0]])
