"""Precision against recall, with the interval of each and lines of equal F1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dashboard.charts import Chart, Label, Path, Point, Scale, Tick, line_path, share_ticks
from dashboard.templatetags.figures import share
from evaluation.queries.board import Board, BoardLine

EQUAL = (0.2, 0.4, 0.6, 0.8)
HEIGHT = 250
MOST_LABELS = 12
CHARACTER = 2.0  # width of one on a phone, in hundredths of the drawing
Box = tuple[float, float, float, float]  # left, right, top, bottom, in hundredths


def precision_and_recall(board: Board) -> Chart | None:
    """None where no recall is estimable."""
    drawn = [line for line in board.lines if line.score.recall is not None
             and line.score.precision is not None]  # fmt: skip
    if not drawn:
        return None
    right, up = Scale(0, 1), Scale(0, 1)
    points = tuple(_point(line, right, up) for line in drawn)
    labels = [Label(99, up.down(f1 / (2 - f1)), f"F1 {share(f1)}", "end", dx=-2, dy="-.5em",
                    is_roomy=True) for f1 in EQUAL]  # fmt: skip
    labels += _names([line.name for line in drawn[:MOST_LABELS]], points)
    return Chart(
        title="Precision and recall",
        label=f"Precision against recall of {len(drawn)} systems, with {board.level} intervals",
        note=f"{board.level} intervals · dashed: equal F1",
        columns=("System", "Precision", "Recall", "F1"),
        rows=tuple(
            (line.name, share(line.score.precision), share(line.score.recall), share(line.score.f1))
            for line in drawn
        ),
        height=HEIGHT,
        across=(Tick(0, "0", "start"), Tick(25, ".25"), Tick(50, ".50"), Tick(75, ".75"),
                Tick(100, "recall 1", "end")),
        up=share_ticks(up, 0.25),
        paths=tuple(_equal(f1) for f1 in EQUAL),
        points=points,
        labels=tuple(labels),
    )  # fmt: skip


def _names(names: Sequence[str], points: Sequence[Point]) -> Iterator[Label]:
    """Each beside its point, where it covers least of the other points and names on a phone."""
    taken = [_dot(one) for one in points]
    for name, point in zip(names, points, strict=False):
        others = [box for box in taken if box != _dot(point)]
        boxes = {
            (ends, above): (*_sideways(name, point.x, ends), *_upright(point.y, above))
            for ends in ((True, False) if point.x > 60 else (False, True))
            for above in (True, False)
        }
        ends, above = min(boxes, key=lambda way: _covered(boxes[way], others))
        taken.append(boxes[ends, above])
        yield Label(
            point.x, point.y, name, "end" if ends else "start", tone="ink",
            dx=-9 if ends else 9, dy="-.7em" if above else "1.4em",
        )  # fmt: skip


def _dot(point: Point) -> Box:
    return point.x - 2, point.x + 2, point.y - 3, point.y + 3


def _sideways(name: str, x: float, ends: bool) -> tuple[float, float]:
    width = CHARACTER * len(name)
    return (x - 3 - width, x - 3) if ends else (x + 3, x + 3 + width)


def _upright(y: float, above: bool) -> tuple[float, float]:
    return (y - 9, y - 2) if above else (y + 2, y + 9)


def _covered(box: Box, others: Iterable[Box]) -> float:
    """Its area that lies on others or outside the drawing, in its squared hundredths."""
    left, right, top, bottom = box
    inside = max(min(right, 100) - max(left, 0), 0) * (bottom - top)
    outside = (right - left) * (bottom - top) - inside
    return outside + sum(
        max(min(right, x2) - max(left, x1), 0) * max(min(bottom, y2) - max(top, y1), 0)
        for x1, x2, y1, y2 in others
    )


def _point(line: BoardLine, right: Scale, up: Scale) -> Point:
    one = line.score
    precision, recall = one.precision or 0.0, one.recall or 0.0
    known = one.precision_low is not None and one.precision_high is not None
    sure = one.recall_low is not None and one.recall_high is not None
    return Point(
        right.right(recall), up.down(precision),
        f"{line.name}: precision {share(precision)}, recall {share(recall)}",
        low=up.down(one.precision_low or 0) if known else None,
        high=up.down(one.precision_high or 0) if known else None,
        left=right.right(one.recall_low or 0) if sure else None,
        right=right.right(one.recall_high or 0) if sure else None,
        radius=5,
    )  # fmt: skip


def _equal(f1: float) -> Path:
    """Where precision p has the recall f1 p / (2 p - f1)."""
    ps = [f1 / (2 - f1) + i / 40 * (1 - f1 / (2 - f1)) for i in range(41)]
    return line_path(
        [(100 * f1 * p / (2 * p - f1), 100 - 100 * p) for p in ps], tone="k-soft", is_dashed=True
    )
