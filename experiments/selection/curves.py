"""Curves with error bands as SVG, standing alone: a file to look at, no part of a page."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 440
LEFT, RIGHT, TOP, BOTTOM = 64, 250, 44, 56  # margins; the names of the curves stand at the right
LINE, MARK = 18, 26  # of the legend
COLOURS = ("#0b57d0", "#b3261e", "#1e7d32", "#8a4bd0", "#b06000", "#00696e", "#5f6368", "#c2185b")
DASHES = ("", "7 4", "2 3", "9 3 2 3")  # so that no curve is told by its colour alone
TICKS = 6
STYLE = (
    "svg{background:#fff;color:#1d1f23;font:13px system-ui,sans-serif}"
    "text{fill:currentColor}.grid{stroke:#d7d9dd}.band{opacity:.13}"
    ".curve{fill:none;stroke-width:2}"
    "@media(prefers-color-scheme:dark){svg{background:#191a1d;color:#e8e6e1}"
    ".grid{stroke:#3a3c41}.curve,.band{filter:brightness(1.7)}}"
)


@dataclass(frozen=True, slots=True)
class Curve:
    """Points from left to right; `half` is half of each point's interval, NaN or none without."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    half: Sequence[float] = ()

    def band(self) -> list[tuple[float, float, float]]:
        """x, low and high of each point with an interval."""
        pairs = zip(self.x, self.y, self.half, strict=False)
        return [(x, y - half, y + half) for x, y, half in pairs if math.isfinite(half)]


@dataclass(frozen=True, slots=True)
class _Scale:
    """From values to places."""

    low: float
    high: float
    begin: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(self.begin + share * (self.end - self.begin), 1)


def curves_svg(
    title: str,
    across: str,
    up: str,
    curves: Sequence[Curve],
    marks: Mapping[float, str] | None = None,
) -> str:
    """An SVG file of the curves; raises ValueError where there is no point.

    `marks` are places on the axis from left to right, with what stands there in place of round
    numbers: an axis of logarithms needs them.
    """
    xs = [x for curve in curves for x in curve.x]
    ys = [y for curve in curves for y in curve.y]
    ys += [y for curve in curves for _, low, high in curve.band() for y in (low, high)]
    if not xs:
        raise ValueError("there is no point to draw")
    across_ticks, up_ticks = _ticks(min(xs), max(xs)), _ticks(min(ys), max(ys))
    below = {t: f"{t:g}" for t in across_ticks} if marks is None else marks
    below = {t: text for t, text in below.items() if min(xs) <= t <= max(xs)}
    x = _Scale(min(xs), max(max(xs), min(xs) + 1e-9), LEFT, WIDTH - RIGHT)
    y = _Scale(up_ticks[0], up_ticks[-1], HEIGHT - BOTTOM, TOP)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{_attribute(title)}">',
        f"<style>{STYLE}</style>",
        f'<text x="{LEFT}" y="24" font-size="16">{escape(title)}</text>',
        *_axes(across, up, below, up_ticks, x, y),
        *(line for i, curve in enumerate(curves) for line in _drawn(i, curve, x, y)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _axes(
    across: str, up: str, below: Mapping[float, str], up_ticks: list[float], x: _Scale, y: _Scale
) -> Iterator[str]:
    for tick in up_ticks:
        yield f'<path class="grid" d="M{LEFT} {y(tick)}H{WIDTH - RIGHT}"/>'
        yield f'<text x="{LEFT - 8}" y="{y(tick) + 4}" text-anchor="end">{tick:g}</text>'
    for tick, text in below.items():
        at = HEIGHT - BOTTOM + 18
        yield f'<text x="{x(tick)}" y="{at}" text-anchor="middle">{escape(text)}</text>'
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield f'<text x="{middle}" y="{HEIGHT - 14}" text-anchor="middle">{escape(across)}</text>'
    turned = f'transform="translate(18 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)"'
    yield f'<text {turned} text-anchor="middle">{escape(up)}</text>'


def _drawn(i: int, curve: Curve, x: _Scale, y: _Scale) -> Iterator[str]:
    colour = COLOURS[i % len(COLOURS)]
    # Curves of one colour differ by their dashes, and neighbours differ by both.
    dash = DASHES[(i + i // len(COLOURS)) % len(DASHES)]
    band = curve.band()
    if band:
        edge = [f"{x(a)} {y(high)}" for a, _, high in band]
        edge += [f"{x(a)} {y(low)}" for a, low, _ in reversed(band)]
        yield f'<path class="band" fill="{colour}" d="M{"L".join(edge)}Z"/>'
    points = "L".join(f"{x(a)} {y(b)}" for a, b in zip(curve.x, curve.y, strict=True))
    look = f'stroke="{colour}"' + (f' stroke-dasharray="{dash}"' if dash else "")
    yield f'<path class="curve" {look} d="M{points}"/>'
    begin, height = WIDTH - RIGHT + 16, TOP + 8 + LINE * i
    yield f'<path class="curve" {look} d="M{begin} {height}h{MARK}"/>'
    yield f'<text x="{begin + MARK + 8}" y="{height + 4}">{escape(curve.name)}</text>'


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers from one not above `low` to one not below `high`."""
    span = max(high - low, 1e-9)
    size = 10.0 ** math.floor(math.log10(span / TICKS))
    step = next(size * f for f in (1, 2, 5, 10) if span / (size * f) <= TICKS)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(step * i, 10) for i in range(first, max(last, first + 1) + 1)]


def _attribute(text: str) -> str:
    return escape(text, {'"': "&quot;"})
