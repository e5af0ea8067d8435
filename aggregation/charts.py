"""Charts as shapes in numbers, for the templates that draw them and the tables behind them."""

from __future__ import annotations

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
