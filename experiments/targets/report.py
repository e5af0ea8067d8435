"""The table of `experiment_targets`."""

from __future__ import annotations

from collections.abc import Iterable

from aggregation.management.words import table
from experiments.targets.trials import Row

HEAD = [
    "", "wanted", "reached", "all answers", "expected", "interval holds", "width", "answers",
    "saved",
]  # fmt: skip
SHORT = 0.02  # by which the mean may fall short


def lines_of(rows: Iterable[Row]) -> list[str]:
    """A crowd and a quality a line."""
    cells = [HEAD]
    for row in rows:
        cells.append([
            row.name,
            f"{row.wanted:.2f}",
            f"{row.reached:.3f}{verdict(row)}",
            f"{row.all_answers:.3f}",
            f"{row.expected:.3f}",
            f"{row.covered:.2f}",
            f"{row.width:.2f}",
            f"{row.answers:.2f}",
            "–" if row.saved is None else f"{row.saved:.2f}",
        ])  # fmt: skip
    return [
        *table(cells),
        "*: more than .02 short; –: not even with all answers.",
    ]


def verdict(row: Row) -> str:
    if row.reached >= row.wanted - SHORT:
        return ""
    return "*" if row.all_answers >= row.wanted else "–"
