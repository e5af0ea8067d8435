"""The words of tokens that stand in sequences (sentences) and documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.checks import checked_documents, checked_starts, checked_words
from aggregation.algorithms.data import UNKNOWN, CrowdSequences, numbered_words
from aggregation.algorithms.sequences.tokens import tokens_of


@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class Text:
    """Numbered words. The arrays are checked, and can't be written to.

    Attributes
    ----------
    words : array of shape (n_tokens,), int32
        The number of each token's word in `vocabulary`; UNKNOWN for a word that is not in it.
    vocabulary : the words, each once, as they are written (case and all)
    starts : array of shape (n_sequences + 1,)
        Sequence s holds the tokens starts[s] to starts[s + 1] - 1, as in CSR; empty ones are
        allowed.
    documents : array of shape (n_documents + 1,)
        Document d holds the sequences documents[d] to documents[d + 1] - 1. Where it is given as
        None each sequence is a document of its own.
    """

    words: NDArray[np.int32]
    vocabulary: tuple[str, ...]
    starts: NDArray[np.int64]
    documents: NDArray[np.int64]

    def __init__(
        self,
        words: ArrayLike,
        vocabulary: Sequence[str],
        starts: ArrayLike,
        documents: ArrayLike | None = None,
    ):
        kept = checked_starts(starts)
        known = tuple(vocabulary)
        for name, value in {
            "starts": kept,
            "vocabulary": known,
            "words": checked_words(words, known, int(kept[-1])),
            "documents": checked_documents(documents, len(kept) - 1),
        }.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]], documents: ArrayLike | None = None) -> Self:
        """The tokens of each sentence as strings."""
        starts, tokens = [0], list[str]()
        for sentence in sentences:
            tokens.extend(sentence)
            starts.append(len(tokens))
        words, vocabulary = numbered_words(tokens)
        return cls(words, vocabulary, starts, documents)

    @classmethod
    def of_sequences(cls, sequences: CrowdSequences) -> Self:
        """Where the text is not known, no word is."""
        words = sequences.words
        if words is None:
            words = np.full(sequences.n_tokens, UNKNOWN, dtype=np.int32)
        return cls(words, sequences.vocabulary, sequences.starts, sequences.documents)

    def __repr__(self) -> str:
        return (
            f"Text({self.n_tokens} tokens in {self.n_sequences} sequences of "
            f"{self.n_documents} documents, {len(self.vocabulary)} words)"
        )

    @property
    def n_tokens(self) -> int:
        return len(self.words)

    @property
    def n_sequences(self) -> int:
        return len(self.starts) - 1

    @property
    def n_documents(self) -> int:
        return len(self.documents) - 1

    def sequence_of_token(self) -> NDArray[np.int32]:
        """Shape (n_tokens,)."""
        return np.repeat(np.arange(self.n_sequences, dtype=np.int32), np.diff(self.starts))

    def document_of_sequence(self) -> NDArray[np.int32]:
        """Shape (n_sequences,)."""
        return np.repeat(np.arange(self.n_documents, dtype=np.int32), np.diff(self.documents))

    def take(self, sequences: ArrayLike) -> Self:
        """These sequences alone, in this order. Those of one document that stand side by side are
        one document; one that comes back later is another."""
        chosen = np.asarray(sequences, dtype=np.int64)
        token, starts = tokens_of(self.starts, chosen)
        owner = self.document_of_sequence()[chosen]
        begins = np.flatnonzero(np.diff(owner, prepend=-1))
        return type(self)(
            self.words[token], self.vocabulary, starts, np.append(begins, len(chosen))
        )
