"""Box plots as five numbers and as SVG, standing alone: a file to look at, no part of a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import ArrayLike, NDArray

WHISKER = 1.5  # interquartile ranges, at most: Tukey's
PANEL, HEIGHT = 250, 380
LEFT, TOP, BOTTOM = 60, 76, 44  # margins of a panel
BOX = 64  # its width
TICKS = 5
STYLE = (
    "svg{background:#fff;color:#1d1f23;font:13px system-ui,sans-serif}"
    "text{fill:currentColor}.soft{fill:#5d6068}.grid{stroke:#d7d9dd}"
    ".box{fill:#0b57d0;fill-opacity:.16;stroke:#0b57d0;stroke-width:1.5}"
    ".line{fill:none;stroke:#0b57d0;stroke-width:1.5}.median{stroke:#0b57d0;stroke-width:3}"
    ".far{fill:none;stroke:#0b57d0}"
    "@media(prefers-color-scheme:dark){svg{background:#191a1d;color:#e8e6e1}"
    ".soft{fill:#a5a6a3}.grid{stroke:#3a3c41}.box{fill:#8ab4f8;stroke:#8ab4f8}"
    ".line,.median,.far{stroke:#8ab4f8}}"
)


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """How some values are spread: the least, the quartiles and the most; and the mean.

    `values` are sorted. Quartiles lie between two values on a line.
    """

    name: str
    values: NDArray[np.float64]
    numbers: tuple[float, float, float, float, float]

    @classmethod
    def of(cls, name: str, values: ArrayLike) -> Self:
        """Values that are NaN don't count. Raises ValueError where none does."""
        given = np.asarray(values, dtype=np.float64)
        known = np.sort(given[np.isfinite(given)])
        if not known.size:
            raise ValueError(f"there is no value of '{name}' to draw")
        low, lower, median, upper, high = np.quantile(known, (0, 0.25, 0.5, 0.75, 1)).tolist()
        return cls(name, known, (low, lower, median, upper, high))

    @property
    def mean(self) -> float:
        return float(self.values.mean())

    def whiskers(self) -> tuple[float, float]:
        """The last values on both sides that are no further from the box than `WHISKER`."""
        _, lower, _, upper, _ = self.numbers
        reach = WHISKER * (upper - lower)
        near = self.values[(self.values >= lower - reach) & (self.values <= upper + reach)]
        return float(near[0]), float(near[-1])

    def far(self) -> list[float]:
        """The values beyond the whiskers."""
        begin, end = self.whiskers()
        return self.values[(self.values < begin) | (self.values > end)].tolist()


def boxes_svg(title: str, boxes: Sequence[Box]) -> str:
    """An SVG file of the boxes side by side, each with a scale of its own."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PANEL * len(boxes)} {HEIGHT}" '
        f'role="img" aria-label="{escape(title, {chr(34): "&quot;"})}">',
        f"<style>{STYLE}</style>",
        f'<text x="{LEFT - 40}" y="26" font-size="16">{escape(title)}</text>',
        *(line for i, box in enumerate(boxes) for line in _panel(box, PANEL * i)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _panel(box: Box, x: float) -> Iterator[str]:
    ticks = _ticks(box.numbers[0], box.numbers[-1])
    span = ticks[-1] - ticks[0]

    def y(value: float) -> float:
        return round(HEIGHT - BOTTOM - (value - ticks[0]) / span * (HEIGHT - TOP - BOTTOM), 1)

    begin, end = x + LEFT, x + PANEL - 20
    middle = (begin + end) / 2
    left, right = middle - BOX / 2, middle + BOX / 2
    _, lower, median, upper, _ = box.numbers
    low, high = box.whiskers()
    yield f'<text x="{x + LEFT - 40}" y="{TOP - 22}">{escape(box.name)}</text>'
    for tick in ticks:
        yield f'<path class="grid" d="M{begin} {y(tick)}H{end}"/>'
        yield f'<text x="{begin - 8}" y="{y(tick) + 4}" text-anchor="end">{tick:g}</text>'
    for at, edge in ((low, lower), (high, upper)):
        yield f'<path class="line" d="M{middle} {y(edge)}V{y(at)}M{left + 16} {y(at)}h{BOX - 32}"/>'
    yield (
        f'<rect class="box" x="{left}" y="{y(upper)}" width="{BOX}" '
        f'height="{round(y(lower) - y(upper), 1)}"/>'
    )
    yield f'<path class="median" d="M{left} {y(median)}H{right}"/>'
    for value in box.far():
        yield f'<circle class="far" cx="{middle}" cy="{y(value)}" r="3.5"/>'
    said = f"median {median:.4g}, mean {box.mean:.4g}, n {len(box.values)}"
    yield f'<text class="soft" x="{x + LEFT - 40}" y="{HEIGHT - 14}">{said}</text>'


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers from one not above `low` to one not below `high`."""
    span = max(high - low, 1e-3 * max(abs(high), 1.0))
    size = 10.0 ** np.floor(np.log10(span / TICKS))
    step = next(size * f for f in (1, 2, 5, 10, 20) if span / (size * f) <= TICKS)
    first, last = int(np.floor(low / step + 1e-9)), int(np.ceil(high / step - 1e-9))
    return [float(round(step * i, 10)) for i in range(first, max(last, first + 1) + 1)]
