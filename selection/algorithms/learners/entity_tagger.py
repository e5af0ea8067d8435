"""The conditional random field of names, as a learner of documents."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, BinaryIO, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.checks import checked_starts
from aggregation.algorithms.estimators import Estimator
from aggregation.algorithms.sequences.crf.features import Features
from aggregation.algorithms.sequences.crf.model import LinearChainCRF
from aggregation.algorithms.sequences.crf.posteriors import targets_of_posterior
from aggregation.algorithms.sequences.crf.tagger import Tagger
from aggregation.algorithms.sequences.crf.text import Text
from aggregation.algorithms.sequences.tokens import tokens_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Documents:
    """Texts, of which some can be taken: examples of which each item is a document."""

    text: Text

    @property
    def shape(self) -> tuple[int]:
        return (self.text.n_documents,)

    def __len__(self) -> int:
        return self.text.n_documents

    def __getitem__(self, items: ArrayLike) -> Documents:
        sequences, _ = tokens_of(self.text.documents, np.asarray(items, dtype=np.int64))
        return Documents(self.text.take(sequences))

    def token_starts(self) -> NDArray[np.int64]:
        """Where each document's tokens begin, shape (n_documents + 1,)."""
        return np.asarray(self.text.starts[self.text.documents])


class DocumentTags:
    """What is known of the tags of documents.

    Attributes
    ----------
    posterior : array of shape (n_tokens, n_tags)
        P(tag | what workers said); NaN where nobody said anything, and then the sentence is not
        learnt from.
    starts : array of shape (n_documents + 1,)
        Where each document's tokens begin.
    """

    def __init__(self, posterior: ArrayLike, starts: ArrayLike):
        self.posterior = np.asarray(posterior, dtype=np.float64)
        self.starts = checked_starts(starts, noun="documents")
        if self.posterior.ndim != 2 or len(self.posterior) != self.starts[-1]:
            raise ValueError(
                f"posterior has the shape {self.posterior.shape}, but there are {self.starts[-1]} "
                "tokens"
            )

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, items: ArrayLike) -> DocumentTags:
        tokens, starts = tokens_of(self.starts, np.asarray(items, dtype=np.int64))
        return DocumentTags(self.posterior[tokens], starts)

    def known(self) -> NDArray[np.bool_]:
        return np.asarray(np.isfinite(self.posterior).all(axis=1))

    @property
    def n_found(self) -> int:
        """How many tags are the most probable one of some token."""
        return len(np.unique(self.posterior[self.known()].argmax(axis=1)))


class EntityTagger(Estimator):
    """Learns where names are.

    Parameters
    ----------
    tags : names of the tags, O last
    sigma2, max_iter : settings of the field

    Attributes
    ----------
    tagger_ : Tagger
        Can be stored.
    """

    sees: ClassVar[str] = "documents"

    def __init__(self, *, tags: tuple[str, ...], sigma2: float = 1.0, max_iter: int = 100):
        self.tags, self.sigma2, self.max_iter = tags, sigma2, max_iter

    def fit(self, examples: Any, targets: Any) -> Self:
        text = _checked(examples, targets).text
        if not targets.known().any():
            raise ValueError("nothing is labelled: there is nothing to learn from")
        field = LinearChainCRF(sigma2=self.sigma2, max_iter=self.max_iter, legal=1, scaled=1)
        soft = targets_of_posterior(targets.posterior, text.starts, self.tags)
        self.tagger_ = Tagger(Features(), field).fit(text, soft, self.tags)
        return self

    @property
    def classes(self) -> tuple[str, ...]:
        return self.tags

    def save(self, file: str | os.PathLike[str] | BinaryIO) -> None:
        """Store it as a tagger, with which files can be tagged too."""
        self.tagger_.save(file)

    @classmethod
    def load(cls, file: str | os.PathLike[str] | BinaryIO) -> Self:
        """Raises OSError and ValueError as `Tagger.load` does."""
        tagger = Tagger.load(file)
        self = cls(tags=tagger.tags, sigma2=tagger.crf.sigma2, max_iter=tagger.crf.max_iter)
        self.tagger_ = tagger
        return self

    def predict(self, examples: Any) -> NDArray[np.int64]:
        """The most probable tags, shape (n_tokens,)."""
        return self.tagger_.tag(examples.text)

    def uncertainty(self, examples: Any) -> Floats:
        tags, marginals = self.tagger_.judge(examples.text)
        doubt = np.append(1 - marginals[np.arange(len(tags)), tags], 0.0)
        starts = examples.token_starts()
        found = np.add.reduceat(doubt, starts[:-1]) if len(examples) else np.zeros(0)
        return np.where(np.diff(starts) > 0, found, 0.0)

    def confusion(self, examples: Any, targets: Any) -> Floats:
        """Of tokens."""
        _checked(examples, targets)
        known = targets.known()
        said = np.eye(len(self.tags))[self.predict(examples)]
        return np.asarray(targets.posterior[known].T @ said[known])


def _checked(examples: Documents, targets: DocumentTags) -> Documents:
    if not np.array_equal(examples.token_starts(), targets.starts):
        raise ValueError("targets are of documents of other lengths than the examples")
    return examples
