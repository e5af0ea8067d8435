"""The probabilities that a consensus keeps, unpacked without NumPy: pages and exports need few."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence

DECIMALS = 4  # a stored probability has 11 bits


def largest(probabilities: bytes, classes: int) -> list[float | None]:
    """The largest probability of each unit; None where nobody judged it."""
    return [rounded(max(row)) for row in _rows(probabilities, classes)]


def ranked(
    probabilities: bytes, classes: Sequence[str], least: float
) -> list[list[tuple[str, float]]]:
    """For each unit the classes that have at least `least`, the most probable first; none where
    nobody judged it."""
    found = []
    for row in _rows(probabilities, len(classes)):
        pairs = [pair for pair in zip(classes, row, strict=True) if pair[1] >= least]
        found.append(sorted(pairs, key=lambda pair: -pair[1]))
    return found


def rounded(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else round(value, DECIMALS)


def _rows(probabilities: bytes, classes: int) -> Iterator[tuple[float, ...]]:
    """None of a run without classes, which has nothing to be sure of."""
    if not classes:
        return
    values = struct.unpack(f"<{len(probabilities) // 2}e", probabilities)
    for start in range(0, len(values), classes):
        yield values[start : start + classes]
