"""Numbered values: what a view of words or tokens gives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A value of each word of a vocabulary, or of each token.

    Attributes
    ----------
    values : strings, each once
    code : array of int32
        The number of each one's value; -1 for none.
    """

    values: tuple[str, ...]
    code: Codes

    @classmethod
    def of(cls, values: Iterable[str | None]) -> Self:
        """Numbered in the order of appearance."""
        number: dict[str | None, int] = {None: -1}
        code = np.fromiter((number.setdefault(v, len(number) - 1) for v in values), dtype=np.int32)
        del number[None]
        return cls(tuple(value for value in number if value is not None), code)

    def at(self, places: NDArray[np.integer[Any]]) -> Table:
        return Table(self.values, self.code[places])


def classes_of(numbers: NDArray[np.integer[Any]], least: dict[str, int]) -> Table:
    """The class of each number: the last whose least number it reaches, or none."""
    code = np.searchsorted(list(least.values()), numbers, side="right") - 1
    return Table(tuple(least), code.astype(np.int32))


def yes(is_so: NDArray[np.bool_]) -> Table:
    return Table(("yes",), np.where(is_so, 0, -1).astype(np.int32))
