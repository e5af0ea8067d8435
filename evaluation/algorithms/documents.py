"""Documents that were annotated in full, and ratios of what they hold.

Instances of a document are clustered, so variances go over documents (Cochran, "Sampling
Techniques", section 6).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.algorithms.predictions import Floats, Whole, as_floats, ratio


@dataclass(frozen=True, slots=True, eq=False)
class Documents:
    """Documents that were annotated in full, drawn from a corpus.

    Attributes
    ----------
    document : array of shape (n_instances,)
        In which of them each true claim stands, from 0.
    n_documents : int
        Those without a true claim are among them.
    weight : array of shape (n_documents,)
        One over the probability with which each was drawn, or what is proportional to it.
    corpus : int or None
        How many documents there are in all: with all of them annotated nothing is left to chance.
    share : array of shape (n_instances,), or None
        With which probability each is true, by whoever annotated; None: all are.
    shared : array of shape (n_draws, n_instances), or None
        By how much each draw of what is unknown of these people moves that; the mean is 0.
    """

    document: Whole
    n_documents: int
    weight: Floats
    corpus: int | None = None
    share: Floats | None = None
    shared: Floats | None = None

    @classmethod
    def of(
        cls,
        document: ArrayLike,
        n_documents: int,
        weight: ArrayLike | None = None,
        corpus: int | None = None,
        share: ArrayLike | None = None,
        shared: Floats | None = None,
    ) -> Documents:
        number = np.asarray(document, dtype=np.int64)
        if len(number) and not 0 <= number.min() <= number.max() < n_documents:
            raise ValueError(f"documents must be 0 to {n_documents - 1}")
        weights = np.ones(n_documents) if weight is None else as_floats(weight)
        if len(weights) != n_documents or not (np.isfinite(weights) & (weights > 0)).all():
            raise ValueError("each document needs a weight above 0")
        if corpus is not None and corpus < n_documents:
            raise ValueError(f"the corpus has {corpus} documents, but {n_documents} are annotated")
        shares = None if share is None else as_floats(share)
        if shares is not None and not (
            len(shares) == len(number) and ((shares >= 0) & (shares <= 1)).all()
        ):
            raise ValueError("each instance needs a probability")
        if shared is not None and (shares is None or shared.shape[1:] != shares.shape):
            raise ValueError("what instances share needs a column for each probability")
        return cls(number, n_documents, weights, corpus, shares, shared)

    def counts(self, mask: Floats | NDArray[np.bool_] | None = None) -> Floats:
        """How many instances (with `mask`: its sum) each document has, by expectation; shape
        (n_documents,)."""
        each = mask
        if self.share is not None:
            each = self.share if mask is None else self.share * as_floats(mask)
        return as_floats(np.bincount(self.document, each, minlength=self.n_documents))

    def only(self, mine: Whole) -> Documents:
        """With these instances alone."""
        share = None if self.share is None else self.share[mine]
        shared = None if self.shared is None else self.shared[:, mine]
        return replace(self, document=self.document[mine], share=share, shared=shared)

    @property
    def open_share(self) -> float:
        """1 less the share of the corpus that was annotated."""
        return 1.0 if self.corpus is None else 1 - self.n_documents / self.corpus


@dataclass(frozen=True, slots=True, eq=False)
class DocumentRatio:
    """A ratio of sums over documents, linearised, with the jackknife's residuals: a document of
    many instances pulls the ratio towards itself, and so hides its own deviation.

    Attributes
    ----------
    value, variance : arrays of shape (n_rows,)
    influence : array of shape (n_rows, n_documents)
        Each sums to 0; products of two rows, summed and times `scale`, are covariances.
    scale : float
    df : float
        Degrees of freedom: documents, counted as if all had as many instances, less 1.
    noise : array of shape (n_rows,)
        The part of the variance that comes from instances that are probabilities. What is unsure of
        each alone is small where few of all documents were annotated, for it evens out over the
        others, and whole where all were.
    moved : array of shape (n_rows, n_draws)
        By how much each draw of what instances share moves the ratio; its variance is in `noise`.
    """

    value: Floats
    variance: Floats
    influence: Floats
    scale: float
    df: float
    noise: Floats = field(default_factory=lambda: np.zeros(1))
    moved: Floats = field(default_factory=lambda: np.zeros((1, 1)))

    def covariance(self, other: DocumentRatio) -> Floats:
        """Row by row; `other` has as many rows, or one."""
        return self.scale * (self.influence * other.influence).sum(axis=1)


def document_ratio(hits: ArrayLike, totals: ArrayLike, documents: Documents) -> DocumentRatio:
    """sum_d w_d hits_d / sum_d w_d totals_d, for hits of shape (n_rows, n_documents)."""
    top = np.atleast_2d(as_floats(hits))
    w, n = documents.weight, documents.n_documents
    bottom = as_floats(totals)
    size = float(w @ bottom)
    value = ratio(top @ w, np.full(len(top), size))
    residual = w * (top - np.nan_to_num(value)[:, None] * bottom) / (size if size else np.nan)
    pull = w * bottom / size if size else np.zeros(n)
    residual = residual / (1 - np.minimum(pull, 0.999))
    residual = residual - residual.mean(axis=1, keepdims=True)
    alone = (bottom > 0).sum() < 2  # one document says nothing of how documents differ
    scale = np.nan if alone else documents.open_share * n / (n - 1)
    variance = scale * (residual**2).sum(axis=1)
    return DocumentRatio(
        value, variance, residual, scale, 1.0 if alone else max(1 / float(pull @ pull) - 1, 1.0)
    )
