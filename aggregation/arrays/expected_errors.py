"""How many parts of each task's consensus are expected to be wrong: `Consensus.expected_errors`.

It is all that pages, queues and prices know of where a decision pays, and it is only as honest as
the posterior that it is taken from: what calibrates that belongs before it, and nothing after it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import Expected, expected_choices, expected_spans
from aggregation.algorithms.sequences.span_confidences import Spans
from aggregation.arrays.answers import Crowd

Floats = NDArray[np.float64]


def expected_parts(
    crowd: Crowd,
    posterior: Floats,
    chosen: NDArray[np.int64],
    judged: NDArray[np.bool_],
    spans: Spans | None = None,
) -> Expected:
    """Spans, or the label, of each task of the crowd.

    `posterior`, `chosen` and `judged` are of each unit. What nobody judged is no part. Where it is
    known how probable each span is, as a whole, `spans` are these.
    """
    if crowd.sequences is None:
        return expected_choices(posterior)
    size = np.diff(crowd.starts)
    task = np.repeat(np.arange(len(size)), size)
    if spans is not None:
        return spans.expected(task, len(size))
    return _spans(crowd, posterior, chosen, judged, task)


def expected_errors(crowd: Crowd, found: Expected, judged: NDArray[np.bool_]) -> Floats:
    """Of each task of the crowd, shape (n_tasks,): spans that are wrong or missed, or the label
    (from 0 to 1); NaN of a task without a judged unit."""
    size = np.diff(crowd.starts)
    task = np.repeat(np.arange(len(size)), size)
    known = np.bincount(task, judged, minlength=len(size)) > 0
    return np.where(known, found.wrong(), np.nan)


def expected_f1(
    crowd: Crowd, posterior: Floats, chosen: NDArray[np.int64], spans: Spans | None = None
) -> float | None:
    """Of the spans of all plain tasks together; None of choices, and where there are none."""
    if crowd.sequences is None:
        return None
    found = expected_parts(crowd, posterior, chosen, crowd.labels.labelled(), spans)
    both = float((found.predicted + found.true)[crowd.plain].sum())
    return 2.0 * float(found.right[crowd.plain].sum()) / both if both > 0 else None


def expected_errors_of_mentions(sure: Floats) -> float | None:
    """Mentions of one task that are in a wrong pile, by how probably each is in a right one (NaN:
    nobody compared it); None where nothing is known of any."""
    known = sure[~np.isnan(sure)]
    return float((1.0 - known).sum()) if known.size else None


def _spans(
    crowd: Crowd,
    posterior: Floats,
    chosen: NDArray[np.int64],
    judged: NDArray[np.bool_],
    task: NDArray[np.int64],
) -> Expected:
    assert crowd.sequences is not None
    outside = crowd.classes.index("O")
    certain = np.zeros(len(crowd.classes))
    certain[outside] = 1.0
    return expected_spans(
        np.where(judged[:, None], posterior, certain),
        np.where(judged, chosen, outside),
        tags=crowd.classes,
        starts=crowd.sequences.starts,
        task=task,
        n_tasks=len(crowd.tasks),
    )
