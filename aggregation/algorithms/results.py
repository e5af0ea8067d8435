"""What all methods offer."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.reliability import Reliability


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """How a fit went.

    Attributes
    ----------
    objective : tuple of float
        What the method maximises, after each iteration; empty for a vote.
    converged : bool
        False where it stopped at its limit of iterations. A vote always has.
    iterations : int
        0 for a vote.
    seconds : float
        Wall-clock time of the fit.
    note : str
        What people should know of it, such as that another method stood in; a sentence, or
        nothing.
    """

    objective: tuple[float, ...]
    converged: bool
    iterations: int
    seconds: float
    note: str = ""

    @classmethod
    def of_vote(cls, began: float) -> Self:
        """`began` is what `time.perf_counter` said at the start."""
        return cls(objective=(), converged=True, iterations=0, seconds=time.perf_counter() - began)


class Aggregator(Protocol):
    """A method before and after `fit`. Settings are keyword arguments of the constructor."""

    posterior_: NDArray[np.float64]  # (n_units, n_classes), rows sum to 1
    reliability_: Reliability
    diagnostics_: Diagnostics

    def predict(self) -> NDArray[np.int64]:
        """The class of each unit, shape (n_units,)."""
