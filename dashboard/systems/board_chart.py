"""Precision against recall, with the interval of each and lines of equal F1."""

from __future__ import annotations

from dashboard.charts import Chart, Label, Path, Point, Scale, Tick, line_path, share_ticks
from dashboard.templatetags.figures import share
from evaluation.queries.board import Board, BoardLine

EQUAL = (0.2, 0.4, 0.6, 0.8)
HEIGHT = 250
MOST_LABELS = 12


def precision_and_recall(board: Board) -> Chart | None:
    """None where no recall is estimable."""
    drawn = [line for line in board.lines if line.score.recall is not None
             and line.score.precision is not None]  # fmt: skip
    if not drawn:
        return None
    right, up = Scale(0, 1), Scale(0, 1)
    points = tuple(_point(line, right, up) for line in drawn)
    named = zip(drawn[:MOST_LABELS], points, strict=False)
    labels = [Label(99, up.down(f1 / (2 - f1)), f"F1 {share(f1)}", "end", dx=-2, dy="-.5em",
                    is_roomy=True) for f1 in EQUAL]  # fmt: skip
    for i, (line, point) in enumerate(named):
        ends, dy = point.x > 60, "-.7em" if i % 2 == 0 else "1.4em"
        labels.append(
            Label(point.x, point.y, line.name, "end" if ends else "start", tone="ink",
                  dx=-9 if ends else 9, dy=dy)
        )  # fmt: skip
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
