"""Figures that other runs of the same experiments gave, to be printed beside ours.

They come from one run of 100 trials each, so they vary by chance as ours do: within a point for a
budget of 10 or more, within two below. Columns that start EM from a majority vary much more: it
ends near the truth or near its opposite.
"""

from __future__ import annotations

TOLERANCE, TOLERANCE_SMALL, SMALL_BUDGET = 1.0, 2.0, 10
BY_ORDER = ("EM random K", "EM selected, majority start")  # of these only who is ahead of whom

_COLUMNS = (
    "MV top K", "WMV-lin top K", "WMV-lin selected", "WMV-lin plug-in", "WMV-log selected ε=.05",
    "EM top K", "EM selected", "n selected", "n plug-in", "EM random K",
    "EM selected, majority start",
)  # fmt: skip


def _rows(rows: dict[float, tuple[float | None, ...]]) -> dict[float, dict[str, float]]:
    return {
        budget: {c: v for c, v in zip(_COLUMNS, row, strict=True) if v is not None}
        for budget, row in rows.items()
    }


SIMULATION = _rows(
    {
        5: (92.6, 92.7, 93.8, 94.2, 93.8, 94.2, 94.7, 4.7, 4.9, 58.2, 72.7),
        10: (92.9, 94.8, 95.8, 96.8, 95.8, 96.7, 97.0, 7.4, 9.2, 64.4, 73.2),
        15: (92.5, 95.3, 96.1, 97.3, 96.1, 97.7, 97.2, 8.3, 11.7, 77.1, 73.3),
        31: (65.0, 98.3, 96.1, 97.3, 96.1, 99.6, 97.2, 8.3, 11.9, 79.8, 73.3),
    }
)
BLUEBIRDS = _rows(
    {
        5: (85.7, 85.7, 85.0, 85.8, 85.0, 87.9, 87.5, 4.7, 5.0, 78.1, None),
        10: (85.2, 86.2, 86.1, 86.1, 85.9, 89.3, 88.9, 8.6, 9.3, 85.0, None),
        39: (75.8, 83.2, 85.7, 84.9, 85.8, 89.6, 89.2, 11.3, 15.0, 89.6, None),
    }
)
BLUEBIRDS_SHAPE = (108, 39)  # items, workers

# WMV-lin at K = 15, by the number of control questions and by the prior's a.
CONTROL: dict[str, dict[float, float]] = {
    "WMV-lin selected": {3: 93.2, 5: 92.1, 10: 96.4, 20: 98.1, 30: 98.6, 45: 98.8},
    "WMV-lin plug-in": {3: 93.2, 5: 93.9, 10: 97.5, 20: 98.3, 30: 98.7, 45: 98.9},
}
PRIOR: dict[str, dict[float, float]] = {
    "WMV-lin selected": {1.0: 99.9, 2.0: 96.9, 2.3: 96.4, 3.0: 96.8, 4.0: 98.2}
}


def tolerance(budget: float) -> float:
    return TOLERANCE if budget >= SMALL_BUDGET else TOLERANCE_SMALL
