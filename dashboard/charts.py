"""Charts as places in a drawing, for the one template that draws them and the table behind each.

Places are hundredths of the drawing, whose width follows the page and whose height is fixed; type
is in pixels and so never shrinks. `y` counts from the top, as SVG does. A chart carries the table
that says the same, and no script draws it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from dashboard.templatetags.figures import share

STEPS = (1, 2, 5)
GAP = 0.25  # between two bars, in bars
FEWEST_TICKS = 2  # above zero


@dataclass(frozen=True, slots=True)
class Tick:
    at: float
    text: str
    anchor: str = "middle"
    is_roomy: bool = False  # left out on phones


@dataclass(frozen=True, slots=True)
class Bar:
    x: float
    y: float
    width: float
    height: float
    title: str
    tone: str = ""  # "", or one of the classes k-warn, k-danger, k-soft, k-ok, t1 …
    to_come: bool = False  # forecast, drawn paler


@dataclass(frozen=True, slots=True)
class Point:
    """A value on its interval, where it has one; `href` leads to what it stands for."""

    x: float
    y: float
    title: str
    low: float | None = None
    high: float | None = None
    left: float | None = None  # an interval across, too
    right: float | None = None
    tone: str = ""
    is_hollow: bool = False
    radius: float = 4
    href: str = ""


@dataclass(frozen=True, slots=True)
class Path:
    """A line, or with `is_band` the area between two, in thousandths of the drawing."""

    d: str
    tone: str = ""
    is_band: bool = False
    is_dashed: bool = False


@dataclass(frozen=True, slots=True)
class Limit:
    """A line across the drawing that is aimed at, or with `is_warning` not to be passed."""

    y: float
    text: str
    is_warning: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """Words beside what they name. `dx` and `dy` are in pixels and ems from there."""

    x: float
    y: float
    text: str
    anchor: str = "start"
    tone: str = ""  # ink, strong, a (accent), warn, danger
    dx: int = 6
    dy: str = ".32em"
    is_roomy: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    title: str
    label: str  # what is drawn, in a sentence for those who hear it
    columns: tuple[str, ...]  # of the table behind it; all but the first hold figures
    rows: tuple[tuple[str, ...], ...]
    note: str = ""  # the measure, its unit and its base
    explanation: str = ""  # of dashboard.explanations
    height: int = 122
    margin: str = ""  # left-0, left-48, right: room for labels beside the drawing
    across: tuple[Tick, ...] = ()
    up: tuple[Tick, ...] = ()
    bars: tuple[Bar, ...] = ()
    paths: tuple[Path, ...] = ()
    points: tuple[Point, ...] = ()
    limits: tuple[Limit, ...] = ()
    labels: tuple[Label, ...] = ()
    now: float | None = None  # where what was measured ends and a forecast begins

    @property
    def has_links(self) -> bool:
        return any(point.href for point in self.points)


@dataclass(frozen=True, slots=True)
class Scale:
    """From values to places. `right` gives hundredths from the left, `down` from the top."""

    low: float
    high: float

    def right(self, value: float) -> float:
        size = self.high - self.low
        part = (value - self.low) / size if size else 0.0
        return round(100 * min(max(part, 0.0), 1.0), 2)

    def down(self, value: float) -> float:
        return round(100 - self.right(value), 2)


def share_ticks(scale: Scale, step: float) -> tuple[Tick, ...]:
    number = round((scale.high - scale.low) / step)
    values = (scale.low + place * step for place in range(number + 1))
    return tuple(Tick(scale.down(value), share(value)) for value in values)


def count_scale(most: float) -> tuple[Scale, tuple[float, ...]]:
    """From zero to a round number that holds `most`, and the round values in between."""
    if most <= 0:
        return Scale(0, 1), (0,)
    rounds = (step * 10.0**power for power in range(-3, 12) for step in STEPS)
    steps = [step for step in rounds if step * FEWEST_TICKS <= most]
    step = steps[-1] if steps else most
    number = math.ceil(round(most / step, 9))
    return Scale(0, number * step), tuple(place * step for place in range(number + 1))


def count_ticks(scale: Scale, values: Iterable[float]) -> tuple[Tick, ...]:
    return tuple(Tick(scale.down(value), f"{value:,.10g}") for value in values)


def line_path(
    points: Iterable[tuple[float, float]], *, tone: str = "", is_dashed: bool = False
) -> Path:
    """Through places in hundredths."""
    return Path("M" + "L".join(map(_thousandths, points)), tone, is_dashed=is_dashed)


def band_path(
    upper: Sequence[tuple[float, float]], lower: Sequence[tuple[float, float]], *, tone: str = ""
) -> Path:
    around = [*upper, *reversed(lower)]
    return Path(line_path(around).d + "Z", tone, is_band=True)


def _thousandths(place: tuple[float, float]) -> str:
    return " ".join(f"{10 * number:.4g}" for number in place)


def bar_chart(
    title: str,
    labelled: str,
    points: Sequence[tuple[str, int]],
    *,
    counted: str = "answers",
    note: str = "",
    explanation: str = "",
    height: int = 122,
) -> Chart:
    """`points` are (label, value) pairs, with values of at least 0. Bars stand on zero, and the
    highest says its value."""
    scale, values = count_scale(max((value for _, value in points), default=0))
    width = 100 / max(len(points), 1)
    bars = tuple(
        Bar(
            x=round((i + GAP / 2) * width, 2),
            y=scale.down(value),
            width=round((1 - GAP) * width, 2),
            height=round(scale.right(value), 2),
            title=f"{label}: {value:,}",
        )
        for i, (label, value) in enumerate(points)
    )
    most = max(range(len(points)), key=lambda i: points[i][1], default=0)
    total = sum(value for _, value in points)
    return Chart(
        title=title,
        label=f"{title}: {total:,} {counted} in all",
        note=note or counted,
        explanation=explanation,
        columns=(labelled, counted.capitalize()),
        rows=tuple((label, f"{value:,}") for label, value in points),
        height=height,
        margin="left-48" if values[-1] >= 1_000 else "",
        across=_ends([label for label, _ in points]),
        up=count_ticks(scale, values),
        bars=bars,
        labels=(_peak(bars[most], points[most]),) if total else (),
    )


def _peak(bar: Bar, point: tuple[str, int]) -> Label:
    return Label(
        x=round(bar.x + bar.width / 2, 2), y=bar.y, text=f"{point[1]:,}", anchor="middle",
        tone="strong", dx=0, dy="-.4em",
    )  # fmt: skip


def _ends(labels: Sequence[str]) -> tuple[Tick, ...]:
    """The first and the last under their bars; more would run into each other on a phone."""
    if not labels:
        return ()
    first = Tick(0, labels[0], "start")
    return (first,) if len(labels) == 1 else (first, Tick(100, labels[-1], "end"))


@dataclass(frozen=True, slots=True)
class Reading:
    """A value of a line, with its interval where it has one."""

    label: str
    x: float  # in the units of the line
    value: float
    low: float | None = None
    high: float | None = None


def trend_chart(
    title: str,
    label: str,
    readings: Sequence[Reading],
    *,
    scale: Scale,
    up: tuple[Tick, ...],
    heads: tuple[str, ...],
    text: Callable[[float], str] = share,
    note: str = "",
    explanation: str = "",
    limits: tuple[Limit, ...] = (),
    height: int = 122,
    margin: str = "right",
) -> Chart:
    """A line with its band; the last reading is a dot that says its value."""
    over = Scale(readings[0].x, readings[-1].x) if readings else Scale(0, 1)
    places = [(over.right(one.x), scale.down(one.value)) for one in readings]
    band = [one for one in readings if one.low is not None and one.high is not None]
    paths = [line_path(places)] if len(places) > 1 else []
    if len(band) > 1:
        paths.insert(
            0,
            band_path(
                [(over.right(one.x), scale.down(one.high or 0)) for one in band],
                [(over.right(one.x), scale.down(one.low or 0)) for one in band],
            ),
        )
    last = places[-1:]
    return Chart(
        title=title,
        label=label,
        note=note,
        explanation=explanation,
        columns=heads,
        rows=tuple(_reading_cells(one, text, len(heads)) for one in reversed(readings)),
        height=height,
        margin=margin,
        across=_ends([one.label for one in readings]),
        up=up,
        paths=tuple(paths),
        points=tuple(Point(x, y, text(readings[-1].value)) for x, y in last),
        limits=limits,
        labels=tuple(Label(x, y, text(readings[-1].value), tone="a", dy="-.05em") for x, y in last),
    )


def _reading_cells(one: Reading, text: Callable[[float], str], number: int) -> tuple[str, ...]:
    cells = (one.label, text(one.value))
    if number == len(cells):
        return cells
    known = one.low is not None and one.high is not None
    return (*cells, f"{text(one.low or 0)}–{text(one.high or 0)}" if known else "–")


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
