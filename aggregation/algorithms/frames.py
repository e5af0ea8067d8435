"""Labels in a data frame, by crowd-kit's convention: columns worker, task and label.

pandas is not needed: whatever has `columns` and gives a column by its name will do.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.data import CrowdLabels

COLUMNS = ("worker", "task", "label")


class FrameNames(NamedTuple):
    """What units, workers and classes are called, by number."""

    tasks: NDArray[Any]
    workers: NDArray[Any]
    classes: NDArray[Any]


def is_frame(data: Any) -> bool:
    return hasattr(data, "columns") and hasattr(data, "__getitem__")


def labels_of_frame(frame: Any) -> tuple[CrowdLabels, FrameNames]:
    """The labels of a frame, and the names that its numbers stand for, in their order.

    Raises ValueError for a missing column, a missing value, or values that can't be ordered.
    """
    missing = [column for column in COLUMNS if column not in frame.columns]
    if missing:
        raise ValueError(
            f"the frame has no column {', '.join(missing)}; it needs {', '.join(COLUMNS)}, and has "
            f"{', '.join(map(str, frame.columns)) or 'none'}"
        )
    (workers, worker), (tasks, task), (classes, label) = (
        _numbered(column, np.asarray(frame[column])) for column in COLUMNS
    )
    if not len(classes):
        raise ValueError("the frame has no rows, so it names no class")
    labels = CrowdLabels(task, worker, label, len(tasks), len(workers), len(classes))
    return labels, FrameNames(tasks, workers, classes)


def _numbered(column: str, values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The different values in order, and the number of each row's."""
    empty = [row for row, value in enumerate(values.tolist()) if value is None or value != value]
    if empty:
        raise ValueError(f"'{column}' of row {empty[0]} (counted from 0) is missing")
    try:
        names, number = np.unique(values, return_inverse=True)
    except TypeError as error:
        raise ValueError(
            f"the values of '{column}' can't be put in order: {error}. Make them all of one type."
        ) from error
    return names, number.astype(np.int64)
