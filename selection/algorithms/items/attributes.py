"""What is known of items before anybody labels them: numbers and names, made discrete for coverage,
and vectors for similarity and for learners.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.settings import check_above, check_at_least, check_choice
from selection.algorithms.items.pairs import TablePairs

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Missing = Literal["pair", "skip"]
NOT_KNOWN = -1  # code of an item without a value
WIDEST = 512  # columns that are held for each item; with more of them, only what is not 0


@dataclass(frozen=True, slots=True, eq=False)
class Numeric:
    """`values`, shape (n_items,); NaN where it is not known."""

    name: str
    values: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Nominal:
    """`codes`, shape (n_items,): numbers of `names`, or NOT_KNOWN."""

    name: str
    codes: Integers
    names: tuple[str, ...]


Attribute = Numeric | Nominal


def rounded_codes(values: ArrayLike, step: float) -> tuple[Integers, int]:
    """Codes of the values rounded to the nearest multiple of `step`, and how many there are; what
    is not known has that number. Halves go up."""
    check_above(0, step=step)
    x = np.asarray(values, dtype=np.float64)
    with np.errstate(over="ignore"):
        return _codes(np.floor(x / step + 0.5))


def quantile_codes(values: ArrayLike, bins: int) -> tuple[Integers, int]:
    """Codes of `bins` intervals with about as many values in each; fewer where values are equal,
    which are never parted."""
    check_at_least(2, bins=bins)
    x = np.asarray(values, dtype=np.float64)
    known = x[~np.isnan(x)]
    if not known.size:
        return _codes(x)
    edges = np.unique(np.quantile(known, np.arange(1, bins) / bins, method="inverted_cdf"))
    return _codes(np.where(np.isnan(x), np.nan, np.searchsorted(edges, x, side="left")))


def pairs_of(
    attributes: Sequence[Attribute],
    *,
    bins: int = 10,
    step: float | None = None,
    missing: Missing = "pair",
) -> TablePairs:
    """Attribute–value pairs, numbers in quantile bins or, with `step`, rounded to it.

    `missing` "pair": not to be known is a value like others; "skip": it is no pair.
    """
    check_choice(("pair", "skip"), missing=missing)
    codes, sizes = [], []
    for attribute in attributes:
        if isinstance(attribute, Nominal):
            size = len(attribute.names)
            column = np.where(attribute.codes == NOT_KNOWN, size, attribute.codes)
        elif step is None:
            column, size = quantile_codes(attribute.values, bins)
        else:
            column, size = rounded_codes(attribute.values, step)
        if missing == "pair" and (column == size).any():
            size += 1
        codes.append(column)
        sizes.append(size)
    return TablePairs(codes, sizes)


def matrix_of(attributes: Sequence[Attribute]) -> Any:
    """The values as they are, shape (n_items, n_columns): a column for a number (its mean where it
    is not known), one of 0 and 1 for each name that at least two items share. Dense, or CSR where
    there are more than WIDEST columns."""
    return _stacked([_columns(attribute) for attribute in attributes])


def vectors_of(attributes: Sequence[Attribute]) -> Any:
    """For similarity: numbers as sign · log(1 + |x|), standardised; the columns of a nominal
    attribute scaled so that all of them together vary as much as one number does.

    Centred unless there are more than WIDEST columns, which would not be sparse then. A constant
    says nothing and is 0.
    """
    blocks = []
    for attribute in attributes:
        block = _columns(attribute)
        if isinstance(attribute, Numeric):
            block = np.sign(block) * np.log1p(np.abs(block))
            spread = float(np.sqrt(block.var()))
            spread = spread if spread > 1e-9 * float(np.abs(block).max(initial=0)) else 0.0
        else:
            share = np.asarray(block.sum(axis=0)).ravel() / max(block.shape[0], 1)
            spread = float(np.sqrt((share * (1 - share)).sum()))
        blocks.append(block / spread if spread else block * 0.0)
    stacked = _stacked(blocks)
    if isinstance(stacked, np.ndarray):
        stacked -= stacked.mean(axis=0) if len(stacked) else 0.0
    return stacked


def unit_vectors(vectors: Any) -> Any:
    """Each of length 1, or of zeros as it was; single precision, which halves the memory."""
    if isinstance(vectors, np.ndarray):
        length = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
        length[length == 0] = 1
        return (vectors / length[:, None]).astype(np.float32)
    from scipy import sparse  # late: it takes a tenth of a second

    length = np.sqrt(np.asarray(vectors.multiply(vectors).sum(axis=1)).ravel())
    length[length == 0] = 1
    return sparse.csr_array(sparse.diags_array(1 / length) @ vectors, dtype=np.float32)


def _codes(values: Floats) -> tuple[Integers, int]:
    known = ~np.isnan(values)
    found, code = np.unique(values[known], return_inverse=True)
    codes = np.full(len(values), len(found), dtype=np.int64)
    codes[known] = code
    return codes, len(found)


def _columns(attribute: Attribute) -> Any:
    from scipy import sparse

    if isinstance(attribute, Numeric):
        known = ~np.isnan(attribute.values)
        mean = attribute.values[known].mean() if known.any() else 0.0
        return np.where(known, attribute.values, mean)[:, None]
    counts = np.bincount(attribute.codes[attribute.codes >= 0], minlength=len(attribute.names))
    shared = np.flatnonzero(counts > 1)
    place = np.full(len(attribute.names) + 1, -1)
    place[shared] = np.arange(len(shared))  # and NOT_KNOWN, the last, stays -1
    column = place[attribute.codes]
    item = np.flatnonzero(column >= 0)
    shape = (len(column), len(shared))
    return sparse.csr_array((np.ones(len(item)), (item, column[item])), shape=shape)


def check_some(attributes: Sequence[Attribute]) -> None:
    if not attributes:
        raise ValueError("there is no attribute: without any, items can be chosen at random alone")


def _stacked(blocks: list[Any]) -> Any:
    if sum(block.shape[1] for block in blocks) <= WIDEST:
        return np.hstack(
            [block if isinstance(block, np.ndarray) else block.toarray() for block in blocks]
        )
    from scipy import sparse

    return sparse.csr_array(sparse.hstack(blocks, format="csr"))
