"""An attribute of many items, read a part at a time: numbers as long as all are, then texts."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from selection.algorithms.items.attributes import Attribute, Nominal, Numeric

Floats = NDArray[np.float64]
Value = str | float | None


@dataclass(slots=True)
class Column:
    """Numbers for as long as all are; then texts."""

    numbers: array[float] = field(default_factory=lambda: array("d"))
    codes: array[int] | None = None
    names: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.numbers if self.codes is None else self.codes)

    def extend(self, values: Sequence[Value], numbers: Floats | None) -> None:
        """`numbers` are the values, NaN where one is not known, if all are numbers."""
        if self.codes is None:
            if numbers is not None:
                self.numbers.frombytes(numbers.tobytes())
                return
            self.codes = array("i", (self._code(value) for value in self.numbers))
            self.numbers = array("d")
        self.codes.extend(map(self._code, values))

    def _code(self, value: Value) -> int:
        if value is None or value == "" or value != value:
            return -1
        name = value if isinstance(value, str) else _written(value)
        return self.names.setdefault(name, len(self.names))

    def attribute(self, name: str) -> Attribute:
        if self.codes is None:
            return Numeric(name, np.frombuffer(self.numbers, dtype=np.float64).copy())
        return Nominal(name, np.array(self.codes, dtype=np.int64), tuple(self.names))


def numbers_of(values: Sequence[Value]) -> Floats | None:
    """The values as numbers, NaN for what is not known; None where one is no finite number."""
    unknown = 0
    try:
        found = np.array(values, dtype=np.float64)
    except (ValueError, TypeError, OverflowError):
        known = [None if value == "" else value for value in values]
        unknown = known.count(None)
        try:
            found = np.array(["nan" if v is None else v for v in known], dtype=np.float64)
        except (ValueError, OverflowError):
            return None
    else:
        unknown = values.count(None)  # which NumPy takes for NaN
    return found if np.isfinite(found).sum() + unknown == len(values) else None


def _written(value: float) -> str:
    return repr(value).removesuffix(".0")
