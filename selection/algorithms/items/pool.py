"""The items that there are, as pickers and learners see them, and what is labelled of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from selection.algorithms.items.attributes import (
    Attribute,
    Missing,
    check_some,
    matrix_of,
    pairs_of,
    unit_vectors,
    vectors_of,
)
from selection.algorithms.items.coverage import checked_cost
from selection.algorithms.items.pairs import Pairs, SparsePairs

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Pool:
    """Items, numbered from 0.

    Attributes
    ----------
    pairs : Pairs
        For coverage.
    values : array or CSR of shape (n_items, n_columns)
        What learners of counts and of plain values see.
    vectors : array or CSR of shape (n_items, n_columns)
        Standardised, for linear learners and for similarity.
    cost : array of shape (n_items,)
        Of labelling each, above 0.
    documents : Documents, FeatureRows, or None
        For learners of texts and of pairs of mentions.

    `values` and `vectors` may be given as functions that make them: who covers needs neither.
    """

    def __init__(
        self,
        pairs: Pairs,
        values: Any,
        vectors: Any,
        cost: ArrayLike | None = None,
        documents: Any = None,
    ):
        self.pairs, self.documents = pairs, documents
        self._matrices = {"values": values, "vectors": vectors}
        for name, matrix in self._matrices.items():
            if not callable(matrix):
                self._matrix(name)
        self.cost = checked_cost(np.ones(pairs.n_items) if cost is None else cost, pairs)

    @classmethod
    def of(
        cls,
        attributes: Sequence[Attribute],
        *,
        cost: ArrayLike | None = None,
        bins: int = 10,
        step: float | None = None,
        missing: Missing = "pair",
    ) -> Self:
        """Of numbers and names; see `pairs_of` for the settings."""
        check_some(attributes)
        pairs = pairs_of(attributes, bins=bins, step=step, missing=missing)
        return cls(pairs, lambda: matrix_of(attributes), lambda: vectors_of(attributes), cost)

    @classmethod
    def of_counts(cls, counts: Any, *, cost: ArrayLike | None = None) -> Self:
        """Of how often each item has each of many things, as a text its words: a pair is a thing
        that it has, and vectors are log(1 + count) · log(n / items that have it)."""
        matrix = sparse.csr_array(counts, dtype=np.float64)
        if matrix.nnz and matrix.data.min() < 0:
            raise ValueError(f"counts must be 0 or more, but there is {matrix.data.min():g}")
        pairs = SparsePairs(matrix)
        held = np.maximum(np.bincount(pairs.indices, minlength=pairs.n_pairs), 1)
        vectors = matrix.copy()
        vectors.data = np.log1p(vectors.data)
        rarity = np.log(max(pairs.n_items, 1) / held)
        return cls(pairs, matrix, sparse.csr_array(vectors @ sparse.diags_array(rarity)), cost)

    @property
    def n_items(self) -> int:
        return self.pairs.n_items

    @cached_property
    def values(self) -> Any:
        return self._matrix("values")

    @cached_property
    def vectors(self) -> Any:
        return self._matrix("vectors")

    @property
    def equal_cost(self) -> bool:
        return bool((self.cost == 1).all())

    def examples(self, sees: str) -> Any:
        """The items as a learner sees them: its "values", "vectors" or "documents"."""
        found = getattr(self, sees)
        if found is None:
            raise ValueError(f"the pool has no {sees}, which the learner learns from")
        return found

    def _matrix(self, name: str) -> Any:
        found = self._matrices[name]
        if callable(found):
            found = found()
        if found.shape[0] != self.n_items:
            raise ValueError(
                f"{name} has {found.shape[0]} rows, but there are {self.n_items} items"
            )
        return found

    @cached_property
    def units(self) -> Any:
        """The vectors, each of length 1 (of zeros where it is nothing but zeros)."""
        return unit_vectors(self.vectors)


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """What is labelled so far.

    Attributes
    ----------
    items : integer array of shape (n_labelled,)
        In the order in which they were labelled, each once.
    targets : array of shape (n_labelled, n_classes), or DocumentTags
        P(class | what workers said), or the same of each token; see `Learner`.
    """

    items: Integers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    targets: Any = field(default_factory=lambda: np.zeros((0, 0)))

    def __post_init__(self) -> None:
        if len(self.targets) != len(self.items):
            raise ValueError(
                f"targets are of {len(self.targets)} items, but {len(self.items)} are labelled"
            )
        if len(np.unique(self.items)) < len(self.items):
            raise ValueError("an item is labelled twice; give it once, with its probabilities")

    @classmethod
    def of_classes(cls, items: ArrayLike, classes: ArrayLike, n_classes: int) -> Self:
        """Where labels are certain."""
        return cls(np.asarray(items, dtype=np.int64), np.eye(n_classes)[np.asarray(classes)])

    @property
    def teaches(self) -> bool:
        """Whether classes can be told apart by it: at least two were found."""
        if not len(self.items):
            return False
        if isinstance(self.targets, np.ndarray):
            return len(np.unique(self.targets.argmax(axis=1))) > 1
        return bool(self.targets.n_found > 1)
