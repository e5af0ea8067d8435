"""What systems claim, as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """The claims of all systems, one system after the other.

    A claim is a number below `n_claims`: what two systems say of the same spans is one claim, so
    that one judgment serves both. A prediction is a claim of one system; columns that belong to
    predictions, such as a metric, have the shape (n_predictions,).

    Attributes
    ----------
    claim : array of shape (n_predictions,)
        Rises within each system.
    starts : array of shape (n_systems + 1,)
        System i has the predictions starts[i] to starts[i + 1] - 1.
    n_claims : int
        Of the whole pool.
    """

    claim: Whole
    starts: Whole
    n_claims: int

    def __post_init__(self) -> None:
        starts, claim = self.starts, self.claim
        if len(starts) == 0 or starts[0] != 0 or starts[-1] != len(claim):
            raise ValueError("starts must begin with 0 and end with the number of predictions")
        if (np.diff(starts) < 0).any():
            raise ValueError("starts must not fall")
        if len(claim) and not 0 <= claim.min() <= claim.max() < self.n_claims:
            raise ValueError(f"claims must be 0 to {self.n_claims - 1}")
        rises = np.diff(claim) > 0
        inner = starts[1:-1]
        rises[inner[(inner > 0) & (inner < len(claim))] - 1] = True  # from one system to the next
        if not rises.all():
            raise ValueError("the claims of a system must rise: each once, in order")

    @classmethod
    def of(cls, systems: Sequence[ArrayLike], n_claims: int | None = None) -> Predictions:
        """From a set of claims for each system, in any order, repetitions left out."""
        sets = [np.unique(np.asarray(claims, dtype=np.int64)) for claims in systems]
        claim = np.concatenate([np.zeros(0, dtype=np.int64), *sets])
        starts = np.concatenate(([0], np.cumsum([len(one) for one in sets]))).astype(np.int64)
        most = int(claim.max()) + 1 if len(claim) else 0
        return cls(claim, starts, most if n_claims is None else n_claims)

    @property
    def n_systems(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> Whole:
        """How many claims each system has, shape (n_systems,)."""
        return np.diff(self.starts)

    @property
    def system(self) -> Whole:
        """Of each prediction, shape (n_predictions,)."""
        return np.repeat(np.arange(self.n_systems), self.sizes)

    def claims_of(self, system: int) -> Whole:
        return self.claim[self.starts[system] : self.starts[system + 1]]

    def sums(self, values: Floats) -> Floats:
        """The sum over each system's predictions, shape (n_systems,)."""
        total = np.zeros(self.n_systems)
        there = np.flatnonzero(self.sizes)
        if len(there):
            total[there] = np.add.reduceat(values, self.starts[there])
        return total

    def table(self, values: Floats, claims: Whole | None = None) -> csr_array:
        """Shape (n_systems, n_claims): `values[k]` at the system and the claim of prediction k.

        With `claims`, which must rise, only those columns, in that order.
        """
        if claims is None:
            return csr_array(
                (values, self.claim, self.starts), shape=(self.n_systems, self.n_claims)
            )
        place = np.full(self.n_claims, -1, dtype=np.int64)
        place[claims] = np.arange(len(claims))
        column = place[self.claim]
        kept = np.flatnonzero(column >= 0)  # few: no more is done for each prediction
        return csr_array(
            (values[kept], column[kept], np.searchsorted(kept, self.starts)),
            shape=(self.n_systems, len(claims)),
        )

    def members(self, claims: Whole | None = None) -> csr_array:
        """1 where the system has the claim."""
        return self.table(np.ones(len(self.claim)), claims)

    def teams_per_claim(self, team: Whole) -> Whole:
        """How many teams make each claim, shape (n_claims,); `team[i]` is that of system i."""
        if len(self.claim) == 0:
            return np.zeros(self.n_claims, dtype=np.int64)
        pairs = np.unique(self.claim * (int(team.max()) + 1) + team[self.system])
        return np.bincount(pairs // (int(team.max()) + 1), minlength=self.n_claims)


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """Of each system; NaN is "not estimable".

    Attributes
    ----------
    value, variance : arrays of shape (n_systems,)
    effective : array of shape (n_systems,)
        The number of independent judgments that would tell as much; infinite for a census.
    """

    value: Floats
    variance: Floats
    effective: Floats


def scaled_columns(table: csr_array, factors: Floats) -> csr_array:
    """Each column times its factor; the places of the zeros stay as they are."""
    return csr_array(
        (table.data * factors[table.indices], table.indices, table.indptr), shape=table.shape
    )


def scaled_rows(table: csr_array, factors: Floats) -> csr_array:
    repeated = np.repeat(factors, np.diff(table.indptr))
    return csr_array((table.data * repeated, table.indices, table.indptr), shape=table.shape)


def ratio(top: Floats, bottom: Floats) -> Floats:
    """NaN where `bottom` is 0."""
    shape = np.broadcast_shapes(np.shape(top), np.shape(bottom))
    return np.divide(top, bottom, out=np.full(shape, np.nan), where=np.asarray(bottom) != 0)


def as_floats(values: ArrayLike) -> Floats:
    return np.asarray(values, dtype=np.float64)
