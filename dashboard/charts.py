"""Charts as shapes in numbers, for the templates that draw them and the tables behind them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

HEIGHT = 100.0  # of the drawing; its width is the number of bars
GAP = 0.15  # between two bars, in bars


@dataclass(frozen=True, slots=True)
class Bar:
    label: str
    value: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class BarChart:
    """Bars that stand on zero, the highest of them as high as the drawing."""

    title: str
    labelled: str  # what the labels are: the head of the table's first column
    bars: tuple[Bar, ...]
    peak: Bar | None  # the highest; None where all are 0
    total: int

    @property
    def width(self) -> int:
        return max(len(self.bars), 1)


def bar_chart(title: str, labelled: str, points: Sequence[tuple[str, int]]) -> BarChart:
    """`points` are (label, value) pairs, with values of at least 0."""
    most = max((value for _, value in points), default=0)
    bars = []
    for i, (label, value) in enumerate(points):
        height = HEIGHT * value / most if most else 0.0
        bars.append(
            Bar(
                label=label,
                value=value,
                x=round(i + GAP / 2, 3),
                y=round(HEIGHT - height, 3),
                width=round(1 - GAP, 3),
                height=round(height, 3),
            )
        )
    return BarChart(
        title=title,
        labelled=labelled,
        bars=tuple(bars),
        peak=max(bars, key=lambda bar: bar.value) if most else None,
        total=sum(value for _, value in points),
    )


@dataclass(frozen=True, slots=True)
class Cell:
    row: str
    column: str
    value: float  # from 0 to 1
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A square table of shares: what is (down) against what is said (across)."""

    title: str
    down: str
    across: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]

    @property
    def size(self) -> int:
        return len(self.names)


def heat_map(
    title: str, down: str, across: str, names: Sequence[str], shares: Sequence[Sequence[float]]
) -> HeatMap:
    """`shares[i][j]`: how often the j-th name is said where the i-th is."""
    rows = tuple(
        (
            name,
            tuple(
                Cell(name, said, round(share, 3), x, y)
                for x, (said, share) in enumerate(zip(names, row, strict=True))
            ),
        )
        for y, (name, row) in enumerate(zip(names, shares, strict=True))
    )
    return HeatMap(title, down, across, tuple(names), rows)


@dataclass(frozen=True, slots=True)
class Dot:
    """A bin of a reliability diagram, in hundredths; `y` counts from the top."""

    x: float
    y: float
    radius: float
    count: int
    sure: float
    right: float


def reliability_diagram(bins: Sequence[tuple[int, float, float]]) -> tuple[Dot, ...]:
    """`bins` are (count, mean confidence, share that is right); empty ones are left out. The area
    of a dot grows with the logarithm of its count: bins differ by thousands."""
    most = max((count for count, _, _ in bins), default=0)
    return tuple(
        Dot(
            x=round(100 * sure, 2),
            y=round(100 - 100 * right, 2),
            radius=round(1.5 + 2.5 * math.sqrt(math.log1p(count) / math.log1p(most)), 2),
            count=count,
            sure=sure,
            right=right,
        )
        for count, sure, right in bins
        if count
    )
